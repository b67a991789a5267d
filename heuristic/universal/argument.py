"""Arguments: why the universal rules refute a position, step by step.

The kernels only say that a position is refuted. Here the same rules are applied again,
slowly, on one position, and every decision keeps what it stands on, so that only the
steps that the conflict needs are told. A step is a `Reason` of one of these kinds;
edges out are never listed, a cell that has its edges drops the others by itself:

=============  =====================================================================
``forced``     the cell ``cells[0]`` has no more possible edges than it needs: all
               of them, ``edges``, are in
``no-loop``    the edge ``edges[0]`` would close a loop, or end the walk too early:
               it is out
``tight``      the border of ``area`` offers just what its imbalance wants: all its
               possible edges at cells of one colour are in, at the other out
``probe``      with the edge ``edges[0]`` in (``facts``: assumed 1) or out (assumed
               0), ``steps`` end in a conflict: it is out, or in
=============  =====================================================================

and the last one is a conflict:

=============  =====================================================================
``starved``    the cell ``cells[0]`` has fewer possible edges than it needs
``crowded``    the cell ``cells[0]`` has more edges in than it may have
``loop``       the edges in, ``edges``, close a loop or join start and end too early
``cut-off``    no possible edge joins ``area`` and the other cells, but at
               ``cells``, at most one; if one, live end and end cell lie elsewhere
``block``      ``area`` can be reached from the two ``cells`` alone, and its
               imbalance (``facts``: black, white) is not what a way between them has
``overdrawn``  the border of ``area`` cannot carry its imbalance (``facts``)
=============  =====================================================================

Counting edges by colour over an area, edges inside cancel: what its black cells need
less what its white cells need equals crossing edges at black cells less crossing edges
at white cells. Two times black minus white, but for start and end cell, which need one
edge each, not two.
"""

from itertools import pairwise

from heuristic.rule import Reason
from heuristic.universal.balance import weigh
from heuristic.universal.blocks import cross_blocks
from heuristic.universal.fragments import close_no_loop
from heuristic.universal.grounds import Conflict, Edge, Grounds
from solver.board import Cell, Position
from solver.propagation.probe import REACH
from solver.propagation.propagate import Rules


def find_reason(position: Position, rules: Rules) -> Reason | None:
    """Return the conflict of a position, with the steps that lead to it, or None.

    From milliseconds to a second on 21 x 21, the more probing is needed.
    """
    grounds = Grounds(position, rules)
    if grounds.board.open_cells == 1:
        return None
    try:
        walk = grounds.walk
        for a, b in pairwise(walk):
            grounds.put([((min(a, b), max(a, b)), True)], ())
        _close(grounds)
        if grounds.rules & Rules.PROBING:
            _probe_along_walk(grounds)
    except Conflict as conflict:
        return grounds.tell(conflict)
    return None


def _close(grounds: Grounds) -> None:
    """Apply rules 1 to 4 until nothing changes."""
    while True:
        _forced(grounds)
        if grounds.rules & Rules.FRAGMENTS and close_no_loop(grounds):
            continue
        if grounds.rules & Rules.BLOCK_CHAIN:
            cross_blocks(grounds)
        if grounds.rules & Rules.TWO_FACTOR and weigh(grounds):
            continue
        return


def _forced(grounds: Grounds) -> None:
    dirty, value = grounds.dirty, grounds.value
    if not grounds.rules & Rules.FORCED_EDGES:
        dirty.clear()
    while dirty:
        cell = dirty.popleft()
        unknown = [e for e in grounds.edges(cell) if e not in value]
        need = grounds.degree[cell] - len(grounds.taken(cell))
        if need > len(unknown):
            has, wants = len(unknown) + len(grounds.taken(cell)), grounds.degree[cell]
            raise Conflict(
                Reason(
                    f"{grounds.at(cell)} needs {wants} edges and can have {has}",
                    cells=(cell,),
                    kind="starved",
                ),
                grounds.dropped(cell),
            )
        if unknown and need == len(unknown):
            step = Reason(
                f"{grounds.at(cell)} needs all edges that are left to it",
                cells=(cell,),
                edges=tuple(unknown),
                kind="forced",
            )
            grounds.put([(e, True) for e in unknown], grounds.dropped(cell), step)


def _probe_along_walk(grounds: Grounds) -> None:
    """Probe at the live end; then where the walk was, as it did on the way."""
    for cell in reversed(grounds.walk):
        while _probe(grounds, cell):
            pass


def _probe(grounds: Grounds, here: Cell) -> bool:
    """Decide one edge near a cell by trying it; True if there was one."""
    cols = grounds.board.cols
    row, col = divmod(here, cols)
    for cell in range(grounds.board.cells):
        if abs(cell // cols - row) + abs(cell % cols - col) > REACH:
            continue
        for e in grounds.edges(cell):
            if e in grounds.value:
                continue
            for value in (True, False):
                if _try(grounds, e, value):
                    _close(grounds)
                    return True
    return False


def _try(grounds: Grounds, e: Edge, value: bool) -> bool:
    trial = grounds.assume()
    try:
        trial.put([(e, value)], ())
        _close(trial)
    except Conflict as conflict:
        told, deps = trial.needed(conflict)
        word = "in" if value else "out"
        step = Reason(
            f"with the edge {grounds.at(e[0])} to {grounds.at(e[1])} {word}: "
            f"{conflict.reason.sentence}",
            edges=(e,),
            kind="probe",
            facts=(("assumed", int(value)),),
            steps=told,
        )
        grounds.put([(e, not value)], deps - {e}, step)
        return True
    return False
