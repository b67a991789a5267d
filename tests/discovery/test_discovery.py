"""Rules found for a board: complete, sound, proved, and the fewest of the pool."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from heuristic.groups import load_rules, rules_together
from heuristic.rules.rulefile import load_file
from solver.board import STEPS, Board, Position, Symmetry
from solver.oracles.oracle import get_oracle
from solver.positions import completable_positions
from tests.runner import run
from tests.samples import specs
from verify.discovery.gaps import (
    cells_within,
    columns_of,
    gaps_at,
    missed_by,
    page_of,
)
from verify.discovery.question import Picture, question, rule_of
from verify.discovery.running import (
    ChosenRules,
    Discovery,
    explain_all,
    smallest_cover,
)
from verify.discovery.search import (
    ENOUGH,
    Pool,
    facts_of,
    forbidden_by,
    picture_of,
)
from verify.evidence.evidence import verify_exhaustive
from verify.evidence.mining import gaps_of_walks
from verify.proof.checking import check_certificate
from verify.proof.window import LIVE
from verify.truth import truth

FIVE, LONG = Board.square(5), Board.parse("3x9")


def test_a_core_is_a_drawing_that_fits_its_gap() -> None:
    gaps, cores = missed_by((), completable_positions(FIVE)), 0
    for number in range(0, len(gaps), 23):
        page = page_of(gaps, number)
        query, facts = question(page.move, 2), facts_of(page, cells_within(2))
        assert not {cell for _, cell in facts} & {LIVE, page.target}
        core = query.core(facts)
        if core is not None:
            cores += 1
            assert query.core(core) is not None
            picture = picture_of(page, core)
            rule = rule_of(picture, forbidden_by(picture, 2))
            assert columns_of([rule], gaps)[number, 0]
    assert cores == 9


def test_5x5_from_nothing_is_complete_and_sound() -> None:
    discovery = Discovery(FIVE)
    book = discovery.listed()
    assert not discovery.pool.open.any()
    rules = [member.proved.rule for member in book.members]
    evidence = verify_exhaustive(rules_together("found", rules), FIVE)
    assert evidence.complete
    assert evidence.sound
    members = [(m.proved.rule.name, m.caught, m.only) for m in book.members]
    assert members == [(rule.name, rule.caught, rule.only) for rule in evidence.rules]
    assert book.optimal
    facts = [candidate.picture.facts for candidate in discovery.pool.candidates]
    assert facts == [3, 4, 4, 5, 5, 6, 3, 4, 4, 4, 4, 5]
    assert [m.candidate.picture.facts for m in book.members] == [3, 3, 5, 4]
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


@pytest.mark.parametrize(("start", "rules"), [("", 4), ("seed-5", 1)])
def test_the_command_writes_book_and_certificates(
    start: str, rules: int, tmp_path: Path
) -> None:
    book, proofs = tmp_path / "b.toml", tmp_path / "proofs"
    words = ["--rules", start] if start else []
    result = run("discover", "5", *words, "-o", str(book), "--proofs", str(proofs))
    assert result.code == 0
    found = load_file(book)
    before = specs(start) if start else []
    assert verify_exhaustive(rules_together("both", [*before, *found]), FIVE).complete
    assert len(found) == len(list(proofs.iterdir())) == rules
    for rule in found:
        path = proofs / f"{rule.name}.proof.xz"
        assert check_certificate(path, {rule.name: rule}).fault is None
    assert result.out.count(": PROVED for ") == rules
    assert "\nb-1: PROVED for " in result.out
    assert (", catches 12, alone 12\n" in result.out) == bool(start)
    assert result.out.endswith("\n0 dead moves missed\n")


def test_walks_meet_the_dead_moves_that_the_book_allows() -> None:
    hunt = Discovery(LONG)
    assert hunt.walk(ChosenRules(), 40, seed=5) == hunt.stuck == len(hunt.met) == 40
    for position, moves in hunt.met[:10]:
        words = truth(position, get_oracle("sat"))
        assert moves
        assert {words[move] for move in moves} == {"dead"}
    assert hunt.walk(ChosenRules(), 10, seed=5) == hunt.stuck == 10
    assert hunt.walked == 50
    same = gaps_of_walks(rules_together("none", []), LONG, walks=50, seed=5)
    assert sorted(map(repr, hunt.met)) == sorted(map(repr, same))
    hunt.pool = Pool(gaps_at(LONG, hunt.met), quick=True)
    assert hunt.missed == sum(len(moves) for _, moves in hunt.met)
    assert hunt.position(int(hunt.pool.gaps.first[0])) == hunt.met[0][0]


def test_walks_end_when_enough_gaps_are_met() -> None:
    hunt = Discovery(Board.square(9))
    assert hunt.walk(ChosenRules(), 10_000, seed=1) >= 20
    assert hunt.walked == 200


def test_a_book_grows_until_no_walk_gets_stuck() -> None:
    hunt = Discovery(LONG)
    book = hunt.hunted(walks=200, seed=0)
    assert hunt.stuck == hunt.missed == 0
    assert hunt.walked == 400  # those of the last round are all made
    assert hunt.walk(book, 200, seed=9000) == 0
    [member] = book.members
    assert member.candidate.picture.facts <= ENOUGH
    assert member.caught == member.only == 304


def test_walks_find_what_the_rules_before_miss(tmp_path: Path) -> None:
    book = tmp_path / "b.toml"
    words = ["--rules", "found-5", "-n", "30", "--proofs", str(tmp_path)]
    result = run("discover", "5x9", *words, "-o", str(book))
    *_, walked, missed = result.out.splitlines()
    walks, lost = re.findall(r"\d+", walked)
    assert int(walks) >= 30
    good = lost == "0" and missed == "0 dead moves missed"
    assert result.code == (0 if good else 1)
    assert result.out.count(": PROVED for ") == len(load_file(book)) > 0
    assert "# oneway discover 5x9 --rules found-5\n" in book.read_text()
    stuck = []
    for rules in ("found-5", f"found-5,{book}"):
        walker = load_rules(rules).walker(Board.parse("5x9"))
        stuck.append(sum(not walker.walk(seed).complete for seed in range(100)))
    assert stuck[1] < stuck[0] / 3


def test_a_run_without_time_ends_and_reports_what_is_missed(tmp_path: Path) -> None:
    words = ["--seconds", "1e-9", "--proofs", str(tmp_path)]
    result = run("discover", "3x9", "-n", "20", *words)
    assert result.code == 1
    assert "0 rules, the fewest of a pool of 0 drawings\n" in result.out
    assert not result.out.endswith("\n0 dead moves missed\n")


def test_gaps_that_nothing_explains_are_not_tried_again() -> None:
    position = Position.parse("9:DRURDDDRDR")
    pool = Pool(gaps_at(position.board, [(position, "D")]), quick=True)
    assert list(explain_all(pool, {pool.gaps.key(0)})) == []
    assert pool.open.tolist() == [True]
    tried = set[bytes]()
    [(number, drawing)] = explain_all(pool, tried)
    assert (number, tried) == (0, set())
    assert drawing is not None
    assert pool.open.tolist() == [False]
