"""The first visit: the task, places that stay, signs, contrast, sizes."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from heuristic.rules.picture import FILL
from tests.lab.served import ROOT, Served, served, start
from tests.lab.tab import Tab
from tests.lab.test_axe import PAGES, shown
from verify.lab.server import STATE_LOOKS

DEAD = "5:RRRDDRDL"
CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
COLOUR = "element => getComputedStyle(element).backgroundColor"


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


def test_a_first_visit_shows_the_task_and_a_main_button(tab: Tab) -> None:
    tab.at("9:")
    tab.text("Draw one line from the dot to the ring")
    assert tab.page.locator("button.main").all_inner_texts() == ["Walk by rules"]
    tab.click(1, 3)
    tab.at("9:RR")
    tab.press("hide this sentence")
    tab.page.reload()
    tab.wait(".verdict")
    assert tab.page.locator(".task").count() == 0
    tab.press("Walk by rules")
    tab.wait(".message", "moves by seed-5")


def test_the_help_has_the_marks_the_signs_the_keys_and_the_documentation(
    tab: Tab,
) -> None:
    tab.at("9:")
    tab.page.keyboard.press("?")
    tab.wait("dialog.help", "A green ring")
    tab.wait("dialog.help", "free, and not the end cell")
    tab.wait("dialog.help", "first and last step")
    with tab.context.expect_page() as opened:
        tab.page.get_by_role("link", name="Documentation").click()
    opened.value.locator("h1").first.wait_for()
    opened.value.get_by_role("link").nth(3).click()
    opened.value.wait_for_url("**/docs/**.md")
    assert opened.value.locator("main.documentation h1").count() > 0
    tab.press("Close")
    tab.page.locator("dialog.help").wait_for(state="hidden")


def test_a_message_is_about_one_action_and_the_hint_follows_the_pointer(
    tab: Tab,
) -> None:
    tab.at("9:")
    tab.click(5, 6)
    tab.wait(".message", "leads to row 5, column 6")
    tab.page.keyboard.press("ArrowRight")
    tab.page.locator(".message", has_text="leads to").wait_for(state="detached")
    tab.page.mouse.move(*tab.centre(1, 3))
    tab.wait(".consequence", "R, right")
    tab.stroke(tab.centre(1, 3), tab.centre(1, 5))
    tab.wait(".consequence", "row 1, column 5")
    tab.page.mouse.move(*tab.centre(2, 5))
    tab.wait(".consequence", "D, down")


def test_what_changes_keeps_its_place(tab: Tab) -> None:
    places = set()
    for position in ("9:", "9:R", "9:RRD", "9:RRDDLLD", DEAD, "3:RRDDLLUR"):
        tab.go(f"board/{position}?rules=seed-5")
        tab.of(position)
        names = (".go .main", ".verdict", ".moves, .movesbox", ".tools")
        elements = [tab.page.locator(name).first for name in names]
        places.add(tuple(element.bounding_box()["y"] for element in elements))
    assert len(places) == 1


def test_the_moves_are_listed_and_the_notation_is_copied(tab: Tab) -> None:
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    walk = f"21:{'R' * 20}D{'L' * 19}D{'R' * 8}"
    tab.go(f"board/{walk}")
    tab.of(walk)
    tab.press("Copy")
    tab.text("The notation is copied")
    assert tab.page.evaluate("navigator.clipboard.readText()") == walk
    tab.press("move 3, right")
    tab.wait(".slide output", "3 / 49")
    moves = tab.page.get_by_role("list", name="Moves of the walk")
    assert moves.locator("[aria-current]").inner_text() == "R"
    tab.press("New board")
    tab.at("21:")


def test_the_rules_of_the_set_are_shown_with_their_pictures(tab: Tab) -> None:
    tab.go("board/9:?rules=seed-5,-c-shape")
    tab.text("Rules of seed-5,-c-shape")
    tab.page.get_by_text("Rules of seed-5,-c-shape").click()
    cards = tab.page.locator(".setrules .cards li")
    tab.wait(".setrules", "3 rules")
    names = cards.locator("strong").all_inner_texts()
    assert names == ["near-border-side", "near-border-front", "area-near-border"]
    assert cards.locator("svg").count() == 3
    tab.wait(".setrules .signs", "visited or outside")


def test_a_sign_has_one_face_on_every_page(tab: Tab) -> None:
    tab.go("rule", ".judged[data-of]")
    palette = tab.page.locator(".palette button", has_text="free, and not the end")
    assert palette.locator(".tile").inner_text() == "K"
    palette.click()
    cell = tab.page.get_by_role("button", name="1 ahead: free")
    cell.click()
    assert cell.locator(".sign").inner_text() == "K"
    same = cell.evaluate(COLOUR) == palette.locator(".tile").evaluate(COLOUR)
    assert same
    for states, look in STATE_LOOKS.items():
        shade = tab.page.locator(f".signs .tile.{look}").first.evaluate(COLOUR)
        red, green, blue = (int(part) for part in re.findall(r"\d+", shade))
        assert f"#{red:02x}{green:02x}{blue:02x}" == FILL[int(states)]  # as drawn
    for page in ("rule", "book", "book/c-shape"):
        tab.go(page)
        legend = tab.page.get_by_role("list", name="What the signs mean")
        legend.get_by_text("visited or outside").wait_for()
    tab.go("cases", "[aria-label='What the marks mean']")


def test_everything_is_told_apart(tab: Tab) -> None:
    papers = {"book": ".cards .rulepicture", "cases": ".cards .thumbnail"}
    for name in ("walls", "dead", "rule", "book", "of-the-book", "cases", "labyrinth"):
        shown(tab, *PAGES[name])
        for scheme in ("light", "dark"):
            tab.page.emulate_media(color_scheme=scheme)
            assert tab.page.evaluate(CONTRAST) == [], (name, scheme)
            if name in papers:  # pictures are drawn for white paper
                paper = tab.page.locator(papers[name]).first
                assert paper.evaluate(COLOUR) == "rgb(255, 255, 255)"


def test_it_fits_a_small_laptop_and_a_phone(tab: Tab) -> None:
    tab.page.set_viewport_size({"width": 1024, "height": 768})
    tab.at("9:")
    zooms = tab.page.locator(".zooms button").all()
    play = tab.page.get_by_role("button", name="play").bounding_box()
    assert {element.bounding_box()["y"] for element in zooms} == {play["y"]}
    legend = tab.page.locator(".legend").bounding_box()
    assert legend["y"] + legend["height"] < 768
    tab.page.set_viewport_size({"width": 390, "height": 844})
    tab.go("rule", ".judged[data-of]")
    grid = tab.page.locator(".rulegrid").bounding_box()
    verdict = tab.page.locator(".judged .word").bounding_box()
    assert 0 < verdict["y"] - grid["y"] - grid["height"] < 300
    for element in tab.page.locator(".sides button").all():
        box = element.bounding_box()
        assert min(box["width"], box["height"]) >= 24


def test_a_page_reconnects_to_a_restarted_server(chrome: Any, tmp_path: Path) -> None:
    first = start(tmp_path, "7:RR")
    tab = Tab(chrome, first)
    tab.at("7:RR")
    first.end()
    tab.wait(".verdict", "The server has stopped")
    assert tab.page.get_by_role("button", name="Walk exactly").is_disabled()
    tab.page.keyboard.press("ArrowDown")
    again = start(tmp_path, "7:RR", "--port", str(first.port))
    assert again.token == first.token
    tab.page.locator(".online:empty").wait_for(state="attached")
    tab.wait(".verdict", "can be completed")
    tab.at("7:RRD")
    tab.close()
    again.end()


def test_a_dead_walk_is_not_offered_a_completion(tab: Tab) -> None:
    tab.go(f"board/{DEAD}?rules=seed-5", ".verdict.dead")
    for name, works in (("Complete it", False), ("Back to the mistake", True)):
        assert tab.page.get_by_role("button", name=name).is_enabled() is works


def test_the_page_of_a_rule_begins_with_verdict_scope_and_picture(tab: Tab) -> None:
    tab.go("book/c-shape", ".drawings svg")
    tab.wait(".lead", "PROVED")
    tab.wait(".lead", "every board, with any walls and ends")
    assert not tab.page.get_by_text("bytes", exact=True).is_visible()
    tab.page.get_by_text("Details", exact=True).click()
    tab.text("bytes", exact=True)
