"""`oneway check`: every move of a position, by rules and by an oracle."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from solver.errors import OptionError
from solver.oracles.registry import listed
from verify.commands import console, options
from verify.commands.console import emit, joined, note, say, shown
from verify.commands.options import argument, flag, option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from heuristic.rule import Forbid
    from solver.board import Position
    from solver.oracles.oracle import Answer, Oracle
    from solver.solid.certificate import Certificate
    from verify.truth import Fatal


def _checked_output(path: Path | None) -> Path | None:
    """Refuse a file that cannot be written, before the work begins."""
    from solver.svg import check_picture

    if path is not None:
        check_picture(path, ".html")
    return path


IN_USE = ["universal,seed-9-size,seed-2024-full"]


@console.kernels_by_size
def check(
    position: str = argument(
        "A position such as 9:RRDD, a saved walk (.txt, .svg), a case (.toml) "
        "or - for positions, one a line."
    ),
    rules: options.Rules = options.NONE,
    blame: bool = flag(
        "--blame",
        "Go back to the position before the first fatal move of the walk, and "
        "check that.",
    ),
    oracle: str = option(
        "--oracle",
        f"Exact oracle: {listed()}. auto leaves out those that share code with the "
        "rules.",
        "auto",
    ),
    as_json: options.Json = False,
    picture: Path | None = option(
        "--output -o",
        "Write a picture too, FILE.svg or FILE.png; or FILE.html, all that is "
        "said here as one page that needs nothing else.",
        None,
        callback=_checked_output,
    ),
    proof: Path | None = option(
        "",
        "Folder for proofs of every dead move: a certificate where there is "
        "one, else CNF, DRAT and LRAT.",
        None,
    ),
) -> None:
    """Say of each move what the oracle knows and which rules forbid it, and why.

    A move that no rule forbids though it is dead is a gap; a forbidden move that is
    completable refutes its rule. Both are marked. Of each dead move the line `why` says
    in one sentence why no completion exists, if a count does; the picture marks the
    region of the first, and its doors. Of a dead position the first fatal move of its
    walk is named: before it the walk could be completed, after it no more.

    With --blame that move is looked at: which rules would have forbidden it. The
    picture crosses it and dots a completion.

    If --rules is left out, the rules are seed-5; with --blame all in use: universal,
    seed-9-size and seed-2024-full.

    Exit code 0 if every position is completable, 1 if one is dead (or not known); with
    --blame 0 if every walk has a fatal move, 1 if not; 2 on bad input.

    Try: oneway check 7:RRDRURDDLD -o check.svg

    As a page to give away: oneway check 7:RRDRURDDLD -o check.html

    Who would have seen it: oneway check 7:RRDRURDDLDLU --blame -o blame.svg

    With rules of your own: oneway check 9:RRDD --rules my-rule.toml

    With certificates of death, checked: oneway check 5:RD --proof out

    In a pipe: cat positions.txt | oneway check - --json
    """
    from heuristic.groups import load_rules
    from heuristic.rule import related_oracles
    from solver.nowalk import decide_with_reason
    from solver.oracles.oracle import Verdict, get_oracle
    from verify.display import gap_moves_of, lines
    from verify.proof.dead import certificates

    named = rules or (IN_USE if blame else options.SEED_5)
    rule_set = load_rules(joined(named))
    judge = console.make_judge(oracle, related_oracles(rule_set))
    prover = get_oracle("sat", proof=True) if proof else None
    good = True
    if position == "-" and picture:
        raise OptionError("--output needs one position, not a stream")
    for walk in console.positions(position):
        fatal = _first_fatal(walk, judge) if blame else None
        place = fatal.before if fatal else walk
        why, whole, answers = decide_with_reason(judge, place)
        forbids = rule_set.forbids(place)
        dead = [m for m, one in answers.items() if one.verdict is Verdict.DEAD]
        reasons = certificates(place, dead)
        if whole.verdict is Verdict.DEAD and not blame:
            fatal = _first_fatal(place, judge)
        crossed = fatal.move if fatal and blame else ""
        gaps = gap_moves_of(place, forbids, answers)
        explained = _explained(reasons, crossed, gaps)
        why_not = reasons.get(explained)
        region = why_not.region if why_not else ()
        good &= bool(fatal) if blame else whole.verdict is Verdict.COMPLETABLE
        if as_json:
            data = _as_json(place, whole.verdict.name, answers, forbids, reasons)
            data |= {"why": why} if why else {}
            data |= {"oracle": whole.oracle} if whole.oracle else {}
            data |= {"walk": walk.notation, "fatal": None} if blame else {}
            if fatal:
                data["fatal"] = {"number": fatal.number, "move": fatal.move}
            emit(data)
        else:
            taken = f"  {fatal.move}  " if fatal and blame else "none"
            if picture:
                say(place.notation)
            else:
                console.say_position(place, region)
            for line in lines(place, forbids, answers):
                mark = "  <- the move taken" if line.startswith(taken) else ""
                say(line + mark)
            say(": ".join(part for part in (whole.sentence, why) if part))
            if whole.oracle:
                say(f"oracle: {whole.oracle}")
            for move, found in reasons.items():
                shaded = move == explained and region and not picture
                mark = " (shaded)" if shaded else ""
                say(f"why {move} is dead: {found.sentence}{mark}")
            if fatal:
                say(fatal.sentence)
            if blame:
                say(_blamed(fatal, forbids, whole))
        if proof and prover:
            _prove_dead(place, dead, reasons, prover, proof)
        if picture and picture.suffix == ".html":
            from solver.files import write_whole
            from verify.display import share

            told = share(place, why, whole, answers, forbids, reasons, joined(named))
            write_whole(picture, told)
        elif picture:
            from solver.svg import write_picture
            from verify.display import picture as picture_of

            svg = picture_of(
                *(place, forbids, whole.witness or ()),
                crossed="" if crossed in gaps else crossed,
                gaps=gaps,
                why=explained,
                marked=region,
                doors=why_not.doors if why_not else (),
            )
            write_picture(svg, picture)
        if picture and not as_json:
            what = "page" if picture.suffix == ".html" else "picture"
            say(f"{what}: {shown(picture)}")
    raise typer.Exit(0 if good else 1)


def _first_fatal(place: "Position", judge: "Oracle") -> "Fatal | None":
    from solver.board import Position
    from solver.nowalk import why_dead
    from verify.truth import first_fatal  # costs as much as numpy

    return None if why_dead(Position(place.board)) else first_fatal(place, judge)


def _explained(reasons: "dict[str, Certificate]", taken: str, gaps: str) -> str:
    """Return the dead move that the picture explains; empty if it has no reason.

    The move that was taken, else a gap, else the first dead one.
    """
    wanted = [taken] if taken else [*gaps, *reasons]
    return next((move for move in wanted if move in reasons), "")


def _blamed(
    fatal: "Fatal | None", forbids: "tuple[Forbid, ...]", whole: "Answer"
) -> str:
    """Return the line that says which rules would have forbidden the fatal move."""
    from solver.oracles.oracle import Verdict

    if fatal:
        names = list(dict.fromkeys(f.rule for f in forbids if f.move == fatal.move))
        by = f"forbidden by {', '.join(names)}"
        return by if names else f"no rule forbids {fatal.move}"
    if whole.verdict is Verdict.COMPLETABLE:
        return "no move is fatal: the walk can be completed"
    return "no move is to blame: this board has no Hamiltonian walk"


def _prove_dead(
    place: "Position",
    dead: list[str],
    reasons: "dict[str, Certificate]",
    prover: "Oracle",
    folder: Path,
) -> None:
    from verify.proof.dead import LARGE, write_dead
    from verify.proof.lrat import write_proof
    from verify.truth import judged_certificate

    for move in dead:
        after, found = place.step(move), reasons.get(move)
        if place.board.cells > LARGE:  # then none was looked for
            found = judged_certificate(after)
        page = [write_dead(after, found, folder)] if found else []
        for path in page or write_proof(after, prover, folder):
            note(f"proof, checked: {shown(path)}")


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
                    {
                        "rule": f.rule,
                        "reason": f.reason.sentence,
                        "cells": _named(place, f.reason.cells),
                        "area": _named(place, f.reason.area),
                    }
                    for f in forbids
                    if f.move == move
                ],
                **_why_as_json(place, reasons.get(move)),
            }
            for move, answer in answers.items()
        },
    }


def _why_as_json(place: "Position", reason: "Certificate | None") -> dict[str, Any]:
    if reason is None:
        return {}
    return {"why": reason.sentence, "region": _named(place, reason.region)}


def _named(place: "Position", cells: "Sequence[int]") -> list[list[int]]:
    """Return cells as people name them: row and column, from 1."""
    return [list(place.board.row_col(cell)) for cell in cells]
