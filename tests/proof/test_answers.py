"""What the judge answers of honest certificates and of all that differ in one thing.

Certificates of every scope, kind of area and word lie in `tests/data`, so that no other
prover or solver changes them. Of each part the scene is laid out, and the judge asked
of clauses with a literal less, one turned round, or another name. How many follow is
written down, with a digest of which do and of the scenes: a change of the judge that
should change no answer changes none here. `python -m tests.proof.test_answers` proves
the rules again, and prints the table.
"""

import json
import lzma
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from heuristic.rules.drawing import RuleSpec
from heuristic.rules.rulefile import load_file
from tests.proof.test_forced_lines import GOOD
from tests.proof.test_lines import form
from tests.samples import book, proof_of
from verify.checker.clauses import Judge
from verify.checker.reading import read
from verify.checker.scene import scene_of, upper_left
from verify.checker.values import Fault
from verify.checker.views import _around
from verify.checker.whole import check, check_steps
from verify.proof.certificate import certificate_of
from verify.proof.lines import ENDS

DATA = Path(__file__).parents[1] / "data"
STORED = DATA / "certificates.json.xz"
MOST = 100  # clauses asked of, of a rule


@cache
def stored() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(lzma.decompress(STORED.read_bytes()))
    return found


def proved_anew(name: str) -> Any:
    if name == GOOD.name:
        rule = GOOD
    elif name in ENDS:
        rule = form(name)
    else:
        tied = {rule.name: rule for rule in load_file(DATA / "tied_rules.toml")}
        found = tied.get(name) or book(name)
        assert isinstance(found, RuleSpec)
        rule = found
    proved = proof_of(rule)
    return json.loads(lzma.decompress(certificate_of(proved)))


def plain(value: Any) -> str:
    """Write a value down, sets in order."""
    if isinstance(value, (set, frozenset)):
        return plain(sorted(value))
    if isinstance(value, dict):
        return plain(sorted(value.items(), key=repr))
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(plain, value)) + "]"
    return repr(value)


def answers(name: str) -> Iterator[tuple[str, bool]]:
    of = read(stored()[name])
    parts = of.parts[:: 1 + len(of.parts) // 12]
    asked = sum(len(part.clauses) for part in parts)
    every = max(1, asked // MOST)
    count = 0
    for part in parts:
        scene = scene_of(of.sketches[part.drawing], part)
        around = [_around(scene, cell) for cell in sorted(scene.cells)]
        yield plain([astuple(scene), around]), False
        judge, names = Judge(scene), part.names
        for clause in part.clauses:
            count += 1
            if count % every:
                continue
            fails = {names[abs(x) - 1]: x < 0 for x in clause}
            for i, one in enumerate(fails):
                less = {x: fails[x] for x in fails if x != one}
                other = names[(abs(clause[i]) + count) % len(names)]
                for change in ({}, {one: not fails[one]}, {other: fails[one]}):
                    yield "", judge.explains(less | change)


def row(name: str) -> tuple[int, int, str]:
    told = list(answers(name))
    follow = sum(answer for _, answer in told)
    return len(told), follow, sha256(repr(told).encode()).hexdigest()[:12]


RULES: dict[str, tuple[int, int, str]] = {
    "c-shape": (2, 0, "19b3369956a2"),
    "near-border-side": (997, 239, "4db4eb15f64b"),
    "near-border-front": (945, 223, "efe5ada049f6"),
    "area-near-border": (204, 37, "512cf7388e9d"),
    "rim-1": (136, 24, "d2f433ca499b"),
    "planar-1": (523, 169, "53d7335b63e5"),
    "far-straight-left": (146, 25, "d0890bdb1027"),
    "far-across-right": (299, 39, "7ece9f99950b"),
    "pictured-2025-0522-1-rule": (905, 267, "7ee79f14a72b"),
    "sa-up-small": (882, 40, "702db89c6009"),
    "corners-2": (985, 213, "20e577123f54"),
    "looping": (13, 6, "cedfc3afcc87"),
    "future-step-on": (368, 355, "ff16577a5244"),
    "future-connect": (302, 289, "8739ba87dc14"),
    "future-dead-end": (408, 349, "768f64070845"),
    "future-follow": (103, 96, "0b413f984a81"),
}


@pytest.mark.parametrize("name", RULES)
def test_answers_are_as_they_were(name: str) -> None:
    assert row(name) == RULES[name]


def test_certificates_are_accepted_and_say_whether_they_know_the_corner() -> None:
    known = set()
    for name in RULES:
        of = read(stored()[name])
        check(of)
        if upper_left(of.sketches, of.parts):
            known.add(name)
    assert known == {"near-border-side", "near-border-front"}


def test_each_use_of_a_lemma_counts() -> None:
    """A proof that uses a clause less holds only where the clause is used in vain."""
    of = read(stored()["near-border-side"])
    told = Counter[str]()
    for part in of.parts:
        for at, (lemma, used) in enumerate(part.steps):
            for i in range(len(used)):
                step = (lemma, used[:i] + used[i + 1 :])
                steps = (*part.steps[:at], step, *part.steps[at + 1 :])
                try:
                    check_steps(part.clauses, steps)
                except Fault as fault:
                    told[str(fault).split(" step")[0]] += 1
                else:
                    told["holds"] += 1
    assert told == {"the proof fails:": 1114, "holds": 24}


if __name__ == "__main__":  # with a word more only the table
    names = (
        "c-shape near-border-side near-border-front area-near-border rim-1 planar-1 "
    )
    names += "far-straight-left far-across-right pictured-2025-0522-1-rule "
    names += (
        "sa-up-small corners-2 looping future-step-on future-connect future-dead-end "
    )
    names += "future-follow"
    if not sys.argv[1:]:
        new = {name: proved_anew(name) for name in names.split()}
        STORED.write_bytes(lzma.compress(json.dumps(new).encode(), preset=9))
    for name in names.split():
        print(f"    {name!r}: {row(name)},")
