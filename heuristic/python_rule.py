"""Rules written as Python functions of a position.

A rule is a function that takes a `Position` and returns the moves it forbids, as
letters. It may yield pairs of a letter and a `Reason` (or a sentence) instead; without
one the first line of its docstring is the reason. Like a drawing it is asked after the
first step only, so `position.turn` always has an answer. The function's attribute
``boards`` names the boards it is meant for, as rule files do.

On a command line a function is named ``my_rules.py:corner_ahead``. The file is imported
from the path that was typed, in each process; a case never imports one.
"""

import inspect
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, TypeAlias

from heuristic.rule import Boards, Forbid, Reason, Rule, mask_of, read_boards
from heuristic.walks.walker import Walker
from solver.board import LETTERS, Board, Cell, Position
from solver.errors import OnewayError, OptionError, RuleError
from solver.files import read_regular

RuleFunction: TypeAlias = Callable[[Position], Iterable[Any]]
_BYTES = 16_000_000  # of a file


@dataclass(frozen=True, slots=True)
class PythonRule(Rule):
    """A function as a `Rule`.

    >>> def never(position):
    ...     return position.options()
    >>> rule = PythonRule(never)
    >>> rule.name, [f.move for f in rule.forbids(Position.parse("3:R"))]
    ('never', ['R', 'D'])

    Raises `RuleError` if the function's attribute ``boards`` names no boards.
    """

    function: RuleFunction
    claim: ClassVar[str] = "sound"
    engine: ClassVar[str] = f"{__name__}:python_rules"

    def __post_init__(self) -> None:
        """Check what can be checked before the function is called."""
        if not callable(self.function):
            why = f"{self.function!r} is not a function of a position"
            raise RuleError("<python>", None, why)
        _ = self.boards

    @property
    def name(self) -> str:
        """The function's name, with hyphens."""
        name = getattr(self.function, "__name__", type(self.function).__name__)
        return str(name).strip("_").replace("_", "-")

    @property
    def origin(self) -> str:
        """The file of the function and its line."""
        code = getattr(inspect.unwrap(self.function), "__code__", None)
        if code is None:
            return "Python"
        return f"{Path(code.co_filename).name}, line {code.co_firstlineno}"

    @property
    def boards(self) -> Boards:
        """The boards that it is meant for."""
        word = getattr(self.function, "boards", Boards.CORNERS)
        if isinstance(word, Boards):
            return word
        try:
            return read_boards(str(word))
        except OnewayError as error:
            raise RuleError(self.origin, self.name, str(error)) from None

    def forbids(self, position: Position) -> tuple[Forbid, ...]:
        """Return the forbidden moves with reasons, in the order U, R, D, L.

        Raises `RuleError` naming the position, if the function raises an error or
        returns something else than moves.
        """
        if position.heading < 0:
            return ()
        lines = (inspect.getdoc(self.function) or "the function says so").splitlines()
        sentence = lines[0].strip().rstrip(".")
        reasons: dict[str, Reason] = {}
        try:
            for item in self.function(position) or ():
                move, reason = _read_item(item, sentence)
                reasons.setdefault(move, reason)
        except Exception as error:
            kind = "" if isinstance(error, OnewayError) else f"{type(error).__name__}: "
            why = " ".join(f"at {position.notation}: {kind}{error}".split())
            raise RuleError(self.origin, self.name, why) from error
        moves = [move for move in position.options() if move in reasons]
        return tuple(Forbid(self.name, move, reasons[move]) for move in moves)


def python_rules(rules: Sequence[Rule]) -> Callable[[Board], "PythonWalker"]:
    """Return what makes walkers of Python rules; a `heuristic.rule.Engine`."""
    functions = [rule for rule in rules if isinstance(rule, PythonRule)]
    return lambda board: PythonWalker(functions, board)


class PythonWalker(Walker):
    """Python rules on a board, called one after the other."""

    def __init__(self, rules: Sequence[PythonRule], board: Board) -> None:
        super().__init__(board)
        self._rules = rules
        self._positions = [Position(board)]
        self._forbids: list[tuple[Forbid, ...]] = []  # of `masks`, by rule

    def push(self, cell: Cell) -> None:
        """Extend the walk by one cell."""
        position = self._positions[-1]
        move = LETTERS[self.board.direction(position.live_end, cell)]
        self._positions.append(position.step(move))
        super().push(cell)

    def pop(self) -> None:
        """Take the last cell back."""
        self._positions.pop()
        super().pop()

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits."""
        position = self._positions[-1]
        self._forbids = [rule.forbids(position) for rule in self._rules]
        return [mask_of(forbid.move for forbid in some) for some in self._forbids]

    def reason(self, rule: int, move: str) -> Reason:
        """Return the reason that the function gave."""
        return next(f.reason for f in self._forbids[rule] if f.move == move)


def _read_item(item: Any, sentence: str) -> tuple[str, Reason]:
    """Return the move and the reason of one result; `sentence` if it gives none."""
    move, reason = item if isinstance(item, tuple) and len(item) == 2 else (item, None)
    if not isinstance(move, str) or len(move) != 1 or move not in LETTERS:
        raise RuleError("result", None, f"{item!r} is not a move; moves are U, R, D, L")
    if reason is None or isinstance(reason, str):
        return move, Reason(reason or sentence)
    if not isinstance(reason, Reason):
        raise RuleError("result", None, f"{reason!r} is not a reason: give a sentence")
    return move, reason


def load_python(word: str) -> PythonRule:
    """Return the rule that ``FILE.py:FUNCTION`` names; the file is run.

    Raises `RuleError` if the file cannot be run, or there is no such function.
    """
    file = Path(word if word.endswith(".py") else word.rpartition(":")[0])
    try:
        text = read_regular(file, _BYTES)
    except OptionError as error:
        raise RuleError(file.name, None, f"cannot read the file: {error}") from None
    module = _module(str(file.resolve()), text)
    name = word.rpartition(":")[2] if not word.endswith(".py") else ""
    function = vars(module).get(name)
    if callable(function):
        return PythonRule(function)
    own = [
        name
        for name, value in vars(module).items()
        if inspect.isfunction(value)
        and value.__module__ == module.__name__
        and not name.startswith("_")
    ]
    there = f"its functions: {', '.join(own)}" if own else "it has none"
    what = f"there is no function {name!r}" if name else "no function is named"
    why = f"{what}; write {file}:FUNCTION; {there}"
    raise RuleError(file.name, None, why)


@lru_cache(maxsize=32)
def _module(file: str, text: bytes) -> ModuleType:
    """Return what a file defines; it may import the modules next to it.

    It is run once for each text.
    """
    path = Path(file)
    module = ModuleType(f"_oneway_rules_{path.stem}")
    module.__file__ = file
    sys.modules[module.__name__] = module  # dataclasses look there
    sys.path.insert(0, str(path.parent))
    try:
        exec(compile(text, file, "exec"), vars(module))
    except (Exception, SystemExit) as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise RuleError(path.name, None, f"cannot be imported: {why}") from error
    finally:
        sys.path.remove(str(path.parent))
    return module
