"""How long the first use of every command takes, and the next: a table for the docs.

Run with ``python -m tests.bench_cold docs/tables/cold.md``: every command once with an
empty cache of kernels and once more. Processor seconds, so a busy machine changes
little.
"""

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
LINES = [
    "draw 7:RRD",
    "draw 7:RRD -o x.svg --witness",
    "count 9:RRDD",
    "rules show c-shape",
    "corpus list",
    "check 7:RRDRURDDLD",
    "check 7:RRDRURDDLD --rules universal-4",
    "walk 9 --seed 1",
    "walk 31 --exact --seed 7",
    "walk 9 --uniform",
    "stats 9 --rules seed-5",
    "maze random --size 8 --moves 5",
    "path check -n 20",
    "verify seed-5 --size 5",
    "verify seed-5 --size 9 -n 500",
    "corpus replay 7x7-69",
    "prove c-shape",
    "milestones 7 --rules seed-7 -n 1000",
    "mine --rules universal-4 --size 11 -n 50",
    "evidence 5 -g seed-5 -o report",
    "families up-small --most 4",
    "mutants c-shape --most 2",
    "rules closing 5",
    "demo",
]
HEAD = """# What the first use costs

Kernels are compiled when they are first needed, once for each version, and the command
says what for. Processor seconds on {machine}, Python {python}; `cold` is with nothing
compiled, so the sum of all that the command needs, `warm` is every later time.
`python -m tests.bench_cold docs/tables/cold.md` measures it again.

| command | cold, s | warm, s |
| --- | ---: | ---: |
"""


def seconds(line: str, folder: Path) -> float:
    """Return the processor seconds of one run of a command, children included."""
    env = os.environ | {
        "NUMBA_CACHE_DIR": str(folder / "cache"),
        "PYTHONPATH": str(ROOT),
    }
    before = os.times()
    done = subprocess.run(
        [sys.executable, "-m", "verify.start", *line.split()],
        capture_output=True,
        text=True,
        env=env,
        cwd=folder,
    )
    assert done.returncode in (0, 1), done.stderr
    after = os.times()
    now, then = after, before
    used = now.children_user + now.children_system
    return used - then.children_user - then.children_system


def main() -> None:
    """Measure every line and write the page anew after each."""
    page = Path(sys.argv[1])
    text = HEAD.format(machine=platform.machine(), python=platform.python_version())
    for line in LINES:
        with tempfile.TemporaryDirectory() as folder:
            cold, warm = (seconds(line, Path(folder)) for _ in range(2))
        text += f"| `oneway {line}` | {cold:.1f} | {warm:.1f} |\n"
        page.write_text(text, encoding="utf-8")
        print(f"{line}: {cold:.1f} {warm:.1f}", flush=True)


if __name__ == "__main__":
    main()
