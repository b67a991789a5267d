"""Evidence about rules at positions with known truth: trials, walks, hunts."""
