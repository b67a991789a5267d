"""Every example in the pages is run, and prints what the page shows."""

import shutil
from pathlib import Path

import pytest

from tests.shown import ROOT, blocks, play

BLOCKS = {
    page: blocks(page.read_text(encoding="utf-8"))
    for page in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
}
PAGES = [page for page in BLOCKS if any(block.runs for block in BLOCKS[page])]
SLOW = [page for page in PAGES if any(block.slow for block in BLOCKS[page])]


@pytest.fixture(autouse=True)
def _examples(here: Path) -> None:
    """Copy the examples of the documentation."""
    shutil.copytree(ROOT / "docs/examples", here / "docs/examples")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page(page: Path) -> None:
    play(page, slow=False)


@pytest.mark.slow
@pytest.mark.parametrize("page", SLOW, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_slow_examples_of_a_page(page: Path) -> None:
    play(page, slow=True)


def test_every_command_of_a_page_is_run_or_says_why_not() -> None:
    assert len(PAGES) >= 8
    for page in BLOCKS:
        for block in BLOCKS[page]:
            where = f"{page.name}: {block.body[:60]}"
            assert block.kind not in ("bash", "shell"), where
            marked = block.mark in ("", "slow") or block.codes
            assert marked or block.mark.startswith("not run: "), where
            assert "$ oneway" not in block.body or block.kind == "console", where
