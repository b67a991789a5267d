"""The lesson for a class: a file alone, whose truths are those of the oracle."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from solver.board import Position
from solver.oracles.oracle import decide_moves, get_oracle
from website.lesson import lesson_pages

WALK = "RDDLDDRRURURRDDDLL"  # dead somewhere on its way
KEY = dict(
    zip("URDL", ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"), strict=True)
)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (name, text), *_ = lesson_pages().items()
    path: Path = tmp_path_factory.mktemp("lesson") / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def page(chrome: Any, file: Path) -> Iterator[Any]:
    context = chrome.new_context(viewport={"width": 390, "height": 844})
    found = context.new_page()
    faults: list[str] = []
    found.on("pageerror", lambda error: faults.append(str(error)))
    found.goto(file.as_uri())
    found.locator("#truth:enabled").wait_for()
    yield found
    assert faults == []
    context.close()


def test_the_page_is_small_and_loads_nothing(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert len(text) < 300_000
    assert "http" not in text
    assert "src=" not in text


@pytest.mark.parametrize("walk", [WALK, WALK.translate(str.maketrans("URDL", "LDRU"))])
def test_its_truths_are_those_of_the_oracle(page: Any, walk: str) -> None:
    page.locator("#truth").click()
    oracle, verdicts = get_oracle("sat"), set()
    for steps in range(len(walk) + 1):
        position = Position.parse(f"7:{walk[:steps]}")
        moves = decide_moves(oracle, position)
        good = sum(one.verdict.name == "COMPLETABLE" for one in moves.values())
        assert page.locator("circle.good").count() == good
        assert page.locator("path.bad").count() == len(moves) - good
        verdict = oracle.decide(position).verdict.name
        verdicts.add(verdict)
        said = "can still be" if verdict == "COMPLETABLE" else "can't be finished"
        assert said in page.locator("#said").inner_text()
        if steps < len(walk):
            page.keyboard.press(KEY[walk[steps]])
    assert len(verdicts) == 2
    assert "all 2,043,335 beginnings" in page.locator("ol").first.inner_text()


def test_a_whole_line_by_taps(page: Any) -> None:
    rows = ["RRRRRRD", "LLLLLLD"] * 3 + ["RRRRRR"]
    position = Position.parse("7:" + "".join(rows))
    for cell in position.walk[1:]:
        page.locator(f'rect[data-cell="{cell}"]').click(force=True)
    assert "Done" in page.locator("#said").inner_text()
    page.locator("#back").click()
    assert "1 cell is left" in page.locator("#said").inner_text()
    page.locator("#again").click()
    page.locator("#colours").click()
    assert page.locator("rect.dark").count() == 25


def test_a_line_drawn_with_the_mouse_and_rubbed_out(page: Any) -> None:
    def to(cell: int) -> None:
        box = page.locator(f'rect[data-cell="{cell}"]').bounding_box()
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(*middle, steps=4)

    to(0)
    page.mouse.down()
    for cell in (1, 2, 9, 16):
        to(cell)
    assert "44 cells" in page.locator("#said").inner_text()
    to(9)
    to(2)
    page.mouse.up()
    to(3)
    assert "46 cells" in page.locator("#said").inner_text()
