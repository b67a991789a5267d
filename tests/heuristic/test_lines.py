"""Every fault in a rule file names its line; what a beginner may leave out."""

import pytest

from heuristic.groups import group_names, load_rules
from heuristic.rules.rulefile import parse_rules
from heuristic.rules.schema import REASON
from solver.errors import RuleError

FILE = '''# two rules
[[rule]]
name = "first"
claim = "sound"
drawing = """
? x ?
# @ ?
"""

[[rule]]
name = "second"
claim = "sound"
note = """
[[rule]]
name = 3
"""

[[rule.form]]
drawing = """

? x ?
# @ ?
"""
turns = ["0"]

[[rule.form]]
drawing = """
? # ?
. e .
? s X
? ? @
"""
area = [{ side = "left", kind = "impair" }]
'''


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('name = "first"', 'name = "First"', 3, "lower case"),
        ('claim = "sound"', 'claim = "true"', 4, "claim is 'true'"),
        ("# @ ?", "# @", 7, "row 2, column 3"),
        ("# two rules", "[[rule]]", 1, "key 'name' is missing"),
        ('name = "second"', 'name = "first"', 11, "two rules have this name"),
        ('name = "second"', 'nam = "second"', 11, "unknown key 'nam'"),
        ("turns = [", "trns = [", 24, "did you mean 'turns'"),
        ('turns = ["0"]', 'turns = ["1"]', 24, "turns is '1'"),
        (". e .", ". e Q", 29, "row 2, column 3: unknown cell 'Q'"),
        ('"impair"', '"odd"', 33, "kind is 'odd'"),
        ('"left"', '"left", ends = 3', 33, "unknown key 'ends'"),
    ],
)
def test_a_fault_names_its_line(old: str, new: str, line: int, words: str) -> None:
    with pytest.raises(RuleError) as caught:
        parse_rules(FILE.replace(old, new, 1), "mine.toml")
    assert caught.value.line == line, caught.value
    told = str(caught.value)
    assert told.startswith(f"mine.toml, line {line}")
    assert words in told


def test_origin_and_reason_may_be_left_out() -> None:
    first, second = parse_rules(FILE, "mine.toml")
    assert (first.origin, first.reason) == ("mine.toml", REASON)
    assert (first.line, second.line) == (2, 10)


def test_every_rule_of_the_book_says_where_it_is_from() -> None:
    for rule in (r for name in group_names() for r in load_rules(name).rules):
        assert rule.origin
        assert not rule.origin.endswith(".toml")
