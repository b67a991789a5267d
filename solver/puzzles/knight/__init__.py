"""Knight's tours: boards, exact searches, counts and oracles."""
