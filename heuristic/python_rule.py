"""Rules that are Python functions of a position.

A rule is a function that takes a `Position` and returns the moves it forbids, as
letters. It may yield pairs of a letter and a `Reason` (or a sentence) instead; without
one the first line of its docstring is the reason. Rules apply after the first step
only, so `position.turn` always has an answer. The function's attribute
``boards`` names the boards it is meant for, as rule files do.

The command line takes ``my_rules.py:corner_ahead``. The file is imported
from the path that was typed, in each process; a case never imports one.
"""

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, TypeAlias

from heuristic.rule import (
    Boards,
    Forbid,
    Reason,
    Rule,
    RuleSet,
    boards_named,
    choices,
    mask_moves,
    mask_of,
    union_mask,
)
from heuristic.walker import Walker
from solver.board import LETTERS, Board, Position
from solver.errors import OnewayError, OptionError, RuleError
from solver.files import read_regular

RuleFunction: TypeAlias = Callable[[Position], Iterable[Any]]
_BYTES = 16_000_000  # of a file


@dataclass(frozen=True)
class PythonRule(Rule):
    """A function as a `Rule`; by default it has the function's name and place.

    >>> def never(position):
    ...     return position.options()
    >>> rule = PythonRule(never)
    >>> rule.name, [f.move for f in rule.forbids(Position.parse("3:R"))]
    ('never', ['R', 'D'])

    Raises `RuleError` if the function's attribute ``boards`` names no boards.
    """

    function: RuleFunction
    name: str = ""
    claim: str = "sound"
    origin: str = ""
    boards: Boards = field(default=Boards.CORNERS, init=False)
    engine: ClassVar[str] = f"{__name__}:python_rules"

    def __post_init__(self) -> None:
        """Set the fields that the function determines, and check its boards."""
        if not callable(self.function):
            why = f"{self.function!r} is not a function of a position"
            raise RuleError("<python>", None, why)
        code = getattr(inspect.unwrap(self.function), "__code__", None)
        origin = self.origin or "Python"
        if code is not None and not self.origin:
            origin = f"{Path(code.co_filename).name}, line {code.co_firstlineno}"
        name = getattr(self.function, "__name__", type(self.function).__name__)
        name = self.name or str(name).strip("_").replace("_", "-")
        word = getattr(self.function, "boards", Boards.CORNERS)
        try:
            boards = word if isinstance(word, Boards) else boards_named(str(word))
        except OnewayError as error:
            raise RuleError(origin, name, str(error)) from None
        for key, value in {"name": name, "origin": origin, "boards": boards}.items():
            object.__setattr__(self, key, value)

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
        self._forbids: list[tuple[Forbid, ...]] = []  # of `masks`, by rule

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits."""
        position = Position(self.board, tuple(self.path))
        self._forbids = [rule.forbids(position) for rule in self._rules]
        return [mask_of(forbid.move for forbid in some) for some in self._forbids]

    def reason(self, rule: int, move: str) -> Reason:
        """Return the reason that the function gave."""
        return next(f.reason for f in self._forbids[rule] if f.move == move)


def _read_item(item: Any, sentence: str) -> tuple[str, Reason]:
    """Return the move and the reason of one result; `sentence` if it has none."""
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

    Raises `RuleError` if the file cannot be run, or lacks the function.
    """
    path, _, name = (word, "", "") if word.endswith(".py") else word.rpartition(":")
    file = Path(path)
    try:
        text = read_regular(file, _BYTES)
    except OptionError as error:
        raise RuleError(file.name, None, f"cannot read the file: {error}") from None
    module = _run_file(str(file.resolve()), text)
    function = vars(module).get(name)
    if callable(function):
        return PythonRule(function)
    own = [key for key, value in vars(module).items() if inspect.isfunction(value)]
    what = f"there is no function {name!r}" if name else "no function is named"
    why = f"{what}; write {file}:FUNCTION; it has {', '.join(own) or 'none'}"
    raise RuleError(file.name, None, why)


@lru_cache(maxsize=32)
def _run_file(file: str, text: bytes) -> ModuleType:
    """Run a file, once for each text; it may import the modules next to it."""
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


# The look ahead of the author ---------------------------------------------------


@dataclass(frozen=True)
class LookAhead:
    """Forbids every move after which all rules of a set together leave no move.

    It is as wrong as those rules, one step before them. The author proposed it in place
    of a list of pairs of areas that force two different moves. His program switched it
    off.
    """

    base: RuleSet = field(compare=False)  # the rules that it asks after the step

    def __call__(self, position: Position) -> Iterator[tuple[str, Reason]]:
        """Yield the moves after which no move is left, with the rules of the others."""
        for move in choices(position):
            after = position.step(move)
            options = choices(after)
            forbidden = mask_moves(union_mask(self.base.masks(after)))
            if after.unvisited and set(options) <= set(forbidden):
                forbids = self.base.forbids(after)
                rules = {forbid.move: forbid.rule for forbid in reversed(forbids)}
                words = ", ".join(f"{other} by {rules[other]}" for other in options)
                why = f"after it the rules leave no move: {words or 'none is free'}"
                cells = {cell for forbid in forbids for cell in forbid.reason.cells}
                yield move, Reason(why, cells=tuple(sorted(cells)))


def look_ahead_rule(name: str, base: RuleSet) -> Rule:
    """Return the look ahead as a rule; the factory of its group."""
    origin = "one-way labyrinth, read-me text; program, NextStepPossibilities"
    return PythonRule(LookAhead(base), name, "withdrawn", origin)
