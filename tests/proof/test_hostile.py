"""Certificates that lie: names, shapes, scopes, parts; none of them is accepted."""

import json
import lzma
import pickle
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

from heuristic.groups import load_rules
from heuristic.language.drawing import RuleSpec
from tests.proof.clause_search import (
    Found,
    accepted_names,
    encoded,
    honest_names,
    hostile_names,
    search,
)
from tests.proof.forging import LIES, forged_ports, lie
from tests.proof.lines import away_drawings, drawn_away, shows, small_walks
from tests.proof.test_lines import form
from verify.checker.reading import FORMAT, SCOPES, Certificate, read, unpacked
from verify.checker.scene import Scene, scene_of
from verify.checker.values import Fault
from verify.checker.whole import check
from verify.mutation.court import Limits
from verify.mutation.mutate import mutants
from verify.mutation.trial import try_mutants
from verify.proof.certificate import (
    check_certificate,
    rule_hash,
    rule_record,
    save_certificate,
)
from verify.proof.ends import ENDS
from verify.proof.growth import growing
from verify.proof.prove import Proved, open_parts, parts, prove_rule
from verify.proof.view import Window

REFUTED = ["count-area-across-border-c", "double-area-4-dist"]
WRONG = [
    *(*REFUTED, "sa-corner-big-first", "directional-area", "down-stair"),
    *("double-obstacle-outside", "start-obstacle-outside"),
    *("straight-mid-across-3-end-area-crossed", "straight-mid-across-3-end-c-crossed"),
]
PROVED = [
    *("c-shape", "near-border-side", "near-border-front", "area-near-border"),
    *("close-across-right", "count-area-2-across", "double-c-shape"),
]
SMALL = 12  # cells of a planar window, at most


def book(name: str) -> RuleSpec:
    spec: RuleSpec = load_rules(name).rules[0].spec  # type: ignore[attr-defined] # a drawn rule
    return spec


@pytest.mark.parametrize("name", REFUTED)
def test_a_port_named_from_behind_refutes_nothing(name: str, tmp_path: Path) -> None:
    """Once `["p", -1, 3]` was a second name of the last port, unknown to crossings."""
    path = tmp_path / f"{name}.proof.xz"
    path.write_bytes(lzma.compress(json.dumps(forged_ports(book(name))).encode()))
    checked = check_certificate(path, {name: book(name)})
    assert checked.fault is not None
    assert "has no name p -" in checked.fault


# An adversary that knows the format ---------------------------------------------


def lied_to(
    count: int, folder: Path, seed: int, rules: dict[str, RuleSpec] | None = None
) -> dict[str, int]:
    """Tell so many lies; count what becomes of them, and fail if one is believed."""
    rng = random.Random(seed)
    honest = {}
    for name, rule in (rules or {name: book(name) for name in PROVED}).items():
        proved = prove_rule(rule)
        assert isinstance(proved, Proved)
        honest[name] = unpacked(save_certificate(proved, folder).read_bytes())
    wrong = {} if rules else {REFUTED[0]: forged_ports(book(REFUTED[0]))}
    bodies = {
        name: pickle.dumps(json.loads(json.dumps(data)))
        for name, data in (honest | wrong).items()
    }
    records = {name: data["rule"] for name, data in (honest | wrong).items()}
    counts = {"refused when read": 0, "refused when judged": 0}
    counts |= {"still the proof": 0, "another proof": 0}
    for _ in range(count):
        name = rng.choice([*honest, *wrong])
        body = rng.choice([name, rng.choice(list(bodies))])
        data = pickle.loads(bodies[body])
        data["rule"] = pickle.loads(bodies[name])["rule"]
        data = lie(rng, data, honest)
        if "rule" in data and rng.random() < 0.9:
            data["hash"] = rule_hash(data["rule"])
        try:
            found = read(data)
        except Fault:
            counts["refused when read"] += 1
            continue
        try:
            check(found)
        except Fault:
            counts["refused when judged"] += 1
            continue
        assert name not in wrong or data["rule"] != records[name], data
        known = honest[name]["scope"] if name in honest else "PLAIN"
        wider = SCOPES.index(found.scope) < SCOPES.index(known)
        if data["rule"] != records[name] or wider:
            really_proved(found, data)
            never_shown(found)
            counts["another proof"] += 1
        else:
            counts["still the proof"] += 1
    return counts


def really_proved(found: Certificate, data: object) -> None:
    """Fail unless another prover confirms what a certificate of no rule proves."""
    for part in found.parts:
        scene = scene_of(found.sketches[part.drawing], part)
        told = search(scene, list(honest_names(scene)))
        assert told is not None, data
        assert told.model is None, data


def never_shown(found: Certificate) -> None:
    """Fail if a walk shows what a drawing without a live end says that none does."""
    board, some = small_walks()
    for drawing in filter(None, map(drawn_away, found.sketches)):
        assert not any(shows(drawing, walk, board, 14) for walk in some), drawing


@pytest.mark.no_cover
def test_no_lie_is_believed(tmp_path: Path) -> None:
    counts = lied_to(300, tmp_path, 1)
    assert sum(counts.values()) == 300
    assert counts["refused when read"] > 100
    assert counts["refused when judged"] > 30
    assert len(LIES) >= 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 22))
def test_no_lie_of_very_many_is_believed(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tell 100,000 lies in twenty runs, so that one cut short goes on (`--lf`)."""
    began = time.process_time()
    counts = lied_to(5_000, tmp_path, seed)
    told = f"{counts}, {time.process_time() - began:.0f} s of processor time"
    with capsys.disabled():
        print(f"\n5,000 hostile certificates, seed {seed}: {told}")


# Rules about lines: facts about the live end, and drawings that have none

LINES = (*ENDS, "future-corner-pass", "future-2x3-start-end")
FEW_DRAWINGS = 12


def of_lines() -> dict[str, RuleSpec]:
    """Return proved rules that grant something, a few of their drawings each."""
    found = {}
    for name in LINES:
        rule = form(name)
        drawings = rule.drawings[:: max(1, len(rule.drawings) // FEW_DRAWINGS)]
        found[name] = replace(rule, drawings=drawings)
    return found


@pytest.mark.no_cover
def test_no_lie_about_lines_is_believed(tmp_path: Path) -> None:
    counts = lied_to(150, tmp_path, 1, of_lines())
    assert sum(counts.values()) == 150
    assert counts["refused when judged"] > 15


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_no_lie_of_many_about_lines_is_believed(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tell 10,000 lies in ten runs."""
    began = time.process_time()
    counts = lied_to(1_000, tmp_path, seed, of_lines())
    told = f"{counts}, {time.process_time() - began:.0f} s of processor time"
    with capsys.disabled():
        print(f"\n1,000 hostile certificates about lines, seed {seed}: {told}")


# A search led by models ------------------------------------------------------------


def scene_for(window: Window, rule: RuleSpec, of: int, pose: str, scope: str) -> Scene:
    """Return a window as the checker reads it from a certificate of a rule."""
    record = rule_record(rule)
    row, col = [(-1, 0), (0, 1), (1, 0), (0, -1)][window.move]
    part = {
        "drawing": of,
        "poses": [pose],
        "move": [-col, -row],
        "scope": scope,
        "cells": window.cells(),
        "names": [],
        "clauses": [[]],
        "steps": [[[], [1]]],
    }
    data = {"format": FORMAT, "rule": record, "hash": rule_hash(record)}
    text = json.dumps(data | {"scope": scope, "parts": [part]})
    found = read(json.loads(text))
    return scene_of(found.sketches[of], found.parts[0])


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
    wrong = open_parts(rule, seconds=5.0, most=most)
    for part, whole in parts(rule):
        if part not in wrong:
            continue
        for scope in scopes:
            window = looked_at(whole, scope)
            scene = scene_for(window, rule, part.drawing, part.pose.name, scope)
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
    own = {repr(window) for _, window in parts(rule)}
    numbered = [(i, *told) for i, told in enumerate(mutants(rule))]
    some = rng.sample(numbered, min(len(numbered), 12))
    trials = try_mutants(rule, some, Limits(positions=2000))
    refuted = [
        (change, mutant)
        for (_, change, mutant), trial in zip(some, trials, strict=True)
        if trial.word == "refuted"
    ]
    for change, mutant in refuted:
        for scope in SCOPES:
            assert _stands(mutant, own, scope), (mutant.name, change, scope)
    with capsys.disabled():
        print(f"\n{name}: {len(refuted)} refuted mutants of {len(some)}")


def _stands(mutant: RuleSpec, own: set[str], scope: str) -> bool:
    """Tell whether a model stands of a window that the rule itself does not have."""
    for part, whole in parts(mutant):
        if repr(whole) in own:
            continue
        window = looked_at(whole, scope)
        scene = scene_for(window, mutant, part.drawing, part.pose.name, scope)
        found = search(scene, list(honest_names(scene)), first=encoded(scene, window))
        if found is not None and found.model is not None:
            return True
    return False


def wrong_ends(most: int) -> list[RuleSpec]:
    """Return rules of one drawing without a live end that a walk contradicts."""
    board, some = small_walks()
    found = []
    for number, drawing in enumerate(away_drawings()):
        for k in range(len(drawing.granted)):
            facts = drawing.granted[:k] + drawing.granted[k + 1 :]
            fewer = replace(drawing, granted=facts)
            cells = {need.at for need in drawing.needs if need.states == 1}
            if facts and cells and any(shows(fewer, x, board, 14) for x in some[:1]):
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
            scene = scene_for(window, rule, part.drawing, part.pose.name, scope)
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
        proved = prove_rule(book(name))
        assert isinstance(proved, Proved)
        found = read(unpacked(save_certificate(proved, folder).read_bytes()))
        for part in found.parts:
            scene = scene_of(found.sketches[part.drawing], part)
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
