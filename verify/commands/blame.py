"""`oneway blame`: the first fatal move of a walk."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verify.commands.console import (
    JsonOption,
    OracleOption,
    PictureOption,
    RulesOption,
    emit,
    lines_or,
    make_oracle,
    parse_line,
    say,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from heuristic.rule import RuleSet
    from solver.board import Position
    from solver.oracles.oracle import Oracle
    from solver.solid.certificate import Certificate
    from verify.trial.completeness import Fatal

_LARGE = 10_000  # cells up to which a certificate is looked for
BOOK = ["universal,seed-9-size,seed-2024-full"]  # the rules in use


def blame(
    walk: Annotated[
        str,
        typer.Argument(
            help="A position such as 9:RRDD, a saved walk (.txt, .svg), a case (.toml) "
            "or - for positions, one a line."
        ),
    ],
    rules: RulesOption = BOOK,
    oracle: OracleOption = "sat",
    as_json: JsonOption = False,
    picture: PictureOption = None,
) -> None:
    """Find the first fatal move of a walk, and the rules that would have forbidden it.

    Before the move the walk could be completed, after it no more. The picture shows the
    position before it, the move crossed, and a completion dotted. By default all rules
    in use are asked: the universal ones, the size-specific ones and those of 2024.

    Exit code 0 if every walk has a fatal move, 1 if one can still be completed, or has
    a board without any walk, 2 on bad input.

    Try: oneway blame 7:RRDRURDDLDLU -o blame.svg
    """
    from heuristic.groups import load_rules
    from solver.errors import OptionError
    from solver.svg import write_picture
    from verify.tell import picture as picture_of
    from verify.trial.completeness import first_fatal

    if walk == "-" and picture:
        raise OptionError("--output needs one position, not a stream")
    rule_set, judge = load_rules(rules), make_oracle(oracle)
    every = True
    for place in _places(walk):
        fatal = first_fatal(place, judge)
        every &= fatal is not None
        if as_json:
            emit(_as_json(place, fatal, rule_set))
        elif fatal is None:
            say(str(place))
            say(place.notation)
            say(_innocent(place, judge))
        else:
            _tell(fatal, rule_set, judge)
        if picture:
            told = fatal.forbidden_by(rule_set) if fatal else ()
            seen = fatal.before if fatal else place
            witness = judge.decide(seen).witness or ()
            crossed = fatal.move if fatal else ""
            reason = _why(fatal) if fatal else None
            marked = reason.region if reason else ()
            svg = picture_of(seen, told, witness, crossed=crossed, marked=marked)
            write_picture(svg, picture)
            if not as_json:
                say(f"picture: {picture}")
    raise typer.Exit(0 if every else 1)


def _places(text: str) -> "Iterator[Position]":
    """Yield the walks of an argument: a file is known by its ending."""
    from verify.corpus.cases import load_case
    from verify.corpus.saved_path import read_saved

    if text.endswith((".txt", ".svg")):
        yield read_saved(Path(text)).position
    elif text.endswith(".toml"):
        yield load_case(Path(text)).position
    else:
        for where, line in lines_or(text):
            yield parse_line(where, line)


def _innocent(place: "Position", judge: "Oracle") -> str:
    from solver.oracles.oracle import Verdict

    if judge.decide(place).verdict is Verdict.COMPLETABLE:
        return "no move is fatal: the walk can be completed"
    return "no move is to blame: this board has no Hamiltonian walk"


def _tell(fatal: "Fatal", rule_set: "RuleSet", judge: "Oracle") -> None:
    from solver.oracles.oracle import decide_moves
    from verify.tell import lines

    forbids = rule_set.forbids(fatal.before)
    for line in lines(fatal.before, forbids, decide_moves(judge, fatal.before)):
        mark = "  <- the move taken" if line.startswith(f"  {fatal.move}  ") else ""
        say(line + mark)
    say(f"of {len(fatal.whole.moves):,} moves {fatal.sentence}")
    if reason := _why(fatal):
        say(f"why {fatal.move} is dead: {reason.sentence}")
    names = list(dict.fromkeys(f.rule for f in forbids if f.move == fatal.move))
    say(
        f"forbidden by {', '.join(names)}" if names else f"no rule forbids {fatal.move}"
    )


def _why(fatal: "Fatal") -> "Certificate | None":
    """Return why the fatal move is dead, if a certificate says it."""
    from verify.proof.files import judged_certificate

    place = fatal.before.step(fatal.move)
    return judged_certificate(place) if place.board.cells <= _LARGE else None


def _as_json(
    place: "Position", fatal: "Fatal | None", rule_set: "RuleSet"
) -> dict[str, Any]:
    if fatal is None:
        return {"position": place.notation, "fatal": None}
    seen, reason = fatal.forbidden_by(rule_set), _why(fatal)
    return {
        "position": place.notation,
        "fatal": {
            "number": fatal.number,
            "move": fatal.move,
            "before": fatal.before.notation,
            "why": reason.sentence if reason else None,
            "forbidden": [{"rule": f.rule, "reason": f.reason.sentence} for f in seen],
        },
    }
