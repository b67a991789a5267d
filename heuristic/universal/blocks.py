"""The rule of the block chain, arguing: cells cut off, and blocks of wrong colours."""

from itertools import pairwise

from heuristic.rule import Reason
from heuristic.universal.grounds import Conflict, Grounds, edge
from solver.board import Cell


def reach(grounds: Grounds, root: Cell, cells: set[Cell]) -> set[Cell]:
    """Return the cells that possible edges among some cells lead to."""
    seen, stack = {root}, [root]
    while stack:
        a = stack.pop()
        for b in grounds.near[a]:
            free = b in cells and b not in seen
            if free and grounds.value.get(edge(a, b), True):
                seen.add(b)
                stack.append(b)
    return seen


def cross_blocks(grounds: Grounds) -> None:
    """Raise the conflict of a cell cut off or of a block's colours, if there is one."""
    live, end = grounds.walk[-1], grounds.board.end
    cells = set(range(grounds.board.cells)).difference(
        grounds.walk, grounds.board.walls
    )
    cells.add(live)
    if live == end:
        if len(cells) > 1:
            _cut_off(grounds, cells - {end}, ())
        return
    rest = cells - reach(grounds, live, cells)
    if rest:
        # The end cell may be in the part that is cut off: then name the other.
        _cut_off_part(grounds, reach(grounds, live, cells), rest)
    cuts = [(0, live, set[Cell]())]
    for cut in _cut_cells(grounds, live, cells):
        ahead = cells - {cut}
        before = reach(grounds, live, ahead) if cut != live else set()
        after = reach(grounds, end, ahead) if cut != end else set()
        lost = ahead - before - after
        if lost:
            _cut_off(grounds, reach(grounds, min(lost), lost), (cut,))
        if cut not in (live, end):
            cuts.append((len(before), cut, before))
    cuts.append((len(cells), end, cells - {end}))
    cuts.sort()
    for (_, x, done), (_, y, there) in pairwise(cuts):
        _block(grounds, there - done - {x, y}, x, y)


def _cut_off_part(grounds: Grounds, mine: set[Cell], rest: set[Cell]) -> None:
    end = grounds.board.end
    away = rest - reach(grounds, end, rest) if end in rest else rest
    _cut_off(grounds, reach(grounds, min(away), away) if away else mine, ())


def _cut_cells(grounds: Grounds, root: Cell, cells: set[Cell]) -> list[Cell]:
    """Return the cut cells of the possible edges on the cells, and the root."""
    import networkx as nx  # only who asks for reasons pays for it

    graph = nx.Graph(
        (a, b)
        for a in reach(grounds, root, cells)
        for b in grounds.near[a]
        if b in cells and grounds.value.get(edge(a, b), True)
    )
    return sorted({root, *nx.articulation_points(graph)})


def _cut_off(grounds: Grounds, area: set[Cell], cut: tuple[Cell, ...]) -> None:
    sentence = f"no possible edge joins these {len(area)} cells and the others"
    if cut:
        sentence = (
            f"{grounds.at(cut[0])} is the only way to {len(area)} cells, and neither "
            "live end nor end cell is among them"
        )
    deps = [e for e in grounds.rim(area) if grounds.value.get(e) is False]
    raise Conflict(
        Reason(
            sentence,
            cells=cut,
            area=tuple(sorted(area)),
            kind="cut-off",
        ),
        deps,
    )


def _block(grounds: Grounds, area: set[Cell], x: Cell, y: Cell) -> None:
    black = sum(grounds.board.black(c) for c in area)
    white = len(area) - black
    wanted = -sum(1 if grounds.board.black(c) else -1 for c in (x, y)) // 2
    if not area or black - white == wanted:
        return
    raise Conflict(
        Reason(
            f"a way from {grounds.at(x)} to {grounds.at(y)} has black minus white "
            f"{wanted:+d} between them, not {black} minus {white}",
            cells=(x, y),
            area=tuple(sorted(area)),
            kind="block",
            facts=(("black", black), ("white", white)),
        ),
        [e for e in grounds.rim(area) if grounds.value.get(e) is False],
    )
