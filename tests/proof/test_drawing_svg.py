"""Pictures of rule drawings and of local configurations."""

import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace

from heuristic.groups import drawings_of, load_rules
from heuristic.rules.drawing import LIVE_END, Drawing
from heuristic.rules.letters import LETTER, sign
from heuristic.rules.picture import draw_rule
from verify.proof.decision import Survivor, search
from verify.proof.families import member
from verify.proof.formula import Scope
from verify.proof.window import from_drawing
from verify.verdict.report import draw_survivor


def drawings(name: str) -> tuple[Drawing, ...]:
    (spec,) = drawings_of(load_rules(name))
    return spec.drawings


def paths(svg: str) -> list[str]:
    """Return the strokes; paths of cells are filled."""
    every = [one for one in ET.fromstring(svg).iter() if one.get("d")]
    return [one.get("d") or "" for one in every if one.get("fill", "none") == "none"]


def test_letters_are_strokes_so_no_font_is_needed() -> None:
    bounded = member("up-small", (3,))
    for drawing in (*drawings("c-shape"), *drawings("area-near-border"), bounded):
        svg = draw_rule(drawing, "a < b")
        assert "<text" not in svg
        assert "<title>a &lt; b</title>" in svg
        signs = Counter(
            sign(LETTER[need.states, need.not_end])
            for need in drawing.needs
            if need.at != LIVE_END
        )
        strokes = signs.total() - signs["·"] + len(drawing.areas)
        assert len(paths(svg)) == strokes + len(drawing.forbidden)
        disks = svg.count("<circle")
        assert disks == signs["·"] + 1  # what is free, and the live end


def test_ends_of_a_local_configuration_are_strokes_too() -> None:
    (drawing,) = drawings("near-border-side")[:1]
    window = from_drawing(drawing, drawing.turns[0], drawing.forbidden[0])
    assert window is not None
    window = replace(window, top=window.top - 1, left=window.left - 1)
    window = replace(window, bottom=window.bottom + 1, right=window.right + 1)
    window = replace(window, start_corner=None)
    found = search(window, Scope.PLANAR)
    assert isinstance(found, Survivor)
    cell = next(at for at in window.cells() if ("T", at) not in found.true)
    shown = draw_survivor(found, "open")
    more = replace(found, true=found.true | {("T", cell)})
    assert "<text" not in shown
    assert len(paths(draw_survivor(more, "open"))) == len(paths(shown)) + 1
