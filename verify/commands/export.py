"""`oneway export`: a position as an instance for other solvers, with its answer."""

import json
from pathlib import Path
from typing import Annotated

import typer

from verify.commands.console import OracleOption, make_oracle, parse_line, say


def export(
    position: Annotated[str, typer.Argument(help="A position, such as 9:RRDD.")],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", help="FILE.cnf, FILE.hcp, FILE.mps or FILE.opb."
        ),
    ],
    oracle: OracleOption = "sat",
) -> None:
    """Write a position for other solvers, which say if there is a completion.

    The ending of FILE names the format: DIMACS for SAT solvers, TSPLIB for those of
    the travelling salesman, MPS for integer programming, OPB for pseudo-Boolean
    solvers. The file holds the whole question, no constraint is to be added later.
    FILE.json beside it has the answer of the oracle, a completion if there is one, and
    what the variables mean; `oneway check --proof` proves a position dead.

    Try: oneway export 9:RRDLD -o dead.cnf
    """
    from solver.errors import OptionError
    from solver.export import FORMATS, instance
    from solver.files import write_together

    kind = output.suffix.removeprefix(".")
    if kind not in FORMATS:
        endings = ", ".join(f".{name}" for name in FORMATS)
        raise OptionError(f"{output.name!r} ends in none of {endings}")
    place = parse_line("", position)
    asked = instance(place)
    answer = make_oracle(oracle).decide(place)
    where = place.board.row_col
    about = {
        "position": place.notation,
        "verdict": answer.verdict.name,
        "oracle": oracle,
        "completion": [where(cell) for cell in answer.witness or ()] or None,
        "nodes": [where(cell) for cell in asked.nodes],
        "variables": [[where(a), where(b)] for a, b in asked.arcs],
    }
    text = json.dumps(about) + "\n"
    beside = output.with_name(f"{output.name}.json")
    write_together([(output, FORMATS[kind](asked)), (beside, text)])
    say(f"{answer.verdict.name}: {output}, answer: {beside}")
