"""`oneway corpus fire`: positions in which a rule decides."""

from dataclasses import replace
from typing import Annotated

import typer

from verify.commands.console import (
    CorpusOption,
    JsonOption,
    SeedOption,
    emit,
    joined,
    kept,
    note,
    say,
)


def fire(
    rules: Annotated[
        list[str], typer.Argument(help="Drawn rules, groups of them, or a file.")
    ],
    seconds: Annotated[
        float, typer.Option(help="Limit for one rule, in seconds of processor time.")
    ] = 30.0,
    save: Annotated[bool, typer.Option("--save", help="Keep it as a case.")] = False,
    seed: SeedOption = 0,
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find a position in which a rule decides: it forbids a dead move there.

    The position is completable by another move. It is searched for on boards from 7x7
    to 15x15. A rule is void if no completable position matches it: that is proved
    first.

    Exit code 0 if every rule fires or is void, 1 if one is left, 2 on bad input.

    Try: oneway corpus fire double-area-3
    """
    from solver.errors import OptionError
    from verify.corpus.cases import corpus_folder, named_rules, save_case
    from verify.proof.provable import sorted_out
    from verify.refute.refute import find_firing, prove_void

    if not seconds > 0:
        raise OptionError(f"--seconds {seconds} is not above 0")
    drawn, others = sorted_out(rules)
    if not drawn:
        raise OptionError(f"{joined(rules)}: no drawn rule is among them")
    for name, why in others.items():
        note(f"{name} {why}")
    folder, left = corpus or corpus_folder(), 0
    _, book = named_rules(rules)
    for name, rule in drawn.items():
        void = prove_void(rule, seconds=min(seconds, 5.0))
        found = None if void else find_firing(rule, seconds=seconds, seed=seed)
        left += void is None and found is None
        if as_json:
            emit(
                {
                    "rule": name,
                    "void": void and void.scope.name,
                    "position": found and found.position.notation,
                    "forbidden": found and found.forbidden,
                }
            )
        elif void:
            say(f"{name}: void, no completable position matches it")
            say(f"  for {void.scope.value}")
        elif found is None:
            say(f"{name}: none found in {seconds:g} s")
        else:
            say(f"{name}: {found.position.notation} {found.forbidden}")
        if found and save:
            case = replace(found.case(f"oneway corpus fire --seed {seed}"), book=book)
            path, new = save_case(case, folder)
            note(kept(path, new))
    raise typer.Exit(1 if left else 0)
