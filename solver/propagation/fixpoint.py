"""Rules 1 to 4 together, to their fixed point."""

from solver.jit import njit
from solver.propagation.blocks import chain, two_connected
from solver.propagation.components import check
from solver.propagation.edges import (
    settle,
)
from solver.propagation.faces import open_edges
from solver.propagation.flow import repair
from solver.propagation.state import (
    BLOCKS,
    CELLS,
    CLOCK,
    FLOW,
    FOUND,
    FRAGMENTS,
    HEAD,
    HEAD_BLOCKS,
    HEAD_CHECK,
    LAST_STAMP,
    MARK,
    MARK_BACK,
    PLANE,
    RULES,
    STAMP,
    TRAIL,
    State,
)


@njit
def renew_stamps(s: State) -> None:
    """Kernel: start all marks anew, before their numbers grow out of 32 bits."""
    s.info[STAMP] = 0
    s.info[CLOCK] = 0
    for c in range(s.info[CELLS]):
        s.cell[c, MARK] = 0
        s.cell[c, MARK_BACK] = 0
        s.cell[c, FOUND] = 0


@njit
def close(s: State) -> bool:
    """Kernel: rules 1 to 4, those switched on, to the fixed point; False: conflict."""
    info = s.info
    rules = info[RULES]
    if info[STAMP] > LAST_STAMP or info[CLOCK] > LAST_STAMP:
        renew_stamps(s)
    whole = rules & (FRAGMENTS | FLOW) == FRAGMENTS | FLOW
    while True:
        if not settle(s):
            return False
        if rules & FLOW:
            if not repair(s) or not check(s):
                return False
            if info[HEAD] < info[TRAIL] or info[HEAD_CHECK] < info[TRAIL]:
                continue
        if info[PLANE] == 1:
            return open_edges(s)
        if rules & BLOCKS and info[HEAD_BLOCKS] < info[TRAIL]:
            info[HEAD_BLOCKS] = info[TRAIL]
            if whole and not two_connected(s):
                return False
            if not whole and not chain(s):
                return False
        return True
