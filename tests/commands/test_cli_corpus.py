"""The commands that keep and find cases."""

import json
from pathlib import Path

from tests.runner import run
from tests.samples import GAP

BOOK = Path(__file__).parents[2] / "heuristic" / "book"


def test_corpus_commands(tmp_path: Path) -> None:
    where = ("--corpus", str(tmp_path))
    assert run("corpus", "show", *where).code == 1
    ran = run("corpus", "add", GAP, "--rules", "seed-5", *where)
    assert "gap, saved" in ran.out
    assert "found again" in run("corpus", "add", GAP, "--rules", "seed-5", *where).out
    assert "saved" in run("corpus", "add", "5:R", *where).out
    assert run("corpus", "add", "5:R", "--rules", "seed-5", *where).code == 1
    listed = [
        json.loads(line)
        for line in run("corpus", "show", "--json", *where).out.splitlines()
    ]
    assert [case["kind"] for case in listed] == ["gap", "verdict"]
    assert len(run("corpus", "show", "--kind", "gap", *where).out.splitlines()) == 1
    name = listed[0]["name"]
    picture = tmp_path / "case.png"
    ran = run("corpus", "show", name, *where, "-o", str(picture))
    assert "in question" in ran.out
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "0 failures" in run("corpus", "replay", *where).out
    path = tmp_path / "gap" / f"{name}.toml"
    path.write_text(path.read_text().replace('"completable"', '"dead"'))
    assert run("corpus", "replay", name, *where).code == 1


def test_import_reads_saved_paths(tmp_path: Path) -> None:
    path = tmp_path / "2023_0430.txt"
    path.write_text("5|1-1,1;0,1-2,1;0,1-3,1;0,1")
    ran = run("corpus", "add", str(path), "--corpus", str(tmp_path / "c"))
    assert "5:RR" in ran.out
    assert "allowed: RD" in ran.out
    assert len(list((tmp_path / "c" / "verdict").iterdir())) == 1
    ran = run("corpus", "add", str(path), "--json", "--dry-run")
    added = json.loads(ran.out)
    assert (added["allowed"], added["kind"], added["case"]) == ("RD", "verdict", None)


def test_mining_keeps_rules_of_a_file_and_goes_on(tmp_path: Path) -> None:
    rule = tmp_path / "mine.toml"
    rule.write_text((BOOK / "seed-5.toml").read_text())
    where = ("--corpus", str(tmp_path / "cases"))
    args = ("mine", "5", "--rules", str(rule), *where)
    ran = run(*args, "-n", "60", "--json")
    assert ran.code == 0
    summary = json.loads(ran.out.splitlines()[-1])["summary"]
    assert summary["walks"] == 60
    again = run(*args, "-n", "60", "--json")  # nothing left to do
    assert '"new": true' in ran.out
    assert again.out == ran.out.replace('"new": true', '"new": false').replace(
        f'"saved": {summary["saved"]}', '"saved": 0'
    )
    cases = {path.read_text() for path in (tmp_path / "cases").rglob("*.toml")}
    assert len(cases) == summary["saved"] > 0
    assert any("forbids" in case for case in cases)
    short = run(*args, "-n", "9999", "--seed", "7", "--seconds", "0.006", "--json")
    assert json.loads(short.out.splitlines()[-1])["summary"]["walks"] < 9999
    assert run("corpus", "replay", *where).code == 0
