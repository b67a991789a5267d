"""Trim a DRAT proof: keep the clauses and lemmas that the refutation needs.

The proof is walked backwards from the empty clause. A lemma that is needed is checked
by unit propagation against what stood before it, and what that conflict used is needed
too; what nothing needs is left out. Propagation tries clauses that are needed already
first, so few new ones join them. Literals of a lemma that took no part in its conflict
are dropped; in a long proof every clause is deleted behind its last use, so whoever
replays it has little to look at.

Method: Heule, Hunt and Wetzler, Trimming while checking clausal proofs, FMCAD 2013.
Nothing here is believed: what is left is a formula and a proof of its own, and whoever
doubts it replays that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from verify.trim_kernels import NONE, Ints, mark, read

Clause: TypeAlias = tuple[int, ...]

_SHORT = 1000  # clauses and lemmas: deleting any takes longer than it saves


@dataclass(frozen=True, slots=True)
class Trimmed:
    """What is left of a proof.

    Attributes
    ----------
    kept : list of int
        The clauses of the formula that are needed, by their index, ascending.
    lines : list of str
        Lemmas, and deletions (``d ...``) if there are many, in the formula's DIMACS
        literals; the empty clause last.
    """

    kept: list[int]
    lines: list[str]


def trim(clauses: Sequence[Clause], proof: bytes) -> Trimmed:
    """Trim a proof in binary DRAT, all of whose lemmas follow by unit propagation.

    Parameters
    ----------
    clauses : sequence of tuples of int
        The formula, in DIMACS literals; none of them empty.
    proof : bytes
        Binary DRAT, as CaDiCaL writes it.

    Raises
    ------
    ValueError
        If the bytes are no such proof, or it does not refute the formula.

    Notes
    -----
    About the time that finding the proof took.
    """
    data = np.frombuffer(proof, np.uint8)
    ends = int((data == 0).sum()) + 1
    given, size = len(clauses), sum(map(len, clauses))
    lits = np.zeros(size + data.size, np.int32)
    flat = np.fromiter((x for clause in clauses for x in clause), np.int32, size)
    lits[:size] = 2 * np.abs(flat) - 2 + (flat < 0)
    spans = np.zeros((given + ends, 2), np.int32)
    spans[:given, 1] = [len(clause) for clause in clauses]
    spans[:given, 0] = np.cumsum(spans[:given, 1]) - spans[:given, 1]
    steps = np.empty(ends, np.int32)
    bits = max(4, (2 * spans.shape[0]).bit_length())
    count = read(
        *(data, given, lits, spans, steps, np.full(1 << bits, NONE, np.int32)),
        *(np.full(len(spans), NONE, np.int32), np.zeros(len(spans), np.uint64)),
    )
    if count < 0:
        raise ValueError("the bytes are no binary proof")
    variables = int(lits.max(initial=0)) // 2 + 1
    last = np.full(len(spans), NONE, np.int32)
    done = mark(
        *(lits, spans, given, steps, count, last),
        np.full(2 * variables, NONE, np.int32),
        np.full((2 * len(spans), 2), NONE, np.int32),
        np.zeros(2 * variables, np.int8),
        np.full((variables, 2), NONE, np.int32),
        np.zeros(variables, np.uint8),
        np.empty(variables, np.int32),
        np.zeros(len(spans), np.uint8),
        np.empty(len(spans), np.int32),
        np.zeros(2, np.int64),
    )
    if done < 0:
        raise ValueError("the proof does not refute the formula")
    return _told(lits, spans, given, steps[:done], last)


def _told(lits: Ints, spans: Ints, given: int, steps: Ints, last: Ints) -> Trimmed:
    """Write lemmas and deletions in the order of the proof."""

    def text(number: int) -> str:
        start, length = spans[number]
        row = lits[start : start + length].tolist()
        return " ".join(str(-(x // 2 + 1) if x % 2 else x // 2 + 1) for x in row)

    needed = np.flatnonzero(last >= 0)
    behind: dict[int, list[int]] = {}
    for number in needed.tolist():
        behind.setdefault(int(last[number]), []).append(number)
    lines = []
    long = len(needed) > _SHORT
    for step, number in enumerate(steps.tolist()):
        if number >= 0 and last[number] >= 0:
            lines.append(f"{text(number)} 0")
            if long:
                lines += [f"d {text(old)} 0" for old in behind.get(step, ())]
    return Trimmed(needed[needed < given].tolist(), [*lines, "0"])
