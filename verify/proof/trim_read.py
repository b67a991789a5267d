"""The kernel that reads a binary DRAT proof; see `verify.proof.trim`."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from solver.jit import njit
from verify.proof.trim_state import LENGTH, NONE, START, Bytes, Ints

Hashes: TypeAlias = npt.NDArray[np.uint64]

ADD, DELETE = 97, 100  # bytes that begin a step: a and d


@njit
def read(
    data: Bytes,
    given: int,
    lits: Ints,
    spans: Ints,
    steps: Ints,
    table: Ints,
    chain: Ints,
    hashes: Hashes,
) -> int:
    """Read a binary proof; return the number of its steps, -1 if it is none.

    A step is a lemma's number, or -1 - number for a deletion. Clauses are found again
    by a hash of 64 bits that does not mind their order: a false one would only cost a
    proof that fails.
    """
    mask = np.uint64(table.size - 1)
    clauses, count, steps_read, at = 0, 0, 0, 0
    adding = True
    while True:
        if clauses < given:
            count = spans[clauses, START] + spans[clauses, LENGTH]
            first = spans[clauses, START]
        else:
            if at >= data.size:
                return steps_read
            adding = data[at] == ADD
            if not adding and data[at] != DELETE:
                return -1
            at += 1
            first = count
            while True:
                value, shift, byte = 0, 0, 255
                while byte > 127:
                    if at >= data.size:
                        return -1
                    byte = int(data[at])  # as Python it would overflow in 8 bits
                    at += 1
                    value |= (byte & 127) << shift
                    shift += 7
                if value == 0:
                    break
                lits[count] = value - 2
                count += 1
        code = np.uint64(count - first)
        for i in range(first, count):
            one = np.uint64(lits[i] + 1) * np.uint64(0x9E3779B97F4A7C15)
            one ^= one >> np.uint64(29)
            code += one * np.uint64(0xBF58476D1CE4E5B9)
        bucket = (code >> np.uint64(20)) & mask
        if adding:
            spans[clauses, START], spans[clauses, LENGTH] = first, count - first
            hashes[clauses], chain[clauses] = code, table[bucket]
            table[bucket] = clauses
            if clauses >= given:
                steps[steps_read] = clauses
                steps_read += 1
            clauses += 1
            continue
        count = first
        before, old = NONE, table[bucket]
        while old != NONE and hashes[old] != code:
            before, old = old, chain[old]
        if old != NONE:
            if before == NONE:
                table[bucket] = chain[old]
            else:
                chain[before] = chain[old]
            steps[steps_read] = -1 - old
            steps_read += 1
