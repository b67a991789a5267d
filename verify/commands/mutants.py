"""`oneway mutants`: no one change to a proved rule may fool the prover."""

from dataclasses import asdict
from typing import Annotated

import typer

from verify.commands.console import (
    AllOption,
    RulesArgument,
    SecondsOption,
    SeedOption,
    joined,
    note,
    say,
    table,
)
from verify.commands.prove import chosen
from verify.commands.running import How, campaigning, conduct


@campaigning
def mutants(
    how: How,
    rules: RulesArgument = None,
    everything: AllOption = False,
    most: Annotated[
        int, typer.Option("--most", help="Mutants a rule, drawn; 0 for all.")
    ] = 20,
    seconds: SecondsOption = 1.0,
    positions: Annotated[
        int, typer.Option("--positions", help="Positions of random walks, each board.")
    ] = 20_000,
    longer: Annotated[
        bool,
        typer.Option("--longer", help="Look longer at what stays open."),
    ] = False,
    seed: SeedOption = 0,
) -> None:
    """Test the prover: change one thing in a proved rule, and prove and refute that.

    A mutant that is proved only shows that the rule asks for more than it needs; one
    both proved and refuted would be a fault of the prover.

    Exit code 0 if there is no such mutant, 1 if there is, 2 on bad input.

    Try: oneway mutants seed-close --most 5
    """
    from solver.errors import OptionError
    from verify.verdict.mutant_judge import Limits
    from verify.verdict.mutants import WORDS, mutation, open_share
    from verify.verdict.mutants import table as rows_of

    for name, value in (("most", most), ("positions", positions)):
        if value < 0:
            raise OptionError(f"--{name} {value} is negative")
    named = joined(rules)
    # says what cannot be put to a proof; no position alone refutes rules about lines
    chosen(rules or (), everything, drawn=True)
    limits = Limits(seconds=seconds, positions=positions, most=most, seed=seed)
    parameters = {"rules": named, "limits": asdict(limits), "longer": longer}
    tested = conduct(mutation, parameters, how)
    rows = rows_of(tested)
    table("mutants of proved rules", ["rule", "mutants", "tried", *WORDS], rows)
    share, low, high = open_share(tested)
    say(
        f"open, by the number of mutants of each rule: {share:.1%} of all "
        f"(95 %: {low:.1%} to {high:.1%})"
    )
    wrong = [
        (one.rule, trial)
        for one in tested
        for trial in one.trials
        if trial.word == "contradiction"
    ]
    for rule, trial in wrong:
        note(f"{rule}, {trial.change}: proved, and wrong: {trial.counterexample}")
    raise typer.Exit(1 if wrong else 0)
