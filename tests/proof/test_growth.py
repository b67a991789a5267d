"""Parts of windows: one piece, what is drawn first, the whole last."""

import pytest

from tests import samples
from tests.samples import book
from verify.proof.decision import (
    NoModel,
    growing,
    in_one_piece,
    marked,
    refuted,
    search,
    shape_of,
    widening,
)
from verify.proof.formula import Scope
from verify.proof.prove import parts
from verify.proof.window import LIVE, Window, from_drawing, neighbours, rectangle


@pytest.mark.parametrize("name", ["near-border-side", "c-shape-next", "sequence-1"])
def test_parts_are_in_one_piece_and_end_with_the_whole(name: str) -> None:
    _, window = next(parts(book(name)))
    grown = list(growing(window))
    assert all(samples.in_one_piece(part) for part in grown)
    assert all(marked(window) <= set(part.cells()) for part in grown)
    assert grown[-1] == window
    sizes = [len(part.cells()) + len(part.ports()) for part in grown[:-1]]
    assert sizes == sorted(sizes)
    shape = shape_of(window, grown[1])
    assert next(growing(window, [shape])).cells() == grown[1].cells()
    near, whole = widening(window)
    assert whole == window
    beside = {x for cell in marked(window) for x in neighbours(cell)}
    assert set(near.cells()) == (marked(window) | beside) & set(window.cells())


def test_cells_are_joined_and_holes_filled() -> None:
    window = Window(rectangle(-4, -4, 4, 4), states={}, move=0)
    ring = {(r, c) for r in (1, 2, 3) for c in (1, 2, 3)} - {(2, 2)}
    cells = in_one_piece(window, {LIVE} | ring)
    assert {LIVE, (2, 2)} | ring < cells
    assert len(cells) == 11  # and one cell of the way
    assert samples.in_one_piece(window.part(cells))


def test_a_proof_without_a_pose_holds_in_each_pose() -> None:
    rule = book("count-area-2-across")
    first, window = next(parts(rule))
    wide = from_drawing(rule.drawings[0], None, first.move)
    decision = search(window, Scope.PLAIN)
    assert isinstance(decision, NoModel)
    proof = refuted(window, decision, {}, wide, poses=2)
    assert proof.wide
    posed = [w for part, w in parts(rule) if part.move == first.move]
    assert len(posed) == 2
    for pose in posed:
        part = pose.part(proof.window.cells())
        assert isinstance(search(part, Scope.PLAIN), NoModel)
