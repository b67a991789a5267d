"""Comparison of all oracles on random positions: a disagreement is an internal error.

A seed and a number decide everything. Each board gives eight positions. Half of them
are prefixes of an exact walk, hence completable unless that walk is wrong. Most of the
others have just left it, where oracles have work to do. One board in ten is used
without an exact walk. `verify.checker`, which shares no code with the oracles, checks
the witnesses and a sample of the proofs of DEAD.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from heuristic.groups import load_rules
from heuristic.rule import RuleSet
from solver.board import Board, Cell, Position
from solver.counting.count import FrontierOracle
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import Oracle, Verdict, get_oracle
from solver.oracles.reference import CpsatOracle
from solver.oracles.strips import why_not
from verify.checker.position import find_fault
from verify.evidence.evidence import ROOMS
from verify.runs.longrun import Advance, LongRun, advancing, spans, work_of
from verify.truth import proof_fault

A_BOARD = 8  # positions of each board
KINDS = ("square", "rectangle", "walls", "ends", "walls and ends")
_SIDES = (9, 9, 9, 9, 9, 9, 13, 13, 13, 21)  # the largest side, chosen at random
_LEAST = 5  # cells of a side
_TRIES = 24  # boards until one has an exact walk
_NARROW = 8  # cells across, up to which `frontier` decides each position: 0.05 s
_WIDE = 11  # up to which it decides a sample: a second
_SMALL = 100  # cells, up to which `cpsat` decides a sample
# Samples are one or two positions in nineteen, which is prime to the numbers of kinds
# and of positions a board. So each sample has every kind of position.
_ROUND, _FOR_CPSAT, _FOR_FRONTIER, _FOR_PROOFS = 19, (0, 9), (4, 13), (2,)
_EFFORT = 2.0  # of `cpsat`, for a position
_UNIT = 200  # positions, of 25 boards
_SECONDS = 0.005  # about, for a position


def random_positions(seed: int, number: int) -> tuple[str, list[Position]]:
    """Return a kind of boards and positions of one such board, the shortest walk first.

    >>> kind, positions = random_positions(1, 7)
    >>> kind, len(positions), positions == random_positions(1, 7)[1]
    ('walls', 8, True)
    """
    rng = np.random.default_rng([seed, number])
    kind, most = KINDS[number % len(KINDS)], int(rng.choice(_SIDES))
    board, path = _board(rng, kind, most), tuple[Cell, ...]()
    for _ in range(_TRIES if number // len(KINDS) % 10 < 9 else 0):
        walk = exact_walk(board, int(rng.integers(1 << 62)))
        if walk.verdict is Verdict.COMPLETABLE:
            path = walk.position.walk
            break
        board = _board(rng, kind, most)
    positions = []
    for place in range(A_BOARD):
        cut = int(rng.integers(1, max(2, len(path))))
        if not path:
            steps = int(rng.integers(board.open_cells))
            positions.append(_wander(Position(board), rng, steps))
        elif place % 2:
            positions.append(Position(board, path[:cut]))
        else:
            positions.append(_leave(board, path, cut, rng))
    return kind, sorted(positions, key=lambda position: len(position.walk))


def _board(rng: np.random.Generator, kind: str, most: int) -> Board:
    if kind == "square":
        return Board.square(int(rng.choice(range(_LEAST, most + 1, 2))))
    rows, cols = (int(side) for side in rng.integers(_LEAST, most + 1, size=2))
    cells = rows * cols
    start, end = 0, cells - 1
    if "ends" in kind:
        start, end = (int(cell) for cell in rng.choice(cells, 2, replace=False))
    walls: set[int] = set()
    if "walls" in kind:
        count = int(rng.integers(1, max(2, cells // 16)))
        walls = {int(cell) for cell in rng.choice(cells, count, replace=False)}
    return Board(rows, cols, start, end, tuple(sorted(walls - {start, end})))


def _leave(
    board: Board, path: tuple[Cell, ...], cut: int, rng: np.random.Generator
) -> Position:
    """Leave a walk at the first cell from `cut` on where another move is free."""
    for at in range(cut, len(path)):
        options = Position(board, path[:at]).options().values()
        others = [cell for cell in options if cell != path[at]]
        if others:
            cell = others[int(rng.integers(len(others)))]
            left = Position(board, (*path[:at], cell))
            return _wander(left, rng, int(rng.integers(4)))
    return Position(board, path[:cut])


def _wander(position: Position, rng: np.random.Generator, steps: int) -> Position:
    """Extend a walk by random moves that do not enter the end cell."""
    board = position.board
    for _ in range(steps):
        options = position.options()
        moves = [move for move, cell in options.items() if cell != board.end]
        if not moves:
            break
        position = position.step(moves[int(rng.integers(len(moves)))])
    return position


@cache
def _oracles() -> dict[str, Oracle]:
    return {
        "sat": get_oracle("sat"),
        "search": get_oracle("search"),
        "frontier": FrontierOracle(limit=300_000),
        "cpsat": CpsatOracle(seconds=3600, effort=_EFFORT, presolve=False),
        "strips": get_oracle("strips"),
    }


@cache
def _rules() -> RuleSet:
    return load_rules("universal")


def oracles_for(position: Position, number: int) -> list[str]:
    """Return the names of the oracles that decide the position of a number."""
    board = position.board
    across, turn = min(board.rows, board.cols), number % _ROUND
    names = ["sat", "search"]
    if why_not(position) is None:
        names.append("strips")
    if across <= _NARROW or (across <= _WIDE and turn in _FOR_FRONTIER):
        names.append("frontier")
    if board.cells <= _SMALL and turn in _FOR_CPSAT:
        names.append("cpsat")
    return names


def compare(
    position: Position, number: int, oracles: Mapping[str, Oracle] | None = None
) -> tuple[Counter[str], list[str]]:
    """Decide a position by the oracles; count their answers, and list disagreements.

    A disagreement is a line: the position, then what contradicts. Ten milliseconds on
    9 x 9, a hundred on 21 x 21.
    """
    oracles = oracles or _oracles()
    counts, faults, verdicts = Counter[str](), list[str](), dict[str, Verdict]()
    for name in oracles_for(position, number):
        answer = oracles[name].decide(position)
        counts[f"{name} {answer.verdict.name}"] += 1
        if answer.verdict is not Verdict.UNKNOWN:
            verdicts[name] = answer.verdict
        if answer.verdict is Verdict.COMPLETABLE:
            counts["witnesses"] += 1
            if fault := find_fault(position.notation, answer.witness or ()):
                faults.append(f"witness of {name}: {fault}")
    if len(set(verdicts.values())) > 1:
        faults.append(f"verdicts differ: {_listed(verdicts)}")
    truth = verdicts.get("sat")
    if truth is Verdict.DEAD and number % _ROUND in _FOR_PROOFS:
        counts["proofs"] += 1
        if fault := proof_fault(position):
            faults.append(f"proof: {fault}")
    if not position.complete:
        faults += _move_faults(position, truth, oracles["search"], counts)
    return counts, [f"{position.notation} {fault}" for fault in faults]


def _listed(verdicts: Mapping[str, Verdict]) -> str:
    return " ".join(f"{name} {verdict.name}" for name, verdict in verdicts.items())


def _move_faults(
    position: Position, truth: Verdict | None, search: Oracle, counts: Counter[str]
) -> Iterator[str]:
    """Compare the moves with the position, and the rules with the moves."""
    moves = {m: search.decide(position.step(m)).verdict for m in position.options()}
    counts.update(f"move {verdict.name}" for verdict in moves.values())
    some = Verdict.COMPLETABLE in moves.values()
    unknown = Verdict.UNKNOWN in moves.values()
    if truth is not None and some != (truth is Verdict.COMPLETABLE) and not unknown:
        yield f"is {truth.name}, its moves {_listed(moves)}"
    forbids = _rules().forbids(position)
    for forbid in forbids:
        counts["forbidden"] += 1
        if moves.get(forbid.move) is Verdict.COMPLETABLE:
            yield f"{forbid.rule} forbids {forbid.move}, which is completable"
    dead = {move for move, verdict in moves.items() if verdict is Verdict.DEAD}
    counts["dead moves allowed"] += len(dead.difference(f.move for f in forbids))


@dataclass(frozen=True, slots=True)
class Comparison:
    """The sum of a long comparison.

    - `counts`: the answers of each oracle, checked witnesses and proofs, moves,
      forbidden moves, and boards of each kind.
    - `faults`: the disagreements.
    """

    positions: int
    counts: dict[str, int]
    faults: tuple[str, ...]


def oracles(count: int, *, seed: int) -> LongRun[Comparison]:
    """Compare the oracles on `count` random positions of `seed`."""
    units = spans(count, _UNIT, _SECONDS)
    work = work_of(_comparing, {"seed": seed}, "solver", "heuristic", *ROOMS)
    return LongRun("oracles", work, units, _fold)


def _comparing(seed: int) -> Callable[[list[int], Advance], list[Any]]:
    def comparison(payload: list[int], advance: Advance) -> list[Any]:
        first, many = payload
        total, lines = Counter[str](), list[str]()
        for number in advancing(range(first, first + many), many, advance):
            if number % A_BOARD == 0:
                kind, positions = random_positions(seed, number // A_BOARD)
            counts, faults = compare(positions[number % A_BOARD], number)
            total.update(counts)
            total[f"board {kind}"] += 1
            lines += faults
        return [many, total, lines]

    return comparison


def _fold(results: Iterator[list[Any]]) -> Comparison:
    positions, total, lines = 0, Counter[str](), list[str]()
    for many, counts, faults in results:
        positions += many
        total.update(counts)
        lines += faults
    return Comparison(positions, dict(sorted(total.items())), tuple(lines))


def summary_lines(comparison: Comparison) -> list[str]:
    """Return the sums of a comparison as lines of text."""
    counts = [f"  {key}: {number:,}" for key, number in comparison.counts.items()]
    head = f"{comparison.positions:,} positions compared"
    return [f"{head}, {len(comparison.faults):,} disagreements", *counts]
