"""Pictures of rules as they were; letters are strokes, so that no font is needed."""

from hashlib import sha256

import pytest

from heuristic.rules.picture import draw_rule
from tests.samples import book
from verify.proof.decision import Survivor
from verify.proof.encoding import encode
from verify.proof.formula import Scope
from verify.proof.prove import parts
from verify.verdict.report import draw_survivor


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("c-shape", "2ba21f319b"),
        ("area-near-border", "f813953908"),
        ("double-area-c-shape", "11a68068e1"),
        ("found-13-2", "3b1c68f1e3"),
        ("sa-up-small", "91b979d0e7"),
    ],
)
def test_pictures_are_as_they_were(name: str, digest: str) -> None:
    svg = draw_rule(book(name).drawings, "a < b")
    assert "<text" not in svg
    assert "<title>a &lt; b</title>" in svg
    assert sha256(svg.encode()).hexdigest()[:10] == digest


def test_a_survivor_is_drawn_as_it_was() -> None:
    """Here each edge is of each kind, and each cell both start and end."""
    _, window = next(parts(book("near-border-side")))
    true = frozenset(encode(window, Scope.CORNERS).names)
    svg = draw_survivor(Survivor(window, true), "open")
    assert "<text" not in svg
    assert sha256(svg.encode()).hexdigest()[:10] == "f3e1521337"
