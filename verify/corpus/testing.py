"""Tests of rules by the cases of a corpus, with pytest or any other runner.

>>> assert_corpus("corpus", "c-shape")  # doctest: +SKIP
"""

from pathlib import Path
from typing import TYPE_CHECKING

from solver.errors import OptionError
from verify.corpus.cases import Case, load_corpus
from verify.corpus.replay import Replayed, replay
from verify.testing import Rules, rule_set_of

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

_SHOWN = 3  # failing cases that are shown with their pictures


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
    rule_set = None if rules is None else rule_set_of(rules)
    failed = [done for case in cases if not (done := replay(case, rule_set)).good]
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
    done = replay(case, None if rules is None else rule_set_of(rules))
    if not done.good:
        raise AssertionError(_explained(done))


def _cases(folder: Path | str) -> list[Case]:
    cases = list(load_corpus(Path(folder)))
    if not cases:
        raise OptionError(f"there is no case in {folder}")
    return cases


def _explained(done: Replayed) -> str:
    """Return what is wrong at a case, and its picture."""
    case = done.case
    lines = [f"{case.kind} {case.name}, {done.outcome.value}: {case.why}"]
    lines += done.faults or [done.skipped]
    lines += [case.position.notation, str(case.position)]
    lines += [f"{f.move}: {f.rule}: {f.reason.sentence}" for f in done.forbids]
    return "\n".join(lines)
