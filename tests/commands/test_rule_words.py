"""Several rules on a command line: words of their own, or one word with commas."""

from typing import Any

import pytest
import typer

from tests.runner import commands, run
from verify.cli import app

NAMING = {
    f"{name} {param.name}": param
    for name, command in commands(typer.main.get_command(app)).items()
    for param in command.params
    if param.name in ("rules", "groups", "against")
}


@pytest.mark.parametrize("param", NAMING.values(), ids=NAMING)
def test_every_command_takes_several_words(param: Any) -> None:
    assert param.nargs == -1 or param.multiple


def test_these_are_the_commands_that_name_rules() -> None:
    said = {words.split()[0] for words in NAMING}
    assert said >= {"prove", "verify", "report", "mine", "rules"}
    assert said >= {"walk", "check", "draw", "stats", "milestones", "corpus"}


@pytest.mark.parametrize(
    ("before", "first", "second", "after"),
    [
        ("rules", "c-shape", "near-border-side", ""),
        ("verify", "c-shape", "close-across-left", "5 --json"),
        ("verify", "seed-5", "seed-close,-c-shape", "5 --json"),
        ("walk 7", "-r seed-5", "-r seed-close", "-n 30 --json"),
        ("check 5:RD", "-r seed-5", "--rules universal-4", "--json"),
        ("milestones 5", "-r seed-5", "-r seed-close", "--json"),
    ],
)
def test_several_words_say_what_one_with_commas_says(
    before: str, first: str, second: str, after: str
) -> None:
    apart = run(*before.split(), *first.split(), *second.split(), *after.split())
    one = f"{first},{second.split()[-1]}"
    told = run(*before.split(), *one.split(), *after.split())
    assert (apart.code, apart.out) == (told.code, told.out)  # err: what is compiled
    assert apart.code == 0
    assert apart.out != run(*before.split(), *first.split(), *after.split()).out
    assert apart.out != run(*before.split(), *second.split(), *after.split()).out


def test_several_rules_are_proved_and_nothing_is_not_a_rule(tmp_path: Any) -> None:
    ran = run("prove", "c-shape", "near-border-side", "--proofs", str(tmp_path))
    assert [line.split(":")[0] for line in ran.out.splitlines() if line[0] != " "] == [
        "c-shape",
        "near-border-side",
    ]
    for args in (("prove",), ("prove", "c-shape", "--all"), ("rules", "")):
        assert run(*args).code == 2


@pytest.mark.parametrize("command", ["report 3", "stats 3 -r", "verify"])
def test_an_unknown_name_is_refused_before_the_work(command: str) -> None:
    told = run(*command.split(), "nope")
    assert (told.code, told.out) == (2, "")
    assert "'nope'" in told.err
