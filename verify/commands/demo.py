"""`oneway demo`: the main job in one go."""

from verify.commands.console import kept, make_oracle, say

RULES = "seed-5"


def demo() -> None:
    """Show what this is for: verdicts of a rule group, a gap, a saved case.

    Puts the rules that were first needed on 5 x 5 on trial on every completable
    position of 5 x 5 and of 7 x 7, shows the first gap with what each rule says of it,
    and saves it, made minimal, as a case of the corpus.
    """
    from heuristic.groups import load_rules
    from solver.board import Board
    from solver.positions import completable_positions
    from verify.commands.verify import gather, print_evidence, print_stuck, save_found

    rule_set, oracle = load_rules(RULES), make_oracle("sat")
    for side in (5, 7):
        board = Board.square(side)
        walks = completable_positions(board).walks
        say(f"{side} x {side} has {walks:,} Hamiltonian walks from corner to corner")
        evidence = gather(rule_set, board, None, 0, oracle)
        print_evidence(evidence, rule_set, oracle)
        print_stuck(rule_set, board, oracle)
        for path, new in save_found(evidence, rule_set, RULES, oracle, None):
            say(f"case {kept(path, new)}")
        say()
    say("Next: oneway check 7:RRDRURDDLD")
    say("      oneway walk 9 --rules seed-5")
    say("      oneway prove docs/examples/first-rule.toml --sharpen")
    say("docs/reference/rules.md teaches how to draw a rule of your own.")
