"""A position and rules that several tests speak of."""

from heuristic.groups import written_rules
from heuristic.rules.drawing import RuleSpec

GAP = "7:RRDRURDDLD"  # L is dead, and seed-5 allows it

NEVER_RIGHT = """
[[rule]]
name = "never-right"
claim = "sound"
origin = "a test"
reason = "right is never right"
drawing = '''
@ x
'''
"""

NEVER_AHEAD = """
[[rule]]
name = "never-ahead"
claim = "sound"
origin = "a test"
reason = "straight on is never right"
drawing = '''
x
@
'''
"""


def specs(group: str) -> list[RuleSpec]:
    """Return the drawn rules of a group, or one by its name."""
    return [rule for rule in written_rules(group) if isinstance(rule, RuleSpec)]


def book(name: str) -> RuleSpec:
    """Return a drawn rule of the book."""
    (rule,) = specs(name)
    return rule
