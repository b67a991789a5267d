"""The mutation test: it must not be possible to fool the prover by one change.

From a proved rule every one-change mutant is made (`verify.mutation.mutate`), or so
many drawn ones, and put on trial (`verify.mutation.trial`): each window goes through
the prover and through the refuter. A mutant that is proved only shows that the rule
asked for more than it needs. A window both proved and refuted is a fault of the prover.

A run is kept in a JSON file, some hundred mutants at a time, so it can stop and go on.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

from heuristic.language.drawing import RuleSpec
from solver.errors import OptionError
from solver.files import write_whole
from verify.mutation.mutate import mutants
from verify.mutation.trial import Limits, Trial, chosen_numbers, try_mutants
from verify.proof.certificate import rule_hash, rule_record
from verify.proof.prove import Decide, decided, open_parts

WORDS = ("refuted", "proved", "open", "contradiction")
_BLOCK = 200  # mutants matched together, and kept when they are done
_OWN = 20.0  # seconds for a window of the rule itself

Progress: TypeAlias = Callable[[int, int], None]  # mutants done, mutants in all
_Task: TypeAlias = tuple[RuleSpec, tuple[int, ...], Limits, Decide, bool]


@dataclass(frozen=True, slots=True)
class RuleTrials:
    """The mutants of one rule: how many there are, and what became of those tried.

    Attributes
    ----------
    rule, drawn : str
        Its name, and the hash of its drawings.
    total : int or None
        None for a rule that is not proved itself.
    trials : tuple of Trial
        By number.
    """

    rule: str
    drawn: str
    total: int | None
    trials: tuple[Trial, ...] = ()

    def count(self, word: str) -> int:
        """Return how many of the tried mutants got that word."""
        return sum(trial.word == word for trial in self.trials)


def mutation_test(
    rules: Sequence[RuleSpec],
    limits: Limits,
    *,
    file: Path | None = None,
    jobs: int = 1,
    longer: bool = False,
    decided: Decide = decided,
    progress: Progress | None = None,
) -> list[RuleTrials]:
    """Test the mutants of many rules; what the file holds already is not done again.

    Parameters
    ----------
    rules : sequence of RuleSpec
    limits : Limits
    file : Path, optional
        It belongs to these limits; only `most` may change. A rule drawn otherwise than
        when it was tested is tested again.
    jobs : int
        Processes at work.
    longer : bool
        Whether mutants that stay open, or stayed so in the file, are looked at longer.
    decided : callable
        The prover's decision on mutants; a faulty one shows whether the test finds
        faults.
    progress : callable, optional
        Told the mutants done and those of the rules looked at so far.

    Raises
    ------
    OptionError
        If the file belongs to other limits or is no such file.
    """
    kept = _load(file, limits) if file else {}
    known = {
        rule.name: kept[rule.name]
        for rule in rules
        if rule.name in kept and kept[rule.name].drawn == rule_hash(rule_record(rule))
    }
    kept |= known
    counts = [0, 0]

    def tasks() -> Iterator[_Task]:
        for rule in rules:
            if rule.name not in known:
                known[rule.name] = _unless_open(rule)
            kept[rule.name] = known[rule.name]
            numbers = chosen_numbers(known[rule.name].total or 0, limits)
            done = {
                trial.number
                for trial in known[rule.name].trials
                if trial.word != "open" or trial.longer or not longer
            }
            left = [number for number in numbers if number not in done]
            counts[1] += len(left)
            for begin in range(0, len(left), _BLOCK):
                block = tuple(left[begin : begin + _BLOCK])
                yield rule, block, limits, decided, longer

    for rule, trials in _carried_out(tasks(), jobs):
        before = kept[rule.name]
        merged = {trial.number: trial for trial in (*before.trials, *trials)}
        by_number = tuple(merged[number] for number in sorted(merged))
        kept[rule.name] = replace(before, trials=by_number)
        counts[0] += len(trials)
        if file:
            _save(file, limits, kept)
        if progress:
            progress(*counts)
    if file:
        _save(file, limits, kept)
    return [kept[rule.name] for rule in rules]


def _unless_open(rule: RuleSpec) -> RuleTrials:
    drawn = rule_hash(rule_record(rule))
    if open_parts(rule, seconds=_OWN, most=1):
        return RuleTrials(rule.name, drawn, None)
    return RuleTrials(rule.name, drawn, sum(1 for _ in mutants(rule)))


def _carry_out(task: _Task) -> list[Trial]:
    rule, numbers, limits, decided, longer = task
    wanted = set(numbers)
    chosen = [
        (number, change, mutant)
        for number, (change, mutant) in enumerate(mutants(rule))
        if number in wanted
    ]
    return try_mutants(rule, chosen, limits, decided, longer=longer)


def _carried_out(
    tasks: Iterable[_Task], jobs: int
) -> Iterator[tuple[RuleSpec, list[Trial]]]:
    if jobs == 1:
        for task in tasks:
            yield task[0], _carry_out(task)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        running: dict[Future[list[Trial]], RuleSpec] = {}

        def finished(least: int) -> Iterator[tuple[RuleSpec, list[Trial]]]:
            while len(running) > least:
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()

        for task in tasks:
            running[pool.submit(_carry_out, task)] = task[0]
            yield from finished(jobs)
        yield from finished(0)


def _plain(limits: Limits) -> dict[str, Any]:
    """Return the limits as a file tells them: more mutants may be tried later."""
    plain = asdict(limits)
    del plain["most"]
    return plain


def _save(file: Path, limits: Limits, kept: dict[str, RuleTrials]) -> None:
    state = {
        "limits": _plain(limits),
        "rules": [asdict(trials) for trials in kept.values()],
    }
    write_whole(file, json.dumps(state, indent=1) + "\n")


def _load(file: Path, limits: Limits) -> dict[str, RuleTrials]:
    if not file.exists():
        return {}
    try:
        state = json.loads(file.read_text())
        same = state["limits"] == _plain(limits)
        kept = {
            one["rule"]: RuleTrials(
                *(one["rule"], one["drawn"], one["total"]),
                tuple(Trial(**trial) for trial in one["trials"]),
            )
            for one in state["rules"]
        }
    except (OSError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise OptionError(f"{file} is no state of a mutation test: {error}") from None
    if not same:
        raise OptionError(f"{file} belongs to a test with other limits")
    return kept


def table(tested: Sequence[RuleTrials]) -> list[list[str]]:
    """Return one row a proved rule: mutants, tried, and the words; the sum last."""
    shown = [one for one in tested if one.total is not None]
    rows = [
        [
            one.rule,
            str(one.total),
            str(len(one.trials)),
            *(str(one.count(word)) for word in WORDS),
        ]
        for one in shown
    ]
    counts = Counter(trial.word for one in shown for trial in one.trials)
    totals = sum(one.total or 0 for one in shown), counts.total()
    sums = [*totals, *(counts[word] for word in WORDS)]
    return [*rows, ["all", *(str(number) for number in sums)]]
