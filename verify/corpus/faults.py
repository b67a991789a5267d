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


def fault_kind(position: Position, rule_set: RuleSet, oracle: Oracle) -> str:
    """Return "unsound", else "gap", if rules are wrong at a position; else ""."""
    if wrong_moves(rule_set, position, oracle):
        return "unsound"
    return "gap" if gap_moves(rule_set, position, oracle) else ""


def make_case(
    kind: str,
    position: Position,
    rule_set: RuleSet,
    origin: Origin,
    oracle: Oracle,
    *,
    rule: str = "",
    source: str,
    why: str = "",
    minimal: bool = True,
    walls: bool = False,
) -> Case:
    """Return the minimal case of a gap or of a wrongly forbidden move.

    - `kind`: "gap" or "unsound".
    - `position`: shows the fault; the case may be of a smaller one.
    - `origin`: how the case names the rules; see `verify.corpus.cases.origin_of`.
    - `rule`: the wrong rule; by default the first one.
    - `why`: one sentence; by default the fault.
    - `minimal`, `walls`: whether to minimise, and whether smaller boards may have walls
      though the position has none.

    Raises `OptionError` if the position does not show the fault.
    """

    def moves(place: Position) -> str:
        if kind == "gap":
            return gap_moves(rule_set, place, oracle)
        return wrong_moves(rule_set, place, oracle, rule)

    if not moves(position):
        raise OptionError(f"{position.notation} shows no {kind} of {origin.rules}")
    if kind == "unsound" and not rule:
        completable = moves(position)
        forbids = rule_set.forbids(position)
        rule = next(f.rule for f in forbids if f.move in completable)
    small = position
    if minimal and kind == "gap":
        small = minimise(position, lambda place: bool(moves(place)), walls=walls)
    elif minimal:
        [meant] = [other.boards for other in rule_set.rules if other.name == rule]
        if not meant.admits(position.board):
            meant = Boards.ANY
        if not walls:
            meant = narrowest([meant, boards_like(position.board)])
        small = smallest_wrong(WrongRule(rule_set, rule, meant, oracle), position)
    subject = moves(small)
    return rule_case(kind, small, position, subject, rule, origin, source, why)


def rule_case(
    kind: str,
    position: Position,
    original: Position,
    subject: str,
    rule: str,
    origin: Origin,
    source: str,
    why: str = "",
) -> Case:
    """Return the case of rules at a position that was made from another position.

    `sat` decides the moves. The other values are those of `Case`; by default `why` is
    the fault.
    """
    # the sentence names no move, because an image of the case may be saved
    fault = "allows a move that no" if kind == "gap" else "forbids a move that a"
    return Case(
        kind,
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
    position = Position.parse(notation)
    verdicts = {
        move: verified_verdict(position.step(move)) for move in position.options()
    }
    if Verdict.UNKNOWN in verdicts.values():
        return None
    moves = {move: verdict.name.lower() for move, verdict in verdicts.items()}
    sentence = f"the comparison of oracles disagreed: {why}"
    if (ban := _FORBIDS.search(why)) and moves.get(ban[2]) == "completable":
        rule, move = ban.groups()
        return Case("unsound", sentence, source, position, moves, rule, move)
    return Case("verdict", sentence, source, position, moves)
