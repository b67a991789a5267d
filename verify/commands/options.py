"""Options that several commands share, and the values that their words become."""

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, BadParameter, Context, Option

from heuristic.groups import load_rules, meant_for
from heuristic.rule import BOARD_WORDS, Boards, RuleSet, boards_named, related_oracles
from solver import board as model
from solver.errors import NotationError, OptionError
from solver.files import cores
from solver.jit import python_kernels
from solver.oracles.oracle import ORACLE_NAMES, check_walkable, get_oracle
from solver.oracles.oracle import Oracle as ExactOracle
from verify.commands.console import note

SEED_5 = ["seed-5"]
PROOFS = Path("out/proofs")
CORES = cores()
MOST = 10**12  # largest value of an option that counts
# A board that is cut out of a picture, and moves on it.
_PICTURE = re.compile(
    r"(\d[^!_]*)[!_](.+\.(?:png|jpe?g|gif|bmp|webp))(?::([URDL]*))?", re.IGNORECASE
)
_LINE = 20_000_000  # characters of an input line; the largest board has fewer
_SMALL = 441  # cells; below, interpreted kernels are faster than importing numba
_NAMES = "Groups (seed-5), rules, TOML files, FILE.py:FUNCTION; -RULE leaves one out"


def output_file(path: Path | None, *endings: str) -> Path | None:
    """Return the path of an output file; refuse it before the work begins.

    Raises `OptionError` if its name has another ending, or its folder does not exist.
    """
    if path is not None and path.suffix not in endings:
        raise OptionError(f"{path.name!r} must end in {' or '.join(endings)}")
    if path is not None and not path.parent.is_dir():
        raise OptionError(f"cannot write {path}: {path.parent} is not a folder")
    return path


def limit(help: str, *names: str) -> Any:
    """Return an option that is a number above 0."""
    return Option(*names, parser=_positive, metavar="X", help=help)


def _positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= MOST:
        raise BadParameter(f"{text!r} is not a number above 0")
    return number


def number(
    default: int | None, help: str, *names: str, least: int = 0, most: int = MOST
) -> Any:
    """Return an option that is a whole number between two bounds."""
    return Option(default, *names, metavar="N", min=least, max=most, help=help)


def count(default: int | None, help: str, least: int = 1) -> Any:
    """Return the option `--count` with a help text of its own."""
    return number(default, help, "--count", "-n", least=least)


def output(help: str, *endings: str) -> Any:
    """Return the option of an output file whose name has one of the endings."""
    return Option(
        None,
        "--output",
        "-o",
        callback=lambda path: output_file(path, *endings),
        help=help,
    )


def refuse_idle(context: Context, why: str, *names: str) -> None:
    """Refuse options that were typed but have no effect.

    - `why`: what they lack or what overrides them, such as ``without --save``.
    - `names`: the names of the parameters.

    Raises `OptionError` naming the first such option.
    """
    for param in context.command.params:
        source = context.get_parameter_source(param.name or "")
        if param.name in names and source and source.name == "COMMANDLINE":
            raise OptionError(f"{param.opts[0]} has no effect {why}")


Position = Annotated[
    str,
    Argument(help="A position: 9:RRDD, a file (.txt, .toml), or - for a stream."),
]
Board = Annotated[str, Argument(help="A board: 9, 7x9, 7x9@1,1>7,9!2,2, 40!heart.png.")]
RulesArgument = Annotated[list[str] | None, Argument(help=f"{_NAMES}.")]
RulesBoards = Annotated[
    list[str] | None,
    Argument(help=f"{_NAMES}; boards: 5, 7x9.", metavar="[RULES]... [BOARDS]..."),
]
Rules = Annotated[list[str] | None, Option("--rules", "-r", help=f"{_NAMES}.")]
Count = Annotated[
    int, Option("--count", "-n", metavar="N", min=1, max=MOST, help="Number of walks.")
]
Seed = Annotated[int, Option(metavar="N", min=0, help="Seed of all randomness.")]
Jobs = Annotated[
    int, Option(metavar="N", min=1, max=10_000, help="Processes or threads.")
]
Cluster = Annotated[str | None, Option(help="Dask scheduler: tls://host:8786.")]
Seconds = Annotated[float, limit("Limit of every single search.")]
Deadline = Annotated[
    float | None, limit("Time limit of the whole command.", "--seconds")
]
Memory = Annotated[float, limit("Gigabytes for a count.")]
Oracle = Annotated[str, Option(help=f"Exact oracle: {ORACLE_NAMES}.")]
All = Annotated[bool, Option("--all", help="Use every drawn rule of the book.")]
_KINDS = f"What the rules are meant for: {', '.join(BOARD_WORDS)}."
BoardKind = Annotated[  # `Boards` or None; Typer reads enums by their values only
    Any, Option("--boards", parser=boards_named, metavar="<str>", help=_KINDS)
]
Save = Annotated[bool, Option("--save", help="Save the results as cases.")]
DryRun = Annotated[bool, Option("--dry-run", help="Save nothing.")]
Corpus = Annotated[
    Path | None, Option(help="Folder of the cases; default: ONEWAY_CORPUS.")
]
Proofs = Annotated[Path, Option(help="Folder of the certificates.")]
Walls = Annotated[bool, Option("--walls", help="Draw a complete walk as a labyrinth.")]
Paper = Annotated[str, Option(help="a4 or letter, and pieces a page: a4:4.")]
Title = Annotated[str, Option(help="Title of the pages.")]
Invert = Annotated[bool, Option("--invert", help="Dark cells of a picture are open.")]
PICTURE = output("Write a picture: FILE.svg or FILE.png.", ".svg", ".png")
Json = Annotated[bool, Option("--json", help="Print JSON, one object a line.")]


def read_board(
    text: str,
    *,
    walkable: bool = True,
    without_ends: bool = False,
    invert: bool = False,
) -> model.Board:
    """Return the board of a word: `9`, `7x9` with ends and walls, or `40!heart.png`.

    - `walkable`: refuse a board that plainly has no Hamiltonian walk.
    - `without_ends`: the ends are the first and the last open cell.
    - `invert`: the dark cells of a picture are the board.
    """
    text = text.removesuffix(":")
    if match := _PICTURE.fullmatch(text):
        text, walkable = _cut_out(match, invert), False
    elif invert:
        raise OptionError(f"--invert is for a picture, as 40!heart.png, not {text!r}")
    elif text.endswith(".toml") or text[:1].isalpha():
        why = "is not a board; boards begin with a digit, as 9 or 7x9"
        raise OptionError(f"{text!r} {why}. Rules go after --rules")
    board = model.Board.parse(text, without_ends=without_ends)
    if walkable:
        check_walkable(board)
    return board


def _cut_out(match: "re.Match[str]", invert: bool = False) -> str:
    from solver.labyrinth import picture_board  # few boards are pictures

    size, path, _ = match.groups()
    frame = model.Board.parse(size)
    board = picture_board(Path(path), frame, with_ends="@" in size, invert=invert)
    return board.notation


def position_of_text(text: str) -> model.Position:
    """Return the position of a word; a board alone is its empty walk."""
    if match := _PICTURE.fullmatch(text):
        text = f"{_cut_out(match)}:{match[3] or ''}"
    return model.Position.parse(text if ":" in text else f"{text}:")


def input_positions(text: str) -> Iterator[model.Position]:
    """Yield the positions of an argument: a file's, standard input's, or itself."""
    if text.endswith(".txt"):
        from verify.corpus.saved_path import read_saved  # few positions are files

        yield read_saved(Path(text)).position
    elif text.endswith(".toml"):
        from verify.corpus.cases import load_case

        yield load_case(Path(text)).position
    elif text != "-":
        yield position_of_text(text)
    else:
        for number, line in enumerate(iter(lambda: sys.stdin.readline(_LINE), ""), 1):
            if len(line) == _LINE:
                raise OptionError(f"line {number} has {_LINE:,} characters or more")
            if stripped := line.rstrip("\r\n"):
                try:
                    place = position_of_text(stripped)
                except NotationError as error:
                    raise OptionError(f"line {number}: {error}") from None
                yield place


def kernels_for(text: str, oracle: str) -> AbstractContextManager[None]:
    """Run kernels as Python if the argument is a single small board.

    Only with the oracles `auto` and `sat`, which need few kernels there.
    """
    stream = text == "-" or text.endswith((".txt", ".toml"))
    if stream or oracle not in ("auto", "sat"):
        return nullcontext()
    small = position_of_text(text).board.cells <= _SMALL
    return python_kernels() if small else nullcontext()


def read_rules(words: Sequence[str] | None) -> RuleSet:
    """Return the rules of some words, which may hold commas."""
    return load_rules(",".join(words or ()))


def rules_for_board(
    words: Sequence[str] | None, board: model.Board, boards: Boards | None
) -> RuleSet:
    """Return the rules of some words that are meant for a board; report the others.

    - `boards`: the kind of boards that all rules count as meant for, if typed.

    Raises `OptionError` if no rule is meant for the board.
    """
    rules, others = meant_for(read_rules(words), board, boards)
    for rule in others:
        why = f"it is meant for {rule.boards.text}"
        note(f"{rule.name} is left out on {board.notation}: {why}")
    return rules


def unrelated_oracle(rules: RuleSet, oracle: str) -> ExactOracle:
    """Return the oracle of that name; `auto` without the oracles that share kernels."""
    if oracle == "auto":
        return get_oracle(oracle, without=related_oracles(rules))
    return get_oracle(oracle)


def rules_and_boards(words: list[str] | None) -> tuple[list[str], list[model.Board]]:
    """Separate the rules from the boards of one argument.

    >>> rules_and_boards(["seed-5", "5", "7x9.toml"])
    (['seed-5', '7x9.toml'], [Board.parse('5')])
    """
    words = words or []
    boards = [w for w in words if w[:1].isdecimal() and not w.endswith(".toml")]
    rules = [word for word in words if word not in boards]
    return rules, [read_board(word) for word in boards]


def numbered(picture: Path, count: int) -> list[Path]:
    """Return `count` file names in alphabetical order.

    >>> [path.name for path in numbered(Path("out/x.svg"), 10)][::9]
    ['x-01.svg', 'x-10.svg']
    """
    if count == 1:
        return [picture]
    width = len(str(count))
    numbers = range(1, count + 1)
    return [picture.with_stem(f"{picture.stem}-{n:0{width}}") for n in numbers]
