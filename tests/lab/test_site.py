"""Some pages of the site in a browser: colours, tables, search, and what axe says."""

import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.lab.test_axe import SIZES, axe, faults
from website.__main__ import lay_out, mend, shorten
from website.pages import ROOT

__all__ = ["axe"]  # a fixture
pytestmark = pytest.mark.slow
PAGES = ("index.html", "tables/verdicts.html", "rules/c-shape.html")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site, as `make docs` does."""
    folder: Path = tmp_path_factory.mktemp("site")
    lay_out(folder / "pages")
    config = (ROOT / "zensical.toml").read_text(encoding="utf-8")
    (folder / "zensical.toml").write_text(config.replace("out/", ""), encoding="utf-8")
    for package in ("solver", "heuristic", "verify", "website"):
        (folder / package).symlink_to(ROOT / package)
    command = [str(Path(sys.executable).parent / "zensical"), "build"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    mend(folder / "site")
    shorten(folder / "site")
    return folder / "site"


@pytest.fixture
def page(chrome: Any, site: Path) -> Iterator[Any]:
    context = chrome.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    yield page
    context.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(
    chrome: Any, site: Path, axe: str, scheme: str, size: str
) -> None:
    faulty, (width, height) = [], SIZES[size]
    context = chrome.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme
    )
    page = context.new_page()
    for place in PAGES:
        page.goto((site / place).as_uri())
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= width, f"{place} is {wide} pixels wide"
        faulty += [f"{place}: {text}" for text in faults(page, axe)]
    assert not faulty, "\n".join(faulty)
    context.close()


def luminance(page: Any) -> int:
    """Return how light the first picture is, 0 to 255."""
    shot = page.locator(".md-content img").first.screenshot()
    return Image.open(BytesIO(shot)).convert("L").resize((1, 1)).tobytes()[0]


def test_a_phone_shows_one_row_and_pictures_that_follow_the_switch(page: Any) -> None:
    assert page.locator(".md-header").bounding_box()["height"] < 60
    assert not page.locator(".md-tabs").is_visible()
    assert luminance(page) > 200
    page.get_by_title("Dark").click()
    assert luminance(page) < 80
    page.reload()
    assert luminance(page) < 80


def test_tables_sort_by_a_key(page: Any, site: Path) -> None:
    page.goto((site / "tables/verdicts.html").as_uri())
    table = page.locator("table").first
    head = table.locator("th").filter(has=page.get_by_role("button", name="clauses"))

    def column() -> list[str]:
        texts = table.locator("tbody td:nth-child(6)").all_inner_texts()
        return [str(text).strip().replace(",", "") for text in texts]

    before = column()
    numbers = sorted(int(text) for text in before if text)
    head.get_by_role("button").focus()
    for word, order in (("ascending", numbers), ("descending", numbers[::-1])):
        page.keyboard.press("Enter")
        assert head.get_attribute("aria-sort") == word
        empty = [""] * (len(before) - len(order))
        assert column() == [*map(str, order), *empty]
    page.keyboard.press("Enter")
    assert column() == before
    assert head.get_attribute("aria-sort") is None


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("write a rule in python", "tutorial/python-rule.html"),
        ("replay corpus in pytest", "how-to/regression.html"),
        ("dimacs", "how-to/export.html"),
        ("hamiltonian path", "index.html"),
        ("stuck", "how-to/gaps.html"),
        ("labyrinth", "tutorial/labyrinth.html"),
        ("exit code", "reference/exit-codes.html"),
    ],
)
def test_the_search_finds_the_right_page_first(
    page: Any, query: str, first: str
) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type(query)
    results = page.locator("ol li a")
    results.first.wait_for(timeout=20_000)
    page.wait_for_timeout(500)  # the list follows the typing
    assert results.first.get_attribute("href").partition("?")[0].endswith(first)


def test_the_search_finds_rules_by_what_they_draw(page: Any) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type("dead end corner near border")
    page.locator("ol li a[href*='rules/']").first.wait_for(timeout=20_000)
