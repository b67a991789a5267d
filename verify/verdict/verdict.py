"""The verdict on a rule: proved, refuted, or open with what is known.

>>> from heuristic.groups import load_rules
>>> rule = load_rules("close-straight-left-left").rules[0].spec
>>> judge(rule).word
'PROVED'

Verdicts of many rules are a campaign: a rule is a unit. What stands in the ledger of a
proved rule is its certificate, of a refuted one the counterexample, of an open one what
the table says and draws. How long it took is no part of that, as it is another number
each time; the ledger keeps it with the unit.
"""

import math
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from heuristic.rules.drawing import RuleSpec
from solver.board import Position
from solver.errors import CaseError
from verify.campaign.campaign import Campaign, Unit, deciding, rule_texts
from verify.corpus.cases import Case, cases_against
from verify.proof.certificate import certificate_of
from verify.proof.picture import draw_survivor
from verify.proof.procedures import UP_TO
from verify.proof.provable import provable
from verify.proof.prove import Part, Proved, Unproved, prove_rule
from verify.proof.settle import GaveUp, Survivor
from verify.proof.view import grants
from verify.refute.refute import SIZES, Refutation
from verify.workers import each

PICTURES = 3  # drawn of what is open


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
    - `pictures`: SVG documents of the first models.
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


def left_open(attempt: Unproved, tried: str, seconds: float) -> Open:
    """Return what a proof and a search leave open."""
    found = attempt.survivors
    models = sum(isinstance(one, Survivor) for _, one in found)
    pictures = tuple(
        draw_survivor(one, str(part))
        for part, one in found[:PICTURES]
        if isinstance(one, Survivor)
    )
    parts = models, len(found) - models, len(attempt.proofs)
    return Open(attempt.rule, *parts, tried, pictures, seconds, found)


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
        for task in tasks:
            yield task()
        return
    # those that take long begin first
    order = sorted(range(len(rules)), key=lambda i: -len(rules[i].drawings))
    yield from each(_judgement, tasks, jobs, order=order)


def _judgement(task: Callable[[], Judgement]) -> Judgement:
    return task()


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
    # the refuter's kernels take longer to load than most proofs
    from verify.refute.refute import refute, refute_known

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


Judged: TypeAlias = Certified | Refuted | Open


def _passed_over(error: CaseError) -> None:
    """Pass over a case that cannot be read: cases only make a search shorter."""


def judging(
    parameters: dict[str, Any],
) -> Campaign[list[Judged]]:
    """Judge the rules of `rules`, or of the whole book if that is empty.

    All that a proof can speak of: drawn rules, and those that read future lines.

    `seconds` limit each single search, `seed` is that of the searches; cases of the
    folder `corpus` are tried first.
    """
    specs = provable(parameters["rules"], parameters.get("up_to", UP_TO))
    corpus, seed = Path(parameters["corpus"]), parameters["seed"]

    def units() -> Iterator[Unit]:
        for name, spec in specs.items():
            yield Unit(name, name, max(1, len(spec.drawings)) * _PART)

    def work(name: str) -> dict[str, Any]:
        cases = cases_against(corpus, _passed_over).get(name, ())
        found = judge(
            specs[name], seed=seed, seconds=parameters["seconds"], cases=cases
        )
        return {"rule": name} | _plain(found)

    def fold(
        results: Iterator[dict[str, Any]],
    ) -> list[Judged]:
        return [_read(specs[result["rule"]], result) for result in results]

    return Campaign(
        "report",
        parameters,
        deciding(
            *("solver", "heuristic", "verify.proof", "verify.refute", "verify.verdict"),
            texts=[*rule_texts(parameters["rules"]), *_texts(corpus)],
        ),
        units,
        work,
        fold,
        summary_lines,
    )


def _texts(corpus: Path) -> list[str]:
    """Return the cases that are tried first, which decide what is found."""
    folder = corpus / "unsound"
    return [
        path.read_text(encoding="utf-8", errors="replace")
        for path in sorted(folder.glob("*.toml"))
    ]


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
    return {
        "models": found.models,
        "late": found.late,
        "proved": found.proved,
        "tried": found.tried,
        "pictures": found.pictures,
    }


def _read(rule: RuleSpec, result: dict[str, Any]) -> Judged:
    seconds = math.nan  # not known here
    if "certificate" in result:
        return Certified(rule, b64decode(result["certificate"]), seconds)
    if "move" in result:
        case = Path(result["case"]) if result["case"] else None
        refutation = Refutation(
            rule.name,
            Position.parse(result["position"]),
            result["move"],
            tuple(result["completion"]),
            result["found"],
            case,
            result["among"],
        )
        return Refuted(rule, refutation, (), seconds)
    return Open(
        rule,
        result["models"],
        result["late"],
        result["proved"],
        result["tried"],
        tuple(result["pictures"]),
        seconds,
    )


def summary_lines(found: list[Judged]) -> list[str]:
    """Return a line a rule."""
    lines = []
    for one in found:
        if isinstance(one, Certified):
            lines.append(f"{one.rule.name}: PROVED")
        elif isinstance(one, Refuted):
            at = one.refutation
            lines.append(f"{one.rule.name}: REFUTED, {at.position.notation} {at.move}")
        else:
            lines.append(f"{one.rule.name}: OPEN")
    return lines
