"""The corpus: cases saved, read and replayed."""
