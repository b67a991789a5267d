"""The laboratory in Chromium: from a click to what the page shows.

Run with ``pytest tests/bench_lab.py -m slow -s``; prints a table, asserts answers only.
The clock is that of the page, so it includes drawing; other work on the machine shows.
All takes some five minutes of two quiet cores, most of it for the rules of the book.
"""

import os
import statistics
import time
from pathlib import Path
from typing import Any

import pytest

from solver.board import Board, Position
from solver.oracles.exact import exact_walk
from tests.lab.declared import STATIC
from tests.lab.served import ROOT, browser, served
from tests.lab.tab import KINDS, LATE, Tab
from verify.lab.rules import source_of, spec_of
from verify.proof.prove import book_rules, provable

pytestmark = pytest.mark.slow
GIVEN_UP = 180  # seconds for one rule

# A key is pressed; the time until the page shows the truth of the step.
STEP = """async ([key, then]) => {
  const seen = () => document.querySelector(".verdicts")?.dataset.of === then;
  const began = performance.now();
  document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  while (!seen()) await new Promise(done => requestAnimationFrame(done));
  return performance.now() - began;
}"""
# A rule is written into the text; the time until its verdict stands there.
RULE = """async ([text, name]) => {
  const field = document.querySelector("textarea");
  const report = () => document.querySelector(".judged")?.dataset.of;
  const began = performance.now();
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  while (report() !== name && performance.now() - began < 180000)
    await new Promise(done => setTimeout(done, 2));
  const seconds = Number(document.querySelector(".judged")?.dataset.seconds);
  return [performance.now() - began, seconds];
}"""


def steps(chrome: Any, lab: Any, side: int, rules: str, count: int) -> list[float]:
    """Return the milliseconds of so many steps along a walk, in the middle of it."""
    whole = exact_walk(Board.square(side), 3).position
    first = len(whole.moves) // 2
    here = Position.parse(f"{side}:{whole.moves[:first]}")
    tab = Tab(chrome, lab, f"board/{here.notation}?rules={rules}")
    tab.of(here.notation)
    tab.page.wait_for_timeout(15_000)  # rules are prepared in quiet moments
    arrows = {"U": "ArrowUp", "R": "ArrowRight", "D": "ArrowDown", "L": "ArrowLeft"}
    took = []
    for move in whole.moves[first : first + count]:
        here = here.step(move)
        took.append(tab.page.evaluate(STEP, [arrows[move], here.notation]))
    tab.close()
    return took


def row(what: str, took: list[float], least: str) -> None:
    """Print a row of times in milliseconds."""
    middle, slow = statistics.median(took), sorted(took)[int(0.95 * len(took))]
    measured = f"{middle:.0f} ms (95 %: {slow:.0f} ms)"
    load = f"load {os.getloadavg()[0]:.1f}"
    print(f"{what:40} {measured:36} (at least {least}; {load})", flush=True)


def test_a_step_is_judged_fast(tmp_path: Path) -> None:
    with browser() as chrome, served(tmp_path) as lab:
        for side, count, least in ((21, 60, "100 ms"), (101, 40, "300 ms")):
            took = steps(chrome, lab, side, "seed-2024", count)
            row(f"{side}x{side}, seed-2024, click to verdicts", took, least)


def test_every_rule_of_the_book_is_judged_fast(tmp_path: Path) -> None:
    """All that a proof can speak of, in the order of the book; each alone."""
    with browser() as chrome, served(tmp_path, corpus=ROOT / "corpus") as lab:
        tab = Tab(chrome, lab)
        tab.go("rule", ".judged[data-of]")
        took, judging = {}, []
        for name in provable(book_rules()):
            spec = spec_of(name)
            if spec is None:  # a procedure: there is no drawing to change
                continue
            took[name], seconds = tab.page.evaluate(RULE, [source_of(spec), name])
            judging.append(1000 * seconds)
        row(f"rule to verdict, {len(took)} rules", [*took.values()], "1000 ms")
        row("of it to judge", judging, "-")
        late = sorted(took, key=lambda name: -took[name])[:4]
        print("the longest:", ", ".join(f"{n} {took[n] / 1000:.0f} s" for n in late))
        assert max(took.values()) < 1000 * GIVEN_UP, late[0]
        tab.close()


@pytest.mark.parametrize("kernels", ["compiled", "cold"])
def test_the_first_page_comes_fast(
    kernels: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the start of the server, or `cold`: from the page on, nothing compiled."""
    marks = {
        "first page": "main section",
        "its board": ".board .drawn svg",
        "its verdicts": ".verdicts[data-of='9:']",
    }
    clock: dict[str, list[float]] = {name: [] for name in marks}
    with browser() as chrome:
        for number in range(6):
            folder = tmp_path / str(number)
            folder.mkdir()
            if kernels == "cold":
                monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
                monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "none"))
            page = chrome.new_page()
            began = time.perf_counter()
            with served(folder) as lab:
                if kernels == "cold":
                    began = time.perf_counter()
                page.goto(lab.link, wait_until="commit")
                for name, selector in marks.items():
                    page.locator(selector).first.wait_for(timeout=LATE)
                    if number:  # the first start warms the machine
                        clock[name].append(1000 * (time.perf_counter() - began))
            page.close()
    for name in marks:
        row(f"{name}, {kernels}", clock[name], "2 s" if kernels == "cold" else "3 s")


def test_the_pages_weigh_little() -> None:
    weight = sum(p.stat().st_size for p in STATIC.rglob("*") if p.suffix in KINDS)
    print(f"weight of the pages: {weight / 1000:.0f} kB of at most 400")
    assert weight < 400_000
