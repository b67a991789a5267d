"""The page of a maze, also in a real browser where there is one."""

import html
import json
import os
import re
import shutil
import subprocess
from hashlib import sha256
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from solver.errors import OptionError
from solver.puzzles.maze.board import Entry, Maze, Side
from solver.puzzles.maze.solve import solve
from tests.puzzles.samples import RIDDLER
from verify.puzzles.maze.story import page

PUBLISHED = Maze.parse(RIDDLER)

# Before the page's own scripts: collects errors. After them: acts like a person.
LISTEN = """<script>
const errors = [];
window.addEventListener("error", event => errors.push(event.message));
document.addEventListener("securitypolicyviolation", e => errors.push(e.blockedURI));
</script>"""
ACT = """<script>
{
const done = { errors };
const cy = maze.cy;
const box = document.getElementById("net").getBoundingClientRect();
function mouse(kind, x, y) {
  const at = { clientX: box.x + x, clientY: box.y + y, bubbles: true, view: window };
  const target = kind === "mousedown" ? box_canvas : window;
  target.dispatchEvent(new MouseEvent(kind, { button: 0, buttons: 1, ...at }));
}
const box_canvas = document.querySelector("#net canvas");
const text = id => document.getElementById(id).textContent;
const click = id => document.getElementById(id).click();
setTimeout(() => {
  const node = cy.getElementById("n0");
  const from = { ...node.renderedPosition() }, before = { ...node.position() };
  mouse("mousedown", from.x, from.y);
  for (let step = 1; step <= 10; step += 1)
    mouse("mousemove", from.x + 4 * step, from.y + 3 * step);
  mouse("mouseup", from.x + 40, from.y + 30);
  const now = node.renderedPosition();
  done.dragged = [now.x - from.x, now.y - from.y];
  const still = cy.getElementById("n1").position(), place = maze.data.nodes[1];
  done.others = still.x === place.x * 120 && still.y === place.y * 120;
  click("grid");
  done.restored = node.position().x === before.x && node.position().y === before.y;
  done.start = text("where");
  click("on"); click("on"); click("back"); click("on");
  done.second = text("where");
  done.passed = cy.nodes(".passed").length;
  click("first");
  click("play");
  done.button = text("play");
}, 200);
setTimeout(() => {
  done.end = text("where");
  done.endButton = text("play");
  done.here = cy.nodes(".here").data("letter");
  done.arcs = cy.edges(".passed").length;
  const choice = document.getElementById("route");
  done.options = [...choice.options].map(option => option.textContent);
  choice.value = "2";
  choice.dispatchEvent(new Event("change"));
  done.other = text("where");
  click("hopeless");
  const shown = node => node.style("display") === "element";
  done.visible = cy.nodes(".node").filter(shown).length;
  click("relax");
  done.relaxing = text("relax");
}, 20000);
setTimeout(() => {
  done.relaxed = text("relax");
  const shown = node => node.style("display") === "element";
  done.moved = cy.nodes(".node").filter(n => {
    const place = maze.data.nodes[Number(n.id().slice(1))];
    return Math.abs(n.position().x - place.x * 120) > 1;
  }).length;
  click("hopeless");
  done.all = cy.nodes(".node").filter(shown).length;
  done.numbers = cy.nodes(".node").every(n => Number.isFinite(n.position().x));
  done.loads = performance.getEntriesByType("resource").length;
  document.documentElement.dataset.result = JSON.stringify(done);
}, 28000);
}
</script>"""


def find_chromium() -> str | None:
    """The browser: $CHROMIUM, or the first of the usual names on the path."""
    given = os.environ.get("CHROMIUM")
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return given or next(filter(None, map(shutil.which, names)), None)


def data_of(text: str) -> dict[str, Any]:
    found = re.search(r"^const data = (.*);$", text, re.MULTILINE)
    assert found
    data: dict[str, Any] = json.loads(found.group(1))
    return data


def test_page_holds_the_network_and_every_route() -> None:
    text = page(solve(PUBLISHED))
    data = data_of(text)
    assert [node["id"] for node in data["nodes"]] == list(range(288))
    assert [route["moves"] for route in data["routes"]] == [34, 42, 45]
    arcs = {tuple(arc) for arc in data["arcs"]}
    assert len(arcs) == 314
    for route in data["routes"]:
        nodes = route["nodes"]
        assert len(nodes) == route["moves"] + 1
        assert arcs.issuperset(pairwise(nodes))
        steps = [data["nodes"][node]["steps"] for node in nodes]
        assert steps == list(range(route["moves"], -1, -1))
    assert not re.findall(r"""(?:src|href)\s*=\s*["'][^"']*|@import|url\(""", text)
    assert "default-src 'none'" in text
    assert text.count("<script>") == text.count("</script>") == 2


def test_page_of_a_chosen_and_of_a_hopeless_entry() -> None:
    data = data_of(page(solve(PUBLISHED), Entry(Side.RIGHT, 6)))
    assert data["chosen"] == 2
    assert data["routes"][2]["label"] == "45 moves: right, row 6"
    data = data_of(page(solve(PUBLISHED), Entry(Side.LEFT, 1)))
    assert [route["moves"] for route in data["routes"]] == [34, 42, 45, None]
    chosen = data["routes"][data["chosen"]]
    assert chosen["label"] == "no way: left, row 1"
    (node,) = chosen["nodes"]
    assert data["nodes"][node]["name"] == "left, row 1"
    with pytest.raises(OptionError, match="no entry left, row 9"):
        page(solve(PUBLISHED), Entry(Side.LEFT, 9))
    text = page(solve(Maze.parse("XXX/XGX/XXX")))
    assert data_of(text)["routes"] == []
    assert "<title>Maze 3 x 3: the goal cannot be reached</title>" in text
    text = page(solve(Maze.parse("G")))
    assert "<title>Maze 1 x 1: 1 move, top, column 1</title>" in text
    assert data_of(text)["routes"][0]["label"] == "1 move: top, column 1"


def test_vendored_library_is_the_one_named() -> None:
    vendor = files("verify.puzzles.maze") / "vendor"
    digest = sha256((vendor / "cytoscape.min.js").read_bytes()).hexdigest()
    assert digest in (vendor / "README.md").read_text("utf-8")
    assert "Permission is hereby granted" in (vendor / "cytoscape-LICENSE").read_text(
        "utf-8"
    )


def shown(text: str, tmp_path: Path) -> "subprocess.CompletedProcess[str]":
    """Let a browser run a page for 30 s of its time; what is then there is stdout."""
    browser = find_chromium()
    if browser is None:
        pytest.skip("no Chromium found; install it or set CHROMIUM to its path")
    file = tmp_path / "maze.html"
    file.write_text(text, "utf-8")
    options = "headless no-sandbox disable-gpu disable-dev-shm-usage no-first-run"
    options += " disable-background-networking disable-component-update disable-sync"
    more = [f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1100,1000"]
    more += ["--virtual-time-budget=30000", "--dump-dom", file.as_uri()]
    command = [browser, *(f"--{option}" for option in options.split()), *more]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_hopeless_entry_in_a_browser(tmp_path: Path) -> None:
    text = shown(page(solve(PUBLISHED), Entry(Side.LEFT, 1)), tmp_path).stdout
    assert ">left, row 1: the goal cannot be reached from here</span>" in text
    assert ">no way: left, row 1</option>" in text


def test_page_in_a_browser(tmp_path: Path) -> None:
    text = page(solve(PUBLISHED))
    text = text.replace("<style>", LISTEN + "<style>", 1)
    run = shown(text.replace("</body>", ACT + "</body>"), tmp_path)
    found = re.search(r'data-result="([^"]*)"', run.stdout)
    assert found, run.stderr[-2000:]
    done = json.loads(html.unescape(found.group(1)))
    assert done["errors"] == []
    assert done["dragged"] == pytest.approx([40, 30], abs=1)
    assert done["others"]
    assert done["restored"]
    assert done["start"] == "move 0 of 34: top, column 4"
    assert done["second"] == "move 2 of 34: (2, 4) S"
    assert done["passed"] == 3
    assert done["button"] == "pause"
    assert done["end"] == "move 34 of 34: (2, 6) N"
    assert done["endButton"] == "play"
    assert done["here"] == "G"
    assert done["arcs"] == 34
    assert done["options"][1] == "42 moves: left, row 2"
    assert done["other"] == "move 0 of 45: right, row 6"
    assert done["visible"] == 95  # nodes and entries with a way to the goal
    assert done["all"] == 288
    assert 80 < done["moved"] <= 95  # those that are hidden stay where they are
    assert (done["relaxing"], done["relaxed"]) == ("stop", "relax")
    assert done["numbers"]
    assert done["loads"] == 0


RELAX = """
const fs = require("fs");
eval(fs.readFileSync(process.argv[1], "utf8") + "; global.relaxing = relaxing");
const data = JSON.parse(fs.readFileSync(0, "utf8"));
const x = data.nodes.map(n => n.x * 120), y = data.nodes.map(n => n.y * 120);
const far = ([a, b]) => Math.hypot(x[a] - x[b], y[a] - y[b]);
const length = () => data.arcs.reduce((sum, arc) => sum + far(arc), 0);
const before = length();
let pieces = 0;
for (const round of relaxing(x, y, data.arcs, 100)) pieces += 1;
const spots = new Set(x.map((at, n) => Math.round(at) + "," + Math.round(y[n])));
const finite = [...x, ...y].every(Number.isFinite);
const shorter = length() / before;
console.log(JSON.stringify({ pieces, shorter, finite, spots: spots.size }));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="no node to run the script")
def test_relaxing_goes_in_small_pieces() -> None:
    from solver.puzzles.maze.board import sample

    (codes,) = sample(1, 20, 20, seed=3)
    data = data_of(page(solve(Maze.from_codes(codes))))
    script = files("verify.puzzles.maze") / "relax.js"
    done = subprocess.run(
        ["node", "-e", RELAX, str(script)],
        input=json.dumps(data),
        capture_output=True,
        text=True,
        timeout=60,
    )
    found = json.loads(done.stdout)
    nodes = len(data["nodes"])
    assert found["pieces"] == 100 * (nodes // 200 + 1)  # a yield each 200 nodes
    assert found["finite"]
    assert found["shorter"] < 0.9
    assert found["spots"] > 0.95 * nodes
