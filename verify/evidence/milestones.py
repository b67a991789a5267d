"""Milestones of the book, run again: left-first runs as campaigns.

A run walks left first (`heuristic.walks.leftfirst`) under a rule set. It notes the
walks completed when each rule was *first needed*, that is when it alone forbade a move,
and the first stuck positions.

Whatever lies ahead of a position is what lies ahead of its moves, one after the other
from the left. So a run is cut into pieces that are walked apart, in any order, and
joined to the numbers of the one run. Where rules look at the visited cells, the live
end and the heading only, pieces that agree in these are walked once.

From where a rule is first needed a second run can go on *without* it until it is stuck.
It is the run from the start without the rule: up to there the other rules forbid all
that the rule forbids.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from math import exp
from typing import Any

from heuristic.groups import drawings_of, load_rules, without
from heuristic.rule import RuleSet
from heuristic.walks.leftfirst import LeftFirstWalk
from heuristic.walks.rounds import Event
from heuristic.walks.walker import Walker
from solver.board import Board, Position
from solver.files import checked
from verify.campaign.campaign import Campaign, Unit, deciding_rules

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


_PIECE = 5e-4  # seconds a piece, about, that cutting takes
_UNIT = 2  # pieces of a unit of a whole board: one and its image
_A_WALK = 2.5e-6  # seconds, most of them counted and not walked; drawn rules
_SLOW = 100  # how much longer rules take that are asked one by one


@dataclass(frozen=True, slots=True)
class Without:
    """A run without one rule of the set.

    - `completed`: walks completed when it was stuck, or when it was given up.
    - `stuck_at`: its first stuck position; None if there was none until then.
    - `finished`: whether everything was tried.
    """

    completed: int
    stuck_at: str | None
    finished: bool

    @property
    def ending(self) -> str:
        """Return how it ended: the position, or that there was none."""
        end = "nothing, all was tried" if self.finished else "not stuck until then"
        return self.stuck_at or end


def milestones(parameters: dict[str, Any]) -> Campaign[Ahead]:
    """Walk left first on `board` under `rules`.

    As far as `walks` completed walks, or to the end if that is 0; with `stop_stuck` to
    the first stuck position. The answer has positions in the place of moves, and the
    rules in the order in which they were needed.
    """
    board, named = Board.parse(parameters["board"]), parameters["rules"]
    start = Position(board).notation
    rules = cache(lambda: load_rules(named))  # who only folds results needs none
    walks, stop_stuck = parameters["walks"] or None, parameters["stop_stuck"]
    limited = walks is not None or stop_stuck
    # With all that was met in this process.
    walker = cache(lambda: rules().walker(board))
    pieces = cache(lambda: split(rules(), board, limited=limited))

    def walk(moves: str, most: int | None) -> Ahead:
        place = Position.parse(start + moves)
        return walk_ahead(
            rules(), place, walks=most, stop_stuck=stop_stuck, walker=walker()
        )

    def units() -> Iterator[Unit]:
        # Its result are the pieces, so that the ledger holds all that `fold` needs.
        some = [(n, one.moves) for n, one in enumerate(pieces()) if one.like == n]
        yield Unit("the pieces", [], len(some) * _PIECE)
        many = 1 if limited else _UNIT
        if not limited:  # those alike next to each other, and beside their images
            some.sort(key=lambda one: _likeness(Position.parse(start + one[1])))
        seconds = _seconds(rules(), board, walks) / len(some)
        for first in range(0, len(some), many):
            payload = [[*one] for one in some[first : first + many]]
            name = f"ahead of {start}{payload[0][1]}"
            name += f" and {len(payload) - 1} more" if payload[1:] else ""
            yield Unit(name, payload, seconds * len(payload))

    def work(payload: list[Any]) -> Any:
        if not payload:
            return {"pieces": [asdict(piece) for piece in pieces()]}
        return [[number, asdict(walk(moves, walks))] for number, moves in payload]

    def fold(results: Iterator[Any]) -> Ahead:
        parts: dict[int, Ahead] = {}
        cut: list[Piece] = []
        for result in results:
            if isinstance(result, dict):
                cut = checked(result["pieces"], list[Piece], "pieces")
            else:
                parts.update((number, _ahead_of(value)) for number, value in result)
        whole = join(cut or pieces(), parts, walk, walks=walks)
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
            if isinstance(result, dict):
                return False
            parts = [_ahead_of(value) for _, value in result]
            completed += sum(part.completed for part in parts)
            full = walks is not None and completed >= walks
            return full or (stop_stuck and any(part.stuck for part in parts))

        return reached

    made = deciding_rules(named, "verify.evidence"), units, work, fold, summary_lines
    return Campaign("milestones", parameters, *made, enough=enough if limited else None)


def _ahead_of(value: Any) -> Ahead:
    return checked(value, Ahead, "a piece")


def _likeness(position: Position) -> list[int]:
    """Return what sorts positions with common cells together, their images too."""
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


def summary_lines(found: Ahead) -> list[str]:
    """Return what was found, in lines."""
    end = "the run is not finished" if found.cut else "everything was tried"
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
        fewer, place = without(rules, [rule]), Position.parse(notation)
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

    def summary(found: dict[str, Without]) -> list[str]:
        ends = ((rule, one.completed, one.ending) for rule, one in found.items())
        return [f"{completed:,} without {rule}: {end}" for rule, completed, end in ends]

    made = deciding_rules(named, "verify.evidence"), units, work, fold, summary
    return Campaign("milestones-without", parameters, *made)


def _decides(rules: RuleSet, name: str) -> bool:
    """Whether other rules of the set are asked or not by what this one forbids."""
    specs = drawings_of(rules)
    stops = any(spec.stops for spec in specs if spec.name == name)
    return stops or any(name in spec.unless for spec in specs)
