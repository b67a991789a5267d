"""`oneway mutants`: no one change to a proved rule may fool the prover."""

from pathlib import Path
from typing import Annotated

import typer

from verify.commands.console import (
    JobsOption,
    RulesArgument,
    SeedOption,
    joined,
    note,
    progress_bar,
    table,
)
from verify.commands.prove import AllOption, chosen


def mutants(
    rules: RulesArgument = None,
    everything: AllOption = False,
    most: Annotated[
        int, typer.Option("--most", help="Mutants a rule, drawn; 0 for all.")
    ] = 20,
    seconds: Annotated[
        float, typer.Option("--seconds", help="Limit for every single search.")
    ] = 1.0,
    positions: Annotated[
        int, typer.Option("--positions", help="Positions of random walks, each board.")
    ] = 20_000,
    longer: Annotated[
        bool,
        typer.Option("--longer", help="Look longer at what is open, or was so before."),
    ] = False,
    jobs: JobsOption = 1,
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
    from solver.errors import OptionError
    from verify.mutation.mutation import WORDS, mutation_test
    from verify.mutation.mutation import table as rows_of
    from verify.mutation.trial import Limits

    for name, value in (("most", most), ("positions", positions)):
        if value < 0:
            raise OptionError(f"--{name} {value} is negative")
    specs = chosen(joined(rules), everything, seconds)
    with progress_bar() as bar:
        task = bar.add_task("mutants", total=None)
        tested = mutation_test(
            specs,
            Limits(seconds=seconds, positions=positions, most=most, seed=seed),
            file=state,
            jobs=jobs,
            longer=longer,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    rows = rows_of(tested)
    table("mutants of proved rules", ["rule", "mutants", "tried", *WORDS], rows)
    wrong = [
        (one.rule, trial)
        for one in tested
        for trial in one.trials
        if trial.word == "contradiction"
    ]
    for rule, trial in wrong:
        note(f"{rule}, {trial.change}: proved, and wrong: {trial.counterexample}")
    raise typer.Exit(1 if wrong else 0)
