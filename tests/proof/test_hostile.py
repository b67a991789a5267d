"""Forged certificates: names, shapes, scopes, parts; none of them is accepted."""

import json
import lzma
import pickle
import random
import time
from dataclasses import replace
from pathlib import Path

import pytest

from heuristic.rules.drawing import RuleSpec
from tests.proof.clause_search import honest_names, scene_of, search
from tests.proof.forging import forge, forged_ports
from tests.proof.lines import drawn_away, shows, small_walks
from tests.proof.test_lines import form
from tests.samples import book, proof_of
from verify.checker.claim import Flaw
from verify.checker.proof import SCOPES, Certificate, check, read, unpacked
from verify.proof.certificate import save_certificate
from verify.proof.checking import check_certificate
from verify.proof.inferences import ENDS

REFUTED = ["count-area-across-border-c", "double-area-4-dist"]
PROVED = [
    *("c-shape", "near-border-side", "near-border-front", "area-near-border"),
    *("close-across-right", "count-area-2-across", "double-c-shape"),
]


@pytest.mark.parametrize("name", REFUTED)
def test_a_port_named_from_behind_refutes_nothing(name: str, tmp_path: Path) -> None:
    """Once `["p", -1, 3]` was a second name of the last port, unknown to crossings."""
    path = tmp_path / f"{name}.proof.xz"
    path.write_bytes(lzma.compress(json.dumps(forged_ports(book(name))).encode()))
    checked = check_certificate(path, {name: book(name)})
    assert checked.fault is not None
    assert "has no name p -" in checked.fault


# An adversary that knows the format ---------------------------------------------


def judged_forgeries(
    count: int, folder: Path, seed: int, rules: dict[str, RuleSpec] | None = None
) -> dict[str, int]:
    """Judge so many forgeries; count what becomes of them; fail if one is believed."""
    rng = random.Random(seed)
    honest = {}
    for name, rule in (rules or {name: book(name) for name in PROVED}).items():
        proved = proof_of(rule)
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
        data = forge(rng, data, honest)
        try:
            found = read(json.loads(json.dumps(data)))
        except Flaw:
            counts["refused when read"] += 1
            continue
        try:
            check(found)
        except Flaw:
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
        scene = scene_of(found, part)
        told = search(scene, list(honest_names(scene)))
        assert told is not None, data
        assert told.model is None, data


def never_shown(found: Certificate) -> None:
    """Fail if a walk shows what a drawing without a live end says that none does."""
    board, some = small_walks()
    drawings = list(filter(None, map(drawn_away, found.rule.drawings)))
    for walk in some if drawings else ():
        assert not any(shows(one, walk, board) for one in drawings), drawings


@pytest.mark.no_cover
def test_no_forgery_is_believed(tmp_path: Path) -> None:
    counts = judged_forgeries(150, tmp_path, 1)
    assert sum(counts.values()) == 150
    assert counts["refused when read"] > 50
    assert counts["refused when judged"] > 15


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 22))
def test_no_forgery_of_very_many_is_believed(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Judge 100,000 in twenty runs, so that one cut short goes on (`--lf`)."""
    began = time.process_time()
    counts = judged_forgeries(5_000, tmp_path, seed)
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
def test_no_forgery_about_lines_is_believed(tmp_path: Path) -> None:
    counts = judged_forgeries(150, tmp_path, 1, of_lines())
    assert sum(counts.values()) == 150
    assert counts["refused when judged"] > 15


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_no_forgery_of_many_about_lines_is_believed(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Judge 10,000 forgeries in ten runs."""
    began = time.process_time()
    counts = judged_forgeries(1_000, tmp_path, seed, of_lines())
    told = f"{counts}, {time.process_time() - began:.0f} s of processor time"
    with capsys.disabled():
        print(f"\n1,000 hostile certificates about lines, seed {seed}: {told}")
