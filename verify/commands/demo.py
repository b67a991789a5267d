"""`oneway demo`: the main job in one go."""

from typing import TYPE_CHECKING

from verify.commands.console import kept, make_oracle, progress_bar, say

if TYPE_CHECKING:
    from heuristic.rule import RuleSet
    from solver.board import Board
    from verify.trial.evidence import Evidence

RULES = "seed-5"
NEXT = (  # an installed wheel has no files of the repository
    "oneway check 7:RRDRURDDLD",
    "oneway walk 9 --rules seed-5",
    "oneway rules c-shape",
    "oneway prove seed-5 --sharpen",
)


def demo() -> None:
    """Show what this is for: verdicts of a rule group, a gap, a saved case.

    Puts the rules that were first needed on 5 x 5 on trial on every completable
    position of 5 x 5 and of 7 x 7, shows the first gap with what each rule says of it,
    and saves it, made minimal, as a case of the corpus.
    """
    from heuristic.groups import load_rules
    from solver.board import Board
    from solver.positions import completable_positions
    from verify.commands.verify import print_evidence, print_stuck, save_found

    rule_set, oracle = load_rules(RULES), make_oracle("sat")
    for side in (5, 7):
        board = Board.square(side)
        walks = completable_positions(board).walks
        say(f"{side} x {side} has {walks:,} Hamiltonian walks from corner to corner")
        evidence = _tried(rule_set, board)
        print_evidence(evidence, rule_set, oracle)
        print_stuck(rule_set, board, oracle)
        for path, new in save_found(evidence, rule_set, RULES, oracle, None):
            say(f"case {kept(path, new)}")
        say()
    say("Next:")
    for line in NEXT:
        say(f"  {line}")


def _tried(rule_set: "RuleSet", board: "Board") -> "Evidence":
    """Try all positions of a board, with a progress bar."""
    from verify.trial.evidence import verify_exhaustive

    with progress_bar() as bar:
        task = bar.add_task(f"{rule_set.name} on {board.notation}", total=None)

        def progress(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        return verify_exhaustive(rule_set, board, progress=progress)
