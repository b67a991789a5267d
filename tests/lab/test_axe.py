"""Every page passes axe-core, in light and in dark, on a desk and on a phone.

axe-core (Deque Systems, MPL-2.0) comes with `axe-playwright-python`. No page loads it.
"""

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from tests.lab.served import ROOT, Served, served
from tests.lab.tab import Tab

pytestmark = pytest.mark.slow
AREA = """[[rule]]
name = "door"
claim = "sound"
drawing = '''
? # ?
. s .
? @ x
'''
[[rule.area]]
cells = [[0, 1]]
side = "left"
kind = "closed"
base = [0, 0]
wall = [0, 2]
"""
# a page, what it shows when it is whole, and what is done on it first
PAGES = {
    "board": ("board/7:RRDRURDDLD?rules=seed-5", "table.moves", ""),
    "dead": ("board/5:RRRDDRDL?rules=seed-5", ".fatal", ""),
    "walls": ("board/7x5_3.3:RR", "table.moves", "Walls"),
    "rule": ("rule", ".judged[data-of]", ""),
    "area": ("rule", ".judged[data-of='door']", AREA),
    "fault": ("rule", ".note.bad", "[[rule]]"),
    "labyrinth": ("labyrinth?rows=11&cols=11", ".sheets svg", ""),
    "book": ("book", ".cards li", ""),
    "of-the-book": ("book/c-shape", ".drawings svg", ""),
    "cases": ("cases", ".cards li", ""),
}
SIZES = {"desk": (1280, 800), "phone": (390, 844)}
UNFOLD = (
    "() => document.querySelectorAll('details').forEach(rule => { rule.open = true })"
)


@pytest.fixture(scope="module")
def lab(chrome: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("axe")
    with served(folder, "7:RR", corpus=ROOT / "corpus") as opened:
        yield opened


@pytest.fixture(scope="module")
def axe() -> str:
    pytest.importorskip("axe_playwright_python")
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def shown(tab: Tab, where: str, whole: str, done: str) -> None:
    """Show a page once it is whole; `done` is the text of a rule or a button."""
    tab.go(where)
    if "[[rule]]" in done:
        tab.page.get_by_label("text", exact=True).fill(done)
    elif done:
        tab.press(done)
    tab.wait(whole)
    tab.page.get_by_text("waiting for the rules").wait_for(state="hidden")


def faults(page: Any, axe: str) -> list[str]:
    page.evaluate(axe + ";0")
    report = page.evaluate("() => axe.run()")
    assert len(report["passes"]) > 10
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:160]} {node['any'][:1]}"
        for rule in report["violations"]
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_no_page_is_too_wide(
    chrome: Any, lab: Served, axe: str, scheme: str, size: str
) -> None:
    tab = Tab(chrome, lab, color_scheme=scheme)
    width, height = SIZES[size]
    tab.page.set_viewport_size({"width": width, "height": height})
    faulty: list[str] = []
    for name, page in PAGES.items():
        shown(tab, *page)
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width, name
        tab.page.evaluate(UNFOLD)
        faulty += [f"{name}: {rule}" for rule in faults(tab.page, axe)]
    assert not faulty, "\n".join(faulty)
    hidden = "nav => nav.scrollWidth - nav.clientWidth"
    assert tab.page.locator("nav").evaluate(hidden) <= 0  # all pages in one row
    tab.close()


def test_axe_would_find_what_is_wrong(chrome: Any, axe: str) -> None:
    page = chrome.new_page()
    page.set_content("<main><button></button><input><img src='x'></main>")
    wrong = {rule.partition(" ")[0] for rule in faults(page, axe)}
    assert wrong >= {"button-name", "label", "image-alt"}
    page.close()
