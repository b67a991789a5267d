"""Proofs of rules about future lines, against complete walks of small boards."""

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from typing import Any

import pytest

from heuristic.future import future_rules
from heuristic.groups import load_rules
from heuristic.rules.drawing import CellState, Drawing, Placement, RuleSpec, Spot
from solver.board import Board
from tests.proof.lines import walks
from tests.samples import proof_of, specs
from verify.corpus.cases import cases_against, corpus_folder
from verify.proof.certificate import rule_record
from verify.proof.counterexample import refute_by_cases
from verify.proof.inferences import ENDS, POCKETS
from verify.proof.prove import Proved, provable, provable_form, prove_rule
from verify.proof.window import assumes, granted, grants, not_end

SEQUENCE = provable(load_rules("sequence-recursion").rules)


def record(name: str) -> RuleSpec:
    return next(rule for rule in specs(name) if rule.name == name)


def form(name: str) -> RuleSpec:
    rule = provable_form(record(name))
    assert rule is not None
    return rule


def placed(drawing: Drawing) -> list[tuple[Placement, list[tuple[Any, ...]]]]:
    """Return each placement with the needs as board steps; the rarest first."""
    ends = not_end(drawing)
    return [
        (p, [(*p.turn.turn(n.at), int(n.states), n.at in ends) for n in drawing.needs])
        for p in drawing.placements()
    ]


def matches(
    board: Board, index: dict[int, int], i: int, live: int, needs: list[tuple[Any, ...]]
) -> bool:
    """Return whether the needs hold at step i of a complete walk."""
    row, col = divmod(live, board.cols)
    for dr, dc, states, no_end in needs:
        inside = 0 <= row + dr < board.rows and 0 <= col + dc < board.cols
        cell = (row + dr) * board.cols + col + dc
        state = CellState.OUTSIDE
        if inside:
            state = CellState.FREE if index[cell] > i else CellState.VISITED
        if not state & states or (no_end and inside and cell == board.end):
            return False
    return True


def steps_denied(
    drawings: list[tuple[Drawing, Placement, list[tuple[Any, ...]]]],
    board: Board,
    walk: list[int],
    i: int,
) -> Iterator[tuple[int, int]]:
    """Yield the steps that matching drawings deny, all else being as they grant."""
    index = {cell: k for k, cell in enumerate(walk)}
    live, heading = walk[i], board.direction(walk[i - 1], walk[i])
    row, col = divmod(live, board.cols)

    def at(placement: Placement, offset: Spot) -> int:
        dr, dc = placement.turn.turn(offset)
        return int((row + dr) * board.cols + col + dc)

    for drawing, placement, needs in drawings:
        if placement.heading != heading or not matches(board, index, i, live, needs):
            continue
        here = {
            word: [
                (at(placement, a), at(placement, b)) for a, b in granted(drawing, word)
            ]
            for word in ("passes", "before", "lacks")
        }
        if (
            all(index[b] == index[a] + 1 for a, b in here["passes"])
            and all(index[a] < index[b] for a, b in here["before"])
            and (drawing.end is None or at(placement, drawing.end) == board.end)
        ):
            yield from here["lacks"]
            if not here["lacks"]:  # a ban: the next step is none that it forbids
                yield from ((live, at(placement, x)) for x in drawing.forbidden)


def test_drawings_of_inferences_and_of_the_sequence_are_as_they_were() -> None:
    """One that is left out leaves the others proved."""
    forms = [*map(form, dict.fromkeys([*POCKETS, *ENDS])), *SEQUENCE.values()]
    text = repr([*map(rule_record, forms)])
    assert sha256(text.encode()).hexdigest()[:10] == "f9d9b93198"


FEW = (("5", 30), ("5x7", 8), ("7x5", 6), ("7", 12))
MANY = (("5", 104), ("5x7", 400), ("7x5", 400), ("7", 600))


def agrees(name: str, boards: tuple[tuple[str, int], ...]) -> int:
    """Count the steps of complete walks that a rule speaks of; fail at a wrong one."""
    drawings = [(d, *place) for d in form(name).drawings for place in placed(d)]
    count = 0
    for text, most in boards:
        for board, walk in walks(text, most):
            steps = set(pairwise(walk))
            for i in range(1, board.cells - 1):
                denied = set(steps_denied(drawings, board, walk, i))
                wrong = denied - steps if name in POCKETS else denied & steps
                assert not wrong, (name, board, walk[: i + 1])
                count += len(denied)
    return count


@pytest.mark.no_cover
@pytest.mark.parametrize("boards", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", [*POCKETS, "future-2x3-start-end"])
def test_no_walk_contradicts_a_proof(name: str, boards: Any) -> None:
    assert agrees(name, boards) > 3 * (name in POCKETS)


@pytest.mark.parametrize("name", ["future-1x2", "future-1x3"])
def test_lines_that_the_kernel_begins_are_drawn(name: str) -> None:
    """A line begins only where a drawing denies one of its steps, and is proved so."""
    drawings = [(d, *place) for d in form(name).drawings for place in placed(d)]
    begun = 0
    for board, walk in walks("7", 25):
        lines = future_rules([record(name)])(board)
        before: set[tuple[int, int]] = set()
        for i in range(1, board.cells - 1):
            lines.push(walk[i])
            edges = set(lines.edges())
            if edges - before and not lines.contradicted:
                assert edges & set(steps_denied(drawings, board, walk, i))
                begun += 1
            before = edges
    assert begun > 10


def test_bans_grant_the_order_of_a_line_and_nothing_else() -> None:
    for name in ("future-2x3-start-end", "future-l", "future-2x2-start-end"):
        assert assumes(form(name))
        assert grants(form(name))
    assert not grants(record("double-c-shape"))
    first = form("future-l").drawings[0]
    assert granted(first, "before") == (((0, -2), (-2, -2)),)
    assert not_end(first) & {(-2, -2), (0, -2)} == {(-2, -2)}


@pytest.mark.parametrize("name", ENDS)
def test_ends_need_what_is_granted(name: str) -> None:
    """Each drawing is proved, and none without the first fact that it grants."""
    rule = form(name)
    assert proof_of(replace(rule, drawings=rule.drawings[:70]))
    for drawing in ENDS[name][::5]:
        fewer = replace(drawing, facts=drawing.facts[1:])
        assert not isinstance(prove_rule(replace(rule, drawings=(fewer,))), Proved)


def test_bans_are_refuted_by_right_lines_of_fewer_inferences() -> None:
    cases = cases_against(corpus_folder())
    for name, inferences in (
        ("future-l", "future-1x2, future-1x3 alone"),
        ("future-2x2-start-end-9", "all inferences but future-2-side"),
    ):
        wrong = refute_by_cases(form(name), cases[name])
        assert wrong is not None
        assert wrong.lines == f"with the lines of {inferences}"
