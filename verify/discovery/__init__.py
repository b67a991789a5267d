"""Rules found by the machine: gaps explained by cores, proved, and put into a book."""
