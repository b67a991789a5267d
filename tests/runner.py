"""Runs the command in this process, as a shell would see it, or a Python of its own."""

import io
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from verify.start import command


@dataclass(frozen=True, slots=True)
class Ran:
    """Exit code and what was printed where."""

    code: int
    out: str
    err: str


def run(*args: str, stdin: str = "") -> Ran:
    """Run ``oneway ARGS``; an exception other than an exit goes through."""
    out, err = io.StringIO(), io.StringIO()
    with (
        patch.object(sys, "argv", ["oneway", *args]),
        patch.object(
            sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8")
        ),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        code = command()
    return Ran(code, out.getvalue(), err.getvalue())


def prints(line: str, code: int, *parts: str, stdin: str = "") -> Ran:
    """Run a line; assert its exit code and parts of what it prints, in this order."""
    ran = run(*shlex.split(line), stdin=stdin)
    assert (ran.code, "Traceback" in ran.err) == (code, False), ran
    rest = ran.out + ran.err
    for part in parts:
        assert part in rest, (part, ran)
        rest = rest.partition(part)[2]
    return ran


def python(code: str, *args: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own."""
    words = [sys.executable, "-c", code, *args]
    return subprocess.run(words, capture_output=True, text=True, **options)


def assert_refused(ran: Ran) -> None:
    """Assert that bad input was refused: one line on standard error, exit code 2."""
    assert ran.code == 2, ran
    assert ran.err.startswith("oneway: "), ran
    assert ran.err.count("\n") == 1, ran
    assert "Traceback" not in ran.err


def commands(group: Any, before: str = "") -> dict[str, Any]:
    """Return all commands below a click group by their names, as they are typed."""
    inner: dict[str, Any] | None = getattr(group, "commands", None)
    if inner is None:
        return {before: group}
    return {
        name: inner_command
        for word, command in inner.items()
        for name, inner_command in commands(command, f"{before} {word}".strip()).items()
    }
