"""The start class whose enumeration was run to its end: its tours are judged again."""

import json
from functools import cache
from typing import Any

from solver.puzzles.knight.search import STARTS, Tour, class_of, named_cell
from solver.puzzles.knight.semimagic import below
from tests.puzzles.knight.samples import images
from tests.puzzles.samples import ROOT
from verify.puzzles.knight.enumeration import prefixes, tally, tally_lines
from verify.puzzles.knight.judge import judge


@cache
def record() -> tuple[dict[str, Any], list[Tour]]:
    """Return the counts of c3 and its tours, as `enumerate --start c3 --json` said."""
    text = (ROOT / "docs" / "tables" / "knight-c3.jsonl").read_text("utf-8")
    *lines, counts = map(json.loads, text.splitlines())
    tours = []
    for one in lines:
        assert judge(one["numbers"]).semimagic  # by code of its own
        flat = [number for row in one["numbers"] for number in row]
        tours.append(tuple(flat.index(number) for number in range(1, 65)))
    return counts, tours


def test_counts_of_the_record() -> None:
    counts, tours = record()
    count = tally(tours)
    for name in ("hits", "classes", "closed", "open", "symmetric", "magic"):
        assert counts[name] == count[name], name
    for tour in tours:
        assert tour[0] == named_cell("c3")
        assert STARTS.index(class_of(tour[-1])) >= STARTS.index("c3")
    forms = [min(i for one in (t, t[::-1]) for i in images(one)) for t in tours]
    assert len(set(forms)) == counts["classes"]
    found = [count[k] for k in ("hits", "classes", "closed", "open", "symmetric")]
    assert found == [9, 9, 6, 3, 1]
    assert counts["taken"][64] == len(tours)
    assert sum(counts["taken"]) <= counts["steps"]
    lines = tally_lines(tours, "")
    assert "     9 up to the 8 symmetries of the board and reversal" in lines
    assert "     6 of these closed" in lines


def test_the_search_finds_the_tours_of_the_record_again() -> None:
    units = prefixes("c3")
    assert len(units) > 100
    for tour in record()[1]:
        assert tour in below(tour[:22]).tours
        assert sum(tour[: len(cells)] == cells for cells in units) == 1
