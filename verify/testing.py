"""Helpers for tests of rules, with pytest or any runner that knows AssertionError.

They say what went wrong as a position that can be pasted, with its picture.

>>> assert_sound("c-shape", drawn=0)
>>> assert_complete("seed-5,seed-close", "5")
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias, cast

from heuristic.groups import load_rules
from heuristic.python_rule import PythonRule, RuleFunction
from heuristic.python_set import PythonRuleSet
from heuristic.rule import RuleSet
from solver.board import Board, Position
from solver.oracles.oracle import get_oracle
from verify.trial.evidence import (
    Evidence,
    sampled_positions,
    scope_of,
    verify_exhaustive,
    verify_positions,
)

Rules: TypeAlias = RuleSet | RuleFunction | str | Path
_WHOLE = 49  # cells of a board that is tried on all its positions, at most


def assert_sound(
    rules: Rules,
    *,
    boards: Iterable[Board | str] = ("5", "3x7"),
    drawn: int = 300,
    on: Board | str = "9",
    seed: int = 0,
) -> None:
    """Fail if a rule forbids a completable move on a position that is tried.

    Every completable position of the boards is tried, and so many drawn ones of a
    larger board. Seconds; that no position speaks against a rule is no proof, which
    `oneway prove` looks for.

    - `rules`: as `load_rules` takes it: a group, a rule, a rule file; a RuleSet; or a
      function of a position that returns the moves it forbids.
    - `boards`, iterable of boards or their notation: of up to 49 cells, or drawn
      positions of them are tried too.
    - `drawn`: how many positions are drawn on the board `on`; 0 for none.
    - `seed`: of those positions.

    Raises `AssertionError` with the position, its picture and the move.
    """
    __tracebackhide__ = True  # pytest shows the line of the test alone
    rule_set = rule_set_of(rules)
    trials = [_evidence(rule_set, _board(board), drawn, seed) for board in boards]
    if drawn:
        trials.append(_evidence(rule_set, _board(on), drawn, seed))
    for evidence in trials:
        for rule in evidence.rules:
            if rule.first_wrong is not None:
                found = rule.first_wrong
                raise AssertionError(
                    f"{rule.name} forbids {' and '.join(found.moves)} at "
                    f"{found.position.notation}, though completable\n"
                    f"{_shown(found.position, rule_set)}\nwrong at {rule.wrong:,} of "
                    f"{evidence.positions:,} positions, {evidence.scope}"
                )


def assert_complete(
    rules: Rules, board: Board | str, *, drawn: int = 1000, seed: int = 0
) -> None:
    """Fail if the rules allow a dead move on a completable position of a board.

    Every completable position is tried on boards of up to 49 cells, drawn ones on
    larger boards.

    Raises `AssertionError` with the smallest gap, its picture and the move;
    `NoWalkError` if the board has no Hamiltonian walk.
    """
    __tracebackhide__ = True
    rule_set = rule_set_of(rules)
    evidence = _evidence(rule_set, _board(board), drawn, seed)
    if evidence.first_gap is not None:
        gap = evidence.first_gap
        raise AssertionError(
            f"{rule_set.name} allows {' and '.join(gap.moves)} at "
            f"{gap.position.notation}, though dead\n{_shown(gap.position, rule_set)}\n"
            f"{evidence.gaps:,} gaps in {evidence.positions:,} positions, "
            f"{evidence.scope}"
        )


def rule_set_of(rules: Rules) -> RuleSet:
    """Return the rule set of names, of a function of a position, or as it is."""
    if isinstance(rules, str | Path):
        return load_rules(str(rules))
    if hasattr(rules, "tracker"):
        return cast(RuleSet, rules)
    rule = PythonRule(rules)
    return PythonRuleSet(rule.name, [rule])


def _board(board: Board | str) -> Board:
    return Board.parse(board) if isinstance(board, str) else board


def _evidence(rules: RuleSet, board: Board, drawn: int, seed: int) -> Evidence:
    if board.open_cells <= _WHOLE:
        return verify_exhaustive(rules, board)
    oracle = get_oracle("search")
    known = sampled_positions(board, drawn, seed=seed, oracle=oracle)
    return verify_positions(rules, known, scope_of(board, drawn, seed))


def _shown(position: Position, rules: RuleSet) -> str:
    said = [f"{f.move}: {f.rule}: {f.reason.sentence}" for f in rules.forbids(position)]
    return "\n".join([str(position), *said])
