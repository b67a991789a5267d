"""Milestones of the book, run again: left-first runs as campaigns.

A run walks left first (`heuristic.walks.leftfirst`) under a rule set. It notes the
walks completed when each rule was *first needed*, that is when it alone forbade a move,
and the first stuck positions.

Whatever lies ahead of a position is what lies ahead of its moves, one after the other
from the left. So a run is cut into pieces that are walked apart, in any order, and
joined to the numbers of the one run. The pieces are the *leaves* of a tree of positions
that the run goes through at first. Where rules look at the visited cells, the live end
and the heading only, walks that agree in these are one position of the tree, and what
is ahead of it is walked once.

From where a rule is first needed a second run can go on *without* it until it is stuck.
It is the run from the start without the rule: up to there the other rules forbid all
that the rule forbids.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from functools import cache
from math import exp
from typing import Any

from heuristic.groups import load_rules
from heuristic.rounds import Event, Rounds
from heuristic.rule import RuleSet
from heuristic.walks.leftfirst import LeftFirstWalk
from solver.board import Board, Position
from verify.campaign.campaign import Campaign, Unit
from verify.campaign.deciding import deciding, rule_texts

KEPT = 5  # stuck positions that are remembered


@dataclass(slots=True)
class Ahead:
    """What is ahead of a position.

    Attributes
    ----------
    completed, stuck, steps : int
        Walks completed, positions stuck, steps made.
    needed : dict of str to (int, str)
        For each rule that was needed: walks completed before its first need, and the
        moves from the position to there.
    stuck_at : list of (int, str)
        The first stuck positions, in the same way.
    cut : bool
        Whether a limit came before the end.
    """

    completed: int = 0
    stuck: int = 0
    steps: int = 0
    needed: dict[str, tuple[int, str]] = field(default_factory=dict)
    stuck_at: list[tuple[int, str]] = field(default_factory=list)
    cut: bool = False

    def add(self, other: "Ahead", moves: str, steps: int = 0) -> None:
        """Add what comes next from the left: ahead of the moves, after so many steps.

        >>> one = Ahead(3, needed={"a": (1, "L")})
        >>> one.add(Ahead(2, needed={"a": (0, ""), "b": (1, "U")}), "R")
        >>> one.completed, one.needed
        (5, {'a': (1, 'L'), 'b': (4, 'RU')})
        """
        before = self.completed
        for rule, (walks, way) in other.needed.items():
            if rule not in self.needed:
                self.needed[rule] = before + walks, moves + way
        for walks, way in other.stuck_at[: KEPT - len(self.stuck_at)]:
            self.stuck_at.append((before + walks, moves + way))
        self.completed += other.completed
        self.stuck += other.stuck
        self.steps += steps + other.steps
        self.cut = other.cut

    def plain(self) -> list[Any]:
        """Return it as JSON values; `ahead_of` reads them."""
        needed = {rule: [*first] for rule, first in self.needed.items()}
        stuck_at = [[*one] for one in self.stuck_at]
        numbers = [self.completed, self.stuck, self.steps]
        return [*numbers, needed, stuck_at, self.cut]


def ahead_of(value: list[Any]) -> Ahead:
    """Return what `Ahead.plain` made the values of.

    >>> one = Ahead(3, 1, 9, {"a": (1, "L")}, [(2, "RU")])
    >>> ahead_of(one.plain()) == one
    True
    """
    completed, stuck, steps, needed, stuck_at, cut = value
    return Ahead(
        completed,
        stuck,
        steps,
        {rule: (walks, way) for rule, (walks, way) in needed.items()},
        [(walks, way) for walks, way in stuck_at],
        cut,
    )


def walk_ahead(
    rules: RuleSet,
    position: Position,
    *,
    walks: int | None = None,
    stop_stuck: bool = False,
    rounds: Rounds | None = None,
) -> Ahead:
    """Walk left first all that is ahead of a position.

    At most so many `walks`, if that is said, or to the first stuck position. `rounds`
    are those of a walk before, with what it met: that changes the time alone.
    """
    walker, found = LeftFirstWalk(rules, position, rounds), Ahead()
    known = len(position.walk) - 1
    event = Event.BUDGET
    while event is not Event.FINISHED and not found.cut:
        remembers = len(found.stuck_at) < KEPT
        event = walker.run(
            stop_stuck=stop_stuck or remembers, stop_needed=True, walks=walks
        )
        if event is Event.NEEDED:
            here = walker.completed, walker.position.moves[known:]
            for rule in walker.needed:
                found.needed.setdefault(rule, here)
        elif event is Event.STUCK:
            if remembers:
                here = walker.completed, walker.position.moves[known:]
                found.stuck_at.append(here)
            found.cut = stop_stuck
        else:
            found.cut = event is Event.WALKS
    found.completed, found.stuck = walker.completed, walker.stuck
    found.steps = walker.steps
    return found


_FREE_FAST, _FREE_SLOW = (
    66,
    36,
)  # free cells of a leaf: drawn rules, rules asked one by one
_MOST_LEAVES = 2000  # at least as many are made of a whole board, if it is that large
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
        Rules needed there; of a leaf known from its walk.
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
    free = _FREE_FAST if rounds.forgets else _FREE_SLOW
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
    while layer and len(layer) < _MOST_LEAVES and _free(layer[0]) > free:
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


_PIECE = 5e-4  # seconds a leaf, about, that cutting takes
_LEAVES = 2  # a unit of a whole board: one and its image
_A_WALK = 2.5e-6  # seconds, most of them counted and not walked; drawn rules
_EARLY = 70  # the part of the units of a whole board that does half of its work
_SLOW = 100  # how much longer rules take that are asked one by one
_DECIDES = "solver", "heuristic", "verify.trial"


@dataclass(frozen=True, slots=True)
class Milestones:
    """What a run found.

    Attributes
    ----------
    needed : dict of str to (int, str)
        Walks completed when each rule was first needed, in that order; the position.
    stuck_at : list of (int, str)
        The first stuck positions: walks completed before, notation.
    finished : bool
        Whether everything was tried.
    """

    completed: int
    stuck: int
    steps: int
    needed: dict[str, tuple[int, str]]
    stuck_at: list[tuple[int, str]]
    finished: bool


@dataclass(frozen=True, slots=True)
class Without:
    """A run without one rule of the set.

    Attributes
    ----------
    completed : int
        Walks completed when it was stuck, or when it was given up.
    stuck_at : str or None
        Its first stuck position; None if there was none until then.
    finished : bool
        Whether everything was tried.
    """

    completed: int
    stuck_at: str | None
    finished: bool

    @property
    def ending(self) -> str:
        """Return how it ended: the position, or that there was none."""
        end = "nothing, all was tried" if self.finished else "not stuck until then"
        return self.stuck_at or end


def milestones(parameters: dict[str, Any]) -> Campaign[Milestones]:
    """Walk left first on `board` under `rules`.

    As far as `walks` completed walks, or to the end if that is 0; with `stop_stuck` to
    the first stuck position.
    """
    board, named = Board.parse(parameters["board"]), parameters["rules"]
    rules = cache(lambda: load_rules(named))  # who only folds results needs none
    walks, stop_stuck = parameters["walks"] or None, parameters["stop_stuck"]
    limited = walks is not None or stop_stuck
    # With all that was met in this process.
    rounds = cache(lambda: rules().rounds(board))
    tree = cache(lambda: split(rules(), board, limited=limited))

    def walk(position: Position, most: int | None) -> Ahead:
        return walk_ahead(
            rules(), position, walks=most, stop_stuck=stop_stuck, rounds=rounds()
        )

    def units() -> Iterator[Unit]:
        # Its result is the tree, so that the ledger holds all that `fold` needs.
        leaves = [*enumerate(tree().leaves)]
        yield Unit("the pieces", [], len(leaves) * _PIECE)
        many = 1 if limited else _LEAVES
        if not limited:  # those alike next to each other, and beside their images
            leaves.sort(key=lambda pair: _likeness(pair[1]))
        firsts = range(0, len(leaves), many)
        shares = _shares(len(firsts), limited)
        whole = _seconds(rules(), board, walks)
        for first, share in zip(firsts, shares, strict=True):
            some = leaves[first : first + many]
            payload = [[number, position.notation] for number, position in some]
            name = f"ahead of {some[0][1].notation}"
            name += f" and {len(some) - 1} more" if some[1:] else ""
            yield Unit(name, payload, whole * share)

    def work(payload: list[Any]) -> Any:
        if not payload:
            return {"tree": tree().plain()}
        return [
            [number, walk(Position.parse(notation), walks).plain()]
            for number, notation in payload
        ]

    def fold(results: Iterator[Any]) -> Milestones:
        parts: dict[int, Ahead] = {}
        pieces = None
        for result in results:
            if isinstance(result, dict):
                pieces = split_of(board, result["tree"])
            else:
                parts.update((number, ahead_of(value)) for number, value in result)
        whole = join(parts, pieces or tree(), walk, walks=walks)
        start = Position(board).notation
        needed = sorted(whole.needed.items(), key=lambda pair: pair[1][0])
        return Milestones(
            whole.completed,
            whole.stuck,
            whole.steps,
            {rule: (before, start + way) for rule, (before, way) in needed},
            [(before, start + way) for before, way in whole.stuck_at],
            not whole.cut,
        )

    def enough() -> Callable[[Any], bool]:
        completed = 0

        def reached(result: Any) -> bool:
            nonlocal completed
            if isinstance(result, dict):
                return False
            parts = [ahead_of(value) for _, value in result]
            completed += sum(part.completed for part in parts)
            full = walks is not None and completed >= walks
            return full or (stop_stuck and any(part.stuck for part in parts))

        return reached

    return Campaign(
        "milestones",
        parameters,
        deciding(*_DECIDES, texts=rule_texts(named)),
        units,
        work,
        fold,
        summary_lines,
        enough=enough if limited else None,
    )


def _likeness(position: Position) -> list[int]:
    """Return what sorts positions with common cells together, their images too."""
    board = position.board
    cells = sorted(position.walk)
    if board.rows != board.cols:
        return cells
    side = board.rows
    return min(cells, sorted(cell % side * side + cell // side for cell in cells))


def _shares(units: int, limited: bool) -> list[float]:
    """Return about which part of the work each unit is.

    The units of a whole board lead into each other, and what one has met the next ones
    count at once: the first seventieth of them does half of the work, on 9 x 9.
    """
    early = units / _EARLY
    parts = [1.0 if limited else (k + early) ** -2 for k in range(units)]
    total = sum(parts)
    return [part / total for part in parts]


def _seconds(rules: RuleSet, board: Board, walks: int | None) -> float:
    """Return about how long a run takes, to a factor of five."""
    whole = 0.4 * exp(0.26 * (board.open_cells - 49))  # all of 7 x 7, and of 9 x 9
    seconds = whole if walks is None else min(whole, walks * _A_WALK)
    return max(1e-3, seconds * (1 if rules.rounds(board).forgets else _SLOW))


def summary_lines(found: Milestones) -> list[str]:
    """Return what was found, in lines."""
    end = "everything was tried" if found.finished else "the run is not finished"
    return [
        f"{found.completed:,} walks completed, {found.stuck:,} positions stuck; {end}",
        *(f"stuck after {before:,} walks: {at}" for before, at in found.stuck_at),
        *(
            f"{rule} first needed after {before:,} walks"
            for rule, (before, _) in found.needed.items()
        ),
    ]


def without_each(parameters: dict[str, Any]) -> Campaign[dict[str, Without]]:
    """Run without each rule of `needed`, from its first need until it is stuck.

    `needed` lists rule, walks completed and position of the first need; each run goes
    at most `walks` walks farther.
    """
    named, most = parameters["rules"], parameters["walks"]
    rules = load_rules(named)

    def units() -> Iterator[Unit]:
        for rule, before, notation in parameters["needed"]:
            board = Position.parse(notation).board
            weight = _seconds(rules, board, most)
            yield Unit(f"without {rule}", [rule, before, notation], weight)

    def work(payload: list[Any]) -> list[Any]:
        rule, before, notation = payload
        fewer, place = load_rules(f"{named},-{rule}"), Position.parse(notation)
        # What it forbids may decide whether others are asked: then from the start.
        if _decides(rules, rule):
            walker = LeftFirstWalk(fewer, Position(place.board))
        else:
            walker = LeftFirstWalk.standing(fewer, place, before)
        event = walker.run(stop_stuck=True, walks=before + most)
        stuck_at = walker.position.notation if event is Event.STUCK else None
        return [rule, walker.completed, stuck_at, event is Event.FINISHED]

    def fold(results: Iterator[list[Any]]) -> dict[str, Without]:
        return {rule: Without(*one) for rule, *one in results}

    return Campaign(
        "milestones-without",
        parameters,
        deciding(*_DECIDES, texts=rule_texts(named)),
        units,
        work,
        fold,
        lambda found: [
            f"{one.completed:,} without {rule}: {one.ending}"
            for rule, one in found.items()
        ],
    )


def _decides(rules: RuleSet, name: str) -> bool:
    """Whether other rules of the set are asked or not by what this one forbids."""
    from heuristic.matching.drawn import DrawnRule  # slow to import

    specs = [rule.spec for rule in rules.rules if isinstance(rule, DrawnRule)]
    stops = any(spec.stops for spec in specs if spec.name == name)
    return stops or any(name in spec.unless for spec in specs)
