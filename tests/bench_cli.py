"""How long the command takes: help, later runs, the first run, 7x7 exhaustively.

Run with ``pytest tests/bench_cli.py -m slow -s``; prints a table, asserts answers only.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from heuristic.groups import load_rules
from solver.board import Board
from solver.positions import completable_positions
from verify.trial.evidence import verify_exhaustive

pytestmark = pytest.mark.slow
MAIN = [sys.executable, "-c", "from verify.start import main; main()"]


def seconds(*args: str, **env: str) -> tuple[float, float]:
    """Return the (elapsed, processor) seconds of one run of the command."""
    before = os.times()
    done = subprocess.run(
        [*MAIN, *args], capture_output=True, text=True, env=os.environ | env
    )
    assert done.returncode == 0, done.stderr
    after = os.times()
    used = after.children_user + after.children_system
    used -= before.children_user + before.children_system
    return after.elapsed - before.elapsed, used


def best(*args: str) -> tuple[float, float]:
    return min(seconds(*args) for _ in range(5))


def test_the_command_starts_fast(tmp_path: Path) -> None:
    first = seconds("demo", NUMBA_CACHE_DIR=str(tmp_path))
    seconds("demo")
    rows = [
        ("oneway --help, warm, best of 5", best("--help"), 0.4),
        ("oneway demo, first run, compiling", first, 40.0),
        ("oneway check 9:RRDD, best of 5", best("check", "9:RRDD"), 1.5),
        ("oneway walk 5, best of 5", best("walk", "5", "--seed", "2"), 1.5),
        ("oneway demo, later run", seconds("demo"), 20.0),
    ]
    print()
    print(f"{'':38} elapsed  processor")
    for what, (took, used), limit in rows:
        print(f"{what:38} {took:6.2f} s {used:6.2f} s   (limit {limit:g} s)")


def test_all_of_7x7_in_one_process() -> None:
    rule_set = load_rules("seed-5")
    verify_exhaustive(rule_set, Board.square(5))  # compile first
    completable_positions.cache_clear()
    began = time.perf_counter()
    evidence = verify_exhaustive(rule_set, Board.square(7))
    took = time.perf_counter() - began
    assert evidence.positions == 2_043_335
    assert evidence.sound
    print(f"\nseed-5 on all of 7x7: {took:.2f} s   (limit 20 s)")
