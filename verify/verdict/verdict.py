"""The verdict on a rule: proved, refuted, or open with what is known.

>>> from heuristic.groups import load_rules
>>> rule = load_rules("close-straight-left-left").rules[0]
>>> judge(rule).word
'PROVED'

Verdicts of many rules are a long run: a rule is a unit. The result of a proved rule is
its certificate, of a refuted one the counterexample, of an open one what the table says
and draws.
"""

import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from operator import call
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from heuristic.groups import load_rules
from heuristic.rules.drawing import RuleSpec
from heuristic.rules.picture import draw_rule
from solver.board import Position
from solver.svg import draw
from verify.corpus.cases import Case, cases_against
from verify.proof.certificate import certificate_of
from verify.proof.counterexample import (
    SIZES,
    Refutation,
    refute,
    refute_by_cases,
)
from verify.proof.picture import draw_survivor
from verify.proof.provable import book_rules, provable
from verify.proof.prove import Part, Proved, Unproved, prove_rule
from verify.proof.settle import GaveUp, Survivor
from verify.proof.view import grants
from verify.runs.pool import each
from verify.runs.work import Advance, LongRun, Unit, work_of


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


def pictures_of(verdict: Judgement) -> list[str]:
    """Return SVG documents: the drawings, then the counterexample or what is open."""
    rule = verdict.rule
    pictures = [draw_rule(drawing, rule.name) for drawing in rule.drawings[:4]]
    if isinstance(verdict, Refuted):
        found = verdict.refutation
        position, move = found.position, found.move
        pictures.append(
            draw(position, forbidden=move, witness=found.completion, scale=0.8)
        )
    if isinstance(verdict, Open):
        pictures += verdict.pictures
    return pictures


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
        found, sizes = refute_by_cases(rule, cases), ()
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
    """A proved rule: its certificate, and what a table says of the proof.

    - `boards`: those for which it is proved, in words.
    - `parts`, `clauses`: the numbers of drawings in one pose with one move, and of
      clauses.
    """

    rule: RuleSpec
    certificate: bytes
    boards: str
    parts: int
    clauses: int
    seconds: float
    word: str = "PROVED"


Judged: TypeAlias = Certified | Refuted | Open


def certified(proved: Proved) -> Certified:
    """Return a proof as its certificate."""
    counts = len(proved.proofs), proved.clauses
    certificate = certificate_of(proved)
    return Certified(proved.rule, certificate, proved.boards, *counts, proved.seconds)


def judging(
    rules: str, *, corpus: Path, seed: int = 0, seconds: float = 10.0
) -> LongRun[list[Judged]]:
    """Judge the rules of `rules`, or of the whole book if that is empty.

    All that a proof can speak of: drawn rules, and those that read future lines.

    `seconds` limit each single search, `seed` is that of the searches; cases of the
    folder `corpus` are tried first.
    """
    specs = _provable(rules)
    units = [
        Unit(name, max(1, len(spec.drawings)) * _PART) for name, spec in specs.items()
    ]

    def fold(results: Iterator[dict[str, Any]]) -> list[Judged]:
        return [_read(specs[result["rule"]], result) for result in results]

    # the cases that are tried first decide what is found
    cases = cases_against(corpus, lambda _: None)
    texts = sorted(
        f"{rule} {case.position.notation}" for rule in cases for case in cases[rule]
    )
    parameters = {
        "rules": rules,
        "corpus": str(corpus),
        "cases": sha256("\n".join(texts).encode()).hexdigest(),
        "seed": seed,
        "seconds": seconds,
    }
    rooms = [f"verify.{room}" for room in ("checker", "proof", "shrink", "truth")]
    modules = "solver", "heuristic", "verify.verdict", *rooms
    work = work_of(_judging, parameters, *modules, rules=rules)
    return LongRun("report", work, units, fold)


def _provable(rules: str) -> dict[str, RuleSpec]:
    return provable(load_rules(rules).rules if rules else book_rules())


def _judging(
    rules: str, corpus: str, cases: str, seed: int, seconds: float
) -> Callable[[str, Advance], dict[str, Any]]:
    """Return what judges a rule by its name."""
    specs = _provable(rules)
    # one that cannot be read is passed over: cases only make a search shorter
    against = cases_against(Path(corpus), lambda _: None)

    def judged(name: str, _: Advance) -> dict[str, Any]:
        began = time.process_time()
        verdict = judge(
            specs[name], seed=seed, seconds=seconds, cases=against.get(name, ())
        )
        spent = time.process_time() - began
        return {"rule": name, "seconds": round(spent, 3)} | _plain(verdict)

    return judged


_OPEN = "models", "late", "proved", "tried", "pictures"


def _plain(found: Judgement) -> dict[str, Any]:
    if isinstance(found, Proved):
        proof = certified(found)
        return {
            "certificate": b64encode(proof.certificate).decode(),
            "boards": proof.boards,
            "parts": proof.parts,
            "clauses": proof.clauses,
        }
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
    seconds = result["seconds"]
    if "certificate" in result:
        boards, parts, clauses = (result[x] for x in ("boards", "parts", "clauses"))
        certificate = b64decode(result["certificate"])
        return Certified(rule, certificate, boards, parts, clauses, seconds)
    if "move" in result:
        case = Path(result["case"]) if result["case"] else None
        place, way = Position.parse(result["position"]), tuple(result["completion"])
        move, how, among = (result[name] for name in ("move", "found", "among"))
        refutation = Refutation(rule.name, place, move, way, how, case, among)
        return Refuted(rule, refutation, (), seconds)
    models, late, proved, tried, pictures = (result[name] for name in _OPEN)
    return Open(rule, models, late, proved, tried, tuple(pictures), seconds)
