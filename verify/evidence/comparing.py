"""Drawn positions of every kind put to all oracles: each disagreement is a fault.

Everything follows from a seed and a number. A board gives eight positions. Half of
them are prefixes of an exact walk, hence completable unless that walk is wrong; of the
others most have just left it, which is where oracles have work to do. The positions of
one board in ten are drawn without any oracle. No share is promised exactly: what each
position is, the oracles say.

`sat` and `search` are always asked, `strips` where it has answers, `frontier` where the
board is narrow, `cpsat` now and then. A witness is judged by `verify.checker`, and so
are reasons of the universal rules and a sample of the proofs of DEAD; the checker
shares no code with any of them.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

from heuristic.groups import load_rules
from solver.board import Board, Cell, Position
from solver.counting.uniform import FrontierOracle
from solver.oracles.cpsat import CpsatOracle
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import Oracle, Verdict, get_oracle
from solver.oracles.strips import why_not
from verify.checker.position import find_fault
from verify.checker.reason import find_reason_fault
from verify.evidence.trials import ROOMS
from verify.runs.work import Advance, LongRun, advancing, spans, work_of
from verify.truth import proof_fault

A_BOARD = 8  # positions drawn on each
LEAST = 5  # cells of a side
_MOST = (9, 9, 9, 9, 9, 9, 13, 13, 13, 21)  # the largest side, by the number drawn
KINDS = ("square", "rectangle", "walls", "ends", "walls and ends")
_TRIES = 12  # boards drawn until one has a walk


@dataclass(frozen=True, slots=True)
class RandomPosition:
    """A position taken at random, and the kind of its board, one of `KINDS`."""

    kind: str
    position: Position


def draw_positions(seed: int, number: int) -> list[RandomPosition]:
    """Draw the positions of board number so and so: the same for ever; milliseconds.

    The longer the walk the later, so that what follows walks goes on from one to the
    next. Six boards in ten have sides up to 9, three up to 13, one up to 21.

    >>> len(draw_positions(1, 7)), draw_positions(1, 7) == draw_positions(1, 7)
    (8, True)
    """
    rng = np.random.default_rng([seed, number])
    kind = KINDS[number % len(KINDS)]
    most = int(rng.choice(_MOST))
    path: tuple[Cell, ...] = ()
    if number // len(KINDS) % 10 < 9:
        for _ in range(_TRIES):
            board = _board(rng, kind, most)
            walk = exact_walk(board, int(rng.integers(1 << 62)))
            if walk.verdict is Verdict.COMPLETABLE:
                path = walk.position.walk
                break
    else:
        board = _board(rng, kind, most)
    if not path:
        drawn = [_wander(Position(board), rng, None) for _ in range(A_BOARD)]
    else:
        drawn = []
        for k, cut in enumerate(np.sort(rng.integers(1, len(path), size=A_BOARD))):
            on = Position(board, path[:cut])
            drawn.append(on if k % 2 else _left(board, path, int(cut), rng))
    drawn.sort(key=lambda position: len(position.walk))
    return [RandomPosition(kind, position) for position in drawn]


def _left(
    board: Board, path: tuple[Cell, ...], cut: int, rng: np.random.Generator
) -> Position:
    """Leave a walk at the first cell from `cut` on where another move is free."""
    for at in [*range(cut, len(path)), *range(1, cut)]:
        position = Position(board, path[:at])
        others = [cell for cell in position.options().values() if cell != path[at]]
        if others:
            cell = others[int(rng.integers(len(others)))]
            left = Position(board, (*path[:at], cell))
            return _wander(left, rng, int(rng.integers(4)))
    return Position(board, path[:cut])


def _wander(
    position: Position, rng: np.random.Generator, steps: int | None
) -> Position:
    """Take so many free moves, or a number drawn, none into the end cell."""
    board = position.board
    if steps is None:
        steps = int(rng.integers(board.open_cells))
    walk, visited = list(position.walk), {*position.walk, *board.walls, board.end}
    for _ in range(steps):
        near = [int(c) for c in board.neighbours[walk[-1]] if c >= 0]
        free = [cell for cell in near if cell not in visited]
        if not free:
            break
        walk.append(free[int(rng.integers(len(free)))])
        visited.add(walk[-1])
    return Position(board, tuple(walk))


def _board(rng: np.random.Generator, kind: str, most: int) -> Board:
    if kind == "square":
        side = int(rng.choice(range(LEAST, most + 1, 2)))
        return Board.square(side)
    rows, cols = (int(side) for side in rng.integers(LEAST, most + 1, size=2))
    cells = rows * cols
    start, end = 0, cells - 1
    if "ends" in kind:
        start, end = (int(cell) for cell in rng.choice(cells, 2, replace=False))
    walls: set[int] = set()
    if "walls" in kind:
        count = int(rng.integers(1, max(2, cells // 16)))
        walls = {int(cell) for cell in rng.choice(cells, count, replace=False)}
        walls -= {start, end}
    return _balanced(rng, Board(rows, cols, start, end, tuple(sorted(walls))), kind)


def _balanced(rng: np.random.Generator, board: Board, kind: str) -> Board:
    """Wall cells up, or move the end, until the colours can be walked in turn."""
    black = [cell for cell in range(board.cells) if board.black(cell)]
    shut = {*board.walls}
    surplus = 2 * len([c for c in black if c not in shut]) - board.open_cells
    # black cells minus white cells of a walk with these ends
    wanted = board.black(board.start) + board.black(board.end) - 1
    if surplus == wanted:
        return board
    if "walls" not in kind:
        if kind == "rectangle":  # the other corner of the last row
            return Board(board.rows, board.cols, 0, board.cells - board.cols)
        ends = [c for c in range(board.cells) if board.black(c) == (surplus >= 0)]
        ends = [c for c in ends if c != board.start]
        end = ends[int(rng.integers(len(ends)))]
        return replace(board, end=end)
    taken = {*shut, board.start, board.end}
    spare = [c for c in range(board.cells) if board.black(c) == (surplus > wanted)]
    spare = [cell for cell in spare if cell not in taken]
    count = abs(surplus - wanted)
    if count <= len(spare):
        shut |= {int(cell) for cell in rng.choice(spare, count, replace=False)}
    return replace(board, walls=tuple(sorted(shut)))


_NARROW = 8  # cells across up to which `frontier` is always asked: 0.05 s
_WIDE = 11  # up to which it is asked of a sample: a second
_SMALL = 100  # cells up to which `cpsat` is asked, of a sample
# Samples are one or two positions in nineteen, a number prime to those of the kinds of
# boards and of the positions of a board: every kind of position is in each sample.
_ROUND, _FOR_CPSAT, _FOR_FRONTIER, _FOR_PROOFS = 19, (0, 9), (4, 13), (2,)
_EFFORT = 2.0


@dataclass(slots=True)
class Compared:
    """What was asked and answered, counted, and where answers do not fit."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


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
def _rules() -> Any:
    return load_rules("universal")


def asked(position: Position, number: int) -> list[str]:
    """Return the oracles that are asked about position number so and so."""
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
    position: Position,
    number: int,
    oracles: dict[str, Oracle] | None = None,
) -> Compared:
    """Put a position to everybody; ten milliseconds on 9 x 9, a hundred on 21 x 21."""
    found, oracles = Compared(), oracles or _oracles()
    verdicts = {}
    for name in asked(position, number):
        answer = oracles[name].decide(position)
        found.counts[f"{name} {answer.verdict.name}"] += 1
        if answer.verdict is not Verdict.UNKNOWN:
            verdicts[name] = answer.verdict
        if answer.verdict is Verdict.COMPLETABLE:
            found.counts["witnesses"] += 1
            if fault := find_fault(position.notation, answer.witness or ()):
                found.faults.append(f"{position.notation} witness of {name}: {fault}")
    phrase = " ".join(f"{name} {one.name}" for name, one in verdicts.items())
    if len(set(verdicts.values())) > 1:
        found.faults.append(f"{position.notation} verdicts differ: {phrase}")
    truth = verdicts.get("sat")
    if truth is Verdict.DEAD and number % _ROUND in _FOR_PROOFS:
        found.counts["proofs"] += 1
        if fault := proof_fault(position):
            found.faults.append(f"{position.notation} proof: {fault}")
    _compare_moves(position, truth, oracles["search"], found)
    return found


def _compare_moves(
    position: Position, truth: Verdict | None, search: Oracle, found: Compared
) -> None:
    """Compare the moves with the position, and what is forbidden with the moves."""
    if position.complete:
        return
    moves = {m: search.decide(position.step(m)).verdict for m in position.options()}
    found.counts.update(f"move {one.name}" for one in moves.values())
    some = Verdict.COMPLETABLE in moves.values()
    unknown = Verdict.UNKNOWN in moves.values()
    if truth is not None and some != (truth is Verdict.COMPLETABLE) and not unknown:
        phrase = " ".join(f"{move} {one.name}" for move, one in moves.items())
        found.faults.append(f"{position.notation} is {truth.name}, its moves {phrase}")
    forbidden = _rules().forbids(position)
    for forbid in forbidden:
        found.counts["forbidden"] += 1
        where = f"{position.notation} {forbid.rule} forbids {forbid.move}"
        if moves.get(forbid.move) is Verdict.COMPLETABLE:
            found.faults.append(f"{where}, which is completable")
        fault = find_reason_fault(position.notation, forbid.move, forbid.reason)
        if fault is not None:
            found.faults.append(f"{where}: {fault}")
    dead = sum(one is Verdict.DEAD for one in moves.values())
    allowed = dead - len({forbid.move for forbid in forbidden})
    found.counts["dead moves allowed"] += max(0, allowed)


_UNIT = 200  # positions, of 25 boards
_SECONDS = 0.005  # a position, about


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of it.

    - `faults`: disagreements of whatever kind.
    - `counts`: by words: what each oracle said, witnesses and proofs judged, moves,
      forbidden moves with their reasons judged, and boards of each kind.
    - `lines`: the disagreements.
    """

    positions: int
    faults: int
    counts: dict[str, int]
    lines: tuple[str, ...] = ()


def oracles(count: int, *, seed: int) -> LongRun[Comparison]:
    """Compare on `count` random positions of `seed`."""
    units = spans(count, _UNIT, _SECONDS)
    work = work_of(_comparing, {"seed": seed}, "solver", "heuristic", *ROOMS)
    return LongRun("oracles", work, units, fold)


def _comparing(seed: int) -> Callable[[list[int], Advance], dict[str, Any]]:
    """Return what compares the answers on a block of positions."""

    def compared(payload: list[int], advance: Advance) -> dict[str, Any]:
        first, many = payload
        counts, faults = Counter[str](), list[str]()
        for number in advancing(range(first, first + many), many, advance):
            if number % A_BOARD == 0:
                drawn = draw_positions(seed, number // A_BOARD)
            one = drawn[number % A_BOARD]
            comparison = compare(one.position, number)
            counts.update(comparison.counts)
            counts[f"board {one.kind}"] += 1
            faults += comparison.faults
        result = {"positions": many, "faults": len(faults)} | counts
        return result | ({"lines": faults} if faults else {})

    return compared


def fold(results: Iterator[dict[str, Any]]) -> Comparison:
    """Add results."""
    total, lines = Counter[str](), list[str]()
    for result in results:
        lines += result.pop("lines", ())
        total.update(result)
    positions, faults = total.pop("positions", 0), total.pop("faults", 0)
    return Comparison(positions, faults, dict(sorted(total.items())), tuple(lines))


def summary_lines(found: Comparison) -> list[str]:
    """Return what came of it, in lines."""
    counts = [f"  {key}: {number:,}" for key, number in found.counts.items()]
    return [
        f"{found.positions:,} positions compared, {found.faults:,} disagreements",
        *counts,
    ]
