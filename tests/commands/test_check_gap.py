"""`oneway check -o` marks gaps, and the dead move that its picture explains."""

import json
import re
from pathlib import Path

from tests.runner import run

GAP = "5:DRURRRDDDL"  # D is dead and forbidden by seed-5, L is dead and allowed


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
    run("check", GAP, "-o", str(file))
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


def test_a_dead_position_has_no_gap(tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    run("check", "5:RRRDDRDL", "-o", str(file), "--rules", "near-border-front")
    assert drawn(file, "gap") == []
    assert not any(note.startswith("GAP") for note in notes(file))
    assert len(drawn(file, "dead")) == sum(n.startswith("WHY") for n in notes(file))


def test_other_pictures_of_gaps_mark_them(tmp_path: Path) -> None:
    file, cases = tmp_path / "a.svg", ("--corpus", str(tmp_path / "cases"))
    run("corpus", "add", GAP, "--rules", "seed-5", *cases)
    [case] = (tmp_path / "cases" / "gap").iterdir()
    assert run("corpus", "show", case.stem, *cases, "-o", str(file)).code == 0
    assert notes(file) == ["GAP: L IS ALLOWED"]
    ran = run("verify", "seed-5", "5", "-o", str(file))
    [found] = re.findall(r"first gap: ([URDL]) is dead", ran.out)
    assert notes(file) == [f"GAP: {found} IS ALLOWED"]
    assert len(drawn(file, "gap")) == 1


def test_the_headline_of_the_page_says_gap(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    run("check", GAP, "-o", str(file))
    text = file.read_text()
    assert "<h1>A completion exists; gap: L is dead and allowed</h1>" in text
    assert "<td>none (gap: allowed though dead)</td>" in text
    assert "<h2>Why L is dead, a gap</h2>" in text
    assert "<h2>Why D is dead</h2>" in text
    run("check", GAP, "-o", str(file), "--rules", "universal")
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
