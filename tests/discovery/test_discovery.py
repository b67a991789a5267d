"""Rules found on small boards: complete, sound, proved, and the fewest of the pool."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from heuristic.groups import rules_together
from heuristic.rules.rulefile import load_file
from solver.board import STEPS, Board, Symmetry
from solver.positions import completable_positions
from tests.runner import run
from tests.samples import specs
from verify.discovery.gaps import cells_within, columns_of, missed_by, page_of
from verify.discovery.question import Picture, question, rule_of
from verify.discovery.running import ChosenRules, Discovery, smallest_cover
from verify.discovery.search import facts_of, forbidden_by, picture_of
from verify.evidence.evidence import verify_exhaustive
from verify.proof.checking import check_certificate

FIVE = Board.square(5)


@pytest.fixture(scope="module")
def run_of_5() -> tuple[Discovery, ChosenRules]:
    discovery = Discovery(FIVE)
    return discovery, discovery.listed()


def test_a_core_is_a_drawing_that_fits_its_gap() -> None:
    gaps = missed_by((), completable_positions(FIVE))
    cores = 0
    for number in range(0, len(gaps), 23):
        page = page_of(gaps, number)
        query = question(page.move, 2)
        core = query.core(facts_of(page, cells_within(2)))
        if core is not None:
            cores += 1
            assert query.core(core) is not None
            picture = picture_of(page, core)
            rule = rule_of(picture, forbidden_by(picture, 2))
            assert columns_of([rule], gaps)[number, 0]
    assert cores > 5


def test_5x5_from_nothing_is_complete_and_sound(
    run_of_5: tuple[Discovery, ChosenRules],
) -> None:
    discovery, book = run_of_5
    assert not discovery.pool.open.any()
    rules = [member.proved.rule for member in book.members]
    evidence = verify_exhaustive(rules_together("found", rules), FIVE)
    assert evidence.complete
    assert evidence.sound
    assert book.optimal
    assert (len(book.members), len(discovery.pool.candidates)) == (4, 12)
    assert all(member.only for member in book.members)
    assert {m.proved.rule.name: m.caught for m in book.members} == {
        rule.name: rule.caught for rule in evidence.rules
    }
    assert [m.only for m in book.members] == [rule.only for rule in evidence.rules]


def test_rules_are_sound_on_other_boards(
    run_of_5: tuple[Discovery, ChosenRules],
) -> None:
    rules = [member.proved.rule for member in run_of_5[1].members]
    assert verify_exhaustive(rules_together("found", rules), Board.parse("5x7")).sound


def test_turns_of_one_picture_share_forms() -> None:
    """What a form forbids in a turn is what was found for it, void moves apart."""
    forbids = (
        (Symmetry.IDENTITY, (0, 3)),
        (Symmetry.ROTATE_RIGHT, (1,)),
        (Symmetry.ROTATE_HALF, (0, 1, 3)),
    )
    back: dict[Symmetry, set[int]] = {}
    for drawing in rule_of(Picture((((0, 2), "%"),)), forbids).drawings:
        for turn in drawing.turns:
            moves = {STEPS.index(turn.turn(at)) for at in drawing.forbidden}
            back[turn] = moves - {2}
    assert back == {turn: set(moves) for turn, moves in forbids}


def test_covers_have_the_fewest_rules_and_then_the_fewest_facts() -> None:
    rng = np.random.default_rng(7)
    for _ in range(10):
        columns, facts = rng.random((30, 9)) < 0.3, rng.integers(1, 9, 9).tolist()
        chosen, optimal = smallest_cover(columns, facts)
        costs = {
            some: (size, sum(facts[i] for i in some))
            for size in range(10)
            for some in combinations(range(9), size)
            if (columns[:, list(some)].any(axis=1) == columns.any(axis=1)).all()
        }
        assert optimal
        assert costs[chosen] == min(costs.values())
    assert smallest_cover(np.zeros((2, 3), np.bool_), [1, 1, 1]) == ((), True)


def test_the_command_writes_book_and_certificates(tmp_path: Path) -> None:
    book, proofs = tmp_path / "b.toml", tmp_path / "proofs"
    options = ["-o", str(book), "--proofs", str(proofs)]
    result = run("discover", "5", *options)
    assert result.code == 0
    rules = load_file(book)
    assert verify_exhaustive(rules_together("found", rules), FIVE).complete
    assert len(rules) == len(list(proofs.iterdir()))
    for rule in rules:
        path = proofs / f"{rule.name}.proof.xz"
        checked = check_certificate(path, {rule.name: rule})
        assert checked.fault is None
    assert "0 dead moves missed" in result.out


def test_what_rules_miss_is_found(tmp_path: Path) -> None:
    where = ["--proofs", str(tmp_path), "-o", str(tmp_path / "b.toml")]
    result = run("discover", "5", "--rules", "seed-5", *where)
    assert result.code == 0
    assert result.out.count(": PROVED for ") == 1
    assert "\nb-1: PROVED for " in result.out
    assert ", catches 12, alone 12\n" in result.out
    assert result.out.endswith("\n0 dead moves missed\n")
    both = rules_together("both", [*specs("seed-5"), *load_file(tmp_path / "b.toml")])
    assert verify_exhaustive(both, FIVE).complete
