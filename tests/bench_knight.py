"""How long the commands of knight's tours take: a table for the documentation.

``python -m tests.bench_knight`` runs each command once to compile its kernels, and then
several times; the least processor seconds and seconds by the clock of these, starting
Python included. Words choose rows: ``python -m tests.bench_knight tour count`` runs
those that hold one of them. It stops before a row that would begin after --minutes (5).
"""

import argparse
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from tests.puzzles.knight.samples import EXAMPLE

ROOT = Path(__file__).parent.parent
LINES = [
    "knight --help",  # what starting takes
    "knight tour 5x4 -q",
    "knight tour 3x10 -q",
    "knight tour 100 -q",
    "knight tour 4x1000 -q",
    "knight tour 1000 -q",
    "knight tour 5x4 --how-many",
    "knight tour 5 --how-many",
    "knight tour 6 --how-many",
    "knight symmetric",
    "knight symmetric 12 --seed 0",
    "knight symmetric 12 --seed 1",
    "knight complete -",
    "knight complete - --oracle sat",
]
_TIMES = 3


def half_erased(seed: int) -> str:
    """Return the published example with half of its numbers erased."""
    words = EXAMPLE.replace(",", " ").replace("/", " ").split()
    for at in random.Random(seed).sample(range(64), 32):
        words[at] = "."
    return "\n".join(" ".join(words[r : r + 8]) for r in range(0, 64, 8))


def seconds(line: str) -> tuple[float, float]:
    """Return the processor seconds of a command, and those by the clock."""
    before = os.times()
    done = subprocess.run(
        [sys.executable, "-m", "verify.start", *line.split()],
        capture_output=True,
        text=True,
        input=half_erased(1),
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    after = os.times()
    used = after.children_user + after.children_system
    used -= before.children_user + before.children_system
    return used, after.elapsed - before.elapsed


def chosen(words: Sequence[str]) -> list[str]:
    """Return the rows that hold one of the words; all without words."""
    return [row for row in LINES if not words or any(one in row for one in words)]


def main() -> None:
    """Print the table, a row as soon as it is measured."""
    parser = argparse.ArgumentParser(description="Time the commands of knight's tours.")
    parser.add_argument("words", nargs="*", help="rows that hold one of these")
    parser.add_argument("--minutes", type=float, default=5.0)
    given = parser.parse_args()
    until = monotonic() + 60 * given.minutes
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    print(f"best of {_TIMES}, load {load:.1f} on {os.cpu_count()} cores\n")
    print("| command | processor seconds | by the clock |\n| --- | ---: | ---: |")
    for line in chosen(given.words):
        if monotonic() > until:
            print(f"\nnot run: {line} and what follows (--minutes)")
            break
        seconds(line)
        runs = [seconds(line) for _ in range(_TIMES)]
        used, took = (min(column) for column in zip(*runs, strict=True))
        print(f"| `oneway {line}` | {used:.2f} | {took:.2f} |", flush=True)


def test_half_of_the_numbers_are_erased() -> None:
    assert half_erased(1).split().count(".") == 32


def test_a_row_is_timed_and_words_choose_rows() -> None:
    assert seconds("knight tour 5x4 -q") > (0, 0)
    assert chosen(["many"]) == [line for line in LINES if "many" in line]


if __name__ == "__main__":
    main()
