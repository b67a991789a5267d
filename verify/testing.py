"""Helpers for tests of rules, with pytest or any runner that knows AssertionError.

They say what went wrong as a position that can be pasted, with its picture.

>>> assert_sound("c-shape", on=None)
>>> assert_complete("seed-5,seed-close", "5")
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from heuristic.groups import load_rules
from heuristic.python_rule import PythonRule, RuleFunction
from heuristic.rule import RuleSet, widest
from solver.board import Board, Position
from solver.errors import OptionError
from solver.oracles.oracle import get_oracle
from verify.corpus.cases import Case, load_corpus
from verify.corpus.replay import Replayed, replay
from verify.evidence.evidence import (
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
_WHOLE = 49  # cells of a board that is tried on all its positions, at most


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
    board; each rule only on boards that it is meant for. Takes seconds. Passing is no
    proof: `oneway prove` looks for one.

    - `rules`: as `load_rules` takes it: a group, a rule, a rule file; a RuleSet; or a
      function of a position that returns the moves it forbids.
    - `boards`: boards or their notation; one of more than 49 cells is sampled. Each
      must be one that a rule is meant for.
    - `drawn`: how many positions a sample has.
    - `on`: the larger board that is sampled; None for no such board.
    - `seed`: of the samples.

    Raises `AssertionError` with the position, its picture and the move; `OptionError`
    if nothing would be tried.
    """
    __tracebackhide__ = True  # pytest shows the line of the test alone
    rule_set = _rules(rules)
    places = [boards] if isinstance(boards, str | Board) else [*boards]
    if not places or drawn < 1:
        what = f"drawn is {drawn}" if places else "boards is empty"
        raise OptionError(f"{what}: no position would be tried; on=None draws none")
    places += [on] if on is not None else []
    for board in map(_board, places):
        meant = {rule.name for rule in rule_set.rules if rule.boards.admits(board)}
        if not meant:
            text = widest(rule.boards for rule in rule_set.rules).text
            why = f"no rule is meant for board {board.notation}, but for {text}"
            raise OptionError(why)
        evidence = _evidence(rule_set, board, drawn, seed)
        for rule in evidence.rules:
            if rule.first_wrong is not None and rule.name in meant:
                example = rule.first_wrong
                raise AssertionError(
                    f"{rule.name} forbids {' and '.join(example.moves)} at "
                    f"{example.notation}, though completable\n"
                    f"{_shown(example.position, rule_set)}\nwrong at {rule.wrong:,} of "
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
    rule_set = _rules(rules)
    evidence = _evidence(rule_set, _board(board), drawn, seed)
    if evidence.first_gap is not None:
        gap = evidence.first_gap
        raise AssertionError(
            f"{rule_set.name} allows {' and '.join(gap.moves)} at "
            f"{gap.position.notation}, though dead\n{_shown(gap.position, rule_set)}\n"
            f"{evidence.gaps:,} gaps in {evidence.positions:,} positions, "
            f"{evidence.scope}"
        )


def assert_corpus(folder: Path | str, rules: Rules | None = None) -> None:
    """Fail if a case of a corpus fails, or cannot be replayed.

    `verify.corpus.replay` says when a case fails. The truth of every case is decided
    again; some milliseconds each.

    - `rules`: asked at every case: names as `load_rules` takes them, a `RuleSet`, or a
      function of a position that returns the moves it forbids. By default each case
      asks the rules that it names.

    Raises `AssertionError` with the first failing cases and their pictures;
    `OptionError` if there is no case; `CaseError` if a file cannot be read.
    """
    __tracebackhide__ = True  # pytest shows the line of the test alone
    cases = _cases(folder)
    asked = None if rules is None else _rules(rules)
    failed = [done for case in cases if not (done := replay(case, asked)).good]
    if failed:
        shown = [_explained(done) for done in failed[:_SHOWN]]
        names = [done.case.name for done in failed[_SHOWN:]]
        more = [f"and {len(names)} more: {', '.join(names)}"] if names else []
        first = f"{len(failed)} of {len(cases)} cases fail"
        raise AssertionError("\n\n".join([first, *shown, *more]))


def corpus_cases(folder: Path | str) -> "list[ParameterSet]":
    """Return the cases of a corpus as parameters of a test; needs pytest.

    Kind and name are the id of a test, so ``-k`` chooses among them. Each goes to
    `assert_case`.

    Raises `OptionError` if there is no case; `CaseError` if a file cannot be read.
    """
    import pytest  # only its users have it

    return [pytest.param(c, id=f"{c.kind}-{c.name}") for c in _cases(folder)]


def assert_case(case: Case, rules: Rules | None = None) -> None:
    """Fail if a case fails, or cannot be replayed; `rules` as in `assert_corpus`.

    Raises `AssertionError` with the picture of the position.
    """
    __tracebackhide__ = True
    done = replay(case, None if rules is None else _rules(rules))
    if not done.good:
        raise AssertionError(_explained(done))


def _rules(rules: Rules) -> RuleSet:
    if isinstance(rules, str | Path):
        return load_rules(str(rules))
    if isinstance(rules, RuleSet):
        return rules
    rule = PythonRule(rules)
    return RuleSet(rule.name, [rule])


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


def _cases(folder: Path | str) -> list[Case]:
    cases = list(load_corpus(Path(folder)))
    if not cases:
        raise OptionError(f"there is no case in {folder}")
    return cases


def _explained(done: Replayed) -> str:
    """Return what is wrong at a case, and its picture."""
    case = done.case
    wrong = "; ".join(done.faults) or done.skipped
    lines = [f"{case.kind} {case.name}, {done.outcome.value}: {wrong}"]
    lines += [case.position.notation, str(case.position)]
    lines += [f"{f.move}: {f.rule}: {f.reason.sentence}" for f in done.forbids]
    lines.append(f"saved because {case.why}")
    return "\n".join(lines)
