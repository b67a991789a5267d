"""`oneway check`: every move of a position, by rules and by an oracle."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from verify.console import (
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
    from heuristic.rule import Forbid
    from solver.board import Position
    from solver.oracle import Answer


def check(
    position: Annotated[
        str,
        typer.Argument(help="A position such as 9:RRDD, or - for one a line."),
    ],
    rules: RulesOption = "seed-5",
    oracle: OracleOption = "sat",
    as_json: JsonOption = False,
    picture: PictureOption = None,
) -> None:
    """Say of each move what the oracle knows and which rules forbid it, and why.

    A move that no rule forbids though it is dead is a gap; a forbidden move that is
    completable refutes its rule. Both are marked. Exit code 0 if every position is
    completable, 1 if one is dead (or not known), 2 on bad input.

    Try: oneway check 7:RRDDLD -o check.svg

    With rules of your own: oneway check 9:RRDD --rules my-rule.toml

    In a pipe: cat positions.txt | oneway check - --json
    """
    from heuristic.groups import load_rules
    from solver.errors import OptionError
    from solver.oracle import Verdict, decide_moves
    from solver.svg import draw, write_picture

    rule_set = load_rules(rules)
    judge = make_oracle(oracle)
    all_completable = True
    if position == "-" and picture:
        raise OptionError("--picture needs one position, not a stream")
    for where, text in lines_or(position):
        place = parse_line(where, text)
        answers = decide_moves(judge, place)
        whole = judge.decide(place)
        forbids = rule_set.forbids(place)
        all_completable &= whole.verdict is Verdict.COMPLETABLE
        if as_json:
            emit(_as_json(place, whole.verdict.name, answers, forbids))
        else:
            _print(place, whole.verdict, answers, forbids)
        if picture:
            areas = dict.fromkeys(f.reason.area for f in forbids if f.reason.area)
            svg = draw(
                place,
                areas=tuple(areas),
                forbidden="".join(dict.fromkeys(f.move for f in forbids)),
                edges=[edge for f in forbids for edge in f.reason.edges],
                witness=whole.witness or (),
            )
            write_picture(svg, picture)
            if not as_json:
                say(f"picture: {picture}")
    raise typer.Exit(0 if all_completable else 1)


def _as_json(
    place: "Position",
    verdict: str,
    answers: dict[str, "Answer"],
    forbids: "tuple[Forbid, ...]",
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
            }
            for move, answer in answers.items()
        },
    }


def _print(
    place: "Position",
    verdict: Any,
    answers: dict[str, "Answer"],
    forbids: "tuple[Forbid, ...]",
) -> None:
    from solver.oracle import Verdict

    say(str(place))
    say(f"{place.notation}: {verdict.value}")
    for move, answer in answers.items():
        mine = [f for f in forbids if f.move == move]
        mark = ""
        if answer.verdict is Verdict.DEAD and not mine and verdict is not Verdict.DEAD:
            mark = "   <- gap: allowed though dead"
        if answer.verdict is Verdict.COMPLETABLE and mine:
            mark = "   <- refuted: forbidden though completable"
        say(f"  {move}  {answer.verdict.name:<12}{mark}")
        for f in mine:
            say(f"     forbidden by {f.rule}: {f.reason.sentence}")
