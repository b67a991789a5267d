"""What a first visitor meets: the task, places that stay, signs, contrast, sizes."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from heuristic.rules.drawing import CellState
from heuristic.rules.picture import FILL
from tests.lab.served import ROOT, Served, served, start
from tests.lab.tab import Tab

DEAD = "5:RRRDDRDL"
LOOKS = {
    "free": CellState.FREE,
    "visited": CellState.VISITED,
    "border": CellState.OUTSIDE,
    "taken": CellState.VISITED | CellState.OUTSIDE,
    "onboard": CellState.FREE | CellState.VISITED,
}
CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def lab(chrome: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("first")
    with served(folder, "9:", "--rules", "seed-5", corpus=ROOT / "corpus") as opened:
        yield opened


@pytest.fixture
def tab(chrome: Any, lab: Served) -> Iterator[Tab]:
    opened = Tab(chrome, lab)
    opened.page.set_default_timeout(40_000)
    yield opened
    opened.close()


def top(tab: Tab, what: str) -> float:
    return float(tab.page.locator(what).first.bounding_box()["y"])


def test_a_first_visit_shows_the_task_and_a_main_button(tab: Tab) -> None:
    tab.at("9:")
    tab.page.get_by_text("Draw one line from the dot to the ring").wait_for()
    assert tab.page.locator("button.main").all_inner_texts() == ["Walk by rules"]
    tab.click(1, 3)
    tab.at("9:RR")
    tab.page.get_by_role("button", name="hide this sentence").click()
    tab.page.reload()
    tab.page.locator(".verdict").wait_for()
    assert tab.page.locator(".task").count() == 0
    tab.page.get_by_role("button", name="Walk by rules").click()
    tab.page.locator(".message", has_text="moves by seed-5").wait_for()


def test_the_help_has_the_marks_the_signs_the_keys_and_the_documentation(
    tab: Tab,
) -> None:
    tab.at("9:")
    tab.page.keyboard.press("?")
    shown = tab.page.locator("dialog.help")
    shown.get_by_text("A green ring").wait_for()
    assert "free, and not the end cell" in shown.inner_text()
    assert "first and last step" in shown.inner_text()
    with tab.context.expect_page() as opened:
        shown.get_by_role("link", name="Documentation").click()
    opened.value.locator("h1").first.wait_for()
    opened.value.get_by_role("link").nth(3).click()
    opened.value.wait_for_url("**/docs/**.md")
    assert opened.value.locator("main.documentation h1").count() > 0
    tab.page.get_by_role("button", name="Close").click()
    shown.wait_for(state="hidden")


def test_a_message_is_about_one_action_and_the_hint_follows_the_pointer(
    tab: Tab,
) -> None:
    tab.at("9:")
    tab.click(5, 6)
    shown = tab.page.locator(".message", has_text="leads to row 5, column 6")
    shown.wait_for()
    tab.page.keyboard.press("ArrowRight")
    shown.wait_for(state="detached")
    hint = tab.page.locator(".consequence")
    tab.page.mouse.move(*tab.centre(1, 3))
    hint.get_by_text("R, right").wait_for()
    tab.page.mouse.down()
    tab.page.mouse.move(*tab.centre(1, 5), steps=4)
    tab.page.mouse.up()
    hint.get_by_text("row 1, column 5").wait_for()
    tab.page.mouse.move(*tab.centre(2, 5))
    hint.get_by_text("D, down").wait_for()


def test_what_changes_keeps_its_place(tab: Tab) -> None:
    places = set()
    for position in ("9:", "9:R", "9:RRD", "9:RRDDLLD", DEAD, "3:RRDDLLURD"[:-1]):
        tab.page.goto(f"{tab.lab.origin}/#board/{position}?rules=seed-5")
        tab.page.locator(f".verdicts[data-of='{position}']").wait_for()
        names = (".go .main", ".verdict", ".moves, .movesbox", ".tools")
        places.add(tuple(top(tab, name) for name in names))
    assert len(places) == 1


def test_the_moves_are_listed_and_the_notation_is_copied(tab: Tab) -> None:
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    walk = "21:" + "RRRRRRRRRRRRRRRRRRRRDLLLLLLLLLLLLLLLLLLLDRRRRRRRR"
    tab.page.goto(f"{tab.lab.origin}/#board/{walk}")
    tab.page.locator(f".verdicts[data-of='{walk}']").wait_for()
    tab.page.get_by_role("button", name="Copy").click()
    tab.page.get_by_text("The notation is copied").wait_for()
    assert tab.page.evaluate("navigator.clipboard.readText()") == walk
    moves = tab.page.get_by_role("list", name="Moves of the walk")
    moves.get_by_role("button", name="move 3, right").click()
    tab.page.locator(".slide output", has_text="3 / 49").wait_for()
    assert moves.locator("[aria-current]").inner_text() == "R"
    tab.page.get_by_role("button", name="New board").click()
    tab.at("21:")


def test_the_rules_of_the_set_are_shown_with_their_pictures(tab: Tab) -> None:
    tab.page.goto(f"{tab.lab.origin}/#board/9:?rules=seed-5,-c-shape")
    tab.page.get_by_text("Rules of seed-5,-c-shape").click()
    cards = tab.page.locator(".setrules .cards li")
    tab.page.locator(".setrules", has_text="3 rules").wait_for()
    names = cards.locator("strong").all_inner_texts()
    assert names == ["near-border-side", "near-border-front", "area-near-border"]
    assert cards.locator("svg").count() == 3
    tab.page.locator(".setrules .signs", has_text="visited or outside").wait_for()


def test_a_sign_has_one_face_on_every_page(tab: Tab) -> None:
    tab.page.goto(f"{tab.lab.origin}/#rule")
    tab.page.locator(".judged[data-of]").wait_for()
    palette = tab.page.locator(".palette button", has_text="free, and not the end")
    assert palette.locator(".tile").inner_text() == "K"
    palette.click()
    cell = tab.page.get_by_role("button", name="1 ahead: free")
    cell.click()
    assert cell.locator(".sign").inner_text() == "K"
    colours = "element => getComputedStyle(element).backgroundColor"
    same = cell.evaluate(colours) == palette.locator(".tile").evaluate(colours)
    assert same
    for look, states in LOOKS.items():
        shade = tab.page.locator(f".signs .tile.{look}").first.evaluate(colours)
        red, green, blue = (int(part) for part in re.findall(r"\d+", shade))
        assert f"#{red:02x}{green:02x}{blue:02x}" == FILL[int(states)]  # as drawn
    for page in ("rule", "book", "book/c-shape"):
        tab.page.goto(f"{tab.lab.origin}/#{page}")
        legend = tab.page.get_by_role("list", name="What the signs mean")
        legend.get_by_text("visited or outside").wait_for()
    tab.page.goto(f"{tab.lab.origin}/#cases")
    tab.page.get_by_role("list", name="What the marks mean").wait_for()


PAGES = {
    "board/7x5_3.3:RR?rules=seed-5": ".board .drawn rect[fill='#333333']",
    f"board/{DEAD}?rules=seed-5": ".fatal",
    "rule": ".judged[data-of]",
    "book": ".cards svg",
    "book/c-shape": ".drawings svg",
    "cases": ".cards svg",
    "labyrinth?rows=11&cols=11": ".sheets svg",
}


def test_everything_is_told_apart(tab: Tab) -> None:
    papers = {"book": ".cards .rulepicture", "cases": ".cards .thumbnail"}
    for where, whole in PAGES.items():
        tab.page.goto(f"{tab.lab.origin}/#{where}")
        tab.page.locator(whole).first.wait_for()
        for scheme in ("light", "dark"):
            tab.page.emulate_media(color_scheme=scheme)
            assert tab.page.evaluate(CONTRAST) == [], (where, scheme)
            if where in papers:  # pictures are drawn for white paper
                paper = tab.page.locator(papers[where]).first
                colour = "element => getComputedStyle(element).backgroundColor"
                assert paper.evaluate(colour) == "rgb(255, 255, 255)"


def test_it_fits_a_small_laptop_and_a_phone(chrome: Any, lab: Served) -> None:
    tab = Tab(chrome, lab)
    tab.page.set_viewport_size({"width": 1024, "height": 768})
    tab.at("9:")
    zooms = tab.page.locator(".zooms button").all()
    assert len({element.bounding_box()["y"] for element in zooms}) == 1
    play = tab.page.get_by_role("button", name="play").bounding_box()
    assert zooms[0].bounding_box()["y"] == play["y"]
    legend = tab.page.locator(".legend").bounding_box()
    assert legend["y"] + legend["height"] < 768
    tab.page.set_viewport_size({"width": 390, "height": 844})
    tab.page.goto(f"{lab.origin}/#rule")
    tab.page.locator(".judged[data-of]").wait_for()
    grid = tab.page.locator(".rulegrid").bounding_box()
    verdict = tab.page.locator(".judged .word").bounding_box()
    assert 0 < verdict["y"] - grid["y"] - grid["height"] < 300
    for element in tab.page.locator(".sides button").all():
        box = element.bounding_box()
        assert min(box["width"], box["height"]) >= 24
    tab.close()


def test_a_page_reconnects_to_a_restarted_server(chrome: Any, tmp_path: Path) -> None:
    first = start(tmp_path, "7:RR")
    tab = Tab(chrome, first)
    tab.at("7:RR")
    first.process.kill()
    first.process.wait()
    tab.page.locator(".verdict", has_text="The server has stopped").wait_for()
    assert tab.page.get_by_role("button", name="Walk exactly").is_disabled()
    tab.page.keyboard.press("ArrowDown")
    again = start(tmp_path, "7:RR", "--port", str(first.port))
    assert again.token == first.token
    tab.page.locator(".online:empty").wait_for(state="attached")
    tab.page.locator(".verdict", has_text="can be completed").wait_for()
    tab.at("7:RRD")
    tab.close()
    again.end()
    for element in (first, again):
        if element.process.stdout:
            element.process.stdout.close()


def test_a_dead_walk_is_not_offered_a_completion(tab: Tab) -> None:
    tab.page.goto(f"{tab.lab.origin}/#board/{DEAD}?rules=seed-5")
    tab.page.locator(".verdict.dead").wait_for()
    for name, works in (("Complete it", False), ("Back to the mistake", True)):
        assert tab.page.get_by_role("button", name=name).is_enabled() is works


def test_the_page_of_a_rule_begins_with_verdict_scope_and_picture(tab: Tab) -> None:
    tab.page.goto(f"{tab.lab.origin}/#book/c-shape")
    tab.page.locator(".drawings svg").wait_for()
    lead = tab.page.locator(".lead").inner_text()
    assert "PROVED" in lead
    assert "every board, with any walls and ends" in lead
    assert not tab.page.get_by_text("bytes", exact=True).is_visible()
    tab.page.get_by_text("Details", exact=True).click()
    tab.page.get_by_text("bytes", exact=True).wait_for()
