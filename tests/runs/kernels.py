"""A kernel that computes for a requested number of rounds."""

from solver.jit import njit


@njit
def spin(rounds: int) -> int:
    """Return a number after some rounds."""
    value = 1
    for _ in range(rounds):
        value = (value * 6364136223846793005 + 1442695040888963407) & 0x7FFFFFFFFFFF
    return value
