"""Rules at the command line: words become a rule set once, and verdicts lines.

Apart from the other options, because reading the rule book takes longer than a command
without rules.
"""

from collections.abc import Mapping, Sequence

from heuristic.groups import load_rules, meant_for
from heuristic.rule import Forbid, RuleSet, choices, read_boards, related_oracles
from solver.board import Board, Position
from solver.oracles.oracle import Answer, Oracle, Verdict, decide_moves, get_oracle
from verify.commands.console import note, say, say_position


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


def move_lines(
    position: Position,
    forbids: tuple[Forbid, ...],
    answers: Mapping[str, Answer] | None = None,
) -> list[str]:
    """Return the lines of the moves; with `answers` gaps and wrong bans are marked."""
    lines = []
    alive = answers and any(a.verdict is Verdict.COMPLETABLE for a in answers.values())
    for move in position.options():
        reasons = [f for f in forbids if f.move == move]
        line = f"  {move}"
        verdict = answers[move].verdict if answers is not None else None
        if verdict:
            line += f"  {verdict.name.lower():<11}"
        if not reasons:
            line += "  allowed by every rule"
        if reasons and verdict is Verdict.COMPLETABLE:
            line += "  <- refuted: forbidden though completable"
        elif not reasons and verdict is Verdict.DEAD and alive:
            line += (
                "  <- gap: allowed though dead"
                if move in choices(position)
                else "; the end cell is entered last, rules or not"
            )
        lines.append(line.rstrip())
        lines += [f"       forbidden by {f.rule}: {f.reason.sentence}" for f in reasons]
    return lines


def say_judged(position: Position, rule_set: RuleSet, oracle: Oracle) -> None:
    """Print a position, and of each move the truth and what rules say of it."""
    say_position(position)
    answers = decide_moves(oracle, position)
    say(*move_lines(position, rule_set.forbids(position), answers))
