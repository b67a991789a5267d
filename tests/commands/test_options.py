"""Every option means one thing, in every command."""

from collections.abc import Iterator
from typing import Any

import pytest
import typer

from tests.runner import assert_refused, run
from verify.cli import RENAMED, app


def options(command: Any, *path: str) -> Iterator[tuple[str, Any]]:
    """Yield every option with the words of its command."""
    for option in command.params:
        if option.param_type_name == "option":
            yield " ".join(path), option
    for name, inner in getattr(command, "commands", {}).items():
        yield from options(inner, *path, name)


EVERY = list(options(typer.main.get_command(app)))
# A short flag stands for one long one, wherever it is taken.
SHORT = {
    "-n": "--count",
    "-o": "--output",
    "-r": "--rules",
    "-w": "--weights",
    "-q": "--quiet",
}


def test_a_short_flag_means_the_same_everywhere() -> None:
    for command, option in EVERY:
        for flag in option.opts:
            if not flag.startswith("--"):
                assert SHORT[flag] in option.opts, (command, option.opts)


def test_the_same_things_have_the_same_names() -> None:
    gone = {"--picture", "--folder", "--out", "--plot", "--side", "--board"}
    for command, option in EVERY:
        assert gone.isdisjoint(option.opts), (command, option.opts)
        if {"--boards", "--mazes", "--drawn"} & set(option.opts):
            assert "--count" in option.opts, command


def test_an_option_that_is_gone_says_what_to_type() -> None:
    for words in ("verify seed-5 --board 5", "mine --size 9", "report c-shape -b 5"):
        ran = run(*words.split())
        assert_refused(ran)
        assert "a board is a word of its own now: oneway verify seed-5 5" in ran.err


@pytest.mark.parametrize("old", RENAMED)
def test_a_name_that_is_gone_answers_with_the_line_to_type(old: str) -> None:
    ran = run(*old.split(), "5")
    assert_refused(ran)
    assert f"`oneway {RENAMED[old]}`" in ran.err
    command: Any = typer.main.get_command(app)
    for word in RENAMED[old].split():
        command = getattr(command, "commands", {}).get(word, command)
    assert not hasattr(command, "commands"), RENAMED[old]
