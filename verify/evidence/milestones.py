"""Milestones of the book, run again: left-first runs as campaigns.

A run walks left first (`heuristic.walks.leftfirst`) under a rule set. It notes the
walks completed when each rule was *first needed*, that is when it alone forbade a move,
and the first stuck positions. Its units are pieces of it (`verify.evidence.splitting`);
what comes of them is what one run from the start would tell.

From where a rule is first needed a second run can go on *without* it until it is stuck.
It is the run from the start without the rule: up to there the other rules forbid all
that the rule forbids.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from math import exp
from typing import Any

from heuristic.groups import load_rules
from heuristic.rounds import Event
from heuristic.rule import RuleSet
from heuristic.walks.leftfirst import LeftFirstWalk
from solver.board import Board, Position
from verify.campaign.campaign import Campaign, Unit
from verify.campaign.deciding import deciding, rule_texts
from verify.evidence.ahead import Ahead, ahead_of, walk_ahead
from verify.evidence.splitting import join, split, split_of

_PIECE = 5e-4  # seconds a leaf, about, that cutting takes
_LEAVES = 2  # a unit of a whole board: one and its image
_A_WALK = 2.5e-6  # seconds, most of them counted and not walked; drawn rules
_EARLY = 70  # the part of the units of a whole board that does half of its work
_SLOW = 100  # how much longer rules take that are asked one by one
_DECIDES = "solver", "heuristic", "verify.evidence"


@dataclass(frozen=True, slots=True)
class Milestones:
    """What a run found.

    Attributes
    ----------
    completed, stuck, steps : int
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
        # Its result is the tree, so that the ledger tells all that `fold` needs.
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
        told,
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


def told(found: Milestones) -> list[str]:
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
