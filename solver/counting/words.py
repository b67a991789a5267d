"""Words: how the edges that cross a frontier are joined behind it.

Cells are added one by one. The edges that lead from added cells to others cross the
*frontier*; read from left to right each has a *letter*: 1 and 2 for the first and the
second of two edges that are joined behind, which nest like brackets, as paths in the
plane do not cross; 3 for an edge that is joined to the live end or the end cell, a
*tie*. Places without an edge have no letter.

A *family* holds all words with a given number of ties, sorted by length, words of one
length in increasing order of their codes (two bits a letter, the first lowest). If each
tie begins at the border of the board, no pair of brackets can enclose it, and the
family leaves such words out. What a step does to a word is then one look into a table
of indices.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from solver.jit import njit

Ints: TypeAlias = npt.NDArray[np.int64]
Indices: TypeAlias = npt.NDArray[np.int32]
Word: TypeAlias = Any  # int64; an int in Python


def word_count(length: int, ties: int, enclosed: bool) -> int:
    """Return the number of words; ties may stand inside of pairs if `enclosed`.

    >>> word_count(5, 1, True), word_count(5, 1, False)
    (10, 5)
    """
    if length < ties or (length - ties) % 2:
        return 0
    pairs = (length - ties) // 2
    if enclosed:
        return comb(length, ties) * comb(2 * pairs, pairs) // (pairs + 1)
    # ties + 1 nested words in a row: the ballot numbers
    return comb(length, pairs) * (ties + 1) // (length - pairs + 1)


@njit
def partner(code: Word, place: int) -> int:
    """Return the place of the letter that is paired with the one at a place."""
    way = 1 if code >> 2 * place & 3 == 1 else -1
    depth = 0
    while True:
        letter = code >> 2 * place & 3
        if letter == 1:
            depth += 1
        elif letter == 2:
            depth -= 1
        if depth == 0:
            return place
        place += way


@njit
def with_letter(code: Word, place: int, letter: int) -> Word:
    """Return a word with another letter at a place."""
    return code & ~(np.int64(3) << 2 * place) | np.int64(letter) << 2 * place


@njit
def without(code: Word, place: int, many: int) -> Word:
    """Return a word without `many` letters from a place on."""
    low = code & ((np.int64(1) << 2 * place) - 1)
    return low | code >> 2 * (place + many) << 2 * place


@njit
def with_room(code: Word, place: int, many: int) -> Word:
    """Return a word with room for `many` letters at a place."""
    low = code & ((np.int64(1) << 2 * place) - 1)
    return low | code >> 2 * place << 2 * (place + many)


@njit
def joined(code: Word, place: int) -> Word:
    """Return a word after the edges at a place and the next meet, -1 for no word."""
    a = code >> 2 * place & 3
    b = code >> 2 * (place + 1) & 3
    if a == 1 and b == 2:  # a pair: it would be a loop
        return np.int64(-1)
    if a == 3 and b == 3:  # the whole path, too early
        return np.int64(-1)
    if a == 3:
        code = with_letter(code, partner(code, place + 1), 3)
    elif b == 3:
        code = with_letter(code, partner(code, place), 3)
    elif a == 1 and b == 1:  # the inner partner becomes a first
        code = with_letter(code, partner(code, place + 1), 1)
    elif a == 2 and b == 2:
        code = with_letter(code, partner(code, place), 2)
    return without(code, place, 2)


JOIN, INSERT, TIE_IN, TIE_ON = 0, 1, 2, 3


@njit
def _becomes(kind: int, code: Word, place: int, length: int) -> Word:
    """Return what a step makes of a word at a place, -1 for no word."""
    if kind == INSERT:
        return with_room(code, place, 2) | np.int64(9) << 2 * place
    if kind == TIE_IN:
        return with_room(code, place, 1) | np.int64(3) << 2 * place
    if kind == JOIN:
        return joined(code, place) if place + 1 < length else np.int64(-1)
    if code >> 2 * place & 3 == 3:
        return np.int64(-1)
    return without(with_letter(code, partner(code, place), 3), place, 1)


@njit
def _fill(kind: int, codes: Ints, length: int, targets: Ints, entries: Indices) -> None:
    """Kernel: fill the table of a kind, for words of one length.

    `targets` are the words of the length that the step makes, sorted.
    """
    words = len(codes)
    for at in range(len(entries)):
        code = _becomes(kind, codes[at % words], at // words, length)
        low, high = 0, len(targets)
        while low < high:
            middle = (low + high) >> 1
            if targets[middle] < code:
                low = middle + 1
            else:
                high = middle
        fits = low < len(targets) and targets[low] == code
        entries[at] = low if fits else -1


def list_words(ties: int, enclosed: bool, longest: int) -> list[Ints]:
    """Return the codes of a family, an array for each length up to `longest`."""
    # By what the letters so far leave: open firsts, and ties.
    parts = {(0, 0): np.zeros(1, dtype=np.int64)}
    words = []
    for length in range(longest + 1):
        words.append(parts.get((0, ties), np.zeros(0, dtype=np.int64)))
        longer: dict[tuple[int, int], list[Ints]] = {}
        for letter in (1, 2, 3):  # the last letter decides the order
            for (firsts, tied), codes in parts.items():
                after = firsts + (1, -1, 0)[letter - 1], tied + (letter == 3)
                fits = 0 <= after[0] <= longest and after[1] <= ties
                if fits and (letter != 3 or enclosed or not firsts):
                    longer.setdefault(after, []).append(codes | letter << 2 * length)
        parts = {after: np.concatenate(codes) for after, codes in longer.items()}
    return words


@dataclass(frozen=True, slots=True)
class Tables:
    """What steps make of the words of up to three families.

    The entry of a word stands at ``at[kind, ties, length] + place * words + word``: the
    index of the word that it becomes, -1 for none.

    - `entries`, (entries,) int32: all tables, one after the other.
    - `at`, (4, 3, longest + 1) int64: where the table of a kind begins, for a family
      and a length.
    """

    entries: Indices
    at: Ints


@lru_cache(maxsize=16)
def make_tables(enclosed: tuple[bool, ...], longest: tuple[int, ...]) -> Tables:
    """Return the tables of the families of 0, 1 and 2 ties.

    ``JOIN``: the edges at a place and the next meet in a cell. ``INSERT``: a pair of
    new edges at a place. ``TIE_IN``: a new tie at a place. ``TIE_ON``: the edge at a
    place ends in the live end or the end cell, so its partner becomes a tie.

    - `enclosed`: whether pairs may enclose the ties.
    - `longest`: the longest words, -1 for a family that does not occur.
    """
    families = [list_words(t, enclosed[t], longest[t]) for t in range(3)]
    at = np.zeros((4, 3, max(longest) + 1), dtype=np.int64)
    parts = []
    begin = 0
    for ties, words in enumerate(families):
        kinds = (JOIN, INSERT, TIE_IN, TIE_ON) if ties < 2 else (JOIN, INSERT)
        for kind in kinds:
            into = families[ties + (kind in (TIE_IN, TIE_ON))]
            for length, codes in enumerate(words):
                new = length + (-2, 2, 1, -1)[kind]
                targets = into[new] if 0 <= new < len(into) else np.zeros(0, np.int64)
                places = length + (kind in (INSERT, TIE_IN))
                part = np.empty(places * len(codes), dtype=np.int32)
                _fill(kind, codes, length, targets, part)
                at[kind, ties, length] = begin
                parts.append(part)
                begin += len(part)
    return Tables(np.concatenate(parts), at)
