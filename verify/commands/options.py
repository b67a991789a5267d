"""The options that several commands have, under one name and in one wording each."""

from pathlib import Path
from typing import Annotated, Any

import typer

from heuristic.boards import WORDS
from solver.errors import OptionError
from solver.oracles.registry import listed


def option(names: str, words: str, default: Any = ..., **more: Any) -> Any:
    """Return an option by its names, parted by blanks, its help, and its default.

    Without a name it is called as its parameter is.
    """
    return typer.Option(default, *names.split(), help=words, **more)


def flag(names: str, words: str) -> Any:
    """Return an option that is said or not."""
    return option(names, words, False)


def refuse_idle(context: typer.Context, why: str, *names: str) -> None:
    """Refuse options that were typed though they have no effect.

    - `why`: what they lack, or what is in their way: ``without --save``.
    - `names`: of the parameters.

    Raises `OptionError` naming the first one.
    """
    for param in context.command.params:
        source = context.get_parameter_source(param.name or "")
        typed = source is not None and source.name == "COMMANDLINE"
        if param.name in names and typed:
            raise OptionError(f"{param.opts[0]} has no effect {why}")


def argument(words: str, default: Any = ..., **more: Any) -> Any:
    """Return an argument by its help and its default."""
    return typer.Argument(default, help=words, **more)


_NAMED = "a group (seed-5), a rule of the book, a TOML file, FILE.py:FUNCTION"
Rules = Annotated[
    list[str],
    option(
        "--rules -r",
        f"Rules: {_NAMED}. Repeat the option or join several with commas; -RULE leaves "
        "one out. `oneway rules` lists the book.",
    ),
]
RulesArgument = Annotated[
    list[str] | None,
    argument(
        f"Rules: {_NAMED}. Several side by side or joined with commas; -RULE leaves "
        "one out. `oneway rules` lists the book."
    ),
]
RulesBoards = Annotated[
    list[str] | None,
    argument(
        f"Rules: {_NAMED}; -RULE leaves one out. Boards begin with a digit: 5, 7x9, "
        "7x9@1,1>7,9!2,2.",
        metavar="[RULES]... [BOARDS]...",
    ),
]
NONE: list[str] = []
SEED_5 = ["seed-5"]
PROOFS = Path("out/proofs")
Oracle = Annotated[str, option("--oracle", f"Exact oracle: {listed()}.")]

Seed = Annotated[int, option("--seed", "Seed of all randomness, 0 or more.", min=0)]


def _above_0(param: typer.CallbackParam, value: float | None) -> float | None:
    """Refuse a limit of time that leaves none."""
    if value is not None and not value > 0:
        raise OptionError(f"{param.opts[0]} {value} is not above 0")
    return value


Seconds = Annotated[
    float, option("--seconds", "Limit of every single search.", callback=_above_0)
]
Minutes = Annotated[
    float | None,
    option(
        "--minutes",
        "Begin nothing new after so long; the answer is of what is done. The same "
        "line goes on.",
        callback=_above_0,
    ),
]
Deadline = Annotated[
    float | None,
    option(
        "--seconds",
        "Time limit of the whole command; the answer is of what is done by then.",
        callback=_above_0,
    ),
]
All = Annotated[bool, option("--all", "Every drawn rule of the whole rule book.")]
Save = Annotated[bool, option("--save", "Keep what is found as cases of the corpus.")]
AnyBoard = Annotated[
    bool,
    option(
        "--any-board",
        "The small form may have walls and ends of its own: fewer cells yet.",
    ),
]
Proofs = Annotated[Path, option("--proofs", "Folder of the certificates.")]
BoardKind = Annotated[
    str | None,
    option(
        "--boards",
        f"Take all rules to be meant for these boards: {', '.join(WORDS)}. By default "
        "each rule says it itself.",
    ),
]
Json = Annotated[bool, option("--json", "Print JSON, one object a line, for programs.")]
Jobs = Annotated[int, option("--jobs", "Processes at work; same answer.", min=1)]


def checked_picture(path: Path | None) -> Path | None:
    """Refuse a file that cannot become a picture before the work begins."""
    from solver.svg import check_picture

    if path is not None:
        check_picture(path)
    return path


Picture = Annotated[
    Path | None,
    option(
        "--output -o",
        "Write a picture too: FILE.svg, .png or .pdf. Several become FILE-1.svg, "
        "FILE-2.svg and so on.",
        callback=checked_picture,
    ),
]
Walls = Annotated[
    bool,
    option("--walls", "In the picture: a complete walk as the walls of a labyrinth."),
]
Future = Annotated[
    bool, option("--future", "Draw blue the edges that the rules know to come.")
]
Corpus = Annotated[
    Path | None,
    option(
        "--corpus",
        "Folder of the cases (default: ONEWAY_CORPUS of the environment, the "
        "checkout's, or the user's; `oneway corpus show` says which).",
    ),
]
Watch = Annotated[
    bool, option("--watch", "Do it again whenever a rule file is saved, until Ctrl-C.")
]
Memory = Annotated[float, option("--memory", "Gigabytes that the layers may take.")]
Cluster = Annotated[
    str | None,
    option("--cluster", "Let the workers of a Dask scheduler work: tcp://host:8786."),
]
