"""Pictures of rule drawings: letters are strokes, so that no font is needed."""

import xml.etree.ElementTree as ET
from collections import Counter

import pytest

from heuristic.rules.drawing import LIVE_END, Drawing
from heuristic.rules.letters import LETTER, sign
from heuristic.rules.picture import draw_rule
from tests.samples import book
from verify.proof.families import member


@pytest.mark.parametrize(
    "drawing",
    [
        *book("c-shape").drawings,
        *book("area-near-border").drawings,
        member("up-small", (3,)),
    ],
    ids=lambda drawing: drawing.text[:9],
)
def test_letters_are_strokes(drawing: Drawing) -> None:
    svg = draw_rule(drawing, "a < b")
    assert "<text" not in svg
    assert "<title>a &lt; b</title>" in svg
    signs = Counter(
        sign(LETTER[need.states, need.not_end])
        for need in drawing.needs
        if need.at != LIVE_END
    )
    paths = [x for x in ET.fromstring(svg).iter() if x.get("d")]
    strokes = [x for x in paths if x.get("fill", "none") == "none"]
    letters = signs.total() - signs["·"] + len(drawing.areas)
    assert len(strokes) == letters + len(drawing.forbidden)
    assert svg.count("<circle") == signs["·"] + 1  # free cells, and the live end
