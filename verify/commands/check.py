"""`oneway check`: every move of a position, by rules and by an oracle."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from solver.oracles.registry import listed
from verify.commands.console import (
    SEED_5,
    JsonOption,
    PictureOption,
    RulesOption,
    emit,
    kernels_by_size,
    lines_or,
    make_oracle,
    note,
    parse_line,
    say,
)

if TYPE_CHECKING:
    from heuristic.rule import Forbid
    from solver.board import Position
    from solver.oracles.oracle import Answer, Oracle
    from solver.solid.certificate import Certificate
    from verify.trial.completeness import Fatal

_LARGE = 10_000  # cells


@kernels_by_size
def check(
    position: Annotated[
        str,
        typer.Argument(help="A position such as 9:RRDD, or - for one a line."),
    ],
    rules: RulesOption = SEED_5,
    oracle: Annotated[
        str,
        typer.Option(
            "--oracle",
            help=f"Exact oracle: {listed()}. If left out sat, and search on boards of "
            "more than 10,000 cells, where a formula takes gigabytes.",
            show_default=False,
        ),
    ] = "",
    as_json: JsonOption = False,
    picture: PictureOption = None,
    proof: Annotated[
        Path | None,
        typer.Option(
            help="Folder for proofs of every dead move: a certificate where there is "
            "one, else CNF, DRAT and LRAT."
        ),
    ] = None,
) -> None:
    """Say of each move what the oracle knows and which rules forbid it, and why.

    A move that no rule forbids though it is dead is a gap; a forbidden move that is
    completable refutes its rule. Both are marked. Of a dead position the first fatal
    move of its walk is told (`oneway blame` says who would have seen it). Of each dead
    move the line `why` says in one sentence why no completion exists, if a count does;
    the picture marks the region of the first.

    Exit code 0 if every position is completable, 1 if one is dead (or not known), 2 on
    bad input.

    Try: oneway check 7:RRDRURDDLD -o check.svg

    With rules of your own: oneway check 9:RRDD --rules my-rule.toml

    With certificates of death, checked: oneway check 5:RD --proof out

    In a pipe: cat positions.txt | oneway check - --json
    """
    from heuristic.groups import load_rules
    from solver.board import Position
    from solver.errors import OptionError
    from solver.nowalk import why_dead
    from solver.oracles.oracle import Verdict, get_oracle
    from solver.oracles.told import decide_told
    from verify.tell import lines

    rule_set = load_rules(rules)
    judges = {oracle: make_oracle(oracle)} if oracle else {}
    prover = get_oracle("sat", proof=True) if proof else None
    all_completable = True
    if position == "-" and picture:
        raise OptionError("--output needs one position, not a stream")
    for where, text in lines_or(position):
        place = parse_line(where, text)
        name = oracle or ("search" if place.board.cells > _LARGE else "sat")
        judge = judges.setdefault(name, make_oracle(name))
        why, whole, answers = decide_told(judge, place)
        forbids = rule_set.forbids(place)
        dead = whole.verdict is Verdict.DEAD
        walkable = dead and not why_dead(Position(place.board))
        fatal = _first_fatal(place, judge) if walkable else None
        all_completable &= whole.verdict is Verdict.COMPLETABLE
        reasons = _reasons(place, answers)
        if as_json:
            told = _as_json(place, whole.verdict.name, answers, forbids, reasons)
            told |= {"why": why} if why else {}
            if fatal:
                told["fatal"] = {"number": fatal.number, "move": fatal.move}
            emit(told)
        else:
            for line in lines(place, forbids, answers):
                say(line)
            say(": ".join(part for part in (whole.verdict.value, why) if part))
            for move, found in reasons.items():
                say(f"why {move} is dead: {found.sentence}")
            if fatal:
                say(fatal.sentence)
        if proof and prover:
            from verify.proof.files import write_dead, write_proof

            for move, answer in answers.items():
                if answer.verdict is Verdict.DEAD:
                    after = place.step(move)
                    page = write_dead(after, proof)
                    for path in [page] if page else write_proof(after, prover, proof):
                        note(f"proof, checked: {path}")
        if picture:
            from solver.svg import write_picture
            from verify.tell import picture as picture_of

            marked = next((found.region for found in reasons.values()), ())
            svg = picture_of(place, forbids, whole.witness or (), marked=marked)
            write_picture(svg, picture)
            if not as_json:
                say(f"picture: {picture}")
    raise typer.Exit(0 if all_completable else 1)


def _first_fatal(place: "Position", judge: "Oracle") -> "Fatal | None":
    from verify.trial.completeness import first_fatal  # costs as much as numpy

    return first_fatal(place, judge)


def _reasons(
    place: "Position", answers: dict[str, "Answer"]
) -> "dict[str, Certificate]":
    """Return why moves are dead, of those that a certificate says it of."""
    from solver.oracles.oracle import Verdict
    from verify.proof.files import judged_certificate

    found = {
        move: judged_certificate(place.step(move))
        for move, answer in answers.items()
        if answer.verdict is Verdict.DEAD and place.board.cells <= _LARGE
    }
    return {move: one for move, one in found.items() if one}


def _as_json(
    place: "Position",
    verdict: str,
    answers: dict[str, "Answer"],
    forbids: "tuple[Forbid, ...]",
    reasons: "dict[str, Certificate]",
) -> dict[str, Any]:
    return {
        "position": place.notation,
        "verdict": verdict,
        "moves": {
            move: {
                "verdict": answer.verdict.name,
                "forbidden": [
                    {"rule": f.rule, "reason": f.reason.sentence}
                    for f in forbids
                    if f.move == move
                ],
                **({"why": reasons[move].sentence} if move in reasons else {}),
            }
            for move, answer in answers.items()
        },
    }
