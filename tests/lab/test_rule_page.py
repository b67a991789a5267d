"""The pages of rules and labyrinths in a browser."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.lab.tab import Tab
from tests.pictures import picture

pytestmark = pytest.mark.slow
# Wrong, but too wide for the boards that are searched.
FAR = """[[rule]]
name = "far"
claim = "sound"
drawing = '''
? % ? ? ? ? ? ? ? ? ? ? ? ? ? ? ?
% . ? ? ? ? ? ? ? ? ? ? ? ? ? ? ?
x @ x ? ? ? ? ? ? ? ? ? ? ? ? ? .
'''
"""
DOOR = """[[rule]]
name = "door"
claim = "sound"
drawing = '''
? # ?
. s .
? @ x
'''
area = [{side = "left", kind = "odd", wall = [0, 2]}]
"""
DROP = """([name, text]) => {
  const held = new DataTransfer();
  held.items.add(new File([text], name));
  return held;
}"""
SAYS = "part => document.querySelector('textarea').value.includes(part)"
SAYS_NO = "part => !document.querySelector('textarea').value.includes(part)"


@pytest.fixture
def text(tab: Tab) -> Any:
    tab.page.goto(f"{tab.lab.origin}/#rule")
    tab.page.locator(".judged[data-of]").wait_for()
    return tab.page.get_by_label("text")


def of(tab: Tab, name: str, word: str) -> None:
    tab.page.locator(f".judged[data-of='{name}'] .word.{word}").wait_for()


def test_what_is_open_shows_a_picture_and_what_would_prove_it(
    tab: Tab, text: Any
) -> None:
    text.fill(FAR)
    of(tab, "far", "open")
    tab.page.locator(".judged .local svg").first.wait_for()
    shown = tab.page.locator(".judged").text_content()
    assert "tried: all of 5 x 5; directed search" in shown
    assert "the drawing allows this" in shown
    name = "add: the cell ahead is not the end cell"
    tab.page.get_by_role("button", name=name).click()
    of(tab, "far", "proved")


def test_the_drawing_is_turned_and_grown_and_clicked_back(tab: Tab, text: Any) -> None:
    tab.page.get_by_label("counter-clockwise").check()
    tab.page.wait_for_function(SAYS, arg='"ccw"')
    tab.page.get_by_label("mirrored").uncheck()
    tab.page.wait_for_function(SAYS, arg="mirror = false")
    tab.page.get_by_role("button", name="one more at the top").click()
    tab.page.wait_for_function(SAYS, arg="? ? ?\n? % ?")
    tab.page.get_by_role("button", name="one less at the top").click()
    tab.page.wait_for_function(SAYS_NO, arg="? ? ?")
    cell = tab.page.get_by_role("button", name=re.compile("^1 ahead:"))
    cell.click(button="right")
    tab.page.wait_for_function(SAYS, arg="% ? ?")
    tab.page.keyboard.press("6")
    cell.click()
    tab.page.wait_for_function(SAYS, arg="% K ?")
    tab.page.get_by_role("button", name="forbidden move", exact=True).click()
    tab.page.get_by_role("button", name=re.compile("^1 left:")).click()
    tab.page.wait_for_function(SAYS, arg="? @ x")
    assert 'name = "corner-ahead"' in text.input_value()


def test_a_stroke_paints_and_is_one_step_of_undo(tab: Tab, text: Any) -> None:
    before = text.input_value()
    tab.page.locator(".palette button", has_text="visited or outside").click()
    cells = [
        tab.page.get_by_role("button", name=re.compile(name)).bounding_box()
        for name in ("^1 left, 1 ahead:", "^1 right, 1 ahead:")
    ]
    first, last = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in cells]
    tab.page.mouse.move(*first)
    tab.page.mouse.down()
    tab.page.mouse.move(*last, steps=9)
    tab.page.mouse.up()
    tab.page.wait_for_function(SAYS, arg="% % %")
    assert "x @ x" in text.input_value()  # bans stay
    tab.page.get_by_role("button", name="undo", exact=True).click()
    tab.page.wait_for_function(SAYS_NO, arg="% % %")
    assert text.input_value() == before
    tab.page.get_by_role("button", name="redo", exact=True).click()
    tab.page.wait_for_function(SAYS, arg="% % %")


def dropped(tab: Tab, name: str, text: str) -> None:
    held = tab.page.evaluate_handle(DROP, [name, text])
    tab.page.dispatch_event(".rulecolumns", "drop", {"dataTransfer": held})


def test_pictures_and_rule_files_are_dropped_and_leave(tab: Tab, text: Any) -> None:
    door = DOOR.replace("odd", "closed")
    dropped(tab, "door.toml", door)
    of(tab, "door", "proved")
    plain = picture("? % ?\n% .K ?\n? @ ?\n").decode()
    dropped(tab, "his.svg", plain)
    tab.page.get_by_text("his.svg: no cell is crossed").wait_for()
    assert text.input_value() == door
    tab.page.get_by_role("checkbox", name="left", exact=True).check()
    tab.page.get_by_role("button", name="Read it").click()
    of(tab, "his", "proved")
    assert "x @" in text.input_value()
    with tab.page.expect_download() as got:
        tab.page.get_by_role("button", name="SVG", exact=True).click()
    assert got.value.suggested_filename == "his.svg"
    assert Path(got.value.path()).read_text(encoding="utf-8").startswith("<svg")
    with tab.page.expect_download() as got:
        tab.page.get_by_role("button", name="TOML", exact=True).click()
    assert Path(got.value.path()).read_text(encoding="utf-8") == text.input_value()
    dropped(tab, "evil.svg", "<!DOCTYPE svg><svg/>")
    tab.page.get_by_text("evil.svg: a document type").wait_for()
    dropped(tab, "long.svg", "x" * 100_001)
    tab.page.get_by_text("long.svg is larger than 100 kB").wait_for()
    of(tab, "his", "proved")


def test_labyrinths_of_any_shape_on_any_paper(tab: Tab) -> None:
    tab.page.goto(f"{tab.lab.origin}/#labyrinth?rows=7&cols=9&seed=4")
    tab.page.locator(".sheets svg").wait_for()
    tab.page.locator("details.shape summary").click()
    for brush, row, col in (("Walls", 4, 5), ("Walls", 4, 4), ("End", 7, 7)):
        button = tab.page.get_by_role("button", name=brush, exact=True)
        if button.get_attribute("aria-pressed") != "true":
            button.click()
        tab.page.get_by_role("button", name=f"row {row}, column {col}").click()
    tab.page.locator(".sheets a[href*='7.7_4.4_4.5']").wait_for()
    tab.page.get_by_label("uniform among all walks").check()
    tab.page.get_by_text("uniform", exact=False).first.wait_for()
    tab.page.get_by_label("line", exact=True).check()
    tab.page.get_by_label("walls", exact=True).check()
    tab.page.get_by_label("number").fill("5")
    tab.page.get_by_label("per page").fill("2")
    tab.page.get_by_label("paper").select_option("letter")
    with tab.page.expect_download() as got:
        tab.page.get_by_role("button", name="PDF").click()
    data = Path(got.value.path()).read_bytes()
    assert data.count(b"/Type /Page\n") == 6  # five, two a page, and all solved
    assert b"0 0 612 792" in data
    for name, begin in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with tab.page.expect_download() as got:
            tab.page.get_by_role("button", name=name, exact=True).click()
        assert Path(got.value.path()).read_bytes().startswith(begin)
