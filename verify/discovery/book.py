"""The book of a pool: the smallest choice that the prover confirms, with certificates.

What a question's formula found is a candidate and no more. `verify.proof.prove` judges
the drawing as any other rule, and does not know where it came from; a candidate that it
refuses leaves the pool, and the choice, an exact set cover, is made again.

Why a rule holds is said in words, from what its proof makes use of. A proof is clauses.
Those that the window's formula has from the start say how many sides a cell is passed
by, what an area's doors come to, and how pieces of the path lie in the plane; those
added later are cuts: loops, an end met too early, sealed areas. So the clauses show
which of these arguments the rule needs.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from heuristic.rules.drawing import RuleSpec
from verify.discovery.families import Family
from verify.discovery.question import Found, read_rule
from verify.discovery.search import Entry, Pool
from verify.proof.prove import Proved, prove_rule
from verify.proof.settle import Impossible
from verify.proof.view import Spot
from verify.words import counted

_RULE = 1000  # a rule more is worth any saving of facts
_COVER = 60.0  # seconds of the clock for one choice


@dataclass(frozen=True, slots=True)
class Cover:
    """A choice of rules that catches all that the pool catches.

    - `rules_at_least`: no choice of the pool has fewer rules.
    - `optimal`: whether the fewest rules, and the fewest facts with so many, are
      proved.
    """

    chosen: tuple[int, ...]
    rules_at_least: int
    optimal: bool


def smallest_cover(
    columns: npt.NDArray[np.bool_],
    facts: Sequence[int],
    *,
    most: int | None = None,
    times: int = 1,
) -> Cover:
    """Choose the fewest rules, then the fewest facts, that catch what all do.

    - `columns`, (gaps, rules) bool: which rule catches which gap; a gap that none
      catches is left out.
    - `facts`: of each rule.
    - `most`: a rule with more facts is taken only for gaps that no other catches.
    - `times`: a gap is caught by so many of the choice, where so many are there.
    """
    from ortools.sat.python import cp_model

    kinds = np.unique(columns[columns.any(axis=1)], axis=0)
    if most is not None:
        small = np.array(facts) <= most
        reached = (kinds & small).any(axis=1)
        kinds = kinds.copy()
        kinds[reached] &= small
        kinds = np.unique(kinds, axis=0)
    if not len(kinds):
        return Cover((), 0, True)
    model = cp_model.CpModel()
    taken = [model.new_bool_var(f"r{i}") for i in range(len(facts))]
    for kind in kinds:
        model.add(sum(taken[i] for i in np.flatnonzero(kind)) >= min(times, kind.sum()))
    model.minimize(sum((_RULE + f) * x for f, x in zip(facts, taken, strict=True)))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = _COVER
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    status = solver.solve(model)
    assert status in (cp_model.OPTIMAL, cp_model.FEASIBLE), "all together are a cover"
    chosen = tuple(i for i, x in enumerate(taken) if solver.boolean_value(x))
    bound = solver.best_objective_bound
    least = max(1, int(np.ceil((bound - sum(sorted(facts))) / _RULE)))
    if status == cp_model.OPTIMAL:
        least = len(chosen)
    return Cover(chosen, least, status == cp_model.OPTIMAL)


def worth(columns: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Return what each gap is worth: the dual prices of the cover's relaxation.

    A new rule can make the book smaller if the gaps that it catches are worth more
    than one together. Gaps that none catches are worth one each.
    """
    from ortools.linear_solver import pywraplp

    caught = columns.any(axis=1)
    prices = np.ones(len(columns))
    if not caught.any():
        return prices
    kinds, of, sizes = np.unique(
        columns[caught], axis=0, return_inverse=True, return_counts=True
    )
    solver = pywraplp.Solver.CreateSolver("GLOP")
    taken = [solver.NumVar(0, solver.infinity(), "") for _ in range(columns.shape[1])]
    rows = [solver.Add(sum(taken[i] for i in np.flatnonzero(k)) >= 1) for k in kinds]
    solver.Minimize(sum(taken))
    assert solver.Solve() == pywraplp.Solver.OPTIMAL, "all together are a cover"
    dual = np.array([row.dual_value() for row in rows])
    prices[caught] = (dual / sizes)[of.ravel()]
    return prices


_PLANE = {"p", "w", "v", "s", "t", "l", "u", "rowout", "colout", "S"}


def grounds_of(proof: Impossible, tied: Collection[Spot] = ()) -> set[str]:
    """Return what a proof makes use of: degree, loop, end, area, plane, rim.

    `degree` is left out where the others say enough. `tied` are the cells of forced
    edges, if there are any.
    """
    found: set[str] = set()
    for clause in proof.clauses:
        names = [proof.names[abs(x) - 1] for x in clause]
        kinds = {str(name[0]) for name in names}
        if kinds & {"a", "n"}:
            found.add("area")
        if kinds & {"rowout", "colout", "v"}:
            found.add("rim")
        elif kinds & _PLANE:
            found.add("plane")
        elif kinds == {"c"} and all(x < 0 for x in clause):
            edges = [name[1:] for name in names]
            long = len(clause) >= 4 and _loop(edges)
            if long or (tied and not _of_one_cell(edges, tied)):
                found.add("loop")
        elif "T" in kinds:
            found.add("end")
    return found or {"degree"}


def _of_one_cell(edges: list[tuple[object, ...]], tied: Collection[Spot]) -> bool:
    """Tell whether edges exclude each other at a cell, and close no loop by lines."""
    common = set(edges[0]).intersection(*edges)
    return bool(common if len(edges) > 2 else common & set(tied))


def _loop(edges: list[tuple[object, ...]]) -> bool:
    """Tell whether edges close a loop, or leave one edge of it out that is known."""
    ends: dict[object, int] = {}
    for edge in edges:
        for cell in edge:
            ends[cell] = ends.get(cell, 0) + 1
    return max(ends.values()) == 2


def reason_of(proved: Proved, found: Found | Family) -> str:
    """Return one sentence on why the rule holds, without full stop."""
    tied = found.picture.of_ties()
    grounds = set().union(*(grounds_of(proof, tied) for _, proof in proved.proofs))
    cells = dict(found.picture.cells)
    needy = sum(letter == "K" for letter in cells.values())
    open_ = sum(letter == "." for letter in cells.values())
    parts = []
    if found.picture.areas:
        parts.append(_of_areas(found, "area" in grounds))
    if tied:
        edges, ends = (len(found.picture.pairs(word)) for word in ("joined", "mates"))
        phrase, verb = counted(edges, "edge"), "is" if edges == 1 else "are"
        lines = counted(ends, "forced line")
        also = f", and the ends of {lines} are known" if ends else ""
        parts.append(f"{phrase} {verb} forced before the move{also}")
    if needy:
        phrase = counted(needy, "free cell")
        verb = "needs" if needy == 1 else "need"
        each = "" if needy == 1 else " each"
        parts.append(f"{phrase} that cannot be the end {verb} two open sides{each}")
    elif open_ and not found.picture.areas:
        parts.append(f"{counted(open_, 'free cell')} must still be visited")
    if "rim" in grounds:
        parts.append(
            "the walk began and must end in corners, so the side of the board and the "
            "walk behind part the cells left"
        )
    elif "plane" in grounds:
        parts.append("the walk behind parts the cells left, and nothing crosses it")
    if "loop" in grounds:
        parts.append("else the ways that are forced close a loop")
    elif not found.picture.areas and not grounds & {"rim", "plane"}:
        parts.append("after the move a cell is left with one way, or none")
    return "; ".join(parts)


def _of_areas(found: Found | Family, counted_: bool) -> str:
    words = []
    for number, area in enumerate(found.picture.areas):
        grows = isinstance(found, Family) and number == 0
        marked = counted(len(area.cells), "marked cell").removeprefix("1 ")
        if isinstance(found, Family) and grows:
            least, most = found.distances
            marked = f"{least} to {most} marked cells"
        behind = f"the area behind the {marked}"
        held = f"{behind} does not hold the end, so it must be entered and left again"
        if area.kind.value == "impair":
            held = (
                f"{behind} has an odd number of cells, so a way through it begins and "
                "ends on one colour"
            )
        elif area.kind.value == "pair":
            held = (
                f"{behind} has an even number of cells, so a way through it begins and "
                "ends on two colours"
            )
        elif area.kind.bounded or grows:
            held = (
                f"{behind} has more cells of one colour than ways through it can visit"
            )
        words.append(held)
    phrase = " and ".join(words)
    return (
        f"{phrase}; after the move the doors that are left cannot do that"
        if counted_
        else phrase
    )


_GENERAL = 3  # facts more that a family may have than a drawing of one distance
_TWICE = 2  # rules for a gap that walks met: the next walk meets another
_SECONDS = (2.0, 20.0)  # of the prover, for one part: most need far less


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

    - `cover`: what is known of smaller choices from the same pool.
    - `refused`: drawings that the prover did not confirm.
    """

    members: tuple[Member, ...]
    cover: Cover
    refused: int

    def toml(self, head: str) -> str:
        """Return the book as a rule file."""
        texts = [
            member.entry.found.toml(
                member.rule.name, member.rule.origin, member.rule.reason
            )
            for member in self.members
        ]
        return "\n".join([head, *texts])


def choose(
    pool: Pool,
    name: str,
    *,
    most: int | None = None,
    known: dict[RuleSpec, Proved | None] | None = None,
    progress: Callable[[Entry, bool], None] | None = None,
) -> Book:
    """Choose the smallest book of a pool that the prover confirms.

    - `name`: rules are called so, with a number.
    - `most`: rules with more facts are taken only where nothing else will do.
    - `known`, dict of RuleSpec to Proved or None: answers of the prover from before;
      they are added to.
    """
    answers = {} if known is None else known
    refused = 0
    while True:
        cover = _cover(pool, most)
        bad = []
        for number in cover.chosen:
            entry = pool.entries[number]
            if entry.rule not in answers:
                answers[entry.rule] = _proved(entry.rule)
                if progress:
                    progress(entry, answers[entry.rule] is not None)
            if answers[entry.rule] is None:
                bad.append(number)
        if not bad:
            return Book(_members(pool, cover.chosen, answers, name), cover, refused)
        refused += len(bad)
        for number in reversed(bad):
            pool.without(number)


def chosen(pool: Pool, most: int | None = None) -> tuple[Entry, ...]:
    """Return the smallest choice of a pool, whatever the prover says of it."""
    return tuple(pool.entries[number] for number in _cover(pool, most).chosen)


def _cover(pool: Pool, most: int | None) -> Cover:
    facts = [_price(entry) for entry in pool.entries]
    times = _TWICE if pool.quick else 1
    return smallest_cover(pool.columns, facts, most=most, times=times)


def _price(entry: Entry) -> int:
    """Return the facts of a drawing; a family is worth some of them."""
    return entry.facts - _GENERAL * isinstance(entry.found, Family)


def _proved(rule: RuleSpec) -> Proved | None:
    for seconds in _SECONDS:
        attempt = prove_rule(rule, seconds=seconds, most=1)
        if isinstance(attempt, Proved):
            return attempt
    return None


def _members(
    pool: Pool,
    chosen: Sequence[int],
    answers: dict[RuleSpec, Proved | None],
    name: str,
) -> tuple[Member, ...]:
    counts = pool.gaps.counts
    columns = pool.columns[:, list(chosen)]
    alone = columns.sum(axis=1) == 1
    caught = [int(counts[column].sum()) for column in columns.T]
    only = [int(counts[column & alone].sum()) for column in columns.T]
    order = sorted(range(len(chosen)), key=lambda i: (-caught[i], chosen[i]))
    members = []
    for place, i in enumerate(order, 1):
        entry = pool.entries[chosen[i]]
        proved = answers[entry.rule]
        assert proved is not None
        text = entry.found.toml(
            f"{name}-{place}", "oneway discover", reason_of(proved, entry.found)
        )
        named = replace(proved, rule=read_rule(text))
        members.append(Member(entry, named, caught[i], only[i]))
    return tuple(members)
