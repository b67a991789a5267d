"""The verdict on a rule: proved, refuted, or open with what is known.

>>> from heuristic.groups import load_rules
>>> rule = load_rules("close-straight-left-left").rules[0].spec
>>> judge(rule).word
'PROVED'

Verdicts of many rules are a campaign: a rule is a unit. What stands in the ledger of a
proved rule is its certificate, of a refuted one the counterexample, of an open one what
the table says and draws. How long it took is no part of that, as it is another number
each time; the ledger keeps it with the unit.

It is said, too, where a proved rule stops to hold: the widest scope, and
counterexamples beyond it. The scopes lie within each other, so what is proved in one
holds in the narrower ones, and what is wrong in one is wrong in the wider ones. A
counterexample is looked for on the smallest boards first, with walls and ends as the
scope allows, then by the directed search on larger boards with ends drawn at random.
"""

import math
import random
import time
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, permutations
from operator import call
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from heuristic.groups import written_rules
from heuristic.rules.drawing import RuleSpec
from solver.board import Board, Cell, Position
from solver.nowalk import why_dead
from verify.campaign.campaign import Campaign, Unit, deciding_rules
from verify.corpus.cases import Case, cases_against
from verify.proof.certificate import certificate_of
from verify.proof.formula import Scope
from verify.proof.picture import draw_survivor
from verify.proof.provable import book_rules, provable
from verify.proof.prove import Part, Proved, Unproved, parts, prove_rule
from verify.proof.settle import GaveUp, Survivor
from verify.proof.view import grants
from verify.refute.directed import directed
from verify.refute.refute import (
    SIZES,
    Refutation,
    alone,
    confirmed,
    refute,
    refute_known,
    wrong_on,
)
from verify.workers import each


@dataclass(frozen=True, slots=True)
class Refuted:
    """The rule is wrong: a counterexample, and the parts that have no proof."""

    rule: RuleSpec
    refutation: Refutation
    open_parts: tuple[Part, ...]
    seconds: float
    word: str = "REFUTED"


@dataclass(frozen=True, slots=True)
class Open:
    """Neither proof nor counterexample.

    - `models`, `late`: parts that have a model, and those for which the time limit came
      first.
    - `proved`: parts that are proved.
    - `tried`: where a counterexample was looked for and not found.
    - `pictures`: SVG documents of the models.
    - `survivors`, tuple of (Part, Survivor or GaveUp): local configurations that the
      theorem does not exclude: what the rule's drawing does not say. A ledger does not
      keep them.
    """

    rule: RuleSpec
    models: int
    late: int
    proved: int
    tried: str
    pictures: tuple[str, ...]
    seconds: float
    survivors: tuple[tuple[Part, Survivor | GaveUp], ...] = ()
    word: str = "OPEN"

    @property
    def open_parts(self) -> tuple[Part, ...]:
        """The parts that have no proof."""
        return tuple(part for part, _ in self.survivors)


def left_open(attempt: Unproved, tried: str, seconds: float) -> Open:
    """Return what a proof and a search leave open."""
    found = attempt.survivors
    shown = [(one, str(part)) for part, one in found if isinstance(one, Survivor)]
    pictures = tuple(draw_survivor(one, title) for one, title in shown)
    counts = len(shown), len(found) - len(shown), len(attempt.proofs)
    return Open(attempt.rule, *counts, tried, pictures, seconds, found)


Judgement: TypeAlias = Proved | Refuted | Open


def judge_all(
    rules: Sequence[RuleSpec],
    *,
    seed: int = 0,
    seconds: float = 10.0,
    cases: Mapping[str, Sequence[Case]] = MappingProxyType({}),
    jobs: int = 1,
) -> Iterator[Judgement]:
    """Judge rules one after the other, or so many at a time; yield in their order.

    `cases` are those of each rule by its name. Verdicts are the same whatever `jobs`
    is: a rule is judged by one process.
    """
    one = partial(judge, seed=seed, seconds=seconds)
    tasks = [partial(one, rule, cases=cases.get(rule.name, ())) for rule in rules]
    if min(jobs, len(tasks)) < 2:
        yield from map(call, tasks)
        return
    # those that take long begin first
    order = sorted(range(len(rules)), key=lambda i: -len(rules[i].drawings))
    yield from each(call, tasks, jobs, order=order)


def judge(
    rule: RuleSpec,
    *,
    sizes: Sequence[int] = SIZES,
    seed: int = 0,
    seconds: float = 10.0,
    cases: Sequence[Case] = (),
) -> Judgement:
    """Prove the rule, or else refute it, or else say what is open.

    `seconds` of processor time limit each single search, not the whole; `cases` are
    positions to try first. See `prove_rule`, `refute`.
    """
    attempt = prove_rule(rule, seconds=2 * seconds)
    if isinstance(attempt, Proved):
        return attempt
    open_parts = [part for part, _ in attempt.survivors]
    began = time.process_time()
    if grants(rule):
        found, sizes = refute_known(rule, cases), ()
    else:
        found = refute(
            rule, open_parts, sizes=sizes, seed=seed, seconds=seconds, cases=cases
        )
    took = attempt.seconds + time.process_time() - began
    if found is not None:
        return Refuted(rule, found, tuple(open_parts), took)
    boards = ", ".join(f"{n} x {n}" for n in sizes)
    tried = f"all of 5 x 5; directed search on {boards}" if sizes else "the corpus"
    return left_open(attempt, tried, took)


_PART = 0.02  # seconds a drawing, about


@dataclass(frozen=True, slots=True)
class Certified:
    """A proved rule: the bytes of its certificate, and how long the unit took."""

    rule: RuleSpec
    certificate: bytes
    seconds: float
    word: str = "PROVED"


Judged: TypeAlias = Certified | Refuted | Open


def judging(parameters: dict[str, Any]) -> Campaign[list[Judged]]:
    """Judge the rules of `rules`, or of the whole book if that is empty.

    All that a proof can speak of: drawn rules, and those that read future lines.

    `seconds` limit each single search, `seed` is that of the searches; cases of the
    folder `corpus` are tried first.
    """
    rules = parameters["rules"]
    specs = provable(written_rules(rules) if rules else book_rules())
    corpus, seed = Path(parameters["corpus"]), parameters["seed"]

    def units() -> Iterator[Unit]:
        for name, spec in specs.items():
            yield Unit(name, name, max(1, len(spec.drawings)) * _PART)

    def work(name: str) -> dict[str, Any]:
        # one that cannot be read is passed over: cases only make a search shorter
        cases = cases_against(corpus, lambda _: None).get(name, ())
        found = judge(
            specs[name], seed=seed, seconds=parameters["seconds"], cases=cases
        )
        return {"rule": name} | _plain(found)

    def fold(results: Iterator[dict[str, Any]]) -> list[Judged]:
        return [_read(specs[result["rule"]], result) for result in results]

    # the cases that are tried first decide what is found
    tried = cases_against(corpus, lambda _: None)
    texts = sorted(
        f"{rule} {case.position.notation}" for rule in tried for case in tried[rule]
    )
    modules = "verify.proof", "verify.refute", "verify.verdict"
    decides = deciding_rules(parameters["rules"], *modules, texts=texts)
    return Campaign("report", parameters, decides, units, work, fold, summary_lines)


_OPEN = "models", "late", "proved", "tried", "pictures"


def _plain(found: Judgement) -> dict[str, Any]:
    if isinstance(found, Proved):
        return {"certificate": b64encode(certificate_of(found)).decode()}
    if isinstance(found, Refuted):
        one = found.refutation
        return {
            "position": one.position.notation,
            "move": one.move,
            "completion": list(one.completion),
            "found": one.found,
            "case": str(one.case) if one.case else None,
            "among": one.among,
        }
    return {name: getattr(found, name) for name in _OPEN}


def _read(rule: RuleSpec, result: dict[str, Any]) -> Judged:
    seconds = math.nan  # not known here
    if "certificate" in result:
        return Certified(rule, b64decode(result["certificate"]), seconds)
    if "move" in result:
        case = Path(result["case"]) if result["case"] else None
        place, way = Position.parse(result["position"]), tuple(result["completion"])
        move, how, among = (result[name] for name in ("move", "found", "among"))
        refutation = Refutation(rule.name, place, move, way, how, case, among)
        return Refuted(rule, refutation, (), seconds)
    models, late, proved, tried, pictures = (result[name] for name in _OPEN)
    return Open(rule, models, late, proved, tried, tuple(pictures), seconds)


def summary_lines(found: list[Judged]) -> list[str]:
    """Return a line a rule."""
    lines = []
    for one in found:
        at = one.refutation if isinstance(one, Refuted) else None
        where = f", {at.position.notation} {at.move}" if at else ""
        lines.append(f"{one.rule.name}: {one.word}{where}")
    return lines


_MOST = 20  # cells of the boards of which all positions are tried
_EACH = 400  # boards of one size; all of them if there are not more
_LARGER = (7, 9)


@dataclass(frozen=True, slots=True)
class InScope:
    """What is known of a rule on the boards of a scope: proved, refuted or neither."""

    scope: Scope
    proved: bool
    refutation: Refutation | None = None
    boards: str = ""  # those of a proof, in words

    @property
    def word(self) -> str:
        """PROVED, REFUTED or OPEN."""
        return "PROVED" if self.proved else "REFUTED" if self.refutation else "OPEN"


def in_all_scopes(
    rule: RuleSpec, *, seconds: float = 10.0, seed: int = 0
) -> list[InScope]:
    """Judge a rule in every scope, from the widest to the narrowest.

    `seconds` of processor time limit one part in one scope, and the search for a
    counterexample in one scope. A counterexample is the smallest found: smaller boards
    were tried before, some hundred of a size where there are more.
    """
    judged: list[InScope] = []
    for scope in Scope:
        if judged and judged[-1].proved:
            judged.append(InScope(scope, True, boards=scope.value))
            continue
        attempt = prove_rule(rule, seconds=2 * seconds, most=1, within=scope)
        if isinstance(attempt, Proved):
            judged.append(InScope(scope, True, boards=attempt.boards))
        else:
            found = smallest_wrong(rule, scope, seconds=seconds, seed=seed)
            judged.append(InScope(scope, False, found, scope.value))
    for i in reversed(range(len(judged) - 1)):
        known = [one.refutation for one in judged[i : i + 2] if one.refutation]
        if known:
            judged[i] = replace(judged[i], refutation=min(known, key=_size))
    return judged


def _size(found: Refutation) -> tuple[int, int]:
    board = found.position.board
    return board.rows * board.cols, len(board.walls)


def boards_in(
    scope: Scope, rows: int, cols: int, rng: random.Random, most: int = _EACH
) -> Iterator[Board]:
    """Yield boards of one size in a scope, with up to two walls: all, or so many drawn.

    Boards that plainly have no complete walk are left out.
    """
    cells = range(rows * cols)
    rim = [c for c in cells if c // cols in (0, rows - 1) or c % cols in (0, cols - 1)]
    corners = [0, cols - 1, (rows - 1) * cols, rows * cols - 1]
    pairs = list(zip(corners, reversed(corners), strict=True))
    if scope is not Scope.CORNERS:
        pairs = list(permutations(cells if scope is Scope.PLAIN else rim, 2))
    fewest = 3 if scope.walled else 1
    total = len(pairs) * sum(math.comb(rows * cols, count) for count in range(fewest))
    choices: Iterable[tuple[tuple[Cell, ...], tuple[Cell, Cell]]] = (
        (walls, ends)
        for count in range(fewest)
        for walls in combinations(cells, count)
        for ends in dict.fromkeys(pairs)
    )
    if total > 4 * most:
        choices = (
            (tuple(rng.sample(cells, rng.randrange(fewest))), rng.choice(pairs))
            for _ in range(4 * most)
        )
    for walls, (start, end) in choices:
        if start != end and start not in walls and end not in walls:
            board = Board(rows, cols, start, end, walls)
            if not why_dead(Position(board)):
                yield board


def smallest_wrong(
    rule: RuleSpec, scope: Scope, *, seconds: float = 10.0, seed: int = 0
) -> Refutation | None:
    """Look for a counterexample in a scope, small boards first; None proves nothing."""
    rng, until = random.Random(seed), time.process_time() + seconds
    trier = alone(rule)
    sizes = [(r, c) for r in range(1, 11) for c in range(1, 11) if r * c <= _MOST]
    for rows, cols in sorted(sizes, key=lambda size: (size[0] * size[1], size)):
        for board in boards_in(scope, rows, cols, rng):
            if found := wrong_on(rule, board, trier):
                return found
            if time.process_time() > until:
                return None
    shown = list(parts(rule))
    plain = scope if scope is Scope.CORNERS else Scope.RIM
    while time.process_time() < until:  # larger boards with ends drawn, without walls
        side = rng.choice(_LARGER)
        drawn = next(boards_in(plain, side, side, rng, most=1), None)
        if drawn is not None:
            part, _ = rng.choice(shown)
            drawing, seed = rule.drawings[part.drawing], rng.randrange(1 << 30)
            hit = directed(drawing, part.pose, part.move, drawn, seed=seed, seconds=0.5)
            if hit is not None:
                how = f"directed search on {drawn.notation}, seed {seed}"
                return confirmed(rule, *hit, how)
    return None
