"""Finished surveys in a file, so that long work can be broken off and taken up again.

The file is JSON: ``{"format": ..., "surveys": [...]}``, one survey a line, each the
object that ``oneway maze stats --json`` prints. What is read back is only the size, the
weights, the number of mazes, the seed and the distribution; the rest follows from them.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from solver.errors import OptionError
from solver.files import write_whole
from solver.maze.sample import Weights
from solver.saved import checked, read_saved
from verify.maze.stats import Survey

# The number goes up when a seed draws other mazes: old surveys would not fit the new.
_FORMAT = "oneway maze surveys 1"

_Count: TypeAlias = Annotated[int, Meta(ge=1)]


class _Survey(Struct):
    """What is read of a survey, as JSON has it."""

    size: _Count
    mazes: _Count
    seed: Annotated[int, Meta(ge=0)]
    weights: str
    moves: dict[_Count, _Count]


class _Saved(Struct):
    """What stands in a file."""

    format: str
    surveys: list[Any]


Key: TypeAlias = tuple[int, Weights, int, int]  # size, weights, mazes, seed


def survey_json(survey: Survey) -> dict[str, Any]:
    """Return a survey as JSON values; `survey_of` reads it back."""
    low, high = survey.interval
    return {
        "size": survey.size,
        "weights": str(survey.weights),
        "mazes": survey.mazes,
        "seed": survey.seed,
        "reached": survey.reached,
        "probability": survey.probability,
        "low": low,
        "high": high,
        "mean": survey.mean,
        "median": survey.quantile(0.5),
        "moves": {str(moves): count for moves, count in survey.moves},
    }


def survey_of(value: Any) -> Survey:
    """Return the survey that `survey_json` made the value of.

    Raises
    ------
    OptionError
        If the value cannot be one.

    Examples
    --------
    >>> found = Survey(8, Weights(), 100, 0, ((1, 60), (2, 30)))
    >>> survey_of(survey_json(found)) == found
    True
    """
    one = checked(value, _Survey, "no survey")
    if one.moves and sum(one.moves.values()) > one.mazes:
        raise OptionError(f"a survey of {one.mazes} mazes counts more of them")
    weights = Weights.parse(one.weights)
    return Survey(one.size, weights, one.mazes, one.seed, (*sorted(one.moves.items()),))


def load(path: Path) -> dict[Key, Survey]:
    """Return the surveys of a file, none if there is no such file yet.

    Raises
    ------
    OptionError
        If it cannot be read or was not written by `save`: then it is not to be written
        over either.
    """
    if not path.exists():
        return {}
    data = read_saved(path, _Saved, "saved surveys")
    if data.format != _FORMAT:
        raise OptionError(
            f"{path} holds no saved surveys: its format is not {_FORMAT!r}"
        )
    try:
        surveys = [survey_of(value) for value in data.surveys]
    except ValueError as error:
        raise OptionError(f"{path} holds no saved surveys: {error}") from None
    return {(one.size, one.weights, one.mazes, one.seed): one for one in surveys}


def save(surveys: Iterable[Survey], path: Path) -> None:
    """Write surveys to a file, whole or not at all.

    Raises
    ------
    OptionError
        If its folder cannot be written.
    """
    lines = ",\n".join(json.dumps(survey_json(survey)) for survey in surveys)
    write_whole(
        path, f'{{"format": {json.dumps(_FORMAT)}, "surveys": [\n{lines}\n]}}\n'
    )
