"""Every command refuses bad input in one line: arguments, options, files."""

import os
import re
from pathlib import Path
from unittest.mock import patch

import pytest
import typer

from tests.runner import assert_refused, commands, prints, run
from verify.start import whole_app

EVERY = commands(typer.main.get_command(whole_app()))
BAD = [  # a command line and what its one line says
    ("check 7:RRX", "character 5: expected a move U, R, D or L, found 'X'"),
    ("check 7:R --rules c-shap", "'c-shap'; did you mean 'c-shape'"),
    ("check 7:R --oracle delphi", "'delphi'"),
    ("check - -o a.svg", "--output needs one position, not a stream"),
    ("walk 0", "'0'"),
    ("walk 5 -n 0", "'--count' / '-n': 0 is not in the range"),
    ("walk 5 -n 99999999999999999999", "x<=1000000000000"),
    ("walk 5 --sede 3", "--seed"),
    ("walk", "Missing argument"),
    ("wlk 5", "Did you mean 'walk'"),
    ("walk 5 -o a.gif", "'a.gif' must end in .svg or .png or .pdf"),
    ("walk 5 -o none/a.svg", "is not a folder"),
    ("walk 5 --exact --uniform", "give one"),
    ("walk 5 --exact --walls", "add -o FILE.svg or -o FILE.pdf"),
    ("walk 5 -o x.pdf", "add --exact or --uniform"),
    ("walk 5 --exact --paper letter", "--paper has no effect without -o FILE.pdf"),
    ("walk 9 --exact --rules seed-5", "--rules has no effect with --exact"),
    ("walk 17 --uniform", "keeping all layers takes 5.9 GB"),
    ("count 23:", "a count takes 18.8 GB"),
    ("count 9: --memory 0", "'0' is not a number above 0"),
    ("count 13: --memory 0.001", "takes 1.2 MB (51,573 states"),
    ("count 5 --cycles --paths", "are several counts"),
    ("count 5 --walk 104", "rank 104 is not below the 104 walks of 5"),
    ("count 4!1,1;1,2:", "a wall stands on the start or the end"),
    ("count 5@1,1>1,5 --b-file", "rectangle without walls"),
    ("draw 5 --walls", "--walls has no effect without --output"),
    ("draw 5 --future -o x.svg", "add --rules universal"),
    ("draw 9:R --walls -o x.svg", "a labyrinth needs a complete walk"),
    ("draw 3:RRDLLDRR --walls -r seed-5 -o x.svg", "--walls has no marks"),
    ("puzzle 9 --paper a4:4", "--paper has no effect without --output"),
    ("puzzle 9 --invert", "--invert is for a picture, as 40!heart.png, not '9'"),
    ("export 5:RD -o x.doc", "'x.doc' must end in .cnf"),
    ("export -o x.cnf", "give a position such as 9:RRDD, or --suite"),
    ("verify seed-5 5x", "5x"),
    ("verify universal 5 --oracle search", "shares its kernels with these rules"),
    ("verify universal 5 --oracle auto", "shares its kernels with these rules"),
    ("verify near-border-front 5@5,1>1,5", "--boards any"),
    ("verify c-shape 5 --boards upper-left", "'upper-left'"),
    ("report c-shape 5 --boards any", "--boards has no effect without --against"),
    ("report c-shape --against c-shape --no-verdicts", "no effect with --against"),
    ("prove", "name rules, or add --all"),
    ("prove straight c-shape", "prove families apart from rules"),
    ("proof check .", "no certificate"),
    ("proof check nowhere.proof.xz", "cannot be read"),
    ("proof check x --rules universal", "no drawn rule is among them"),
    ("fuzz", "no rules: give a rule file"),
    ("fuzz c-shape --corpus not-there", "--save makes it"),
    ("discover 5 --rules universal", "is not a drawing of cells and areas"),
    ("stats 7x9.toml", "'7x9.toml' is not a board; boards begin with a digit"),
    ("mine my.toml", "boards begin with a digit, as 9 or 7x9. Rules go after --rules"),
    ("mine 5 --corpus /dev/null/x", "cannot make /dev/null/x: Not a directory"),
    ("corpus show nothing-like-it", "`oneway corpus show` lists all"),
    ("corpus show --corpus /dev/null", "corpus /dev/null is not a folder"),
    ("corpus show --corpus nowhere", "corpus nowhere does not exist"),
    ("corpus add 5:U", "leaves the board"),
    ("rules no-such-rule", "`oneway rules` lists all groups"),
    ("rules forced-edges -o x.svg", "none of these rules is drawn"),
    ("rules c-shape --turns cw", "--turns has no effect without pictures"),
    ("lab 5:X", "found 'X'"),
]


@pytest.mark.parametrize(("line", "why"), BAD, ids=[line for line, _ in BAD])
def test_bad_input_is_one_line_and_code_2(line: str, why: str, here: Path) -> None:
    ran = run(*line.split())
    assert_refused(ran)
    assert why in ran.err
    assert ran.out == ""
    assert [*here.iterdir()] == []


GARBAGE = ["\udcff\udcfe", "x" * 5000, "\u202e\x1b[31m", "9" * 5000, "5@0,0>5,5:"]


@pytest.mark.parametrize("words", sorted(set(EVERY) - {"demo"}))
def test_garbage_is_refused(words: str, here: Path) -> None:
    params = EVERY[words].params
    arguments = sum(p.param_type_name == "argument" for p in params)
    flags = {flag for p in params for flag in p.opts}
    flags &= {"--rules", "--corpus", "--oracle"}
    for bad in GARBAGE:
        args = [*words.split(), *(f"{flag}={bad}" for flag in flags)]
        if not arguments and "--rules" not in flags:
            args.append(f"--x{bad}")  # nothing that would begin work in earnest
        ran = run(*args, *(["--", *[bad] * arguments] if arguments else []))
        assert ran.code in (0, 1, 2), ran
        assert "Traceback" not in ran.err
        assert "\x1b" not in ran.err + ran.out
        if ran.code == 2:
            assert ran.err.count("\noneway: ") + ran.err.startswith("oneway: ") == 1
    assert {path.suffix for path in here.iterdir()}.isdisjoint({".svg", ".part"})


# Files that cannot be read to their end ------------------------------------------

READ = [
    *("check {}.txt", "check {}.svg", "check {}.toml", "check 5:R --rules {}.toml"),
    *("check 5:R --rules {}.py:f", "verify {}.toml 5", "prove {}.toml"),
    *("rules {}.toml", "rules {}.svg", "mine 5 --rules {}.toml -n 3"),
    *("corpus show {}.toml", "corpus replay {}.toml", "corpus add {}.txt --dry-run"),
    *("report {}.toml 5 --no-verdicts", "knight check {}.txt", "maze {}.txt"),
    *("path {}.txt", "proof check {}.proof.xz", "proof check {}.dead.json"),
    *("puzzle 10!{}.png", "count 10!{}.png"),
]


def endless(kind: str, path: Path) -> None:
    """Make something other than a file at a path, or a file that is too large."""
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "3 GB":
            path.touch()
            os.truncate(path, 3 << 30)
        case _:
            path.symlink_to({"device": "/dev/zero", "loop": path.name}[kind])


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices are those of POSIX")
@pytest.mark.parametrize("kind", ["pipe", "device", "loop", "folder", "3 GB"])
def test_what_is_no_file_or_too_large_is_refused_unread(kind: str) -> None:
    for line in (words.replace("{}", "x") for words in READ):
        [name] = re.findall(r"x\.[\w.]+", line)
        if not os.path.lexists(name):
            endless(kind, Path(name))
        ran = run(*line.split())
        assert ran.code in (1, 2), (line, ran)
        assert (ran.err.count("\n"), name in ran.err) == (1, True), (line, ran)


def test_a_bad_line_of_a_stream_is_named() -> None:
    with patch("verify.commands.options._LINE", 1000):
        why = "oneway: line 1 has 1,000 characters or more\n"
        prints("check -", 2, why, stdin="5:" + "R" * 2000)
        prints("check -", 0, stdin="5:R\n" * 300)
    why = "oneway: line 2: character 4"
    ran = prints("check - --json", 2, why, stdin="5:RD\n5:RX\n5:R\n")
    assert ran.out.count("\n") == 1
