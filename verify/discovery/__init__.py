"""Rules discovered by `oneway`: gaps, explanations, drawings, a proved rule book."""
