"""Pictures of rules as they were; letters are strokes, so that no font is needed."""

from hashlib import sha256

import pytest

from heuristic.rules.picture import draw_rule
from tests.samples import book


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
