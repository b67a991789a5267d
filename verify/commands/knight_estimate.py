"""`oneway knight estimate`: how large the enumeration is, level by level."""

from typing import Annotated

import typer

from verify.commands.console import (
    JsonOption,
    PictureOption,
    SeedOption,
    emit,
    progress_bar,
    say,
    table,
)


def estimate(
    rules: Annotated[
        list[str] | None,
        typer.Option(
            "--rules",
            "-r",
            help="none, ends, sums, lines or all; all of them if left out.",
        ),
    ] = None,
    start: Annotated[
        list[str] | None,
        typer.Option(
            "--start", help="Only these start classes: c3; may be said again."
        ),
    ] = None,
    probes: Annotated[
        int, typer.Option("--count", "-n", help="Walks for each set of rules.")
    ] = 20_000,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
    picture: PictureOption = None,
) -> None:
    """Estimate the tree of `enumerate` by level, under sets of rules.

    Knuth's method: random walks, each weighted by the steps it could choose from. The
    sets: none; ends, no cell may be cut off; sums, the published plan's test of the
    lines touched; lines, deadlines of all 16 lines; all, the two-neighbour rule too.
    Intervals hold 95 % of the time where many walks reach a level; where few do, the
    width is likely too small.

    Try: oneway knight estimate --start c3 -o onion.svg
    """
    from solver.puzzles.knight.probing import SETS, Widths
    from solver.puzzles.knight.probing import estimate as sample
    from solver.puzzles.knight.starts import STARTS
    from solver.svg import write_picture
    from verify.puzzles.knight.onion import onion

    starts = tuple(start or STARTS)
    layers: list[Widths] = []
    with progress_bar() as bar:
        for name in bar.track(list(rules or SETS), description="sets of rules"):
            layers.append(sample(starts, name, probes=probes, seed=seed))
    for layer in layers:
        if as_json:
            emit(
                {
                    "rules": layer.rules,
                    "starts": list(starts),
                    "probes": layer.probes,
                    "seed": seed,
                    "width": [float(one) for one in layer.width],
                    "error": [float(one) for one in layer.error],
                }
            )
    if not as_json:
        lines = []
        for level in (*range(2, 16), *range(16, 64, 4), 64):
            line = [f"{level}"]
            for layer in layers:
                width, error = layer.width[level], layer.error[level]
                before = layer.width[level - 1]
                ratio = f"{width / before:.2f}" if level > 2 and before else ""
                line += [ratio, f"{width:.2g} ± {1.96 * error:.1g}" if width else "0"]
            lines.append(line)
        header = ["level"]
        for layer in layers:
            header += ["steps", layer.rules]
        table(f"Branching and width by level, starts {' '.join(starts)}", header, lines)
        for layer in layers:
            error = float(layer.error.sum())  # levels of a walk go together
            say(
                f"{layer.rules:>6}: {layer.width.sum():.3g} ± {1.96 * error:.1g} in all"
            )
    if picture and layers:
        order = sorted(layers, key=lambda one: SETS.index(one.rules))
        write_picture(onion(order), picture)
