"""The `oneway` command: puts the commands together; each is thin and in its own file.

Answers go to standard output, trouble to standard error as one line. Exit codes:
0 found or nothing wrong, 1 none found or a fault found, 2 bad input.
"""

import sys
from collections.abc import Callable

import typer

from solver.errors import OnewayError
from verify.commands import (
    campaign,
    check,
    corpus,
    count,
    demo,
    draw,
    evidence,
    families,
    maze,
    milestones,
    mine,
    mutants,
    path,
    report,
    rules,
    stats,
    verify,
    walk,
)
from verify.commands import prove as prove_cli

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A laboratory for Hamiltonian walks on grids: draw a rule, get its verdict, "
    "keep the counterexample.\n\n"
    "Start with `oneway demo`. A position is one line of text: 9:RRDD is the 9 x 9 "
    "board after four moves, 7x9@1,1>7,9!2,2: has ends and a wall.",
)

_PANELS: dict[str, list[Callable[..., None]]] = {
    "Begin here": [demo.demo, walk.walk, check.check, count.count, draw.draw],
    "Rules on trial": [
        verify.verify,
        prove_cli.prove,
        families.families,
        mine.mine,
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
_KEPT, _BESIDE = "What is kept", "Two smaller systems"
app.add_typer(rules.app, name="rules", rich_help_panel=_KEPT)
app.add_typer(corpus.app, name="corpus", rich_help_panel=_KEPT)
app.add_typer(campaign.app, name="campaign", rich_help_panel=_KEPT)
app.add_typer(prove_cli.proof_app, name="proof", rich_help_panel=_KEPT)
app.add_typer(maze.app, name="maze", rich_help_panel=_BESIDE)
app.add_typer(path.app, name="path", rich_help_panel=_BESIDE)


def main() -> None:
    """Run the command; bad input becomes one line and exit code 2."""
    try:
        app()
    except OnewayError as error:
        message = " ".join(str(error).splitlines())
        sys.stderr.write(f"oneway: {message}\n")
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
