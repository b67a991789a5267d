"""Clauses that the checker accepts, searched by models: a wrong rule keeps a model."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

from heuristic.groups import load_rules
from heuristic.rules.drawing import POSE_NAMES, RuleSpec
from tests.doubles.mutation import mutants, pieces, refuted
from tests.proof.clause_search import (
    Found,
    accepted_names,
    encoded,
    honest_names,
    hostile_names,
    scene_of,
    search,
)
from tests.proof.lines import away_drawings, shows, small_walks
from tests.proof.test_hostile import REFUTED
from tests.proof.test_lines import form
from tests.samples import book, proof_of
from verify.checker.claim import FORMAT
from verify.checker.proof import SCOPES, read, unpacked
from verify.checker.scene import Scene
from verify.proof.certificate import rule_record, save_certificate
from verify.proof.decision import growing
from verify.proof.prove import Proved, parts, prove_rule
from verify.proof.window import Window

WRONG = [
    *(*REFUTED, "sa-corner-big-first"),
    *("double-obstacle-outside", "start-obstacle-outside"),
    *("straight-mid-across-3-end-area-crossed", "straight-mid-across-3-end-c-crossed"),
]
SMALL = 12  # cells of a planar window, at most


def scene_for(window: Window, rule: RuleSpec, of: int, pose: str, scope: str) -> Scene:
    """Return a window as the checker reads it from a certificate of a rule."""
    record = rule_record(rule)
    move = [(-1, 0), (0, 1), (1, 0), (0, -1)][window.move]
    part = {
        "drawing": of,
        "poses": [pose],
        "move": move,
        "scope": scope,
        "cells": window.cells(),
        "names": [],
        "clauses": [],
        "steps": [[[], [1]]],
    }
    data = {"format": FORMAT, "rule": record, "scope": scope, "parts": [part]}
    found = read(json.loads(json.dumps(data)))
    return scene_of(found, found.parts[0])


def looked_at(window: Window, scope: str) -> Window:
    """Return the cells for a search: all, or of a planar window a few."""
    if scope in ("PLAIN", "RIM"):
        return window
    few = [part for part in growing(window) if len(part.cells()) <= SMALL]
    return (
        max(few, key=lambda part: len(part.cells())) if few else next(growing(window))
    )


def searched(rule: RuleSpec, scopes: tuple[str, ...], most: int) -> Iterator[Found]:
    """Search windows of a rule without a proof, hostile names among the names."""
    attempt = prove_rule(rule, seconds=5.0, most=most)
    wrong = [part for part, _ in getattr(attempt, "survivors", ())]
    for part, whole in parts(rule):
        if part not in wrong:
            continue
        for scope in scopes:
            window = looked_at(whole, scope)
            scene = scene_for(window, rule, part.drawing, POSE_NAMES[part.pose], scope)
            names = accepted_names(
                scene, chain(honest_names(scene), hostile_names(scene))
            )
            assert set(names) == set(honest_names(scene))
            found = search(scene, names, first=encoded(scene, window))
            assert found is not None, (rule.name, part, scope)
            yield found


def test_a_model_stands_of_a_refuted_rule() -> None:
    for name, scope in zip(REFUTED, ("PLAIN", "CORNERS"), strict=True):
        for found in searched(book(name), (scope,), 1):
            assert found.model is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_a_model_stands_of_every_refuted_rule(name: str) -> None:
    found = list(searched(book(name), SCOPES, 2))
    assert found
    assert all(one.model is not None for one in found)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [rule.name for rule in load_rules("seed-9-size").rules]
)
def test_a_model_stands_of_refuted_mutants(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twelve mutants of each rule: those refuted, some 200 in all, keep a model."""
    rule, rng = book(name), random.Random(name)
    if not isinstance(prove_rule(rule, seconds=5.0, most=1), Proved):
        assert name in WRONG
        return
    found = list(mutants(rule))
    some = pieces(rule, rng.sample(found, min(len(found), 12)))
    wrong = [piece for piece, _ in refuted(some)]
    for piece in wrong:
        [(part, whole)] = parts(piece.rule)
        for scope in SCOPES:
            window = looked_at(whole, scope)
            scene = scene_for(window, piece.rule, 0, POSE_NAMES[part.pose], scope)
            names = list(honest_names(scene))
            told = search(scene, names, first=encoded(scene, window))
            assert told is None or told.model is not None, (piece.rule.name, scope)
    with capsys.disabled():
        print(f"\n{name}: {len(wrong)} refuted windows of mutants")


def wrong_ends(most: int) -> list[RuleSpec]:
    """Return rules of one drawing without a live end that a walk contradicts."""
    board, some = small_walks()
    found = []
    for number, drawing in enumerate(away_drawings()):
        for k in range(len(drawing.facts)):
            facts = drawing.facts[:k] + drawing.facts[k + 1 :]
            fewer = replace(drawing, facts=facts)
            cells = {need.at for need in drawing.needs if need.states == 1}
            if facts and cells and shows(fewer, some[0], board):
                name = f"end-{number}-{k}"
                found.append(RuleSpec(name, "sound", "a test", "none", (fewer,)))
        if len(found) >= most:
            break
    return found[:most]


def stands_of(rule: RuleSpec) -> int:
    """Count the parts of which a model stands; fail at one of which none does."""
    count = 0
    for part, window in parts(rule):
        for scope in ("PLAIN", "RIM") if window.away else ("PLAIN",):
            scene = scene_for(window, rule, part.drawing, POSE_NAMES[part.pose], scope)
            names = accepted_names(
                scene, chain(honest_names(scene), hostile_names(scene))
            )
            assert set(names) == set(honest_names(scene))
            found = search(scene, names, first=encoded(scene, window))
            assert found is not None, (rule.name, scope)
            assert found.model is not None, (rule.name, scope)
            count += 1
    return count


def test_a_model_stands_of_wrong_ends_of_lines() -> None:
    assert sum(map(stands_of, wrong_ends(6))) == 12


@pytest.mark.slow
def test_a_model_stands_of_all_wrong_ends_of_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rules = wrong_ends(10_000)
    count = sum(map(stands_of, rules))
    with capsys.disabled():
        print(f"\n{len(rules)} wrong drawings of ends of lines, {count} searches")
    assert len(rules) > 50


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *("future-3x3-start-end", "future-2x2-start-end-rotated"),
        *("future-l", "future-2x2-start-end-9"),
    ],
)
def test_a_model_stands_of_refuted_rules_about_lines(name: str) -> None:
    """In the drawings without a proof; a case of the corpus refutes each rule."""
    rule = form(name)
    found = list(searched(rule, SCOPES, 2))
    assert found
    assert all(one.model is not None for one in found)


# The search turned round: a second prover --------------------------------------------


def confirmed(folder: Path, names: list[str]) -> int:
    """Confirm proofs by the search alone, part by part; return how many parts."""
    count = 0
    for name in names:
        proved = proof_of(book(name))
        found = read(unpacked(save_certificate(proved, folder).read_bytes()))
        for part in found.parts:
            scene = scene_of(found, part)
            told = search(scene, list(honest_names(scene)))
            assert told is not None, (name, part)
            assert told.model is None, (name, part)
            assert told.clauses or () in part.clauses
            count += 1
    return count


def test_a_second_prover_confirms_small_proofs(tmp_path: Path) -> None:
    assert (
        confirmed(tmp_path, ["c-shape", "area-near-border", "close-across-right"]) > 5
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", [rule.name for rule in load_rules("seed-7").rules])
def test_a_second_prover_confirms_the_rules_of_small_boards(
    name: str, tmp_path: Path
) -> None:
    assert confirmed(tmp_path, [name])
