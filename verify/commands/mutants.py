"""`oneway mutants`: no one change to a proved rule may fool the prover."""

from pathlib import Path
from typing import Annotated

import typer

from verify.console import SeedOption, announce_compiling, note, progress_bar, table
from verify.prove_cli import AllOption, RulesArgument, chosen


def mutants(
    rules: RulesArgument = None,
    everything: AllOption = False,
    most: Annotated[
        int, typer.Option("--most", min=0, help="Mutants a rule, drawn; 0 for all.")
    ] = 20,
    seconds: Annotated[
        float, typer.Option("--seconds", help="Limit for every single search.")
    ] = 1.0,
    state: Annotated[
        Path | None,
        typer.Option("--state", help="File of the run: kept, and gone on with."),
    ] = None,
    seed: SeedOption = 0,
) -> None:
    """Test the prover: change one thing in a proved rule, and prove and refute that.

    A mutant that is proved only shows that the rule asks for more than it needs; one
    both proved and refuted would be a fault of the prover.

    Exit code 0 if there is no such mutant, 1 if there is, 2 on bad input.

    Try: oneway mutants seed-close --most 5
    """
    from verify.mutation import WORDS, Limits, mutation_test
    from verify.mutation import table as rows_of

    specs = chosen(rules, everything, seconds)
    announce_compiling()
    with progress_bar() as bar:
        task = bar.add_task("rules", total=len(specs))
        tested = mutation_test(
            specs,
            Limits(seconds=seconds, most=most, seed=seed),
            file=state,
            progress=lambda done: bar.update(task, completed=done),
        )
    rows = rows_of(tested)
    table("mutants of proved rules", ["rule", "mutants", "tried", *WORDS], rows)
    wrong = [t for one in tested for t in one.trials if t.word == "contradiction"]
    for trial in wrong:
        note(f"{trial.rule}, {trial.change}: proved, and wrong: {trial.counterexample}")
    raise typer.Exit(1 if wrong else 0)
