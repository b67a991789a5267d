"""The pages of rules and labyrinths in a browser."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.lab.tab import Tab
from tests.lab.test_axe import AREA
from tests.pictures import picture

pytestmark = pytest.mark.slow
# Wrong, but too wide for the boards that are searched.
FAR = f"""[[rule]]
name = "far"
claim = "sound"
drawing = '''
? %{" ?" * 15}
% .{" ?" * 15}
x @ x{" ?" * 13} .
'''
"""
DROP = """([name, text]) => {
  const held = new DataTransfer();
  held.items.add(new File([text], name));
  return held;
}"""
VALUE = "document.querySelector('textarea').value"
SAYS = f"([part, says]) => {VALUE}.includes(part) === says"


@pytest.fixture
def text(tab: Tab) -> Any:
    tab.go("rule", ".judged[data-of]")
    return tab.page.get_by_label("text")


def says(tab: Tab, part: str, true: bool = True) -> None:
    tab.page.wait_for_function(SAYS, arg=[part, true])


def of(tab: Tab, name: str, word: str) -> None:
    tab.wait(f".judged[data-of='{name}'] .word.{word}")


def test_what_is_open_shows_a_picture_and_what_would_prove_it(
    tab: Tab, text: Any
) -> None:
    text.fill(FAR)
    of(tab, "far", "open")
    tab.wait(".judged .local svg")
    shown = tab.page.locator(".judged").text_content()
    assert "tried: all of 5 x 5; directed search" in shown
    assert "the drawing allows this" in shown
    tab.press("add: the cell ahead is not the end cell")
    of(tab, "far", "proved")


def test_the_drawing_is_turned_and_grown_and_clicked_back(tab: Tab, text: Any) -> None:
    tab.page.get_by_label("counter-clockwise").check()
    says(tab, '"ccw"')
    tab.page.get_by_label("mirrored").uncheck()
    says(tab, "mirror = false")
    tab.press("one more at the top")
    says(tab, "? ? ?\n? % ?")
    tab.press("one less at the top")
    says(tab, "? ? ?", False)
    tab.press(re.compile("^1 ahead:"), button="right")
    says(tab, "% ? ?")
    tab.page.keyboard.press("6")
    tab.press(re.compile("^1 ahead:"))
    says(tab, "% K ?")
    tab.press("forbidden move")
    tab.press(re.compile("^1 left:"))
    says(tab, "? @ x")
    assert 'name = "corner-ahead"' in text.input_value()


def test_a_stroke_paints_and_is_one_step_of_undo(tab: Tab, text: Any) -> None:
    before = text.input_value()
    tab.page.locator(".palette button", has_text="visited or outside").click()
    cells = re.compile("^1 left, 1 ahead:"), re.compile("^1 right, 1 ahead:")
    tab.stroke(*map(tab.middle, cells))
    says(tab, "% % %")
    assert "x @ x" in text.input_value()  # bans stay
    tab.press("undo")
    says(tab, "% % %", False)
    assert text.input_value() == before
    tab.press("redo")
    says(tab, "% % %")


def dropped(tab: Tab, name: str, text: str) -> None:
    held = tab.page.evaluate_handle(DROP, [name, text])
    tab.page.dispatch_event(".rulecolumns", "drop", {"dataTransfer": held})


def test_pictures_and_rule_files_are_dropped_and_leave(tab: Tab, text: Any) -> None:
    dropped(tab, "door.toml", AREA)
    of(tab, "door", "proved")
    dropped(tab, "his.svg", picture("? % ?\n% .K ?\n? @ ?\n").decode())
    tab.text("his.svg: no cell is crossed")
    assert text.input_value() == AREA
    tab.page.get_by_role("checkbox", name="left", exact=True).check()
    tab.press("Read it")
    of(tab, "his", "proved")
    assert "x @" in text.input_value()
    svg = tab.download("SVG")
    assert svg.suggested_filename == "his.svg"
    assert Path(svg.path()).read_text(encoding="utf-8").startswith("<svg")
    toml = Path(tab.download("TOML").path())
    assert toml.read_text(encoding="utf-8") == text.input_value()
    dropped(tab, "evil.svg", "<!DOCTYPE svg><svg/>")
    tab.text("evil.svg: a document type")
    dropped(tab, "long.svg", "x" * 100_001)
    tab.text("long.svg is larger than 100 kB")
    of(tab, "his", "proved")


def test_labyrinths_of_any_shape_on_any_paper(tab: Tab) -> None:
    tab.go("labyrinth?rows=7&cols=9&seed=4", ".sheets svg")
    tab.page.locator("details.shape summary").click()
    tab.press("Walls")
    tab.press("row 4, column 5")
    tab.press("row 4, column 4")
    tab.press("End")
    tab.press("row 7, column 7")
    tab.wait(".sheets a[href*='7.7_4.4_4.5']")
    tab.page.get_by_label("uniform among all walks").check()
    tab.page.get_by_label("line", exact=True).check()
    tab.page.get_by_label("walls", exact=True).check()
    tab.page.get_by_label("number").fill("5")
    tab.page.get_by_label("per page").fill("2")
    tab.page.get_by_label("paper").select_option("letter")
    data = Path(tab.download("PDF").path()).read_bytes()
    assert data.count(b"/Type /Page\n") == 6  # five, two a page, and all solved
    assert b"0 0 612 792" in data
    for name, begin in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        assert Path(tab.download(name).path()).read_bytes().startswith(begin)
