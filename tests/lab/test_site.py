"""Some pages of the site in a browser: colours, tables, search, and what axe says."""

import re
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from tests.lab.test_axe import axe, faults
from website.__main__ import lay_out, mend, shorten
from website.pages import ROOT, written
from website.rulepages import rule_pages

__all__ = ["axe"]  # a fixture
pytestmark = pytest.mark.slow
RULES = ("c-shape", "near-border-side", "found-5-1", "found-5-2")
PAGES = ("index.html", "tables/verdicts.html", "rules/c-shape.html")
SIZES = ((1280, 800), (390, 844))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("site")
    wanted = ("index.md", "tables/verdicts.md", "assets/", "img/")
    pages = {place: it for place, it in written().items() if place.startswith(wanted)}
    for place, content in (pages | rule_pages(RULES)).items():
        path = folder / "pages" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    config = (ROOT / "zensical.toml").read_text(encoding="utf-8")
    config = re.sub(r"^nav = \[.*?^\]", "", config, flags=re.MULTILINE | re.DOTALL)
    config = config.replace("out/", "").replace("[project.plugins.literate-nav]", "")
    (folder / "zensical.toml").write_text(config, encoding="utf-8")
    return built(folder)


def built(folder: Path) -> Path:
    """Build the site of the pages in a folder, as `make docs` does."""
    command = [str(Path(sys.executable).parent / "zensical"), "build"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    mend(folder / "site")
    shorten(folder / "site")
    return folder / "site"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("whole")
    lay_out(folder / "pages")
    config = (ROOT / "zensical.toml").read_text(encoding="utf-8")
    (folder / "zensical.toml").write_text(config.replace("out/", ""), encoding="utf-8")
    for package in ("solver", "heuristic", "verify", "website"):
        (folder / package).symlink_to(ROOT / package)
    return built(folder)


@pytest.fixture
def page(chrome: Any) -> Iterator[Any]:
    context = chrome.new_context(viewport={"width": 390, "height": 844})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(
    chrome: Any, site: Path, axe: str, scheme: str, size: tuple[int, int]
) -> None:
    faulty = []
    context = chrome.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme
    )
    page = context.new_page()
    for place in PAGES:
        page.goto((site / place).as_uri())
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= size[0], f"{place} is {wide} pixels wide"
        faulty += [f"{place}: {text}" for text in faults(page, axe)]
    assert not faulty, "\n".join(faulty)
    context.close()


def test_the_head_is_one_row_on_a_phone(page: Any, site: Path) -> None:
    page.goto((site / "index.html").as_uri())
    assert page.locator(".md-header").bounding_box()["height"] < 60
    assert not page.locator(".md-tabs").is_visible()


def luminance(page: Any) -> int:
    """Return how light the first picture is, 0 to 255."""
    from PIL import Image

    shot = page.locator(".md-content img").first.screenshot()
    return Image.open(BytesIO(shot)).convert("L").resize((1, 1)).tobytes()[0]


def test_pictures_follow_the_switch(page: Any, site: Path) -> None:
    page.goto((site / "index.html").as_uri())
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
        return [str(text).strip() for text in texts]

    before = column()
    numbers = sorted(int(text.replace(",", "")) for text in before if text)
    head.get_by_role("button").focus()
    for word, order in (("ascending", numbers), ("descending", numbers[::-1])):
        page.keyboard.press("Enter")
        assert head.get_attribute("aria-sort") == word
        after = column()
        assert [int(text.replace(",", "")) for text in after[: len(order)]] == order
        assert not any(after[len(order) :])
    page.keyboard.press("Enter")
    assert column() == before
    assert head.get_attribute("aria-sort") is None


@pytest.mark.parametrize(
    ("query", "rule"),
    [
        ("free left dead end corner", "c-shape"),
        ("outside two left border", "near-border-side"),
        ("area one door even number", "found-5-1"),
    ],
)
def test_the_search_finds_a_rule_by_what_it_draws(
    page: Any, site: Path, query: str, rule: str
) -> None:
    page.goto((site / "index.html").as_uri())
    page.keyboard.press("Control+k")
    page.keyboard.type(query)
    results = page.locator("a[href*='rules/']").filter(has_text=rule)
    results.first.wait_for(timeout=20_000)


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
    page: Any, whole: Path, query: str, first: str
) -> None:
    page.goto((whole / "index.html").as_uri())
    page.keyboard.press("Control+k")
    page.keyboard.type(query)
    results = page.locator("ol li a")
    results.first.wait_for(timeout=20_000)
    page.wait_for_timeout(500)  # the list follows the typing
    assert results.first.get_attribute("href").partition("?")[0].endswith(first)
