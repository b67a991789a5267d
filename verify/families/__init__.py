"""Distance families: the bounds of an area for every distance."""
