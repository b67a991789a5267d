"""The `oneway` command: finds the module of the command that was typed and runs it.

Each command is a function, or a group of functions called `app`, in a module of its
own name in `verify.commands`. Only that module is imported: importing all of them
takes longer than most commands run.
"""

import os
import sys
from importlib import import_module
from typing import Annotated, Any

import typer

from solver import __version__
from solver.errors import OptionError
from solver.jit import on_compiling
from verify.commands import ABOUT, OPTIONS, PANELS
from verify.commands.console import be_quiet, note_compiling, say

_UsageError: Any = typer.BadParameter.__mro__[1]  # of the click that Typer uses


def make_app(*typed: str) -> typer.Typer:
    """Return the application; of commands that are not typed only name and purpose."""
    app = typer.Typer(
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
        help=ABOUT,
    )
    app.callback()(_options)
    for panel, commands in PANELS.items():
        for name, purpose in commands.items():
            if name not in typed:
                app.command(name, help=purpose, rich_help_panel=panel)(_not_imported)
                continue
            module = import_module(f"verify.commands.{name}")
            if hasattr(module, "app"):
                app.add_typer(module.app, name=name, rich_help_panel=panel)
            else:
                app.command(name, rich_help_panel=panel)(getattr(module, name))
    return app


def whole_app() -> typer.Typer:
    """Return the application with all of its commands."""
    return make_app(*(name for commands in PANELS.values() for name in commands))


def _not_imported() -> None:
    raise AssertionError("a command that was not typed is not run")


def _print_version(wanted: bool) -> None:
    if wanted:
        say(f"oneway {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            is_eager=True,
            callback=_print_version,
            help=OPTIONS["--version"],
        ),
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help=OPTIONS["-q, --quiet"])
    ] = False,
) -> None:
    be_quiet(quiet)


def run() -> int:
    """Run the command that the arguments name, and return its exit code.

    `app()` would handle Ctrl-C and closed pipes itself.
    """
    if "_ONEWAY_COMPLETE" in os.environ:  # a shell completes a line
        make_app(*os.environ.get("_TYPER_COMPLETE_ARGS", "").split())(
            prog_name="oneway"
        )
    on_compiling(note_compiling)
    words = sys.argv[1:]
    if {"-q", "--quiet"} & {*words}:  # wherever they stand
        words = ["-q", *(word for word in words if word not in ("-q", "--quiet"))]
    typed = next((word for word in words if not word.startswith("-")), "")
    command = typer.main.get_command(make_app(typed))
    try:
        with command.make_context("oneway", words) as context:
            command.invoke(context)
        return 0
    except typer.Exit as leave:
        return leave.exit_code
    except _UsageError as error:
        if "NoArgs" in type(error).__name__:
            error.show()
            return 2
        where = f"; see `{error.ctx.command_path} --help`" if error.ctx else ""
        raise OptionError(f"{error.format_message().rstrip('.')}{where}") from None
