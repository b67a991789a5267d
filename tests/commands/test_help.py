"""Help pages: short, complete, and one name for one thing in every command."""

from itertools import pairwise

import pytest
import typer

from tests.runner import commands, prints, run
from verify.start import whole_app

EVERY = commands(typer.main.get_command(whole_app()))
# A short flag stands for one long one, wherever it is taken.
SHORT = {"-n": "--count", "-o": "--output", "-r": "--rules", "-q": "--quiet"}


@pytest.mark.parametrize("name", EVERY)
def test_a_help_page_is_short_and_teaches(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    ran = prints(f"{name} --help", 0)
    lines = ran.out.splitlines()
    assert (lines[0].startswith(f"Usage: oneway {name}"), ran.err) == (True, "")
    assert len(lines) <= 45
    assert max(map(len, lines)) <= 80
    shown = pairwise(lines)
    heads = [x for x, y in shown if y.startswith("    ") and " oneway " in y]
    assert len(heads) <= 4
    assert all(2 <= len(head.split()) <= 5 for head in heads), heads
    flags = [p.opts for p in EVERY[name].params if p.param_type_name == "option"]
    assert len(flags) <= 12
    assert all(f.startswith("--") or SHORT[f] in opts for opts in flags for f in opts)


def test_help_of_the_whole_names_every_command() -> None:
    page = prints("--help", 0).out
    assert [name for name in EVERY if f"\n  {name.split()[0]} " not in page] == []
    assert run().code == 2
