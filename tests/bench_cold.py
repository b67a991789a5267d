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
TOUR = """43 46 1 24 41 20 63 22
2 25 42 45 64 23 40 19
47 44 27 4 17 38 21 62
26 3 48 37 28 61 18 39
7 50 29 60 5 16 35 58
30 53 6 49 36 59 12 15
51 8 55 32 13 10 57 34
54 31 52 9 56 33 14 11
"""
FILES = {
    "maze.txt": "XRX/XGX/?LX\n",
    "path.txt": "3 WBB WWU WBB 0\n",
    "tour.txt": TOUR,
    "half.txt": "".join(f"{line}\n" for line in TOUR.splitlines()[:4])
    + "0 0 0 0 0 0 0 0\n" * 4,
}
BEFORE = ["prove c-shape --proofs proofs", "corpus export 7x7-69 -o saved"]  # not timed
LINES = [
    "draw 7:RRD",
    "draw 7:RRD -o x.svg --witness",
    "count 9:RRDD",
    "rank 9:RRRRRRRRDDDDDDDLLLLLLLURURDRURDRRULURULURULLDLULD",
    "unrank 1000000 --size 9",
    "check 7:RRDRURDDLD",
    "check 7:RRDRURDDLD --rules universal-4",
    "blame 7:RRDRURDDLDLU -o blame.svg",
    "walk 9 --seed 1",
    "walk 31 --exact --seed 7",
    "walk 9 --uniform",
    "stats 9 --rules seed-5",
    "verify seed-5 --size 5",
    "verify seed-5 --size 9 -n 500",
    "prove c-shape",
    "proof check proofs",
    "mutants c-shape --most 2",
    "families up-small --most 4",
    "report c-shape -b 5 -o report",
    "evidence 5 -g seed-5 -o report",
    "milestones 7 --rules seed-7 -n 1000",
    "mine --rules universal-4 --size 11 -n 50",
    "discover 5 -o book.toml",
    "rules list",
    "rules show c-shape",
    "corpus list",
    "corpus show 7x7-69",
    "corpus replay 7x7-69",
    "corpus add 7:RRDRURDDLD --rules seed-5 --corpus cases",
    "corpus import saved/*",
    "corpus export 7x7-69 13:RRDD -o written",
    "campaign oracles -n 200",
    "campaign list",
    "knight tour 8",
    "knight tour 100 -o tour.svg",
    "knight count 5x4",
    "knight check tour.txt",
    "knight symmetric",
    "knight complete half.txt",
    "knight construct 12",
    "knight estimate --start c3",
    "maze solve maze.txt",
    "maze draw maze.txt -o maze.svg",
    "maze random --size 8 --moves 5",
    "maze stats 4 8",
    "maze check -n 20",
    "path referee path.txt",
    "path check -n 20",
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


def ran(line: str, folder: Path, cache: Path) -> float:
    """Return the processor seconds of one run of a command, children included."""
    env = os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT)}
    before = os.times()
    words = [
        word
        for text in line.split()
        for word in (sorted(map(str, folder.glob(text))) if "*" in text else [text])
    ]
    done = subprocess.run(
        [sys.executable, "-m", "verify.start", *words],
        capture_output=True,
        text=True,
        env=env,
        cwd=folder,
    )
    assert done.returncode in (0, 1), f"{line}: {done.stderr}"
    after = os.times()
    used = after.children_user + after.children_system
    return used - before.children_user - before.children_system


def both(line: str) -> tuple[float, float]:
    """Return what the first run of a command takes, nothing compiled, and the next."""
    with tempfile.TemporaryDirectory() as made, tempfile.TemporaryDirectory() as cache:
        for name, text in FILES.items():
            Path(made, name).write_text(text, encoding="utf-8")
        for needed in BEFORE:
            if needed.split()[-1] in line:
                ran(needed, Path(made), Path(cache, "before"))
        cold, warm = (ran(line, Path(made), Path(cache, "new")) for _ in range(2))
    return cold, warm


def main() -> None:
    """Measure every line and write the page anew after each."""
    page = Path(sys.argv[1])
    text = HEAD.format(machine=platform.machine(), python=platform.python_version())
    for line in LINES:
        cold, warm = both(line)
        text += f"| `oneway {line}` | {cold:.1f} | {warm:.1f} |\n"
        page.write_text(text, encoding="utf-8")
        print(f"{line}: {cold:.1f} {warm:.1f}", flush=True)


if __name__ == "__main__":
    main()
