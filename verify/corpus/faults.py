"""Cases made of what a position shows: a gap, a wrong ban, a disagreement."""

import re

from heuristic.rule import Boards, RuleSet, narrowest
from solver.board import Position
from solver.errors import OptionError
from solver.oracles.oracle import Oracle, Verdict, get_oracle
from verify.corpus.cases import Case, Origin
from verify.shrink import WrongRule, boards_like, minimise, smallest_wrong
from verify.truth import gap_moves, truth, verified_verdict, wrong_moves

_LISTED = 5  # rules that forbid nothing, listed by name in a case
_FORBIDS = re.compile(r"(\S+) forbids ([URDL]), which is completable")


def fault_case(
    position: Position,
    rule_set: RuleSet,
    origin: Origin,
    oracle: Oracle,
    *,
    source: str,
    why: str = "",
    minimal: bool = True,
    walls: bool = False,
) -> Case | None:
    """Return the case of what rules get wrong at a position; None if nothing is.

    A wrong ban comes before a gap. The options are those of `make_case`.
    """
    if wrong_moves(rule_set, position, oracle):
        kind = "unsound"
    elif gap_moves(rule_set, position, oracle):
        kind = "gap"
    else:
        return None
    return make_case(
        *(kind, position, rule_set, origin, oracle),
        source=source,
        why=why,
        minimal=minimal,
        walls=walls,
    )


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
    - `rule`: the rule that is wrong; by default the first one that is.
    - `why`: one sentence; by default what the rules get wrong.
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
    # no letters: an image of the case may be saved
    wrong = "allows a move that no" if kind == "gap" else "forbids a move that a"
    why = why or f"{rule or origin.rules} {wrong} completion begins with"
    return rule_case(kind, small, position, moves(small), rule, origin, source, why)


def rule_case(
    kind: str,
    position: Position,
    original: Position,
    subject: str,
    rule: str,
    origin: Origin,
    source: str,
    why: str,
) -> Case:
    """Return the case of rules at a position that was made from another one.

    The moves are decided by `sat`; the other values are those of `Case`.
    """
    return Case(
        kind,
        why,
        source,
        position,
        truth(position, get_oracle("sat")),
        rules=origin.rules,
        rule="" if rule == origin.rules else rule,
        subject=subject,
        text=origin.text,
        found=original.notation if original != position else "",
    )


def gap_case(
    position: Position,
    original: Position,
    rule_set: RuleSet,
    origin: Origin,
    source: str,
) -> Case:
    """Return the case of a gap; its sentence lists what each rule forbids there.

    - `original`: the gap that `position` was made from.
    - `origin`: how the case names the rules.

    Raises `OptionError` if the rules allow no dead move of the position.
    """
    dead = gap_moves(rule_set, position, get_oracle("search"))
    if not dead:
        raise OptionError(f"{position.notation} shows no gap of {origin.rules}")
    forbidden = {rule.name: "" for rule in rule_set.rules}
    for forbid in rule_set.forbids(position):
        forbidden[forbid.rule] += forbid.move
    silent = [rule for rule, moves in forbidden.items() if not moves]
    parts = [f"{rule} forbids {moves}" for rule, moves in forbidden.items() if moves]
    if len(silent) <= _LISTED:
        parts += [f"{rule} forbids nothing" for rule in silent]
    else:
        parts.append(f"{len(silent)} rules forbid nothing")
    why = (
        f"allowed though dead: {' and '.join(dead)}; {', '.join(parts)}; "
        f"{position.board.open_cells} cells"
    )
    return rule_case("gap", position, original, dead, "", origin, source, why)


def disagreement_case(fault: str, source: str) -> Case | None:
    """Return the case of a disagreement; None if some move stays unknown.

    `fault` is a line of `verify.evidence.comparing.compare`: a position, then what
    does not fit. A rule that forbids a completable move makes a case against it, all
    else one that states the truth.
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
