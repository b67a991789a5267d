"""The mutation test: mutants, their windows on trial, and the campaign."""

import random
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from heuristic.rules.drawing import RuleSpec
from tests.doubles.mutation import mutation_test
from tests.proof.test_prove import STRAIGHT
from tests.samples import book
from verify.campaign.engine import run
from verify.cli import app
from verify.proof.formula import Scope
from verify.proof.growth import Shape
from verify.proof.prove import parts
from verify.proof.settle import Decision, GaveUp, Impossible, NoModel, search, settle
from verify.proof.view import Window
from verify.start import command
from verify.verdict.mutant_judge import Limits, boards_for
from verify.verdict.mutants import (
    RuleTrials,
    Trial,
    mutants,
    mutation,
    open_share,
    table,
    try_mutants,
)

QUICK = Limits(positions=500)


def all_of(rule: RuleSpec) -> list[tuple[int, str, RuleSpec]]:
    return [
        (number, told, mutant) for number, (told, mutant) in enumerate(mutants(rule))
    ]


def test_mutants_change_one_thing_each() -> None:
    spec = book("area-near-border")
    seen = set()
    for told, mutant in mutants(spec):
        (changed,) = mutant.drawings
        number = int(told.split()[1].rstrip(":"))
        assert changed != spec.drawings[number - 1], told
        assert mutant.name not in seen
        seen.add(mutant.name)


@pytest.mark.no_cover
def test_no_window_is_both_proved_and_refuted() -> None:
    rules = [book("c-shape"), book("close-straight-left-left")]
    tested = mutation_test(rules, QUICK)
    words = [trial.word for one in tested for trial in one.trials]
    assert "contradiction" not in words
    assert words.count("open") < 0.1 * len(words)
    assert {"refuted", "proved"} <= set(words)
    for one in tested:
        assert len(one.trials) == one.total
        for trial in one.trials:
            assert (trial.word == "refuted") == (trial.counterexample is not None)
    assert [row[0] for row in table(tested)] == [rule.name for rule in rules] + ["all"]
    assert all(row[-1] == "0" for row in table(tested))


def test_mutants_of_drawings_larger_than_small_boards_are_refuted_too() -> None:
    """Nothing is left out: 21 cells in a row have room on walks of 25 x 25 cells."""
    spec = next(
        replace(book("sa-straight"), drawings=(drawing,))
        for drawing in book("sa-straight").drawings
        if max(abs(need.at[1]) for need in drawing.needs) == 12
    )
    trials = try_mutants(spec, all_of(spec)[:6], QUICK)
    refuted = [trial for trial in trials if trial.word == "refuted"]
    assert refuted
    assert all(int(t.counterexample.split("x")[0].split(":")[0]) > 7 for t in refuted)  # type: ignore[union-attr] # refuted: not None


def faulty(
    window: Window, scope: Scope, seconds: float, first: Sequence[Shape]
) -> Decision:
    """Decide as the prover does, but take no cell of the window for the end."""
    blind = replace(window, not_end=frozenset(window.cells()))
    return search(blind, scope, seconds=seconds, first=first)


def test_a_planted_fault_is_caught() -> None:
    spec = book("c-shape")
    trials = try_mutants(spec, all_of(spec), QUICK, searched=faulty)
    wrong = {trial.change: trial for trial in trials if trial.word == "contradiction"}
    trial = wrong["drawing 1: [1, 0] may be the end"]
    assert trial.counterexample is not None
    assert trial.found == "all of 5"


@pytest.mark.no_cover
def test_deciding_and_proving_answer_alike() -> None:
    rng, seen = random.Random(4), set()
    for name in ("c-shape", "area-near-border", "sa-up-big"):
        found = all_of(book(name))
        for _, told, mutant in rng.sample(found, min(2, len(found))):
            for _, window in parts(mutant):
                wider = False
                for scope in (Scope.PLAIN, Scope.CORNERS):
                    quick = search(window, scope, seconds=5)
                    full = settle(window, scope, seconds=5)
                    seen.add(type(quick))
                    assert not isinstance(quick, GaveUp), (name, told)
                    proved = isinstance(full, Impossible)
                    assert isinstance(quick, NoModel) == proved, (name, told)
                    assert proved or not wider, (name, told)  # why a trial asks two
                    wider = proved
    assert len(seen) == 2


def test_the_directed_search_refutes_what_walks_have_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = book("double-c-shape")
    left = [one for one in all_of(spec) if one[1] == "drawing 1: [0, 4] is anything"]
    monkeypatch.setattr("verify.verdict.mutant_judge._SEARCH", (0.0, 1.5))
    (before,) = try_mutants(spec, left, Limits(positions=0))
    assert (before.word, before.longer) == ("open", False)
    (trial,) = try_mutants(spec, left, Limits(positions=0), longer=True)
    assert (trial.word, trial.longer) == ("refuted", True)
    assert trial.found.startswith("directed search on")


def test_boards_have_room() -> None:
    for spec in (book("c-shape"), book("open-corner-4")):
        for drawing in spec.drawings:
            far = max(abs(x) for need in drawing.needs for x in need.at)
            sides = [board.rows for board in boards_for(drawing)]
            assert all(side % 2 and side > far + 1 for side in sides)


@pytest.mark.slow
def test_the_campaign_finds_what_the_test_finds(tmp_path: Path) -> None:
    rules = [book("c-shape"), book("near-border-side")]
    parameters = {
        "rules": "c-shape,near-border-side",
        "limits": asdict(QUICK),
        "longer": False,
    }
    outcome = run(mutation, parameters, jobs=2, ledger=tmp_path / "x")
    assert outcome.answer == mutation_test(rules, QUICK)


def test_the_command_tells_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["selftest", "mutants", "c-shape", "--positions", "500", "-n", "3"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[lines.index("c-shape") + 1].split()[:2] == ["13", "3"]
    wrong = Trial(0, "a change", "contradiction", "5:RR U")
    monkeypatch.setattr("verify.verdict.mutants.try_block", lambda *_, **__: [wrong])
    result = CliRunner().invoke(app, [*words, "--fresh"])
    assert result.exit_code == 1
    assert "c-shape, a change: proved, and wrong: 5:RR U" in result.output
    assert (
        "1 contradiction" in CliRunner().invoke(app, ["campaign", "show", "mut"]).output
    )


def test_mutants_of_an_open_rule_are_not_tried() -> None:
    (one,) = mutation_test([STRAIGHT], QUICK)
    assert (one.total, one.trials) == (None, ())


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["-n", "-1"], "--count -1 is negative"),
        (["--positions", "-1"], "--positions -1 is negative"),
        (["--jobs", "0"], "--jobs 0 is not above 0"),
        (["--seconds", "0"], "--seconds 0.0 is not above 0"),
    ],
)
def test_bad_limits_are_one_line(
    words: list[str],
    why: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = ["oneway", "selftest", "mutants", "c-shape", *words]
    monkeypatch.setattr("sys.argv", line)
    assert command() == 2
    assert capsys.readouterr().err == f"oneway: {why}\n"


def test_the_share_of_open_mutants_is_estimated_by_rule() -> None:
    def trials(total: int, tried: int, found: int) -> RuleTrials:
        words = ["open"] * found + ["proved"] * (tried - found)
        some = tuple(Trial(i, "", word) for i, word in enumerate(words))
        return RuleTrials(f"of-{total}", total, some)

    share, low, high = open_share([trials(900, 30, 3), trials(100, 20, 10)])
    assert share == pytest.approx(0.9 * 0.1 + 0.1 * 0.5)
    assert 0.04 < low < share < high < 0.32
    assert open_share([trials(20, 20, 5)]) == (0.25, 0.25, 0.25)
    assert open_share([trials(20, 0, 0)]) == (0, 0, 1)
    _, low, high = open_share([trials(10_000, 100, 0)])
    assert low == 0
    assert high == pytest.approx(0.037, abs=0.001)  # Wilson, none of 100
