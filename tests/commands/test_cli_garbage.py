"""Every command refuses garbage in one line: as arguments, options, and in files."""

import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
import typer

from tests.runner import assert_refused, commands, run
from verify.cli import app

GARBAGE = [
    "",
    " ",
    "\udcff\udcfe",
    "x" * 300 + ".toml",
    "x" * 5000,
    "../../nothing/here.toml",
    ".",
    "/dev/null/x.toml",
    "nan",
    "1e999",
    "-0x1",
    "[[[[",
    "\u202e\x1b[31m",
    "9999999",
    "9" * 5000,
    "\uff15",  # a digit, but none of ours
    "%s%n{0}",
    "5@0,0>5,5:",
    "5!",
]
EVIL: dict[str, str | bytes] = {
    "deep": "[" * 100_000,
    "deep and closed": "[" * 5_000 + "]" * 5_000,
    "deep tables": '{"a":' * 5_000,
    "infinity": "Infinity",
    "a list": "[1, 2]",
    "null": "null",
    "numbers of types": '{"rules": 3, "root": [], "position": {}, "todo": Infinity}',
    "a huge number": '{"completed": 1' + "0" * 5_000 + "}",
    "half": '{"walks":',
    "no text": b"\xff\xfe\x00\x01",
    "a byte order mark": b"\xef\xbb\xbf{}",
    "zeros": b"\0" * 100,
}


EVERY = commands(typer.main.get_command(app))
del EVERY["demo"]  # takes nothing


def never_a_traceback(*args: str) -> None:
    ran = run(*args)
    assert ran.code in (0, 1, 2), ran
    if ran.code == 2:
        told = [one for one in ran.err.splitlines() if one.startswith("oneway: ")]
        assert len(told) == 1, ran
    assert "Traceback" not in ran.err
    assert "\x1b" not in ran.err + ran.out


@pytest.mark.parametrize("words", EVERY)
@pytest.mark.parametrize(
    "garbage", [GARBAGE[2::6], pytest.param(GARBAGE, marks=pytest.mark.slow)]
)
def test_garbage_is_refused(
    words: str,
    garbage: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    command = EVERY[words]
    given = [p for p in command.params if p.param_type_name == "argument"]
    options = {
        flag
        for p in command.params
        for flag in p.opts
        if flag in ("--rules", "--size", "--corpus", "--oracle")
    }
    for bad in garbage:
        args = words.split()
        if not given and "--rules" not in options:
            args.append(f"--x{bad}")  # nothing that would begin work in earnest
        for flag in options:
            args += [f"{flag}={bad}"]
        if given:
            args += ["--", *(bad for _ in given)]
        never_a_traceback(*args)
    assert not [one for one in tmp_path.iterdir() if one.suffix in (".svg", ".part")]


READERS = [
    ("proof", "check"),
    ("corpus", "add", "--dry-run"),
    ("corpus", "replay"),
    ("check", "5:R", "--rules"),
    ("maze", "solve"),
    ("path", "referee"),
]


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_evil_files_are_refused(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ending = ".toml" if {"--rules", "replay"} & {*words} else ".json"
    for name, content in EVIL.items():
        file = tmp_path / f"{name.replace(' ', '-')}{ending}"
        data = content if isinstance(content, bytes) else content.encode()
        file.write_bytes(data)
        never_a_traceback(*words, str(file))


# Files that cannot be read to their end ------------------------------------------

READ = [
    "check {}.txt",
    "check {}.svg",
    "check {}.toml",
    "check 5:R --rules {}.toml",
    "check 5:R --rules {}.py:f",
    "verify {}.toml 5",
    "prove {}.toml",
    "rules {}.toml",
    "mine 5 --rules {}.toml -n 3",
    "corpus show {}.toml",
    "corpus add {}.txt --dry-run",
    "corpus replay {}.toml",
    "import {}.svg",
    "report {}.toml 5 --no-verdicts",
    "knight check {}.txt",
    "maze solve {}.txt",
    "path referee {}.txt",
    "proof check {}.proof.xz",
    "proof check {}.dead.json",
    "puzzle 10!{}.png",
    "count 10!{}.png",
]


def endless(kind: str, path: Path) -> None:
    """Make a path that is no file, or one that is far too large."""
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "loop":
        path.symlink_to(path.name)
    elif kind == "folder":
        path.mkdir()
    else:
        with path.open("wb") as file:
            file.truncate(3 << 30)


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices are those of POSIX")
@pytest.mark.parametrize("kind", ["pipe", "device", "loop", "folder", "3 GB"])
def test_what_is_no_file_or_too_large_is_refused_unread(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for line in READ:
        word = next(word for word in line.split() if "{}" in word)
        ending = word.partition("{}")[2].split(":")[0]
        path = tmp_path / f"x{ending}"
        if not os.path.lexists(path):
            endless(kind, path)
        ran = run(*line.replace("{}", "x").split())
        assert ran.code in (1, 2), (line, ran)
        assert ran.err.count("\n") == 1, (line, ran)
        assert "x" + ending in ran.err, (line, ran)


def test_an_endless_line_of_input_is_refused() -> None:
    with patch("verify.commands.console._LINE", 1000):
        assert_refused(run("check", "-", stdin="5:" + "R" * 2000))
        assert run("check", "-", stdin="5:R\n" * 300).code == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("walk 5 -n 99999999999999999999", "--count is '99999999999999999999'"),
        ("walk 5 -n x", "--count is 'x', expected a whole number of at least 1;"),
        ("walk 5 -n 0", "--count is '0', expected a whole number of at least 1;"),
        ("puzzle 5 -n 1001", "of at least 1, at most 1,000;"),
        ("walk 5 --seed -1", "--seed is '-1', expected a whole number of at least 0;"),
        ("rank 5 x", "number is 'x', expected a whole number;"),
        ("prove c-shape --seconds x", "--seconds is 'x', expected a number;"),
    ],
)
def test_a_number_that_is_none_or_too_large_is_refused_in_words(
    words: str, why: str
) -> None:
    ran = run(*words.split())
    assert_refused(ran)
    assert why in ran.err


def test_no_option_counts_without_end(tmp_path: Path) -> None:
    """Each option that counts is refused a number that no loop can hold."""
    tried = 0
    for words, command in EVERY.items():
        given = [p for p in command.params if p.param_type_name == "argument"]
        for param in command.params:
            if param.type.name.startswith("int") and param.opts[0].startswith("--"):
                counted = f"{param.opts[0]}={'9' * 30}"
                if param.opts[0] != "--seed":
                    assert_refused(run(*words.split(), counted, *("5" for _ in given)))
                    tried += 1
    assert tried > 20


def test_warnings_as_errors_change_nothing(tmp_path: Path) -> None:
    env = os.environ | {"PYTHONWARNINGS": "error"}
    for line in ("check 5:RRDL", "draw 5 -o x.png", "count 5", "rules c-shape"):
        words = [sys.executable, "-m", "verify", *line.split()]
        folder = Path(__file__).parents[2]
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=env | {"PYTHONPATH": str(folder)},
        )
        assert done.returncode == 0, done
        assert done.stderr == "", done
