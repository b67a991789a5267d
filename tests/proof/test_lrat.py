"""Proofs as LRAT, judged by a second checker and by a verified one."""

from pathlib import Path

import pytest

from solver.board import Board, Position
from solver.errors import WitnessError
from solver.export import cnf as of_instance
from solver.export import problem_of
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import get_oracle
from solver.oracles.sat import prove_dead
from tests.proof.lrat_check import lrat_fault
from tests.proof.test_hostile import PROVED
from tests.runner import assert_refused, run
from tests.samples import book, proof_of
from verify.checker.proof import read
from verify.proof import dead
from verify.proof.certificate import save_certificate
from verify.proof.checking import export_lrat, load_certificate
from verify.proof.dead import dimacs, refute_dimacs, stem, write_proof
from verify.proof.prove import Proved, book_rules, provable, prove_rule
from verify.proof.refutation import lrat, proof_steps

DEAD = ("7:RDLDDRURDRRRR", "5:RDD", "2:", "4x5@1,1>4,5!2,2:RR", "9:RRDDLLDRR")
CNF = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n"


def verified_accepts(formula: str, proof: str) -> bool:
    """Ask drup, a checker extracted from verified Why3 code; it needs no hints."""
    drup = pytest.importorskip("drup")
    lines = [line.split() for line in formula.splitlines() if line[0] not in "cp"]
    clauses = [[int(x) for x in line[:-1]] for line in lines]
    numbers = [[int(x) for x in line.split()] for line in proof.splitlines()]
    lemmas = [line[1 : line.index(0)] for line in numbers]
    return bool(drup.check_proof(clauses, lemmas).outcome == drup.Outcome.VALID)


def files_of(folder: Path) -> list[tuple[str, str]]:
    """Return formulas and proofs of a folder."""
    formulas = sorted(folder.glob("*.cnf"))
    return [(p.read_text(), p.with_suffix(".lrat").read_text()) for p in formulas]


def test_certificates_are_exported_as_proofs(tmp_path: Path) -> None:
    certificates, out = tmp_path / "proofs", tmp_path / "out"
    paths = [save_certificate(proof_of(book(name)), certificates) for name in PROVED]
    ran = run("proof", "check", str(certificates), "--lrat", str(out))
    assert ran.code == 0
    files = files_of(out)
    numbers = [len(read(load_certificate(path)).parts) for path in paths]
    assert len(files) == sum(numbers) > len(PROVED)
    assert ran.out.endswith(f"\nwritten: {2 * len(files)} files in {out}\n")
    assert "c variable 1: " in files[0][0]
    for formula, proof in files:
        assert lrat_fault(formula, proof) is None
        if len(proof) + len(formula) < 50_000:
            assert verified_accepts(formula, proof)


@pytest.mark.parametrize("text", DEAD)
def test_dead_positions_are_refuted_formulas_to_both_checkers(text: str) -> None:
    position = Position.parse(text)
    proof = prove_dead(position)
    lines = lrat(proof.clauses, proof_steps(proof.clauses, proof.lines))
    exported = of_instance(problem_of(position))
    drat, hinted = refute_dimacs(exported, 100_000) or ("", "")
    for formula, text in ((dimacs(position, proof), lines), (exported, hinted)):
        assert lrat_fault(formula, text) is None
        assert verified_accepts(formula, text)
        later = "".join(text.splitlines(keepends=True)[1:])
        assert lrat_fault(formula, later) is not None
    lemmas = [line.split(" ", 1)[1] for line in hinted.splitlines()]
    assert drat.splitlines() == [
        lemma[: f" {lemma}".index(" 0 ") + 1] for lemma in lemmas
    ]


def test_a_formula_with_a_model_is_not_refuted() -> None:
    with pytest.raises(WitnessError, match="has a model"):
        refute_dimacs(of_instance(problem_of(Position.parse("5:RD"))), 100_000)
    hard = "13:DRURRRRRRDRURRRRDDDDLL"
    assert refute_dimacs(of_instance(problem_of(Position.parse(hard))), 1) is None


def test_the_second_checker_refuses_what_does_not_follow() -> None:
    good = "5 2 0 1 2 0\n6 0 5 3 4 0\n"
    assert lrat_fault(CNF, good) is None
    assert lrat_fault(CNF, "5 2 0 1 2 0\n") == "the last lemma is not empty"
    for wrong in (
        "5 2 0 1 0\n",
        "5 2 0 1 3 0\n",
        "5 2 0 0\n",
        "5 2 0 2 1 3 0\n",
        "5 0 1 2 3 4 0\n",
    ):
        assert lrat_fault(CNF, wrong + "6 0 5 3 4 0\n") == wrong.strip()
    assert verified_accepts(CNF, good)
    assert not verified_accepts(CNF.replace("-1 -2 0\n", ""), good)


def test_a_certificate_that_does_not_hold_is_not_written(tmp_path: Path) -> None:
    path = save_certificate(proof_of(book("c-shape")), tmp_path)
    path.write_bytes(path.read_bytes()[:-8])
    out = tmp_path / "out"
    assert_refused(run("proof", "check", str(path), "--lrat", str(out)))
    assert_refused(run("proof", "check", str(tmp_path / "none"), "--lrat", str(out)))
    assert not out.exists()


@pytest.mark.slow
def test_all_certificates_of_the_book(tmp_path: Path) -> None:
    for name, rule in provable(book_rules()).items():
        proved = prove_rule(rule, seconds=20.0, most=1)
        if isinstance(proved, Proved):
            path = save_certificate(proved, tmp_path / "proofs")
            assert export_lrat(path, tmp_path / name, {name: rule})
            for formula, proof in files_of(tmp_path / name):
                assert lrat_fault(formula, proof) is None, name
                if len(formula) + len(proof) < 50_000:
                    assert verified_accepts(formula, proof), name
    assert len([*tmp_path.rglob("*.cnf")]) > 500


def test_a_proof_with_a_fault_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dead, "find_proof_fault", lambda *_: "a fault")
    prover, out = get_oracle("sat", proof=True), tmp_path / "out"
    with pytest.raises(WitnessError, match="a fault"):
        write_proof(Position.parse("5:RDD"), prover, out)
    assert not out.exists()


def test_positions_have_short_and_different_file_names() -> None:
    whole = exact_walk(Board.square(15), 3).position
    names = {stem(whole.back(steps)) for steps in range(60)}
    assert len(names) == 60
    assert max(map(len, names)) < 120
    assert stem(Position.parse("5:RRDL")) == "5-RRDL"
