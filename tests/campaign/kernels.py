"""A kernel that takes long."""

from solver.jit import njit


@njit
def spin(rounds: int) -> int:
    """Return a number that only so many rounds give."""
    value = 1
    for step in range(rounds):
        value = (value * 1103515245 + 12345 + step) % 2147483648
    return value
