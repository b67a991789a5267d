"""The `oneway` command: puts the commands together; each is thin and in its own file.

Answers go to standard output, trouble to standard error as one line. Exit codes:
0 found or nothing wrong, 1 none found or a fault found, 2 bad input.
"""

import os
import sys
from collections.abc import Callable
from inspect import cleandoc
from typing import Annotated, Any

import typer

from solver import __version__
from solver.errors import OptionError
from solver.jit import tell_compiling as on_compiling
from verify.commands import (
    blame,
    campaign,
    check,
    corpus,
    count,
    demo,
    discover,
    draw,
    evidence,
    families,
    knight,
    lab,
    maze,
    milestones,
    mine,
    mutants,
    path,
    proof,
    rank,
    report,
    rules,
    stats,
    verify,
    walk,
)
from verify.commands import prove as prove_cli
from verify.commands.console import say, tell_compiling
from verify.commands.ending import ended
from verify.commands.streams import prepare_streams

# Typer brings a click of its own or takes the one installed: this is the one it raises.
_UsageError: Any = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "UsageError"
)

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="A laboratory for Hamiltonian walks on grids: draw a rule, get its verdict, "
    "keep the counterexample.\n\n"
    "Start with `oneway demo`. A position is one line of text: 9:RRDD is the 9 x 9 "
    "board after four moves, 7x9@1,1>7,9!2,2: has ends and a wall.",
)

_PANELS: dict[str, list[Callable[..., None]]] = {
    "Begin here": [
        demo.demo,
        walk.walk,
        check.check,
        blame.blame,
        count.count,
        rank.rank,
        rank.unrank,
        draw.draw,
        lab.lab,
    ],
    "Rules on trial": [
        verify.verify,
        prove_cli.prove,
        families.families,
        mine.mine,
        discover.discover,
        stats.stats,
        evidence.evidence,
        report.report,
        milestones.milestones,
        mutants.mutants,
    ],
}
for _panel, _commands in _PANELS.items():
    for _command in _commands:
        app.command(rich_help_panel=_panel)(_command)
_KEPT, _BESIDE = "What is kept", "Smaller systems beside"
app.add_typer(rules.app, name="rules", rich_help_panel=_KEPT)
app.add_typer(corpus.app, name="corpus", rich_help_panel=_KEPT)
app.add_typer(campaign.app, name="campaign", rich_help_panel=_KEPT)
app.add_typer(proof.app, name="proof", rich_help_panel=_KEPT)
app.add_typer(maze.app, name="maze", rich_help_panel=_BESIDE)
app.add_typer(knight.app, name="knight", rich_help_panel=_BESIDE)
app.add_typer(path.app, name="path", rich_help_panel=_BESIDE)


def _tell_version(wanted: bool) -> None:
    if wanted:
        say(f"oneway {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version and exit.",
            is_eager=True,
            callback=_tell_version,
        ),
    ] = False,
) -> None:
    pass


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
        command.help = _unwrapped((command.callback or main).__doc__ or "")
    for inner in group.registered_groups:
        if inner.typer_instance is not None:
            _unwrap(inner.typer_instance)


def run() -> int:
    """Run the command that the arguments name, and return its exit code.

    Not by calling `app`, which would keep Ctrl-C and a closed pipe to itself.
    """
    if "_ONEWAY_COMPLETE" in os.environ:  # a shell asks how a line could go on
        app(prog_name="oneway")
    on_compiling(tell_compiling)
    command = typer.main.get_command(app)
    try:
        with command.make_context("oneway", sys.argv[1:]) as context:
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
    except typer.Abort:
        raise OptionError("the input ended before an answer came") from None


def main() -> None:
    """Run the command; see `verify.commands.ending` for how it ends."""
    prepare_streams()
    raise SystemExit(ended(run))


_unwrap(app)


if __name__ == "__main__":
    main()
