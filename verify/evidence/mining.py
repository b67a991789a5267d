"""Hunts: walk until stuck, find the step to blame, shrink the position.

A walk that obeys rules and gets stuck is *lost* at its first fatal step. Before that
step a completion exists. If the rules allow a completable move there, they miss a dead
one: a *gap*. If they forbid every completable move, a *wrong rule* is to blame.

A hunt is two long runs. The first makes walks and blames those that are stuck, a block
of seeds a unit. The second shrinks the positions that stopped them, one a unit, so a
hunt that ends early loses no position.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from heuristic.groups import load_rules
from heuristic.rule import Boards, RuleSet, choices, narrowest
from solver.board import Board, Position
from solver.oracles.oracle import Oracle, get_oracle
from verify.corpus.cases import Case, Origin
from verify.corpus.faults import gap_case, rule_case
from verify.evidence.evidence import ROOMS, block_of, seconds_of
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


class Met(NamedTuple):
    """A position that stopped walks.

    - `rule`: the wrong rule; empty if the position is a gap.
    - `seed`: of the first walk.
    - `times`: walks that it stopped. Of a wrong rule it is the smallest of the
      positions that stopped them.
    """

    rule: str
    position: Position
    seed: int
    times: int = 1


def lost_walks(
    rule_set: RuleSet,
    board: Board,
    *,
    walks: int,
    seed: int,
    advance: Advance = lambda done, total: None,
) -> Iterator[list[Met]]:
    """Make walks of seeds from `seed` on; yield what stopped each stuck one.

    That is a gap, or every rule that forbids a completable move at the last completable
    position, if all such moves are forbidden. It is empty for a walk whose fatal step
    the oracle does not know within its limit.
    """
    oracle = get_oracle("search")
    walker = rule_set.walker(board)
    for number in advancing(range(seed, seed + walks), walks, advance):
        position = walker.walk(number)
        if not position.complete:
            lost = blame(position, oracle)
            rules = _to_blame(rule_set, lost, oracle) if lost else []
            yield [Met(rule, lost, number) for rule in rules if lost]


def _to_blame(rule_set: RuleSet, lost: Position, oracle: Oracle) -> list[str]:
    """Return the wrong rules; an empty name for a gap; nothing if it is unknown."""
    forbidden = set(forbidden_moves(rule_set, lost))
    good = [m for m in choices(lost) if is_completable(lost.step(m), oracle)]
    if good and forbidden.issuperset(good):
        wrong = [f.rule for f in rule_set.forbids(lost) if f.move in good]
        return [*dict.fromkeys(wrong)]
    return [""] if gap_moves(rule_set, lost, oracle) else []


def gaps_met(
    rule_set: RuleSet, board: Board, *, walks: int, seed: int
) -> Iterator[tuple[Position, str]]:
    """Yield the gaps that stopped walks, canonical, each with its allowed dead moves.

    The walks are those of `lost_walks`.
    """
    oracle = get_oracle("search")
    for met in lost_walks(rule_set, board, walks=walks, seed=seed):
        for gap in met:
            if not gap.rule:
                position = image_of_gap(rule_set, gap.position, oracle)
                yield position, gap_moves(rule_set, position, oracle)


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


def _joined(met: Iterable[Met]) -> list[Met]:
    """Join what is the same: gaps by position, wrong rules by name."""
    joined: dict[tuple[str, str], Met] = {}
    for new in met:
        key = new.rule, "" if new.rule else new.position.notation
        if key in joined:
            old = joined[key]
            best = min(old, new, key=lambda x: (*size(x.position), x.seed))
            new = best._replace(times=old.times + new.times)
        joined[key] = new
    return list(joined.values())


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
        met = _joined(one for some in lost for one in some)
        return {
            "walks": walks,
            "stuck": len(lost),
            "by_gap": sum(bool(some) and not some[0].rule for some in lost),
            "by_wrong": sum(bool(some) and bool(some[0].rule) for some in lost),
            "met": [[m.rule, m.position.notation, m.seed, m.times] for m in met],
        }

    return mined


def fold(results: Iterator[dict[str, Any]]) -> Mined:
    """Add up the results of units."""
    sums = dict.fromkeys(("walks", "stuck", "by_gap", "by_wrong"), 0)
    met: list[Met] = []
    for result in results:
        for name in sums:
            sums[name] += result[name]
        met += [
            Met(rule, Position.parse(notation), seed, times)
            for rule, notation, seed, times in result["met"]
        ]
    return Mined(**sums, met=tuple(_joined(met)))


def shrinking(
    rule_set: RuleSet, met: Sequence[Met], *, boards: Boards
) -> LongRun[dict[int, Smaller]]:
    """Shrink positions that stopped walks under rules; the answer is by their number.

    - `boards`: the kind of boards that smaller positions may lie on.
    """
    units = [
        Unit(
            [number, one.rule, one.position.notation],
            _SHRINK * one.position.board.open_cells**3,
        )
        for number, one in enumerate(met)
    ]
    rules = rule_set.name
    parameters = {"rules": rules, "boards": boards.value}
    work = work_of(_shrinking, parameters, *ROOMS, rules=rules)
    return LongRun("mine-shrink", work, units, _by_number)


def _by_number(results: Iterator[list[Any]]) -> dict[int, Smaller]:
    return {number: (notation, moves) for number, notation, moves in results}


def _shrinking(rules: str, boards: str) -> Callable[[list[Any], Advance], list[Any]]:
    """Return what shrinks a position."""
    rule_set, oracle = load_rules(rules), get_oracle("search")

    def shrunk(payload: list[Any], _: Advance) -> list[Any]:
        number, rule, notation = payload
        position, kind = Position.parse(notation), Boards(boards)
        if rule:
            kind = narrowest([kind, boards_like(position.board)])
            small = smallest_wrong(WrongRule(rule_set, rule, kind, oracle), position)
        else:
            small = shrink_gap(rule_set, position, oracle)
        return [number, *_shown(rule_set, rule, small, oracle)]

    return shrunk


def _shown(rules: RuleSet, rule: str, position: Position, oracle: Oracle) -> Smaller:
    """Return a position and the moves in question; of a gap the canonical image."""
    if rule:
        return position.notation, wrong_moves(rules, position, oracle, rule)
    position = image_of_gap(rules, position, oracle)
    return position.notation, gap_moves(rules, position, oracle)


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
    """Return the gaps and wrong rules of a hunt, each distinct position once.

    Wrong rules come first, then gaps; the smallest of each kind first. `smaller` has
    the answer of `shrinking` by the number of what was met; what is missing there stays
    as it was met.
    """
    oracle = get_oracle("search")
    distinct: dict[tuple[str, str], Finding] = {}
    for number, met in enumerate(hunt.met):
        shown = smaller.get(number) or _shown(rule_set, met.rule, met.position, oracle)
        notation, moves = shown
        key = met.rule, notation
        if key in distinct:
            other = distinct[key].met
            first = min(other, met, key=lambda x: x.seed)
            met = first._replace(times=other.times + met.times)
        distinct[key] = Finding(Position.parse(notation), moves, met)
    return sorted(distinct.values(), key=lambda x: (not x.met.rule, size(x.position)))


def case_of_finding(finding: Finding, rule_set: RuleSet, origin: Origin) -> Case:
    """Return the case of a finding of a hunt; `origin` is how it names the rules."""
    met = finding.met
    board = met.position.board.notation
    source = f"mined on {board} with {rule_set.name}, seed {met.seed}"
    places = finding.position, met.position
    if not met.rule:
        return gap_case(*places, rule_set, origin, source)
    why = f"{met.rule} forbids a move that a completion begins with"
    moves, rule = finding.moves, met.rule
    return rule_case("unsound", *places, moves, rule, origin, source, why)
