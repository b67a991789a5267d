"""Random mazes: one goal anywhere, every other letter drawn on its own by weights."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.board import MAX_CELLS
from solver.errors import OptionError
from solver.puzzles.maze.letters import GOAL, LETTERS

DRAWN = LETTERS.replace("G", "")  # the letters that can be drawn


@dataclass(frozen=True, slots=True)
class Weights:
    """How often each letter of `DRAWN` comes, as weights in that order.

    Raises
    ------
    OptionError
        If a weight is negative, not finite, or all are 0.

    Examples
    --------
    >>> Weights.parse("S=2,?=0.5")
    Weights.parse('S=2,?=0.5')
    >>> Weights.parse("S=2,?=0.5").probabilities
    (0.8, 0.0, 0.0, 0.0, 0.0, 0.2)
    """

    values: tuple[float, ...] = (1.0,) * len(DRAWN)

    def __post_init__(self) -> None:
        if len(self.values) != len(DRAWN):
            raise OptionError(f"{len(self.values)} weights for {len(DRAWN)} letters")
        for letter, value in zip(DRAWN, self.values, strict=True):
            if not 0 <= value <= 1e9:  # not a number fails too
                raise OptionError(f"weight {value} of {letter} is not in 0 to 1e9")
        if not any(self.values):
            raise OptionError("every weight is 0")

    @classmethod
    def parse(cls, text: str) -> "Weights":
        """Read ``S=2,L=1``; letters that are not named have weight 0.

        Raises
        ------
        OptionError
            If a part is no ``letter=number``, or a letter is unknown or comes twice.
        """
        given: dict[str, float] = {}
        for part in text.split(","):
            letter, equals, number = part.strip().partition("=")
            if not equals or letter not in DRAWN or len(letter) != 1:
                raise OptionError(
                    f"{part!r} is no weight; write letter=number with a letter of "
                    f"{', '.join(DRAWN)}"
                )
            if letter in given:
                raise OptionError(f"{letter} has two weights in {text!r}")
            try:
                given[letter] = float(number)
            except ValueError:
                raise OptionError(f"{number!r} in {part!r} is no number") from None
        return cls(tuple(given.get(letter, 0.0) for letter in DRAWN))

    @property
    def probabilities(self) -> tuple[float, ...]:
        """The chance of each letter of `DRAWN`."""
        total = sum(self.values)
        return tuple(value / total for value in self.values)

    def __str__(self) -> str:
        return ",".join(
            f"{letter}={float(value)!r}".removesuffix(".0")  # it reads back the same
            for letter, value in zip(DRAWN, self.values, strict=True)
            if value
        )

    def __repr__(self) -> str:
        return f"Weights.parse({str(self)!r})"


def sample(
    mazes: int,
    rows: int,
    cols: int,
    *,
    weights: Weights | None = None,
    seed: int | np.random.Generator = 0,
) -> npt.NDArray[np.uint8]:
    """Draw mazes as codes, shape (mazes, rows, cols).

    The goal is equally likely on every cell; the other letters are drawn independently.

    Raises
    ------
    OptionError
        If there is no maze, a maze has no cell, or all together are too large.

    Examples
    --------
    >>> codes = sample(1000, 1, 2, weights=Weights.parse("S=1"), seed=7)
    >>> np.unique(codes.reshape(1000, 2), axis=0).tolist()
    [[0, 6], [6, 0]]
    """
    if mazes < 1:
        raise OptionError(f"{mazes} mazes are none at all")
    if rows < 1 or cols < 1:
        raise OptionError(f"a maze of {rows} x {cols} has no cell")
    if rows * cols > MAX_CELLS:
        raise OptionError(f"a maze of {rows} x {cols} has more than {MAX_CELLS} cells")
    if mazes * rows * cols > 1 << 28:
        raise OptionError(f"{mazes} mazes of {rows} x {cols} do not fit in memory")
    rng = np.random.default_rng(seed)
    limits = np.cumsum((weights or Weights()).probabilities)[:-1]
    draws = rng.random((mazes, rows * cols), dtype=np.float32)
    codes = np.searchsorted(limits, draws, side="right").astype(np.uint8)
    codes[np.arange(mazes), rng.integers(rows * cols, size=mazes)] = GOAL
    return codes.reshape(mazes, rows, cols)
