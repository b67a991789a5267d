"""Cases made of a fault at a position: a gap, a wrong ban, or a disagreement."""

import re

from heuristic.rule import Boards, RuleSet, narrowest
from solver.board import Position
from solver.errors import OptionError
from solver.oracles.oracle import Oracle, Verdict, get_oracle
from verify.corpus.cases import Case, Origin
from verify.shrink import WrongRule, boards_like, minimise, smallest_wrong
from verify.truth import gap_moves, truth, verified_verdict, wrong_moves

_FORBIDS = re.compile(r"(\S+) forbids ([URDL]), which is completable")


def rule_at_fault(position: Position, rules: RuleSet, oracle: Oracle) -> str | None:
    """Return the first rule that forbids a completable move of a position.

    Empty if there is none and the position is a gap, None if it is no gap either.
    """
    if wrong := wrong_moves(rules, position, oracle):
        return next(f.rule for f in rules.forbids(position) if f.move in wrong)
    return "" if gap_moves(rules, position, oracle) else None


def make_case(
    rule: str,
    position: Position,
    rule_set: RuleSet,
    origin: Origin,
    oracle: Oracle,
    *,
    source: str,
    why: str = "",
    minimal: bool = True,
    walls: bool = False,
) -> Case:
    """Return the minimal case of a gap or of a wrongly forbidden move.

    - `rule`: the wrong rule; empty for a gap.
    - `position`: shows the fault; the case may be of a smaller one.
    - `origin`: how the case names the rules; see `verify.corpus.cases.origin_of`.
    - `minimal`, `walls`: whether to minimise, and whether smaller boards may have walls
      though the position has none.

    Raises `OptionError` if the position does not show the fault.
    """

    def moves(place: Position) -> str:
        if rule:
            return wrong_moves(rule_set, place, oracle, rule)
        return gap_moves(rule_set, place, oracle)

    if not moves(position):
        what = "wrong rule" if rule else "gap"
        raise OptionError(f"{position.notation} shows no {what} of {origin.rules}")
    small = position
    if minimal and rule:
        [meant] = [other.boards for other in rule_set.rules if other.name == rule]
        if not meant.admits(position.board):
            meant = Boards.ANY
        if not walls:
            meant = narrowest([meant, boards_like(position.board)])
        small = smallest_wrong(WrongRule(rule_set, rule, meant, oracle), position)
    elif minimal:
        small = minimise(position, lambda place: bool(moves(place)), walls=walls)
    return rule_case(rule, small, position, moves(small), origin, source, why)


def rule_case(
    rule: str,
    position: Position,
    original: Position,
    subject: str,
    origin: Origin,
    source: str,
    why: str = "",
) -> Case:
    """Return the case of a gap, or of a wrong rule, made from another position.

    `sat` decides the moves. By default `why` is the fault.
    """
    # the sentence names no move, because an image of the case may be saved
    fault = "forbids a move that a" if rule else "allows a move that no"
    return Case(
        "unsound" if rule else "gap",
        why or f"{rule or origin.rules} {fault} completion begins with",
        source,
        position,
        truth(position, get_oracle("sat")),
        rules=origin.rules,
        rule="" if rule == origin.rules else rule,
        subject=subject,
        text=origin.text,
        found=original.notation if original != position else "",
    )


def disagreement_case(fault: str, source: str) -> Case | None:
    """Return the case of a disagreement; None if some move stays unknown.

    `fault` is a line of `verify.evidence.comparing.compare`. A rule that forbids a
    completable move gets a case against it. Other faults get a case with the truth.
    """
    notation, _, why = fault.partition(" ")
    position, moves = Position.parse(notation), dict[str, str]()
    for move in position.options():
        verdict = verified_verdict(position.step(move))
        if verdict is Verdict.UNKNOWN:
            return None
        moves[move] = verdict.name.lower()
    sentence = f"the comparison of oracles disagreed: {why}"
    if (ban := _FORBIDS.search(why)) and moves.get(ban[2]) == "completable":
        rule, move = ban.groups()
        return Case("unsound", sentence, source, position, moves, rule, move)
    return Case("verdict", sentence, source, position, moves)
