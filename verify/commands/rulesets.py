"""Rules at the command line: words become a rule set once."""

from collections.abc import Sequence

from heuristic.boards import read_boards
from heuristic.groups import load_rules, meant_for
from heuristic.rule import RuleSet, related_oracles
from solver.board import Board, Position
from solver.oracles.oracle import Oracle, decide_moves, get_oracle
from verify.commands.console import note, say
from verify.commands.positions import read_board, say_position
from verify.display import lines


def rules_and_boards(words: list[str] | None) -> tuple[list[str], list[Board]]:
    """Separate rules from boards among the words of one argument.

    >>> rules_and_boards(["seed-5", "5", "7x9.toml"])
    (['seed-5', '7x9.toml'], [Board.parse('5')])
    """
    rules: list[str] = []
    boards: list[Board] = []
    for word in words or ():
        if word[:1].isdecimal() and not word.endswith(".toml"):
            boards.append(read_board(word))
        else:
            rules.append(word)
    return rules, boards


def rules_of(words: Sequence[str]) -> RuleSet:
    """Return the rules that words name, separate or joined with commas."""
    return load_rules(",".join(words))


def rules_meant_for(words: Sequence[str], board: Board, boards: str | None) -> RuleSet:
    """Return the rules that words name, without those not meant for a board.

    - `boards`: the kind of boards that all rules are taken to be meant for, if given.

    Raises `OptionError` if no rule is meant for the board.
    """
    kind = read_boards(boards) if boards else None
    rules, others = meant_for(rules_of(words), board, kind)
    for rule in others:
        where = f"{rule.name} is not asked on {board.notation}"
        note(f"{where}: it is meant for {rule.boards.text}")
    return rules


def judge_of(rules: RuleSet, oracle: str) -> Oracle:
    """Return the oracle of that name; `auto` leaves out those related to the rules."""
    if oracle == "auto":
        return get_oracle(oracle, without=related_oracles(rules))
    return get_oracle(oracle)


def say_judged(position: Position, rule_set: RuleSet, oracle: Oracle) -> None:
    """Print a position, and of each move the truth and what rules say of it."""
    say_position(position)
    answers = decide_moves(oracle, position)
    for line in lines(position, rule_set.forbids(position), answers):
        say(line)
