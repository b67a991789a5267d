"""Random numbers for kernels: splitmix64, the same on all machines.

Steele, Lea & Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

import numpy as np
import numpy.typing as npt

from solver.jit import njit


def seeded(seed: int) -> npt.NDArray[np.uint64]:
    """Return the state of a generator for a seed, shape (1,)."""
    return np.array([seed % 2**64], dtype=np.uint64)


@njit
def below(rng: npt.NDArray[np.uint64], n: int) -> int:
    """Kernel: a random number from 0 to n - 1; the bias is below n / 2**32."""
    rng[0] += np.uint64(0x9E3779B97F4A7C15)
    z = rng[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return int(np.int64(z >> np.uint64(32)) * n >> 32)


@njit
def shuffle(rng: npt.NDArray[np.uint64], items: npt.NDArray[np.int64], n: int) -> None:
    """Kernel: shuffle the first n items."""
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        items[i], items[j] = items[j], items[i]


@njit
def order(
    rng: npt.NDArray[np.uint64],
    items: npt.NDArray[np.int64],
    n: int,
    choices: npt.NDArray[np.uint8],
    at: int,
) -> None:
    """Kernel: swap the item of choice number `at` to the front, or shuffle.

    Choices count from 0, modulo n; without a choice the order is random.
    """
    if at >= len(choices):
        shuffle(rng, items, n)
    elif n > 1:
        j = np.int64(choices[at]) % n
        items[0], items[j] = items[j], items[0]
