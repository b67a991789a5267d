"""Milestones of the book, run again: left-first runs in pieces.

A run walks left first (`heuristic.walks.leftfirst`) under a rule set. It notes the
walks completed when each rule was *first needed*, that is when it alone forbade a move,
and the first stuck positions.

Whatever lies ahead of a position is what lies ahead of its moves, one after the other
from the left. So a run is cut into pieces that are walked apart, in any order, and
joined to the numbers of the one run. Where rules look at the visited cells, the live
end and the heading only, pieces that agree in these are walked once.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import asdict, dataclass, field, replace
from math import exp
from typing import Any

from heuristic.groups import load_rules
from heuristic.rule import RuleSet
from heuristic.walks.leftfirst import LeftFirstWalk
from heuristic.walks.rounds import Event
from heuristic.walks.walker import Walker
from solver.board import Board, Position
from solver.files import checked
from verify.runs.work import LongRun, Unit, work_of

KEPT = 5  # stuck positions that are remembered


@dataclass(slots=True)
class Ahead:
    """What is ahead of a position.

    - `completed`, `stuck`, `steps`: walks completed, positions stuck, steps made.
    - `needed`: for each rule that was needed: walks completed before its first need,
      and the moves from the position to there.
    - `stuck_at`: the first stuck positions, in the same way.
    - `cut`: whether a limit came before the end.
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


def walk_ahead(
    rules: RuleSet,
    position: Position,
    *,
    walks: int | None = None,
    stop_stuck: bool = False,
    walker: Walker | None = None,
) -> Ahead:
    """Walk left first all that is ahead of a position.

    At most so many `walks`, if that is said, or to the first stuck position. `walker`
    is that of a walk before, with what it met: that changes the time alone.
    """
    left, found = LeftFirstWalk(rules, position, walker), Ahead()
    known = len(position.walk) - 1
    event = Event.BUDGET
    while event is not Event.FINISHED and not found.cut:
        remembers = len(found.stuck_at) < KEPT
        event = left.run(
            stop_stuck=stop_stuck or remembers, stop_needed=True, walks=walks
        )
        if event is Event.NEEDED:
            here = left.completed, left.position.moves[known:]
            for rule in left.needed:
                found.needed.setdefault(rule, here)
        elif event is Event.STUCK:
            if remembers:
                here = left.completed, left.position.moves[known:]
                found.stuck_at.append(here)
            found.cut = stop_stuck
        else:
            found.cut = event is Event.WALKS
    found.completed, found.stuck = left.completed, left.stuck
    found.steps = left.steps
    return found


_FREE_FAST, _FREE_SLOW = 66, 36  # free cells of a piece; rules asked one by one
_MOST = 2000  # at least as many pieces are made, if the board is that large


@dataclass(frozen=True, slots=True)
class Piece:
    """What the run goes through next: from the last piece to this one, and ahead.

    - `moves`: from the start.
    - `like`: the number of the first piece with the same ahead: this one, or an earlier
      one.
    - `steps`: from the last piece.
    - `needed`, tuple of (str, str): rules needed on the way here, and the moves from
      the start to there.
    """

    moves: str
    like: int
    steps: int = 0
    needed: tuple[tuple[str, str], ...] = ()


def split(rules: RuleSet, board: Board, *, limited: bool) -> list[Piece]:
    """Cut the left-first run of a board into pieces of some seconds at most.

    A run with a limit is cut finely at the left only; about a tenth of a millisecond a
    position.
    """
    walker = rules.walker(board)
    free = _FREE_FAST if walker.forgets else _FREE_SLOW
    left = limited or not walker.forgets
    done: list[_Cut] = []
    waiting = [_Cut(Position(board))]
    while waiting and len(done) + len(waiting) < _MOST:
        if not left:  # a step of all of them
            parts = [[one] if one.whole else one.next(rules, walker) for one in waiting]
            waiting = [one for some in parts for one in some]
            if all(one.whole or one.unvisited <= free for one in waiting):
                break
        elif waiting[0].whole or waiting[0].unvisited <= free:
            done.append(waiting.pop(0))
        else:
            waiting[:1] = waiting[0].next(rules, walker)
    known: dict[Hashable, int] = {}
    pieces = []
    for number, one in enumerate([*done, *waiting]):
        place = one.position
        key: Hashable = number
        if walker.forgets and not limited:
            key = frozenset(place.walk), place.live_end, place.heading
        like = known.setdefault(key, number)
        pieces.append(Piece(place.moves, like, one.steps, one.needed))
    return pieces


@dataclass(slots=True)
class _Cut:
    """A piece in the making; `whole` if no move leads on from it."""

    position: Position
    steps: int = 0
    needed: tuple[tuple[str, str], ...] = ()
    whole: bool = False

    @property
    def unvisited(self) -> int:
        return self.position.board.open_cells - len(self.position.walk)

    def next(self, rules: RuleSet, walker: Walker) -> list["_Cut"]:
        """Return what lies behind each move, from the left; itself if none is there."""
        walk = LeftFirstWalk(rules, self.position, walker)
        moves = walk.moves()
        found = [_Cut(self.position.step(move), 1) for move in moves]
        if not found:
            self.whole = True
            return [self]
        here = tuple((rule, self.position.moves) for rule in walk.needed)
        found[0].steps, found[0].needed = self.steps + 1, (*self.needed, *here)
        return found


def join(
    pieces: list[Piece],
    parts: dict[int, Ahead],
    rest: Callable[[str, int], Ahead],
    *,
    walks: int | None = None,
) -> Ahead:
    """Join what is ahead of the pieces to what the one run finds, up to its limits.

    `rest` walks a piece again, up to so many walks, if the limit comes in the middle of
    it. The first piece that is not known yet cuts the run, too.
    """
    found = Ahead()
    for piece in pieces:
        if walks is not None and found.completed >= walks:
            found.steps += 1  # is made before the limit is seen
            found.cut = True
            break
        for rule, moves in piece.needed:
            found.needed.setdefault(rule, (found.completed, moves))
        part = parts.get(piece.like, Ahead(cut=True))
        if walks is not None and piece.like in parts:
            left = walks - found.completed
            exact = part.cut and part.completed == left
            if part.completed >= left and not exact:
                part = rest(piece.moves, left)
        found.add(part, piece.moves, piece.steps)
        if found.cut:
            break
    return found


_UNIT = 2  # pieces of a unit of a whole board: one and its image
_A_WALK = 2.5e-6  # seconds, most of them counted and not walked; drawn rules
_SLOW = 100  # how much longer rules take that are asked one by one


def milestones(
    rule_set: RuleSet, board: Board, *, walks: int = 0, stop_stuck: bool = False
) -> LongRun[Ahead]:
    """Walk left first on a board under rules.

    As far as `walks` completed walks, or to the end if that is 0; with `stop_stuck` to
    the first stuck position. The answer has positions in the place of moves, and the
    rules in the order in which they were needed.
    """
    start = Position(board).notation
    most = walks or None
    limited = walks > 0 or stop_stuck
    pieces = split(rule_set, board, limited=limited)
    first = [(n, piece.moves) for n, piece in enumerate(pieces) if piece.like == n]
    parameters: dict[str, Any] = {
        "rules": rule_set.name,
        "board": board.notation,
        "walks": walks,
        "stop_stuck": stop_stuck,
    }

    def units() -> Iterator[Unit]:
        many = 1 if limited else _UNIT
        some = first
        if not limited:  # those alike next to each other, and next to their images
            some = sorted(first, key=lambda piece: _likeness(start + piece[1]))
        seconds = _seconds(rule_set, board, most) / len(some)
        for at in range(0, len(some), many):
            payload = [[*piece] for piece in some[at : at + many]]
            name = f"ahead of {start}{payload[0][1]}"
            name += f" and {len(payload) - 1} more" if payload[1:] else ""
            yield Unit(name, payload, seconds * len(payload))

    def fold(results: Iterator[Any]) -> Ahead:
        parts = {
            number: checked(value, Ahead, "a piece")
            for result in results
            for number, value in result
        }
        walk = _walking(**parameters)
        whole = join(pieces, parts, walk, walks=most)
        needed = sorted(whole.needed.items(), key=lambda pair: pair[1][0])
        return replace(
            whole,
            needed={rule: (before, start + way) for rule, (before, way) in needed},
            stuck_at=[(before, start + way) for before, way in whole.stuck_at],
        )

    def enough() -> Callable[[Any], bool]:
        completed = 0

        def reached(result: Any) -> bool:
            nonlocal completed
            parts = [value for _, value in result]
            completed += sum(part["completed"] for part in parts)
            full = walks > 0 and completed >= walks
            return full or (stop_stuck and any(part["stuck"] for part in parts))

        return reached

    work = work_of(_pieces, parameters, "verify.evidence", rules=rule_set.name)
    last = enough if limited else None
    return LongRun("milestones", work, [*units()], fold, last)


def _walking(
    rules: str, board: str, walks: int, stop_stuck: bool
) -> Callable[[str, int | None], Ahead]:
    """Return what walks ahead of moves, with all that was met in this process."""
    rule_set, start = load_rules(rules), Position(Board.parse(board)).notation
    walker = rule_set.walker(Board.parse(board))

    def walk(moves: str, most: int | None) -> Ahead:
        place = Position.parse(start + moves)
        return walk_ahead(
            rule_set, place, walks=most, stop_stuck=stop_stuck, walker=walker
        )

    return walk


def _pieces(
    rules: str, board: str, walks: int, stop_stuck: bool
) -> Callable[[list[Any]], list[Any]]:
    """Return what walks ahead of each of some pieces."""
    walk = _walking(rules, board, walks, stop_stuck)

    def worked(payload: list[Any]) -> list[Any]:
        most = walks or None
        return [[number, asdict(walk(moves, most))] for number, moves in payload]

    return worked


def _likeness(notation: str) -> list[int]:
    """Return what sorts positions with common cells together, their images too."""
    position = Position.parse(notation)
    board = position.board
    cells = sorted(position.walk)
    if board.rows != board.cols:
        return cells
    side = board.rows
    return min(cells, sorted(cell % side * side + cell // side for cell in cells))


def _seconds(rules: RuleSet, board: Board, walks: int | None) -> float:
    """Return about how long a run takes, to a factor of five."""
    whole = 0.4 * exp(0.26 * (board.open_cells - 49))  # all of 7 x 7, and of 9 x 9
    seconds = whole if walks is None else min(whole, walks * _A_WALK)
    return max(1e-3, seconds * (1 if rules.walker(board).forgets else _SLOW))
