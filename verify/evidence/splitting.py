"""A left-first run cut into pieces: the positions that it goes through at first.

The pieces are the *leaves* of a tree of positions; what is ahead of them is walked
apart (`verify.evidence.ahead`) and joined here. Where rules look at the visited cells,
the live end and the heading only, walks that agree in these are one position of the
tree, and what is ahead of it is walked once.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any

from heuristic.rounds import Rounds
from heuristic.rule import RuleSet
from heuristic.walks.leftfirst import LeftFirstWalk
from solver.board import Board, Position
from verify.evidence.ahead import Ahead

_FAST, _SLOW = 66, 36  # free cells of a leaf: drawn rules, rules asked one by one
_LEAVES = 2000  # at least as many are made of a whole board, if it is that large
_FIRST = 2000  # as many are made at the left of a run with a limit


@dataclass(slots=True)
class Node:
    """A position of the tree.

    Attributes
    ----------
    position : Position
        One of those that are the same. Of a tree that was read (`split_of`) only
        leaves have theirs, other nodes that of the start.
    moves : str
        What is tried there, from the left; empty as long as nobody asked.
    children : list of Node
        Behind each move; none of a leaf.
    needed : list of str
        Rules needed there; of a leaf its walk will tell.
    leaf : int
        Its number among the leaves, -1 if it is none.
    """

    position: Position
    moves: str = ""
    children: list["Node"] = field(default_factory=list)
    needed: list[str] = field(default_factory=list)
    leaf: int = -1


@dataclass(slots=True)
class Split:
    """A run in pieces: the tree and its leaves, in the order in which they are met."""

    root: Node
    leaves: list[Position]

    def plain(self) -> list[Any]:
        """Return it as JSON values; `split_of` reads them.

        Of each node, parents first: its moves, the numbers of its children, and the
        rules needed there.
        """
        nodes = [*_nodes(self.root)]
        number = {id(node): k for k, node in enumerate(nodes)}
        return [
            [node.moves, [number[id(one)] for one in node.children], node.needed]
            for node in nodes
        ]


def split_of(board: Board, rows: list[Any]) -> Split:
    """Return what `Split.plain` made the values of; no rule is asked."""
    start, steps = Position(board), {"U": -board.cols, "R": 1, "D": board.cols, "L": -1}
    nodes = [Node(start, moves, [], needed) for moves, _, needed in rows]
    walks = [start.walk] * len(rows)
    placed = {0}
    for number, (moves, children, _) in enumerate(rows):
        node, walk = nodes[number], walks[number]
        node.children = [nodes[child] for child in children]
        for move, child in zip(moves, children, strict=True):
            if child not in placed:
                placed.add(child)
                walks[child] = (*walk, walk[-1] + steps[move])
        if not children:
            node.position = Position(board, walk)
    return _numbered(nodes[0])


def split(rules: RuleSet, board: Board, *, limited: bool) -> Split:
    """Cut the left-first run of a board into pieces of some seconds at most.

    A run with a limit is cut at the left only, and its leaves stand in the order of
    the run; about a tenth of a millisecond a position.
    """
    rounds = rules.rounds(board)
    free = _FAST if rounds.forgets else _SLOW
    root = Node(Position(board))
    if limited or not rounds.forgets:
        _cut_left(rules, rounds, root, free)
    else:
        _cut_layers(rules, rounds, root, free)
    return _numbered(root)


def _numbered(root: Node) -> Split:
    """Give the leaves their numbers, in the order in which they are met."""
    leaves: list[Position] = []
    for node in _nodes(root):
        if not node.children:
            node.leaf = len(leaves)
            leaves.append(node.position)
    return Split(root, leaves)


def _nodes(root: Node) -> Iterator[Node]:
    """Yield each node once, from the left, parents first."""
    seen, waiting = set[int](), [root]
    while waiting:
        node = waiting.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            waiting += reversed(node.children)


def _ask(
    rules: RuleSet,
    rounds: Rounds,
    node: Node,
    child_of: Callable[[Position], Node],
) -> None:
    """Give a node its children, unless none is there: then it is a leaf."""
    walker = LeftFirstWalk(rules, node.position, rounds)
    node.moves = walker.moves()
    node.children = [child_of(node.position.step(move)) for move in node.moves]
    node.needed = [*walker.needed]


def _free(node: Node) -> int:
    return node.position.board.open_cells - len(node.position.walk)


def _cut_left(rules: RuleSet, rounds: Rounds, root: Node, free: int) -> None:
    """Cut the beginning of the run finely, and what comes later not at all."""
    leaves, waiting = 0, [root]
    while waiting and leaves < _FIRST:
        node = waiting.pop()
        if _free(node) > free:
            _ask(rules, rounds, node, Node)
            waiting += reversed(node.children)
        leaves += not node.children


def _cut_layers(rules: RuleSet, rounds: Rounds, root: Node, free: int) -> None:
    """Cut after as many steps as make enough leaves."""
    layer = [root]
    while layer and len(layer) < _LEAVES and _free(layer[0]) > free:
        known: dict[Hashable, Node] = {}

        def child_of(position: Position, known: dict[Hashable, Node] = known) -> Node:
            live_end, heading = position.live_end, position.heading
            key = frozenset(position.walk), live_end, heading
            return known.setdefault(key, Node(position))

        for node in layer:
            _ask(rules, rounds, node, child_of)
        layer = [*known.values()]


def join(
    parts: dict[int, Ahead],
    tree: Split,
    rest: Callable[[Position, int], Ahead],
    *,
    walks: int | None = None,
) -> Ahead:
    """Join what is ahead of the leaves to what the one run finds, up to its limits.

    `rest` walks a leaf again, up to so many walks, if the limit comes in the middle of
    it. The first leaf that is not known yet cuts the run, too.
    """
    known: dict[int, Ahead | None] = {}
    found = Ahead()

    def whole(node: Node) -> Ahead | None:
        """Return all that is ahead of a node; None if a limit may come in it."""
        if id(node) not in known:
            known[id(node)] = _whole(node)
        return known[id(node)]

    def _whole(node: Node) -> Ahead | None:
        if node.leaf >= 0:
            part = parts.get(node.leaf)
            return None if part is None or part.cut else part
        total = Ahead(needed=dict.fromkeys(node.needed, (0, "")))
        for move, child in zip(node.moves, node.children, strict=True):
            part = whole(child)
            if part is None:
                return None
            total.add(part, move, 1)
        return total

    def visit(node: Node, way: str) -> None:
        """Add what is ahead of a node to what was found."""
        steps = bool(way)
        if walks is not None and found.completed >= walks:
            found.steps += steps  # the step to here is made before the limit is seen
            found.cut = True
            return
        part = whole(node)
        if part and (walks is None or found.completed + part.completed < walks):
            found.add(part, way, steps)
            return
        if node.leaf >= 0:
            part = parts.get(node.leaf, Ahead(cut=True))
            if node.leaf in parts and walks is not None:
                left = walks - found.completed
                exact = part.cut and part.completed == left
                if part.completed >= left and not exact:
                    part = rest(node.position, left)
            found.add(part, way, steps)
            return
        found.add(Ahead(needed=dict.fromkeys(node.needed, (0, ""))), way, steps)
        for move, child in zip(node.moves, node.children, strict=True):
            visit(child, way + move)
            if found.cut:
                return

    visit(tree.root, "")
    return found
