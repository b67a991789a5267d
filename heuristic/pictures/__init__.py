"""The researcher's rule pictures: read, laid out as drawings, compared."""
