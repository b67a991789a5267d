"""Rules 1 to 4 together, to their fixed point."""

from solver.blocks import chain, two_connected
from solver.edges import (
    BLOCKS,
    FLOW,
    FRAGMENTS,
    HEAD,
    HEAD_BLOCKS,
    HEAD_CHECK,
    PLANE,
    RULES,
    TRAIL,
    State,
    settle,
)
from solver.faces import open_edges
from solver.flow import check, repair
from solver.jit import njit


@njit
def close(s: State) -> bool:
    """Kernel: rules 1 to 4, those switched on, to the fixed point; False: conflict."""
    info = s.info
    rules = info[RULES]
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
