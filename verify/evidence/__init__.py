"""Evidence: rules on positions whose truth is known, gaps, mining, milestones."""
