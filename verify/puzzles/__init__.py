"""Knight's tours and mazes: judged, shown as text and pictures, enumerated."""
