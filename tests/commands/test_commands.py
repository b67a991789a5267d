"""Every command once: its exit code and what it prints above all."""

import json
import re
from pathlib import Path

import pytest
import typer

from tests.runner import commands, prints, run
from tests.samples import NEVER_AHEAD, NEVER_RIGHT
from verify.start import whole_app

CORPUS = str(Path(__file__).parents[2] / "corpus")
# A command line, its exit code, and parts of what it prints, in this order. R is a
# Python rule.
LINES: list[tuple[str, int, list[str]]] = [
    ("demo --help", 0, ["Usage: oneway demo"]),
    ("walk 5 --seed 3 -n 4", 0, ["complete 5:", "\n4 of 4 walks completed; walks be"]),
    ("walk 9 -r seed-5 --seed 1", 1, ["stuck after 49 moves\n", "check --blame 9:RR"]),
    ("walk 3x4!2,2;2,3 -n 3 -o a.svg", 1, ["pictures: a-1.svg to a-3.svg\n0 of 3 "]),
    ("walk 7 --exact -n 3 -o a.pdf", 0, ["labyrinths: a.pdf, solutions: a-solutions"]),
    ("walk 5 --rules R --seed 3 -n 2", 1, ["stuck    5:DDDDRRR"]),
    ("check 5:RD", 0, ["5:RD\n  R  dead", "L  completable", "strips\nwhy R is dead"]),
    ("check 5:DRURRRDDDL -o a.svg", 0, ["gap: allowed though", "written: a.svg\n"]),
    ("check walk.txt", 0, ["\n5:RR\n", "  R  completable"]),
    ("check 3:RD", 1, ["no completion", "move 2, D, is the first fatal one"]),
    ("check 5:RD --rules R", 0, ["forbidden by ahead-first: Go straight on"]),
    ("count 7:", 0, ["7:  111,712\n  R  55,856\n  D  55,856"]),
    ("count 5:RRRRDDDD", 1, ["5:RRRRDDDD  0"]),
    ("count 4!1,1;1,2 --cycles", 0, ["4!1,1;1,2  2 cycles\n"]),
    ("count 4@1,2>1,1 --cycles", 0, ["4  6 cycles\n"]),
    ("count 3!3,3 --cycles", 0, ["3!3,3  1 cycle\n"]),
    ("count 3x3!1,1;3,3 --paths", 0, ["3!1,1;3,3  4 paths\n"]),
    ("count 2!1,1;1,2;2,1 --paths", 0, ["2!1,1;1,2;2,1  1 path\n"]),
    ("count 4x5 --cycles --b-file", 0, ["1 0\n2 1\n3 2\n4 6\n5 14\n"]),  # A006864
    ("count 6 --cycles --b-file --jobs 1", 0, ["1 0\n2 1\n3 0\n4 6\n5 0\n6 1072\n"]),
    ("count 5 --b-file", 0, ["1 1\n2 0\n3 2\n4 0\n5 104\n"]),
    ("count 3x5 --b-file", 0, ["1 1\n2 1\n3 2\n4 4\n5 8\n"]),
    ("count 2x3 --cycles --json", 0, ['{"board": "2x3", "cycles": 1}\n']),
    ("draw 5:RD --rules c-shape", 0, ["┐", "R\n       forbidden by c-shape"]),
    ("draw 5:RD --rules R", 0, ["forbidden by ahead-first"]),
    ("draw 7:RRDRURDDLDL --witness", 0, ["no witness: no completion exists\n"]),
    ("draw 5:RRRDDRDL --witness", 0, ["no witness: 2 cells are cut off\n"]),
    ("puzzle 5 --seed 7", 0, ["seed 7, 4 steps, forced steps alone"]),
    ("puzzle 5 --json", 0, ['"steps": [[[1, 3], [1, 4]], ', 'counting", "sol']),
    ("puzzle 5 -o a.pdf", 0, ["puzzles: a.pdf, solutions: a-solutions.pdf\n"]),
    ("export 5:RDDLU -o x.cnf", 0, ["DEAD: x.cnf, answer: x.cnf.json, proof: "]),
    ("export 5:RD -o x.hcp", 0, ["COMPLETABLE: x.hcp"]),
    ("verify c-shape 3x4", 0, ["c-shape on every", ": 10 forbidden, 1 missed, in 1"]),
    ("verify wrong.toml 3x4 --save --corpus c --json", 1, ["false}", "c/gap"]),
    ("verify far-across-right-start-c 5", 0, ["never fired: far-across-right-start"]),
    ("verify wrong.toml 3x4", 1, ["unsound\n", "never-right forbids D, thou", "gap:"]),
    ("verify found-5 5", 0, ["in 0 gaps\ncomplete: every dead move was forbidden\n"]),
    ("verify seed-5 5 --json", 0, ['"positions": 1583,', '"missed": 12,', "true"]),
    ("verify seed-5 9 -n 120 --json", 0, ['"positions": 120', '"complete": false']),
    ("verify c-shape 3x17", 0, ["c-shape on 2,000", "3x17: 2,000 random positions"]),
    (
        "verify near-border-front c-shape 5@5,1>1,5",
        0,
        ["-front on every", "is left out"],
    ),
    ("verify near-border-front 5@5,1>1,5 --boards any", 1, ["unsound"]),
    ("verify wrong.toml 1x4", 0, ["0 dead moves"]),  # it is wrong on 3 x 4 alone
    ("verify wrong.toml 1x4 3x4 --json", 1, ['"sound": true', '"sound": false']),
    ("verify wrong.toml 3x4 1x4 --json", 1, ['"sound": false', '"sound": true']),
    ("verify R 5", 1, ["ahead-first forbids"]),
    ("prove c-shape --proofs p", 0, ["for every board, wi", "3 parts, 2 clauses:"]),
    ("prove wrong.toml", 1, ["never-right: REFUTED", "can be completed by D"]),
    ("prove sa-next-step --corpus empty", 1, ["OPEN", "tried: the corpus"]),
    ("prove universal", 2, ["forced-edges has no drawing\n", "oneway: no rule of"]),
    ("proof check p", 0, ["p/c-shape.proof.xz: c-shape is proved, as in the book"]),
    ("proof check p --rules seed-close", 1, ["'c-shape' is not a rule of seed-close"]),
    ("mine 5 -r seed-5 -n 60 --dry-run", 0, ["1  not saved\n60 walks, 1 stuck: 1 at"]),
    (
        "mine 7 -r seed-5 -n 9 --dry-run --json",
        0,
        ['"stuck at gaps": 4, ', '"gaps": 4'],
    ),
    ("mine 7 -r seed-5 -n 9 --corpus c", 0, ["4 stuck: 4 at gaps\n4 new cases in c\n"]),
    ("mine 5 -r universal -n 20 --dry-run", 1, ["20 walks, none stuck"]),
    ("mine 5 -r R,seed-5 -n 5 --dry-run --jobs 1", 0, ["wrong rule"]),
    ("mine 5@1,1>1,5 -r ahead.toml --boards rim -n 9 --dry-run", 0, ["on the rim\n"]),
    ("mine 5@1,1>1,5 -r ahead.toml,forced-edges -n 9 --dry-run", 0, ["left out on"]),
    ("fuzz c-shape -n 2", 0, [" firings, ", "to 15\nstopped after example 2, "]),
    ("fuzz wrong.toml -n 9", 1, ["never-right forbids R", "check it: oneway check"]),
    ("discover 3x4 -o b.toml", 0, ["; 0 distinct", "b-1: PROVED for", "fewest of a p"]),
    ("stats 5 -n 30", 0, ["Random walks under seed-5", "1  3.33 %               29"]),
    ("stats 5 --rules R -n 20 --jobs 1", 0, ["Random walks under my_rules.py"]),
    ("report c-shape 3x4 -o r", 0, ["1 PROVED, 0 REFUTED, 0 OPEN", "r/verdicts.md"]),
    ("report wrong.toml 3x4 -o r", 1, ["0 PROVED, 1 REFUTED, 0 OPEN", "r/verdicts.md"]),
    ("report sa-next-step 3x4 --corpus empty -o r", 1, ["0 REFUTED, 1 OPEN"]),
    ("report seed-5 3x4 --no-verdicts -o r", 0, ["4 rules", "r/evidence.md"]),
    ("report R 5 -o rep --jobs 1", 0, ["1 rule: 0 sound, 1 unsound"]),
    ("report c-shape --against wrong.toml 3x4", 0, ["c-shape", "completable      0"]),
    ("report wrong.toml --against c-shape 3x4", 1, [" 23  3x4:R ", "\n41 position"]),
    ("milestones 5 --rules seed-5", 0, ["104 walks completed, 28 pos", "25  area"]),
    ("milestones 5 -r seed-5 --stop-stuck", 0, ["0 walks completed, 1 positions"]),
    ("milestones 5 --rules R -n 10", 0, ["ahead-first"]),
    ("selftest -n 5 --jobs 1", 0, ["5 positions compared, 0 disagreements\n"]),
    ("rules", 0, ["seed-5               4 rules"]),
    ("rules c-shape", 0, ["c-shape  (claim: sound)", "% K @ x", "turned: none, cw"]),
    ("rules near-border-front", 0, ["absolute, last step U; images: identity, tr"]),
    ("rules seed-5 --list", 0, ["rule", "claim", "c-shape", "sound"]),
    ("rules R", 0, ["ahead-first  (claim: ", "  Go straight on while you can.\n"]),
    ("corpus show", 0, ["gap ", "verdict "]),
    ("corpus show 7x7-69 --json", 0, ['{"kind": "gap", "name": "7x7-69', 'RRUR"}\n']),
    ("corpus show 7x7-69", 0, ["why:    ", "source: ", "<- in question"]),
    ("corpus show --corpus empty", 1, ["cases in empty\n"]),
    ("corpus replay 7x7-69", 0, ["1 case: 1 ", "0 failures"]),
    ("corpus replay --corpus empty", 1, ["0 cases: 0 failures\nthere is no c"]),
    ("corpus add 5:DRURRRDDDL -r seed-5 --corpus c", 0, ["gap, saved: c/gap/"]),
    ("corpus add 5:R 7:RRDRURDDLD -r seed-5 --dry-run", 1, ["nothing to", "not saved"]),
    ("corpus add 7x7-69 --dry-run", 1, ["not saved: 7:", "cells: 49\n  was: 49"]),
    ("corpus add differs.txt --dry-run", 1, ["allowed: D\n", "completable: RD"]),
    ("corpus add 5:R --dry-run --json", 0, ['"moves": "", "case": null, "new": fal']),
    ("corpus add walk.txt --dry-run", 0, ["not saved: 5:RR", "allowed: R", "able: RD"]),
    ("corpus add 5:R -r seed-5 --corpus c", 1, ["nothing to save: 5:R shows no fault"]),
    ("corpus add 5:RD --rules R --corpus c", 0, ["unsound"]),
    ("knight tour 6x5 --closed", 0, [" 1 24 21 10  3\n", "6 x 5: found by the exact"]),
    ("knight tour 4", 1, ["4 x 4: none exists: 4 x 4 has none: every walk was"]),
    ("knight check tour.txt", 1, ["1 no"]),
    (
        "knight check tour.txt --json",
        1,
        ['"row_sums": [6, 15, 24], "column_s', "13, 16]}"],
    ),
    ("knight symmetric -n 1", 0, ["54 31", "tour 1: c1 to e2, diagonals 256 and 264"]),
    ("knight enumerate --start c3 --estimate 9", 0, ["    3      4.250  17 ± 0\n"]),
    ("maze letters.txt", 0, ["3 moves to the goal, entering from the bottom, "]),
    ("maze closed.txt", 1, ["the goal cannot be reached: none of 12 entries leads"]),
    ("path game.txt", 0, ["White has a winning path."]),
    ("prove R", 2, ["a Python rule has no drawing; `verify` and `fuzz` test it"]),
    ("discover 5 --rules R", 2, ["a Python rule has no drawing"]),
    ("lab --rules R", 2, ["a Python rule has no drawing"]),
    ("verify my_rules.py:broken 5", 2, ["rule 'broken': at 5:R"]),
    ("mine 5 --rules my_rules.py:broken -n 5 --jobs 1", 2, ["ZeroDivisionError"]),
    ("check 5:RD --rules my_rules.py:broken", 2, ["rule 'broken': at 5:RD"]),
    ("mine 5@1,1>1,5 -r ahead.toml --dry-run", 2, ["no rule of 'ahead.toml' is meant"]),
    ("mine 5!3,3;3,4 -r universal-4 --boards plain --dry-run", 2, ["--boards any"]),
]
DEMO = ["104 Hamiltonian walks", "111,712", "first gap", "case already saved"]
ELSEWHERE = {"lab"}  # tests/lab starts it
PYTHON = """
def ahead_first(position):
    "Go straight on while you can."
    if position.turn("ahead") in position.options():
        return {position.turn("left"), position.turn("right")}
    return ()

def broken(position):
    return 1 // 0
"""


@pytest.fixture(autouse=True)
def _files(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the files that the lines name."""
    monkeypatch.setenv("ONEWAY_CORPUS", CORPUS)
    Path("empty").mkdir()
    files = {
        "wrong.toml": NEVER_RIGHT,
        "ahead.toml": NEVER_AHEAD.replace("never-", ""),
        "my_rules.py": PYTHON,
        "tour.txt": "1 3 2\n6 5 4\n9 8 7\n",
        "differs.txt": "5|1-1,1;0,1-2,1;0,1-3,1;0",
        "walk.txt": "5|1-1,1;0,1-2,1;0,1-3,1;0,1",
        "letters.txt": "XRX/XGX/?LX\n",
        "closed.txt": "XXX/XGX/XXX\n",
        "game.txt": "1 W 0\n",
    }
    for name, text in files.items():
        Path(name).write_text(text)


@pytest.mark.parametrize(
    ("line", "code", "parts"),
    [*LINES, pytest.param("demo", 0, DEMO, marks=pytest.mark.slow)],
    ids=[*(line for line, *_ in LINES), "demo"],
)
def test_a_command_prints_its_answer(line: str, code: int, parts: list[str]) -> None:
    if line.startswith("proof"):
        assert run("prove", "c-shape", "--proofs", "p").code == 0
    prints(line.replace(" R", " my_rules.py:ahead_first"), code, *parts)


def test_no_command_is_left_out() -> None:
    names = set(commands(typer.main.get_command(whole_app()))) - ELSEWHERE
    shown = {" ".join(line.split()[:n]) for line, *_ in LINES for n in (1, 2)}
    assert names <= shown


MATTERS = [  # a command, and options that must change what it prints
    ("walk 7 -n 3", "--seed 2"),
    ("walk 7 -n 3", "--rules universal-4"),
    ("walk 7 -n 3 --exact", "--seed 2"),
    ("walk 7 -n 3 --uniform", "--seed 2"),
    ("check 5:RD", "--rules close-across-left"),
    ("check 5:RD", "--oracle search"),
    ("draw 5:RD", "--witness"),
    ("puzzle 5", "--seed 2"),
    ("puzzle 5", "--clues walls"),
    ("verify c-shape 9 -n 30", "--seed 2"),
    ("verify c-shape 9 -n 30", "-n 31"),
    ("prove wrong.toml --json", "--all-scopes"),
    ("prove wrong.toml", "--sharpen"),
    ("prove wrong.toml", "--pictures here"),
    ("mine 7 -r seed-5 -n 9 --dry-run", "--seed 20"),
    ("discover 3x4", "--rules c-shape"),
    ("stats 5 -n 60", "--seed 5"),
    ("stats 5 -n 60", "--rules universal-4"),
    ("milestones 5 -r seed-5", "-n 20"),
    ("selftest -n 5 --jobs 1", "--seed 2"),
    ("corpus replay 7x7-69", "--rules universal-4"),
    ("knight tour 8", "--closed"),
    ("knight enumerate --start c3 --estimate 9", "--seed 2"),
    ("maze letters.txt", "--entry left2"),
    ("path game.txt", "--explain"),
]


@pytest.mark.parametrize(("line", "more"), MATTERS, ids=[" ".join(x) for x in MATTERS])
def test_an_option_changes_the_answer(line: str, more: str) -> None:
    first, second = (run(*words.split()) for words in (line, f"{line} {more}"))
    assert {first.code, second.code} <= {0, 1}, (first, second)
    times = re.compile(r"\d+\.\d+ s")
    assert times.sub("", first.out) != times.sub("", second.out)


@pytest.mark.parametrize(
    "line",
    [
        *("walk 4", "walk 4 --exact", "puzzle 4", "verify c-shape 4", "stats 4"),
        *("mine 4", "report c-shape 4", "discover 4", "milestones 4"),
        *("count 4 --walk 0", "walk 5@1,2>5,5"),
    ],
)
def test_a_board_without_walks_is_one_sentence_and_code_1(line: str) -> None:
    ran = run(*line.split())
    assert (ran.code, ran.out) == (1, "")
    assert "has no Hamiltonian walk: from" in ran.err
    assert ran.err.count("\n") == 1


def test_ranks_there_and_back() -> None:
    prints("count - --rank", 0, "5:RDDL  38\n5:D  52\n", stdin="5:RDDL\n5:D\n")
    walk = "5:RDLDDDRUURRULURRDDDLLDRR"
    both = f'{{"position": "{walk}", "rank": 46}}\n'
    prints("count 5 --walk 46", 0, f"{walk}\n")
    prints("count 5 --walk 46 --json", 0, both)
    prints(f"count {walk} --rank --json", 0, both)


def test_an_enumeration_is_tallied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.commands.console.conduct", lambda *_: ([], 9, 7))
    tally = '"starts": ["c3"], "steps": 9, "taken": 7}\n'
    prints("knight enumerate --start c3 --json", 0, tally)


GOOD, BAD = "5:RD", "5:RRRRDDDD"


@pytest.mark.parametrize("command", ["check", "count"])
@pytest.mark.parametrize(
    ("lines", "code"), [([GOOD, GOOD], 0), ([GOOD, BAD], 1), ([BAD, GOOD], 1)]
)
def test_one_dead_position_of_a_stream_decides_the_exit_code(
    command: str, lines: list[str], code: int
) -> None:
    assert run(command, "-", stdin="\n".join(lines) + "\n").code == code


def test_one_completed_walk_decides_the_exit_code() -> None:
    args = ("walk", "9", "--rules", "seed-5", "--json")
    ran = run(*args, "-n", "12")
    stuck = [json.loads(line)["stuck"] for line in ran.out.splitlines()[:-1]]
    assert set(stuck) == {True, False}
    assert ran.code == 0
    assert run(*args, "--seed", str(stuck.index(True))).code == 1
    assert run(*args, "--seed", str(stuck.index(False))).code == 0


def test_several_words_name_the_same_rules_as_one_with_commas() -> None:
    apart = run("walk", "7", "-r", "seed-5", "-r", "seed-close", "-n", "30", "--json")
    together = run("walk", "7", "-r", "seed-5,seed-close", "-n", "30", "--json")
    assert apart == together
    assert apart.out != run("walk", "7", "-r", "seed-5", "-n", "30", "--json").out
