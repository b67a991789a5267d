"""Long runs: units of work, the ledger of finished units, and who executes them."""
