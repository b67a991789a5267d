"""The laboratory in Chromium: from a click to what the page shows.

Run with ``pytest tests/bench_lab.py -m slow -s``; prints a table, asserts answers only.
The clock is that of the page, so it includes drawing; other work on the machine shows.
All takes some five minutes of two quiet cores, most of it for the rules of the book.
"""

import os
import statistics
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from solver.board import Board, Position
from solver.oracles.exact import exact_walk
from tests.lab.served import browser, served
from tests.lab.tab import KINDS, LATE, Tab
from verify.lab.rules import source_of, spec_of
from verify.proof.prove import book_rules, provable

pytestmark = pytest.mark.slow
GIVEN_UP = 180  # seconds for one rule
STATIC = Path(__file__).parents[1] / "verify" / "lab" / "static"

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
    tab = Tab(chrome, lab, f"#board/{here.notation}?rules={rules}")
    tab.page.locator(f".verdicts[data-of='{here.notation}']").wait_for(timeout=LATE)
    tab.page.wait_for_timeout(15_000)  # rules are prepared in quiet moments
    arrows = {"U": "ArrowUp", "R": "ArrowRight", "D": "ArrowDown", "L": "ArrowLeft"}
    took = []
    for move in whole.moves[first : first + count]:
        here = here.step(move)
        took.append(tab.page.evaluate(STEP, [arrows[move], here.notation]))
    tab.close()
    return took


def row(what: str, measured: str, least: str) -> None:
    load = f"load {os.getloadavg()[0]:.1f}"
    print(f"{what:40} {measured:36} (at least {least}; {load})", flush=True)


def print_times(what: str, took: list[float], least: str) -> None:
    middle, slow = statistics.median(took), sorted(took)[int(0.95 * len(took))]
    row(what, f"{middle:.0f} ms (95 %: {slow:.0f} ms)", least)


def test_a_step_is_judged_fast(tmp_path: Path) -> None:
    with browser() as chrome, served(tmp_path) as lab:
        steps_took = steps(chrome, lab, 21, "seed-2024", 60)
        print_times("21x21, seed-2024, click to verdicts", steps_took, "100 ms")
        print_times(
            "101x101, a step", steps(chrome, lab, 101, "seed-2024", 40), "300 ms"
        )


def test_every_rule_of_the_book_is_judged_fast(tmp_path: Path) -> None:
    """All that a proof can speak of, in the order of the book; each alone."""
    corpus = Path(__file__).parents[1] / "corpus"
    with browser() as chrome, served(tmp_path, corpus=corpus) as lab:
        tab = Tab(chrome, lab, "#rule")
        tab.page.locator(".judged[data-of]").wait_for()
        took, judging = {}, []
        for name in provable(book_rules()):
            spec = spec_of(name)
            if spec is None:  # a procedure: there is no drawing to change
                continue
            answer = tab.page.evaluate(RULE, [source_of(spec), name])
            took[name] = answer[0]
            judging.append(answer[1])
        print_times(f"rule to verdict, {len(took)} rules", [*took.values()], "1000 ms")
        seconds = statistics.median(judging)
        row("of it to judge", f"{1000 * seconds:.0f} ms of processor", "-")
        late = sorted(took, key=lambda name: -took[name])[:4]
        row("the longest", ", ".join(f"{n} {took[n] / 1000:.0f} s" for n in late), "-")
        assert max(took.values()) < 1000 * GIVEN_UP, late[0]
        tab.close()


def processor(process: "subprocess.Popen[str]") -> float:
    """Return the seconds of processor time of a process and what it started."""
    psutil = pytest.importorskip("psutil")
    first = psutil.Process(process.pid)
    times = [
        process.cpu_times() for process in (first, *first.children(recursive=True))
    ]
    return float(sum(process.user + process.system for process in times))


def test_the_first_page_comes_fast(tmp_path: Path) -> None:
    marks = {
        "first page": "main section",
        "its board": ".board .drawn svg",
        "its verdicts": ".verdicts[data-of='9:']",
    }
    clock: dict[str, list[float]] = {name: [] for name in marks}
    spent: dict[str, list[float]] = {name: [] for name in marks}
    with browser() as chrome:
        for number in range(6):
            folder = tmp_path / str(number)
            folder.mkdir()
            page = chrome.new_page()
            began = time.perf_counter()
            with served(folder) as lab:
                page.goto(lab.link, wait_until="commit")
                for name, selector in marks.items():
                    page.locator(selector).first.wait_for(timeout=LATE)
                    if number:  # the first start warms the machine
                        clock[name].append(time.perf_counter() - began)
                        spent[name].append(processor(lab.process))
            page.close()
    for name in marks:
        measured = (
            f"{statistics.median(clock[name]):.2f} s, "
            f"{statistics.median(spent[name]):.2f} s of processor"
        )
        row(name, measured, "3 s" if name == "first page" else "none")


def test_a_first_verdict_comes_fast_with_cold_kernels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page is opened once the server listens; nothing lies compiled on disk."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    took = []
    with browser() as chrome:
        for number in range(4):
            folder = tmp_path / str(number)
            folder.mkdir()
            monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "none"))
            page = chrome.new_page()
            with served(folder) as lab:
                began = time.perf_counter()
                page.goto(lab.link, wait_until="commit")
                page.locator(".verdicts[data-of='9:']").wait_for(timeout=LATE)
                took.append(time.perf_counter() - began)
            page.close()
    middle, last = statistics.median(took[1:]), max(took[1:])
    row("page opened to verdict, cold", f"{middle:.2f} s, {last:.2f} s at most", "2 s")


def test_the_pages_weigh_little() -> None:
    weight = sum(p.stat().st_size for p in STATIC.rglob("*") if p.suffix in KINDS)
    row("weight of the pages", f"{weight / 1000:.0f} kB", "400 kB")
    assert weight < 400_000
