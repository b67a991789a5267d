"""Every option means one thing, in every command."""

import typer

from tests.runner import assert_refused, commands, run
from verify.cli import app

EVERY = [
    (name, option)
    for name, command in commands(typer.main.get_command(app)).items()
    for option in command.params
    if option.param_type_name == "option"
]
# A short flag stands for one long one, wherever it is taken.
SHORT = {
    "-n": "--count",
    "-o": "--output",
    "-r": "--rules",
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
        if "--drawn" in option.opts:
            assert "--count" in option.opts, command


def test_limits_of_time_are_seconds_of_a_search_or_minutes_of_all() -> None:
    for command, option in EVERY:
        if option.name in ("seconds", "minutes"):
            known = ("every single search", "whole command", "Begin nothing new")
            told = any(words in option.help for words in known)
            assert told, command


def test_an_option_that_is_gone_says_what_to_type() -> None:
    for words in ("verify seed-5 --board 5", "mine --size 9", "report c-shape -b 5"):
        ran = run(*words.split())
        assert_refused(ran)
        assert "a board is a word of its own now: oneway verify seed-5 5" in ran.err
