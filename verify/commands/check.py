"""`oneway check`: every move of a position, by rules and by an oracle."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from typer import Exit, Option

from heuristic.rule import RuleSet
from solver.board import Position
from solver.errors import OptionError
from solver.files import write_whole
from solver.oracles.oracle import (
    Oracle,
    Verdict,
    decide_with_reason,
    get_oracle,
    why_dead,
)
from solver.svg import write_pictures
from verify.commands import console, options
from verify.display import Judged, move_lines, picture, share
from verify.proof import dead
from verify.truth import Fatal, first_fatal

IN_USE = ["universal,seed-9-size,seed-2024-full"]


def check(
    position: options.Position,
    rules: options.Rules = None,
    blame: bool = Option(False, "--blame", help="Step back before the fatal move."),
    oracle: options.Oracle = "auto",
    proof: Path | None = Option(None, help="Folder for proofs of all dead moves."),
    as_json: options.Json = False,
    output: Path | None = options.output(
        "FILE.svg or FILE.png, or FILE.html for a page.", ".svg", ".png", ".html"
    ),
) -> None:
    """Explain each move of a position: its verdict, and what rules forbid.

    A gap is a dead move that no rule forbids. A rule that forbids a completable move is
    refuted. The line `why` explains a dead move by a count. The default rules are
    seed-5, with --blame universal, seed-9-size and seed-2024-full.

    Exit code 0 if every position is completable, 1 if not; with --blame 0 if every walk
    has a fatal move, 1 if not.

    \b
    With a picture:
      oneway check 7:RRDRURDDLD -o check.svg
    Rules that prevent a mistake:
      oneway check 7:RRDRURDDLDLU --blame -o blame.svg
    """
    if position == "-" and output:
        raise OptionError("--output needs one position, not a stream")
    rule_set = options.read_rules(rules or (IN_USE if blame else options.SEED_5))
    judge = options.unrelated_oracle(rule_set, oracle)
    good = True
    with options.kernels_for(position, oracle):
        for walk in options.input_positions(position):
            fatal = _first_fatal(walk, judge) if blame else None
            judged = _judged(fatal.before if fatal else walk, rule_set, judge)
            if not blame and judged.whole.verdict is Verdict.DEAD:
                fatal = _first_fatal(walk, judge)
            completable = judged.whole.verdict is Verdict.COMPLETABLE
            good &= fatal is not None if blame else completable
            taken = fatal.move if fatal and blame else ""
            # The move taken is explained, else the first gap, else the first dead move.
            moves = [taken] if taken else [*judged.gaps, *judged.reasons]
            explained = next((move for move in moves if move in judged.reasons), "")
            if as_json:
                console.emit(_value(judged, walk, fatal, blame))
            else:
                _print(judged, taken, explained)
                if fatal:
                    console.say(fatal.sentence)
                if blame:
                    console.say(_blame(judged, taken))
            if proof:
                _prove(judged, proof)
            if output and output.suffix == ".html":
                write_whole(output, share(judged))
            elif output:
                write_pictures([(output, _draw(judged, taken, explained))])
            if output:
                console.note(f"written: {console.shown(output)}")
    raise Exit(0 if good else 1)


def _judged(place: Position, rule_set: RuleSet, judge: Oracle) -> Judged:
    why, whole, answers = decide_with_reason(judge, place)
    moves = [move for move, a in answers.items() if a.verdict is Verdict.DEAD]
    forbids, reasons = rule_set.forbids(place), dead.certificates(place, moves)
    return Judged(place, why, whole, answers, forbids, reasons, rule_set.name)


def _first_fatal(place: Position, judge: Oracle) -> Fatal | None:
    return None if why_dead(Position(place.board)) else first_fatal(place, judge)


def _print(judged: Judged, taken: str, explained: str) -> None:
    region = judged.reasons[explained].region if explained else ()
    console.say_position(judged.position, region)
    for line in move_lines(judged.position, judged.forbids, judged.answers):
        chosen = taken and line.startswith(f"  {taken}  ")
        console.say(f"{line}  <- the move taken" if chosen else line)
    console.say(judged.sentence)
    if judged.whole.oracle:
        console.say(f"oracle: {judged.whole.oracle}")
    for move, reason in judged.reasons.items():
        mark = " (shaded)" if move == explained and region else ""
        console.say(f"why {move} is dead: {reason.sentence}{mark}")


def _blame(judged: Judged, taken: str) -> str:
    """Return the rules that forbid the fatal move, or why no move is fatal."""
    names = dict.fromkeys(f.rule for f in judged.forbids if f.move == taken)
    if names:
        return f"forbidden by {', '.join(names)}"
    if taken:
        return f"no rule forbids {taken}"
    if judged.whole.verdict is Verdict.COMPLETABLE:
        return "no move is fatal: the walk can be completed"
    return "no move is to blame: this board has no Hamiltonian walk"


def _draw(judged: Judged, taken: str, explained: str) -> str:
    return picture(
        judged.position,
        judged.forbids,
        judged.whole.witness or (),
        crossed="" if taken in judged.gaps else taken,
        gaps=judged.gaps,
        why=explained,
        reason=judged.reasons.get(explained),
    )


def _prove(judged: Judged, folder: Path) -> None:
    """Write a proof of each dead move: a certificate, else CNF, DRAT and LRAT."""
    prover, place = get_oracle("sat", proof=True), judged.position
    for move, answer in judged.answers.items():
        if answer.verdict is not Verdict.DEAD:
            continue
        after, reason = place.step(move), judged.reasons.get(move)
        if place.board.cells > dead.LARGE:  # `_judged` skips boards of this size
            reason = dead.judged_certificate(after)
        page = [dead.write_dead(after, reason, folder)] if reason else []
        for path in page or dead.write_proof(after, prover, folder):
            console.note(f"proof, checked: {console.shown(path)}")


def _value(
    judged: Judged, walk: Position, fatal: Fatal | None, blame: bool
) -> dict[str, Any]:
    """Return the answer as plain values; cells are rows and columns from 1."""

    def places(cells: Sequence[int]) -> list[list[int]]:
        return [list(walk.board.row_col(cell)) for cell in cells]

    moves: dict[str, dict[str, Any]] = {
        move: {"verdict": answer.verdict.name, "forbidden": []}
        for move, answer in judged.answers.items()
    }
    for f in judged.forbids:
        cells, area = places(f.reason.cells), places(f.reason.area)
        about = {"rule": f.rule, "reason": f.reason.sentence}
        moves[f.move]["forbidden"].append(about | {"cells": cells, "area": area})
    for move, reason in judged.reasons.items():
        moves[move] |= {"why": reason.sentence, "region": places(reason.region)}
    value: dict[str, Any] = {
        "position": judged.position.notation,
        "verdict": judged.whole.verdict.name,
        "moves": moves,
    }
    for key, text in {"why": judged.why, "oracle": judged.whole.oracle}.items():
        if text:
            value[key] = text
    if blame:
        value |= {"walk": walk.notation, "fatal": None}
    if fatal:
        value["fatal"] = {"number": fatal.number, "move": fatal.move}
    return value
