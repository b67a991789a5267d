"""A compiled rule set as flat tables, and the names of their columns.

`heuristic.matching.compiling` makes the tables, `heuristic.matching.pattern` and
`heuristic.matching.areas` match them, in kernels made by `njit`.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]

# Columns of `Tables.placements`: where rows begin and end in the tables of that name.
RULE, MOVES, NEEDS, NEEDS_END, AREAS, AREAS_END = range(6)
RUNS, RUNS_END, MARKS, MARKS_END, TIES, TIES_END, DRAWING, SKIP = range(6, 14)
PLACEMENT = 14  # columns

# Columns of `needs` and `marks`, and the first ones of `groups`.
ROW, COL, STATES = range(3)
BEGIN, END, OF_RULE = range(3, 6)  # of `groups`; of `nodes` the first two
NEXT, BELOW = 5, 6  # of `nodes`
NODE = 7  # columns
THEN_ROW, THEN_COL = 2, 3  # of `runs` and `ties`, after those of the first cell
WAY = 4  # of `ties`
SHAPE, KIND, LOW, HIGH, SAME_COLOUR, LEAST = range(6)  # of `areas`
LINE, LINE_END, INSIDE, INSIDE_END, OUTSIDE, OUTSIDE_END = range(6)  # of `shapes`
STOPS, UNLESS, UNLESS_END = range(3)  # of `rules`

# Bits in the states of a need.
IS_FREE, IS_VISITED, IS_OUTSIDE, NOT_END_CELL = 1, 2, 4, 8
# Bits of a mark: how far an end of a future line is, and of which line.
IS_NEAR, IS_FAR, SAME_LINE = 1, 2, 4
# Kinds of areas.
CLOSED_KIND, PAIR, IMPAIR, DETERMINED, WITHIN, BEYOND = range(6)

FREE_CELL, WALL_CELL = -1, -2  # in the array `order`, see `pattern`


class Tables(NamedTuple):
    """A compiled rule set, plain int32 arrays for kernels.

    Attributes
    ----------
    heads : (5,)
        Placements of heading h are rows ``heads[h]`` to ``heads[h + 1]``.
    placements : (n, 14)
        Rule, forbidden moves as bits, then begin and end of needs, areas, runs, marks
        and ties, then the number of the drawing, then the next row with other needs or
        another rule. In the order of the rules.
    group_heads : (5,)
        Groups of heading h are rows ``group_heads[h]`` to ``group_heads[h + 1]``.
    groups : (n, 6)
        Placements of one rule that share their first need: row, column and states of
        the need, begin and end in `placements`, and the rule. Most groups fail here.
    needs : (n, 3)
        Row, column from the live end; allowed states as bits, 8 = not the end cell.
    areas : (n, 6)
        Shape, kind, low, high, 1 if the entry has the live end's colour, least size.
    shapes : (n, 6)
        Begin and end in `offsets` of the line, the inside and the outside cells.
    offsets : (n, 2)
    runs : (n, 4)
        Row, column of the first visited cell, then of the later one.
    marks : (n, 3)
        Row, column of an end of a future line; 1 near, 2 far, 4 of the first mark's
        line. `evaluate` does not look at them: `heuristic.future.futurerules` does.
    ties : (n, 5)
        Row, column of a free cell, then of another one. Then the bit of the direction
        in which a forced edge leads from the first to the second; or 0, and they are
        the open ends of one forced line: see `heuristic.matching.forced`.
    rules : (n, 3)
        1 if the rule stops, then begin and end in `unless`.
    unless : (n,)
        Numbers of earlier rules.
    node_heads : (5,)
        Nodes of heading h are rows ``node_heads[h]`` to ``node_heads[h + 1]``.
    nodes : (n, 7)
        The needs of all rules as a tree, those near the live end first, a node before
        what is below it: row, column and states of a need, begin and end in `leaves`,
        the next node that is not below, and the moves that are forbidden there or
        below as bits. Empty where groups are looked at instead.
    leaves : (n,)
        Placements whose needs are those of a node and of all above it.
    """

    heads: Ints
    placements: Ints
    group_heads: Ints
    groups: Ints
    needs: Ints
    areas: Ints
    shapes: Ints
    offsets: Ints
    runs: Ints
    marks: Ints
    ties: Ints
    rules: Ints
    unless: Ints
    node_heads: Ints
    nodes: Ints
    leaves: Ints
