"""Knight's tours judged, enumerated, estimated and described: `oneway knight`."""
