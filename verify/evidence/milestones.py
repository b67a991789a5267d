"""Milestones of the book, run again: left-first runs that can stop and go on.

A run walks left first (`heuristic.walks.leftfirst`) under a rule set. It notes the
walks completed when each rule was *first needed*, that is when it alone forbade a move,
and the first stuck positions. Its state is a JSON file, written aside and renamed, so a
run that is cut short goes on where it was last saved.

When a rule is first needed the run keeps where it stands, and from there a second run
can go on *without* the rule until it is stuck. It is the run from the start without the
rule: up to there the other rules forbid all that the rule forbids.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from heuristic.groups import load_rules
from heuristic.matching.drawn import DrawnRule
from heuristic.rounds import Event
from heuristic.rule import RuleSet
from heuristic.walks.leftfirst import LeftFirstWalk
from solver.board import Board, Position
from solver.errors import OptionError
from solver.files import write_whole

_KEPT = 5  # stuck positions that a run remembers
_PIECE = 2_000_000  # rounds between two looks at the clock of the progress

Told = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Without:
    """A run without one rule of the set.

    Attributes
    ----------
    completed : int
        Walks completed when it was stuck, or when it was given up.
    stuck_at : str or None
        Its first stuck position; None if there was none until then.
    finished : bool
        Whether everything was tried.
    """

    completed: int
    stuck_at: str | None
    finished: bool


class MilestoneRun:
    """A left-first run from the start of a board, saved to a file as it goes.

    Attributes
    ----------
    walker : LeftFirstWalk
        Counts walks, stuck positions and steps, and knows what was first needed when.
    stuck_at : list of (int, str)
        The first stuck positions: walks completed before, notation.
    finished : bool
        Whether everything was tried.
    without : dict of str to Without
        What `try_without` found.

    Raises
    ------
    OptionError
        If the file belongs to another run.

    Examples
    --------
    >>> run = MilestoneRun("seed-7", Board.square(5))
    >>> run.run(walks=1000)
    >>> run.finished, run.walker.completed, run.stuck_at
    (True, 104, [])
    >>> run.try_without("c-shape", walks=1000)
    Without(completed=2, stuck_at='5:RRRRDDDLLURULLLDDDRUU', finished=False)
    """

    def __init__(self, rules: str, board: Board, file: Path | None = None) -> None:
        self.file = file
        self.walker = LeftFirstWalk(load_rules(rules), Position(board))
        self.stuck_at: list[tuple[int, str]] = []
        self.finished = False
        self.without: dict[str, Without] = {}
        self._before: dict[str, dict[str, Any]] = {}  # states when first needed
        if file is not None and file.exists():
            self._load(file)

    def run(
        self, *, walks: int, progress: Told | None = None, stop_stuck: bool = False
    ) -> None:
        """Run on until so many walks are completed in all, or everything was tried.

        `progress` is told the walks completed, whenever the file was written.
        """
        while not self.finished and self.walker.completed < walks:
            event = self.walker.run(
                budget=_PIECE,
                stop_stuck=stop_stuck or len(self.stuck_at) < _KEPT,
                stop_needed=True,
                walks=walks,
            )
            if event is Event.NEEDED:
                for name in self.walker.needed:
                    self._before.setdefault(name, self.walker.save())
                continue
            if event is Event.STUCK:
                if len(self.stuck_at) < _KEPT:
                    place = self.walker.position.notation
                    self.stuck_at.append((self.walker.completed, place))
                if stop_stuck:
                    break
                continue
            self.finished = event is Event.FINISHED
            self.save()
            if progress:
                progress(self.walker.completed)
        self.save()

    def try_without(
        self, rule: str, *, walks: int, progress: Told | None = None
    ) -> Without:
        """Run without a rule until that is stuck, at most so many walks farther.

        It goes on from where the rule was first needed, or begins at the start of the
        board if what the rule forbids decides whether other rules are asked. What was
        found before is told again, if it was stuck or tried as far.

        Raises
        ------
        OptionError
            If the run has no such rule or has not needed it.
        """
        needed = self.walker.needed
        if rule not in needed:
            raise OptionError(f"rule {rule!r} was not needed")
        rules, root = self.walker.rules, self.walker.root
        limit = needed[rule] + walks
        done = self.without.get(rule)
        if done and (done.stuck_at or done.finished or done.completed >= limit):
            return done
        fewer = load_rules(f"{rules.name},-{rule}")
        walker = LeftFirstWalk(fewer, root)
        if rule in self._before and not _decides(rules, rule):
            state = {**self._before[rule], "rules": fewer.name}
            walker = LeftFirstWalk.resume(fewer, state)
        event = Event.BUDGET
        while event is Event.BUDGET:
            event = walker.run(budget=_PIECE, stop_stuck=True, walks=limit)
            if progress:
                progress(walker.completed)
        stuck_at = walker.position.notation if event is Event.STUCK else None
        found = Without(walker.completed, stuck_at, event is Event.FINISHED)
        self.without[rule] = found
        self.save()
        return found

    def save(self) -> None:
        """Write the state aside, then rename it over the old one.

        Raises
        ------
        OptionError
            If the file cannot be written.
        """
        if self.file is None:
            return
        state = {
            "walker": self.walker.save(),
            "stuck at": self.stuck_at,
            "finished": self.finished,
            "before": self._before,
            "without": {rule: asdict(found) for rule, found in self.without.items()},
        }
        write_whole(self.file, json.dumps(state, indent=1) + "\n")

    def _load(self, file: Path) -> None:
        try:
            state = json.loads(file.read_text())
            walker = LeftFirstWalk.resume(self.walker.rules, state["walker"])
            stuck_at = [(int(n), str(place)) for n, place in state["stuck at"]]
            finished = bool(state["finished"])
            before = {str(rule): dict(at) for rule, at in state["before"].items()}
            without = {rule: Without(**one) for rule, one in state["without"].items()}
        except (OSError, LookupError, TypeError, ValueError, AttributeError) as error:
            raise OptionError(f"{file} is no state of a run: {error}") from None
        if walker.root != self.walker.root:
            raise OptionError(f"{file} is a run from {walker.root.notation}")
        self.walker, self.stuck_at, self.finished = walker, stuck_at, finished
        self._before, self.without = before, without


def _decides(rules: RuleSet, name: str) -> bool:
    """Whether other rules of the set are asked or not by what this one forbids."""
    specs = [rule.spec for rule in rules.rules if isinstance(rule, DrawnRule)]
    stops = any(spec.stops for spec in specs if spec.name == name)
    return stops or any(name in spec.unless for spec in specs)
