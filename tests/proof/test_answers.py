"""Answers of the judge on honest certificates, and on all that differ in one thing.

Certificates of every scope, kind of area and word lie in `tests/data`, so that no other
prover or solver changes them. The judge is asked of the clauses of each part, and of
clauses with a literal less, one turned round, or another name. How many follow is
written down, with a digest of which do: a change of the judge that should change no
answer changes none here.
"""

import json
import lzma
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.proof.clause_search import scene_of
from verify.checker.clauses import Judge
from verify.checker.proof import check, read

DATA = Path(__file__).parents[1] / "data"
STORED = DATA / "certificates.json.xz"
MOST = 100  # clauses asked of, of a rule


@cache
def stored() -> dict[str, Any]:
    certificates: dict[str, Any] = json.loads(lzma.decompress(STORED.read_bytes()))
    return certificates


def answers(name: str) -> Iterator[bool]:
    of = read(stored()[name])
    parts = of.parts[:: 1 + len(of.parts) // 12]
    total = sum(len(part.clauses) for part in parts)
    every = max(1, total // MOST)
    count = 0
    for part in parts:
        judge, names = Judge(scene_of(of, part)), part.names
        for clause in part.clauses:
            count += 1
            if count % every:
                continue
            fails = {names[abs(x) - 1]: x < 0 for x in clause}
            for i, (own, value) in enumerate(fails.items()):
                less = {x: fails[x] for x in fails if x != own}
                other = names[(abs(clause[i]) + count) % len(names)]
                for change in ({}, {own: not value}, {other: value}):
                    yield judge.explains(less | change)


def row(name: str) -> tuple[int, int, str]:
    answered = list(answers(name))
    digest = sha256(repr(answered).encode()).hexdigest()[:12]
    return len(answered), sum(answered), digest


RULES: dict[str, tuple[int, int, str]] = {
    "near-border-side": (993, 286, "2cfb1fa254de"),
    "near-border-front": (939, 245, "c7423dd51275"),
    "area-near-border": (201, 37, "b6c3687e466e"),
    "rim-1": (135, 24, "595619fce9c3"),
    "planar-1": (522, 173, "08a9489906b0"),
    "far-straight-left": (144, 25, "4a1f14db3424"),
    "far-across-right": (297, 39, "17a7813d59b5"),
    "pictured-2025-0522-1-rule": (903, 267, "6660dec6a9d0"),
    "sa-up-small": (870, 40, "38a9dceb69cd"),
    "corners-2": (984, 217, "67daa7b65c74"),
    "looping": (12, 6, "8ca517998024"),
    "future-step-on": (357, 355, "b9df0b407f66"),
    "future-connect": (291, 289, "0ee24340354d"),
    "future-dead-end": (396, 349, "a449f59ac585"),
    "future-follow": (96, 96, "c1eb80ca1ea7"),
}


@pytest.mark.parametrize("name", RULES)
def test_answers_are_as_they_were(name: str) -> None:
    assert row(name) == RULES[name]


def test_certificates_are_accepted_and_say_whether_they_know_the_corner() -> None:
    certificates = {name: read(stored()[name]) for name in RULES}
    for of in certificates.values():
        check(of)
    of_corner = [name for name, of in certificates.items() if of.upper_left]
    assert of_corner == ["near-border-side", "near-border-front"]
