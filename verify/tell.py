"""A position for people: its picture, and a line for each move with the reasons."""

from collections.abc import Mapping, Sequence

from heuristic.rule import Forbid, choices
from solver.board import Cell, Position
from solver.oracles.oracle import Answer, Verdict
from solver.svg import draw


def lines(
    position: Position,
    forbids: tuple[Forbid, ...],
    answers: Mapping[str, Answer] | None = None,
) -> list[str]:
    """Return the lines of the moves; with `answers` gaps and wrong bans are marked."""
    found = []
    options = choices(position)
    alive = answers and any(a.verdict is Verdict.COMPLETABLE for a in answers.values())
    for move in position.options():
        mine = [f for f in forbids if f.move == move]
        line = f"  {move}"
        if answers is not None:
            line += f"  {answers[move].verdict.name.lower():<11}"
        if not mine:
            line += "  allowed by every rule"
        if answers is not None:
            if answers[move].verdict is Verdict.COMPLETABLE and mine:
                line += "  <- refuted: forbidden though completable"
            elif answers[move].verdict is Verdict.DEAD and not mine and alive:
                line += (
                    "  <- gap: allowed though dead"
                    if move in options
                    else "; the end cell is entered last, rules or not"
                )
        found.append(line.rstrip())
        found += [f"       forbidden by {f.rule}: {f.reason.sentence}" for f in mine]
    return found


def picture(
    position: Position,
    forbids: tuple[Forbid, ...],
    witness: tuple[Cell, ...] = (),
    *,
    edges: Sequence[tuple[Cell, Cell]] = (),
    crossed: str = "",
    marked: Sequence[Cell] = (),
    doors: Sequence[tuple[Cell, Cell]] = (),
    scale: float = 1.0,
) -> str:
    """Draw a position with what is forbidden crossed and the areas counted coloured.

    Blue are `edges` and those that the reasons stand on; the moves in `crossed` are
    crossed whatever is forbidden. Where no reason counts an area, `marked` is coloured,
    with its `doors`.
    """
    reasons = [edge for f in forbids for edge in f.reason.edges]
    areas = dict.fromkeys(area for f in forbids for area in f.reason.counted)
    return draw(
        position,
        areas=tuple(areas) or ((tuple(marked),) if marked else ()),
        forbidden="".join(dict.fromkeys([*crossed, *(f.move for f in forbids)])),
        edges=list(dict.fromkeys([*edges, *reasons])),
        witness=witness,
        doors=() if areas else doors,
        scale=scale,
    )
