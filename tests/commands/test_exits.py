"""However a command ends: one line, the right exit code, and no traceback."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from solver.errors import OptionError
from tests.runner import python
from verify.commands import exits

ROOT = Path(__file__).parents[2]
RERUN = "run the same command to start again"
BASH = pytest.mark.skipif(sys.platform == "win32", reason="lines for bash")


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of the shell in which $ONEWAY is the command."""
    command = {"ONEWAY": f"{sys.executable} -m verify.start", "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        ["bash", "-c", line],
        capture_output=True,
        env=os.environ | command | environment,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("fault", "code", "words"),
    [
        (OptionError("no such thing"), 2, "no such thing"),
        (RecursionError(), 2, "nested too deeply"),
        (MemoryError(), 2, "not enough memory"),
        (FileNotFoundError(2, "No such file", "a.txt"), 2, "a.txt: No such file"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"), 2, "cannot be read"),
        (KeyboardInterrupt(), 130, f"interrupted; {RERUN}"),
        (RuntimeError("Caught keyboard interrupt"), 130, "interrupted"),
        (TypeError("ours"), 3, "an internal error, TypeError: ours"),
        (BrokenPipeError(), 141, ""),
    ],
)
def test_every_end_is_one_line(
    fault: BaseException, code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def work() -> int:
        raise fault

    with patch.object(exits, "_silence"):
        assert exits.exit_code_of(work) == code
    printed = capsys.readouterr().err
    assert words in printed
    assert printed.count("\n") == (code != 141)


def test_what_a_signal_breaks_is_an_interrupt(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def work() -> int:
        exits.set_hint("to resume: oneway stats 5")
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise RuntimeError("no compiled object yet") from None
        return 0

    before = signal.getsignal(signal.SIGINT)
    assert exits.exit_code_of(work) == 130
    assert signal.getsignal(signal.SIGINT) is before
    printed = capsys.readouterr().err
    assert printed == "oneway: interrupted; to resume: oneway stats 5\n"
    assert exits.exit_code_of(lambda: 0) == 0  # nothing of it is left


@pytest.mark.parametrize(
    "work",
    [
        "exec('signal.raise_signal(signal.SIGTERM)')",  # Python would end by a signal
        "weakref.ref(type('A', (), {})(), lambda _: signal.raise_signal(15)), w()",
    ],
)
def test_a_signal_in_a_callback_ends_the_command_too(work: str) -> None:
    code = f"""
import signal, time, weakref
from verify import start
def w(): time.sleep(9)
start._run = lambda: ({work})
start.main()
"""
    done = python(code, cwd=ROOT)
    assert done.returncode == 143, done
    assert done.stderr == f"oneway: terminated; {RERUN}\n"


@BASH
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("$ONEWAY draw 5:RD >&-", 2),
        ("$ONEWAY draw 5:RD >/dev/full", 2),
        ("$ONEWAY --help >/dev/full", 2),
        ("$ONEWAY count - <&-", 0),
        ("printf '5:\\xff' | $ONEWAY count -", 2),
        ("$ONEWAY draw $'5:\\xff'", 2),
        ("$ONEWAY draw 5: -o $(printf 'x%.0s' {1..300}).svg", 2),
        ("$ONEWAY draw 5:RD 2>&-", 0),
        ("$ONEWAY --help | (exec <&-); exit ${PIPESTATUS[0]}", 141),
        ("$ONEWAY walk --help | (exec <&-); exit ${PIPESTATUS[0]}", 141),
        ("$ONEWAY rules | (exec <&-); exit ${PIPESTATUS[0]}", 141),
    ],
)
def test_streams_that_cannot_be_used(line: str, code: int) -> None:
    done = shell(line)
    assert done.returncode == code, done
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"oneway: ") == (code == 2), done


@BASH
def test_what_an_encoding_lacks_is_escaped() -> None:
    done = shell("$ONEWAY draw 3:", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(rb"\u25cb")
