"""Wrong referees of PATH: each must be caught by a case of the corpus.

The first four were found in published solutions of the contest's problem; the others
are slips one could make. A mutant is the naive referee with one part exchanged.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from solver.path.board import Outcome, PathBoard, Player

Grid = list[str]
Spot = tuple[int, int]


def four(r: int, c: int) -> list[Spot]:
    return [(r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1)]


def eight(r: int, c: int) -> list[Spot]:
    return [(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]


def six(r: int, c: int) -> list[Spot]:
    return [*four(r, c), (r - 1, c + 1), (r + 1, c - 1)]


def forwards(player: Player) -> Callable[[int, int], list[Spot]]:
    """Never back towards home."""
    back = 3 if player is Player.WHITE else 0
    return lambda r, c: [spot for i, spot in enumerate(four(r, c)) if i != back]


@dataclass(frozen=True)
class Naive:
    """A referee in parts; the defaults are right."""

    neighbours: Callable[[Player], Callable[[int, int], list[Spot]]] = lambda _: four
    home: Callable[[Player, Spot], bool] = lambda p, s: s[p is Player.WHITE] == 0
    fillable: Callable[[Player], str] = lambda _: "U"
    order: tuple[Player, Player] = (Player.WHITE, Player.BLACK)
    moves: Callable[["Naive", PathBoard, Player], Iterable[int]] | None = None

    def target(self, n: int, player: Player, spot: Spot) -> bool:
        return spot[player is Player.WHITE] == n - 1

    def flood(self, board: PathBoard, player: Player, letters: str) -> set[Spot]:
        n, rows = board.n, board.rows
        near = self.neighbours(player)
        stack = [
            (r, c)
            for r in range(n)
            for c in range(n)
            if self.home(player, (r, c)) and rows[r][c] in letters
        ]
        seen = set(stack)
        while stack:
            for r, c in near(*stack.pop()):
                inside = 0 <= r < n and 0 <= c < n
                if inside and (r, c) not in seen and rows[r][c] in letters:
                    seen.add((r, c))
                    stack.append((r, c))
        return seen

    def has_path(self, board: PathBoard, player: Player) -> bool:
        flood = self.flood(board, player, player.value)
        return any(self.target(board.n, player, spot) for spot in flood)

    def winning(self, board: PathBoard, player: Player) -> list[int]:
        if self.moves is not None:
            return list(self.moves(self, board, player))
        return [
            cell
            for cell, letter in enumerate("".join(board.rows))
            if letter in self.fillable(player)
            and self.has_path(forced(board, player, cell), player)
        ]

    def __call__(self, board: PathBoard) -> Outcome:
        for player in Player:
            if self.has_path(board, player):
                return Outcome[f"{player.name}_PATH"]
        for player in self.order:
            if self.winning(board, player):
                return Outcome[f"{player.name}_MOVE"]
        return Outcome.NONE


def forced(board: PathBoard, player: Player, cell: int) -> PathBoard:
    """Put a piece on a cell, whatever stands there."""
    cells = bytearray(board.cells)
    cells[cell] = ord(player.value)
    return PathBoard(board.n, bytes(cells))


def unfilled(board: PathBoard) -> list[int]:
    return [cell for cell, letter in enumerate(board.cells) if letter == ord("U")]


def count_over_flood(naive: Naive, board: PathBoard, player: Player) -> list[int]:
    flood = naive.flood(board, player, player.value + "U")
    met = [r * board.n + c for r, c in flood if board.rows[r][c] == "U"]
    reaches = any(naive.target(board.n, player, spot) for spot in flood)
    return met if reaches and len(met) == 1 else []


def same_line_only(naive: Naive, board: PathBoard, player: Player) -> list[int]:
    """Look for U between two parts in one row (White) or one column (Black)."""
    n, found = board.n, []
    back = board.mirrored() if player is Player.BLACK else board
    left = naive.flood(back, Player.WHITE, "W")
    turned = PathBoard.parse("/".join(row[::-1] for row in back.rows))
    right = {(r, n - 1 - c) for r, c in naive.flood(turned, Player.WHITE, "W")}
    for cell in unfilled(back):
        r, c = divmod(cell, n)
        joined_left = c == 0 or (r, c - 1) in left
        if joined_left and (c == n - 1 or (r, c + 1) in right):
            found.append(cell)
    return found


def black_home_by_column(naive: Naive, board: PathBoard, player: Player) -> list[int]:
    """A right flood, but the new piece is tested against the wrong edge."""
    if player is Player.WHITE:
        return naive.winning(board, player)
    n, found = board.n, []
    top = naive.flood(board, player, "B")
    turned = PathBoard.parse("/".join(board.rows[::-1]))
    bottom = {(n - 1 - r, c) for r, c in naive.flood(turned, player, "B")}
    for cell in unfilled(board):
        r, c = divmod(cell, n)
        from_top = c == 0 or any(spot in top for spot in four(r, c))
        if from_top and (r == n - 1 or any(spot in bottom for spot in four(r, c))):
            found.append(cell)
    return found


def after_best_reply(naive: Naive, board: PathBoard, player: Player) -> list[int]:
    """White moves first, so Black needs a win that White cannot stop."""
    moves = naive.winning(board, player)
    if player is Player.WHITE:
        return moves
    return [
        move
        for move in moves
        if all(
            naive.winning(board.place(Player.WHITE, reply), player)
            for reply in unfilled(board)
        )
    ]


def edge_is_no_neighbour(naive: Naive, board: PathBoard, player: Player) -> list[int]:
    """Only cells between two pieces are tried."""
    axis = player is Player.WHITE
    return [
        move
        for move in naive.winning(board, player)
        if divmod(move, board.n)[axis] not in (0, board.n - 1)
    ]


def two_pieces(naive: Naive, board: PathBoard, player: Player) -> list[int]:
    return [
        move
        for move in unfilled(board)
        if naive.has_path(forced(board, player, move), player)
        or naive.winning(board.place(player, move), player)
    ]


def no_path_of_one(board: PathBoard) -> Outcome:
    return Outcome.NONE if board.n == 1 else RIGHT(board)


def like_hex(board: PathBoard) -> Outcome:
    """Believe that a full board has a winner."""
    said = RIGHT(board)
    full = said is Outcome.NONE and b"U" not in board.cells
    return Outcome.BLACK_PATH if full else said


def white_only(board: PathBoard) -> Outcome:
    said = RIGHT(board)
    return Outcome.NONE if said.player is Player.BLACK else said


def bounded(board: PathBoard) -> Outcome:
    """Give up on paths longer than three sides."""
    from solver.path.judge import explain

    found = explain(board)
    return Outcome.NONE if len(found.path) > 3 * board.n else found.outcome


RIGHT = Naive()


def with_moves(
    moves: Callable[[Naive, PathBoard, Player], Iterable[int]],
) -> Callable[[PathBoard], Outcome]:
    return replace(RIGHT, moves=lambda _, board, player: moves(RIGHT, board, player))


MUTANTS: dict[str, Callable[[PathBoard], Outcome]] = {
    "unfilled cells counted over the whole flood": with_moves(count_over_flood),
    "unfilled cell sought in one row only": with_moves(same_line_only),
    "black floods from column 0": replace(RIGHT, home=lambda _, spot: spot[1] == 0),
    "black's home tested by column": with_moves(black_home_by_column),
    "corners touch": replace(RIGHT, neighbours=lambda _: eight),
    "neighbours of Hex": replace(RIGHT, neighbours=lambda _: six),
    "never back": replace(RIGHT, neighbours=forwards),
    "black's move first": replace(RIGHT, order=(Player.BLACK, Player.WHITE)),
    "black after white's best reply": with_moves(after_best_reply),
    "pieces on the rival's": replace(
        RIGHT, fillable=lambda player: "UB" if player is Player.WHITE else "UW"
    ),
    "edge is no neighbour": with_moves(edge_is_no_neighbour),
    "two pieces are one move": with_moves(two_pieces),
    "a path has two cells": no_path_of_one,
    "a full board has a winner": like_hex,
    "white only": white_only,
    "paths are short": bounded,
    "edges exchanged": replace(
        RIGHT, home=lambda player, spot: spot[player is Player.BLACK] == 0
    ),
}
