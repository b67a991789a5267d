"""Help pages: short, complete, and one name for one thing in every command."""

from itertools import pairwise

import pytest
import typer

from tests.runner import commands, run
from verify.start import whole_app

EVERY = commands(typer.main.get_command(whole_app()))
# A short flag stands for one long one, wherever it is taken.
SHORT = {"-n": "--count", "-o": "--output", "-r": "--rules", "-q": "--quiet"}


@pytest.mark.parametrize("name", EVERY)
def test_a_help_page_is_short_and_teaches(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    ran = run(*name.split(), "--help")
    lines = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert lines[0].startswith(f"Usage: oneway {name}")
    assert len(lines) <= 45
    assert max(map(len, lines)) <= 80
    heads = [
        head
        for head, line in pairwise(lines)
        if line.startswith("    ") and " oneway " in line
    ]
    assert len(heads) <= 4
    assert all(2 <= len(head.split()) <= 5 for head in heads), heads


@pytest.mark.parametrize("name", EVERY)
def test_a_command_has_at_most_twelve_options(name: str) -> None:
    flags = [p.opts for p in EVERY[name].params if p.param_type_name == "option"]
    assert len(flags) <= 12
    for opts in flags:
        for flag in opts:
            assert flag.startswith("--") or SHORT[flag] in opts


def test_help_of_the_whole_names_every_command() -> None:
    ran = run("--help")
    assert ran.code == 0
    for name in EVERY:
        assert f"\n  {name.split()[0]} " in ran.out
    assert run().code == 2
