"""The boards that rules are meant for, as commands ask about them."""

from typing import TYPE_CHECKING, Annotated

from solver.errors import OptionError
from verify.commands.options import option

if TYPE_CHECKING:
    from collections.abc import Iterable

    from heuristic.boards import Boards
    from heuristic.rule import RuleSet
    from solver.board import Board

Kind = Annotated[
    str,
    option(
        "--boards",
        "Kind of boards, if not the one that the rules are meant for: any, rim, "
        "plain or corners.",
        show_default=False,
    ),
]


def kind_of(rule_set: "RuleSet", word: str) -> "Boards":
    """Return the kind of boards that a word names, or that all rules are meant for.

    Raises `UnknownNameError` if the word names no kind.
    """
    from heuristic.boards import narrowest, read_boards

    if word:
        return read_boards(word)
    return narrowest(rule.boards for rule in rule_set.rules)


def check_boards(
    boards: "Iterable[Board]", kind: "Boards", rules: str, word: str
) -> None:
    """Refuse a board that rules are not meant for.

    - `word`: what `--boards` said; empty if the kind is that of the rules.

    Raises `OptionError` with what to type instead.
    """
    for board in boards:
        if kind.admits(board):
            continue
        if word:
            why = f"board {board.notation} is not one of --boards {word}: {kind.text}"
            raise OptionError(f"{why}; --boards any admits every board")
        raise OptionError(
            f"{rules} is not meant for board {board.notation}, but for {kind.text}; "
            "to use it there, add --boards any"
        )
