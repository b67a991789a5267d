"""Knight's tours judged, enumerated, estimated and told: `oneway knight`."""
