"""`oneway export`: a position as an instance for other solvers, with its answer."""

import json
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from solver.errors import OptionError
from solver.export import FORMATS, problem_of, write_suite
from solver.files import write_together
from solver.oracles.oracle import Verdict, get_oracle
from verify.commands import console, options
from verify.proof.dead import refute_dimacs

_CONFLICTS = 100_000  # limit of a proof


def export(
    output: Annotated[
        Path, Option("--output", "-o", help="FILE, or with --suite a folder.")
    ],
    position: str = Argument("", help="A position, such as 9:RRDD."),
    suite: str = Option("", help=f"Write the benchmark suite as {', '.join(FORMATS)}."),
) -> None:
    """Write a position as a problem for other solvers.

    The suffix of the file selects the format: .cnf is DIMACS for SAT solvers, .hcp is
    TSPLIB for solvers of the travelling salesman problem. FILE.json holds the answer, a
    completion if there is one, and the meaning of the variables. A dead position gets
    checked proofs next to its .cnf: .drat and .lrat.

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
        many = write_suite(
            suite, output, lambda cases: console.track(cases, "instances")
        )
        answers = console.listed(answers=output / "answers.json")
        console.say(f"{many} instances, {answers}")
        return
    options.output_file(output, *(f".{name}" for name in FORMATS))
    place = options.position_of_text(position)
    problem = problem_of(place)
    answer = get_oracle("sat").decide(place)
    where = place.board.row_col
    about = {
        "position": place.notation,
        "verdict": answer.verdict.name,
        "oracle": "sat",
        "completion": [where(cell) for cell in answer.witness or ()] or None,
        "nodes": [where(cell) for cell in problem.nodes],
        "variables": [[where(a), where(b)] for a, b in problem.arcs],
    }
    beside = output.with_name(f"{output.name}.json")
    text = FORMATS[output.suffix[1:]](problem)
    files: list[tuple[Path, str | bytes | None]]
    files = [(output, text), (beside, json.dumps(about) + "\n")]
    line = f"{answer.verdict.name}: {console.shown(output)}, "
    line += console.listed(answer=beside)
    if output.suffix == ".cnf":
        drat, lrat = output.with_suffix(".drat"), output.with_suffix(".lrat")
        proof: tuple[str | None, str | None] = None, None  # removes files of old proofs
        if answer.verdict is Verdict.DEAD:
            proof = refute_dimacs(text, _CONFLICTS) or proof
            proofs = f"{console.listed(proof=drat)}, {console.shown(lrat)}"
            none = f"no proof after {_CONFLICTS:,} conflicts"
            line += f", {proofs if proof[0] else none}"
        files += [(drat, proof[0]), (lrat, proof[1])]
    write_together(files)
    console.say(line)
