"""Counts, ranks and uniform walks: against doubles, brute force and known terms."""

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import solver.counting.count as counting
from solver.board import Board, Position
from solver.counting import layers
from solver.counting.count import (
    LayerRun,
    TooLargeError,
    UniformWalks,
    combine,
    count_completions,
    count_cycles,
    count_moves,
    fork_count,
    left_first,
    make_plan,
    moduli_for,
    most_completions,
    rank,
    unrank,
)
from solver.counting.paths import count_paths
from solver.errors import NoWalkError, OptionError
from solver.oracles.reference import completions
from tests.doubles import frontier
from verify.strategies import boards, positions

WALKS = {  # OEIS A001184
    1: 1,
    2: 0,
    3: 2,
    5: 104,
    6: 0,
    7: 111712,
    9: 2688307514,
    11: 1445778936756068,
    13: 17337631013706758184626,
    15: 4628650743368437273677525554148,
    17: 27478778338807945303765092195103685118924,
    19: 3624535898373102388136082434499102953622088789490358,  # our own
}
SMALL = positions(boards(max_side=5, max_walls=4, corners=False))
MIDDLE = positions(boards(min_side=5, max_side=7, max_walls=4, corners=False))


@pytest.mark.parametrize(
    "side",
    [n if n < 15 else pytest.param(n, marks=pytest.mark.slow) for n in WALKS],
)
def test_squares_have_the_published_numbers_of_walks(side: int) -> None:
    assert count_completions(Position(Board.square(side))) == WALKS[side]


@settings(deadline=None, max_examples=30)
@given(SMALL | MIDDLE)
@example(Position.parse("7@4,4>3,4:"))  # both ends within: ties inside of pairs
@example(Position.parse("7x6@4,4>3,2!1,1;6,6:"))
@example(Position.parse("2x7@1,2>2,4:"))  # a move leads to where layers begin
@example(Position.parse("5x3@1,3>3,3!5,1:D"))
@example(Position.parse("2x3@1,1>1,2:R"))
@example(Position.parse("2:RD"))
@example(Position.parse("1x1:"))
def test_counts_are_those_of_the_double(position: Position) -> None:
    moves = {
        move: frontier.count_completions(position.step(move))
        for move in position.options()
    }
    assert count_moves(position) == moves
    assert count_completions(position) == sum(moves.values()) + position.complete


@settings(deadline=None, max_examples=40)
@given(SMALL)
def test_the_double_counts_what_a_naive_search_finds(position: Position) -> None:
    assert frontier.count_completions(position) == sum(1 for _ in completions(position))


@settings(deadline=None, max_examples=30)
@given(MIDDLE)
def test_plans_predict_the_states_and_bound_the_count(position: Position) -> None:
    if counting.trivial_count(position) is not None:
        return
    plan = make_plan(position)
    made = LayerRun(plan, whole=True).layers
    for layer in range(len(plan.cells)):
        states = layers.place_blocks(made.cells, layer, made.counts, made.offsets)
        assert states == plan.states[layer]
    moves = count_moves(position)
    assert sum(moves.values()) <= most_completions(plan) <= 2 ** fork_count(plan)
    with pytest.MonkeyPatch.context() as patch:  # residues give what limbs give
        patch.setattr(counting, "_SINGLE", 0)
        assert count_moves(position) == moves


def _is_prime(number: int) -> bool:
    """Fermat's test; a composite number passes it hardly ever."""
    return all(pow(base, number - 1, number) == 1 for base in (2, 3, 5, 7, 11, 13))


def test_moduli_are_all_the_primes_next_below_a_word() -> None:
    moduli = moduli_for(2**2015)
    odd = range(2**63 - 1, moduli[-1] - 1, -2)
    assert [*moduli] == [number for number in odd if _is_prime(number)]
    with pytest.raises(OptionError, match="up to 2018 bits is too large"):
        moduli_for(2**2017)
    plan = make_plan(Position.parse("13:"))
    bound = most_completions(plan)
    assert WALKS[13] < bound < 2**88 < 2 ** fork_count(plan)
    assert len(moduli_for(bound)) == 2
    product = moduli[0] * moduli[1]
    assert len(moduli_for(product - 1)) == 2 < len(moduli_for(product)) == 3


def test_large_published_counts_follow_from_their_residues() -> None:
    file = Path("docs/tables/counts.toml").read_text(encoding="utf-8")
    for square in tomllib.loads(file)["square"]:
        for name in ("first", "second"):
            pairs = [(int(modulus), int(residue)) for modulus, residue in square[name]]
            moduli, residues = zip(*pairs, strict=True)
            assert all(map(_is_prime, moduli))
            assert name == "second" or moduli == moduli_for(1 << 240)
            assert 2 * combine(residues, moduli) == int(square["paths"])
        assert WALKS.get(square["side"], int(square["paths"])) == int(square["paths"])


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (
            "23",
            r"a count takes 18\.8 GB \(\S+ states .*, over the limit of 4\.0 GB",
        ),
        ("99", "a frontier of 99 cells is too wide"),
        ("30x31", "31 edges can cross one frontier: 30 at"),
    ],
)
def test_counts_beyond_a_limit_are_refused_at_once(board: str, message: str) -> None:
    with pytest.raises(TooLargeError, match=message):
        count_completions(Position(Board.parse(board)))
    with pytest.raises(TooLargeError, match=r"17: keeping all layers takes 5\.9 GB"):
        UniformWalks(Board.square(17), seed=0)
    assert make_plan(Position.parse("29x30:")).places.max() == 30


def test_wide_boards_that_are_nearly_walked_are_counted() -> None:
    rows = "".join(("R" * 40 + "D", "L" * 40 + "D")[row % 2] for row in range(36))
    place = Position.parse(f"41:{rows}")
    assert place.unvisited == 5 * 41 - 1
    rest = Position.parse("5x41:")
    assert count_completions(place) == frontier.count_completions(rest) > 0


def test_threads_count_the_same_and_an_error_stops_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counting, "SLICE", 10_000)
    monkeypatch.setattr(counting, "_SINGLE", 0)
    place, made = Position(Board.square(11)), list[int]()
    assert count_completions(place, jobs=2, progress=made.append) == WALKS[11]
    plan = make_plan(place)
    assert sum(made) == plan.total * len(moduli_for(most_completions(plan)))

    def refuse(_: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        count_completions(place, jobs=2, progress=refuse)


# Cycles, and paths between any ends ------------------------------------------------

CYCLES = {2: 1, 3: 0, 4: 6, 6: 1072, 8: 4638576, 10: 467260456608}  # OEIS A003763
PATHS = {2: 4, 3: 20, 4: 276, 5: 4324, 7: 13535280, 11: 786671485270308848}  # A120443


@settings(deadline=None, max_examples=30)
@given(boards(max_side=6, max_walls=6, corners=False))
def test_cycles_and_paths_are_those_of_the_double(board: Board) -> None:
    assert count_paths(board) == frontier.count_paths(board)
    first = min({*range(board.cells)}.difference(board.walls))
    around = [cell for cell in board.neighbours[first].tolist() if cell >= 0]
    if board.open_cells > 2:  # from the first cell to its neighbours, both directions
        ends = [replace(board, start=first, end=cell) for cell in around]
        paths = [frontier.count_completions(Position(end)) for end in ends]
        assert 2 * count_cycles(board) == sum(paths)
    else:
        assert count_cycles(board) == 0


def test_squares_have_the_published_numbers_of_cycles_and_paths() -> None:
    assert {side: count_cycles(Board.square(side)) for side in CYCLES} == CYCLES
    assert {side: count_paths(Board.square(side)) for side in PATHS} == PATHS


def test_paths_need_several_limbs_and_have_limits() -> None:
    assert count_paths(Board(3, 60)) == 8_718_968_743_029_374_974
    assert count_paths(Board(3, 90)) > 2**64
    with pytest.raises(TooLargeError, match=r"a count of paths takes .*the limit of"):
        count_paths(Board(30, 29), memory=1_000_000)  # 30 edges cross its frontiers
    inside = [row * 40 + col for row in range(1, 39) for col in range(1, 39)]
    ring = Board(40, 40, walls=tuple(inside))  # open edges alone cross a frontier
    assert count_paths(ring) == ring.open_cells == 156
    with pytest.raises(TooLargeError, match="31 edges can cross one frontier: 30 at"):
        count_paths(Board(31, 30))


# Ranks -----------------------------------------------------------------------------


def listed(position: Position) -> Iterator[Position]:
    """List the complete walks that begin as a position does, left first."""
    if position.complete:
        yield position
    for move in left_first(position):
        yield from listed(position.step(move))


@pytest.mark.parametrize("text", ["3", "3x5", "4@2,2>1,2", "5!2,4;3,4"])
def test_ranks_are_those_of_a_listing(text: str) -> None:
    board = Board.parse(text)
    walks = list(listed(Position(board)))
    for number in range(0, len(walks), 7):
        assert rank(walks[number]) == number
        assert unrank(board, number) == walks[number]
        place = walks[number].back(3)  # the first walk that begins so has its rank
        same = [w.walk[: len(place.walk)] == place.walk for w in walks]
        assert rank(place) == same.index(True)
    for number in (-1, len(walks)):
        with pytest.raises(OptionError, match=f"rank {number} is not below"):
            unrank(board, number)


# Uniform walks ---------------------------------------------------------------------


@settings(deadline=None, max_examples=50)
@given(positions(boards(max_side=6, max_walls=4, corners=False)))
def test_every_number_below_the_count_has_its_completion(position: Position) -> None:
    count = frontier.count_completions(position)
    if not count:
        with pytest.raises(NoWalkError):
            UniformWalks(position, seed=1)
        return
    walks = UniformWalks(position, seed=1)
    assert walks.count == count
    first = [walks.completion(number) for number in range(min(count, 40))]
    assert len(set(first)) == len(first)
    for walk in [*first, walks.completion(count - 1), walks.draw()]:
        assert walk.complete
        assert walk.walk[: len(position.walk)] == position.walk
    for number in (-1, count):
        with pytest.raises(IndexError):
            walks.completion(number)


@pytest.mark.parametrize(
    ("side", "draws"), [(5, 100), pytest.param(7, 10, marks=pytest.mark.slow)]
)
def test_every_walk_is_drawn_equally_often(side: int, draws: int) -> None:
    walks = UniformWalks(Board.square(side), seed=4)
    kinds = WALKS[side]
    drawn = [walks.draw() for _ in range(draws * kinds)]
    times = Counter(drawn)
    square = sum((n - draws) ** 2 / draws for n in times.values())
    square += draws * (kinds - len(times))  # chi-square, then in standard deviations
    assert abs(square - (kinds - 1)) < 3.5 * (2 * (kinds - 1)) ** 0.5
    again, other = (UniformWalks(Board.square(side), seed=seed) for seed in (4, 5))
    assert [again.draw() for _ in range(5)] == drawn[:5]
    assert [other.draw() for _ in range(5)] != drawn[:5]


NUMBERS = st.integers(0, 2**192 - 1)


@settings(deadline=None, max_examples=60)
@given(NUMBERS, NUMBERS)
@example(1 << 128, 1)  # borrows through a limb of zeros
@example(1 << 64, (1 << 64) - 1)
@example(5, 5)
def test_numbers_of_several_limbs_are_subtracted(pick: int, number: int) -> None:
    run = LayerRun(make_plan(Position(Board.square(3))), limbs=3)
    values, limbs = (
        np.array([n >> 64 * limb & 2**64 - 1 for limb in range(3)], np.uint64)
        for n in (number, pick)
    )
    below = layers._pick_below(run.layers._replace(values=values), 0, limbs)
    assert below == (pick < number)
    left = sum(limb << 64 * at for at, limb in enumerate(limbs.tolist()))
    assert left == (pick if below else pick - number)
