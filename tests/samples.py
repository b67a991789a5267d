"""A position and two rules that several tests speak of."""

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
