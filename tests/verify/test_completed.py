"""Rules along complete walks: counted as one by one, and wrong ones are caught."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from heuristic.groups import drawn_rules
from heuristic.rules.drawing import RuleSpec
from heuristic.rules.rulefile import parse_rules
from solver.board import Board, Position
from solver.oracles.oracle import Verdict, get_oracle
from tests.runner import assert_refused, run
from tests.samples import specs
from verify.trial.completed import Completed, Trial, complete_walk, random_rectangle

TEXT = '''
[[rule]]
name = "never-straight"
claim = "sound"
origin = "here"
reason = "wrong on purpose"
drawing = """
x
@
"""
'''
WRONG = parse_rules(TEXT, "here")


def naive(rules: tuple[RuleSpec, ...], board: Board, walk: list[int]) -> Completed:
    """Ask each rule at each position, one by one."""
    walls = tuple(sorted(set(range(board.cells)) - set(walk)))
    place = Board(board.rows, board.cols, walk[0], walk[-1], walls)
    found = Completed(1, len(walk) - 1, int(bool(walls)))
    rule_set = drawn_rules("these", rules)
    for rule in rules:
        found.fired[rule.name] = found.wrong[rule.name] = 0
    for k in range(1, len(walk) - 1):
        position = Position(place, tuple(walk[: k + 1]))
        taken = next(m for m, cell in position.options().items() if cell == walk[k + 1])
        forbids = {(one.rule, one.move) for one in rule_set.forbids(position)}
        for name in {name for name, _ in forbids}:
            found.fired[name] += 1
            found.wrong[name] += (name, taken) in forbids
            if (name, taken) in forbids and not found.example:
                found.example = position.notation
    return found


def test_walks_are_counted_as_one_by_one() -> None:
    rules = (*specs("found-7"), *WRONG)
    trial = Trial(rules, 8)
    fired = wrong = walled = 0
    for number in range(25):
        board, walk = complete_walk(np.random.default_rng([5, number]), 8)
        found = Completed()
        trial.follow(walk, board, found)
        assert found == naive(rules, board, walk)
        fired += sum(found.fired.values())
        wrong += found.wrong["never-straight"]
        walled += found.walled
        assert not any(found.wrong[rule.name] for rule in specs("found-7"))
    assert fired > wrong > 20
    assert 5 < walled < 25


def test_walks_are_pieces_of_walks_through_rectangles() -> None:
    sizes = set()
    for number in range(40):
        rng = np.random.default_rng([9, number])
        board, walk = complete_walk(rng, 7)
        sizes.add((board.rows, board.cols))
        assert len(set(walk)) == len(walk) >= 3
        for a, b in pairwise(walk):
            assert b in board.neighbours[a]
        assert max(board.rows, board.cols) <= 7
        assert random_rectangle(rng, 7).cells >= 9
    assert len(sizes) > 10


def test_the_command_tells_what_was_wrong(tmp_path: Path) -> None:
    words = ["9", "--along", "60", "--jobs", "1"]
    good = run("verify", "found-5", *words)
    assert good.code == 0
    assert "60 walks" in good.out
    assert "0 rules wrong" in good.out
    file = tmp_path / "wrong.toml"
    file.write_text(TEXT)
    bad = run("verify", str(file), *words)
    assert bad.code == 1
    assert "1 rule wrong" in bad.out
    place = Position.parse(bad.out.split("the first: ")[1].strip())
    assert get_oracle("sat").decide(place).verdict is Verdict.COMPLETABLE


@pytest.mark.parametrize(
    "words", [["--along", "0"], ["--along", "5", "--uniform"], ["universal-4"]]
)
def test_bad_input_is_one_line(words: list[str]) -> None:
    options = words if words[0].startswith("--") else [*words, "--along", "5"]
    assert_refused(run("verify", *options))
