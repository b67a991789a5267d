"""Examples in the pages: what is shown is run, and must print what is shown.

A page is read from top to bottom, in one folder:

* a fence with a title, as ``toml title="my.toml"``, is written to that file;
* ``sh`` is run line by line; if the next fence is ``text`` without a title, its lines
  must be printed, in this order (``...`` stands for any lines, times are not compared);
* ``console`` holds a command after ``$`` and all that it prints.

A comment before a fence says what is otherwise: ``<!-- slow -->`` runs it with the slow
tests only, ``<!-- not run: WHY -->`` never. Commands of a tutorial exit with 0; if one
does not, ``<!-- exit codes 1 0 -->`` gives those of its fence, also after ``slow``.
Elsewhere they exit with 0 or 1.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.runner import Ran, run

ROOT = Path(__file__).parents[1]
_FENCE = re.compile(
    r"(?:^<!-- (?P<mark>[^\n]*?) -->\n)?"
    r"^```(?P<kind>\w+)(?: title=\"(?P<title>[^\"]+)\")?[^\n]*\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_SECONDS = re.compile(r"\d+(?:\.\d+)? ?(?:m?s|seconds?|min)\b|\d+:\d\d:\d\d")


@dataclass(frozen=True, slots=True)
class Block:
    """One fence: its kind, title, text and mark, all as written."""

    kind: str
    title: str
    body: str
    mark: str

    @property
    def codes(self) -> list[int]:
        """The exit codes of its commands, if a mark gives them."""
        return [int(code) for code in self.mark.partition("exit codes ")[2].split()]

    @property
    def slow(self) -> bool:
        """Whether only the slow tests run it."""
        return self.mark.split()[:1] == ["slow"]

    @property
    def runs(self) -> bool:
        """Whether it is a command that some test runs."""
        return self.kind in ("sh", "console") and not self.mark.startswith("not run: ")


def blocks(text: str) -> list[Block]:
    """Return the fences of a page in their order.

    >>> [block.title for block in blocks('a\\n```toml title="x.toml"\\ny = 1\\n```\\n')]
    ['x.toml']
    """
    return [
        Block(f["kind"], f["title"] or "", f["body"], f["mark"] or "")
        for f in _FENCE.finditer(text)
    ]


def play(page: Path, *, slow: bool) -> int:
    """Run the examples of a page in the current folder; return how many commands.

    Raises
    ------
    AssertionError
        If a command fails, or does not print what the page shows.
    """
    found, ran = blocks(page.read_text(encoding="utf-8")), 0
    for block, following in zip(found, [*found[1:], None], strict=True):
        if block.title:
            Path(block.title).parent.mkdir(parents=True, exist_ok=True)
            Path(block.title).write_text(block.body, encoding="utf-8")
        if not block.runs or (block.slow and not slow):
            continue
        if block.kind == "console":
            for command, shown in _sessions(block.body):
                ran += 1
                told = _told(_pipe(command).out)
                assert told == _told(shown), f"{command} prints {told}"
            continue
        printed: list[str] = []
        expected = following is not None and following.kind == "text"
        shown = following.body if following and expected and not following.title else ""
        lines = [re.split(r"\s+# ", line)[0] for line in block.body.splitlines()]
        lines = [line.strip() for line in lines if line.strip()]
        codes = block.codes or [0] * len(lines)
        for command, code in zip(lines, codes, strict=True):
            ran += 1
            one = _pipe(command)
            printed += _told(one.out) + _told(one.err)
            assert one.code < 2 or "oneway: " in shown, f"{command}: {one.err}"
            if page.parent.name == "tutorial":
                assert one.code == code, f"{command}: exit code {one.code}, not {code}"
        _assert_shown(_told(shown), printed, block.body)
    return ran


def _sessions(body: str) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def _told(text: str) -> list[str]:
    """Return the lines of an output, times masked."""
    return [_SECONDS.sub("? s", line.rstrip()) for line in text.splitlines()]


def _assert_shown(shown: list[str], printed: list[str], body: str) -> None:
    """Assert that lines were printed in their order, perhaps others between."""
    at = 0
    for line in shown:
        if line in ("", "..."):
            continue
        assert line in printed[at:], f"{body}does not print, or not here:\n{line}"
        at = printed.index(line, at) + 1


def _pipe(command: str) -> Ran:
    """Run one line of a shell: commands of ours, and a few words of the shell's."""
    ran, text = Ran(0, "", ""), ""
    for stage in command.split(" | "):
        words = shlex.split(stage)
        if words[0] == "oneway":
            ran = run(*words[1:], stdin=text)
        elif words[0] == "echo":
            ran = Ran(0, " ".join(words[1:]) + "\n", "")
        elif words[0] == "cat":
            ran = Ran(0, "".join(Path(name).read_text() for name in words[1:]), "")
        elif words[:2] == ["tail", "-n"]:
            ran = Ran(0, "\n".join(text.splitlines()[-int(words[2]) :]) + "\n", "")
        elif words[:3] == ["python", "-m", "pytest"]:
            ran = _elsewhere([sys.executable, *words[1:]])
        else:
            raise AssertionError(f"no test can run {stage!r}; mark it not run, and why")
        text = ran.out
    return ran


def _elsewhere(words: list[str]) -> Ran:
    """Run a program in a process of its own, as users do who stand elsewhere."""
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
    )
    return Ran(done.returncode, done.stdout, done.stderr)
