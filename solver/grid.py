"""The words of grids: cells are numbers, moves have letters, in one order.

A *cell* is ``row * cols + col``, both from 0, row 0 on top; directions are numbered 0
to 3 in the order U, R, D, L.
"""

from typing import TypeAlias

Cell: TypeAlias = int
Walk: TypeAlias = tuple[Cell, ...]

LETTERS = "URDL"
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # (row, col) of U, R, D, L
MAX_CELLS = 1 << 20  # a larger board is a typing error, and would fill the memory
