"""Every command refuses garbage in one line: as arguments, options, and in files."""

import json
from pathlib import Path

import pytest
import typer

from tests.runner import run
from tests.size import commands
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


def test_evil_evidence_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report").mkdir()
    evil: list[str | bytes] = [*EVIL.values(), json.dumps([{"board": 5}])]
    for content in evil:
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / "report" / "evidence.json").write_bytes(data)
        never_a_traceback("report", "c-shape", "5", "--no-verdicts", "-o", "report")
