"""Blocks of numbers: what a step does to them, in kernels.

`values` holds `limbs` arrays of `stride` words of 64 bits, one after the other: limb 0
of all numbers first. Blocks begin at a place within each of them.
"""

from typing import Any

import numpy as np

from solver.counting.masks import Indices, Numbers
from solver.jit import njit


@njit
def fill(
    values: Numbers, limbs: int, stride: int, to: int, many: int, value: Any
) -> None:
    """Set all numbers of a block to a small one."""
    for limb in range(limbs):
        here = values[limb * stride + to : limb * stride + to + many]
        for i in range(many):
            here[i] = value
        value = np.uint64(0)


@njit
def copy(
    values: Numbers, limbs: int, stride: int, to: int, source: int, many: int
) -> None:
    """Copy a block."""
    for limb in range(limbs):
        here = values[limb * stride + to : limb * stride + to + many]
        there = values[limb * stride + source : limb * stride + source + many]
        for i in range(many):
            here[i] = there[i]


@njit
def gather(
    values: Numbers, limbs: int, stride: int, to: int, source: int, table: Indices
) -> None:
    """Fill a block from the entries of another that a table names; -1 makes a zero."""
    many = len(table)
    for limb in range(limbs):
        here = values[limb * stride + to : limb * stride + to + many]
        there = values[limb * stride + source : (limb + 1) * stride]
        for i in range(many):
            at = table[i]
            here[i] = there[at] if at >= 0 else np.uint64(0)


@njit
def add(
    values: Numbers,
    limbs: int,
    stride: int,
    to: int,
    a: int,
    b: int,
    many: int,
    modulus: Any,
) -> None:
    """Add two blocks: with carries, or modulo a number up to 2^63, 0 for 2^64.

    `to` may be `a`: blocks are equal or apart.
    """
    if limbs > 1:
        for i in range(many):
            carry = np.uint64(0)
            for limb in range(limbs):
                base = limb * stride + i
                x, y = values[base + a], values[base + b]
                part = x + carry
                carry = np.uint64(part < x)
                part += y
                carry += np.uint64(part < y)
                values[base + to] = part
        return
    here = values[to : to + many]
    xs, ys = values[a : a + many], values[b : b + many]
    if modulus == 0:
        for i in range(many):
            here[i] = xs[i] + ys[i]
    else:
        for i in range(many):
            total = xs[i] + ys[i]
            here[i] = total - modulus if total >= modulus else total


@njit
def gather_more(
    values: Numbers,
    limbs: int,
    stride: int,
    to: int,
    source: int,
    table: Indices,
    modulus: Any,
) -> None:
    """Add to a block the entries of another that a table names."""
    for i in range(len(table)):
        if table[i] < 0:
            continue
        carry = np.uint64(0)
        for limb in range(limbs):
            at = limb * stride + to + i
            x, y = values[at], values[limb * stride + source + table[i]]
            part = x + carry
            carry = np.uint64(part < x)
            part += y
            carry += np.uint64(part < y)
            if limbs == 1 and modulus and part >= modulus:
                part -= modulus
            values[at] = part
