"""Walks on a page: the left-first walk in parts, and labyrinths of complete walks."""

import time
from collections import Counter
from collections.abc import Iterator

from heuristic.rule import RuleSet
from heuristic.walker import Event, LeftFirstWalk
from solver.board import Board, Position
from solver.counting.count import UniformWalks
from solver.errors import NoWalkError, OptionError
from solver.files import file_name
from solver.labyrinth import INSTRUCTIONS, draw_labyrinth
from solver.notation import unquoted
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import Verdict, check_walkable
from solver.paper import Sheet, pages_pdf
from solver.svg import draw, png
from verify.lab.board import chosen_rules
from verify.lab.messages import (
    Labyrinth,
    Labyrinths,
    LabyrinthsDrawn,
    LeftFirst,
    LeftFirstPart,
    Reply,
)
from verify.lab.places import Settings, exported, position_of

SECONDS = 600.0  # of one run; then the page asks for another
PARTS = 8  # a second, at full speed
_EVENTS = {Event.STUCK: "stuck", Event.COMPLETE: "complete", Event.FINISHED: "finished"}

_standing: list[tuple[RuleSet, Position, LeftFirstWalk]] = []  # where it came to last


def leftfirst(ask: LeftFirst, settings: Settings) -> Iterator[Reply]:
    """Continue left first, and report several times a second where the walk is.

    The walk continues as if it had come to the position left first: moves that its
    earlier cells have to the right of the one made are tried later. To stand there
    first takes a millisecond a step, if another run did not end there.
    """
    began = time.perf_counter()
    place = position_of(ask.place)
    rules = chosen_rules(ask.rules, settings)
    check_walkable(place.board)
    came = [walker for old, at, walker in _standing if old is rules and at == place]
    (walker,) = came or [LeftFirstWalk.standing(rules, place, counted=ask.counted)]
    rounds = 1 if ask.step or ask.speed else max(1, walker.pace // PARTS)
    before = (walker.completed, walker.stuck, walker.steps)
    event = ""
    while not event:
        turn = time.perf_counter()
        found = walker.run(
            budget=rounds, stop_stuck=ask.stop_stuck, stop_complete=ask.stop_complete
        )
        here = walker.position
        forbids = {} if here.complete else Counter(f.rule for f in rules.forbids(here))
        if ask.speed and not ask.step:
            time.sleep(max(0.0, 1 / ask.speed - (time.perf_counter() - turn)))
        event = _EVENTS.get(found, "")
        if not event and (ask.step or time.perf_counter() - began > SECONDS):
            event = "step" if ask.step else "time"
        now = (walker.completed, walker.stuck, walker.steps)
        walks, stuck, steps = (a - b for a, b in zip(now, before, strict=True))
        before = now
        if event:  # a finished one begins anew
            _standing[:] = [(rules, here, walker)] * (event != "finished")
        seconds = time.perf_counter() - turn
        yield LeftFirstPart(
            ask.id, here.moves, walks, stuck, steps, seconds, dict(forbids), event
        )


PICTURES = 6  # pictures on the page
MEMORY = 800_000_000


def walks_of(ask: Labyrinths, board: Board) -> list[Position]:
    """Return complete walks of a board, of a seed and those that follow.

    Raises `NoWalkError` or `OptionError` if the board has none, or a limit came before
    one was found.
    """
    check_walkable(board)
    seeds = range(ask.seed, ask.seed + ask.count)
    if ask.how == "uniform":
        walks = UniformWalks(board, seed=ask.seed, memory=MEMORY)
        return [walks.draw() for _ in seeds]
    found = []
    for seed in seeds:
        walk = exact_walk(board, seed)
        if walk.verdict is Verdict.DEAD:
            raise NoWalkError(board.notation)
        if walk.verdict is Verdict.UNKNOWN:
            raise OptionError("no walk was found within the limit")
        found.append(walk.position)
    return found


def labyrinths(ask: Labyrinths, settings: Settings) -> Iterator[Reply]:
    """Draw labyrinths; with a file asked for, make that."""
    board = position_of(ask.place).board
    walks = walks_of(ask, board)
    how = "uniform" if ask.how == "uniform" else "step by step"
    caption = f"{board.notation}, {how}, seed {ask.seed}"
    if not ask.file:
        shown = walks[:PICTURES]
        drawn = [Labyrinth(_picture(ask, x), unquoted(x.notation)) for x in shown]
        yield LabyrinthsDrawn(ask.id, drawn, caption)
        return
    name = file_name(f"labyrinth-{board.rows}x{board.cols}-{ask.seed}")
    if ask.file == "pdf":
        yield exported(ask.id, name, "pdf", _pages(ask, walks, caption))
    else:
        svg = _picture(ask, walks[0])
        yield exported(ask.id, name, ask.file, svg if ask.file == "svg" else png(svg))


def _picture(ask: Labyrinths, walk: Position) -> str:
    return draw_labyrinth(walk) if ask.look == "walls" else draw(walk)


def _pages(ask: Labyrinths, walks: list[Position], caption: str) -> bytes:
    with_walls = ask.look == "walls"
    svgs = [draw_labyrinth(walk, solved=not with_walls) for walk in walks]
    parts = [[(svg, caption) for svg in svgs]]
    if with_walls and ask.solutions:
        parts.append([(draw_labyrinth(walk, solved=True), caption) for walk in walks])
    sheet = Sheet(ask.paper, ask.per_page)
    return pages_pdf(
        parts, sheet, title="Labyrinths", instructions=INSTRUCTIONS, footer=caption
    )
