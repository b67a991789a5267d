"""Local probing: what leads to a conflict near the live end is the other way round.

An edge within distance `REACH` of the live end is put in, then out, and the other rules
are applied; a conflict decides it. Most trials can be spared: where a tour is known
that continues the walk, no sound rule can refute what the tour does. So tours that turn
up (see `solver.propagation.join`) are kept, and a trial is made only of what none of
them does. That changes nothing in the outcome, only the time, about thirtyfold.
"""

import numpy as np

from solver.jit import njit
from solver.propagation.edges import (
    cut_trail,
    decide,
    edge_between,
)
from solver.propagation.fixpoint import close
from solver.propagation.join import join
from solver.propagation.state import (
    AT,
    CELLS,
    COLS,
    EDGE,
    FLOW,
    FRAGMENTS,
    IN,
    NEXT_TOUR,
    OUT,
    PROBING,
    RULES,
    STATE,
    STEPS,
    TOURS,
    TRAIL,
    UNKNOWN,
    VAIN,
    Number,
    State,
)

REACH = 3  # rows plus columns from the live end
MOST_VAIN = 3  # joins in vain in one probe, before no more are tried


@njit
def follow(s: State, v: Number) -> None:
    """Kernel: note which known tours make the step to v; before the step."""
    steps = s.info[STEPS]
    e = edge_between(s, np.int64(s.step[steps - 1, AT]), np.int64(v))
    for k in range(TOURS):
        if s.agree[k] == steps and s.tours[k, e] == 1:
            s.agree[k] = steps + 1


@njit
def unfollow(s: State) -> None:
    """Kernel: the same after a step was taken back."""
    for k in range(TOURS):
        s.agree[k] = min(s.agree[k], s.info[STEPS])


@njit
def keep_tour(s: State) -> None:
    """Kernel: keep the choice, a tour, in place of one that the walk has left."""
    k = s.info[NEXT_TOUR]
    for _ in range(TOURS):
        k = (k + 1) % TOURS
        if s.agree[k] != s.info[STEPS]:
            break
    s.info[NEXT_TOUR] = k
    for e in range(2 * s.info[CELLS]):  # a slice would compile seconds longer
        s.tours[k, e] = s.match[e]
    s.agree[k] = s.info[STEPS]


@njit
def known(s: State, e: int) -> int:
    """Kernel: what known tours do with the edge; bit 0: not, bit 1: use it."""
    bits = 0
    for k in range(TOURS):
        if s.agree[k] == s.info[STEPS]:
            bits |= 1 << s.tours[k, e]
            if bits == 3:
                break
    return bits


@njit
def stands(s: State, e: Number, value: Number, tours: bool) -> bool:
    """Kernel: try the edge in or out; True if the rules find no conflict."""
    before = s.info[TRAIL]
    good = decide(s, e, value, np.int64(PROBING)) and close(s)
    if good and tours and s.info[VAIN] < MOST_VAIN:
        if join(s):
            keep_tour(s)
        else:
            s.info[VAIN] += 1  # the next would mostly fail at the same cycles
    cut_trail(s, before)
    return good


@njit
def probe(s: State) -> bool:
    """Kernel: rule 5 at the live end, to the fixed point; False is a conflict."""
    info = s.info
    cols = info[COLS]
    rows = info[CELLS] // cols
    here = s.step[info[STEPS] - 1, AT]
    row, col = here // cols, here % cols
    tours = info[RULES] & (FRAGMENTS | FLOW) == FRAGMENTS | FLOW
    info[VAIN] = 0
    again = True
    while again:
        again = False
        for r in range(max(0, row - REACH), min(rows, row + REACH + 1)):
            width = REACH - abs(r - row)
            for c in range(max(0, col - width), min(cols, col + width + 1)):
                for d in range(4):
                    e = np.int64(s.cell[r * cols + c, EDGE + d])
                    if s.edge[e, STATE] != UNKNOWN:
                        continue
                    for value in (IN, OUT):
                        if known(s, int(e)) & (2 if value == IN else 1):
                            continue
                        if not stands(s, e, np.int64(value), tours):
                            again = True
                            other = np.int64(IN + OUT - value)
                            if not decide(s, e, other, np.int64(PROBING)):
                                return False
                            if not close(s):
                                return False
                            break
    return True
