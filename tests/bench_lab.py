"""The laboratory in Chromium: from a click to what the page shows.

Run with ``pytest tests/bench_lab.py -m slow -s``; prints a table, asserts answers only.
The clock is that of the page, so it includes drawing; other work on the machine shows.
"""

import os
import statistics
import time
from pathlib import Path
from typing import Any

import pytest

from solver.board import Board, Position
from solver.oracles.exact import exact_walk
from tests.lab.served import browser, served
from tests.lab.test_browser import KINDS, LATE, Tab
from verify.lab.book import groups_of, source_of, spec_of
from verify.proof.provable import sorted_out

pytestmark = pytest.mark.slow
STATIC = Path(__file__).parents[1] / "verify" / "lab" / "static"

# A key is pressed; the time until the page has told of the step and drawn its marks.
STEP = """async ([key, then]) => {
  const seen = () => document.querySelector(".told")?.dataset.of === then;
  const began = performance.now();
  document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  while (!seen()) await new Promise(done => requestAnimationFrame(done));
  return performance.now() - began;
}"""
# A rule is written into the text; the time until its verdict stands there.
RULE = """async ([text, name]) => {
  const field = document.querySelector("textarea");
  const told = () => document.querySelector(".judged")?.dataset.of;
  const began = performance.now();
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  while (told() !== name && performance.now() - began < 30000)
    await new Promise(done => setTimeout(done, 2));
  return performance.now() - began;
}"""


def steps(chrome: Any, lab: Any, side: int, rules: str, count: int) -> list[float]:
    """Return the milliseconds of so many steps along a walk, in the middle of it."""
    whole = exact_walk(Board.square(side), 3).position
    first = len(whole.moves) // 2
    here = Position.parse(f"{side}:{whole.moves[:first]}")
    tab = Tab(chrome, lab, f"#board/{here.notation}?rules={rules}")
    tab.page.locator(f".told[data-of='{here.notation}']").wait_for(timeout=LATE)
    tab.page.wait_for_timeout(15_000)  # rules are prepared in quiet moments
    arrows = {"U": "ArrowUp", "R": "ArrowRight", "D": "ArrowDown", "L": "ArrowLeft"}
    took = []
    for move in whole.moves[first : first + count]:
        here = here.step(move)
        took.append(tab.page.evaluate(STEP, [arrows[move], here.notation]))
    tab.close()
    return took


def test_the_laboratory_answers_fast(tmp_path: Path) -> None:

    def row(what: str, measured: str, least: str) -> None:
        load = f"load {os.getloadavg()[0]:.1f}"
        print(f"{what:40} {measured:28} (at least {least}; {load})", flush=True)

    def told(what: str, took: list[float], least: str) -> None:
        middle, slow = statistics.median(took), sorted(took)[int(0.95 * len(took))]
        row(what, f"{middle:.0f} ms (95 %: {slow:.0f} ms)", least)

    with browser() as chrome, served(tmp_path) as lab:
        found = steps(chrome, lab, 21, "seed-2024", 60)
        told("21x21, seed-2024, click to verdicts", found, "100 ms")
        told("101x101, a step", steps(chrome, lab, 101, "seed-2024", 40), "500 ms")
        tab = Tab(chrome, lab, "#rule")
        tab.page.locator(".judged .word").wait_for()
        took = []
        for name in sorted_out("")[0]:
            if name not in groups_of():
                continue
            spec = spec_of(name)
            assert spec is not None
            text = source_of(spec)
            took.append(tab.page.evaluate(RULE, [text, name]))
        told(f"rule to verdict, {len(took)} rules", took, "1000 ms")
        tab.close()
        first = []
        for number in range(4):
            folder = tmp_path / str(number)
            folder.mkdir()
            page = chrome.new_page()
            began = time.perf_counter()
            with served(folder) as other:
                page.goto(other.link)
                page.locator("main section").first.wait_for()
                seen = time.perf_counter() - began
                page.locator(".told[data-of='9:']").wait_for(timeout=LATE)
                first.append((seen, time.perf_counter() - began))
            page.close()
        pages = statistics.median(one for one, _ in first)
        verdicts = statistics.median(one for _, one in first)
        row("first page", f"{pages:.2f} s", "3 s")
        row("first verdicts", f"{verdicts:.2f} s", "none")
    weight = sum(p.stat().st_size for p in STATIC.rglob("*") if p.suffix in KINDS)
    row("weight of the pages", f"{weight / 1000:.0f} kB", "400 kB")
