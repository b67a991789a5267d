"""Random positions of every kind, decided by all oracles: each disagreement is a fault.

Everything follows from a seed and a number. A board gives eight positions. Half of
them are prefixes of an exact walk, hence completable unless that walk is wrong; of the
others most have just left it, which is where oracles have work to do. The positions of
one board in ten come from no oracle.

`sat` and `search` are always asked, `strips` where it has answers, `frontier` where the
board is narrow. `verify.checker` judges witnesses and a sample of the proofs of DEAD;
it shares no code with the oracles.
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
from solver.oracles.strips import why_not
from verify.checker.position import find_fault
from verify.evidence.evidence import ROOMS
from verify.runs.longrun import Advance, LongRun, advancing, spans, work_of
from verify.truth import proof_fault

A_BOARD = 8  # positions of each board
KINDS = ("square", "rectangle", "walls", "ends", "walls and ends")
_MOST = (9, 9, 9, 9, 9, 9, 13, 13, 13, 21)  # the largest side, by a random number
_LEAST = 5  # cells of a side
_TRIES = 12  # boards until one has a walk
_COLOURS = 100  # boards until the colours of one can alternate
_NARROW = 8  # cells across up to which `frontier` is always asked: 0.05 s
_WIDE = 11  # up to which it is asked of a sample: a second
# Samples are one or two positions in nineteen, a number prime to those of the kinds of
# boards and of the positions of a board: every kind of position is in each sample.
_ROUND, _FOR_FRONTIER, _FOR_PROOFS = 19, (4, 13), (2,)
_UNIT = 200  # positions, of 25 boards
_SECONDS = 0.005  # a position, about


def random_positions(seed: int, number: int) -> tuple[str, list[Position]]:
    """Return a kind of boards and positions of one; milliseconds.

    The longer the walk the later, so that what follows walks continues from one to the
    next. Six boards in ten have sides up to 9, three up to 13, one up to 21.

    >>> kind, positions = random_positions(1, 7)
    >>> kind, len(positions), positions == random_positions(1, 7)[1]
    ('walls', 8, True)
    """
    rng = np.random.default_rng([seed, number])
    kind, most = KINDS[number % len(KINDS)], int(rng.choice(_MOST))
    board, path = _board(rng, kind, most), tuple[Cell, ...]()
    if number // len(KINDS) % 10 < 9:
        for _ in range(_TRIES):
            walk = exact_walk(board, int(rng.integers(1 << 62)))
            if walk.verdict is Verdict.COMPLETABLE:
                path = walk.position.walk
                break
            board = _board(rng, kind, most)
    positions = []
    cuts = np.sort(rng.integers(1, max(2, len(path)), size=A_BOARD))
    for place, cut in enumerate(cuts.tolist()):
        if not path:
            steps = int(rng.integers(board.open_cells))
            positions.append(_wander(Position(board), rng, steps))
        elif place % 2:
            positions.append(Position(board, path[:cut]))
        else:
            positions.append(_leave(board, path, cut, rng))
    return kind, sorted(positions, key=lambda position: len(position.walk))


def _leave(
    board: Board, path: tuple[Cell, ...], cut: int, rng: np.random.Generator
) -> Position:
    """Leave a walk at the first cell from `cut` on where another move is free."""
    for at in [*range(cut, len(path)), *range(1, cut)]:
        options = Position(board, path[:at]).options().values()
        others = [cell for cell in options if cell != path[at]]
        if others:
            cell = others[int(rng.integers(len(others)))]
            left = Position(board, (*path[:at], cell))
            return _wander(left, rng, int(rng.integers(4)))
    return Position(board, path[:cut])


def _wander(position: Position, rng: np.random.Generator, steps: int) -> Position:
    """Take a number of free moves, none into the end cell."""
    board = position.board
    for _ in range(steps):
        options = position.options()
        moves = [move for move, cell in options.items() if cell != board.end]
        if not moves:
            break
        position = position.step(moves[int(rng.integers(len(moves)))])
    return position


def _board(rng: np.random.Generator, kind: str, most: int) -> Board:
    """Return a board of a kind; most have colours that can alternate."""
    if kind == "square":
        return Board.square(int(rng.choice(range(_LEAST, most + 1, 2))))
    for _ in range(_COLOURS):
        rows, cols = (int(side) for side in rng.integers(_LEAST, most + 1, size=2))
        cells = rows * cols
        start, end = 0, cells - 1
        if "ends" in kind:
            start, end = (int(cell) for cell in rng.choice(cells, 2, replace=False))
        walls: set[int] = set()
        if "walls" in kind:
            count = int(rng.integers(1, max(2, cells // 16)))
            walls = {int(cell) for cell in rng.choice(cells, count, replace=False)}
        board = Board(rows, cols, start, end, tuple(sorted(walls - {start, end})))
        if _alternates(board):
            break
    return board


def _alternates(board: Board) -> bool:
    """Whether the colours of the open cells can alternate from start to end."""
    walls = {*board.walls}
    black = sum(board.black(c) for c in range(board.cells) if c not in walls)
    surplus = 2 * black - board.open_cells
    return surplus == board.black(board.start) + board.black(board.end) - 1


@cache
def _oracles() -> dict[str, Oracle]:
    return {
        "sat": get_oracle("sat"),
        "search": get_oracle("search"),
        "frontier": FrontierOracle(limit=300_000),
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
    return names


def compare(
    position: Position, number: int, oracles: Mapping[str, Oracle] | None = None
) -> tuple[Counter[str], list[str]]:
    """Ask the oracles about a position; count what they say, and list what differs.

    A fault is a line: the position, then what does not fit. Ten milliseconds on 9 x 9,
    a hundred on 21 x 21.
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
                faults.append(f"{position.notation} witness of {name}: {fault}")
    if len(set(verdicts.values())) > 1:
        faults.append(f"{position.notation} verdicts differ: {_listed(verdicts)}")
    truth = verdicts.get("sat")
    if truth is Verdict.DEAD and number % _ROUND in _FOR_PROOFS:
        counts["proofs"] += 1
        if fault := proof_fault(position):
            faults.append(f"{position.notation} proof: {fault}")
    if not position.complete:
        faults += _move_faults(position, truth, oracles["search"], counts)
    return counts, faults


def _listed(verdicts: Mapping[str, Verdict]) -> str:
    return " ".join(f"{name} {verdict.name}" for name, verdict in verdicts.items())


def _move_faults(
    position: Position, truth: Verdict | None, search: Oracle, counts: Counter[str]
) -> Iterator[str]:
    """Compare the moves with the position, and what is forbidden with the moves."""
    moves = {m: search.decide(position.step(m)).verdict for m in position.options()}
    counts.update(f"move {verdict.name}" for verdict in moves.values())
    some = Verdict.COMPLETABLE in moves.values()
    unknown = Verdict.UNKNOWN in moves.values()
    if truth is not None and some != (truth is Verdict.COMPLETABLE) and not unknown:
        yield f"{position.notation} is {truth.name}, its moves {_listed(moves)}"
    forbids = _rules().forbids(position)
    for forbid in forbids:
        counts["forbidden"] += 1
        where = f"{position.notation} {forbid.rule} forbids {forbid.move}"
        if moves.get(forbid.move) is Verdict.COMPLETABLE:
            yield f"{where}, which is completable"
    dead = {move for move, verdict in moves.items() if verdict is Verdict.DEAD}
    counts["dead moves allowed"] += len(dead.difference(f.move for f in forbids))


@dataclass(frozen=True, slots=True)
class Comparison:
    """The sum of a long comparison.

    - `faults`: disagreements of whatever kind.
    - `counts`: by words: what each oracle said, witnesses and proofs judged, moves,
      forbidden moves, and boards of each kind.
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
        counts, lines = Counter[str](), list[str]()
        for number in advancing(range(first, first + many), many, advance):
            if number % A_BOARD == 0:
                kind, positions = random_positions(seed, number // A_BOARD)
            said, faults = compare(positions[number % A_BOARD], number)
            counts.update(said)
            counts[f"board {kind}"] += 1
            lines += faults
        result = {"positions": many, "faults": len(lines)} | counts
        return result | ({"lines": lines} if lines else {})

    return compared


def fold(results: Iterator[dict[str, Any]]) -> Comparison:
    """Add results."""
    total, lines = Counter[str](), list[str]()
    for result in results:
        lines += result.pop("lines", ())
        total.update(result)
    positions, faults = total.pop("positions", 0), total.pop("faults", 0)
    return Comparison(positions, faults, dict(sorted(total.items())), tuple(lines))


def summary_lines(comparison: Comparison) -> list[str]:
    """Return the sums of a comparison as lines of text."""
    counts = [f"  {key}: {number:,}" for key, number in comparison.counts.items()]
    positions, faults = comparison.positions, comparison.faults
    return [f"{positions:,} positions compared, {faults:,} disagreements", *counts]
