"""Rules discovered by the machine: gaps, explanations, drawings, a proved rule book."""
