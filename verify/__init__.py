"""Claims and evidence: verdicts, cases, reports and the command line."""
