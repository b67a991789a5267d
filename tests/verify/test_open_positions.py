"""What the author of the book left open, and the universal rules do not."""

import pytest

from heuristic.groups import load_rules
from solver.board import Position
from solver.oracles.oracle import get_oracle
from verify.corpus.cases import Case, corpus_folder, load_corpus
from verify.truth import first_fatal

OPEN = [c for c in load_corpus(corpus_folder()) if "References/unsolved" in c.source]
EXAMPLE = "21:RRRRRRDDDDDLLDLDDDLDDDDRRRRRUURRRRRRDDRRRRRUUUULUUUULLL"


def test_all_open_positions_are_kept() -> None:
    assert len(OPEN) == 26  # of 27 files, two of which hold one position
    sides = [case.position.board.rows for case in OPEN]
    assert (sides.count(13), sides.count(21), sides.count(25)) == (23, 2, 1)


@pytest.mark.parametrize("case", OPEN, ids=lambda case: case.name)
def test_universal_4_leaves_exactly_the_good_moves(case: Case) -> None:
    forbidden = {f.move for f in load_rules("universal-4").forbids(case.position)}
    dead = {move for move, word in case.moves.items() if word == "dead"}
    assert forbidden == dead


def test_the_opening_example_is_dead_from_move_20_on() -> None:
    fatal = first_fatal(Position.parse(EXAMPLE), get_oracle("search"))
    assert fatal is not None
    assert (fatal.number, fatal.move) == (20, "D")
    for name in ("sa-straight", "universal-4"):
        forbidden = load_rules(name).forbids(fatal.before)
        assert fatal.move in {forbid.move for forbid in forbidden}
