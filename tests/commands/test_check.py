"""`oneway check`: pictures of gaps, the first fatal move, the page."""

import json
import re
from pathlib import Path

import pytest

from solver.board import Position
from solver.oracles.oracle import Verdict, get_oracle
from tests.doubles.brute import BruteOracle
from tests.runner import run
from tests.samples import GAP
from verify.truth import first_fatal

MISSED = "5:DRURRRDDDL"  # D is dead and forbidden by seed-5, L is dead and allowed


def drawn(file: Path, kind: str) -> list[tuple[float, float]]:
    """Return the cells, row and column from 1, that crosses of a kind stand on."""
    found = re.findall(rf'class="{kind}" d="M([\d.]+) ([\d.]+)', file.read_text())
    arm, margin, cell = 24 * 0.28, 6, 24
    return [
        (
            round((float(y) + arm - margin) / cell + 0.5),
            round((float(x) + arm - margin) / cell + 0.5),
        )
        for x, y in found
    ]


def notes(file: Path) -> list[str]:
    return re.findall(r'data-note="([^"]*)"', file.read_text())


def test_a_gap_is_marked_and_explained(tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    run("check", MISSED, "-o", str(file))
    assert drawn(file, "gap") == [(4, 3)]
    assert drawn(file, "forbidden") == [(5, 4)]
    assert notes(file) == ["GAP: L IS ALLOWED", "WHY L IS DEAD"]


def test_the_dead_move_that_is_explained_is_marked(tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    run("check", "5:DRURRRDDDLU", "-o", str(file), "--rules", "near-border-front")
    assert drawn(file, "gap") == [(3, 3)]
    run("check", "5:DRURRRDDDLU", "-o", str(file), "--rules", "c-shape")
    assert drawn(file, "gap") == drawn(file, "dead") == []
    assert drawn(file, "forbidden") == [(3, 3)]
    assert notes(file) == ["WHY L IS DEAD"]


def test_the_headline_of_the_page_says_gap(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    run("check", MISSED, "-o", str(file))
    text = file.read_text()
    assert "<h1>A completion exists; gap: L is dead and allowed</h1>" in text
    assert "L  dead         allowed by every rule  &lt;- gap: allowed" in text
    assert "<h2>Why L is dead, a gap</h2>" in text
    assert "<h2>Why D is dead</h2>" in text
    run("check", MISSED, "-o", str(file), "--rules", "universal")
    assert "gap" not in file.read_text()


def test_the_terminal_shades_the_region_of_a_gap_first() -> None:
    ran = run("check", "7:RRDLLDRRRUURDRURDDDDL", "--rules", "seed-5")
    why = {line[4]: line for line in ran.out.splitlines() if line.startswith("why ")}
    assert "D  dead\n       forbidden by" in ran.out  # so L alone is a gap
    assert why["L"].endswith("(shaded)")
    assert not why["D"].endswith("(shaded)")
    assert ran.out.count("▒") == 3


def test_json_names_the_cells_of_reasons() -> None:
    ran = run("check", "7:RRDLLDRRRUURDRURDDDDL", "--rules", "seed-5", "--json")
    moves = json.loads(ran.out)["moves"]
    assert moves["L"]["region"] == [[3, 5], [3, 6], [4, 6]]
    (forbid,) = moves["D"]["forbidden"]
    assert len(forbid["area"]) == 23
    assert all(1 <= row <= 7 and 1 <= col <= 7 for row, col in forbid["cells"])


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


def test_the_command_tells_move_rules_and_picture(tmp_path: Path) -> None:
    file = tmp_path / "blame.svg"
    ran = run("check", "--blame", f"{GAP}LU", "-o", str(file))
    assert ran.code == 0
    assert "move 11, L, is the first fatal one" in ran.out
    assert "<- the move taken" in ran.out
    assert "forbidden by two-factor" in ran.out
    assert 'class="forbidden"' in file.read_text()
    assert 'class="witness"' in file.read_text()
    assert len(drawn(file, "forbidden")) == 1
    words = ("--rules", "seed-5", "-o", str(file))
    blind = run("check", "--blame", f"{GAP}LU", *words)
    assert (len(drawn(file, "forbidden")), len(drawn(file, "gap"))) == (0, 1)
    assert "no rule forbids L" in blind.out
    told = json.loads(run("check", "--blame", f"{GAP}LU", "--json").out)
    assert (told["walk"], told["position"]) == (f"{GAP}LU", GAP)
    assert told["fatal"] == {"number": 11, "move": "L"}
    assert told["moves"]["L"]["forbidden"]
    assert run("check", "--blame", GAP).code == 1
    assert "no move is fatal" in run("check", "--blame", GAP).out


def test_a_dead_position_has_a_first_fatal_move() -> None:
    printed = run("check", DEAD, "--rules", "c-shape").out
    assert "move 4, D, is the first fatal one" in printed
    assert "gap" not in printed  # of a dead position no move is one
    end = run("check", "5:RRRRDDD", "--rules", "c-shape").out
    assert "D  dead         allowed by every rule; the end cell is entered last" in end
    told = json.loads(run("check", DEAD, "--json").out)
    assert told["fatal"] == {"number": 4, "move": "D"}
