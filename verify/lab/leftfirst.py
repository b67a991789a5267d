"""The left-first walk on a page: so many rounds at a time, and what they came to."""

import time
from collections import Counter
from collections.abc import Iterator

from heuristic.rule import RuleSet
from heuristic.walks.leftfirst import LeftFirstWalk
from heuristic.walks.rounds import Event
from solver.board import Position
from solver.nowalk import check_walkable
from verify.lab.board import chosen_rules
from verify.lab.messages import LeftFirst
from verify.lab.places import position_of
from verify.lab.replies import LeftFirstPart, Reply
from verify.lab.settings import Settings

SECONDS = 600.0  # of one run; the page asks again to go on
PARTS = 8  # a second, at full speed
_EVENTS = {Event.STUCK: "stuck", Event.COMPLETE: "complete", Event.FINISHED: "finished"}

_standing: list[tuple[RuleSet, Position, LeftFirstWalk]] = []  # where it came to last


def leftfirst(ask: LeftFirst, settings: Settings) -> Iterator[Reply]:
    """Walk on left first, and say again and again where that is.

    The walk goes on as if it had come to the position left first: moves that its
    earlier cells have to the right of the one made are tried later. To stand there
    first takes a millisecond a step, if another run did not end there.
    """
    began = time.perf_counter()
    place = position_of(ask.place)
    rules = chosen_rules(ask.rules, settings)
    check_walkable(place.board)
    came = [walker for old, at, walker in _standing if old is rules and at == place]
    (walker,) = came or [LeftFirstWalk.standing(rules, place, 0, counted=ask.counted)]
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
