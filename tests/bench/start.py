"""Start times of all commands, compiled and not, in processor seconds.

``python -m tests.bench.start docs/tables/cold.md`` writes the page: each command once
with an empty cache of kernels, and once more. Processor time changes little on a busy
machine. The byte code of the modules stays, as it does for users.
"""

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.puzzles.knights import EXAMPLE

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "maze.txt": "XRX/XGX/?LX\n",
    "path.txt": "3 WBB WWU WBB 0\n",
    "tour.txt": EXAMPLE,
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


def ran(line: str, folder: Path, cache: Path) -> tuple[float, str]:
    """Return processor seconds of a command with its children, and its messages."""
    env = os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen(
            [sys.executable, "-m", "verify.start", *line.split()],
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env=env,
            cwd=folder,
        )
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        messages = errors.read()
    assert child.returncode in (0, 1), f"{line}: {messages}"
    return used.ru_utime + used.ru_stime, messages


def write_files(folder: Path) -> None:
    """Write the files that the commands read."""
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")


def cold_and_warm(line: str) -> tuple[float, float]:
    """Return the seconds of the first run of a command, and of the second."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder)
        for needed in BEFORE:
            if needed.split()[-1] in line:
                ran(needed, folder, folder / "before")
        cold, warm = (ran(line, folder, folder / "new")[0] for _ in "12")
    return cold, warm


def main(page: Path) -> None:
    """Measure every command; write the page after each."""
    text = HEAD.format(machine=platform.machine(), python=platform.python_version())
    for line in LINES:
        cold, warm = cold_and_warm(line)
        text += f"| `oneway {line}` | {cold:.1f} | {warm:.1f} |\n"
        page.write_text(text, encoding="utf-8")
        print(f"{line}: {cold:.1f} {warm:.1f}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
