"""The page of a maze, also in a real browser where there is one."""

import html
import json
import os
import re
import subprocess
from itertools import pairwise
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from solver.errors import OptionError
from solver.puzzles.maze import Maze, solve
from tests.puzzles.samples import RIDDLER
from verify.puzzles.maze import page

PUBLISHED = Maze.parse(RIDDLER)

# Before the page's own scripts: collects errors. After them: acts like a person.
LISTEN = """<script>
const errors = [];
window.requestAnimationFrame = f => setTimeout(f, 16); // virtual time has no frames
window.addEventListener("error", event => errors.push(event.message));
document.addEventListener("securitypolicyviolation", e => errors.push(e.blockedURI));
</script>"""
ACT = """<script>
{
const done = { errors };
const cy = maze.cy;
const text = id => document.getElementById(id).textContent;
const places = new Map(cy.nodes().map(n => [n.id(), { ...n.position() }]));
const click = id => document.getElementById(id).click();
const shown = () =>
  cy.nodes(".node").filter(n => n.style("display") === "element").length;
setTimeout(() => {
  done.start = text("where");
  const slider = document.getElementById("move");
  slider.value = "2";
  slider.dispatchEvent(new Event("input"));
  done.second = text("where");
  done.passed = cy.nodes(".passed").length;
  const choice = document.getElementById("route");
  choice.value = "2";
  choice.dispatchEvent(new Event("change"));
  done.other = text("where");
  click("hopeless");
  done.visible = shown();
  click("relax");
  done.relaxing = text("relax");
}, 200);
setTimeout(() => {
  done.relaxed = text("relax");
  done.moved = cy.nodes(".node").filter(n => {
    return Math.abs(n.position().x - places.get(n.id()).x) > 1;
  }).length;
  click("hopeless");
  done.all = shown();
  done.loads = performance.getEntriesByType("resource").length;
  document.documentElement.dataset.result = JSON.stringify(done);
}, 10000);
}
</script>"""


def data_of(text: str) -> dict[str, Any]:
    line = re.search(r"^const data = (.*);$", text, re.MULTILINE)
    assert line
    data: dict[str, Any] = json.loads(line.group(1))
    return data


def test_page_holds_the_network_and_every_route() -> None:
    text = page(solve(PUBLISHED))
    data = data_of(text)
    elements = {x["data"]["id"]: x["data"] for x in data["elements"]}
    assert {f"n{node}" for node in range(288)} < elements.keys()
    assert [len(route["nodes"]) - 1 for route in data["routes"]] == [34, 42, 45]
    arcs = {(e["source"], e["target"]) for e in elements.values() if "source" in e}
    assert len(arcs) == 314
    for route in data["routes"]:
        nodes = [f"n{node}" for node in route["nodes"]]
        assert arcs.issuperset(pairwise(nodes))
        assert all(f"{a}{b}" in elements for a, b in pairwise(nodes))
        steps = [int(elements[node]["label"]) for node in nodes]
        assert steps == list(range(len(nodes) - 1, -1, -1))
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
    with pytest.raises(OptionError, match="more than 1600"):
        page(solve(Maze.parse("/".join(["G" + "S" * 40, *["S" * 41] * 40]))))
    text = page(solve(Maze.parse("G")))
    assert "<title>Maze 1 x 1: 1 move: top, column 1</title>" in text
    assert data_of(text)["routes"][0]["label"] == "1 move: top, column 1"


def opened(text: str, tmp_path: Path) -> "subprocess.CompletedProcess[str]":
    """Let a browser run a page for 12 s of its time, and print the page then."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    browser = os.environ.get("CHROMIUM") or next(filter(None, map(which, names)), None)
    if browser is None:
        pytest.skip("no Chromium; install it or set CHROMIUM to its path")
    file = tmp_path / "maze.html"
    file.write_text(text, "utf-8")
    options = "headless no-sandbox disable-gpu disable-dev-shm-usage no-first-run"
    command = [browser, *(f"--{option}" for option in options.split())]
    command += [f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1100,1000"]
    command += ["--virtual-time-budget=12000", "--dump-dom", file.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.mark.slow
def test_page_in_a_browser(tmp_path: Path) -> None:
    text = page(solve(PUBLISHED))
    text = text.replace("<style>", LISTEN + "<style>", 1)
    run = opened(text.replace("</body>", ACT + "</body>"), tmp_path)
    result = re.search(r'data-result="([^"]*)"', run.stdout)
    assert result, run.stderr[-2000:]
    done = json.loads(html.unescape(result.group(1)))
    assert done["errors"] == []
    assert done["start"] == "move 0 of 34: top, column 4"
    assert done["second"] == "move 2 of 34: (2, 4) S"
    assert done["passed"] == 3
    assert done["other"] == "move 0 of 45: right, row 6"
    assert done["visible"] == 95  # nodes and entries with a way to the goal
    assert done["all"] == 288
    assert 80 < done["moved"] <= 95  # those that are hidden stay where they are
    assert (done["relaxing"], done["relaxed"]) == ("stop", "relax")
    assert done["loads"] == 0
