"""Clauses that the checker accepts, searched by models: a wrong rule keeps a model."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

import pytest

from heuristic.rules.drawing import POSE_NAMES, CellState, RuleSpec
from tests.doubles.mutation import mutants, pieces, refuted
from tests.proof.clause_search import (
    Result,
    accepted_names,
    encoded,
    honest_names,
    hostile_names,
    scene_of,
    search,
)
from tests.proof.forging import REFUTED
from tests.proof.lines import away_drawings, shows, small_walks
from tests.proof.test_lines import form
from tests.samples import book, proof_of, specs
from verify.checker.claim import LIVE, Sketch, read_as
from verify.checker.proof import SCOPES, read, unpacked
from verify.checker.scene import Name, Scene
from verify.proof.certificate import certificate_of, rule_record
from verify.proof.decision import growing
from verify.proof.prove import Proved, parts, prove_rule
from verify.proof.window import Window, neighbours

WRONG = [
    *(*REFUTED, "sa-corner-big-first"),
    *("double-obstacle-outside", "start-obstacle-outside"),
    *("straight-mid-across-3-end-area-crossed", "straight-mid-across-3-end-c-crossed"),
    *("future-3x3-start-end", "future-2x2-start-end-rotated"),
    *("future-l", "future-2x2-start-end-9"),
]
SMALL = 12  # cells of a planar window, at most


def scene_for(window: Window, rule: RuleSpec, of: int, pose: str, scope: str) -> Scene:
    """Return a window as the checker reads it from a certificate of a rule."""
    record = json.loads(json.dumps(rule_record(rule)["drawings"][of]))
    move = neighbours(LIVE)[window.move]
    return Scene(read_as(record, Sketch), (pose,), move, scope, window.seen)


def looked_at(window: Window, scope: str) -> Window:
    """Return the cells for a search: all, or of a planar window a few."""
    if scope in ("PLAIN", "RIM"):
        return window
    few = [part for part in growing(window) if len(part.seen) <= SMALL]
    return max(few or [next(growing(window))], key=lambda part: len(part.seen))


def usable_names(scene: Scene) -> list[Name]:
    """Return the names that the checker accepts, hostile ones offered too."""
    names = accepted_names(scene, chain(honest_names(scene), hostile_names(scene)))
    assert set(names) == set(honest_names(scene))
    return names


def searched(rule: RuleSpec, scopes: tuple[str, ...], most: int) -> Iterator[Result]:
    """Search the windows of a rule that have no proof."""
    attempt = prove_rule(rule, seconds=5.0, most=most)
    wrong = [part for part, _ in getattr(attempt, "survivors", ())]
    for part, whole in parts(rule):
        for scope in scopes if part in wrong else ():
            window = looked_at(whole, scope)
            scene = scene_for(window, rule, part.drawing, POSE_NAMES[part.pose], scope)
            result = search(scene, usable_names(scene), first=encoded(scene, window))
            assert result is not None, (rule.name, part, scope)
            yield result


@pytest.mark.parametrize(
    ("name", "scopes", "most"),
    [
        (REFUTED[0], ("PLAIN",), 1),
        (REFUTED[1], ("CORNERS",), 1),
        *(pytest.param(name, SCOPES, 2, marks=pytest.mark.slow) for name in WRONG),
    ],
)
def test_a_model_of_a_refuted_rule_remains(
    name: str, scopes: tuple[str, ...], most: int
) -> None:
    """In the drawings without a proof; a case of the corpus refutes each rule."""
    models = [result.model for result in searched(form(name), scopes, most)]
    assert models
    assert None not in models


@pytest.mark.slow
@pytest.mark.parametrize("name", [rule.name for rule in specs("seed-9-size")])
def test_a_model_of_refuted_mutants_remains(name: str) -> None:
    """Twelve mutants of each rule: those refuted, some 200 in all, keep a model."""
    rule, rng = book(name), random.Random(name)
    if not isinstance(prove_rule(rule, seconds=5.0, most=1), Proved):
        assert name in WRONG
        return
    changed = list(mutants(rule))
    some = pieces(rule, rng.sample(changed, min(len(changed), 12)))
    wrong = [piece for piece, _ in refuted(some)]
    for piece in wrong:
        [(part, whole)] = parts(piece.rule)
        for scope in SCOPES:
            window = looked_at(whole, scope)
            scene = scene_for(window, piece.rule, 0, POSE_NAMES[part.pose], scope)
            names = list(honest_names(scene))
            result = search(scene, names, first=encoded(scene, window))
            assert result is None or result.model is not None, (piece.rule.name, scope)


def wrong_ends() -> Iterator[RuleSpec]:
    """Yield rules of one drawing without a live end that a walk contradicts."""
    board, walks = small_walks()
    for number, drawing in enumerate(away_drawings()):
        free = any(need.states == CellState.FREE for need in drawing.needs)
        for k in range(len(drawing.facts) if free else 0):
            facts = drawing.facts[:k] + drawing.facts[k + 1 :]
            fewer = replace(drawing, facts=facts)
            if facts and shows(fewer, walks[0], board):
                name = f"end-{number}-{k}"
                yield RuleSpec(name, "sound", "a test", "none", (fewer,))


def remaining_models(rule: RuleSpec) -> int:
    """Count the parts that keep a model; fail at a part that does not."""
    count = 0
    for part, window in parts(rule):
        for scope in ("PLAIN", "RIM") if window.away else ("PLAIN",):
            pose = POSE_NAMES[part.pose]
            scene = scene_for(window, rule, part.drawing, pose, scope)
            result = search(scene, usable_names(scene), first=encoded(scene, window))
            assert result is not None, (rule.name, scope)
            assert result.model is not None, (rule.name, scope)
            count += 1
    return count


@pytest.mark.parametrize("most", [6, pytest.param(None, marks=pytest.mark.slow)])
def test_models_of_wrong_ends_of_lines_remain(most: int | None) -> None:
    counts = [*map(remaining_models, islice(wrong_ends(), most))]
    assert set(counts) == {2}
    assert len(counts) == most or len(counts) > 50


# The search turned round: a second prover --------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        *("c-shape", "area-near-border", "close-across-right"),
        *(pytest.param(x.name, marks=pytest.mark.slow) for x in specs("seed-7")),
    ],
)
def test_a_second_prover_confirms_proofs_part_by_part(name: str) -> None:
    certificate = read(unpacked(certificate_of(proof_of(book(name)))))
    assert certificate.parts
    for part in certificate.parts:
        scene = scene_of(certificate, part)
        result = search(scene, list(honest_names(scene)))
        assert result is not None, (name, part)
        assert result.model is None, (name, part)
