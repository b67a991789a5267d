"""Future lines: the kernel against a naive double, and the rules that read lines."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from heuristic.future import FutureWalker, future_rules
from heuristic.groups import load_rules
from heuristic.rule import RuleSet, completion_edges, mask_moves
from heuristic.rules.drawing import INFERENCES, LineEnd, RuleSpec
from solver.board import LETTERS, Board, Position
from solver.oracles.exact import exact_walk
from solver.positions import PositionTree, completable_positions
from tests.doubles.futures import NaiveLines
from tests.doubles.rules import layouts, matches
from tests.runner import assert_refused, run
from tests.samples import specs
from verify.evidence.evidence import verify_exhaustive

pytestmark = pytest.mark.plain


def lines_of(board: Board, names: tuple[str, ...] = INFERENCES) -> FutureWalker:
    return future_rules(load_rules(",".join(names)).rules)(board)


def random_steps(board: Board, seed: int, back: float) -> list[int]:
    """Return a random walk with steps back in it, -1 a step back."""
    rng, walk, steps = Random(seed), [board.start], []
    for _ in range(3 * board.cells):
        near = board.neighbours[walk[-1]].tolist()
        free = [c for c in near if c >= 0 and c not in walk]
        if not free or (len(walk) > 1 and rng.random() < back):
            if len(walk) == 1:
                break
            walk.pop()
            steps.append(-1)
        else:
            walk.append(rng.choice(free))
            steps.append(walk[-1])
    return steps


@settings(deadline=None, max_examples=25)
@given(
    st.sampled_from(["5", "6x7", "7", "9", "7@1,2>7,6", "6x8!3,3;4,5", "5x7@3,1>3,7"]),
    st.integers(0, 10**6),
    st.sampled_from([0.0, 0.2, 0.45]),
    st.one_of(st.just(INFERENCES), st.sets(st.sampled_from(INFERENCES), min_size=1)),
)
@example("7", 130452, 0.45, INFERENCES)  # the end cell is passed beside a line
def test_lines_are_those_of_the_naive_double(
    text: str, seed: int, back: float, names: tuple[str, ...] | set[str]
) -> None:
    board, chosen = Board.parse(text), tuple(n for n in INFERENCES if n in names)
    fast, slow = lines_of(board, chosen), NaiveLines(board, chosen)
    for cell in random_steps(board, seed, back):
        if cell < 0:
            fast.pop()
            slow.pop()
        else:
            fast.push(cell)
            slow.push(cell)
        assert fast.contradicted == slow.contradicted
        assert set(fast.lines()) == slow.lines()


def test_lines_and_masks_depend_on_the_order_of_the_walk() -> None:
    first = Position.parse("5x6:RRRRRDLLDRRD")
    second = Position.parse("5x6:RRRDDRUURDDD")
    assert set(first.walk) == set(second.walk)
    assert (first.live_end, first.heading) == (second.live_end, second.heading)
    universal = load_rules("forced-edges,fragments")
    edges = [{*completion_edges(universal, place)} for place in (first, second)]
    assert edges[0] == edges[1]
    rules = load_rules("seed-future")
    moves = [{f.move for f in rules.forbids(place)} for place in (first, second)]
    assert moves == [set(), {"D"}]


def contradictions(tree: PositionTree, names: tuple[str, ...] = INFERENCES) -> int:
    """Count the completable positions that contradict their lines."""
    walker, count = lines_of(tree.board, names), 0
    for depth, cell in zip(tree.depth.tolist(), tree.cell.tolist(), strict=True):
        while len(walker.path) > max(depth, 1):
            walker.pop()
        if depth:
            walker.push(cell)
        count += walker.contradicted
    return count


def test_every_line_is_in_every_completion_of_5x5() -> None:
    assert contradictions(completable_positions(Board.square(5))) == 0


@pytest.mark.slow
@pytest.mark.parametrize("off", [None, *INFERENCES])
def test_every_line_is_in_every_completion_of_7x7(off: str | None) -> None:
    names = tuple(name for name in INFERENCES if name != off)
    assert contradictions(completable_positions(Board.square(7)), names) == 0


@pytest.mark.slow
@pytest.mark.parametrize("side", [9, 11, 13, 21])
def test_every_line_is_in_the_completions_of_larger_boards(side: int) -> None:
    board = Board.square(side)
    for seed in range(100_000 // board.cells):
        walk = exact_walk(board, seed).position
        walker = lines_of(board)
        walker.follow(walk.walk)
        assert not walker.contradicted, walk.notation


BANS = "seed-7-future,seed-9-future,seed-future-refuted"


def naive(rule: RuleSpec, position: Position, lines: NaiveLines) -> set[str]:
    """Return the moves that one ban forbids, by the literal reading of its drawing."""
    steps, moves = {1j: "U", 1: "R", -1j: "D", -1: "L"}, set[str]()
    here = lines.walk[-1]
    for drawing in rule.drawings:
        for landed in layouts(drawing, LETTERS[position.heading]):
            if not matches(drawing, position, landed):
                continue
            ends = [here + landed[mark.at] for mark in drawing.marks]
            good = all(
                lines.far(z) if mark.end is LineEnd.FAR else lines.near(z)
                for z, mark in zip(ends, drawing.marks, strict=True)
            )
            if good and any(mark.same for mark in drawing.marks):
                good = len({lines.section(z) for z in ends}) == 1
            if good:
                moves |= {steps[landed[at]] for at in drawing.forbidden}
    return moves & set(position.options())


def test_bans_are_read_literally() -> None:
    rng, fired = Random(5), set[str]()
    bans = [rule for rule in specs(BANS) if rule.reads_lines and rule.kind == "ban"]
    rules = RuleSet("bans", bans)
    for number in range(120):
        board = Board.square((7, 9, 11)[number % 3])
        lines, walker = NaiveLines(board), rules.walker(board)
        position = Position(board)
        while True:
            claims = bool(lines.ahead or lines.walked) and not lines.contradicted
            for rule, mask in zip(bans, walker.masks(), strict=True):
                expected = naive(rule, position, lines) if claims else set()
                assert set(mask_moves(mask)) == expected
                fired |= {rule.name} if expected else set()
            options = position.options()
            if not options or (lines.contradicted and rng.random() < 0.5):
                break
            position = position.step(rng.choice(list(options)))
            lines.push(position.live_end)
            walker.push(position.live_end)
    assert len(fired) >= 2, fired


def test_a_line_is_followed_and_entered_at_its_near_end() -> None:
    rules = load_rules("seed-future")  # after RD there is the line 2,3 1,3 1,4 1,5 2,5
    assert rules.forbids(Position.parse("5:RD")) == ()
    first, second = rules.forbids(Position.parse("5:RDR"))
    assert {first.rule, second.rule} == {"future-follow"}
    assert (first.move, second.move) == ("R", "D")
    assert first.reason.edges[:4] == ((7, 2), (2, 3), (3, 4), (4, 9))
    # after a step off the line nothing is claimed any more
    assert not rules.forbids(Position.parse("5:RDRR"))


def test_inferences_forbid_nothing_and_can_be_switched() -> None:
    position = Position.parse("7:DDDDRDLDRRRRRUUU")
    every = load_rules("seed-future")
    assert [rule.name for rule in every.rules[:9]] == list(INFERENCES)
    assert not load_rules(",".join(INFERENCES)).forbids(position)
    less = load_rules("seed-future,-future-1x3")
    lines = completion_edges(every, position)
    assert len(completion_edges(less, position)) < len(lines)
    # a set without inferences knows the lines of all
    assert completion_edges(load_rules("future-l"), position) == lines


def test_edges_to_come_are_those_that_rules_know() -> None:
    position = Position.parse("5:RD")
    assert completion_edges(load_rules("seed-5"), position) == ()
    lines = completion_edges(load_rules("seed-5,seed-future"), position)
    forced = completion_edges(load_rules("universal"), position)
    assert {frozenset(edge) for edge in lines} <= {frozenset(edge) for edge in forced}
    both = completion_edges(load_rules("seed-future,universal"), position)
    assert set(both) == {*lines, *forced}


def test_rules_with_future_lines_are_sound_and_complete_on_5x5() -> None:
    evidence = verify_exhaustive(load_rules("seed-7-future"), Board.square(5))
    assert evidence.sound
    assert evidence.complete
    fired = {rule.name for rule in evidence.rules if rule.fired}
    assert {"future-follow", "future-dead-end", "future-l"} <= fired


def test_edges_to_come_are_drawn_blue(tmp_path: Path) -> None:
    picture = tmp_path / "lines.svg"
    draw = ("draw", "5:RD", "--future", "-o", str(picture))
    assert run(*draw, "--rules", "seed-future").code == 0
    lines = len(completion_edges(load_rules("seed-future"), Position.parse("5:RD")))
    assert picture.read_text().count('class="future"') == lines >= 4
    assert_refused(run(*draw))
    assert run("draw", "5:RD", "--rules", "seed-future", "-o", str(picture)).code == 0
    assert 'class="future"' not in picture.read_text()
