"""No finite book of drawings is complete: the steps of the proof, by program.

docs/explanation/drawings.md has the proof; `tests.doubles.staircases` the positions.
"""

import itertools

import numpy as np
import numpy.typing as npt
import pytest

from heuristic.matching.forced import fill_lines, new_lines
from solver.board import Position
from solver.oracles.oracle import Verdict, get_oracle
from tests.doubles.staircases import alive, completion, dead
from tests.solid.worlds import is_connected
from verify.checker.dead import find_dead_fault
from verify.checker.position import find_fault

Codes = npt.NDArray[np.int64]
FREE, END, START, OUTSIDE = 0, 1, 2, 3  # other codes: 4 and more, by directions


def region(position: Position, k: int) -> list[int]:
    """Return U: the pocket, the column beside it, and the live end."""
    cols = position.board.cols
    free = position.free
    cells = [position.live_end]
    for col in range(1, 3 * k + 1):
        row = 0
        while free[row * cols + col]:
            cells.append(row * cols + col)
            row += 1
    return cells + [r * cols + 3 * k + 1 for r in range(position.live_end // cols)]


@pytest.mark.parametrize("k", [2, 4, 6, 8, 10, 16])
def test_a_is_dead_by_a_count(k: int) -> None:
    position = dead(k, 5 * k + 13)
    cells = region(position, k)
    black = {cell for cell in cells if position.board.black(cell)}
    colour = "white" if position.board.black(position.live_end) else "black"
    proof = {"kind": "colours", "colour": colour, "region": cells}
    assert find_dead_fault(position.notation, proof) is None
    need = 2 * (len(cells) - 2 * len(black)) * (1 if colour == "white" else -1) + 1
    assert need == k - 1
    # The same count proves nothing of the position that looks alike.
    other = alive(k + 2, 5 * k + 23)
    proof["region"] = region(other, k)
    assert find_dead_fault(other.notation, proof) is not None


@pytest.mark.parametrize("k", [4, 6])
def test_oracles_agree(k: int) -> None:
    oracle, side = get_oracle("sat"), 5 * k + 13
    assert oracle.decide(dead(k, side)).verdict is Verdict.DEAD
    assert oracle.decide(alive(k, side)).verdict is Verdict.COMPLETABLE


@pytest.mark.parametrize("bends", range(1, 10))
def test_completions_of_staircases(bends: int) -> None:
    for top, spare in itertools.product((3, 5, 9, 15), (1, 2, 4)):
        position = completion(bends, top, spare)
        side = position.board.rows
        assert find_fault(f"{side}:", position.walk[1:]) is None
        m = 10 * bends + 3 + top
        assert position.notation.startswith(f"{side}:{'D' * m}RRRUUU")
        assert position.moves[m:].startswith("RRRUUU" * (2 * bends + 1))


@pytest.mark.parametrize("k", range(4, 17, 2))
def test_b_is_part_of_a_complete_walk(k: int) -> None:
    whole = completion((k - 2) // 2, 15, 1)
    assert whole.notation.startswith(alive(k, whole.board.rows).notation)


def windows(position: Position, radius: int) -> list[tuple[bytes, str]]:
    """Return what is seen around the live end before each move, and the move.

    Of every cell: outside, free, the end, the start, or the directions by which the
    walk came and went; the window also knows the colour of its middle.
    """
    side = position.board.rows
    codes = np.full((side + 2 * radius, side + 2 * radius), OUTSIDE, dtype=np.int8)
    inner = codes[radius : radius + side, radius : radius + side]
    inner[:] = FREE
    inner[-1, -1] = END
    views, came, walk = [], -1, position.walk
    for at, there in itertools.pairwise(walk):
        row, col = divmod(at, side)
        inner[row, col] = START if came < 0 else 4 + 5 * came
        seen = codes[row : row + 2 * radius + 1, col : col + 2 * radius + 1]
        went = position.board.direction(at, there)
        views.append((seen.tobytes() + bytes([(row + col) % 2]), "URDL"[went]))
        inner[row, col] = 30 + went if came < 0 else 4 + 5 * came + 1 + went
        came = went
    return views


@pytest.mark.parametrize(
    "k", [6, 8, *(pytest.param(k, marks=pytest.mark.slow) for k in (10, 12, 14, 16))]
)
def test_windows_are_alike(k: int) -> None:
    side, radius = 14 * k + 41, 2 * k - 4
    first, other = windows(dead(k, side), radius), windows(alive(k, side), radius)
    assert set(first) == set(other)
    wider = windows(dead(k, side), radius + 3 * k), windows(alive(k, side), 5 * k - 4)
    assert set(wider[0]) != set(wider[1])  # what is compared does see a difference


@pytest.mark.parametrize(
    "k", [6, *(pytest.param(k, marks=pytest.mark.slow) for k in (8, 10, 12, 14, 16))]
)
def test_one_area_alone_reaches_out_of_a_window(k: int) -> None:
    # So of all areas that marks in the window cut off, all but one lie inside it.
    side, radius = 5 * k + 13, 2 * k - 4
    for position, down in ((dead(k, side), 5 * k - 4), (alive(k, side), 5 * k + 8)):
        free = np.ones((side, side), dtype=np.bool_)
        looks = 0
        for step, cell in enumerate(position.walk[:-1]):
            row, col = divmod(cell, side)
            free[row, col] = False
            if row <= radius and step > down:
                continue
            seen = free.copy()
            low, left = max(row - radius, 0), max(col - radius, 0)
            seen[low : row + radius + 1, left : col + radius + 1] = False
            assert is_connected(frozenset(zip(*map(list, seen.nonzero()), strict=True)))
            looks += 1
        assert looks > down


def forced_windows(position: Position, radius: int) -> set[tuple[object, str]]:
    """Return what is forced in the window before each move, and the move.

    Of each cell its forced edges, and the other end of a line that ends there: where,
    if it lies in the window.
    """
    board, side = position.board, position.board.rows
    order = np.full(board.cells, -1, dtype=np.int32)
    views = set[tuple[object, str]]()
    for step, (cell, move) in enumerate(
        zip(position.walk, position.moves, strict=False)
    ):
        order[cell] = step
        lines = new_lines(board.cells)
        fill_lines(order, (side, side, board.end), cell, lines)
        ways, mates = lines.ways, lines.mates

        def seen(other: int, at: int = cell) -> tuple[int, int] | None:
            r, c = other // side - at // side, other % side - at % side
            return (r, c) if max(abs(r), abs(c)) <= radius else None

        met = np.flatnonzero((ways > 0) | (mates >= 0)).tolist()
        what = [
            (at, int(ways[c]), mates[c] >= 0 and (seen(int(mates[c])) or "far"))
            for c in met
            if (at := seen(c))
        ]
        views.add((frozenset(what), move))
    return views


@pytest.mark.parametrize(("k", "radius"), [(6, 6), (8, 12), (10, 16)])
def test_forced_edges_and_lines_are_alike(k: int, radius: int) -> None:
    first, other = dead(k, 6 * k + 21), alive(k, 6 * k + 21)
    mine = forced_windows(first, radius)
    assert mine == forced_windows(other, radius)
    assert sum(bool(what) for what, _ in mine) > 6
    wide = 3 * k
    assert forced_windows(first, wide) != forced_windows(other, wide)
