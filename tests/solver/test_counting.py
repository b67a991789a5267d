"""Counting kernels: against the readable double, brute force, SAT and known terms."""

import tomllib
from itertools import accumulate, product
from pathlib import Path

import pytest
from hypothesis import example, given, settings

import solver.counting.count as counting
from solver.board import Board, Position
from solver.counting import count as plans
from solver.counting import layers
from solver.counting.count import (
    LayerRun,
    TooLargeError,
    choices,
    combine,
    count_completions,
    count_cycles,
    count_moves,
    make_plan,
    moduli_for,
    most_completions,
)
from solver.counting.layers import list_words, word_count
from solver.counting.paths import count_paths
from solver.errors import OptionError
from solver.oracles.brute import completions
from tests.doubles import frontier
from verify.strategies import boards, positions

KNOWN = {  # OEIS A001184
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
MIDDLE = positions(boards(min_side=5, max_side=8, max_walls=4, corners=False))


@pytest.mark.parametrize(
    "side",
    [n if n < 15 else pytest.param(n, marks=pytest.mark.slow) for n in KNOWN],
)
def test_the_known_numbers_of_walks(side: int) -> None:
    assert count_completions(Position(Board.square(side))) == KNOWN[side]


@settings(deadline=None, max_examples=80)
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
def test_moduli_give_what_limbs_give(position: Position) -> None:
    expected = count_moves(position)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "_SINGLE", 0)
        assert count_moves(position) == expected


@settings(deadline=None, max_examples=40)
@given(MIDDLE)
def test_layers_have_the_states_that_were_promised(position: Position) -> None:
    if counting.known_count(position) is not None:
        return
    plan = make_plan(position)
    run = LayerRun(plan, kept=True)
    for layer in range(len(plan.cells)):
        made = run.layers
        states = layers.place_blocks(made.cells, layer, made.counts, made.offsets)
        assert states == plan.states[layer]


@settings(deadline=None, max_examples=30)
@given(MIDDLE)
def test_bounds_are_not_exceeded(position: Position) -> None:
    if counting.known_count(position) is not None:
        return
    plan, count = make_plan(position), count_completions(position)
    assert count <= most_completions(plan) <= 2 ** choices(plan)


def test_the_bound_of_13x13_needs_two_primes() -> None:
    plan = make_plan(Position.parse("13:"))
    assert KNOWN[13] < most_completions(plan) < 2**88 < 2 ** choices(plan)


@pytest.mark.parametrize("ties", [0, 1, 2])
@pytest.mark.parametrize("enclosed", [False, True])
def test_words_are_those_of_a_naive_listing(ties: int, enclosed: bool) -> None:
    for length, codes in enumerate(list_words(ties, enclosed, 7)):
        texts = ["".join(text) for text in product("123", repeat=length)]
        texts.sort(key=lambda text: text[::-1])  # the last letter decides first
        naive = [
            text
            for text in texts
            if text.count("3") == ties
            and all(_nested(x) for x in ([text] if enclosed else text.split("3")))
        ]
        assert naive == [
            "".join(str(c >> 2 * i & 3) for i in range(length)) for c in codes.tolist()
        ]
        assert len(naive) == word_count(length, ties, enclosed)


def _nested(text: str) -> bool:
    depths = accumulate((c == "1") - (c == "2") for c in text)
    return min(depths, default=0) >= 0 and text.count("1") == text.count("2")


def _is_prime(number: int) -> bool:
    """Miller and Rabin; twelve bases are enough below 3.3e24 (Sorenson and Webster)."""
    odd = number - 1
    twos = (odd & -odd).bit_length() - 1
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        power = pow(base, odd >> twos, number)
        squares = [pow(power, 1 << k, number) for k in range(twos)]
        if power != 1 and odd not in squares:
            return False
    return True


def test_moduli_are_all_the_primes_next_below_a_word() -> None:
    moduli = moduli_for(2**2015)
    odd = range(2**63 - 1, moduli[-1] - 1, -2)
    assert [*moduli] == [number for number in odd if _is_prime(number)]
    with pytest.raises(OptionError, match="too large"):
        moduli_for(2**2017)


def test_residues_are_put_together() -> None:
    moduli = moduli_for(2**180)
    number = 2**180 + 12345
    assert combine([number % modulus for modulus in moduli], moduli) == number


def test_too_much_memory_is_refused_before_work_begins() -> None:
    place = Position(Board.square(23))
    with pytest.raises(TooLargeError, match=r"18\.8 GB .*over the limit of 4\.0 GB"):
        count_completions(place)
    with pytest.raises(TooLargeError, match="a frontier of 99 cells is too wide"):
        count_completions(Position(Board.square(99)))
    assert make_plan(Position.parse("29x30:")).places.max() == 30
    with pytest.raises(TooLargeError, match="31 edges can cross one frontier: 30 at"):
        count_completions(Position.parse("30x31:"))


def test_wide_boards_that_are_nearly_walked_are_counted() -> None:
    rows = "".join(("R" * 40 + "D", "L" * 40 + "D")[row % 2] for row in range(36))
    place = Position.parse(f"41:{rows}")
    assert place.unvisited == 5 * 41 - 1
    rest = Position.parse("5x41:")
    assert count_completions(place) == frontier.count_completions(rest) > 0


def test_threads_count_the_same_and_an_error_stops_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plans, "SLICE", 10_000)
    place, made = Position(Board.square(11)), list[int]()
    monkeypatch.setattr(counting, "_SINGLE", 0)
    assert count_completions(place, jobs=2, progress=made.append) == KNOWN[11]
    plan = make_plan(place)
    assert sum(made) == plan.total * len(moduli_for(most_completions(plan)))

    def refuse(_: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        count_completions(place, jobs=2, progress=refuse)


def test_the_large_counts_from_their_residues() -> None:
    file = Path("docs/tables/counts.toml").read_text(encoding="utf-8")
    for square in tomllib.loads(file)["square"]:
        for name in ("first", "second"):
            pairs = [(int(modulus), int(residue)) for modulus, residue in square[name]]
            moduli, residues = zip(*pairs, strict=True)
            assert all(map(_is_prime, moduli))
            assert name == "second" or moduli == moduli_for(1 << 240)
            assert 2 * combine(residues, moduli) == int(square["paths"])
        assert KNOWN.get(square["side"], int(square["paths"])) == int(square["paths"])


# Cycles, and paths of any ends ------------------------------------------------------

CYCLES = {2: 1, 3: 0, 4: 6, 6: 1072, 8: 4638576, 10: 467260456608}  # OEIS A003763
PATHS = {2: 4, 3: 20, 4: 276, 5: 4324, 7: 13535280, 11: 786671485270308848}  # A120443


def directed(board: Board) -> tuple[int, int]:
    """Count cycles and paths step by step, both directions of each."""
    near = board.neighbours.tolist()
    cells = [c for c in range(board.cells) if c not in board.walls]
    cycles = paths = 0
    todo: list[tuple[int, ...]] = [(cell,) for cell in cells]
    while todo:
        walk = todo.pop()
        if len(walk) == len(cells):
            paths += 1
            cycles += walk[0] == cells[0] and walk[0] in near[walk[-1]]
        todo += [(*walk, c) for c in near[walk[-1]] if c >= 0 and c not in walk]
    return cycles if len(cells) > 2 else 0, paths


@settings(deadline=None, max_examples=30)
@given(boards(max_side=4, max_walls=4, corners=False))
def test_cycles_and_paths_are_those_of_plain_search(board: Board) -> None:
    cycles, paths = directed(board)
    assert count_cycles(board) * 2 == cycles
    assert count_paths(board) * (2 if board.open_cells > 1 else 1) == paths


@settings(deadline=None, max_examples=20)
@given(boards(min_side=4, max_side=7, max_walls=9, corners=False))
def test_paths_are_those_of_the_double(board: Board) -> None:
    assert count_paths(board) == frontier.count_paths(board)


def test_cycles_and_paths_of_squares() -> None:
    assert {side: count_cycles(Board.square(side)) for side in CYCLES} == CYCLES
    assert {side: count_paths(Board.square(side)) for side in PATHS} == PATHS


def test_paths_of_any_length_and_over_the_limit() -> None:
    assert count_paths(Board(3, 60)) == 8_718_968_743_029_374_974
    assert count_paths(Board(3, 90)) > 2**64
    with pytest.raises(TooLargeError, match=r"a count of paths takes .*the limit of"):
        count_paths(Board.square(12), memory=1_000_000)


def test_only_open_edges_are_counted_across_a_frontier() -> None:
    inside = [row * 40 + col for row in range(1, 39) for col in range(1, 39)]
    ring = Board(40, 40, walls=tuple(inside))
    assert count_paths(ring) == ring.open_cells == 156
    with pytest.raises(TooLargeError, match="31 edges can cross one frontier: 30 at"):
        count_paths(Board.square(40))
