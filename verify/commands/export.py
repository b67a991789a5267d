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
    conflicts: Annotated[
        int, typer.Option(help="Conflicts after which a proof is given up.", min=0)
    ] = 100_000,
) -> None:
    """Write a position for other solvers, which say if there is a completion.

    The ending of FILE names the format: DIMACS for SAT solvers, TSPLIB for those of
    the travelling salesman, MPS for integer programming, OPB for pseudo-Boolean
    solvers. The file holds the whole question, no constraint is to be added later.
    FILE.json beside it has the answer of the oracle, a completion if there is one, and
    what the variables mean. Beside the .cnf of a dead position stands the proof that it
    has no model, checked: .drat and .lrat.

    Try: oneway export 9:RRDLD -o dead.cnf
    """
    from solver.errors import OptionError
    from solver.export import FORMATS, instance
    from solver.files import write_together
    from solver.oracles.oracle import Verdict

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
    beside = output.with_name(f"{output.name}.json")
    asks = FORMATS[kind](asked)
    files = [(output, asks), (beside, json.dumps(about) + "\n")]
    proved = ""
    if kind == "cnf" and answer.verdict is Verdict.DEAD and conflicts:
        from verify.proof.files import refute

        proof = refute(asks, conflicts)
        proved = f", no proof found in {conflicts:,} conflicts"
        if proof:
            names = output.with_suffix(".drat"), output.with_suffix(".lrat")
            files += zip(names, proof, strict=True)
            proved = f", proof: {names[0]}, {names[1]}"
    write_together(files)
    say(f"{answer.verdict.name}: {output}, answer: {beside}{proved}")
