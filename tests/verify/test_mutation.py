"""No window of a mutant is both proved and refuted; a planted fault is noticed."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.doubles.mutation import contradictions, mutants, pieces, refuted
from tests.samples import book, specs
from verify.proof.decision import Decision, Shape, search
from verify.proof.formula import Scope
from verify.proof.window import Window


@pytest.mark.parametrize(
    "name",
    [
        *("c-shape", "close-across-right"),
        pytest.param("seed-close", marks=pytest.mark.slow),
    ],
)
def test_no_window_is_both_proved_and_refuted(name: str) -> None:
    for rule in specs(name):
        count, wrong = contradictions(rule, list(mutants(rule)))
        assert count
        assert not wrong


def test_mutants_of_drawings_larger_than_small_boards_are_refuted_too() -> None:
    """Nothing is left out: 21 cells in a row have room on walks of 25 x 25 cells."""
    spec = next(
        replace(book("sa-straight"), drawings=(drawing,))
        for drawing in book("sa-straight").drawings
        if max(abs(need.at[0]) for need in drawing.needs) == 12
    )
    found = refuted(pieces(spec, list(mutants(spec))[:6]))
    assert found
    assert all(board.rows > 7 for _, board in found)


def faulty(
    window: Window, scope: Scope, seconds: float, first: Sequence[Shape]
) -> Decision:
    """Decide as the prover does, but take no cell of the window for the end."""
    blind = replace(window, not_end=frozenset(window.cells()))
    return search(blind, scope, seconds=seconds, first=first)


def test_a_planted_fault_is_caught() -> None:
    rule = book("c-shape")
    _, wrong = contradictions(rule, list(mutants(rule)), faulty)
    assert "drawing 1: [0, -1] may be the end" in wrong
