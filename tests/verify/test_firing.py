"""Rules that never fire on small boards: a position where each decides, or none can."""

from pathlib import Path

import pytest

from heuristic.rules.drawing import CellState
from tests.samples import book
from verify.corpus.cases import corpus_folder, load_case
from verify.formatting import markdown_rows
from verify.proof.certificate import save_certificate
from verify.proof.checking import check_certificate
from verify.proof.prove import prove_void

SILENT = "PROVED", "0"
PAGE = Path(__file__).parents[2] / "docs/tables/verdicts.md"
VOID = [
    *("far-straight-left-start-c", "far-straight-right-start-c"),
    *("far-mid-across-right-start-c", "far-across-right-start-c"),
    *("far-side-down-start-c", "far-side-mid-across-down-start-c"),
    *("far-side-across-down-start-c", "far-side-up-start-c", "open-corner-3"),
]
SEARCHED = {"open-corner-3"}  # its proof is long
CASES = [load_case(path) for path in sorted((corpus_folder() / "fired").glob("*.toml"))]


def test_each_proved_rule_decides_somewhere_or_never_fires() -> None:
    """By the page, on 5x5 and 7x7; the cases hold positions of larger boards."""
    table = markdown_rows(PAGE.read_text())
    rows = [dict(zip(header, cells, strict=True)) for _, header, cells in table]
    silent = {row["rule"] for row in rows if (row["verdict"], row["fired"]) == SILENT}
    decided = {case.rules for case in CASES}
    assert len(silent) > 50
    assert silent == decided | set(VOID)
    assert not decided & set(VOID)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in SEARCHED else [])
        for name in VOID
    ],
)
def test_no_completable_position_matches_a_void_rule(name: str, tmp_path: Path) -> None:
    proved = prove_void(book(name), seconds=20.0)
    assert proved is not None
    checked = check_certificate(
        save_certificate(proved, tmp_path), {proved.rule.name: proved.rule}
    )
    assert checked.fault is None
    drawing = proved.rule.drawings[0]
    for move in {(-1, 0), (0, -1), (1, 0), (0, 1)} - set(drawing.forbidden):
        assert CellState.FREE not in drawing.need(move).states


def test_a_rule_that_decides_is_not_void() -> None:
    assert prove_void(book("area-near-border"), seconds=2.0) is None
