"""`oneway draw`: a position as a picture."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Context, Option

from heuristic.rule import completion_edges
from solver.board import Position
from solver.errors import OptionError
from solver.labyrinth import draw_labyrinth
from solver.oracles.oracle import Verdict, get_oracle, why_dead
from solver.svg import write_pictures
from verify.commands import console, options
from verify.display import move_lines, picture


def draw(
    context: Context,
    position: Annotated[str, Argument(help="A position, such as 9:RRDD.")],
    rules: options.Rules = None,
    future: bool = Option(False, "--future", help="Draw edges that rules force."),
    witness: bool = Option(False, "--witness", help="Mark a completion with dots."),
    walls: options.Walls = False,
    output: Path | None = options.PICTURE,
) -> None:
    """Draw a position: on the terminal, or into an SVG or PNG file.

    With --rules, crosses mark forbidden moves and colours mark the areas that rules
    count. The terminal shows moves and completions as letters.

    \b
    With rules and a completion:
      oneway draw 5:RDLDDDRRRU --rules seed-5 --witness -o position.svg
    As a labyrinth:
      oneway draw 3:RDLLDRR --walls -o labyrinth.svg
    """
    if output is None:
        options.refuse_idle(context, "without --output", "future", "walls")
    if future and not rules:
        raise OptionError("--future draws what rules force: add --rules universal")
    if walls and (rules or witness):
        raise OptionError("--walls has no marks: leave out --rules and --witness")
    rule_set = options.read_rules(rules) if rules else None
    with options.kernels_for(position, "auto"):
        place = options.position_of_text(position)
        completion = _completion(place) if witness else ()
        forbids = rule_set.forbids(place) if rule_set else ()
        edges = completion_edges(rule_set, place) if rule_set and future else ()
        if walls:
            svg = draw_labyrinth(place)
        else:
            svg = picture(place, forbids, completion, edges=edges)
    if output is None:
        console.say_position(place)
        console.say(*(move_lines(place, forbids) if rules else ()))
        if completion:
            whole = Position(place.board, (*place.walk, *completion))
            console.say(f"completion: {whole.notation}")
    else:
        write_pictures([(output, svg)])
        console.say(console.shown(output))


def _completion(place: Position) -> tuple[int, ...]:
    """Return a completion; print why if the position has none."""
    answer = get_oracle("auto").decide(place)
    if answer.verdict is not Verdict.COMPLETABLE:
        console.note(f"no witness: {why_dead(place) or answer.sentence}")
    return answer.witness or ()
