"""Long runs: units, the ledger that remembers them, and what executes them."""
