"""All semi-magic tours of the 8 x 8 board below a prefix: a depth-first kernel.

`descent` says what makes a step impossible.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.errors import BoardError
from solver.jit import njit
from solver.puzzles.knight.descent import (
    CELLS,
    LEVEL,
    STEPS,
    STOP,
    Descent,
    Words,
    first_bit,
    lay_down,
    open_level,
    take_back,
    take_step,
)
from solver.puzzles.knight.search import check_walk
from solver.puzzles.knight.starts import STARTS, StartClass, start_class
from solver.puzzles.knight.tour import Tour, neighbours

_W = np.uint64
_0, _1 = _W(0), _W(1)


@njit
def _search(d: Descent, out: npt.NDArray[np.uint8], taken: Words) -> np.uint64:
    """Search below what is laid down; write what is found, return how many.

    `taken` counts the steps taken by level, and those tried in entry 0.
    """
    begin = d.span[LEVEL]
    stop = d.span[STOP]
    t = begin
    found = _0
    tried = _0
    room = _W(out.shape[0])
    d.stack[t, STEPS] = open_level(d, t, d.path[t])
    while True:
        steps = d.stack[t, STEPS]
        if steps == _0:
            if t == begin:
                break
            cell = d.path[t]
        else:
            cell = first_bit(steps)
            d.stack[t, STEPS] = steps & (steps - _1)
            tried += _1
            if not take_step(d, t, cell):
                continue
            t += _1
            d.path[t] = cell
            taken[t] += _1
            if t != stop:
                d.stack[t, STEPS] = open_level(d, t, cell)
                continue
            if found < room:
                for k in range(_1, stop + _1):
                    out[found, k - _1] = d.path[k]
            found += _1
        take_back(d, t, cell)
        t -= _1
    taken[0] += tried
    return found


def search_on(
    descent: Descent, stop: int = CELLS, room: int = 0
) -> tuple[npt.NDArray[np.uint8], Words, int]:
    """Search below what is laid down; return the walks that fit, work, and how many.

    The walks are (min(room, found), stop) uint8, the work is (65,) uint64: the steps
    taken by level; entry 0 counts those tried.
    """
    descent.span[STOP] = stop
    out = np.zeros((room, CELLS), dtype=np.uint8)
    taken = np.zeros(CELLS + 1, dtype=np.uint64)
    found = int(_search(descent, out, taken))
    return out[:found, :stop], taken, found


@dataclass(frozen=True, slots=True)
class Below:
    """What lies below a prefix: the tours (or prefixes) found, and the work done.

    `taken` counts the steps taken, by the level they lead to.
    """

    tours: tuple[Tour, ...]
    tried: int
    taken: tuple[int, ...]


def check_prefix(prefix: Tour) -> StartClass:
    """Return the start class of a prefix that the enumeration visits.

    Raises
    ------
    BoardError
        If the cells are no walk of a knight from one of the ten starts, or its second
        cell is the mirror image of one that is visited.
    """
    names = {start_class(name).cell: start_class(name) for name in STARTS}
    if not prefix or prefix[0] not in names:
        raise BoardError(f"a prefix begins at one of {', '.join(STARTS)}")
    check_walk(8, 8, prefix, CELLS)
    start = names[prefix[0]]
    if len(prefix) > 1 and prefix[1] not in start.second:
        raise BoardError("the second cell is the mirror image of one that is visited")
    return start


def below(prefix: Tour, *, stop: int = CELLS, room: int = 4096) -> Below:
    """Search everything below a prefix, down to tours or to prefixes of `stop` cells.

    The walks come in the order of their cells. Of a prefix that cannot be continued
    nothing is found.

    Raises
    ------
    BoardError
        If the prefix is not one that `check_prefix` takes, or more than `room` walks
        are found.
    """
    start = check_prefix(prefix)
    if not len(prefix) < stop <= CELLS:
        raise BoardError(f"cannot search from {len(prefix)} cells to {stop}")
    if len(prefix) > 1:
        return _below(start, prefix, stop, room)
    firsts = [(*prefix, second) for second in start.second]
    if stop == 2:
        return Below(tuple(firsts), 0, (0,) * (CELLS + 1))
    # the mirror images of first moves are left out
    parts = [below(first, stop=stop, room=room) for first in firsts]
    return Below(
        tuple(tour for part in parts for tour in part.tours),
        sum(part.tried for part in parts),
        tuple(map(sum, zip(*(part.taken for part in parts), strict=True))),
    )


def _below(start: StartClass, prefix: Tour, stop: int, room: int) -> Below:
    descent = lay_down(start, prefix)
    if descent is None:
        return Below((), 0, (0,) * (CELLS + 1))
    walks, taken, found = search_on(descent, stop, room)
    if found > room:
        raise BoardError(f"{found} walks found, more than the {room} that fit")
    tours = tuple(tuple(map(int, walk)) for walk in walks)
    return Below(tours, int(taken[0]), (0, *map(int, taken[1:])))


def completions(walk: Tour) -> Below:
    """Search everything below any walk, wherever it begins and the tour may end.

    Raises
    ------
    BoardError
        If it is no knight's walk of at most 63 cells on 8 x 8.
    """
    check_walk(8, 8, walk, CELLS)
    if len(walk) == CELLS:
        raise BoardError("a walk to complete visits at most 63 cells")
    colour = sum(divmod(walk[0], 8)) % 2
    finish = sum(1 << c for c in range(CELLS) if sum(divmod(c, 8)) % 2 != colour)
    start = StartClass("any", walk[0], finish, neighbours(8, 8)[walk[0]])
    return _below(start, walk, CELLS, 4096)
