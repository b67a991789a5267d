"""Examples in the pages: each command is run, and must print what the page shows.

A page is read from top to bottom, in one folder:

* a fence with a title, as ``toml title="my.toml"``, is written to that file;
* ``sh`` is run line by line; if the next fence is ``text`` without a title, its lines
  must be printed, in this order (``...`` stands for any lines, times are not compared);
* ``console`` holds a command after ``$`` and all that it prints.

A comment before a fence marks exceptions: ``<!-- slow -->`` runs it with the slow tests
only, ``<!-- not run: WHY -->`` never. Commands of a tutorial exit with 0, or with the
codes in ``<!-- exit codes 1 0 -->``. Elsewhere they exit with 0 or 1.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.runner import Ran, run

ROOT = Path(__file__).parents[1]
_FENCE = re.compile(
    r"(?:^<!-- ([^\n]*?) -->\n)?"
    r"^```(\w+)(?: title=\"([^\"]+)\")?[^\n]*\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_SECONDS = re.compile(r"\d+(?:\.\d+)? ?(?:m?s|seconds?|min)\b|\d+:\d\d:\d\d")


class Block(NamedTuple):
    """One fence: its mark, kind, title and text, all as written."""

    mark: str
    kind: str
    title: str
    body: str

    @property
    def codes(self) -> list[int]:
        """The exit codes of its commands, if a mark gives them."""
        return [int(code) for code in self.mark.partition("exit codes ")[2].split()]

    @property
    def slow(self) -> bool:
        """Whether only the slow tests run it."""
        return self.mark.startswith("slow")

    @property
    def runs(self) -> bool:
        """Whether it is a command that some test runs."""
        return self.kind in ("sh", "console") and not self.mark.startswith("not run: ")


def blocks(text: str) -> list[Block]:
    """Return the fences of a page in their order."""
    return [Block(*fence.groups(default="")) for fence in _FENCE.finditer(text)]


def play(page: Path, *, slow: bool) -> int:
    """Run the examples of a page in the current folder; return the number of commands.

    Raises `AssertionError` if a command fails, or does not print what the page shows.
    """
    fences, ran = blocks(page.read_text(encoding="utf-8")), 0
    for block, following in zip(fences, [*fences[1:], None], strict=True):
        if block.title:
            Path(block.title).parent.mkdir(parents=True, exist_ok=True)
            Path(block.title).write_text(block.body, encoding="utf-8")
        if not block.runs or (block.slow and not slow):
            continue
        if block.kind == "console":
            for part in re.split(r"^\$ ", block.body, flags=re.MULTILINE)[1:]:
                command, _, shown = part.partition("\n")
                printed = _lines(_run(command).out)
                assert printed == _lines(shown), f"{command} prints {printed}"
                ran += 1
            continue
        has_output = following and following.kind == "text" and not following.title
        shown = following.body if following and has_output else ""
        ran += _run_lines(block, shown, page.parent.name == "tutorial")
    return ran


def _run_lines(block: Block, shown: str, tutorial: bool) -> int:
    """Run the lines of a fence, and compare what they print."""
    commands = [re.split(r"\s+# ", line)[0].strip() for line in block.body.splitlines()]
    commands = [command for command in commands if command]
    codes, printed = block.codes or [0] * len(commands), list[str]()
    for command, code in zip(commands, codes, strict=True):
        ran = _run(command)
        printed += _lines(ran.out) + _lines(ran.err)
        assert ran.code < 2 or "oneway: " in shown, f"{command}: {ran.err}"
        if tutorial:
            assert ran.code == code, f"{command}: exit code {ran.code}, not {code}"
    at = 0
    for line in _lines(shown):
        if line not in ("", "..."):
            where = f"{block.body}does not print, or not here:\n{line}"
            assert line in printed[at:], where
            at = printed.index(line, at) + 1
    return len(commands)


def _lines(text: str) -> list[str]:
    """Return the lines of an output, times masked."""
    return [_SECONDS.sub("? s", line.rstrip()) for line in text.splitlines()]


def _run(command: str) -> Ran:
    """Run a command of ours, or pytest in a process of its own."""
    words = shlex.split(command)
    if words[0] == "echo" and words[2:4] == ["|", "oneway"]:
        return run(*words[4:], stdin=f"{words[1]}\n")
    if words[0] == "oneway":
        return run(*words[1:])
    if words[:3] != ["python", "-m", "pytest"]:
        raise AssertionError(f"no test can run {command!r}; mark it not run, and why")
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    line = [sys.executable, *words[1:]]
    done = subprocess.run(line, capture_output=True, text=True, env=env)
    return Ran(done.returncode, done.stdout, done.stderr)
