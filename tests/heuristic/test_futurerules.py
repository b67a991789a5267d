from pathlib import Path
from random import Random

from heuristic.groups import load_rules
from heuristic.rule import RuleSet, completion_edges
from heuristic.rules.drawing import INFERENCES, LineEnd, RuleSpec
from solver.board import LETTERS, Board, Position
from tests.doubles.futures import NaiveLines
from tests.doubles.rules import layouts, matches
from tests.runner import assert_refused, run
from verify.evidence.evidence import verify_exhaustive

BANS = ("seed-7-future", "seed-9-future", "seed-future-refuted")
HEAD = '[[rule]]\nclaim = "sound"\norigin = "a test"\nreason = "so it is"\n'


def bans() -> RuleSet:
    """Return every ban of the book that reads future lines, as one set."""
    names = {
        rule.name
        for group in BANS
        for rule in load_rules(group).rules
        if isinstance(rule, RuleSpec) and rule.reads_lines and rule.kind == "ban"
    }
    return load_rules(",".join(sorted(names)))


def naive(rule: RuleSpec, position: Position, lines: NaiveLines) -> set[str]:
    """Return what one ban forbids, by the literal reading of its drawing."""
    steps = {1j: "U", 1: "R", -1j: "D", -1: "L"}
    found: set[str] = set()
    here = lines.walk[-1]
    for drawing in rule.drawings:
        for landed in layouts(drawing, LETTERS[position.heading]):
            if not matches(drawing, position, landed):
                continue
            ends = [here + landed[mark.at] for mark in drawing.marks]
            pairs = list(zip(ends, drawing.marks, strict=True))
            good = all(
                lines.far(z) if mark.end is LineEnd.FAR else lines.near(z)
                for z, mark in pairs
            )
            if good and any(mark.same for mark in drawing.marks):
                good = len({lines.section(z) for z in ends}) == 1
            if good:
                found |= {steps[landed[at]] for at in drawing.forbidden}
    return found & set(position.options())


def test_bans_are_read_literally() -> None:
    rules, rng = bans(), Random(5)
    fired = {rule.name: 0 for rule in rules.rules}
    for number in range(120):
        board = Board.square((7, 9, 11)[number % 3])
        lines, tracker, walk = NaiveLines(board), rules.walker(board), [board.start]
        while True:
            position = Position(board, tuple(walk))
            masks = tracker.masks()
            known = bool(lines.known or lines.walked) and not lines.contradicted
            for rule, mask in zip(rules.rules, masks, strict=True):
                assert isinstance(rule, RuleSpec)
                expected = naive(rule, position, lines) if known else set()
                assert {m for d, m in enumerate("URDL") if mask >> d & 1} == expected
                fired[rule.name] += bool(expected)
            options = position.options()
            if not options or (lines.contradicted and rng.random() < 0.5):
                break
            walk.append(rng.choice(list(options.values())))
            lines.push(walk[-1])
            tracker.push(walk[-1])
    assert sum(bool(count) for count in fired.values()) >= 2, fired


def test_a_line_is_followed_and_entered_at_its_near_end() -> None:
    rules = load_rules("seed-future")
    position = Position.parse("5:RD")  # the line 2,3 1,3 1,4 1,5 2,5
    assert [(f.rule, f.move) for f in rules.forbids(position)] == []
    inside = Position.parse("5:RDRR")
    assert [(f.rule, f.move) for f in rules.forbids(Position.parse("5:RDR"))] == [
        ("future-follow", "R"),
        ("future-follow", "D"),
    ]
    assert not rules.forbids(inside)  # the line was left: nothing is claimed any more
    (first, *_) = rules.forbids(Position.parse("5:RDR"))
    assert first.reason.edges[:4] == ((7, 2), (2, 3), (3, 4), (4, 9))


def test_inferences_forbid_nothing_and_can_be_switched() -> None:
    position = Position.parse("7:DDDDRDLDRRRRRUUU")
    every = load_rules("seed-future")
    assert [rule.name for rule in every.rules[:9]] == list(INFERENCES)
    assert not load_rules(",".join(INFERENCES)).forbids(position)
    less = load_rules("seed-future,-future-1x3")
    assert len(completion_edges(less, position)) < len(
        completion_edges(every, position)
    )
    alone = load_rules("future-l")  # no inference named: it knows the lines of all
    assert completion_edges(alone, position) == completion_edges(every, position)


def test_edges_to_come_are_those_that_rules_know() -> None:
    position = Position.parse("5:RD")
    assert completion_edges(load_rules("seed-5"), position) == ()
    lines = completion_edges(load_rules("seed-5,seed-future"), position)
    forced = completion_edges(load_rules("universal"), position)
    assert {frozenset(edge) for edge in lines} <= {frozenset(edge) for edge in forced}
    both = completion_edges(load_rules("seed-future,universal"), position)
    assert set(both) == {*lines, *forced}


def test_rules_with_future_lines_are_sound_and_complete_on_5x5() -> None:
    evidence = verify_exhaustive(load_rules("seed-7-future"), Board.square(5))
    assert evidence.sound
    assert evidence.complete
    fired = {rule.name for rule in evidence.rules if rule.fired}
    assert {"future-follow", "future-dead-end", "future-l"} <= fired


def test_edges_to_come_are_drawn_blue(tmp_path: Path) -> None:
    picture = tmp_path / "lines.svg"
    draw = ("draw", "5:RD", "--future", "-o", str(picture))
    assert run(*draw, "--rules", "seed-future").code == 0
    lines = len(completion_edges(load_rules("seed-future"), Position.parse("5:RD")))
    assert picture.read_text().count('class="future"') == lines >= 4
    assert_refused(run(*draw))
    assert run("draw", "5:RD", "--rules", "seed-future", "-o", str(picture)).code == 0
    assert 'class="future"' not in picture.read_text()
    shown = run("rules", "future-connect,future-l").out
    assert "an inference of future lines" in shown
    assert "F and G are ends of one line" in shown
