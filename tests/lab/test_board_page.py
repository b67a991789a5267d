"""The promises of the board page that concern more than the walk, in a browser."""

import re
from pathlib import Path
from typing import Any

import pytest

from heuristic.groups import load_rules
from heuristic.walker import LeftFirstWalk
from solver.board import Position
from tests.lab.served import ROOT, Served, served
from tests.lab.tab import Tab
from tests.samples import GAP
from verify.proof.dead import certificates

pytestmark = pytest.mark.slow
WIDE = "document.querySelector('svg.over').viewBox.baseVal.width"
NUMBERED = """n => [...document.querySelectorAll('.rim.side span')]
  .some(text => text.textContent === n)"""
FOCUSED = """() => document.activeElement.getAttribute('aria-label')
  || document.activeElement.textContent"""


def open_at(tab: Tab, notation: str, rules: str = "") -> None:
    tab.go(f"board/{notation}?rules={rules}")
    tab.of(notation, rules)


def test_a_click_walks_a_way_without_choice(tab: Tab) -> None:
    open_at(tab, "3x5:RRRRDLLLL")
    tab.click(3, 3)  # down, then right: each step is the only one
    tab.at("3x5:RRRRDLLLLDRR")


def test_a_large_board_is_zoomed_moved_and_walked_in_the_hand(
    chrome: Any, lab: Served
) -> None:
    def cell_pixels() -> float:
        return tab.centre(1, 2)[0] - tab.centre(1, 1)[0]

    tab = Tab(chrome, lab, "board/101:RR", has_touch=True)
    tab.page.set_viewport_size({"width": 390, "height": 844})
    tab.at("101:RR")
    tab.page.wait_for_function(NUMBERED, arg="4")
    assert cell_pixels() > 20  # begins where a finger meets a cell
    tab.page.touchscreen.tap(*tab.centre(4, 3))
    tab.at("101:RRDDD")
    size = cell_pixels()
    wire = tab.context.new_cdp_session(tab.page)
    (x, y), half = tab.centre(5, 5), 20
    for kind, wide in (("touchStart", half), ("touchMove", 2 * half)):
        points = [{"x": x + side * wide, "y": y, "id": side} for side in (1, 2)]
        points[0]["x"] = x - wide
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    tab.page.wait_for_function("w => " + WIDE + " < w", arg=388 / size * 24)
    tab.at("101:RRDDD")
    tab.page.keyboard.press("0")
    tab.page.wait_for_function("w => " + WIDE + " === w", arg=101 * 24 + 12)
    tab.page.mouse.move(*tab.centre(80, 80))
    tab.page.mouse.wheel(0, -900)
    tab.page.wait_for_function(NUMBERED, arg="80")
    tab.page.keyboard.press("Shift+ArrowRight")
    tab.page.keyboard.press("ArrowDown")  # a step brings the end back into view
    tab.at("101:RRDDDD")
    tab.page.wait_for_function(NUMBERED, arg="6")
    tab.close()


def test_every_button_goes_on_and_is_one_step_of_undo(tab: Tab) -> None:
    open_at(tab, "7:RR", "seed-5")
    for name, says in (
        ("Walk exactly", "complete: each step is"),
        ("Complete it", "completed by the oracle"),
        ("Walk by rules", "moves by seed-5"),
    ):
        tab.press(name)
        tab.wait("aside", says)
        tab.page.keyboard.press("u")
        tab.at("7:RR")
    tab.go("board/5:RRRDDRDL?rules=seed-5", ".verdict.dead")
    assert tab.page.locator(".over .fatal").count() == 1
    tab.press("Prove what is dead")
    tab.text(re.compile(r"checked[^$]*\.drat"))
    tab.press("Back to the mistake")
    tab.at("5:RRR")
    tab.press("Save as case")
    tab.wait("aside", "saved: ")


def sums(tab: Tab) -> list[int]:
    cells = tab.page.locator(".sums .number").all_inner_texts()
    return [int(text.replace(",", "")) for text in cells]


def test_a_left_first_walk_is_stepped_run_and_stopped(tab: Tab) -> None:
    open_at(tab, "5:", "seed-5,seed-close")
    tab.press("Step")
    tab.at("5:R")
    assert sums(tab) == [0, 0, 1]
    tab.page.get_by_label("continue at a completion").uncheck()
    tab.press("Run")
    tab.text("Complete. Run continues after it")
    walk = LeftFirstWalk(load_rules("seed-5,seed-close"), Position.parse("5:"))
    walk.run(stop_complete=True)
    first = walk.position.notation
    tab.at(first)
    assert sums(tab)[0] == 1
    tab.page.keyboard.press("u")  # a run is one step of undo
    tab.at("5:R")
    tab.page.get_by_label("continue at a completion").check()
    tab.page.keyboard.press("r")
    tab.at(first)
    tab.press("Run")
    tab.text("Finished: all walks")
    assert sums(tab)[:2] == [104, 0]
    open_at(tab, "9:", "seed-5")  # stuck ones are many, and it takes hours
    tab.page.get_by_label("continue when stuck").check()
    tab.press("Run")
    tab.wait(".sums + .hint a")
    assert "Walking left first" in tab.says(".verdict")
    tab.press("Stop")
    tab.text("Stopped.")
    before = sums(tab)
    assert all(before)
    tab.wait(".verdict:not(.waiting)")  # asked of where it stopped
    assert sums(tab) == before


def test_a_dead_move_is_explained_and_shared(tab: Tab, tmp_path: Path) -> None:
    open_at(tab, GAP, "seed-5")
    certificate = certificates(Position.parse(GAP), "L")["L"]
    tab.wait(".why", f"{certificate.sentence}.")
    assert tab.page.locator(".over .region").count() == 0
    tab.page.get_by_role("button", name="Why L is dead").focus()
    drawn = [
        path.get_attribute("d").count("M")
        for path in tab.page.locator(".over .region path").all()
    ]
    assert drawn == [len(certificate.region), len(certificate.doors)]
    tab.download("Share as a page").save_as(tmp_path / "page.html")
    page = tab.context.browser.new_page(java_script_enabled=False)
    page.goto(f"file://{tmp_path}/page.html")
    assert "  L  dead" in page.locator("pre.moves").inner_text()
    assert certificate.sentence in page.locator("main").inner_text()
    assert page.locator("svg").count() == 2
    page.close()


def test_all_is_done_by_keys_alone(tab: Tab) -> None:
    tab.at("7:RR")
    press = tab.page.keyboard.press

    def go_to(name: str) -> None:
        for _ in range(60):
            press("Tab")
            if tab.page.evaluate(FOCUSED) == name:
                return
        raise AssertionError(f"no way to {name!r} by Tab")

    press("ArrowDown")
    tab.at("7:RRD")
    go_to("Walls")
    for key in ["Enter", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown", "Enter"]:
        press(key)
    tab.at("7_4,2:RRD")
    go_to("Rule")
    press("Enter")
    tab.wait(".word.refuted")
    go_to("here: the live end")
    press("ArrowUp")
    press("K")
    tab.wait(".word.proved")
    go_to("Labyrinth")
    press("Enter")
    tab.wait(".sheets svg")


def test_cases_and_rules_lead_to_the_board(chrome: Any, tmp_path: Path) -> None:
    with served(tmp_path, corpus=ROOT / "corpus") as lab:
        tab = Tab(chrome, lab, "cases")
        tab.page.get_by_label("kind").select_option("gap")
        search = tab.page.get_by_label("search", exact=True)
        search.fill("seed-5")
        tab.wait(".cards li", "gap: seed-5")
        names = tab.page.locator(".cards li strong").all_inner_texts()
        assert len({*names}) == len(names) > 1
        searched = "() => document.querySelector('input[type=search]')?.value === "
        tab.page.get_by_role("link", name="Cases", exact=True).click()
        tab.page.wait_for_function(f"{searched}''")  # all of them again
        tab.page.go_back()
        tab.page.wait_for_function(f"{searched}'seed-5'")
        card = tab.page.locator(".cards li", has_text="gap: seed-5").first
        card.get_by_role("link", name="seed-5", exact=True).click()
        tab.wait(".cards li", "near-border-side")
        tab.page.go_back()
        card.locator("a").first.click()
        tab.wait(".verdicts[data-of]")
        assert "rules=seed-5" in tab.page.url
        tab.go("book")
        search.fill("near-border-side")
        tab.page.get_by_role("link", name="near-border-side").first.click()
        tab.text("every rectangle without walls")
        tab.page.get_by_role("link", name="Edit a copy").click()
        tab.wait(".word.proved")
        tab.close()
