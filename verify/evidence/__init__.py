"""Rules on trial: evidence on known positions, gaps made small, milestones of walks."""
