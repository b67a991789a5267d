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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import numpy as np

from verify.proof.trim_kernels import NONE, Ints, mark, read

Clause: TypeAlias = tuple[int, ...]

_SHORT = 1000  # clauses and lemmas: deleting any takes longer than it saves


@dataclass(frozen=True, slots=True)
class Trimmed:
    """What is left of a proof.

    Attributes
    ----------
    kept : list of int
        The clauses of the formula that are needed, by their index, ascending.
    lemmas : int
        How many more are.
    """

    kept: list[int]
    lemmas: int
    _lits: Ints
    _spans: Ints
    _steps: Ints
    _last: Ints

    @property
    def size(self) -> int:
        """Clauses and lemmas."""
        return len(self.kept) + self.lemmas

    def lines(self, number: Mapping[int, int] | None = None) -> list[str]:
        """Return lemmas, and deletions (``d ...``) if there are many, as DIMACS.

        The empty clause comes last. `number` gives variables another number.
        """
        table = np.arange(int(self._lits.max(initial=0)) // 2 + 2)
        for old, new in (number or {}).items():
            table[old] = new
        signed = table[self._lits // 2 + 1] * (1 - 2 * (self._lits % 2))

        def text(one: int) -> str:
            start, length = self._spans[one]
            return " ".join(map(str, [*signed[start : start + length].tolist(), 0]))

        behind: dict[int, list[int]] = {}
        if self.size > _SHORT:
            for one in np.flatnonzero(self._last >= 0).tolist():
                behind.setdefault(int(self._last[one]), []).append(one)
        found = []
        for step, one in enumerate(self._steps.tolist()):
            if one >= 0 and self._last[one] >= 0:
                found.append(text(one))
                found += [f"d {text(old)}" for old in behind.get(step, ())]
        return [*found, "0"]


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
    lengths = list(map(len, clauses))
    given, size = len(clauses), sum(lengths)
    lits = np.zeros(size + data.size, np.int32)
    flat = np.fromiter(chain.from_iterable(clauses), np.int32, size)
    lits[:size] = 2 * np.abs(flat) - 2 + (flat < 0)
    spans = np.zeros((given + ends, 2), np.int32)
    spans[:given, 1] = lengths
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
    needed = np.flatnonzero(last >= 0)
    kept = needed[needed < given].tolist()
    return Trimmed(
        kept, len(needed) - len(kept), lits, spans, steps[:done].copy(), last
    )
