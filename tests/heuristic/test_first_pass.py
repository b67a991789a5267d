"""The first pass of the source on 9 x 9, with future lines: its four stops, again."""

import pytest

from heuristic.groups import load_rules
from heuristic.rounds import Event
from heuristic.walks.leftfirst import LeftFirstWalk
from solver.board import LETTERS, Position
from tests.doubles.frontier import count_completions

LINES = "seed-7-future,-future-corner-pass,-future-dead-end"
NINE = ("future-3x3-start-end-9", "future-2x2-start-end-9", "future-2x3-start-end-9")
EDGE = "9:RRRRRRRRDDDDDDDLLLLL"
CORNER = f"{EDGE}LLURURDRURDRRULURULURU"

# rules added, walks completed, where the walk below begins, the position that he saved
STOPS = [
    (0, 13_848, f"{EDGE}LLURURDRUU", f"{EDGE}LLURURDRUULURURRDLDR"),
    (1, 14_014, f"{CORNER}LLD", f"{CORNER}LLDLULDL"),
    (2, 14_026, f"{CORNER}LLLL", f"{CORNER}LLLLLLLDRDLD"),
    (3, 57_399, f"{EDGE}ULDLUURURDRDRUU", f"{EDGE}ULDLUURURDRDRUULURU"),
]


def rank(position: Position) -> int:
    """Count the walks before a position: the completions of each earlier sibling."""
    walks = 0
    for step, move in enumerate(position.moves):
        before = position.back(len(position.walk) - 1 - step)
        heading = before.heading if step else 1
        for turn in (3, 4, 5):
            other = LETTERS[(heading + turn) % 4]
            if other == move:
                break
            if other in before.options():
                walks += count_completions(before.step(other))
    return walks


@pytest.mark.parametrize(("more", "walks", "begin", "saved"), STOPS)
def test_a_stop_comes_again(more: int, walks: int, begin: str, saved: str) -> None:
    rules = load_rules(",".join([LINES, *NINE[:more]]))
    root = Position.parse(begin)
    walk = LeftFirstWalk(rules, root)
    assert walk.run(stop_stuck=True) is Event.STUCK
    assert rank(root) + walk.completed == walks
    assert walk.position.moves.startswith(Position.parse(saved).moves)


def test_the_corner_pass_would_have_forbidden_the_second_stop() -> None:
    position = Position.parse(f"{CORNER}LLDLULD")
    group = f"seed-7-future,{NINE[0]}"

    def against(rules: str) -> list[str]:
        return [f.rule for f in load_rules(rules).forbids(position) if f.move == "L"]

    assert against(group) == ["future-follow"]
    assert against(f"{group},-future-corner-pass") == ["future-dead-end"]
    assert against(f"{group},-future-corner-pass,-future-dead-end") == []
