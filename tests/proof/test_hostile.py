"""Forged certificates: names, shapes, scopes, parts; none of them is accepted."""

import json
import lzma
import random
import time
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest

from heuristic.rules.drawing import RuleSpec
from tests.proof.clause_search import honest_names, scene_of, search
from tests.proof.forging import REFUTED, forge, forged_ports
from tests.proof.lines import drawn_away, shows, small_walks
from tests.proof.test_forced_lines import DRAWN_WHOLE, FOLLOWED, GOOD
from tests.proof.test_lines import form
from tests.samples import book, proof_of
from verify.checker.claim import Flaw
from verify.checker.proof import SCOPES, Certificate, check, read, unpacked
from verify.proof.certificate import save_certificate
from verify.proof.checking import check_certificate
from verify.proof.inferences import ENDS

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
) -> Counter[str]:
    """Judge so many forgeries; count what becomes of them; fail if one is believed."""
    rng, honest = random.Random(seed), {}
    for name, rule in (rules or {name: book(name) for name in PROVED}).items():
        path = save_certificate(proof_of(rule), folder)
        honest[name] = unpacked(path.read_bytes())
    wrong = {} if rules else {REFUTED[0]: forged_ports(book(REFUTED[0]))}
    bodies = {name: json.dumps(data) for name, data in (honest | wrong).items()}
    records = {name: json.loads(body)["rule"] for name, body in bodies.items()}
    counts = Counter[str]()
    for _ in range(count):
        name = rng.choice([*bodies])
        body = rng.choice([name, rng.choice([*bodies])])
        data = json.loads(bodies[body]) | {"rule": deepcopy(records[name])}
        data = forge(rng, data, honest)
        fate = "refused when read"
        try:
            found = read(json.loads(json.dumps(data)))
            fate = "refused when judged"
            check(found)
        except Flaw:
            counts[fate] += 1
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
        result = search(scene, list(honest_names(scene)))
        assert result is not None, data
        assert result.model is None, data


def never_shown(found: Certificate) -> None:
    """Fail if a walk shows what a drawing without a live end says that none does."""
    board, some = small_walks()
    drawings = list(filter(None, map(drawn_away, found.rule.drawings)))
    for walk in some if drawings else ():
        assert not any(shows(one, walk, board) for one in drawings), drawings


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


def forced() -> dict[str, RuleSpec]:
    return {rule.name: rule for rule in (GOOD, DRAWN_WHOLE, FOLLOWED)}


@pytest.mark.no_cover
@pytest.mark.parametrize(("rules", "least"), [(dict, 15), (of_lines, 15), (forced, 5)])
def test_no_forgery_is_believed(
    tmp_path: Path, rules: Callable[[], dict[str, RuleSpec]], least: int
) -> None:
    counts = judged_forgeries(150, tmp_path, 1, rules())
    assert counts.total() == 150
    assert counts["refused when read"] > 50
    assert counts["refused when judged"] > least


# 100,000 in twenty runs and 10,000 in ten: `--lf` repeats only the runs that failed.
MANY = [pytest.param(5000, k, dict, id=f"very_many-{k}") for k in range(2, 22)]
MANY += [pytest.param(1000, k, of_lines, id=f"about_lines-{k}") for k in range(2, 12)]


@pytest.mark.slow
@pytest.mark.parametrize(("count", "seed", "rules"), MANY)
def test_no_forgery_of_many_is_believed(
    count: int,
    seed: int,
    rules: Callable[[], dict[str, RuleSpec]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    began = time.process_time()
    counts = judged_forgeries(count, tmp_path, seed, rules())
    seconds = time.process_time() - began
    with capsys.disabled():
        print(f"\n{count} forgeries, seed {seed}: {dict(counts)}, {seconds:.0f} s")
