"""The book of a pool: the smallest choice that the prover confirms, with certificates.

What a question's formula found is a candidate and no more. `verify.proof.prove` judges
the drawing as any other rule, and does not know where it came from; a candidate that it
refuses leaves the pool, and the choice, an exact set cover, is made again.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from heuristic.rules.drawing import Kind, RuleSpec
from verify.discovery.families import Family, rule_of
from verify.discovery.gaps import Bools
from verify.discovery.question import Found
from verify.discovery.search import Entry, Pool
from verify.formatting import counted
from verify.proof.prove import Proved, prove_rule

Answers: TypeAlias = dict[RuleSpec, Proved | None]  # of the prover; None: no proof
_RULE = 1000  # a rule more is worth any saving of facts
_COVER = 60.0  # seconds of the clock for one choice
_TWICE = 2  # rules for a gap that walks met: the next walk meets another
_SECONDS = (2.0, 20.0)  # of the prover, for one part: most need far less
_NUMBERS = {
    Kind.ODD: "an odd number of cells, so a way through it begins and ends on one "
    "colour",
    Kind.EVEN: "an even number of cells, so a way through it begins and ends on two "
    "colours",
}
_COLOURS = "more cells of one colour than ways through it can visit"


class Cover(NamedTuple):
    """A choice of rules that catches all that the pool catches.

    - `optimal`: whether the fewest rules, and the fewest facts with so many, are
      proved.
    """

    chosen: tuple[int, ...]
    optimal: bool


def smallest_cover(
    columns: Bools, facts: Sequence[int], most: int, times: int = 1
) -> Cover:
    """Choose the fewest rules, then the fewest facts, that catch what all do.

    - `columns`, (gaps, rules) bool: which rule catches which gap; a gap that none
      catches is left out.
    - `facts`: of each rule.
    - `most`: a rule with more facts is taken only for gaps that no other catches.
    - `times`: a gap is caught by so many of the choice, where so many are there.
    """
    from ortools.sat.python import cp_model

    kinds = columns[columns.any(axis=1)]
    small = kinds & (np.array(facts) <= most)
    kinds = np.where(small.any(axis=1, keepdims=True), small, kinds)
    if not len(kinds):
        return Cover((), True)
    model = cp_model.CpModel()
    taken = [model.new_bool_var(f"r{i}") for i in range(len(facts))]
    for kind in np.unique(kinds, axis=0):
        model.add(sum(taken[i] for i in np.flatnonzero(kind)) >= min(times, kind.sum()))
    model.minimize(sum((_RULE + f) * x for f, x in zip(facts, taken, strict=True)))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = _COVER
    solver.parameters.random_seed = 0
    solver.parameters.num_workers = 1  # with several a run would not repeat
    status = _solve(solver, model)
    assert status in (cp_model.OPTIMAL, cp_model.FEASIBLE), "all together are a cover"
    chosen = tuple(i for i, x in enumerate(taken) if solver.boolean_value(x))
    return Cover(chosen, status == cp_model.OPTIMAL)


def _solve(solver: Any, model: Any) -> Any:
    """Solve a model in another thread, so that Ctrl-C stops it; return the status."""
    solver.parameters.catch_sigint_signal = False
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(solver.solve, model)
        try:
            while not wait([running], timeout=0.1).done:
                pass
        except BaseException:
            solver.stop_search()
            raise
        return running.result()


def reason_of(found: Found | Family) -> str:
    """Return one sentence on why the rule holds, without full stop."""
    picture, areas = found.picture, found.picture.areas
    if picture.step:
        if not areas:
            return "what the step forces closes a loop, or leaves a cell with one way"
        them = "the area" if len(areas) == 1 else f"the {len(areas)} areas"
        return f"with what the step forces, {them} cannot be filled"
    letters = [letter for _, letter in picture.cells]
    needy, free = letters.count("K"), letters.count(".")
    parts = []
    if areas:
        phrases = [_of_area(found, number) for number in range(len(areas))]
        parts.append(" and ".join(phrases))
        parts.append("after the move the doors that are left cannot do that")
    if needy:
        phrase = f"{counted(needy, 'free cell')} that cannot be the end"
        sides = "needs two open sides" if needy == 1 else "need two open sides each"
        parts.append(f"{phrase} {sides}")
    elif free and not areas:
        parts.append(f"{counted(free, 'free cell')} must still be visited")
    if not areas:
        parts.append("after the move a cell is left with one way, or a loop is closed")
    return "; ".join(parts)


def _of_area(found: Found | Family, number: int) -> str:
    area = found.picture.areas[number]
    marked = counted(len(area.cells), "marked cell").removeprefix("1 ")
    has = _NUMBERS.get(area.kind, _COLOURS if area.kind.bounded else "")
    if isinstance(found, Family) and number == 0:
        least, most = found.distances
        marked, has = f"{least} to {most} marked cells", _COLOURS
    holds = f"has {has}" if has else "does not hold the end"
    return f"the area behind the {marked} {holds}"


@dataclass(frozen=True, slots=True)
class Member:
    """A rule of the book.

    - `proved`: of the rule with its name and its reason in words.
    - `caught`, `only`: dead moves of the board that it forbids, and those that no other
      rule does.
    """

    entry: Entry
    proved: Proved
    caught: int
    only: int

    @property
    def rule(self) -> RuleSpec:
        """The rule as the book has it."""
        return self.proved.rule


@dataclass(frozen=True, slots=True)
class Book:
    """The chosen rules, those that catch most first.

    - `optimal`: whether no choice from the same pool is smaller.
    - `refused`: drawings that the prover did not confirm.
    """

    members: tuple[Member, ...]
    optimal: bool
    refused: int

    def toml(self, head: str) -> str:
        """Return the book as a rule file."""
        texts = [
            member.entry.found.toml(
                member.rule.name,
                member.rule.origin,
                member.rule.reason,
                member.proved.admitted.word,
            )
            for member in self.members
        ]
        return "\n".join([head, *texts])


def choose(
    pool: Pool,
    name: str,
    most: int,
    answers: Answers,
    told: Callable[[], None] = lambda: None,
) -> Book:
    """Choose the smallest book of a pool that the prover confirms.

    - `name`: rules are called so, with a number.
    - `most`: rules with more facts are taken only where nothing else will do.
    - `answers`: of the prover from before; new ones are added.
    - `told`: called after each answer.
    """
    refused = 0
    while True:
        cover = cover_of(pool, most)
        bad = []
        for number in cover.chosen:
            rule = pool.entries[number].rule
            if rule not in answers:
                answers[rule] = _proved(rule)
                told()
            if answers[rule] is None:
                bad.append(number)
        if not bad:
            members = _members(pool, cover.chosen, answers, name)
            return Book(members, cover.optimal, refused)
        refused += len(bad)
        for number in reversed(bad):
            pool.without(number)


def cover_of(pool: Pool, most: int) -> Cover:
    """Return the smallest choice of a pool, whatever the prover says of it."""
    facts = [entry.facts for entry in pool.entries]
    times = _TWICE if pool.quick else 1
    return smallest_cover(pool.columns, facts, most, times)


def _proved(rule: RuleSpec) -> Proved | None:
    for seconds in _SECONDS:
        attempt = prove_rule(rule, seconds=seconds, most=1)
        if isinstance(attempt, Proved):
            return attempt
    return None


def _members(
    pool: Pool, chosen: Sequence[int], answers: Answers, name: str
) -> tuple[Member, ...]:
    counts, columns = pool.gaps.counts, pool.columns[:, list(chosen)]
    alone = columns.sum(axis=1) == 1
    caught = [int(counts[column].sum()) for column in columns.T]
    members = []
    order = sorted(range(len(chosen)), key=lambda i: (-caught[i], chosen[i]))
    for place, i in enumerate(order, 1):
        entry = pool.entries[chosen[i]]
        proved = answers[entry.rule]
        assert proved is not None
        rule = rule_of(entry.found, f"{name}-{place}", reason_of(entry.found))
        only = int(counts[columns[:, i] & alone].sum())
        members.append(Member(entry, replace(proved, rule=rule), caught[i], only))
    return tuple(members)
