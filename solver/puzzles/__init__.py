"""Three smaller systems: mazes of letters, the board game PATH, magic knight's tours.

Each has a fast procedure and an exact oracle that shares nothing with it.
"""
