"""What the commands share: printing, progress, reading, `--watch`."""

import json
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial, wraps
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, ParamSpec

from solver.errors import NotationError, OnewayError, OptionError
from verify.commands.ending import one_line, printable, refuse
from verify.words import span

if TYPE_CHECKING:
    from rich.progress import Progress, Task, TaskID

    from heuristic.boards import Boards
    from heuristic.rule import RuleSet
    from solver.board import Board, Position
    from solver.oracles.oracle import Oracle

P = ParamSpec("P")

# A board that is cut out of a picture, and moves on it.
_PICTURE = re.compile(
    r"(\d[^!_]*)[!_](.+\.(?:png|jpe?g|gif|bmp|webp))(?::([URDL]*))?", re.IGNORECASE
)


def joined(words: list[str] | None) -> str:
    """Return rules said in several words as one text: for titles, and to be kept.

    >>> joined(["seed-5", "seed-close,-c-shape"])
    'seed-5,seed-close,-c-shape'
    """
    return ",".join(words or ())


def emit(value: Any = None, /, **fields: Any) -> None:
    """Print one JSON object on a line of its own, at once: a value, or its fields."""
    value = fields if value is None else value
    text = json.dumps(value, ensure_ascii=False)
    sys.stdout.write((text if text.isprintable() else json.dumps(value)) + "\n")
    sys.stdout.flush()


def say(text: str = "") -> None:
    """Print a line of an answer; what would steer the terminal is shown instead."""
    sys.stdout.write(printable(text) + "\n")


def terminal_columns() -> int:
    """Return how wide the terminal is; 0 if the output goes elsewhere."""
    return get_terminal_size().columns if sys.stdout.isatty() else 0


def say_position(position: "Position", marked: Sequence[int] = ()) -> None:
    """Print a position as a picture, if the terminal is wide enough, and as a line.

    Unvisited cells that are `marked` are shaded.
    """
    from solver.notation import picture

    board = position.board
    if 0 < terminal_columns() < 4 * board.cols - 3:
        say(f"{board.rows} x {board.cols} is wider than the terminal: see -o FILE.svg")
    else:
        say(picture(position, marked))
    say(position.notation)


def say_judged(position: "Position", rule_set: "RuleSet", oracle: "Oracle") -> None:
    """Print a position, and of each move the truth and what rules say."""
    from solver.oracles.oracle import decide_moves
    from verify.display import lines

    say_position(position)
    answers = decide_moves(oracle, position)
    for line in lines(position, rule_set.forbids(position), answers):
        say(line)


_quiet: list[bool] = []


def be_quiet(quiet: bool) -> None:
    """Print nothing about how the work goes, or do."""
    _quiet[:] = [True] * quiet


def note(text: str) -> None:
    """Print a line that is no answer, unless `-q` is said: on standard error."""
    if not _quiet:
        warn(text)


def warn(text: str) -> None:
    """Print a line about something that went wrong: on standard error."""
    sys.stderr.write(printable(text) + "\n")
    sys.stderr.flush()


def shown(path: Path) -> str:
    """Return a path as people read it: from the current folder, if it lies inside."""
    try:
        return one_line(path.resolve().relative_to(Path.cwd()))
    except (ValueError, RuntimeError):  # it lies elsewhere, or is a loop of links
        return one_line(path)


def kept(path: Path, new: bool) -> str:
    """Return the words for a case that was saved, or was there already."""
    return f"{'saved' if new else 'found again'}: {shown(path)}"


_PURPOSES = {  # of rooms whose name does not say what their kernels do
    "future": "rules about future lines",
    "matching": "drawn rules",
    "nowalk": "tests before a search",
    "positions": "lists of positions",
    "procedures": "rules in code",
    "refute": "counterexamples",
    "solid": "boards without walls",
    "splitmix": "random numbers",
    "trial": "trials of rules",
}
_compiled: set[str] = set()


def note_compiling(module: str) -> None:
    """Say once of a room what its kernels are compiled for, when that begins."""
    room = module.split(".")[1]
    if room not in _compiled:
        _compiled.add(room)
        purpose = _PURPOSES.get(room, room)
        note(f"compiling kernels for {purpose}, once for this version")


def note_unkept(why: str) -> None:
    """Warn that compiled kernels were not saved, so that the next start is slow too."""
    advice = "free space there, or name another folder by NUMBA_CACHE_DIR"
    warn(f"oneway: compiled kernels are not saved: {why}; {advice}")


EVERY = 30.0  # seconds between two lines of progress, where no terminal shows a bar


def _told(task: "Task") -> str:
    """Return how far a task is: in words of its own, or by what is counted."""
    if words := task.fields.get("told"):
        return str(words)
    speed, left = task.speed or 0.0, task.time_remaining
    parts = [
        f"{task.completed:,.0f}" + (f" of {task.total:,.0f}" if task.total else ""),
        f"{speed:,.{0 if speed >= 10 else 1}f} a second" if speed else "",
        f"{span(left)} left" if left else "",
    ]
    return ", ".join(filter(None, parts))


@contextmanager
def progress_bar() -> Iterator["Progress"]:
    """Show progress on standard error: a bar, or a line now and then.

    The bar is for a person at a terminal and leaves nothing behind. A file or a pipe
    gets a plain line every `EVERY` seconds, so short work stays silent there. Where a
    task has the field `told`, that is shown, not what was counted.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn
    from rich.text import Text

    class Told(ProgressColumn):
        """How far it is."""

        def render(self, task: "Task") -> Text:
            """Return it as text."""
            return Text(_told(task))

    printed = monotonic()

    class Lines(Progress):
        """A bar that nobody sees, as lines."""

        def update(self, task_id: "TaskID", **fields: Any) -> None:
            """Note what was done."""
            super().update(task_id, **fields)
            self._print(task_id)

        def advance(self, task_id: "TaskID", advance: float = 1) -> None:
            """Note that more was done."""
            super().advance(task_id, advance)
            self._print(task_id)

        def _print(self, task_id: "TaskID") -> None:
            nonlocal printed
            if monotonic() - printed >= EVERY:
                printed, task = monotonic(), self._tasks[task_id]
                note(f"{task.description}: {_told(task)}")

    console = Console(stderr=True, quiet=bool(_quiet))
    seen = console.is_terminal and not _quiet
    columns = TextColumn("{task.description}"), BarColumn(20), Told()
    kind = Progress if seen else Lines
    with kind(*columns, console=console, transient=True, disable=not seen) as bar:
        yield bar


@contextmanager
def counting(what: str, total: float | None = None) -> Iterator[Callable[..., None]]:
    """Show how far one thing is; call with what is done, and the total if known now."""
    with progress_bar() as bar:
        task = bar.add_task(what, total=total)

        def moved(done: float, total: float | None = None) -> None:
            bar.update(task, completed=done, total=total)

        yield moved


@contextmanager
def ticking(what: str, total: float | None = None) -> Iterator[Callable[..., None]]:
    """Show how far one thing is; call for each step, or with how many were made."""
    with progress_bar() as bar:
        yield partial(bar.advance, bar.add_task(what, total=total))


def with_solutions(output: Path, pages: bytes, solved: bytes) -> str:
    """Write a PDF, and that of its solutions beside it; return both names in words."""
    from solver.files import write_together

    solutions = output.with_stem(f"{output.stem}-solutions")
    write_together([(output, pages), (solutions, solved)])
    return f"{shown(output)}, solutions: {shown(solutions)}"


def numbered(picture: Path, count: int) -> list[Path]:
    """Return the file of each of so many pictures, in their order by name too.

    >>> [path.name for path in numbered(Path("out/x.svg"), 10)][::9]
    ['x-01.svg', 'x-10.svg']
    >>> [path.name for path in numbered(Path("x.svg"), 1)]
    ['x.svg']
    """
    if count == 1:
        return [picture]
    width = len(str(count))
    return [
        picture.with_stem(f"{picture.stem}-{number:0{width}}")
        for number in range(1, count + 1)
    ]


def read_board(
    text: str, *, walkable: bool = True, without_ends: bool = False
) -> "Board":
    """Read a board argument: `9`, `7x9`, or with ends and walls; `9:` is meant so.

    `40!heart.png` is a board cut out of a picture. A board that plainly has no walk is
    refused with the reason, if it is to have one. With `without_ends` the ends are the
    first and the last open cell.
    """
    from solver.board import Board
    from solver.nowalk import check_walkable

    if found := _PICTURE.fullmatch(text.removesuffix(":")):
        return _cut_out(found, without_ends)
    if not text[:1].isdecimal() and (text.endswith(".toml") or text[:1].isalpha()):
        why = "is not a board; boards begin with a digit, as 9 or 7x9"
        raise OptionError(f"{text!r} {why}. Rules go after --rules")
    board = Board.parse(text.removesuffix(":"), without_ends=without_ends)
    if walkable:
        check_walkable(board)
    return board


def _cut_out(found: "re.Match[str]", without_ends: bool = False) -> "Board":
    """Return the board that is cut out of a picture."""
    from solver.board import Board
    from solver.mask import mask_board

    size, path, _ = found.groups()
    board = mask_board(Path(path), Board.parse(size), with_ends="@" in size)
    if without_ends:
        return Board.parse(board.notation, without_ends=True)
    return board


def rules_and_boards(words: list[str] | None) -> "tuple[list[str], list[Board]]":
    """Part rules from boards among the words of one argument.

    >>> rules_and_boards(["seed-5", "5", "7x9.toml"])
    (['seed-5', '7x9.toml'], [Board.parse('5')])
    """
    rules: list[str] = []
    boards: list[Board] = []
    for word in words or ():
        if word[:1].isdecimal() and not word.endswith(".toml"):
            boards.append(read_board(word))
        else:
            rules.append(word)
    return rules, boards


def rules_meant_for(
    words: list[str], board: "Board", boards: "Boards | None"
) -> "RuleSet":
    """Return the rules that words name, without those not meant for a board.

    Each rule left out is noted.

    - `boards`: the boards that all rules are taken to be meant for, if not None.

    Raises `OptionError` if no rule is meant for the board.
    """
    from heuristic.groups import load_rules, meant_for

    rules, others = meant_for(load_rules(joined(words)), board, boards)
    for rule in others:
        where = f"{rule.name} is not asked on {board.notation}"
        note(f"{where}: it is meant for {rule.boards.text}")
    return rules


def make_oracle(name: str) -> "Oracle":
    """Return the oracle of that name, with default options."""
    from solver.oracles.oracle import get_oracle

    return get_oracle(name)


def make_judge(name: str, kin: "Collection[str]") -> "Oracle":
    """Return the oracle of that name; `auto` asks none of those that are kin."""
    from solver.oracles.oracle import get_oracle

    return get_oracle(name, without=kin) if name == "auto" else get_oracle(name)


_LINE = 20_000_000  # characters of a line; the largest board has fewer


def lines_or(text: str) -> Iterator[tuple[str, str]]:
    """Yield (where, text): the argument itself, or the lines of standard input for -.

    Empty lines are passed over; `where` is ``line 3: `` or empty.
    """
    if text != "-":
        yield "", text
        return
    for number, line in enumerate(iter(lambda: sys.stdin.readline(_LINE), ""), 1):
        if len(line) == _LINE:
            raise OptionError(f"line {number} has {_LINE:,} characters or more")
        stripped = line.rstrip("\r\n")
        if stripped:
            yield f"line {number}: ", stripped


def parse_line(where: str, text: str) -> "Position":
    """Read a position; an error names its line.

    A board alone, `7`, is the position before the first move. A board may be cut out
    of a picture, as `read_board` says.
    """
    from solver.board import Position

    try:
        if found := _PICTURE.fullmatch(text):
            return Position.parse(f"{_cut_out(found).notation}:{found[3] or ''}")
        return Position.parse(text if ":" in text else f"{text}:")
    except NotationError as error:
        if where:
            raise OptionError(f"{where}{error}") from None
        raise


def positions(text: str) -> Iterator["Position"]:
    """Yield the positions of an argument: a file is known by its ending."""
    if text.endswith((".txt", ".svg")):
        from verify.corpus.saved_path import read_saved

        yield read_saved(Path(text)).position
    elif text.endswith(".toml"):
        from verify.corpus.cases import load_case

        yield load_case(Path(text)).position
    else:
        for where, line in lines_or(text):
            yield parse_line(where, line)


_DEEP = "    "  # before what a cell goes on with
_NARROW = 40  # columns of a table, whatever the terminal has
_NUMBER = re.compile(r"[-+<>~]?[\d.,]+( %| s)?$|-?$")
_SMALL = 441  # cells; above, kernels as Python take longer than importing numba


def kernels_by_size(command: Callable[P, None]) -> Callable[P, None]:
    """Let a command run its kernels as Python where `position` is one small board.

    Only with the oracles `auto` and `sat`, which are quick without kernels there.
    """

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        from solver.jit import python_kernels

        text = str(kwargs.get("position", "-"))
        other = kwargs.get("oracle") not in ("auto", "sat")
        stream = text == "-" or text.endswith((".txt", ".svg", ".toml"))
        if stream or other or parse_line("", text).board.cells > _SMALL:
            command(*args, **kwargs)
        else:
            with python_kernels():
                command(*args, **kwargs)

    return run


def table(title: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table as wide as the terminal, or as COLUMNS says where there is none.

    Whole numbers get commas.
    """
    say(one_line(title))
    cells = [[f"{x:,}" if isinstance(x, int) else str(x) for x in row] for row in rows]
    width = max(_NARROW, terminal_columns() or _piped_columns())
    for line in table_lines([list(header), *cells], width):
        say(line)


def _piped_columns() -> int:
    """Return the width of output that no terminal shows: COLUMNS, or 80."""
    columns = os.environ.get("COLUMNS", "")
    return int(columns) if columns.isdecimal() and int(columns) else 80


def table_lines(rows: list[list[str]], width: int) -> list[str]:
    """Return rows as lines, the first the header; numbers stand to the right.

    A row that is too wide goes on in lines of its own, indented.

    >>> for line in table_lines([["rule", "wrong", "at"], ["a", "12", "5:RDL"]], 16):
    ...     print(line)
    rule
      wrong  at
    a
         12  5:RDL
    """
    rows = [[one_line(cell) for cell in row] for row in rows]
    columns = [*zip(*rows, strict=True)]
    widths = [max(map(len, column)) for column in columns]
    right = [bool(body) and all(map(_NUMBER.match, body)) for _, *body in columns]
    lines = []
    groups = _columns(widths, width)
    for row in rows:
        for number, group in enumerate(groups):
            cells = [
                row[at].rjust(widths[at]) if right[at] else row[at].ljust(widths[at])
                for at in group
            ]
            text = "  " * (number > 0) + "  ".join(cells).rstrip()
            many = len(group) > 1
            lines += [text] if many else wrap(text, width, subsequent_indent=_DEEP)
    return lines


def _columns(widths: list[int], width: int) -> list[list[int]]:
    """Return the columns of each line of a row: the first alone if not all fit."""
    groups = [[0]]
    rest = sum(widths[1:]) + 2 * len(widths) - 2
    if rest <= width < rest + widths[0]:
        groups.append([])
    for at, wide in enumerate(widths[1:], 1):
        taken = sum(widths[one] + 2 for one in groups[-1]) + 2 * (len(groups) > 1)
        if groups[-1] and taken + wide > width:
            groups.append([])
        groups[-1].append(at)
    return groups


_LOOK = 0.3  # seconds between two looks at the files


def again_when_saved(words: list[str], work: Callable[[], bool]) -> bool:
    """Do the work, and again whenever a file among the rules has changed.

    Faults in the files are printed, and waited out. Ctrl-C is the end; what the last
    work returned is returned.

    Raises `OptionError` if no rule file is named.
    """
    from heuristic.groups import rule_file, words_of

    files = [file for word in words_of(joined(words)) if (file := rule_file(word))]
    if not files:
        raise OptionError("--watch needs a rule file to watch, such as my-rule.toml")
    good = False
    try:
        while True:
            seen = _stamps(files)
            try:
                good = work()
            except OnewayError as error:
                good = False
                refuse(str(error))
            note(f"watching {', '.join(map(str, files))}; Ctrl-C ends")
            while _stamps(files) == seen:
                sleep(_LOOK)
    except KeyboardInterrupt:
        return good


def _stamps(files: Sequence[Path]) -> list[tuple[int, int] | None]:
    """Return when each file was written and its size; None if it is not there."""
    stamps: list[tuple[int, int] | None] = []
    for file in files:
        try:
            found = file.stat()
            stamps.append((found.st_mtime_ns, found.st_size))
        except OSError:  # an editor may be writing it anew
            stamps.append(None)
    return stamps
