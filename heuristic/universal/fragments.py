"""The rule of fragments, arguing: no loop is closed, and no end joined too early."""

from heuristic.rule import Reason
from heuristic.universal.grounds import Conflict, Grounds, edge
from solver.board import Cell


def close_no_loop(grounds: Grounds) -> bool:
    """Drop one edge that would close a loop; True if there was one."""
    board = grounds.board
    taken = [e for e, value in grounds.value.items() if value]
    along: dict[Cell, list[Cell]] = {board.start: [], board.end: []}
    for a, b in taken:
        along.setdefault(a, []).append(b)
        along.setdefault(b, []).append(a)
    along[board.start].append(board.end)
    along[board.end].append(board.start)
    seen: set[Cell] = set()
    for root in [c for c in along if len(along[c]) == 1] + list(along):
        if root in seen:
            continue
        path = _follow(root, along)
        seen.update(path)
        edges = [e for e in map(edge, path, path[1:]) if grounds.value.get(e)]
        last = edge(path[-1], path[0])
        closed = along[path[-1]].count(path[0]) > (len(path) == 2)
        if closed and len(path) < board.open_cells:
            if grounds.value.get(last) and last not in edges:
                edges.append(last)
            sentence = "the edges close a loop that leaves cells out"
            raise Conflict(Reason(sentence, edges=tuple(edges), kind="loop"), edges)
        touch = path[-1] in grounds.near[path[0]]
        if (
            touch
            and not closed
            and last not in grounds.value
            and len(path) < board.open_cells
        ):
            step = Reason(
                f"an edge from {grounds.at(path[0])} to {grounds.at(path[-1])} would "
                "close a loop that leaves cells out",
                edges=(last,),
                kind="no-loop",
            )
            grounds.put([(last, False)], edges, step)
            return True
    return False


def _follow(root: Cell, along: dict[Cell, list[Cell]]) -> list[Cell]:
    path, before = [root], -1
    while True:
        ahead = [c for c in along[path[-1]] if c != before]
        if not ahead or ahead[0] == root:
            return path
        before = path[-1]
        path.append(ahead[0])
