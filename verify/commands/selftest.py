"""`oneway selftest`: the oracles compared with each other."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer

from verify.commands import options
from verify.commands.console import conduct, emit, note, saved, say, warn
from verify.corpus.cases import corpus_folder, save_case
from verify.corpus.faults import disagreement_case
from verify.evidence.comparing import oracles, summary_lines


def selftest(
    count: options.Count = 1_000_000,
    seed: options.Seed = 0,
    corpus: options.Corpus = None,
    jobs: options.Jobs = options.CORES,
    cluster: options.Cluster = None,
    as_json: options.Json = False,
) -> None:
    """Compare the oracles with each other on random positions.

    Positions of 5 x 5 to 21 x 21, with walls and inner ends, dead and completable, go
    to all oracles and the universal rules. `sat` and `search` decide each; the others
    decide those they can, or a sample. Independent code checks witnesses and a sample
    of proofs. A disagreement becomes a case of the corpus.

    Exit code 0 if there is no contradiction, 1 if there is.

    \b
    A short run:
      oneway selftest -n 1000
    """
    source = f"oneway selftest --seed {seed}"

    def arrived(result: dict[str, Any]) -> None:
        for line in result.get("lines", ()):
            warn(f"a disagreement: {line}")
            _save(line, source, corpus)

    comparison = conduct(oracles(count, seed=seed), jobs, cluster, arrived=arrived)
    for line in comparison.lines:  # of earlier, interrupted runs too
        _save(line, source, corpus)
    if as_json:
        emit(asdict(comparison))
    else:
        say(*summary_lines(comparison))
    raise typer.Exit(1 if comparison.faults else 0)


def _save(line: str, source: str, corpus: Path | None) -> None:
    case = disagreement_case(line, source)
    if case is None:
        note(f"no case, as no witness or proof settles all moves: {line}")
    else:
        note(f"case {saved(*save_case(case, corpus or corpus_folder()))}")
