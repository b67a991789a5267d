"""`oneway check`: pictures of gaps, the first fatal move, the page."""

import json
import re
from pathlib import Path

import pytest

from solver.board import Position
from solver.oracles.oracle import Verdict, get_oracle
from solver.oracles.reference import BruteOracle
from tests.runner import assert_refused, run
from tests.samples import GAP
from verify.truth import first_fatal

MISSED = "5:DRURRRDDDL"  # D is dead and forbidden by seed-5, L is dead and allowed


def drawn(file: Path, kind: str) -> list[tuple[float, float]]:
    """Return the cells, row and column from 1, that crosses of a kind stand on."""
    matches = re.findall(rf'class="{kind}" d="M([\d.]+) ([\d.]+)', file.read_text())
    arm, margin, cell = 24 * 0.28, 6, 24
    return [
        (
            round((float(y) + arm - margin) / cell + 0.5),
            round((float(x) + arm - margin) / cell + 0.5),
        )
        for x, y in matches
    ]


@pytest.mark.parametrize(
    ("line", "gap", "forbidden", "words", "shaded"),
    [
        (MISSED, [(4, 3)], [(5, 4)], ["GAP: L IS ALLOWED", "WHY L IS DEAD"], 3),
        ("5:DRURRRDDDLU -r c-shape", [], [(3, 3)], ["WHY L IS DEAD"], 1),
        (
            "7:RRDLLDRRRUURDRURDDDDL",  # a rule counts an area, for another move
            [(5, 5)],
            [(6, 6)],
            ["GAP: L IS ALLOWED", "WHY L IS DEAD"],
            3,
        ),
    ],
)
def test_the_picture_marks_and_explains(
    line: str,
    gap: list[tuple[int, int]],
    forbidden: list[tuple[int, int]],
    words: list[str],
    shaded: int,
) -> None:
    file = Path("a.svg")
    run("check", *line.split(), "-o", str(file))
    assert drawn(file, "gap") == gap
    assert drawn(file, "forbidden") == forbidden
    assert re.findall(r'data-note="([^"]*)"', file.read_text()) == words
    assert file.read_text().count('class="area"') == shaded


def test_the_page_names_the_gap_and_explains_each_dead_move() -> None:
    file = Path("a.html")
    run("check", MISSED, "-o", str(file))
    text = file.read_text()
    assert "<h1>A completion exists; gap: L is dead and allowed</h1>" in text
    assert "L  dead         allowed by every rule  &lt;- gap: allowed" in text
    assert "<h2>Why L is dead, a gap</h2>" in text
    assert "<h2>Why D is dead</h2>" in text
    run("check", MISSED, "-o", str(file), "--rules", "universal")
    assert "gap" not in file.read_text()


def test_the_region_of_a_gap_is_shaded_and_in_the_json() -> None:
    line = ("check", "7:RRDLLDRRRUURDRURDDDDL", "--rules", "seed-5")
    ran = run(*line)
    why = {line[4]: line for line in ran.out.splitlines() if line.startswith("why ")}
    assert "D  dead\n       forbidden by" in ran.out  # so L alone is a gap
    assert why["L"].endswith("(shaded)")
    assert not why["D"].endswith("(shaded)")
    assert ran.out.count("▒") == 3
    moves = json.loads(run(*line, "--json").out)["moves"]
    assert moves["L"]["region"] == [[3, 5], [3, 6], [4, 6]]
    (forbid,) = moves["D"]["forbidden"]
    assert len(forbid["area"]) == 23
    assert all(1 <= row <= 7 and 1 <= col <= 7 for row, col in forbid["cells"])


def test_a_stream_of_positions_becomes_objects() -> None:
    ran = run("check", "-", "--json", "--oracle", "frontier", stdin=f"5:RD\n\n{GAP}\n")
    first, second = (json.loads(line) for line in ran.out.splitlines())
    assert first["position"] == "5:RD"
    verdicts = {move: about["verdict"] for move, about in first["moves"].items()}
    assert verdicts == {"R": "DEAD", "D": "DEAD", "L": "COMPLETABLE"}
    for move in first["moves"].values():
        for forbid in move["forbidden"]:
            assert set(forbid) == {"rule", "reason", "cells", "area"}
    why = second["moves"]["L"].pop("why")
    assert why.startswith("the marked region has 9 black and 7 white cells")
    assert len(second["moves"]["L"].pop("region")) == 16
    assert second["moves"]["L"] == {"verdict": "DEAD", "forbidden": []}


def test_proofs_of_dead_moves_are_files_that_a_checker_accepts() -> None:
    assert run("check", "5:RD", "--proof", "out").code == 0
    files = sorted(Path("out").iterdir())
    assert [f.name for f in files] == [f"5-RD{move}.dead.json" for move in "DR"]
    for file in files:
        assert run("proof", "check", str(file)).code == 0
    assert_refused(run("check", "5:RD", "--proof", str(files[0])))


SEARCH, BRUTE = get_oracle("search"), BruteOracle()
DEAD = "5:RRRDDRDL"  # 5:RRR can be completed, 5:RRRD cannot


@pytest.mark.parametrize("text", [DEAD, "5:RD", "5:DDRURDRU", GAP[:-1], "4x5:RRDLL"])
def test_the_first_fatal_move_is_where_brute_force_says(text: str) -> None:
    position = Position.parse(text)
    steps = len(position.walk)
    before = [position.back(steps - n) for n in range(1, steps + 1)]
    alive = [BRUTE.decide(p).verdict is Verdict.COMPLETABLE for p in before]
    fatal = first_fatal(position, SEARCH)
    if all(alive):
        assert fatal is None
    else:
        assert fatal is not None
        assert fatal.number == alive.index(False)
        assert fatal.move == position.moves[fatal.number - 1]


def test_blame_names_the_move_and_the_rules_that_prevent_it() -> None:
    file = Path("blame.svg")
    line = ("check", "--blame", f"{GAP}LU")
    ran = run(*line, "-o", str(file))
    assert ran.code == 0
    assert "move 11, L, is the first fatal one" in ran.out
    assert "<- the move taken" in ran.out
    assert "forbidden by two-factor" in ran.out
    assert len(drawn(file, "forbidden")) == 1
    assert 'class="witness"' in file.read_text()
    blind = run(*line, "--rules", "seed-5", "-o", str(file))
    assert (len(drawn(file, "forbidden")), len(drawn(file, "gap"))) == (0, 1)
    assert "no rule forbids L" in blind.out
    blamed = json.loads(run(*line, "--json").out)
    assert (blamed["walk"], blamed["position"]) == (f"{GAP}LU", GAP)
    assert blamed["fatal"] == {"number": 11, "move": "L"}
    assert blamed["moves"]["L"]["forbidden"]
    good = run("check", "--blame", GAP)
    assert (good.code, "no move is fatal" in good.out) == (1, True)


def test_a_dead_position_has_a_first_fatal_move() -> None:
    printed = run("check", DEAD, "--rules", "c-shape").out
    assert "move 4, D, is the first fatal one" in printed
    assert "gap" not in printed  # a dead position has no gap
    end = run("check", "5:RRRRDDD", "--rules", "c-shape").out
    assert "D  dead         allowed by every rule; the end cell is entered last" in end
    fatal = json.loads(run("check", DEAD, "--json").out)["fatal"]
    assert fatal == {"number": 4, "move": "D"}
