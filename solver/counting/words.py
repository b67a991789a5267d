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
def _list_words(length: int, ties: int, enclosed: int, codes: Ints) -> int:
    """Fill `codes` with all words of a length in increasing order; return how many.

    Letters are chosen from the last place to the first, so seconds come before firsts.
    """
    found = 0
    place = length - 1
    letter = np.int64(0)  # the letter tried last at `place`
    code = np.int64(0)
    open_pairs = np.int64(0)
    ties_left = np.int64(ties)
    if length == 0:
        codes[0] = 0
        return 1
    while place < length:
        if letter == 1:  # take it back
            open_pairs += 1
        elif letter == 2:
            open_pairs -= 1
        elif letter == 3:
            ties_left += 1
        code &= ~(np.int64(3) << 2 * place)
        letter += 1
        if letter > 3:
            place += 1
            if place < length:
                letter = code >> 2 * place & 3
            continue
        if letter == 1:
            open_pairs -= 1
        elif letter == 2:
            open_pairs += 1
        else:
            ties_left -= 1
        code |= letter << 2 * place
        rest = place - open_pairs - ties_left
        if open_pairs < 0 or ties_left < 0 or rest < 0 or rest & 1:
            continue
        if letter == 3 and open_pairs and not enclosed:
            continue
        if place:
            place -= 1
            letter = np.int64(0)
            continue
        codes[found] = code
        found += 1
    return found


@njit
def _partner(code: Word, place: int) -> int:
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
def _with_letter(code: Word, place: int, letter: int) -> Word:
    return code & ~(np.int64(3) << 2 * place) | np.int64(letter) << 2 * place


@njit
def _without(code: Word, place: int, many: int) -> Word:
    """Return a word without `many` letters from a place on."""
    low = code & ((np.int64(1) << 2 * place) - 1)
    return low | code >> 2 * (place + many) << 2 * place


@njit
def _with_room(code: Word, place: int, many: int) -> Word:
    """Return a word with room for `many` letters at a place."""
    low = code & ((np.int64(1) << 2 * place) - 1)
    return low | code >> 2 * place << 2 * (place + many)


@njit
def _joined(code: Word, place: int) -> Word:
    """Return a word after the edges at a place and the next meet, -1 for no word."""
    a = code >> 2 * place & 3
    b = code >> 2 * (place + 1) & 3
    if a == 1 and b == 2:  # a pair: it would be a loop
        return np.int64(-1)
    if a == 3 and b == 3:  # the whole path, too early
        return np.int64(-1)
    if a == 3:
        code = _with_letter(code, _partner(code, place + 1), 3)
    elif b == 3:
        code = _with_letter(code, _partner(code, place), 3)
    elif a == 1 and b == 1:  # the inner partner becomes a first
        code = _with_letter(code, _partner(code, place + 1), 1)
    elif a == 2 and b == 2:
        code = _with_letter(code, _partner(code, place), 2)
    return _without(code, place, 2)


@njit
def _index(codes: Ints, begin: int, end: int, code: Word) -> Any:
    """Return the place of a code among sorted ones, from `begin`; -1 if missing."""
    low, high = begin, end
    while low < high:
        middle = (low + high) >> 1
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low - begin if low < end and codes[low] == code else np.int64(-1)


JOIN, INSERT, TIE_IN, TIE_ON = 0, 1, 2, 3


@njit
def _fill(
    kind: int,
    codes: Ints,
    at: Ints,
    targets: Ints,
    target_at: Ints,
    begins: Ints,
    entries: Indices,
) -> None:
    """Fill the table of one kind: for each length, place and word an index or -1."""
    longest = len(target_at) - 2
    for length in range(len(at) - 1):
        words = at[length + 1] - at[length]
        places = length + 1 if kind in (INSERT, TIE_IN) else length
        change = 2 if kind == INSERT else -2 if kind == JOIN else 1
        change = -1 if kind == TIE_ON else change
        new = length + change
        for place in range(places):
            begin = begins[length] + place * words
            for word in range(words):
                code = codes[at[length] + word]
                if kind == JOIN:
                    code = _joined(code, place) if place + 1 < length else np.int64(-1)
                elif kind == INSERT:
                    code = _with_room(code, place, 2) | np.int64(9) << 2 * place
                elif kind == TIE_IN:
                    code = _with_room(code, place, 1) | np.int64(3) << 2 * place
                elif code >> 2 * place & 3 == 3:
                    code = np.int64(-1)
                else:
                    code = _with_letter(code, _partner(code, place), 3)
                    code = _without(code, place, 1)
                found = np.int64(-1)
                if code >= 0 and 0 <= new <= longest:
                    found = _index(targets, target_at[new], target_at[new + 1], code)
                entries[begin + word] = found


@lru_cache(maxsize=64)
def family(ties: int, enclosed: bool, longest: int) -> tuple[Ints, Ints]:
    """Return all words with a number of ties, up to a length, and where each begins.

    The words (words,) stand by length, then by code; (longest + 2,) are the places of
    the first of each length. Shared between callers, read-only.
    """
    counts = [word_count(length, ties, enclosed) for length in range(longest + 1)]
    at = np.zeros(longest + 2, dtype=np.int64)
    np.cumsum(counts, out=at[1:])
    codes = np.empty(int(at[-1]), dtype=np.int64)
    for length, count in enumerate(counts):
        if count:
            part = codes[at[length] : at[length + 1]]
            found = _list_words(length, ties, int(enclosed), part)
            assert found == count, "the words are as many as their formula says"
    codes.setflags(write=False)
    at.setflags(write=False)
    return codes, at


@lru_cache(maxsize=128)
def table_at(kind: int, words: tuple[int, bool, int]) -> Ints:
    """Return where each length begins in a table, and last its whole size."""
    sizes = np.diff(family(*words)[1])
    places = np.arange(len(sizes))
    if kind in (INSERT, TIE_IN):
        places = places + 1
    at = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes * places, out=at[1:])
    return at


@lru_cache(maxsize=128)
def table(
    kind: int, words: tuple[int, bool, int], into: tuple[int, bool, int]
) -> Indices:
    """Return a table of one kind, from one family into another; -1 where no word is.

    ``JOIN``: the edges at a place and the next meet in a cell. ``INSERT``: a pair of
    new edges at a place. ``TIE_IN``: a new tie at a place. ``TIE_ON``: the edge at a
    place ends in the live end or the end cell, so its partner becomes a tie.

    The entry of a word stands at ``table_at(...)[length] + place * words + word``.
    """
    at = table_at(kind, words)
    result = np.empty(max(1, int(at[-1])), dtype=np.int32)
    _fill(kind, *family(*words), *family(*into), at, result)
    result.setflags(write=False)
    return result
