"""Trim a DRAT proof: keep the clauses and lemmas that the refutation needs.

The proof is walked backwards from the empty clause. A lemma that is needed is checked
by unit propagation against what stood before it, and what that conflict used is needed
too; what nothing needs is left out. Propagation tries clauses that are needed already
first, so few new ones join them. Literals of a lemma that took no part in its conflict
are dropped. What a conflict used is written beside the lemma, in the order of the
propagation, so whoever replays the proof need not search.

Method: Heule, Hunt and Wetzler, Trimming while checking clausal proofs, FMCAD 2013.
What is written beside a lemma: Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp,
Efficient certified RAT verification, CADE 2017. Nothing here is believed: what is left
is a formula and a proof of its own, and whoever doubts it replays that.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from solver.jit import plain

Clause: TypeAlias = tuple[int, ...]
Step: TypeAlias = tuple[Clause, Clause]  # a lemma, and the clauses it follows from

Ints: TypeAlias = npt.NDArray[np.int32]

_KERNELS = "verify.proof.trim_kernels"
_NONE = -1
# Literals and bytes of a proof that Python trims before numba is there: about the time
# of loading numba. Kernels are some 250 times as fast, so longer proofs need them.
_SHORT = 8_000
_USED = 16  # clauses that a lemma follows from, to begin with


@dataclass(frozen=True, slots=True)
class Trimmed:
    """What is left of a proof.

    - `kept`: the clauses of the formula that are needed, by their index, ascending.
    - `lemmas`: how many more are.
    """

    kept: list[int]
    lemmas: int
    _lits: Ints
    _spans: Ints
    _order: Ints
    _last: Ints
    _used: Ints
    _ends: Ints

    @property
    def size(self) -> int:
        """Clauses and lemmas."""
        return len(self.kept) + self.lemmas

    def steps(self, number: Mapping[int, int] | None = None) -> list[Step]:
        """Return the lemmas, each with the clauses it follows from.

        Those are named by their number from 1, kept clauses before lemmas, and stand in
        the order in which each is left with one literal, the last with none. The empty
        clause comes last. `number` gives variables another number.
        """
        table = np.arange(int(self._lits.max(initial=0)) // 2 + 2)
        for old, new in (number or {}).items():
            table[old] = new
        signed = table[self._lits // 2 + 1] * (1 - 2 * (self._lits % 2))
        called = {clause: i for i, clause in enumerate(self.kept, 1)}
        # of the steps with clauses used, the last first: where those begin
        steps = np.flatnonzero(self._ends)[::-1]
        begins = dict(
            zip(steps.tolist(), [0, *self._ends[steps][:-1].tolist()], strict=True)
        )
        found: list[Step] = []
        for step, one in enumerate([*self._order.tolist(), _NONE]):
            last = step == len(self._order)
            if not last and (one < 0 or self._last[one] < 0):
                continue
            used = self._used[begins[step] : self._ends[step]][::-1]
            start, length = (0, 0) if last else self._spans[one]
            lemma = tuple(signed[start : start + length].tolist())
            found.append((lemma, tuple(called[x] for x in used.tolist())))
            if not last:
                called[one] = len(called) + 1
        return found


def trim(clauses: Sequence[Clause], proof: bytes) -> Trimmed:
    """Trim a proof in binary DRAT, all of whose lemmas follow by unit propagation.

    - `clauses`, sequence of tuples of int: the formula, in DIMACS literals; none of
      them empty.
    - `proof`: binary DRAT, as CaDiCaL writes it.

    Raises `ValueError` if the bytes are no such proof, or it does not refute the
    formula.

    About the time that finding the proof took.
    """
    room = _USED * (len(clauses) + proof.count(b"\0"))
    while True:
        found = _trimmed(clauses, proof, room)
        if found is not None:
            return found
        room *= 2


def _trimmed(clauses: Sequence[Clause], proof: bytes, room: int) -> Trimmed | None:
    """Trim a proof; None if there is no room for what its lemmas use."""
    data = np.frombuffer(proof, np.uint8)
    most = int((data == 0).sum()) + 1
    lengths = list(map(len, clauses))
    given, size = len(clauses), sum(lengths)
    lits = np.zeros(size + data.size, np.int32)
    flat = np.fromiter(chain.from_iterable(clauses), np.int32, size)
    lits[:size] = 2 * np.abs(flat) - 2 + (flat < 0)
    spans = np.zeros((given + most, 2), np.int32)
    spans[:given, 1] = lengths
    spans[:given, 0] = np.cumsum(spans[:given, 1]) - spans[:given, 1]
    steps = np.empty(most, np.int32)
    bits = max(4, (2 * spans.shape[0]).bit_length())
    short = size + data.size < _SHORT and "numba" not in sys.modules
    kernels = (plain if short else import_module)(_KERNELS)
    with np.errstate(over="ignore"):  # hashes wrap around, as they do in a kernel
        count = kernels.read(
            *(data, given, lits, spans, steps, np.full(1 << bits, _NONE, np.int32)),
            *(np.full(len(spans), _NONE, np.int32), np.zeros(len(spans), np.uint64)),
        )
    if count < 0:
        raise ValueError("the bytes are no binary proof")
    marked = kernels.new_clauses(lits, spans, most, room)
    done, last = kernels.mark(marked, given, steps, count), marked.last
    if done == kernels.FULL:
        return None
    if done < 0:
        raise ValueError("the proof does not refute the formula")
    needed = np.flatnonzero(last >= 0)
    kept = needed[needed < given].tolist()
    lemmas = len(needed) - len(kept)
    used = marked.used, marked.ends
    return Trimmed(kept, lemmas, lits, spans, steps[:done].copy(), last, *used)
