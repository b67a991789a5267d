"""`oneway corpus`: cases shown, added, and replayed while rules change."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.runner import prints
from tests.samples import CORNER_AHEAD, GAP, MENDED
from verify.corpus.cases import load_corpus


def test_cases_are_added_shown_and_replayed() -> None:
    prints("corpus show --corpus cases", 2, "does not exist; --save and add make it")
    prints(f"corpus add {GAP} -r seed-5 --corpus cases", 0, "gap, saved")
    prints(f"corpus add {GAP} -r seed-5 --corpus cases", 0, "already saved")
    prints("corpus add 5:R --corpus cases", 0, "verdict, saved")
    out = prints("corpus show --corpus cases", 0).out
    (kind, name, *_), (other, *_) = (line.split() for line in out.splitlines())
    assert (kind, other) == ("gap", "verdict")
    prints(f"corpus show {name} --corpus cases", 0, "in question")
    prints("corpus replay --corpus cases", 0, "2 cases", "0 failures")
    broken = Path("cases/gap/broken.toml")
    broken.write_text("no case")
    prints("corpus show --corpus cases", 2, "verdict", "broken.toml")
    prints("corpus replay --corpus cases", 2, "2 cases", "broken.toml")
    broken.unlink()
    prints("corpus add none.txt 5:RD --corpus cases", 2, "verdict, saved", "none.txt")
    path = Path(f"cases/gap/{name}.toml")
    path.write_text(path.read_text().replace('"completable"', '"dead"'))
    prints(f"corpus replay {name} --corpus cases", 1, "1 case", "1 failure")


@pytest.fixture
def rule() -> Path:
    """Return a rule file beside a corpus with an unsound case and a gap of it."""
    file = Path("my-rule.toml")
    file.write_text(CORNER_AHEAD)
    prints("verify my-rule.toml 5 --save --corpus cases", 1)
    return file


REPLAY = "corpus replay --corpus cases"


def outcomes(words: str, code: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the outcomes by kind, and the summary."""
    out = prints(f"{REPLAY} --json {words}", code).out
    *cases, last = map(json.loads, out.splitlines())
    return {case["kind"]: case for case in cases}, last["summary"]


def test_a_rule_is_mended_and_broken_again(rule: Path) -> None:
    name = next(case.name for case in load_corpus(Path("cases")) if case.rule)
    see = f"corpus show {name} --corpus cases"
    wrong = "still wrong: corner-ahead forbids"
    prints(REPLAY, 1, wrong, f"to see one: oneway {see}\n")
    prints(see, 0)
    rule.write_text(MENDED)
    prints(REPLAY, 0, "mended", "2 cases: ", ", 0 failures")
    rule.write_text(CORNER_AHEAD)
    prints(REPLAY, 1, wrong)


def test_other_rules_are_asked_in_place(rule: Path) -> None:
    cases, summary = outcomes("--rules universal-4", 0)
    gap = cases["gap"]
    assert (gap["outcome"], gap["skipped"], gap["accepted"]) == (
        "now caught",
        None,
        False,
    )
    assert cases["unsound"]["outcome"] == "mended"
    assert summary["outcomes"] == {"now caught": 1, "mended": 1}
    rule.write_text(MENDED)
    Path("bad.toml").write_text(CORNER_AHEAD)
    prints(f"{REPLAY} --rules bad.toml", 1)
    prints(f"{REPLAY} --rules lost.toml", 2, "oneway: lost.toml")


def test_a_caught_gap_is_accepted_and_then_guarded(rule: Path) -> None:
    rule.write_text(MENDED)
    files = {path: path.read_text() for path in Path("cases").rglob("*.toml")}
    assert ", accepted" not in prints(f"{REPLAY} --accept", 0).out
    assert {path: path.read_text() for path in files} == files
    prints(f"{REPLAY} --rules universal-4 --accept", 0, ", accepted")
    (gap,) = Path("cases/gap").iterdir()
    caught = files[gap].replace("\ntext =", '\nstate = "caught"\ntext =', 1)
    assert gap.read_text() == caught
    prints(f"{REPLAY} --rules universal-4", 0)
    prints(REPLAY, 1, "still missed: it was caught once, and accepted")
    prints(f"{REPLAY} --accept", 0)
    assert {path: path.read_text() for path in files} == files


def test_a_lost_file_skips_its_cases(rule: Path) -> None:
    rule.unlink()
    skipped = "skipped: there is no rule file"
    prints(REPLAY, 1, skipped, skipped, "--rules RULES asks")
    cases, summary = outcomes("", 1)
    assert (summary["failed"], summary["outcomes"]) == (0, {"skipped": 2})
    assert "there is no rule file" in cases["gap"]["skipped"]
    assert not cases["gap"]["fails"]
    prints(f"{REPLAY} --rules seed-5", 0)


def test_a_python_rule_is_asked_only_by_name() -> None:
    file, named = Path("mine.py"), "--rules mine.py:wrong --corpus cases"
    text = "def wrong(position):\n    return 'U' if position.moves == 'DDR' else ''\n"
    file.write_text(text)
    prints(f"corpus add 3:DDR {named}", 0, "unsound, saved")
    prints(REPLAY, 1, "is a Python rule")
    prints(f"corpus replay {named}", 1)
    file.write_text(text.replace("'U' if", "'' if"))
    prints(f"corpus replay {named}", 0)
    file.write_text(text.replace("return", "return 1 / 0 or"))
    prints(f"corpus replay {named}", 2, "3:DDR")


def test_a_replay_out_of_time_fails(rule: Path) -> None:
    rule.write_text(MENDED)
    prints(f"{REPLAY} --seconds 600", 0)
    late = "out of time; 2 of 2 cases were not replayed"
    prints(f"{REPLAY} --seconds 1e-9", 1, "0 cases: 0 failures\n", late)


def test_a_rule_is_not_accused_on_boards_it_is_not_meant_for() -> None:
    add, rules = "corpus add 5@5,1>1,5:RU --corpus c", "near-border-front"
    prints(f"{add} --rules {rules}", 2, "--boards any")
    left_out = "nothing to save", "near-border-front is left out"
    prints(f"{add} --rules {rules},c-shape", 1, *left_out)
    prints(f"{add} --rules {rules},near-border-side --boards any", 0, "unsound, saved")
