"""How long the commands of knight's tours take: a table for the documentation.

``python -m tests.bench_knight`` runs each command once to compile its kernels, and once
more; processor seconds of the second, starting Python included. Minutes in all.
"""

import os
import random
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "corpus" / "knight" / "example-symmetric.toml"
LINES = [
    "knight --help",  # what starting takes
    "knight tour 5x4 -q",
    "knight tour 3x10 -q",
    "knight tour 100 -q",
    "knight tour 1000 -q",
    "knight count 5",
    "knight count 6",
    "knight symmetric",
    "knight construct 12 --seed 0",
    "knight construct 12 --seed 1",
    "knight construct 12 --seed 2",
    "knight complete -",
]


def half_erased(seed: int) -> str:
    """Return the published example with half of its numbers erased."""
    words = EXAMPLE.read_text(encoding="utf-8").split('"""')[1].split()
    for at in random.Random(seed).sample(range(64), 32):
        words[at] = "."
    return "\n".join(" ".join(words[r : r + 8]) for r in range(0, 64, 8))


def seconds(line: str) -> float:
    """Return the processor seconds of a command, children included."""
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
    return (
        after.children_user
        + after.children_system
        - before.children_user
        - before.children_system
    )


def main() -> None:
    """Print the table, a row as soon as it is measured."""
    print("| command | processor seconds |\n| --- | ---: |", flush=True)
    for line in LINES:
        seconds(line)
        print(f"| `oneway {line}` | {seconds(line):.1f} |", flush=True)


def test_half_of_the_numbers_are_erased() -> None:
    assert half_erased(1).split().count(".") == 32
    assert seconds("knight tour 5x4 -q") > 0


if __name__ == "__main__":
    main()
