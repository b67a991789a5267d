"""What judges and shows the three smaller systems: words, pictures, cases, trials."""
