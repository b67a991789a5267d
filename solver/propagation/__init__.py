"""Propagation: forced edges, fragments, blocks and flow on one state."""
