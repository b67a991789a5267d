"""Small drawings as the checker reads them; cells are [left, ahead]."""

import json
from typing import Any

from verify.checker.claim import Sketch, read_as
from verify.checker.clauses import Judge
from verify.checker.scene import Scene

DRAWING: dict[str, Any] = {"needs": [], "areas": [], "runs": [], "lines": []}
DRAWING |= {"end": None, "moves": [[0, 1]], "frame": "heading", "heading": 0}
DRAWING["poses"] = ["NONE"]
AREA: dict[str, Any] = {"line": [[1, 1]], "side": "left", "base": [0, 0]}
AREA |= {"wall": [2, 1], "entry": [1, 1], "kind": "closed"}
AREA |= {"low": 0, "high": 0, "least": 0}


def at(place: list[int]) -> list[int]:
    """Return an offset, [left, ahead], as a cell, [row, col]."""
    return [-place[1], -place[0]]


def area_data(area: dict[str, Any]) -> dict[str, Any]:
    """Return an area as a file has it."""
    cells = {key: at(area[key]) for key in ("base", "wall", "entry")}
    return area | cells | {"line": [at(cell) for cell in area["line"]]}


def data_of(**of: Any) -> dict[str, Any]:
    """Return a drawing as a file has it; a need is left, ahead, states, not the end."""
    drawing = DRAWING | of
    changed: dict[str, Any] = drawing | {
        "needs": [[at(need[:2]), *need[2:]] for need in drawing["needs"]],
        "areas": [area_data(area) for area in drawing["areas"]],
        "runs": [[at(run[:2]), at(run[2:])] for run in drawing["runs"]],
        "lines": [[word, at(x[:2]), at(x[2:])] for word, *x in drawing["lines"]],
        "end": drawing["end"] and at(drawing["end"]),
        "moves": [at(move) for move in drawing["moves"]],
    }
    return changed


def sketch(**of: Any) -> Sketch:
    """Return a drawing as the checker reads it."""
    return read_as(json.loads(json.dumps(data_of(**of))), Sketch)


def scene(
    scope: str = "PLAIN", radius: int = 2, pose: str = "NONE", **of: Any
) -> Scene:
    """Return a drawing, its cells a square around the live end, as a scene."""
    span = range(-radius, radius + 1)
    cells = frozenset((row, col) for row in span for col in span)
    one = sketch(**of)
    return Scene(one, (pose,), one.moves[0], scope, cells)


def follows(of: Scene, *true: Any, false: tuple[Any, ...] = ()) -> bool:
    """Return whether no world gives the values: some names true, some false."""
    return Judge(of).explains(dict.fromkeys(true, True) | dict.fromkeys(false, False))
