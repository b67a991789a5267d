"""The `oneway` command: Ctrl-C handled first, then the module of the command imported.

Each command is a function, or a group of functions called `app`, in a module of
`verify.commands`, mostly of its own name. Only the module of the command that was
typed is imported. All imports stand inside functions, so that Ctrl-C leaves no
traceback and ``--help`` prints at once.
"""

import atexit
import gc
import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

if TYPE_CHECKING:
    import typer

_BY_SIGNAL = 128  # exit codes above it name the signal that ended the command
_signal_codes: list[int] = []  # the exit code, if a signal ended the command


def make_app(*typed: str) -> "typer.Typer":
    """Return the application; of commands that are not typed only name and purpose."""
    import typer

    from solver import __version__
    from verify.commands import ABOUT, MODULES, OPTIONS, PANELS
    from verify.commands.console import be_quiet, say

    def print_version(wanted: bool) -> None:
        if wanted:
            say(f"oneway {__version__}")
            raise typer.Exit

    version = typer.Option(
        "--version", is_eager=True, callback=print_version, help=OPTIONS["--version"]
    )
    quiet = typer.Option("--quiet", "-q", help=OPTIONS["-q, --quiet"])
    app = typer.Typer(
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
        help=ABOUT,
    )

    @app.callback()
    def set_options(
        version: Annotated[bool, version] = False,
        quiet: Annotated[bool, quiet] = False,
    ) -> None:
        be_quiet(quiet)

    for panel, commands in PANELS.items():
        for name, purpose in commands.items():
            if name not in typed:
                app.command(name, help=purpose, rich_help_panel=panel)(_not_imported)
                continue
            module = import_module(f"verify.commands.{MODULES.get(name, name)}")
            if hasattr(module, "app"):
                app.add_typer(module.app, name=name, rich_help_panel=panel)
            else:
                app.command(name, rich_help_panel=panel)(getattr(module, name))
    return app


def whole_app() -> "typer.Typer":
    """Return the application with all of its commands."""
    from verify.commands import PANELS

    return make_app(*(name for commands in PANELS.values() for name in commands))


def _not_imported() -> None:
    """Stand for a command that was not typed."""


def _run() -> int:
    from solver import __version__
    from verify.commands import overview

    words = sys.argv[1:]
    if words == ["--version"]:
        sys.stdout.write(f"oneway {__version__}\n")
        return 0
    completing = "_ONEWAY_COMPLETE" in os.environ  # a shell completes a line
    if not completing and words in ([], ["-h"], ["--help"]):
        sys.stdout.write(f"{overview()}\n")
        return 0 if words else 2
    if completing:
        typed = os.environ.get("_TYPER_COMPLETE_ARGS", "").split()
        make_app(*typed)(prog_name="oneway")
    return _run_typed(words)


def _run_typed(words: list[str]) -> int:
    """Run a command by Typer; `app()` would handle Ctrl-C and closed pipes itself."""
    import typer

    from solver.errors import OptionError
    from solver.jit import on_compiling
    from verify.commands.console import note_compiling

    usage_error: Any = typer.BadParameter.__mro__[1]  # of the click that Typer uses
    on_compiling(note_compiling)
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
    except usage_error as error:
        if "NoArgs" in type(error).__name__:
            error.show()
            return 2
        where = f"; see `{error.ctx.command_path} --help`" if error.ctx else ""
        raise OptionError(f"{error.format_message().rstrip('.')}{where}") from None


def command(*, last: bool = False) -> int:
    """Run the command that the arguments name, and return its exit code.

    After the `last` command of a process signals are ignored.
    """
    from verify.commands.exits import exit_code_of, prepare_streams

    prepare_streams()
    return exit_code_of(_run, last=last)


def _end_early(number: int, frame: FrameType | None) -> None:
    word = b"terminated" if number == signal.SIGTERM else b"interrupted"
    os.write(2, b"oneway: %s; run the same command to start again\n" % word)
    os._exit(_BY_SIGNAL + number)


def _exit_by_signal() -> None:
    """End this process with the code of the signal, after all that ends in order.

    Python would end itself by SIGINT if the interrupt once passed through an `exec`,
    as in a library under import, even if it was caught.
    """
    gc.freeze()  # a last collection takes longer than many commands
    if _signal_codes:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(_signal_codes[0])


def main() -> None:
    """Run `oneway` in this process, which ends with the exit code of the command."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end_early)
    atexit.register(_exit_by_signal)  # the first, so that it runs last
    code = command(last=True)
    if code > _BY_SIGNAL:
        _signal_codes.append(code)
    raise SystemExit(code)


if __name__ == "__main__":
    main()
