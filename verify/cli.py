"""The `oneway` command: puts the commands together; each is thin and in its own file.

Answers go to standard output, trouble to standard error as one line. Exit codes:
0 found or nothing wrong, 1 none found or a fault found, 2 bad input.

Only the command that the arguments name is imported: importing all takes longer than
most of them run.
"""

import os
import re
import sys
from collections.abc import Callable
from importlib import import_module
from inspect import cleandoc
from typing import Any

import typer

from solver import __version__
from solver.errors import OptionError
from solver.jit import on_compiling
from verify.commands.console import be_quiet, note_compiling, note_unkept, say
from verify.commands.options import flag, option
from verify.overview import ABOUT, PANELS

# Typer brings a click of its own or takes the one installed: this is the one it raises.
_UsageError: Any = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "UsageError"
)

# Commands beside others of their kind: the module, and the name there.
_PLACES = {
    "discover": ("discover", "discover"),
    "export": ("draw", "export"),
    "import": ("draw", "import_pictures"),
    **{name: ("selftest", name) for name in ("demo", "warm")},
    **{name: ("walk", name) for name in ("milestones", "stats")},
    "proof": ("prove", "app"),
    "prove": ("prove", "prove"),
    "puzzle": ("draw", "puzzle"),
    "rank": ("count", "rank"),
}


def _make_app(wanted: Callable[[str], bool]) -> typer.Typer:
    """Return the command; of commands that are not wanted only name and first line."""
    app = typer.Typer(
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        help=ABOUT,
    )
    for panel, commands in PANELS.items():
        for name, first in commands.items():
            if not wanted(name):
                app.command(name, help=first, rich_help_panel=panel)(_never)
                continue
            file, word = _PLACES.get(name, (name, ""))
            module = import_module(f"verify.commands.{file}")
            found = getattr(module, word or ("app" if hasattr(module, "app") else name))
            if isinstance(found, typer.Typer):
                app.add_typer(found, name=name, rich_help_panel=panel)
            else:
                app.command(name, rich_help_panel=panel)(found)
    app.callback()(_options)
    _unwrap(app)
    return app


def _never() -> None:
    raise AssertionError("a command that was not imported is not run")


def __getattr__(name: str) -> typer.Typer:
    """Return the command with all of its commands as `app`."""
    if name != "app":
        raise AttributeError(name)
    globals()["app"] = _make_app(lambda name: True)
    whole: typer.Typer = globals()["app"]
    return whole


def _print_version(wanted: bool) -> None:
    if wanted:
        say(f"oneway {__version__}")
        raise typer.Exit


def _options(
    version: bool = option(
        "--version",
        "Print the version and exit.",
        False,
        is_eager=True,
        callback=_print_version,
    ),
    quiet: bool = flag(
        "--quiet -q", "Print answers and what is wrong alone: no progress, no notes."
    ),
) -> None:
    be_quiet(quiet)


def _unwrapped(text: str) -> str:
    r"""Join the lines of each paragraph: whoever prints it wraps it once.

    >>> _unwrapped("One\ntwo.\n\nThree\n    kept\n")
    'One two.\n\nThree\n    kept'
    """
    parts = cleandoc(text).split("\n\n")
    whole = [p if "\n " in p else " ".join(p.splitlines()) for p in parts]
    return "\n\n".join(whole)


def _unwrap(group: typer.Typer) -> None:
    for command in group.registered_commands:
        text = command.help or (command.callback or _never).__doc__
        command.help = _unwrapped(text or "")
    for inner in group.registered_groups:
        if inner.typer_instance is not None:
            _unwrap(inner.typer_instance)


_MOST = 10**15  # of whatever an option counts
_NUMBER = re.compile(r"(.*) is not (?:a valid (int|float)|in the range)\b.*", re.DOTALL)


def _limit(command: Any) -> None:
    """Limit what options count, since arrays and loops do."""
    for inner in getattr(command, "commands", {}).values():
        _limit(inner)
    for param in command.params:
        counts = param.param_type_name == "option" and "--seed" not in param.opts
        if counts and getattr(param.type, "max", 0) is None:
            param.type.max = _MOST


def _wrong_number(error: Any) -> str:
    """Return what a number should be that was not one; empty for other errors."""
    param = getattr(error, "param", None)
    match = _NUMBER.fullmatch(error.message)
    if param is None or match is None:
        return ""
    given, least = match[1].strip("'"), getattr(param.type, "min", None)
    most = getattr(param.type, "max", None)
    what = "a number" if "float" in param.type.name else "a whole number"
    if least is not None:
        what += f" of at least {least:,}"
    if most is not None and (most < _MOST or (given.isdecimal() and int(given) > most)):
        what += f", at most {most:,}"
    name = param.opts[0] if param.param_type_name == "option" else param.name
    return f"{name} is {given[:40]!r}, expected {what}"


def run() -> int:
    """Run the command that the arguments name, and return its exit code.

    Not by calling `app`, which would keep Ctrl-C and a closed pipe to itself.
    """
    if "_ONEWAY_COMPLETE" in os.environ:  # a shell asks how a line could go on
        _make_app(os.environ.get("_TYPER_COMPLETE_ARGS", "").split().__contains__)(
            prog_name="oneway"
        )
    on_compiling(note_compiling, note_unkept)
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    named = words[0] if words else ""
    line = sys.argv[1:]
    if named != "knight" and (asked := {"-q", "--quiet"} & {*line}):
        line = ["-q", *(word for word in line if word not in asked)]  # anywhere
    command = typer.main.get_command(_make_app(named.__eq__))
    if not {"-h", "--help"} & {*line}:  # the limit is no news to a reader
        _limit(command)
    try:
        with command.make_context("oneway", line) as context:
            command.invoke(context)
        return 0
    except typer.Exit as leave:
        return leave.exit_code
    except _UsageError as error:
        if "NoArgs" in type(error).__name__:
            error.show()
            return 2
        where = f"; see `{error.ctx.command_path} --help`" if error.ctx else ""
        if wrong := _wrong_number(error):
            raise OptionError(f"{wrong}{where}") from None
        if getattr(error, "option_name", "") in ("--board", "--size", "-b"):
            where = "; a board is a word of its own now: oneway verify seed-5 5 7x9"
        raise OptionError(f"{error.format_message().rstrip('.')}{where}") from None
    except typer.Abort:
        raise OptionError("the input ended before an answer came") from None
