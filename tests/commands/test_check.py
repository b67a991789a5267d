"""`oneway check`: pictures of gaps, the first fatal move, the page."""

import json
import re
from pathlib import Path

import pytest

from solver.board import Position
from solver.oracles.oracle import Verdict, get_oracle
from solver.oracles.reference import BruteOracle
from tests.runner import prints, run
from tests.samples import GAP
from verify.truth import first_fatal

MISSED = "5:DRURRRDDDL"  # D is dead and forbidden by seed-5, L is dead and allowed
AREA = "7:RRDLLDRRRUURDRURDDDDL"  # L is a gap, and a rule counts an area for D


def drawn(file: str, kind: str) -> list[tuple[int, ...]]:
    """Return the cells, row and column from 1, that crosses of a kind stand on."""
    cross = rf'class="{kind}" d="M([\d.]+) ([\d.]+)'
    corners = re.findall(cross, Path(file).read_text())
    # A cell has 24 units, the margin 6, and an arm of a cross 6.72.
    return [
        tuple(round((float(z) + 0.72) / 24 + 0.5) for z in (y, x)) for x, y in corners
    ]


@pytest.mark.parametrize(
    ("line", "gap", "forbidden", "words", "shaded"),
    [
        (MISSED, [(4, 3)], [(5, 4)], ["GAP: L IS ALLOWED", "WHY L IS DEAD"], 3),
        ("5:DRURRRDDDLU -r c-shape", [], [(3, 3)], ["WHY L IS DEAD"], 1),
        (AREA, [(5, 5)], [(6, 6)], ["GAP: L IS ALLOWED", "WHY L IS DEAD"], 3),
    ],
)
def test_the_picture_marks_and_explains(
    line: str,
    gap: list[tuple[int, int]],
    forbidden: list[tuple[int, int]],
    words: list[str],
    shaded: int,
) -> None:
    run("check", *line.split(), "-o", "a.svg")
    assert (drawn("a.svg", "gap"), drawn("a.svg", "forbidden")) == (gap, forbidden)
    text = Path("a.svg").read_text()
    assert re.findall(r'data-note="([^"]*)"', text) == words
    assert text.count('class="area"') == shaded


def test_the_page_names_the_gap_and_explains_each_dead_move() -> None:
    run("check", MISSED, "-o", "a.html")
    text = Path("a.html").read_text()
    assert "<h1>A completion exists; gap: L is dead and allowed</h1>" in text
    assert "L  dead         allowed by every rule  &lt;- gap: allowed" in text
    assert "<h2>Why L is dead, a gap</h2>" in text
    assert "<h2>Why D is dead</h2>" in text
    run("check", MISSED, "-o", "a.html", "--rules", "universal")
    assert "gap" not in Path("a.html").read_text()


def test_the_region_of_a_gap_is_shaded_and_in_the_json() -> None:
    out = run("check", AREA).out
    why = {line[4]: line for line in out.splitlines() if line.startswith("why ")}
    assert "D  dead\n       forbidden by" in out  # so L alone is a gap
    assert [move for move in why if why[move].endswith("(shaded)")] == ["L"]
    assert out.count("▒") == 3
    moves = json.loads(run("check", AREA, "--json").out)["moves"]
    assert moves["L"]["region"] == [[3, 5], [3, 6], [4, 6]]
    (forbid,) = moves["D"]["forbidden"]
    assert len(forbid["area"]) == 23
    assert all(1 <= row <= 7 and 1 <= col <= 7 for row, col in forbid["cells"])


def test_a_stream_of_positions_becomes_objects() -> None:
    ran = run("check", "-", "--json", "--oracle", "frontier", stdin=f"5:RD\n\n{GAP}\n")
    first, second = (json.loads(line) for line in ran.out.splitlines())
    assert (first["position"], [*first]) == ("5:RD", ["position", "verdict", "moves"])
    verdicts = {move: about["verdict"] for move, about in first["moves"].items()}
    assert verdicts == {"R": "DEAD", "D": "DEAD", "L": "COMPLETABLE"}
    for move in first["moves"].values():
        for forbid in move["forbidden"]:
            assert set(forbid) == {"rule", "reason", "cells", "area"}
    why, region = (second["moves"]["L"].pop(key) for key in ("why", "region"))
    assert why.startswith("the marked region has 9 black and 7 white cells")
    assert len(region) == 16
    assert second["moves"]["L"] == {"verdict": "DEAD", "forbidden": []}


def test_proofs_of_dead_moves_are_files_that_a_checker_accepts() -> None:
    names = [f"out/5-RD{move}.dead.json" for move in "RD"]
    written = [f"proof, checked: {name}\n" for name in names]
    prints("check 5:RD --proof out", 0, *written)
    assert {str(path) for path in Path("out").iterdir()} == {*names}
    prints(f"proof check {' '.join(names)}", 0, "5:RDR is dead", "5:RDD is dead")
    prints(f"check 5:RD --proof {names[0]}", 2, "oneway: cannot make")


DEAD = "5:RRRDDRDL"  # 5:RRR can be completed, 5:RRRD cannot


@pytest.mark.parametrize("text", [DEAD, "5:RD", "5:DDRURDRU", GAP[:-1], "4x5:RRDLL"])
def test_the_first_fatal_move_is_where_brute_force_says(text: str) -> None:
    position, brute = Position.parse(text), BruteOracle()
    before = [position.back(n) for n in range(len(position.walk))][::-1]
    dead = [brute.decide(p).verdict is Verdict.DEAD for p in before]
    fatal = first_fatal(position, get_oracle("search"))
    if fatal is None:
        assert not any(dead)
    else:
        assert fatal.number == dead.index(True)
        assert fatal.move == position.moves[fatal.number - 1]


def test_blame_names_the_move_and_the_rules_that_prevent_it() -> None:
    line = f"check --blame {GAP}LU"
    fatal, taken = "move 11, L, is the first fatal one", "<- the move taken"
    prints(f"{line} -o blame.svg", 0, taken, fatal, "forbidden by two-factor")
    assert len(drawn("blame.svg", "forbidden")) == 1
    assert 'class="witness"' in Path("blame.svg").read_text()
    prints(f"{line} -r seed-5 -o blame.svg", 0, "no rule forbids L")
    assert [len(drawn("blame.svg", kind)) for kind in ("forbidden", "gap")] == [0, 1]
    blamed = json.loads(prints(f"{line} --json", 0).out)
    assert (blamed["walk"], blamed["position"]) == (f"{GAP}LU", GAP)
    assert blamed["fatal"] == {"number": 11, "move": "L"}
    assert blamed["moves"]["L"]["forbidden"]
    prints(f"check --blame {GAP}", 1, "no move is fatal")


def test_a_dead_position_has_a_first_fatal_move() -> None:
    fatal = "move 4, D, is the first fatal one"
    assert "gap" not in prints(f"check {DEAD} --rules c-shape", 1, fatal).out
    last = "D  dead         allowed by every rule; the end cell is entered last"
    prints("check 5:RRRRDDD --rules c-shape", 0, last)
    prints(f"check {DEAD} --json", 1, '"fatal": {"number": 4, "move": "D"}')
