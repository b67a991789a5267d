"""`oneway draw`: a position as a picture."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.console import (
    NONE,
    FutureOption,
    OracleOption,
    RulesOption,
    WallsOption,
    kernels_by_size,
    make_oracle,
    note,
    parse_line,
    say,
    say_position,
)

if TYPE_CHECKING:
    from heuristic.rule import Forbid


@kernels_by_size
def draw(
    position: Annotated[str, typer.Argument(help="A position, such as 9:RRDD.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="FILE.svg, FILE.png or FILE.pdf; none: as text."
        ),
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
    """Draw a position: on the terminal, or into an SVG, PNG or PDF file.

    The walk is a line; with --rules the moves that they forbid are crossed and the
    areas they count are coloured; with --future the edges that they know to come are
    blue: future lines of the book, forced edges of the universal rules. With --witness
    a completion is dotted. On the terminal moves and completion are given in letters.

    Try: oneway draw 5:RDLDDDRRRU --rules seed-5 --witness -o position.svg

    Future lines: oneway draw 7:RDDRDDLDR --rules seed-future --future -o lines.svg

    A labyrinth: oneway draw 3:RRDLLDRR --walls -o labyrinth.svg
    """
    from solver.board import Position
    from solver.errors import OptionError

    place = parse_line("", position)
    completion: tuple[int, ...] = ()
    if witness:
        from solver.nowalk import why_dead
        from solver.oracles.oracle import Verdict

        if why := why_dead(place):
            note(f"no witness: {why}")
        else:
            answer = make_oracle(oracle).decide(place)
            completion = answer.witness or ()
            if answer.verdict is not Verdict.COMPLETABLE:
                note(f"no witness: {answer.sentence}")
    forbids: tuple[Forbid, ...] = ()
    edges: tuple[tuple[int, int], ...] = ()
    if future and not rules:
        raise OptionError("--future needs --rules: which rules know the edges")
    if future and output is None:
        raise OptionError("--future needs --output: a terminal shows no blue edges")
    if walls and (rules or witness or output is None):
        raise OptionError("--walls needs --output and goes without other marks")
    if rules:
        from heuristic.groups import load_rules

        rule_set = load_rules(rules)
        forbids = rule_set.forbids(place)
        edges = rule_set.edges(place) if future else ()
    if output is None:
        say_position(place)
        if rules:
            from verify.tell import lines

            for line in lines(place, forbids):
                say(line)
        if completion:
            whole = Position(place.board, (*place.walk, *completion))
            say(f"completion: {whole.notation}")
        return
    from solver.svg import write_picture

    if walls:
        from solver.labyrinth import draw_labyrinth

        svg = draw_labyrinth(place, scale=scale)
    else:
        from verify.tell import picture

        svg = picture(place, forbids, completion, edges=edges, scale=scale)
    write_picture(svg, output)
    say(str(output))
