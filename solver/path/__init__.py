"""PATH, a board game of two players (UVa 601, ZOJ 1255), and its referee.

White owns the left edge (home) and the right edge (target) of an n x n board, Black
the top (home) and the bottom (target). A *piece* W or B fills a cell, U is unfilled.
A *winning path* joins a player's home edge to the target edge by neighbouring cells,
up, down, left or right, all filled with that player's pieces; two such paths would
cross, so at most one player has one. A *winning move* is one more piece on an unfilled
cell that makes a winning path. Unlike Hex, a full board can be without winner.

A cell is ``row * n + col``, from 0 with row 0 on top; people see (row, col) from 1.
"""
