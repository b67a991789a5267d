"""The options and arguments that several commands share, as annotated types."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from heuristic.boards import WORDS
from solver.errors import OptionError
from solver.oracles.registry import listed
from solver.svg import check_picture

SEED_5 = ["seed-5"]
PROOFS = Path("out/proofs")
_MOST = 10**15  # of whatever an option counts
_GIGABYTE, _MOST_MEMORY = 1e9, 1e9


def _above_0(param: typer.CallbackParam, value: float | None) -> float | None:
    """Refuse a time limit that leaves no time."""
    if value is not None and not value > 0:
        raise OptionError(f"{param.opts[0]} {value} is not above 0")
    return value


def whole(least: int, most: int = _MOST) -> Callable[[str], int]:
    """Return a parser of whole numbers between two bounds."""
    bounds = f"at least {least:,}" + (f", at most {most:,}" if most <= _MOST else "")

    def parse(text: str) -> int:
        with suppress(ValueError):
            if least <= int(text) <= most:
                return int(text)
        raise typer.BadParameter(f"{text[:40]!r} is not a whole number of {bounds}")

    return parse


def checked_picture(path: Path | None) -> Path | None:
    """Refuse a file that cannot become a picture before the work begins."""
    if path is not None:
        check_picture(path)
    return path


def refuse_idle(context: typer.Context, why: str, *names: str) -> None:
    """Refuse options that were typed though they have no effect.

    - `why`: what they lack or what overrides them, such as ``without --save``.
    - `names`: the names of the parameters.

    Raises `OptionError` naming the first one.
    """
    for param in context.command.params:
        source = context.get_parameter_source(param.name or "")
        typed = source is not None and source.name == "COMMANDLINE"
        if param.name in names and typed:
            raise OptionError(f"{param.opts[0]} has no effect {why}")


Position = Annotated[
    str,
    typer.Argument(
        help="A position such as 9:RRDD, a saved walk (.txt, .svg), a case (.toml), "
        "or - for positions, one a line."
    ),
]
Board = Annotated[
    str, typer.Argument(help="A board: 9, 7x9, 7x9@1,1>7,9!2,2 or 40!heart.png.")
]
Count = Annotated[
    int,
    typer.Option(
        "--count", "-n", metavar="N", parser=whole(1), help="How many are made."
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Print what would be saved; save nothing.")
]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rules",
        "-r",
        help="Rules: groups (seed-5), rules of the book, TOML files, FILE.py:FUNCTION; "
        "-RULE leaves one out. Join several with commas.",
    ),
]
RulesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        help="Rules: groups (seed-5), rules of the book, TOML files, FILE.py:FUNCTION; "
        "-RULE leaves one out."
    ),
]
RulesBoards = Annotated[
    list[str] | None,
    typer.Argument(
        help="Rules: groups, rules of the book, TOML files, FILE.py:FUNCTION; boards: "
        "5, 7x9, 7x9@1,1>7,9!2,2.",
        metavar="[RULES]... [BOARDS]...",
    ),
]
Oracle = Annotated[str, typer.Option("--oracle", help=f"Exact oracle: {listed()}.")]
Seed = Annotated[
    int,
    typer.Option(
        "--seed",
        metavar="N",
        parser=whole(0, 10**100),
        help="Seed of all randomness, 0 or more.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
Jobs = Annotated[
    int,
    typer.Option(
        "--jobs", metavar="N", parser=whole(1, 10_000), help="Processes at work."
    ),
]
Cluster = Annotated[
    str | None, typer.Option("--cluster", help="Dask scheduler: tls://host:8786.")
]
Seconds = Annotated[
    float,
    typer.Option("--seconds", callback=_above_0, help="Limit of every single search."),
]
Deadline = Annotated[
    float | None,
    typer.Option(
        "--seconds", callback=_above_0, help="Time limit of the whole command."
    ),
]
All = Annotated[
    bool, typer.Option("--all", help="Every drawn rule of the whole rule book.")
]
BoardKind = Annotated[
    str | None,
    typer.Option(
        "--boards",
        help=f"Boards that all rules are meant for: {', '.join(WORDS)}.",
    ),
]
AnyBoard = Annotated[
    bool,
    typer.Option(
        "--any-board",
        help="Shrink onto boards with walls and ends of their own.",
    ),
]
Save = Annotated[
    bool, typer.Option("--save", help="Save what is found as cases of the corpus.")
]
Corpus = Annotated[
    Path | None,
    typer.Option(
        "--corpus",
        help="Folder of the cases; default: ONEWAY_CORPUS, the checkout's, or yours.",
    ),
]
Proofs = Annotated[Path, typer.Option("--proofs", help="Folder of the certificates.")]
Picture = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        callback=checked_picture,
        help="Write a picture: FILE.svg or FILE.png; several become FILE-1.svg ...",
    ),
]


def bytes_of(gigabytes: float) -> int:
    """Return the bytes that `--memory` allows."""
    if not 0 < gigabytes <= _MOST_MEMORY:
        raise OptionError(f"--memory {gigabytes:g} is not above 0 and at most 1e9")
    return int(gigabytes * _GIGABYTE)


Memory = Annotated[
    float, typer.Option("--memory", help="Gigabytes that a count may take.")
]
Walls = Annotated[
    bool, typer.Option("--walls", help="Draw a complete walk as a labyrinth.")
]
Paper = Annotated[
    str,
    typer.Option(
        "--paper", help="Paper of a PDF, a4 or letter, and pieces a page: a4:4."
    ),
]
