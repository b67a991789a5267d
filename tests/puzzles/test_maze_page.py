"""The page of a maze, also in a real browser where there is one."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from solver.errors import OptionError
from solver.puzzles.maze import Maze, solve
from tests.lab.served import browser
from tests.puzzles.samples import RIDDLER
from verify.puzzles.maze import page

PUBLISHED = Maze.parse(RIDDLER)
SHOWN = "maze.cy.nodes('.node').filter(n => n.style('display') === 'element').length"
MOVED = "maze.cy.nodes('.node').filter((n, k) => n.position('x') !== before[k]).length"


def data_of(text: str) -> dict[str, Any]:
    line = re.search(r"^const data = (.*);$", text, re.MULTILINE)
    assert line
    data: dict[str, Any] = json.loads(line.group(1))
    return data


def test_page_holds_the_network_and_every_route() -> None:
    text, solution = page(solve(PUBLISHED)), solve(PUBLISHED)
    data = data_of(text)
    elements = {x["data"]["id"]: x for x in data["elements"]}
    kinds = [elements[f"n{node}"]["classes"] for node in range(288)]
    hopeless = [count < 0 for count in solution.steps.tolist()]
    assert ["hopeless" in kind.split() for kind in kinds] == hopeless
    assert ["entry" in kind.split() for kind in kinds] == [*[False] * 256, *[True] * 32]
    assert [len(route["nodes"]) - 1 for route in data["routes"]] == [34, 42, 45]
    arcs = {i for i, x in elements.items() if x["classes"] == "arc"}
    assert len(arcs) == 314
    for route in data["routes"]:
        nodes = [f"n{node}" for node in route["nodes"]]
        assert all(f"{a}{b}" in arcs for a, b in pairwise(nodes))
        steps = [int(elements[node]["data"]["label"]) for node in nodes]
        assert steps == list(range(len(nodes) - 1, -1, -1))
    assert elements["n1"]["position"] == {"x": -36, "y": 0}  # (1, 1) E stands west
    assert elements["n257"]["position"] == {"x": 120, "y": -96}  # top, column 2
    assert elements["n1"]["data"]["colour"] == "#d0d0d0"
    assert elements[f"n{4 * PUBLISHED.goal}"]["data"]["colour"] == "#2c9f45"
    assert not re.findall(r"""(?:src|href)\s*=\s*["'][^"']*|@import|url\(""", text)
    assert "default-src 'none'" in text
    assert text.count("<script>") == text.count("</script>") == 2


def test_page_of_a_chosen_and_of_a_hopeless_entry() -> None:
    data = data_of(page(solve(PUBLISHED), PUBLISHED.entry("right6")))
    assert data["chosen"] == 2
    assert data["routes"][2]["label"] == "45 moves: right, row 6"
    data = data_of(page(solve(PUBLISHED), PUBLISHED.entry("left1")))
    assert [len(route["nodes"]) - 1 for route in data["routes"]] == [34, 42, 45, 0]
    chosen = data["routes"][data["chosen"]]
    assert chosen["label"] == "no way: left, row 1"
    (node,) = chosen["nodes"]
    assert PUBLISHED.name(node) == "left, row 1"
    assert data_of(page(solve(Maze.parse("XXX/XGX/XXX"))))["routes"] == []
    assert page(solve(Maze(("G" + "S" * 39, *["S" * 40] * 39))))
    with pytest.raises(OptionError, match="a page of 1601 cells, more than 1600"):
        page(solve(Maze(("G" + "S" * 1600,))))
    text = page(solve(Maze.parse("G")))
    assert "<title>Maze 1 x 1: 1 move: top, column 1</title>" in text
    assert data_of(text)["routes"][0]["label"] == "1 move: top, column 1"


@pytest.mark.slow
def test_page_in_a_browser(tmp_path: Path) -> None:
    file, faults, loaded = tmp_path / "maze.html", list[str](), list[str]()
    file.write_text(page(solve(PUBLISHED)), "utf-8")
    with browser() as chrome:
        tab = chrome.new_page()
        tab.on("console", lambda message: faults.append(message.text))
        tab.on("pageerror", lambda error: faults.append(str(error)))
        tab.on("request", lambda request: loaded.append(request.url))
        tab.goto(file.as_uri())
        where, relax = tab.locator("#where"), tab.locator("#relax")
        assert where.inner_text() == "move 0 of 34: top, column 4"
        tab.locator("#move").fill("2")
        assert where.inner_text() == "move 2 of 34: (2, 4) S"
        assert tab.evaluate("maze.cy.nodes('.passed').length") == 3
        tab.locator("#route").select_option("2")
        assert where.inner_text() == "move 0 of 45: right, row 6"
        tab.locator("#hopeless").uncheck()
        assert tab.evaluate(SHOWN) == 95  # nodes and entries with a way to the goal
        tab.evaluate("before = maze.cy.nodes('.node').map(n => n.position('x'))")
        relax.click()
        assert relax.inner_text() == "stop"
        tab.get_by_role("button", name="relax", exact=True).wait_for()
        assert 80 < tab.evaluate(MOVED) <= 95  # those that are hidden stay
        tab.locator("#hopeless").check()
        assert tab.evaluate(SHOWN) == 288
        tab.locator("#grid").click()
        assert tab.evaluate(MOVED) == 0
    assert (faults, loaded) == ([], [file.as_uri()])
