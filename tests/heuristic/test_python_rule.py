"""Python functions as rules, and the boards that rules are meant for."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from heuristic import Boards, PythonRule, Reason, load_rules, parse_rules
from heuristic.rule import boards_named, narrowest, widest
from solver.board import Board, Position
from solver.errors import BoardError, RuleError, UnknownNameError

RULES = '''
from helper import sides

def corner_ahead(position):
    """The cell ahead keeps one other open side, so it must come next."""
    ahead = position.options().get(position.turn("ahead"))
    if ahead is None:
        return set()
    exits = [c for c in position.neighbours(ahead).values() if position.is_free(c)]
    return sides(position) if len(exits) == 1 else set()

def broken(position):
    return 1 // 0

broken.boards = "plain"
'''
HELPER = """
def sides(position):
    return {position.turn("left"), position.turn("right")}
"""


@pytest.fixture
def rules_file(tmp_path: Path) -> Path:
    (tmp_path / "helper.py").write_text(HELPER)
    file = tmp_path / "my_rules.py"
    file.write_text(RULES)
    return file


def test_a_function_of_a_file_is_a_rule(rules_file: Path) -> None:
    rules = load_rules(f"{rules_file}:corner_ahead,c-shape")
    forbids = rules.forbids(Position.parse("5:RRRRDDD"))
    assert [(f.rule, f.move) for f in forbids] == [("corner-ahead", "L")]
    assert forbids[0].reason.sentence.startswith("The cell ahead keeps one")
    assert rules.rules[0].boards is Boards.CORNERS
    assert rules.rules[0].origin == "my_rules.py, line 4"


def test_an_edited_file_is_read_again(rules_file: Path) -> None:
    word = f"{rules_file}:corner_ahead"
    load_rules(word)
    rules_file.write_text("def corner_ahead(position):\n    return 'UD'\n")
    forbids = load_rules(word).forbids(Position.parse("5:RDR"))
    assert {f.move for f in forbids} == {"U", "D"}


def test_an_error_in_a_function_names_the_position(rules_file: Path) -> None:
    rule = load_rules(f"{rules_file}:broken")
    assert rule.rules[0].boards is Boards.PLAIN
    with pytest.raises(RuleError, match=r"5:RD: ZeroDivisionError"):
        rule.forbids(Position.parse("5:RD"))


def test_a_file_that_cannot_be_used(tmp_path: Path, rules_file: Path) -> None:
    file = tmp_path / "bad.py"
    for text, words in {
        "import nothing_of_the_kind": "cannot be imported: ModuleNotFoundError",
        "def f(position:": "SyntaxError",
        "raise SystemExit(3)": "SystemExit",
        "x = 1": "no function 'f'.*it has none",
    }.items():
        file.write_text(text)
        with pytest.raises(RuleError, match=words):
            load_rules(f"{file}:f")
    with pytest.raises(RuleError, match="it has sides, corner_ahead, broken"):
        load_rules(str(rules_file))
    with pytest.raises(RuleError, match="cannot read the file"):
        load_rules(f"{tmp_path / 'none.py'}:f")


def test_reasons_may_be_given() -> None:
    def rule(position: Position) -> Iterator[tuple[str, Reason | str]]:
        yield "R", "because"
        yield "D", Reason("so", cells=(3,))
        yield "L", "no move there"

    forbids = PythonRule(rule).forbids(Position.parse("5:RD"))
    reasons = {f.move: f.reason.sentence for f in forbids}
    assert reasons == {"R": "because", "D": "so", "L": "no move there"}
    assert PythonRule(rule).forbids(Position.parse("5:")) == ()


@pytest.mark.parametrize("result", ["X", 3, "RD", ("R", 3)])
def test_what_is_no_move_is_refused(result: object) -> None:
    words = "3 is not a reason" if isinstance(result, tuple) else f"{result!r} is not"
    with pytest.raises(RuleError, match=f"at 5:R: result: {words}"):
        PythonRule(lambda position: [result]).forbids(Position.parse("5:R"))


def test_rules_name_their_boards(rules_file: Path) -> None:
    head = '[[rule]]\nname = "a"\nclaim = "sound"\ndrawing = "x @"\n'
    for lines, boards in {
        "": Boards.CORNERS,
        'boards = "rim"': Boards.RIM,
        'frame = "board"': Boards.UPPER_LEFT,
        'boards = "plain"\nframe = "board"': Boards.PLAIN,
    }.items():
        (rule,) = parse_rules(head + lines)
        assert rule.boards is boards
    with pytest.raises(RuleError, match="'upper-left', expected one of any, rim"):
        parse_rules(head + 'boards = "upper-left"')
    rules_file.write_text(RULES.replace("plain", "square"))
    with pytest.raises(RuleError, match=r"broken.*kind of boards"):
        load_rules(f"{rules_file}:broken")


def test_kinds_of_boards() -> None:
    for text, count in {
        "5": 5,
        "5x7@5,1>1,7": 4,
        "5x7@1,1>1,7": 3,
        "5x7@3,1>1,4": 3,
        "5x7@2,1>4,7": 3,
        "5x7@1,1>5,1": 3,
        "5!3,3": 2,
        "5@2,2>5,5": 1,
        "5@5,5>2,2": 1,
        "5@3,3>1,1!1,2": 1,
    }.items():
        board = Board.parse(text)
        assert [kind for kind in Boards if kind.admits(board)] == [*Boards][:count]
    assert narrowest([Boards.ANY, Boards.CORNERS, Boards.RIM]) is Boards.CORNERS
    assert widest([Boards.PLAIN, Boards.CORNERS]) is Boards.PLAIN
    assert narrowest([]) is Boards.ANY
    assert widest([]) is Boards.UPPER_LEFT
    with pytest.raises(UnknownNameError):
        boards_named("upper-left")


def test_turns_of_a_position() -> None:
    position = Position.parse("5:DR")
    sides = ("ahead", "right", "back", "left")
    assert [position.turn(side) for side in sides] == list("RDLU")
    with pytest.raises(BoardError, match="side"):
        position.turn("up")
    with pytest.raises(BoardError, match="heading"):
        Position.parse("5:").turn("left")
