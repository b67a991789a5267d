"""Finished surveys in a file, so that long work can be broken off and taken up again.

The file is JSON: ``{"format": ..., "surveys": [...]}``, one survey a line, each the
object that ``oneway maze stats --json`` prints. What is read back is only the size, the
weights, the number of mazes, the seed and the distribution; the rest follows from them.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

from solver.errors import OptionError
from solver.files import write_whole
from solver.maze.sample import Weights
from verify.maze.stats import Survey

# The number goes up when a seed draws other mazes: old surveys would not fit the new.
_FORMAT = "oneway maze surveys 1"

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
    if not isinstance(value, dict):
        raise OptionError(f"{value!r} is no survey")
    size, mazes, seed = (
        _number(value, key, least)
        for key, least in (("size", 1), ("mazes", 1), ("seed", 0))
    )
    weights, moves = value.get("weights"), value.get("moves")
    if not isinstance(weights, str) or not isinstance(moves, dict):
        raise OptionError("a survey lacks its weights or moves")
    try:
        counts = sorted((int(at), count) for at, count in moves.items())
    except ValueError:
        raise OptionError(f"{list(moves)!r} are no numbers of moves") from None
    if not all(at > 0 and type(count) is int and count > 0 for at, count in counts):
        raise OptionError("a survey counts what cannot be")
    if sum(count for _, count in counts) > mazes:
        raise OptionError(f"a survey of {mazes} mazes counts more of them")
    return Survey(size, Weights.parse(weights), mazes, seed, tuple(counts))


def _number(value: dict[str, Any], key: str, least: int) -> int:
    number = value.get(key)
    if type(number) is not int or number < least:
        raise OptionError(f"{number!r} is no {key} of a survey")
    return number


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
    try:
        if not path.is_file():
            raise OptionError("it is no plain file")
        data = json.loads(path.read_text("utf-8"))
        if not isinstance(data, dict) or data.get("format") != _FORMAT:
            raise OptionError(f"its format is not {_FORMAT!r}")
        surveys = [survey_of(value) for value in data.get("surveys", ())]
    except OSError as error:
        raise OptionError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, TypeError, RecursionError) as error:  # ours, JSON's, UTF-8's
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
