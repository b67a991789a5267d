"""Verdicts of many rules as a campaign: a rule is a unit.

What stands in the ledger of a proved rule is its certificate, of a refuted one the
counterexample, of an open one what the table tells and draws. How long it took is no
part of that, as it is another number each time; the ledger keeps it with the unit.
"""

import math
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from heuristic.rules.drawing import RuleSpec
from solver.board import Position
from verify.campaign.campaign import Campaign, Unit
from verify.campaign.deciding import deciding, rule_texts
from verify.corpus.cases import cases_against
from verify.proof.certificate import certificate_of
from verify.proof.procedures import UP_TO
from verify.proof.provable import provable
from verify.proof.prove import Proved
from verify.refute.found import Refutation
from verify.verdict.verdict import Judgement, OpenAsTold, Refuted, judge

_PART = 0.02  # seconds a drawing, about


@dataclass(frozen=True, slots=True)
class Certified:
    """A proved rule: the bytes of its certificate, and how long the unit took."""

    rule: RuleSpec
    certificate: bytes
    seconds: float


Judged: TypeAlias = Certified | Refuted | OpenAsTold


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
        cases = cases_against(corpus).get(name, ())
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
        told,
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
    return OpenAsTold(
        rule,
        result["models"],
        result["late"],
        result["proved"],
        result["tried"],
        tuple(result["pictures"]),
        seconds,
    )


def told(found: list[Judged]) -> list[str]:
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
