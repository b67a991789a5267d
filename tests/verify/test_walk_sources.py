"""Complete walks that the search for counterexamples asks rules along."""

from heuristic.rule import Boards
from solver.board import Board
from solver.oracles.exact import exact_walk
from verify.strategies import SHARES, Source, more_walks, piece, source_walk


def test_pieces_are_cut_where_the_shares_say() -> None:
    board = Board(4, 5)
    walk = exact_walk(board, 3).position.walk
    half, left = piece(board, walk, (SHARES // 4, SHARES // 2), Boards.ANY)
    assert left == walk[5:11]
    assert half.start == walk[5]
    assert half.end == walk[10]
    assert set(half.walls) == set(walk) - set(left)
    assert piece(board, walk, (0, SHARES), Boards.ANY) == (board, walk)
    assert piece(board, walk, (7, 7), Boards.ANY) == (board, walk)
    assert piece(board, walk, (0, SHARES // 20), Boards.ANY) == (board, walk)
    assert piece(board, walk, (0, SHARES // 9), Boards.ANY)[1] == walk[:3]
    assert piece(board, walk, (0, SHARES // 12), Boards.ANY)[1] == walk
    for cut in range(0, SHARES, 37):
        rim, _ = piece(board, walk, (cut, SHARES - cut // 2), Boards.RIM)
        assert Boards.RIM.admits(rim)


def test_more_walks_of_a_board_differ_and_are_the_same_each_time() -> None:
    source = Source(Board(5, 6), Boards.ANY, seed=2)
    walks = [source_walk(more) for more in more_walks(source, 6)]
    assert walks == [source_walk(more) for more in more_walks(source, 6)]
    assert walks[0] == source_walk(source)
    assert len({walk for board, walk in filter(None, walks)}) == 6
