"""`oneway corpus`: cases shown, added, and replayed while rules change."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.runner import Ran, assert_refused, run
from tests.samples import CORNER_AHEAD, GAP, MENDED
from verify.corpus.cases import load_corpus


def test_cases_are_added_shown_and_replayed() -> None:
    def corpus(*words: str) -> Ran:
        return run("corpus", *words, "--corpus", ".")

    assert corpus("show").code == 1
    assert "gap, saved" in corpus("add", GAP, "--rules", "seed-5").out
    assert "already saved" in corpus("add", GAP, "--rules", "seed-5").out
    assert "verdict, saved" in corpus("add", "5:R").out
    listed = [line.split() for line in corpus("show").out.splitlines()]
    assert [kind for kind, *_ in listed] == ["gap", "verdict"]
    name = listed[0][1]
    assert "in question" in corpus("show", name).out
    assert "0 failures" in corpus("replay").out
    broken = Path("gap/broken.toml")
    broken.write_text("no case")
    shown = corpus("show")
    assert (shown.code, "verdict" in shown.out) == (2, True)
    assert corpus("replay").code == 2
    broken.unlink()
    added = corpus("add", "none.txt", "5:RD")
    assert (added.code, "verdict, saved" in added.out) == (2, True)
    path = Path(f"gap/{name}.toml")
    path.write_text(path.read_text().replace('"completable"', '"dead"'))
    assert corpus("replay", name).code == 1


@pytest.fixture
def rule() -> Path:
    """Return a rule file beside a corpus with an unsound case and a gap of it."""
    file = Path("my-rule.toml")
    file.write_text(CORNER_AHEAD)
    assert run("verify", "my-rule.toml", "5", "--save", "--corpus", "cases").code == 1
    return file


def replayed(*words: str) -> Ran:
    return run("corpus", "replay", "--corpus", "cases", *words)


def outcomes(*words: str) -> tuple[int, dict[str, Any], dict[str, Any]]:
    """Return the exit code, the outcomes by kind, and the summary."""
    ran = replayed("--json", *words)
    *cases, last = map(json.loads, ran.out.splitlines())
    return ran.code, {case["kind"]: case for case in cases}, last["summary"]


def test_a_rule_is_mended_and_broken_again(rule: Path) -> None:
    ran = replayed()
    assert ran.code == 1
    assert "still wrong: corner-ahead forbids" in ran.out
    name = next(case.name for case in load_corpus(Path("cases")) if case.rule)
    see = f"oneway corpus show {name} --corpus cases"
    assert f"to see one: {see}\n" in ran.out
    assert run(*see.split()[1:]).code == 0
    rule.write_text(MENDED)
    ran = replayed()
    assert (ran.code, "2 cases: " in ran.out) == (0, True)
    assert "mended" in ran.out
    assert ", 0 failures" in ran.out
    rule.write_text(CORNER_AHEAD)
    assert replayed().code == 1


def test_other_rules_are_asked_in_place(rule: Path) -> None:
    code, cases, summary = outcomes("--rules", "universal-4")
    assert code == 0
    assert cases["gap"]["outcome"] == "now caught"
    assert cases["unsound"]["outcome"] == "mended"
    assert summary["outcomes"] == {"now caught": 1, "mended": 1}
    rule.write_text(MENDED)
    Path("bad.toml").write_text(CORNER_AHEAD)
    assert replayed("--rules", "bad.toml").code == 1
    assert_refused(replayed("--rules", "lost.toml"))


def test_a_caught_gap_is_accepted_and_then_guarded(rule: Path) -> None:
    rule.write_text(MENDED)
    files = {path: path.read_text() for path in Path("cases").rglob("*.toml")}
    assert ", accepted" not in replayed("--accept").out
    assert {path: path.read_text() for path in files} == files
    assert ", accepted" in replayed("--rules", "universal-4", "--accept").out
    (gap,) = Path("cases/gap").iterdir()
    caught = files[gap].replace("\ntext =", '\nstate = "caught"\ntext =', 1)
    assert gap.read_text() == caught
    assert replayed("--rules", "universal-4").code == 0
    ran = replayed()
    assert ran.code == 1
    assert "still missed: it was caught once, and accepted" in ran.out
    assert replayed("--accept").code == 0
    assert {path: path.read_text() for path in files} == files


def test_a_lost_file_skips_its_cases(rule: Path) -> None:
    rule.unlink()
    ran = replayed()
    assert ran.code == 1
    assert ran.out.count("skipped: there is no rule file") == 2
    assert "--rules RULES" in ran.err
    code, cases, summary = outcomes()
    assert (code, summary["failed"], summary["outcomes"]) == (1, 0, {"skipped": 2})
    assert "there is no rule file" in cases["gap"]["skipped"]
    assert not cases["gap"]["fails"]
    assert replayed("--rules", "seed-5").code == 0


def test_a_python_rule_is_asked_only_by_name() -> None:
    file, named = Path("mine.py"), ("--rules", "mine.py:wrong")
    text = "def wrong(position):\n    return 'U' if position.moves == 'DDR' else ''\n"
    file.write_text(text)
    words = ("corpus", "add", "3:DDR", *named, "--corpus", "cases")
    assert "unsound, saved" in run(*words).out
    ran = replayed()
    assert (ran.code, "is a Python rule" in ran.out) == (1, True)
    assert replayed(*named).code == 1
    file.write_text(text.replace("'U' if", "'' if"))
    assert replayed(*named).code == 0
    file.write_text(text.replace("return", "return 1 / 0 or"))
    assert_refused(ran := replayed(*named))
    assert "3:DDR" in ran.err


def test_a_replay_out_of_time_fails(rule: Path) -> None:
    rule.write_text(MENDED)
    assert replayed("--seconds", "600").code == 0
    ran = replayed("--seconds", "1e-9")
    assert (ran.code, ran.out) == (1, "0 cases: 0 failures\n")
    assert "out of time; 2 of 2 cases were not replayed" in ran.err


def test_a_rule_is_not_accused_on_boards_it_is_not_meant_for() -> None:
    words = ("corpus", "add", "5@5,1>1,5:RU", "--corpus", "cases")
    rules = "near-border-front,near-border-side"
    assert_refused(run(*words, "--rules", "near-border-front"))
    ran = run(*words, "--rules", f"{rules},c-shape")
    assert "unsound" not in ran.out
    assert "near-border-front is left out" in ran.err
    wide = run(*words, "--rules", rules, "--boards", "any")
    assert "unsound, saved" in wide.out
