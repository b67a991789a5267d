"""`oneway draw`: a position as a picture."""

from pathlib import Path
from typing import Annotated

import typer

from verify.commands.console import (
    NONE,
    FutureOption,
    OracleOption,
    RulesOption,
    WallsOption,
    make_oracle,
    note,
    parse_line,
    say,
)


def draw(
    position: Annotated[str, typer.Argument(help="A position, such as 9:RRDD.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="FILE.svg or FILE.png; none: as text."),
    ] = None,
    witness: Annotated[
        bool, typer.Option("--witness", help="Dot a completion, if there is one.")
    ] = False,
    rules: RulesOption = NONE,
    future: FutureOption = False,
    walls: WallsOption = False,
    oracle: OracleOption = "sat",
    scale: Annotated[float, typer.Option(help="Size: a cell is 24 pixels at 1.")] = 1.0,
) -> None:
    """Draw a position: on the terminal, or into an SVG or PNG file.

    The walk is a line; with --rules the moves that they forbid are crossed and the
    areas they count are coloured; with --future the edges that they know to come are
    blue: future lines of the book, forced edges of the universal rules. With --witness
    a completion is dotted. On the terminal moves and completion are told in letters.

    Try: oneway draw 5:RDLDDDRRRU --rules seed-5 --witness -o position.svg

    Future lines: oneway draw 7:RDDRDDLDR --rules seed-future --future -o lines.svg

    A labyrinth: oneway draw 3:RRDLLDRR --walls -o labyrinth.svg
    """
    from heuristic.groups import load_rules
    from heuristic.rule import Forbid
    from solver.board import Position
    from solver.errors import OptionError
    from solver.labyrinth import draw_labyrinth
    from solver.nowalk import why_dead
    from solver.oracles.oracle import Verdict
    from solver.svg import write_picture
    from verify.tell import lines, picture

    place = parse_line("", position)
    completion: tuple[int, ...] = ()
    if witness:
        if why := why_dead(place):
            note(f"no witness: {why}")
        else:
            answer = make_oracle(oracle).decide(place)
            completion = answer.witness or ()
            if answer.verdict is not Verdict.COMPLETABLE:
                note(f"no witness: {answer.verdict.value}")
    forbids: tuple[Forbid, ...] = ()
    edges: tuple[tuple[int, int], ...] = ()
    if future and not rules:
        raise OptionError("--future needs --rules: which rules know the edges")
    if future and output is None:
        raise OptionError("--future needs --output: a terminal shows no blue edges")
    if walls and (rules or witness or output is None):
        raise OptionError("--walls needs --output and goes without other marks")
    if rules:
        rule_set = load_rules(rules)
        forbids = rule_set.forbids(place)
        edges = rule_set.edges(place) if future else ()
    if output is None:
        told = lines(place, forbids) if rules else [str(place)]
        if completion:
            whole = Position(place.board, (*place.walk, *completion))
            told.append(f"completion: {whole.notation}")
        for line in told:
            say(line)
        return
    if walls:
        svg = draw_labyrinth(place, scale=scale)
    else:
        svg = picture(place, forbids, completion, edges=edges, scale=scale)
    write_picture(svg, output)
    say(str(output))
