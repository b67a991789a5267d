"""Hunts: walk until stuck, find the step to blame, shrink the position.

A walk that obeys rules and gets stuck is *lost* at its first fatal step. Before that
step a completion exists. If the rules allow a completable move there, they miss a dead
one: a *gap*. If they forbid every completable move, a *wrong rule* is to blame.

A hunt is two long runs. The first makes walks and blames those that are stuck, a block
of seeds a unit. The second shrinks what the first found, a position a unit, so a hunt
that ends early loses no position.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from heuristic.boards import Boards, narrowest
from heuristic.groups import load_rules
from heuristic.rule import RuleSet, choices
from solver.board import Board, Position
from solver.oracles.oracle import Oracle, get_oracle
from verify.corpus.cases import Case, Origin
from verify.corpus.making import gap_case
from verify.evidence.trials import ROOMS, block_of, seconds_of
from verify.runs.work import Advance, LongRun, Unit, advancing, spans, work_of
from verify.shrink import (
    WrongRule,
    boards_like,
    image_of_gap,
    shrink,
    size,
    smallest_wrong,
)
from verify.truth import (
    blame,
    forbidden_moves,
    gap_moves,
    is_completable,
    truth,
    wrong_moves,
)

_BLOCK = 100  # walks of a unit: each that gets stuck costs an exact search
_SHRINK = 1e-6  # about the seconds to shrink a position, by the cube of its open cells


@dataclass(frozen=True, slots=True)
class Lost:
    """A stuck walk, at its first fatal step.

    - `position`: the last completable position of the walk.
    - `seed`: of the walk.
    - `wrong`: the rules that forbid a completable move there, if they forbid all of
      them; empty if the position is a gap.
    """

    position: Position
    seed: int
    wrong: tuple[str, ...] = ()


def lost_walks(
    rule_set: RuleSet,
    board: Board,
    *,
    walks: int,
    seed: int,
    advance: Advance = lambda done, total: None,
) -> Iterator[Lost | None]:
    """Make walks of seeds from `seed` on; yield where the stuck ones were lost.

    None for a stuck walk whose fatal step the oracle does not know within its limit.
    """
    oracle = get_oracle("search")
    walker = rule_set.walker(board)
    for number in advancing(range(walks), walks, advance):
        result = walker.walk(seed + number)
        if result.stuck:
            yield _lost(rule_set, result.position, seed + number, oracle)


def _lost(rule_set: RuleSet, stuck: Position, seed: int, oracle: Oracle) -> Lost | None:
    position = blame(stuck, oracle)
    if position is None:
        return None
    forbidden = set(forbidden_moves(rule_set, position))
    good = [m for m in choices(position) if is_completable(position.step(m), oracle)]
    if good and forbidden.issuperset(good):
        forbids = rule_set.forbids(position)
        wrong = dict.fromkeys(f.rule for f in forbids if f.move in good)
        return Lost(position, seed, tuple(wrong))
    return Lost(position, seed) if gap_moves(rule_set, position, oracle) else None


def gaps_met(
    rule_set: RuleSet, board: Board, *, walks: int, seed: int
) -> Iterator[tuple[Position, str]]:
    """Yield the gaps that stopped walks, canonical, each with its allowed dead moves.

    The walks are those of `lost_walks`.
    """
    oracle = get_oracle("search")
    for lost in lost_walks(rule_set, board, walks=walks, seed=seed):
        if lost is not None and not lost.wrong:
            position = image_of_gap(rule_set, lost.position, oracle)
            yield position, gap_moves(rule_set, position, oracle)


@dataclass(frozen=True, slots=True)
class Met:
    """A position that stopped walks.

    - `rule`: the wrong rule; empty if the position is a gap.
    - `seed`: of the first walk.
    - `times`: walks that it stopped. Of a wrong rule it is the smallest of the
      positions that stopped them.
    """

    rule: str
    position: Position
    seed: int
    times: int


@dataclass(frozen=True, slots=True)
class Mined:
    """Walks made, and what stopped some of them.

    - `stuck`: walks that were stopped.
    - `by_gap`, `by_wrong`: how many of them by gaps, and by wrong rules. Of the rest
      the fatal step is not known.
    - `met`: each gap and each wrong rule once, in the order of the walks.
    """

    walks: int
    stuck: int
    by_gap: int
    by_wrong: int
    met: tuple[Met, ...]


def _gathered(met: Iterable[Met]) -> list[Met]:
    """Join what is the same: gaps by position, wrong rules by name."""
    found: dict[tuple[str, str], Met] = {}
    for one in met:
        key = one.rule, "" if one.rule else one.position.notation
        there = found.get(key)
        if there is None:
            found[key] = one
            continue
        best = min(there, one, key=lambda x: (*size(x.position), x.seed))
        found[key] = Met(one.rule, best.position, best.seed, there.times + one.times)
    return list(found.values())


def mining(rule_set: RuleSet, board: Board, *, count: int, seed: int) -> LongRun[Mined]:
    """Walk on a board under rules: `count` walks of seeds from `seed` on."""
    block = min(_BLOCK, block_of(board))
    units = spans(count, block, seconds_of(board))
    rules = rule_set.name
    parameters = {"rules": rules, "board": board.notation, "seed": seed}
    work = work_of(_mining, parameters, *ROOMS, rules=rules)
    return LongRun("mine", work, units, fold)


def _mining(
    rules: str, board: str, seed: int
) -> Callable[[list[int], Advance], dict[str, Any]]:
    """Return what makes a block of walks and blames the stuck ones."""
    rule_set, place = load_rules(rules), Board.parse(board)

    def mined(payload: list[int], advance: Advance) -> dict[str, Any]:
        first, walks = payload
        begin = seed + first
        lost = [*lost_walks(rule_set, place, walks=walks, seed=begin, advance=advance)]
        blamed = [one for one in lost if one is not None]
        met = _gathered(
            Met(rule, one.position, one.seed, 1)
            for one in blamed
            for rule in one.wrong or ("",)
        )
        by_wrong = sum(bool(one.wrong) for one in blamed)
        return {
            "walks": walks,
            "stuck": len(lost),
            "by_gap": len(blamed) - by_wrong,
            "by_wrong": by_wrong,
            "met": [[m.rule, m.position.notation, m.seed, m.times] for m in met],
        }

    return mined


def met_in(result: dict[str, Any]) -> list[Met]:
    """Return what the walks of a unit met."""
    return [
        Met(rule, Position.parse(position), seed, times)
        for rule, position, seed, times in result["met"]
    ]


def fold(results: Iterator[dict[str, Any]]) -> Mined:
    """Add up the results of units."""
    sums = dict.fromkeys(("walks", "stuck", "by_gap", "by_wrong"), 0)
    met: list[Met] = []
    for result in results:
        for name in sums:
            sums[name] += result[name]
        met += met_in(result)
    return Mined(**sums, met=tuple(_gathered(met)))


Smaller: TypeAlias = tuple[str, str]  # a position's notation, the moves in question


def shrinking(
    rule_set: RuleSet, met: Sequence[Met], *, boards: Boards, any_board: bool
) -> LongRun[dict[int, Smaller]]:
    """Shrink positions that stopped walks under rules; the answer is by their number.

    - `boards`: the kind of boards that smaller positions may lie on.
    - `any_board`: whether a smaller position may have walls and ends of its own.
    """
    units = []
    for number, one in enumerate(met):
        weight = _SHRINK * one.position.board.open_cells**3
        units.append(Unit([number, one.rule, one.position.notation], weight))
    rules = rule_set.name
    parameters = {"rules": rules, "boards": boards.value, "any_board": any_board}
    work = work_of(_shrinking, parameters, *ROOMS, rules=rules)
    return LongRun("mine-shrink", work, units, _by_number)


def _by_number(results: Iterator[list[Any]]) -> dict[int, Smaller]:
    return {number: (notation, moves) for number, notation, moves in results}


def _shrinking(
    rules: str, boards: str, any_board: bool
) -> Callable[[list[Any], Advance], list[Any]]:
    """Return what shrinks a position."""
    rule_set, kind = load_rules(rules), Boards(boards)

    def shrunk(payload: list[Any], _: Advance) -> list[Any]:
        number, rule, notation = payload
        position = Position.parse(notation)
        if rule:
            like = narrowest([kind, boards_like(position.board)])
            small = _smaller_wrong(
                rule_set, rule, position, kind if any_board else like
            )
        else:
            small = _smaller_gap(rule_set, position, any_board)
        return [number, *small]

    return shrunk


def _smaller_gap(rule_set: RuleSet, position: Position, any_board: bool) -> Smaller:
    oracle = get_oracle("search")
    small = shrink(rule_set, position, oracle, any_board=any_board)
    small = image_of_gap(rule_set, small, oracle)
    return small.notation, gap_moves(rule_set, small, oracle)


def _smaller_wrong(
    rule_set: RuleSet, rule: str, position: Position, boards: Boards
) -> Smaller:
    oracle = get_oracle("search")
    small = smallest_wrong(WrongRule(rule_set, rule, boards, oracle), position)
    return small.notation, wrong_moves(rule_set, small, oracle, rule)


@dataclass(frozen=True, slots=True)
class Finding:
    """A gap, or a wrong rule with a position that shows it.

    - `position`: shrunk, if there was time.
    - `moves`: allowed though dead; of a wrong `rule` forbidden though completable.
    - `met`: the walks behind it, with the position that stopped the first of them.
    """

    position: Position
    moves: str
    met: Met

    @property
    def kind(self) -> str:
        """The kind of case that it makes."""
        return "unsound" if self.met.rule else "gap"


def findings(
    hunt: Mined, rule_set: RuleSet, smaller: Mapping[int, Smaller]
) -> list[Finding]:
    """Return what a hunt found, each distinct position once.

    Wrong rules come first, then gaps; the smallest of each kind first. `smaller` has
    the answer of `shrinking` by the number of what was met; what is missing there stays
    as it was met.
    """
    oracle = get_oracle("search")
    found: dict[tuple[str, str], Finding] = {}
    for number, one in enumerate(hunt.met):
        position, moves = one.position, ""
        if number in smaller:
            notation, moves = smaller[number]
            position = Position.parse(notation)
        elif one.rule:
            moves = wrong_moves(rule_set, position, oracle, one.rule)
        else:
            position = image_of_gap(rule_set, position, oracle)
            moves = gap_moves(rule_set, position, oracle)
        key, met = (one.rule, position.notation), one
        if key in found:
            there = found[key].met
            first = min(there, one, key=lambda x: x.seed)
            met = replace(first, times=there.times + one.times)
        found[key] = Finding(position, moves, met)
    return sorted(found.values(), key=lambda x: (not x.met.rule, size(x.position)))


def case_of_finding(
    one: Finding, rule_set: RuleSet, origin: Origin, rules: str
) -> Case:
    """Return the case of a finding of a hunt.

    - `origin`: how the case names the rules.
    - `rules`: the rules as they were typed.
    """
    met, where = one.met, one.met.position.board.notation
    source = f"mined on {where} with {rules}, seed {met.seed}"
    if not met.rule:
        return gap_case(one.position, met.position, rule_set, origin, source)
    return Case(
        "unsound",
        f"{met.rule} forbids a move that a completion begins with",
        source,
        one.position,
        truth(one.position, get_oracle("sat")),
        rules=origin.rules,
        rule="" if met.rule == origin.rules else met.rule,
        subject=one.moves,
        text=origin.text,
        found=met.position.notation if met.position != one.position else "",
    )
