"""Positions that show rules at work, found along the walks of the corpus."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from heuristic.groups import drawings_of, group_names, load_rules, rule_names
from heuristic.rule import RuleSet
from solver.board import Board, Position
from verify.corpus.cases import Case
from verify.display import picture


@dataclass(frozen=True, slots=True)
class Example:
    """A position at which a rule forbids moves (letters), and its picture (SVG)."""

    rule: str
    position: Position
    moves: str
    picture: str


def examples(cases: Iterable[Case], names: Iterable[str]) -> dict[str, Example]:
    """Return for each rule the first position of the corpus at which it fires.

    A drawing must fire in its group, where other rules may keep it from being asked,
    and alone, as the command on its page asks it. Walks are followed from their start,
    those of small boards first. A rule that never fires along them has no example.

    Parameters
    ----------
    cases : iterable of Case
    names : iterable of str
        Rules of groups. A rule is asked in the first group that has it.
    """
    places: dict[Board, set[Position]] = {}
    for case in cases:
        places.setdefault(case.position.board, set()).add(case.position)
    found: dict[str, Example] = {}
    sets = list(_sets(names))
    for board in sorted(places, key=lambda board: (board.cells, board.notation)):
        whole = sorted(places[board], key=lambda place: place.notation)
        for rules, wanted in sets:
            for position in whole:
                if found.keys() >= wanted:
                    break
                for name, place in _firing(rules, position):
                    if name in wanted and name not in found:
                        found |= _example(name, place)
    return found


def _sets(names: Iterable[str]) -> Iterator[tuple[RuleSet, set[str]]]:
    """Yield rule sets, and which of their rules to ask there.

    A group whose rules keep others from being asked is asked as it is. Of the others
    those drawings are enough that no group before had: large families are loaded once.
    A rule that is no drawing is asked alone.
    """
    left = set(names)
    for group in group_names():
        mine = [name for name in rule_names(group) if name in left]
        if not mine:
            continue  # do not read its drawings
        left.difference_update(mine)
        drawn = drawings_of(load_rules(group))
        ordered = any(rule.stops or rule.unless for rule in drawn)
        asked = {rule.name for rule in drawn}.intersection(mine)
        if asked:
            fresh = [name for name in mine if name in asked]
            yield load_rules(group if ordered else ",".join(fresh)), asked
        for name in mine:
            if name not in asked:
                yield load_rules(name), {name}


def _firing(rules: RuleSet, position: Position) -> Iterator[tuple[str, Position]]:
    """Yield the names of rules that forbid a move, and where, along a walk."""
    order = [rule.name for rule in rules.rules]
    walker = rules.walker(position.board)
    for k, cell in enumerate(position.walk[1:], 2):
        walker.push(cell)
        for name, mask in zip(order, walker.masks(), strict=True):
            if mask:
                yield name, Position(position.board, position.walk[:k])


def _example(name: str, position: Position) -> dict[str, Example]:
    """Return the example of a rule by its name; empty if it does not fire alone."""
    forbids = load_rules(name).forbids(position)
    if not forbids:
        return {}
    moves = "".join(forbid.move for forbid in forbids)
    return {name: Example(name, position, moves, picture(position, forbids))}
