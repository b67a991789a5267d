"""Exact numbers from residues, by a bound that is proved and not hoped for."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from math import prod

from solver.errors import OptionError

WORD = 2**64
_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)  # enough below 3.3e24
SET_SIZE = 32  # primes of one set


def is_prime(number: int) -> bool:
    """Tell whether a number below 3.3e24 is prime: Miller and Rabin, exact there.

    Sorenson and Webster, Mathematics of Computation 86 (2017): the first twelve primes
    as bases are enough below 3,317,044,064,679,887,385,961,981.

    >>> [n for n in range(30) if is_prime(n)]
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
    """
    if number < 2:
        return False
    for base in _BASES:
        if number % base == 0:
            return number == base
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in _BASES:
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


def primes_below(limit: int) -> Iterator[int]:
    """Yield the primes below a limit, the largest first.

    >>> list(primes_below(12))
    [11, 7, 5, 3, 2]
    """
    return (number for number in range(limit - 1, 1, -1) if is_prime(number))


@lru_cache(maxsize=8)
def prime_set(number: int) -> tuple[int, ...]:
    """Return the set of that number: primes below 2^63 that no other set has."""
    begin = number * SET_SIZE
    return tuple(islice(primes_below(2**63), begin, begin + SET_SIZE))


def moduli_for(bound: int, number: int = 0) -> tuple[int, ...]:
    """Return primes of a set, as many as a count up to `bound` needs.

    >>> len(moduli_for(2**170)), set(moduli_for(2**100)) & set(moduli_for(2**100, 1))
    (3, set())

    Raises
    ------
    OptionError
        If the whole set is not enough: above 2^2015.
    """
    chosen: list[int] = []
    product = 1
    for prime in prime_set(number):
        if product > bound:
            break
        chosen.append(prime)
        product *= prime
    if product <= bound:
        raise OptionError(f"a count of up to {bound.bit_length()} bits is too large")
    return tuple(chosen)


def combine(residues: Sequence[int], moduli: Sequence[int]) -> int:
    """Return the number below the product of all moduli that has these residues.

    The Chinese remainder theorem; moduli have no common factors.

    >>> combine([2, 3, 2], [3, 5, 7])
    23
    """
    product = prod(moduli)
    total = 0
    for residue, modulus in zip(residues, moduli, strict=True):
        others = product // modulus
        total += residue * others * pow(others, -1, modulus)
    return total % product
