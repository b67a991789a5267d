"""Positions that show rules at work, found along the walks of the corpus."""

from collections.abc import Iterable
from dataclasses import dataclass

from heuristic.groups import load_rules
from heuristic.rule import letters
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

    Walks are followed from their start, those of small boards first. A rule that never
    fires along them has no example.
    """
    wanted = list(dict.fromkeys(names))
    found: dict[str, Position] = {}
    moves: dict[str, str] = {}
    places: dict[Board, set[Position]] = {}
    for case in cases:
        places.setdefault(case.position.board, set()).add(case.position)
    for board in sorted(places, key=lambda board: (board.cells, board.notation)):
        left = [name for name in wanted if name not in found]
        if not left:
            break
        rules = load_rules(",".join(left))
        order = [rule.name for rule in rules.rules]
        for position in sorted(places[board], key=lambda place: place.notation):
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
