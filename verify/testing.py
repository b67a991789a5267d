"""Assertions about rules, for pytest or any runner that knows AssertionError.

A failure shows the position as a line to paste, with its picture.

>>> assert_sound("c-shape", on=None)
>>> assert_complete("seed-5,seed-close", "5")
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from heuristic.groups import load_rules
from heuristic.python_rule import PythonRule, RuleFunction
from heuristic.rule import Forbid, RuleSet, widest
from solver.board import Board
from solver.errors import OptionError
from solver.oracles.oracle import get_oracle
from verify.corpus.cases import Case, load_corpus
from verify.corpus.replay import Replayed, replay
from verify.evidence.evidence import (
    EXHAUSTIVE,
    Evidence,
    sampled_positions,
    scope_of,
    verify_exhaustive,
    verify_positions,
)

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

Rules: TypeAlias = RuleSet | RuleFunction | str | Path
_SHOWN = 3  # failing cases of a corpus that are shown with their pictures


def assert_sound(
    rules: Rules,
    *,
    boards: Iterable[Board | str] | Board | str = ("5", "3x7"),
    drawn: int = 300,
    on: Board | str | None = "9",
    seed: int = 0,
) -> None:
    """Fail if a rule forbids a completable move at a position that is tried.

    Every completable position of the boards is tried, and a random sample of a larger
    board; each rule only on boards that it is meant for. Takes seconds. Passing
    proves nothing; `oneway prove` does.

    - `rules`: as `load_rules` takes it: a group, a rule, a rule file; a RuleSet; or a
      function of a position that returns the moves it forbids.
    - `boards`: boards or their notation; one of more than 49 cells is sampled. A rule
      must be meant for each.
    - `drawn`: the number of positions of a sample.
    - `on`: the larger board that is sampled; None for no such board.
    - `seed`: of the samples.

    Raises `AssertionError` with the position, its picture and the move; `OptionError`
    if nothing would be tried.
    """
    __tracebackhide__ = True  # pytest shows the line of the test alone
    rule_set = _rule_set(rules)
    places = [boards] if isinstance(boards, str | Board) else [*boards]
    if not places or drawn < 1:
        what = f"drawn is {drawn}" if places else "boards is empty"
        raise OptionError(f"{what}: no position would be tried; on=None draws none")
    places += [on] if on is not None else []
    for place in places:
        board = Board.parse(place) if isinstance(place, str) else place
        meant = {rule.name for rule in rule_set.rules if rule.boards.admits(board)}
        if not meant:
            text = widest(rule.boards for rule in rule_set.rules).text
            why = f"no rule is meant for board {board.notation}, but for {text}"
            raise OptionError(why)
        evidence = _evidence(rule_set, board, drawn, seed)
        for rule in evidence.rules:
            wrong = rule.first_wrong
            if wrong is not None and rule.name in meant:
                reasons = _reasons(rule_set.forbids(wrong.position))
                raise AssertionError(
                    f"{rule.name} forbids {' and '.join(wrong.moves)} at "
                    f"{wrong.notation}, though completable\n"
                    f"{wrong.position}{reasons}\nwrong at {rule.wrong:,} of "
                    f"{evidence.positions:,} positions, {evidence.scope}"
                )


def assert_complete(
    rules: Rules, board: Board | str, *, drawn: int = 1000, seed: int = 0
) -> None:
    """Fail if the rules allow a dead move on a completable position of a board.

    Every completable position is tried on boards of up to 49 cells, a sample on larger
    boards.

    Raises `AssertionError` with the smallest gap, its picture and the move;
    `NoWalkError` if the board has no Hamiltonian walk.
    """
    __tracebackhide__ = True
    rule_set = _rule_set(rules)
    place = Board.parse(board) if isinstance(board, str) else board
    evidence = _evidence(rule_set, place, drawn, seed)
    if evidence.first_gap is not None:
        gap = evidence.first_gap
        reasons = _reasons(rule_set.forbids(gap.position))
        raise AssertionError(
            f"{rule_set.name} allows {' and '.join(gap.moves)} at {gap.notation}, "
            f"though dead\n{gap.position}{reasons}\n{evidence.gaps:,} gaps in "
            f"{evidence.positions:,} positions, {evidence.scope}"
        )


def assert_corpus(folder: Path | str, rules: Rules | None = None) -> None:
    """Fail if a case of a corpus fails, or cannot be replayed; some milliseconds each.

    `verify.corpus.replay` explains when a case fails.

    - `rules`: asked at every case, as in `assert_sound`. By default each case asks the
      rules that it names.

    Raises `AssertionError` with the first failing cases and their pictures;
    `OptionError` if the folder has no case; `CaseError` if a file cannot be read.
    """
    __tracebackhide__ = True
    cases, rule_set = _cases(folder), None if rules is None else _rule_set(rules)
    failed = [done for case in cases if not (done := replay(case, rule_set)).good]
    if failed:
        parts = [f"{len(failed)} of {len(cases)} cases fail"]
        parts += map(_explained, failed[:_SHOWN])
        if names := [done.case.name for done in failed[_SHOWN:]]:
            parts.append(f"and {len(names)} more: {', '.join(names)}")
        raise AssertionError("\n\n".join(parts))


def corpus_cases(folder: Path | str) -> "list[ParameterSet]":
    """Return the cases of a corpus as parameters of a test that calls `assert_case`.

    Kind and name are the id of a test, so ``-k`` chooses among them. Raises as
    `assert_corpus`.
    """
    import pytest  # only its users have it

    return [pytest.param(c, id=f"{c.kind}-{c.name}") for c in _cases(folder)]


def assert_case(case: Case, rules: Rules | None = None) -> None:
    """Fail, with the picture of the position, if a case fails; see `assert_corpus`."""
    __tracebackhide__ = True
    done = replay(case, None if rules is None else _rule_set(rules))
    if not done.good:
        raise AssertionError(_explained(done))


def _rule_set(rules: Rules) -> RuleSet:
    if isinstance(rules, str | Path):
        return load_rules(str(rules))
    if isinstance(rules, RuleSet):
        return rules
    rule = PythonRule(rules)
    return RuleSet(rule.name, [rule])


def _evidence(rules: RuleSet, board: Board, drawn: int, seed: int) -> Evidence:
    if board.open_cells <= EXHAUSTIVE:
        return verify_exhaustive(rules, board)
    oracle = get_oracle("search")
    sample = sampled_positions(board, drawn, seed=seed, oracle=oracle)
    return verify_positions(rules, sample, scope_of(board, drawn, seed))


def _cases(folder: Path | str) -> list[Case]:
    cases = list(load_corpus(Path(folder)))
    if not cases:
        raise OptionError(f"there is no case in {folder}")
    return cases


def _explained(done: Replayed) -> str:
    case, wrong = done.case, "; ".join(done.faults) or done.skipped
    return (
        f"{case.kind} {case.name}, {done.outcome.value}: {wrong}\n"
        f"{case.position.notation}\n{case.position}{_reasons(done.forbids)}\n"
        f"saved because {case.why}"
    )


def _reasons(forbids: Iterable[Forbid]) -> str:
    """Return a line for each forbidden move, each after a line break."""
    lines = [f"{f.move}: {f.rule}: {f.reason.sentence}" for f in forbids]
    return "".join(f"\n{line}" for line in lines)
