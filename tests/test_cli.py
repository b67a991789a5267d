import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dratify
import pytest
import typer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solver.board import Position
from tests.runner import assert_refused, run
from verify.cli import app
from verify.corpus import load_corpus

BOOK = Path(__file__).parent.parent / "heuristic" / "book"
GAP = "7:RRDRURDDLD"  # L is dead, and seed-5 allows it
RULE = """
[[rule]]
name = "never-right"
claim = "sound"
origin = "a test"
reason = "right is never right"
drawing = '''
@ x
'''
"""


def test_help_teaches_every_command() -> None:
    help_text = run("--help")
    assert help_text.code == 0
    for name in ("walk", "check", "verify", "stats", "draw", "rules", "corpus", "demo"):
        assert name in help_text.out
        assert len(run(name, "--help").out) > 200


def test_help_imports_no_solver_and_no_kernel() -> None:
    code = (
        "import sys, runpy; sys.argv = ['oneway', '--help']\n"
        "from verify.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numba', 'numpy', 'pysat', 'ortools', 'resvg_py'}\n"
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def seeded(command: Any, *path: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command that has a seed."""
    if any(option.name == "seed" for option in command.params):
        yield path
    for name, inner in getattr(command, "commands", {}).items():
        yield from seeded(inner, *path, name)


SEEDED = list(seeded(typer.main.get_command(app)))


def test_every_random_command_has_a_seed() -> None:
    assert {("walk",), ("mine",), ("maze", "stats"), ("path", "check")} <= set(SEEDED)


@pytest.mark.parametrize("words", SEEDED, ids=" ".join)
def test_a_negative_seed_is_refused_by_all_alike(words: tuple[str, ...]) -> None:
    ran = run(*words, "--seed", "-1")
    assert_refused(ran)
    assert ran.err == "oneway: --seed -1 is negative\n"


def test_check_says_what_is_a_gap() -> None:
    ran = run("check", GAP)
    assert ran.code == 0
    assert "L  dead         allowed by every rule  <- gap" in ran.out
    assert "▼" in ran.out
    dead = run("check", "5:RD")
    assert dead.code == 0
    assert "forbidden by" in dead.out
    assert run("check", "3:RD").code == 1


def test_check_reads_a_stream_and_prints_objects() -> None:
    ran = run("check", "-", "--json", "--oracle", "brute", stdin=f"5:RD\n\n{GAP}\n")
    first, second = (json.loads(line) for line in ran.out.splitlines())
    assert first["position"] == "5:RD"
    assert set(first["moves"]) == {"R", "D", "L"}
    assert {m["verdict"] for m in first["moves"].values()} == {"COMPLETABLE", "DEAD"}
    for move in first["moves"].values():
        assert all(set(f) == {"rule", "reason"} for f in move["forbidden"])
    assert second["moves"]["L"] == {"verdict": "DEAD", "forbidden": []}


def test_a_bad_line_of_a_stream_is_named() -> None:
    ran = run("check", "-", "--json", stdin="5:RD\n5:RX\n5:R\n")
    assert_refused(ran)
    assert "line 2: character 4" in ran.err
    assert len(ran.out.splitlines()) == 1


def test_proofs_of_dead_moves_are_files_that_a_checker_accepts(tmp_path: Path) -> None:
    ran = run("check", "5:RD", "--proof", str(tmp_path / "out"))
    assert ran.code == 0
    files = sorted((tmp_path / "out").iterdir())
    assert [f.name for f in files] == [
        "5-RDD.cnf", "5-RDD.drat", "5-RDR.cnf", "5-RDR.drat"
    ]  # fmt: skip
    formula, proof = (f.read_text() for f in files[:2])
    assert dratify.check_proof(dratify.parse_dimacs(formula), proof).ok
    weaker = formula.splitlines()[:-2]
    weaker = [line for line in weaker if not line.startswith("p")]
    head = f"p cnf 99 {sum(line[0] != 'c' for line in weaker)}"
    half = dratify.parse_dimacs("\n".join([head, *weaker[: len(weaker) // 2]]))
    assert not dratify.check_proof(half, proof).ok
    assert_refused(run("check", "5:RD", "--proof", str(files[0])))


def test_walks_are_repeatable_and_counted() -> None:
    ran = run("walk", "5", "--count", "30", "--seed", "7", "--json")
    *walks, summary = (json.loads(line) for line in ran.out.splitlines())
    assert run("walk", "5", "--count", "30", "--seed", "7", "--json") == ran
    assert len(walks) == 30
    stuck = sum(walk["stuck"] for walk in walks)
    assert summary == {"summary": {"walks": 30, "stuck": stuck, "seed": 7}}
    assert 0 < stuck < 15


def test_a_stuck_walk_is_blamed() -> None:
    for seed in range(20):
        ran = run("walk", "9", "--seed", str(seed))
        if ran.code == 1:
            assert "was the mistake" in ran.out
            assert "<- gap" in ran.out
            return
    pytest.fail("no walk got stuck")


def test_no_move_is_blamed_on_a_board_without_walks() -> None:
    ran = run("walk", "4")
    assert ran.code == 1
    assert "moves; this board has no Hamiltonian walk" in ran.out
    assert "mistake" not in ran.out


@pytest.mark.parametrize("oracle", ["search", "sat", "brute"])
def test_exact_walks_are_never_stuck(oracle: str) -> None:
    args = ("walk", "5x4@1,1>5,1!3,2", "--exact", "-n", "6", "--seed", "3", "--json")
    ran = run(*args, "--oracle", oracle)
    *walks, summary = (json.loads(line) for line in ran.out.splitlines())
    assert summary["summary"]["stuck"] == 0
    assert all(Position.parse(walk["position"]).complete for walk in walks)
    assert ran.out == run(*args).out  # the oracle does not change the choices


def test_no_seed_is_too_large() -> None:
    large = str(2**70)
    for args in (
        ("walk", "5", "--seed", large),
        ("walk", "5", "--exact", "--seed", large),
        ("stats", "5", "--count", "20", "--seed", large),
        ("verify", "c-shape", "--board", "5", "--drawn", "30", "--seed", large),
        ("maze", "random", "--seed", large),
        ("path", "random", "--seed", large),
    ):
        assert run(*args).code in (0, 1)


def test_an_exact_walk_says_when_there_is_none() -> None:
    ran = run("walk", "4", "--exact")
    assert ran.code == 1
    assert "no Hamiltonian walk" in ran.out
    assert "complete" in run("walk", "11", "--exact", "--seed", "5").out


def test_statistics_have_an_interval() -> None:
    ran = run("stats", "5", "7", "--count", "200", "--json")
    five, seven = (json.loads(line) for line in ran.out.splitlines())
    assert five["before_error"] > seven["before_error"]
    low, high = seven["before_error_interval"]
    assert low < seven["before_error"] < high
    assert "before an error" in run("stats", "5", "--count", "50").out
    never = run("walk", "5", "--rules", "seed-7", "--count", "9").out
    assert "walks before an error: none stuck" in never


def test_verify_tells_sound_rules_from_wrong_ones(tmp_path: Path) -> None:
    ran = run("verify", "seed-5", "--board", "5", "--json")
    assert ran.code == 0
    evidence = json.loads(ran.out)
    assert (evidence["positions"], evidence["missed"]) == (1583, 12)
    assert evidence["sound"]
    assert not evidence["complete"]
    rule = tmp_path / "mine.toml"
    rule.write_text(RULE)
    corpus = tmp_path / "cases"
    args = ("verify", str(rule), "--board", "5", "--save", "--corpus", str(corpus))
    ran = run(*args, "-o", str(tmp_path / "wrong.svg"))
    assert ran.code == 1
    assert "never-right forbids" in ran.out
    assert "unsound" in ran.out
    assert (tmp_path / "wrong.svg").exists()
    cases = list(load_corpus(corpus))
    assert {case.kind for case in cases} == {"unsound", "gap"}
    unsound = next(case for case in cases if case.kind == "unsound")
    assert unsound.position.board.cells < 25
    assert run("corpus", "replay", "--corpus", str(corpus)).code == 0
    assert "found again" in run(*args).out


def test_verify_draws_positions_of_larger_boards() -> None:
    ran = run("verify", "seed-5", "--board", "9", "--drawn", "120", "--json")
    assert json.loads(ran.out)["positions"] == 120
    ran = run("verify", "seed-5", "--board", "5", "--uniform", "--json")
    assert json.loads(ran.out)["scope"] == "2000 uniformly drawn positions of 5, seed 0"


def test_corpus_commands(tmp_path: Path) -> None:
    where = ("--corpus", str(tmp_path))
    assert run("corpus", "list", *where).code == 1
    ran = run("corpus", "add", GAP, "--rules", "seed-5", "--no-minimal", *where)
    assert "gap, saved" in ran.out
    assert (
        "found again"
        in run("corpus", "add", GAP, "--rules", "seed-5", "--no-minimal", *where).out
    )
    assert "saved" in run("corpus", "add", "5:R", *where).out
    assert run("corpus", "add", "5:R", "--rules", "seed-5", *where).code == 1
    listed = [
        json.loads(line)
        for line in run("corpus", "list", "--json", *where).out.splitlines()
    ]
    assert [case["kind"] for case in listed] == ["gap", "verdict"]
    assert len(run("corpus", "list", "--kind", "gap", *where).out.splitlines()) == 1
    name = listed[0]["name"]
    picture = tmp_path / "case.png"
    ran = run("corpus", "show", name, *where, "-o", str(picture))
    assert "in question" in ran.out
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "2 cases replayed, 0 faults" in run("corpus", "replay", *where).out
    path = tmp_path / "gap" / f"{name}.toml"
    path.write_text(path.read_text().replace('"completable"', '"dead"'))
    assert run("corpus", "replay", name, *where).code == 1


def test_import_reads_saved_paths(tmp_path: Path) -> None:
    path = tmp_path / "2023_0430.txt"
    path.write_text("5|1-1,1;0,1-2,1;0,1-3,1;0,1")
    ran = run("corpus", "import", str(path), "--save", "--corpus", str(tmp_path / "c"))
    assert "5:RR" in ran.out
    assert "allowed: RD" in ran.out
    assert len(list((tmp_path / "c" / "verdict").iterdir())) == 1
    ran = run("corpus", "import", str(path), "--json")
    assert json.loads(ran.out)["allowed"] == "RD"


def test_draw(tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    ran = run("draw", GAP, "-o", str(out), "--witness", "--rules", "seed-5")
    assert ran.code == 0
    assert 'class="witness"' in out.read_text()
    assert "▼" in run("draw", GAP).out


def test_a_drawing_on_the_terminal_tells_rules_and_completion() -> None:
    told = run("draw", "5:RD", "--rules", "c-shape", "--witness").out
    assert "R\n       forbidden by c-shape" in told
    *_, last = told.splitlines()
    assert last.startswith("completion: 5:RD")
    assert Position.parse(last.removeprefix("completion: ")).complete
    assert "forbidden" not in run("draw", "5:RD").out


def test_rules_are_listed_and_shown() -> None:
    assert "seed-5" in run("rules", "list").out
    assert "c-shape" in run("rules", "list", "--group", "seed-5").out
    shown = run("rules", "show", "c-shape").out
    assert "% K @ x" in shown
    assert "turned: none, cw and mirrored" in shown


@pytest.mark.slow
def test_the_demo_shows_verdicts_a_gap_and_its_case() -> None:
    ran = run("demo")
    assert ran.code == 0
    for words in ("104 Hamiltonian walks", "111,712", "first gap", "case found again"):
        assert words in ran.out


@pytest.mark.parametrize(
    "args",
    [
        ("check", "7:RRX"),
        ("check", "7:R", "--rules", "no-such-group"),
        ("check", "7:R", "--oracle", "delphi"),
        ("check", "7:R", "--rules", "missing.toml"),
        ("check", "-", "-o", "a.svg"),
        ("walk", "0"),
        ("walk", "5", "--count", "0"),
        ("stats", "5", "--count", "-1"),
        ("verify", "seed-5", "--drawn", "0"),
        ("verify", "seed-5", "--board", "5x"),
        ("verify", "seed-5", "--board", "4"),
        ("rules", "closing", "4"),
        ("draw", "5:RD", "--rules", "universal", "--future"),
        ("draw", "5:", "-o", "a.gif"),
        ("draw", "5:", "-o", "no-such-folder/a.svg"),
        ("draw", "5:", "-o", "a.svg", "--scale", "0"),
        ("corpus", "show", "nothing-like-it"),
        ("corpus", "list", "--kind", "odd"),
        ("corpus", "list", "--corpus", "nowhere"),
        ("corpus", "replay", "--corpus", "nowhere"),
        ("corpus", "replay", "missing.toml"),
        ("corpus", "import", "missing.txt"),
        ("corpus", "add", "5:U"),
        ("rules", "show", "no-such-rule"),
        ("rules", "list", "--group", "no-such-group"),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    args: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused(run(*args))
    assert list(tmp_path.iterdir()) == []


def test_evidence_of_a_board_without_walks_is_refused(tmp_path: Path) -> None:
    assert_refused(run("evidence", "4", "-g", "seed-5", "-o", str(tmp_path)))


def test_a_name_nearly_right_is_pointed_at() -> None:
    ran = run("check", "7:R", "--rules", "c-shap")
    assert "'c-shap'; near: c-shape" in ran.err
    assert "seed-2024" in ran.err
    many = run("corpus", "show", "nothing-like-it").err
    assert "are known" in many
    assert len(many) < 100


FUZZ = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
ANY = st.text(max_size=30)


def changed(text: str) -> st.SearchStrategy[str]:
    """Return `text` with a few characters cut out and others put in."""
    return st.builds(
        lambda at, cut, put: text[:at] + put + text[at + cut :],
        st.integers(0, len(text)),
        st.integers(0, 8),
        st.text(max_size=5),
    )


def refused_or_fine(args: tuple[str, ...], folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    ran = run(*args)
    if ran.code == 2:
        assert_refused(ran)
        assert sorted(folder.rglob("*")) == before
    else:
        assert ran.code in (0, 1)


@FUZZ
@given(ANY.filter(lambda t: not t.startswith("-")) | changed("5@1,1>5,5!2,2:RRD"))
def test_any_notation(tmp_path: Path, text: str) -> None:
    if not text.startswith("-"):
        args = ("draw", text, "-o", str(tmp_path / "a.svg"))
        refused_or_fine(args, tmp_path)


@FUZZ
@given(changed(RULE) | ANY)
def test_any_rule_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "rule.toml"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    refused_or_fine(("check", "3:RR", "--rules", str(path)), tmp_path)


@FUZZ
@given(changed("5|1-1,1;0,1-2,1;0,1-3,1;0,1") | ANY)
def test_any_saved_path(tmp_path: Path, text: str) -> None:
    path = tmp_path / "path.txt"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    refused_or_fine(("corpus", "import", str(path)), tmp_path)


@FUZZ
@given(
    changed(
        'kind = "verdict"\nwhy = "x"\nsource = "x"\nposition = "3:R"\n'
        '[moves]\nR = "completable"\nD = "dead"\n'
    )
    | ANY
)
def test_any_case_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "case.toml"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    refused_or_fine(("corpus", "replay", str(path)), tmp_path)


def test_mining_keeps_rules_of_a_file_and_goes_on(tmp_path: Path) -> None:
    rule, state = tmp_path / "mine.toml", tmp_path / "state.json"
    rule.write_text((BOOK / "seed-5.toml").read_text())
    where = ("--corpus", str(tmp_path / "cases"), "--resume", str(state))
    args = ("mine", "--rules", str(rule), "--size", "5", *where)
    ran = run(*args, "-n", "60", "--json")
    assert ran.code == 0
    summary = json.loads(ran.out.splitlines()[-1])["summary"]
    assert summary["walks"] == 60
    assert run(*args, "-n", "60", "--json").out.count("\n") == 1  # nothing left to do
    rule.unlink()  # the case holds the rules itself
    assert run("corpus", "replay", *where[:2]).code == 0
    state.write_text("[]")
    assert_refused(run("mine", "--size", "5", "-n", "3", *where))
    both = ("corpus", "add", GAP, "--rules", f"seed-5,{rule}", *where[:2])
    assert_refused(run(*both))


def test_a_labyrinth_is_drawn_with_walls(tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    args = ("walk", "9", "--exact", "--seed", "7", "--json")
    walk = run(*args, "--walls", "-o", str(out))
    assert walk.code == 0
    by_walk = out.read_text()
    assert 'class="labyrinth"' in by_walk
    place = json.loads(walk.out.splitlines()[0])["position"]
    assert run("draw", place, "--walls", "-o", str(out)).code == 0
    assert out.read_text() == by_walk
    assert_refused(run("walk", "9", "--walls", "-o", str(out)))
    assert_refused(run("draw", "9:R", "--walls", "-o", str(out)))
    assert_refused(run("draw", place, "--walls"))


def test_completions_are_counted_move_by_move() -> None:
    ran = run("count", "7:")
    assert ran.code == 0
    assert ran.out == "7:  111,712\n  R  55,856\n  D  55,856\n"
    dead = run("count", "-", "--json", stdin="5:RD\n5:RRRRDDDD\n")
    assert dead.code == 1
    first, second = (json.loads(line) for line in dead.out.splitlines())
    assert first["completions"] == sum(first["moves"].values()) > 0
    assert (second["completions"], second["moves"]) == (0, {"L": 0})
    assert run("count", "3:RRDLLDRR", "--json").out.count('"completions": 1')


def test_uniform_walks_are_complete_and_repeatable() -> None:
    args = ("walk", "7x5", "--uniform", "-n", "4", "--seed", "2", "--json")
    *walks, summary = (json.loads(line) for line in run(*args).out.splitlines())
    assert summary["summary"]["stuck"] == 0
    assert len({walk["position"] for walk in walks}) > 1
    assert all(Position.parse(walk["position"]).complete for walk in walks)
    assert run(*args) == run(*args)
    assert_refused(run("walk", "4", "--uniform"))
    assert_refused(run("walk", "5", "--uniform", "--exact"))


AHEAD = """
[[rule]]
name = "never-ahead"
claim = "sound"
origin = "a test"
reason = "straight on is never right"
drawing = '''
x
@
'''
"""


def test_each_rule_of_a_file_gets_a_case_of_its_own(tmp_path: Path) -> None:
    rule, corpus = tmp_path / "two.toml", tmp_path / "cases"
    rule.write_text(AHEAD + RULE)
    where = ("--corpus", str(corpus))
    run("verify", str(rule), "--board", "5", "--save", *where)
    cases = {case.rules for case in load_corpus(corpus) if case.kind == "unsound"}
    assert cases == {"never-ahead", "never-right"}
    assert run("corpus", "replay", *where).code == 0


def test_rules_of_several_files_are_proved_and_kept(tmp_path: Path) -> None:
    one, other, corpus = (tmp_path / name for name in ("a.toml", "b.toml", "cases"))
    one.write_text((BOOK / "seed-5.toml").read_text())
    other.write_text(RULE)
    where = ("--corpus", str(corpus), "--proofs", str(tmp_path / "proofs"))
    ran = run("prove", f"{one},{other}", "--save", *where)
    assert ran.code == 1
    assert "never-right: REFUTED" in ran.out
    assert run("corpus", "replay", *where[:2]).out == "1 case replayed, 0 faults\n"
    assert_refused(run("verify", f"{one},{other}", "-b", "5", "--save", *where[:2]))
