"""How long commands take to start: processor seconds and memory, compiled and not.

``python -m tests.bench.start`` prints a table of the commands that people wait for:
once with an empty cache of kernels, then the best of five later runs.
``python -m tests.bench.start docs/tables/cold.md`` writes the page of all commands,
each once with an empty cache and once more. Processor seconds, so a busy machine
changes little; byte code of the modules is kept, as it is for users.
"""

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[2]
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
}
BEFORE = ["prove c-shape --proofs proofs"]  # not timed
LINES = [
    "draw 7:RRD",
    "draw 7:RRD -o x.svg --witness",
    "count 9:RRDD",
    "count 9:RRRRRRRRDDDDDDDLLLLLLLURURDRURDRRULURULURULLDLULD --rank",
    "count 9 --walk 1000000",
    "check 7:RRDRURDDLD",
    "check 7:RRDRURDDLD --rules universal-4",
    "check --blame 7:RRDRURDDLDLU -o blame.svg",
    "walk 9 --seed 1",
    "walk 31 --exact --seed 7",
    "walk 9 --uniform",
    "stats 9 --rules seed-5",
    "verify seed-5 5",
    "verify seed-5 9 -n 500",
    "prove c-shape",
    "proof check proofs",
    "prove up-small",
    "report c-shape 5 -o report",
    "report seed-5 5 --no-verdicts -o report",
    "milestones 7 --rules seed-7 -n 1000",
    "mine 11 --rules universal-4 -n 50",
    "discover 5 -o book.toml",
    "rules",
    "rules c-shape",
    "corpus show",
    "corpus show 7x7-69",
    "corpus replay 7x7-69",
    "corpus add 7:RRDRURDDLD --rules seed-5 --corpus cases",
    "selftest -n 200",
    "knight tour 8",
    "knight tour 100 -o tour.svg",
    "knight check tour.txt",
    "knight symmetric",
    "knight enumerate --start c3 --estimate 20000",
    "maze maze.txt",
    "maze maze.txt -o maze.svg",
    "maze random:8,seed=4",
    "path path.txt",
    "demo",
]
HEAD = """# What the first use costs

Kernels are compiled when they are first needed, once for each version, and the command
says what for. Processor seconds on {machine}, Python {python}; `cold` is with nothing
compiled, so the sum of all that the command needs, `warm` is every later time.
`python -m tests.bench.start docs/tables/cold.md` measures it again.

| command | cold, s | warm, s |
| --- | ---: | ---: |
"""


WAITED_FOR = [  # command, at most so many processor seconds compiled, and not
    ("--version", 0.1, 0.1),
    ("--help", 0.2, 0.2),
    ("draw 7:RRD", 0.25, 0.25),
    ("check 5:RD", 0.3, 0.3),
    ("walk 21 --exact --seed 1", None, 12.0),
    ("count 9:RRDD", None, 6.0),
    ("check --blame 7:RRDRURDDLDLU", None, 12.0),
    ("demo", None, 15.0),
]
REPEATS = 5


def ran(line: str, folder: Path, cache: Path) -> tuple[float, float, str]:
    """Return processor seconds and MB at the peak of one run, children included.

    And what it said on standard error.
    """
    env = os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    words = [
        word
        for text in line.split()
        for word in (sorted(map(str, folder.glob(text))) if "*" in text else [text])
    ]
    with tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen(
            [sys.executable, "-m", "verify.start", *words],
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env=env,
            cwd=folder,
        )
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = errors.read()
    assert child.returncode in (0, 1), f"{line}: {said}"
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, said


def write_files(folder: Path) -> None:
    """Write the files that the lines name."""
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")


def both(line: str, repeats: int = 1) -> tuple[float, float, float]:
    """Return what the first run of a command takes, the best later one, and its MB."""
    with tempfile.TemporaryDirectory() as made, tempfile.TemporaryDirectory() as cache:
        write_files(Path(made))
        for needed in BEFORE:
            if needed.split()[-1] in line:
                ran(needed, Path(made), Path(cache, "before"))
        cold, *_ = ran(line, Path(made), Path(cache, "new"))
        warm = [ran(line, Path(made), Path(cache, "new"))[:2] for _ in range(repeats)]
    return cold, *min(warm)


def write_page(page: Path) -> None:
    """Measure every line and write the page anew after each."""
    text = HEAD.format(machine=platform.machine(), python=platform.python_version())
    for line in LINES:
        cold, warm, _ = both(line)
        text += f"| `oneway {line}` | {cold:.1f} | {warm:.1f} |\n"
        page.write_text(text, encoding="utf-8")
        print(f"{line}: {cold:.1f} {warm:.1f}", flush=True)


def print_table() -> None:
    """Measure what people wait for, and print it beside what it may take."""
    table = Table("oneway", "cold, s", "at most", "warm, s", "at most", "warm, MB")
    for line, most_warm, most_cold in WAITED_FOR:
        cold, warm, memory = both(line, REPEATS)
        table.add_row(
            line,
            f"{cold:.2f}",
            f"{most_cold:g}",
            f"{warm:.2f}",
            "" if most_warm is None else f"{most_warm:g}",
            f"{memory:.0f}",
        )
    Console().print(table)


if __name__ == "__main__":
    if sys.argv[1:]:
        write_page(Path(sys.argv[1]))
    else:
        print_table()
