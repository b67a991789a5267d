"""`oneway corpus shrink`: the gap of a case made small."""

from dataclasses import replace
from typing import Annotated

import typer

from verify.commands.console import (
    CorpusOption,
    JsonOption,
    emit,
    kept,
    note,
    progress_bar,
    say,
)
from verify.commands.ending import PassedOver


def shrink(
    name: Annotated[
        str, typer.Argument(help="Name of a case (a beginning will do) or its file.")
    ],
    any_board: Annotated[
        bool,
        typer.Option(
            "--any-board",
            help="The small form may have walls and ends of its own: fewer cells yet.",
        ),
    ] = False,
    save: Annotated[bool, typer.Option("--save", help="Keep it as a case.")] = False,
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make the gap of a case small, so that a person can see why its move is dead.

    The small form is dead for the same reason: the same universal rule is the first to
    see it, or none does. Without --any-board it stays a position of a smaller board of
    its kind, which takes long where the walk is long.

    Exit code 0 if a smaller one was found, 1 if not, 2 on bad input.

    Try: oneway corpus shrink 9x9-8589 --any-board
    """
    from solver.errors import OptionError
    from solver.oracles.oracle import get_oracle
    from verify.corpus.cases import case_rules, corpus_folder, find_case, save_case
    from verify.trial.mining import gap_case, image_of_gap
    from verify.trial.shrink import shrink as smaller_gap

    folder = corpus or corpus_folder()
    case, search = find_case(name, folder, PassedOver()), get_oracle("search")
    if case.kind != "gap":
        raise OptionError(f"{case.name} is no gap but of kind {case.kind}")
    rules = case_rules(case)
    with progress_bar() as bar:
        cells = case.position.board.open_cells
        task = bar.add_task("cells left out", total=cells)
        small = smaller_gap(
            rules,
            case.position,
            search,
            any_board=any_board,
            progress=lambda x: bar.update(task, completed=cells - x.board.open_cells),
        )
    position = image_of_gap(rules, small, search)
    source = f"oneway corpus shrink {case.name}{' --any-board' * any_board}"
    made = gap_case(position, case.position, rules, case.rules, source)
    new = replace(made, book=case.book)
    if as_json:
        emit(
            {
                "case": case.name,
                "position": position.notation,
                "moves": new.subject,
                "cells": position.board.open_cells,
                "was": cells,
            }
        )
    else:
        say(str(position))
        say(f"{position.notation}: {' and '.join(new.subject)} is dead, and allowed")
        say(f"{position.board.open_cells} of {cells} cells")
    if save:
        note(kept(*save_case(new, folder)))
    raise typer.Exit(0 if position.board.open_cells < cells else 1)
