"""The pages in a real browser, where there is one; the server is the command's."""

import re

import pytest

from heuristic.groups import load_rules
from solver.board import Position
from solver.oracles.exact import exact_walk
from tests.lab.tab import Tab, truth
from tests.samples import CORNER_AHEAD
from verify.display import picture


def test_a_walk_is_drawn_and_judged_as_the_oracle_does(tab: Tab) -> None:
    tab.at("7:RR")
    assert tab.verdicts() == truth("7:RR")
    for row, col, then in ((2, 3, "7:RRD"), (2, 4, "7:RRDR"), (1, 4, "7:RRDRU")):
        tab.click(row, col)
        tab.at(then)
        tab.of(then)
        assert tab.verdicts() == truth(then)
    here = Position.parse("7:RRDRU")
    drawn = tab.page.locator(".board .drawn .walk").get_attribute("points")
    expected = picture(here, load_rules("seed-5").forbids(here))
    assert f'points="{drawn}"' in expected  # the command draws the same
    for key, then in (("u", "7:RRDR"), ("r", "7:RRDRU"), ("ArrowRight", "7:RRDRUR")):
        tab.page.keyboard.press(key)
        tab.at(then)


@pytest.mark.slow
def test_a_stroke_draws_every_cell_and_cuts_back(tab: Tab) -> None:
    tab.at("7:RR")
    tab.stroke(*(tab.centre(*cell) for cell in ((1, 3), (1, 6), (4, 6), (3, 6))))
    tab.at("7:RRRRRDD")  # back over the line
    tab.page.keyboard.press("Control+z")  # a stroke is one step of undo
    tab.at("7:RR")
    tab.click(1, 6)  # straight on, by one click
    tab.at("7:RRRRR")


@pytest.mark.slow
def test_a_walk_is_played_shared_and_gone_back_over(tab: Tab) -> None:
    walk = exact_walk(Position.parse("7:").board, 5).position.notation
    tab.go(f"board/{walk}?at=0&rules=seed-5")
    tab.wait(".slide output", "0 / 48")
    tab.page.locator(".speed input").fill("60")
    tab.press("play")
    tab.wait(".slide output", "48 / 48")
    tab.text("Complete: every cell is visited")
    where = tab.page.url.partition("#")[2]
    other = Tab(tab.context.browser, tab.lab, where)
    other.at(walk)
    other.close()
    tab.page.reload()
    tab.at(walk)
    tab.page.keyboard.press("Home")
    tab.page.wait_for_url(re.compile("at=0"))
    tab.page.go_back()
    tab.wait(".slide output", "48 / 48")


@pytest.mark.slow
def test_a_rule_is_edited_to_its_verdicts(tab: Tab) -> None:
    tab.go("rule")
    text = tab.page.get_by_label("text")
    text.fill(CORNER_AHEAD)
    tab.wait(".word.refuted")
    assert "can be completed by" in tab.says(".judged")
    tab.press("add: the cell ahead is not the end cell")  # one click proves it
    tab.wait(".word.proved")
    assert "? % ?\n% K ?\nx @ x" in text.input_value()
    tab.press("1 ahead: free, and not the end cell")
    tab.wait(".word.refuted")
    assert "% . ?" in text.input_value()  # a click paints what the palette holds
    tab.page.keyboard.press("Control+z")
    tab.wait(".word.proved")
    tab.press("Write its certificate")
    tab.text("corner-ahead.proof.xz")
    tab.page.keyboard.press("Control+y")
    tab.wait(".word.refuted")
    tab.press("Save")
    tab.text("saved: corner-ahead")
    tab.page.get_by_role("link", name="step through the completion").click()
    tab.text("completed; ")
    tab.wait(".slide output", "7 / 24")
    tab.page.go_back()
    tab.page.get_by_role("link", name="Walk on it").click()
    tab.page.wait_for_url(re.compile("#board/5:"))


@pytest.mark.slow
def test_the_line_of_an_area_is_drawn_with_the_mouse(tab: Tab) -> None:
    tab.go("rule")
    drawing = "? # ?\\n. . .\\n? @ x"
    text = tab.page.get_by_label("text")
    text.fill(f'[[rule]]\nname = "door"\nclaim = "sound"\ndrawing = "{drawing}"\n')
    tab.page.locator(".judged .word").get_by_text(re.compile("REFUTED|OPEN")).wait_for()
    tab.press(re.compile("line of an area"))
    cells = ("here: the live end", "1 ahead: free", "2 ahead: visited")
    tab.stroke(*map(tab.middle, cells))
    tab.wait(".word.proved")
    assert 'side = "left"' in text.input_value()
    assert 'kind = "closed"' in text.input_value()
