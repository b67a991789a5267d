"""What the kernels of `verify.proof.trim` work on; `njit` freezes the names here.

Literals are ``2 * variable + sign``, variables from 0. A clause is a row ``start,
length`` of `spans` over `lits`, its first two literals are watched; a watch is a
*slot*, ``2 * clause + 0 or 1``, in a doubly linked list for each literal. `last` holds
the step behind which a clause is not needed any more, `NONE` while nothing needs it.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int32]
Bytes: TypeAlias = npt.NDArray[np.uint8]

NONE = -1
ASSUMED = -2  # reason of a literal that a check assumes
SKIP = -(2**31)  # a step that does nothing
TRUE, OPEN, FALSE = 1, 0, -1
START, LENGTH = 0, 1  # columns of `spans`
AFTER, BEFORE = 0, 1  # columns of `links`
REASON, PLACE = 0, 1  # columns of `why`
FULL = -2  # more was used than there is room for


class Clauses(NamedTuple):
    """The clauses and lemmas, what is assigned, and what is needed; arrays.

    Attributes
    ----------
    lits : int32
        The literals of all clauses; those of a clause stand together.
    spans : (clauses, 2) int32
        Where each begins in `lits`, and how many they are.
    head : (literals,) int32
        The first slot that watches each literal.
    links : (slots, 2) int32
        The slots after and before each.
    value : (literals,) int8
        TRUE, FALSE or OPEN.
    why : (variables, 2) int32
        The clause that made each variable true, and its place on the trail.
    trail : (variables,) int32
        The true literals in the order in which they became so.
    last : (clauses,) int32
        The step behind which a clause is not needed any more.
    seen, active : (variables,), (clauses,) uint8
        Variables that a conflict used; clauses that are not deleted.
    units : (clauses,) int32
        The clauses of one literal.
    used : int32
        For each needed lemma, the last one first, the clauses that it follows from,
        backwards; before all those of the conflict.
    ends : (steps + 1,) int32
        Where those of each step end in `used`.
    sizes : (3,) int32
        How many entries of `trail`, of `units` and of `used` are taken.
    """

    lits: Ints
    spans: Ints
    head: Ints
    links: Ints
    value: Ints
    why: Ints
    trail: Ints
    last: Ints
    seen: Bytes
    active: Bytes
    units: Ints
    used: Ints
    ends: Ints
    sizes: Ints


TRAIL, UNITS, USED = 0, 1, 2  # entries of `Clauses.sizes`


def new_clauses(lits: Ints, spans: Ints, steps: int, room: int) -> Clauses:
    """Return clauses of which none is watched yet and nothing is assigned.

    `room` is how many clauses `used` can tell, beside those of one more lemma.
    """
    variables = int(lits.max(initial=0)) // 2 + 1
    return Clauses(
        lits,
        spans,
        head=np.full(2 * variables, NONE, np.int32),
        links=np.full((2 * len(spans), 2), NONE, np.int32),
        value=np.zeros(2 * variables, np.int8),
        why=np.full((variables, 2), NONE, np.int32),
        trail=np.empty(variables, np.int32),
        last=np.full(len(spans), NONE, np.int32),
        seen=np.zeros(variables, np.uint8),
        active=np.zeros(len(spans), np.uint8),
        units=np.empty(len(spans), np.int32),
        used=np.empty(room + variables, np.int32),
        ends=np.zeros(steps + 1, np.int32),
        sizes=np.zeros(3, np.int32),
    )
