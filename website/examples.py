"""Positions that show rules at work, found along the walks of the corpus."""

from collections.abc import Iterable
from dataclasses import dataclass

from heuristic.groups import load_rules
from heuristic.matching.drawn import DrawnRuleSet
from heuristic.rule import RuleSet, letters
from solver.board import Board, Position
from verify.corpus.cases import Case
from verify.tell import picture


@dataclass(frozen=True, slots=True)
class Example:
    """A position at which a rule forbids moves (letters), and its picture (SVG)."""

    rule: str
    position: Position
    moves: str
    picture: str


def examples(cases: Iterable[Case], names: Iterable[str]) -> dict[str, Example]:
    """Return for each rule the first position of the corpus at which it fires.

    Each is asked alone, as `oneway check` asks it. Walks are followed from their start,
    those of small boards first. A rule that never fires along them has no example.
    """
    places: dict[Board, set[Position]] = {}
    for case in cases:
        places.setdefault(case.position.board, set()).add(case.position)
    found: dict[str, Position] = {}
    moves: dict[str, str] = {}
    sets = _asked_alone(list(dict.fromkeys(names)))
    for board in sorted(places, key=lambda board: (board.cells, board.notation)):
        for rules in sets:
            order = [rule.name for rule in rules.rules]
            for position in sorted(places[board], key=lambda place: place.notation):
                if found.keys() >= set(order):
                    break
                tracker = rules.tracker(board)
                for k, cell in enumerate(position.walk[1:], 2):
                    tracker.push(cell)
                    for name, mask in zip(order, tracker.masks(), strict=True):
                        if mask and name not in found:
                            found[name] = Position(board, position.walk[:k])
                            moves[name] = letters(mask)
    made = {}
    for name, position in found.items():
        forbids = load_rules(name).forbids(position)
        made[name] = Example(name, position, moves[name], picture(position, forbids))
    return made


def _asked_alone(names: list[str]) -> list[RuleSet]:
    """Return rule sets in which no rule changes what another one forbids.

    Drawings are asked together, which is much faster; all other rules one by one.
    """
    drawn = [name for name in names if isinstance(load_rules(name), DrawnRuleSet)]
    together = [load_rules(drawn).asked_always()] if drawn else []
    return together + [load_rules(name) for name in names if name not in drawn]
