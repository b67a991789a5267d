"""Hunts: walk until stuck, find the fatal step, shrink the position.

A walk that obeys rules and gets stuck has a first fatal step. The position before it
can be completed. If the rules allow a completable move there, they miss a dead one: the
position is a *gap*. If they forbid every completable move, a *wrong rule* is to blame.

A hunt is two long runs: walks and what stopped them, then the shrinking of each of
these positions. So a hunt that ends early loses no position.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from heuristic.groups import load_rules
from heuristic.rule import Boards, RuleSet, choices, narrowest
from solver.board import Board, Position
from solver.oracles.oracle import Oracle, get_oracle
from verify.corpus.cases import Case, Origin
from verify.corpus.faults import rule_case
from verify.evidence.evidence import ROOMS, walk_seconds, walks_of_unit
from verify.runs.longrun import Advance, LongRun, Unit, advancing, spans, work_of
from verify.shrink import (
    WrongRule,
    boards_like,
    image_of_gap,
    shrink_gap,
    size,
    smallest_wrong,
)
from verify.truth import (
    blame,
    forbidden_moves,
    gap_moves,
    is_completable,
    wrong_moves,
)

_BLOCK = 100  # walks of a unit: each that gets stuck costs an exact search
_SHRINK = 1e-6  # about the seconds to shrink a position, by the cube of its open cells
Smaller: TypeAlias = tuple[str, str]  # a position's notation, the moves in question


class Obstacle(NamedTuple):
    """A position that stopped walks.

    - `rule`: the wrong rule; empty if the position is a gap.
    - `seed`: of the first walk.
    - `times`: the number of walks. For a wrong rule the position is the smallest of
      those that stopped them.
    """

    rule: str
    position: Position
    seed: int
    times: int = 1


def obstacles(
    rule_set: RuleSet,
    board: Board,
    *,
    walks: int,
    seed: int,
    advance: Advance = lambda done, total: None,
) -> Iterator[list[Obstacle]]:
    """Yield what stopped each stuck walk, of walks with seeds from `seed` on.

    That is a gap, or every rule that forbids a completable move. The list is empty if
    the oracle meets its limit before it finds the fatal step.
    """
    oracle = get_oracle("search")
    walker = rule_set.walker(board)
    for number in advancing(range(seed, seed + walks), walks, advance):
        stuck = walker.walk(number)
        if not stuck.complete:
            before = blame(stuck, oracle)
            rules = _rules_to_blame(rule_set, before, oracle) if before else []
            yield [Obstacle(rule, before, number) for rule in rules if before]


def _rules_to_blame(rule_set: RuleSet, position: Position, oracle: Oracle) -> list[str]:
    """Return the wrong rules; an empty name for a gap; nothing if neither is known."""
    forbidden = set(forbidden_moves(rule_set, position))
    good = [m for m in choices(position) if is_completable(position.step(m), oracle)]
    if good and forbidden.issuperset(good):
        wrong = [f.rule for f in rule_set.forbids(position) if f.move in good]
        return [*dict.fromkeys(wrong)]
    return [""] if gap_moves(rule_set, position, oracle) else []


def gaps_of_walks(
    rule_set: RuleSet, board: Board, *, walks: int, seed: int
) -> Iterator[tuple[Position, str]]:
    """Yield the gaps of `obstacles`, canonical, each with its allowed dead moves."""
    oracle = get_oracle("search")
    for reasons in obstacles(rule_set, board, walks=walks, seed=seed):
        for gap in reasons:
            if not gap.rule:
                position = image_of_gap(rule_set, gap.position, oracle)
                yield position, gap_moves(rule_set, position, oracle)


@dataclass(frozen=True, slots=True)
class Mined:
    """The walks of a hunt, and what stopped some of them.

    - `by_gap`, `by_wrong`: how many were stuck at gaps, and by wrong rules. The fatal
      step of the others is unknown.
    - `obstacles`: each gap and each wrong rule once, in the order of the walks.
    """

    walks: int
    stuck: int
    by_gap: int
    by_wrong: int
    obstacles: tuple[Obstacle, ...]


def _distinct(obstacles: Iterable[Obstacle]) -> list[Obstacle]:
    """Join equal obstacles: gaps by position, wrong rules by name."""
    distinct: dict[tuple[str, str], Obstacle] = {}
    for new in obstacles:
        key = new.rule, "" if new.rule else new.position.notation
        if key in distinct:
            old = distinct[key]
            best = min(old, new, key=lambda x: (*size(x.position), x.seed))
            new = best._replace(times=old.times + new.times)
        distinct[key] = new
    return list(distinct.values())


def mining(rule_set: RuleSet, board: Board, *, count: int, seed: int) -> LongRun[Mined]:
    """Return the run that makes `count` walks with seeds from `seed` on."""
    block = min(_BLOCK, walks_of_unit(board))
    units = spans(count, block, walk_seconds(board))
    parameters = {"rules": rule_set.name, "board": board.notation, "seed": seed}
    work = work_of(_mining, parameters, *ROOMS, rules=rule_set.name)
    return LongRun("mine", work, units, _fold)


def _mining(
    rules: str, board: str, seed: int
) -> Callable[[list[int], Advance], dict[str, Any]]:
    rule_set, place = load_rules(rules), Board.parse(board)

    def mine(payload: list[int], advance: Advance) -> dict[str, Any]:
        first, walks = payload
        begin = seed + first
        stuck = [*obstacles(rule_set, place, walks=walks, seed=begin, advance=advance)]
        return {
            "walks": walks,
            "stuck": len(stuck),
            "by_gap": sum(bool(x) and not x[0].rule for x in stuck),
            "by_wrong": sum(bool(x) and bool(x[0].rule) for x in stuck),
            "obstacles": [
                [x.rule, x.position.notation, x.seed, x.times]
                for x in _distinct(chain.from_iterable(stuck))
            ],
        }

    return mine


def _fold(results: Iterator[dict[str, Any]]) -> Mined:
    sums = dict.fromkeys(("walks", "stuck", "by_gap", "by_wrong"), 0)
    obstacles: list[Obstacle] = []
    for result in results:
        for name in sums:
            sums[name] += result[name]
        for rule, notation, *seed_and_times in result["obstacles"]:
            obstacles.append(Obstacle(rule, Position.parse(notation), *seed_and_times))
    return Mined(**sums, obstacles=tuple(_distinct(obstacles)))


def shrinking(
    rule_set: RuleSet, obstacles: Sequence[Obstacle], *, boards: Boards
) -> LongRun[dict[int, Smaller]]:
    """Shrink the positions of obstacles; the answer is by the number of the obstacle.

    - `boards`: the kind of boards that smaller positions may lie on.
    """
    units = [
        Unit(
            [number, obstacle.rule, obstacle.position.notation],
            _SHRINK * obstacle.position.board.open_cells**3,
        )
        for number, obstacle in enumerate(obstacles)
    ]
    parameters = {"rules": rule_set.name, "boards": boards.value}
    work = work_of(_shrinking, parameters, *ROOMS, rules=rule_set.name)
    return LongRun("mine-shrink", work, units, _by_number)


def _by_number(results: Iterator[list[Any]]) -> dict[int, Smaller]:
    return {number: (notation, moves) for number, notation, moves in results}


def _shrinking(rules: str, boards: str) -> Callable[[list[Any], Advance], list[Any]]:
    rule_set, oracle = load_rules(rules), get_oracle("search")

    def shrink(payload: list[Any], _: Advance) -> list[Any]:
        number, rule, notation = payload
        position, kind = Position.parse(notation), Boards(boards)
        if rule:
            kind = narrowest([kind, boards_like(position.board)])
            small = smallest_wrong(WrongRule(rule_set, rule, kind, oracle), position)
        else:
            small = shrink_gap(rule_set, position, oracle)
        return [number, *_canonical(rule_set, rule, small, oracle)]

    return shrink


def _canonical(
    rules: RuleSet, rule: str, position: Position, oracle: Oracle
) -> Smaller:
    """Return a position, of a gap the canonical image, and the moves in question."""
    if rule:
        return position.notation, wrong_moves(rules, position, oracle, rule)
    position = image_of_gap(rules, position, oracle)
    return position.notation, gap_moves(rules, position, oracle)


@dataclass(frozen=True, slots=True)
class Finding:
    """A gap, or a wrong rule with a position that shows it.

    - `position`: shrunk, if there was time.
    - `moves`: allowed though dead; for a wrong rule forbidden though completable.
    """

    position: Position
    moves: str
    obstacle: Obstacle

    @property
    def kind(self) -> str:
        """The kind of its case, a key of `verify.corpus.cases.KINDS`."""
        return "unsound" if self.obstacle.rule else "gap"


def findings(
    hunt: Mined, rule_set: RuleSet, smaller: Mapping[int, Smaller]
) -> list[Finding]:
    """Return the gaps and wrong rules of a hunt, each distinct position once.

    Wrong rules come first, then gaps; the smallest of each kind first. `smaller` is the
    answer of `shrinking`; other positions stay as they are.
    """
    oracle = get_oracle("search")
    distinct: dict[tuple[str, str], Finding] = {}
    for number, obstacle in enumerate(hunt.obstacles):
        rule = obstacle.rule
        notation, moves = smaller.get(number) or _canonical(
            rule_set, rule, obstacle.position, oracle
        )
        if (rule, notation) in distinct:
            other = distinct[rule, notation].obstacle
            first = min(other, obstacle, key=lambda x: x.seed)
            obstacle = first._replace(times=other.times + obstacle.times)
        distinct[rule, notation] = Finding(Position.parse(notation), moves, obstacle)
    return sorted(
        distinct.values(), key=lambda x: (not x.obstacle.rule, size(x.position))
    )


def case_of_finding(finding: Finding, rule_set: RuleSet, origin: Origin) -> Case:
    """Return the case of a finding; `origin` names the rules in it."""
    obstacle = finding.obstacle
    board = obstacle.position.board.notation
    source = f"mined on {board} with {rule_set.name}, seed {obstacle.seed}"
    places = finding.position, obstacle.position
    return rule_case(obstacle.rule, *places, finding.moves, origin, source)
