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
        tab.page.locator(f".verdicts[data-of='{then}']").wait_for()
        assert tab.verdicts() == truth(then)
    here = Position.parse("7:RRDRU")
    drawn = tab.page.locator(".board .drawn .walk").get_attribute("points")
    expected = picture(here, load_rules("seed-5").forbids(here))
    assert f'points="{drawn}"' in expected  # the command draws the same
    tab.page.keyboard.press("u")
    tab.at("7:RRDR")
    tab.page.keyboard.press("r")
    tab.at("7:RRDRU")
    tab.page.keyboard.press("ArrowRight")
    tab.at("7:RRDRUR")


@pytest.mark.slow
def test_a_stroke_draws_every_cell_and_cuts_back(tab: Tab) -> None:
    tab.at("7:RR")
    mouse = tab.page.mouse
    mouse.move(*tab.centre(1, 3))
    mouse.down()
    mouse.move(*tab.centre(1, 6), steps=2)  # fast: cells are skipped
    mouse.move(*tab.centre(4, 6), steps=7)
    mouse.move(*tab.centre(3, 6), steps=3)  # back over the line
    mouse.up()
    tab.at("7:RRRRRDD")
    tab.page.keyboard.press("Control+z")  # a stroke is one step of undo
    tab.at("7:RR")
    tab.click(1, 6)  # straight on, by one click
    tab.at("7:RRRRR")


@pytest.mark.slow
def test_a_walk_is_played_shared_and_gone_back_over(tab: Tab) -> None:
    walk = exact_walk(Position.parse("7:").board, 5).position.notation
    tab.page.goto(f"{tab.lab.origin}/#board/{walk}?at=0&rules=seed-5")
    tab.page.locator(".slide output", has_text="0 / 48").wait_for()
    tab.page.locator(".speed input").fill("60")
    tab.page.get_by_role("button", name="play", exact=True).click()
    tab.page.locator(".slide output", has_text="48 / 48").wait_for()
    tab.page.get_by_text("Complete: every cell is visited").wait_for()
    shared = tab.page.url
    other = Tab(tab.context.browser, tab.lab, shared.removeprefix(f"{tab.lab.origin}/"))
    other.at(walk)
    tab.page.reload()
    tab.at(walk)
    tab.page.keyboard.press("Home")
    tab.page.locator(".slide output", has_text="0 / 48").wait_for()
    tab.page.wait_for_url(re.compile("at=0"))
    tab.page.go_back()
    tab.page.locator(".slide output", has_text="48 / 48").wait_for()
    other.close()


@pytest.mark.slow
def test_a_rule_is_edited_to_its_verdicts(tab: Tab) -> None:
    tab.page.goto(f"{tab.lab.origin}/#rule")
    word = tab.page.locator(".judged .word")
    text = tab.page.get_by_label("text")
    text.fill(CORNER_AHEAD)
    tab.page.locator(".judged .word.refuted").wait_for()
    assert "can be completed by" in tab.page.locator(".judged").inner_text()
    add = tab.page.get_by_role("button", name="add: the cell ahead is not the end cell")
    add.wait_for()
    add.click()  # one click proves it
    tab.page.locator(".judged .word.proved").wait_for()
    assert "? % ?\n% K ?\nx @ x" in text.input_value()
    tab.page.get_by_role("button", name="1 ahead: free, and not the end cell").click()
    tab.page.locator(".judged .word.refuted").wait_for()
    assert "% . ?" in text.input_value()  # a click paints what the palette holds
    tab.page.keyboard.press("Control+z")
    tab.page.locator(".judged .word.proved").wait_for()
    tab.page.get_by_role("button", name="Write its certificate").click()
    tab.page.get_by_text("corner-ahead.proof.xz").wait_for()
    tab.page.keyboard.press("Control+y")
    tab.page.locator(".judged .word.refuted").wait_for()
    tab.page.get_by_role("button", name="Save").click()
    tab.page.get_by_text("saved: corner-ahead").wait_for()
    tab.page.get_by_role("link", name="step through the completion").click()
    tab.page.get_by_text("completed; ").wait_for()
    tab.page.locator(".slide output", has_text=re.compile("^7 / 24")).wait_for()
    tab.page.go_back()
    tab.page.get_by_role("link", name="Walk on it").click()
    tab.page.wait_for_url(re.compile("#board/5:"))
    word.wait_for(state="detached")


@pytest.mark.slow
def test_the_line_of_an_area_is_drawn_with_the_mouse(tab: Tab) -> None:
    tab.page.goto(f"{tab.lab.origin}/#rule")
    drawing = "? # ?\\n. . .\\n? @ x"
    text = tab.page.get_by_label("text")
    text.fill(f'[[rule]]\nname = "door"\nclaim = "sound"\ndrawing = "{drawing}"\n')
    tab.page.locator(".judged .word").get_by_text(re.compile("REFUTED|OPEN")).wait_for()
    tab.page.get_by_role("button", name=re.compile("line of an area")).click()
    cells = [
        tab.page.get_by_role("button", name=name, exact=True).bounding_box()
        for name in ("here: the live end", "1 ahead: free", "2 ahead: visited")
    ]
    middle = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in cells]
    tab.page.mouse.move(*middle[0])
    tab.page.mouse.down()
    for at in middle[1:]:
        tab.page.mouse.move(*at, steps=4)
    tab.page.mouse.up()
    tab.page.locator(".judged .word.proved").wait_for()
    assert 'side = "left"' in text.input_value()
    assert 'kind = "closed"' in text.input_value()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1200, 900), (390, 780)])
def test_no_page_is_too_wide(tab: Tab, size: tuple[int, int]) -> None:
    tab.page.set_viewport_size({"width": size[0], "height": size[1]})
    tab.at("7:RR")
    for where in ("board", "rule", "labyrinth", "book", "cases"):
        tab.page.goto(f"{tab.lab.origin}/#{where}")
        tab.page.locator(f"main.page-{where} > *").first.wait_for()
        tab.page.wait_for_timeout(500)
        wide = tab.page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= size[0], where
    hidden = "nav => nav.scrollWidth - nav.clientWidth"
    assert tab.page.locator("nav").evaluate(hidden) <= 0  # all pages in one row
