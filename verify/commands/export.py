"""`oneway export`: a position as an instance for other solvers, with its answer."""

import json
from pathlib import Path
from typing import Annotated

import typer

from solver.errors import OptionError
from solver.export import FORMATS, instance, write_suite
from solver.files import write_together
from solver.oracles.answer import Verdict
from solver.oracles.oracle import get_oracle
from verify.commands import options
from verify.commands.console import say, track
from verify.commands.positions import parse_position
from verify.proof.lrat import refute


def export(
    context: typer.Context,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="FILE, or with --suite a folder.")
    ],
    position: Annotated[str, typer.Argument(help="A position, such as 9:RRDD.")] = "",
    suite: Annotated[
        str,
        typer.Option(
            "--suite",
            metavar="FORMAT",
            help=f"Write the benchmark suite: {', '.join(FORMATS)}.",
        ),
    ] = "",
    oracle: options.Oracle = "sat",
    conflicts: Annotated[
        int,
        typer.Option(
            "--conflicts",
            metavar="N",
            parser=options.whole(0),
            help="Limit of the proof; 0: none.",
        ),
    ] = 100_000,
) -> None:
    """Write a position as a problem for other solvers.

    The suffix of the file names the format: .cnf is DIMACS for SAT solvers, .hcp TSPLIB
    for solvers of the travelling salesman, .mps integer programming, .opb
    pseudo-Boolean. Each file is self-contained. FILE.json holds the answer of the
    oracle, a completion if there is one, and what the variables mean. A dead position
    gets checked proofs next to its .cnf: .drat and .lrat.

    --suite writes positions with known answers, and answers.json, into a folder.

    \b
    A dead position:
      oneway export 9:RRDLD -o dead.cnf
    The benchmark suite:
      oneway export --suite cnf -o suite
    """
    if bool(position) == bool(suite):
        raise OptionError("give a position such as 9:RRDD, or --suite, not both")
    if suite:
        options.refuse_idle(context, "with --suite", "oracle", "conflicts")
        many = write_suite(suite, output, lambda known: track(known, "instances"))
        say(f"{many} instances, answers: {output / 'answers.json'}")
        return
    kind = output.suffix.removeprefix(".")
    if kind not in FORMATS:
        endings = ", ".join(f".{name}" for name in FORMATS)
        raise OptionError(f"{output.name!r} ends in none of {endings}")
    place = parse_position(position)
    problem = instance(place)
    answer = get_oracle(oracle).decide(place)
    where = place.board.row_col
    about = {
        "position": place.notation,
        "verdict": answer.verdict.name,
        "oracle": oracle,
        "completion": [where(cell) for cell in answer.witness or ()] or None,
        "nodes": [where(cell) for cell in problem.nodes],
        "variables": [[where(a), where(b)] for a, b in problem.arcs],
    }
    beside = output.with_name(f"{output.name}.json")
    text = FORMATS[kind](problem)
    files: list[tuple[Path, str | bytes | None]]
    files = [(output, text), (beside, json.dumps(about) + "\n")]
    proved = ""
    if kind == "cnf":
        drat, lrat = output.with_suffix(".drat"), output.with_suffix(".lrat")
        proof = None
        if answer.verdict is Verdict.DEAD and conflicts:
            proof = refute(text, conflicts)
            proved = f", no proof found in {conflicts:,} conflicts"
        files += zip((drat, lrat), proof or (None, None), strict=True)
        if proof:
            proved = f", proof: {drat}, {lrat}"
    write_together(files)
    say(f"{answer.verdict.name}: {output}, answer: {beside}{proved}")
