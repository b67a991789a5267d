"""Propagation: forced edges, fragments, blocks, flow and probing on one state."""
