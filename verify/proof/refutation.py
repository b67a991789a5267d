"""Refutations of a formula: a core, a proof in DRUP, and the clauses of each lemma.

A *core* is a set of clauses without a model. Each clause has a switch, a variable that
can turn it off, and a solver reports the switches that it needed. CaDiCaL then proves
that the core has no model. Its proof is in DRUP: lemmas that follow by unit
propagation. `proof_steps` records the clauses of each, so that a checker need not
search. Nothing here is trusted: `verify.checker` checks what is written.

Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp, Efficient certified RAT
verification, CADE 2017.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TypeAlias

Clause: TypeAlias = tuple[int, ...]
Step: TypeAlias = tuple[Clause, Clause]  # a lemma, and the clauses it follows from

SOLVER = "glucose4"
PROVER = "cadical103"
_ROUNDS = 4
_SHARED = 16  # clauses on one switch in the first round, which drops most of them


def core(clauses: Sequence[Clause]) -> list[int]:
    """Return the indices of a core, ascending.

    Each round solves the core of the round before. Takes about four times as long as
    loading the clauses into a solver.

    Raises `ValueError` if all clauses have a model together.
    """
    from pysat.solvers import Solver

    needed = list(range(len(clauses)))
    first = _last_variable(clauses) + 1
    for number in range(_ROUNDS):
        shared = 1 if number else _SHARED
        switches = [first + place // shared for place in range(len(needed))]
        with Solver(SOLVER) as solver:
            switched = (
                (*clauses[index], -switch)
                for index, switch in zip(needed, switches, strict=True)
            )
            solver.append_formula(switched, no_return=True)
            if solver.solve(assumptions=switches[::shared]):
                raise ValueError("the formula has a model")
            used = set(solver.get_core() or ())
        pairs = zip(needed, switches, strict=True)
        needed = [index for index, switch in pairs if switch in used]
    return needed


def refutation(clauses: Sequence[Clause]) -> tuple[list[Clause], list[Step]]:
    """Return the clauses that a refutation needs, and its steps.

    Clauses are numbered from 1, then the lemmas; the last lemma is the empty clause.

    Raises `ValueError` if the clauses have a model.
    """
    from pysat.solvers import Solver

    if () in clauses:
        return [()], [((), (1,))]
    small = [clauses[index] for index in core(clauses)]
    with Solver(PROVER, small, with_proof=True) as solver:
        solver.solve()
        steps = proof_steps(small, solver.get_proof())
    lemmas = range(len(small) + 1, len(small) + len(steps) + 1)
    used = {number for _, numbers in steps for number in numbers}
    needed = sorted(used.difference(lemmas))
    numbered = {old: new for new, old in enumerate([*needed, *lemmas], 1)}
    return (
        [tuple(dict.fromkeys(small[number - 1])) for number in needed],
        [(lemma, tuple(numbered[x] for x in numbers)) for lemma, numbers in steps],
    )


def proof_steps(clauses: Sequence[Clause], proof: Iterable[str]) -> list[Step]:
    """Return the steps of a proof in DRUP that lead to the empty clause, the last one.

    Suppose that a lemma fails: the clauses of its step are each left with one literal
    in turn, the last one with none. Steps drop literals that a lemma does not need.

    Raises `ValueError` if a lemma does not follow by unit propagation, or the empty
    clause does not. Tens of thousands of lemmas of a core take seconds.
    """
    formula = Propagation(_last_variable(clauses))
    for clause in clauses:
        formula.add(clause)
    steps: dict[int, Step] = {}  # by their numbers
    for line in proof:
        if formula.failed:
            break
        if not line.startswith("d"):
            step = formula.reasons([int(word) for word in line.split()[:-1]])
            steps[len(formula.clauses)] = step
            formula.add(step[0])
    if not formula.failed:
        raise ValueError("the proof does not refute the formula")
    last = len(formula.clauses)
    steps[last] = formula.reasons(())
    needed = {last}
    for number in reversed(steps):
        if number in needed:
            needed.update(steps[number][1])
    left = sorted(needed & steps.keys())
    numbered = {old: new for new, old in enumerate(left, len(clauses) + 1)}
    return [
        (steps[number][0], tuple(numbered.get(x, x) for x in steps[number][1]))
        for number in left
    ]


class Propagation:
    """Clauses, numbered from 1, and the literals that follow from them alone.

    Each clause watches its first two literals, which are false only if the clause has
    propagated. `trail` holds the true literals in the order in which they became so,
    `reason` the clause that made a variable's literal true, 0 if it was assumed.
    """

    def __init__(self, variables: int) -> None:
        self.clauses: list[list[int]] = [[]]
        self.true = [0] * (2 * variables + 1)  # by literal: 1 true, -1 false, 0 open
        self.watching: list[list[int]] = [[] for _ in self.true]  # by literal
        self.reason = [0] * (variables + 1)
        self.trail: list[int] = []
        self.failed = 0  # a clause with all literals false

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause and propagate what follows from it."""
        number, true = len(self.clauses), self.true
        literals = sorted(dict.fromkeys(clause), key=lambda x: true[x] < 0)
        self.clauses.append(literals)
        for literal in literals[:2] if len(literals) > 1 else ():
            self.watching[literal].append(number)
        left = sum(true[x] >= 0 for x in literals[:2])
        if left == 0:
            self.failed = self.failed or number
        elif left == 1 and not true[literals[0]]:
            self._assign(literals[0], number)
            self.failed = self.failed or self._propagate(len(self.trail) - 1)

    def reasons(self, lemma: Iterable[int]) -> Step:
        """Return the literals that a lemma needs, and the clauses it follows from.

        Raises `ValueError` if it does not follow by unit propagation.
        """
        before, failed, seen = len(self.trail), self.failed, set[int]()
        for literal in lemma:
            if self.true[literal] > 0:
                seen.add(literal)
                break
            if not self.true[literal]:
                self._assign(-literal, 0)
        else:
            failed = failed or self._propagate(before)
            if not failed:
                raise ValueError("a lemma does not follow by unit propagation")
        used = [failed] if failed else []
        seen.update(-literal for literal in self.clauses[failed])
        for literal in reversed(self.trail):
            reason = self.reason[abs(literal)]
            if literal in seen and reason:
                used.append(reason)
                seen.update(-x for x in self.clauses[reason] if x != literal)
        assumed = {x for x in self.trail[before:] if not self.reason[abs(x)]}
        for literal in self.trail[before:]:
            self.true[literal] = self.true[-literal] = 0
        del self.trail[before:]
        needed = {x: None for x in lemma if x in seen or (-x in seen and -x in assumed)}
        return tuple(needed), tuple(reversed(used))

    def _assign(self, literal: int, reason: int) -> None:
        self.true[literal], self.true[-literal] = 1, -1
        self.reason[abs(literal)] = reason
        self.trail.append(literal)

    def _propagate(self, at: int) -> int:
        """Propagate the trail from a place on; return a failed clause, or 0."""
        true, trail = self.true, self.trail
        while at < len(trail):
            false = -trail[at]
            at += 1
            numbers = self.watching[false]
            self.watching[false] = left = []
            for place, number in enumerate(numbers):
                literals = self.clauses[number]
                if literals[0] == false:
                    literals[0], literals[1] = literals[1], false
                other = literals[0]
                if true[other] <= 0:
                    for k in range(2, len(literals)):
                        if true[literals[k]] >= 0:
                            literals[1], literals[k] = literals[k], false
                            self.watching[literals[1]].append(number)
                            break
                    else:
                        left.append(number)
                        if true[other] < 0:
                            left += numbers[place + 1 :]
                            return number
                        self._assign(other, number)
                else:
                    left.append(number)
        return 0


def _last_variable(clauses: Iterable[Clause]) -> int:
    return max(map(abs, chain.from_iterable(clauses)), default=0)


def lrat(clauses: Sequence[Clause], steps: Iterable[Step]) -> str:
    """Return a proof in LRAT.

    A line is a lemma's number, its literals, 0, the clauses it follows from, and 0.
    """
    lines = [
        " ".join(map(str, (number, *lemma, 0, *used, 0)))
        for number, (lemma, used) in enumerate(steps, len(clauses) + 1)
    ]
    return "\n".join(lines) + "\n"
