"""Which clauses does the checker accept? A search led by models, with any names.

It starts with names and no clause. It takes a model of the clauses accepted so far and
asks the judge whether the model is impossible, cell by cell and as a whole. What the
judge accepts is shrunk and added as a clause, until a model remains or none is left. A
wrong rule must keep a model, whatever the names. For a right rule the search is a
prover that shares nothing with the first one: no encoder, no cuts, no growing window.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from pysat.solvers import Solver

from verify.checker.claim import LIVE, Flaw, Spot
from verify.checker.clauses import Judge, check_names
from verify.checker.proof import Certificate, Part
from verify.checker.scene import Name, Scene, Values
from verify.proof.encoding import encode
from verify.proof.formula import Scope
from verify.proof.window import Window


def scene_of(certificate: Certificate, part: Part) -> Scene:
    """Return the scene of a part of a certificate."""
    sketch = certificate.rule.drawings[part.drawing]
    return Scene(sketch, part.poses, part.move, part.scope, frozenset(part.cells))


def honest_names(scene: Scene) -> Iterator[Name]:
    """Yield every name that a formula about the scene can have."""
    cells, ports = sorted(scene.cells), range(len(scene.ports))
    for cell in cells:
        for word in ("free", "visited", "out", "T", *"S" * scene.planar):
            yield word, cell
    for edge in sorted(scene.edges):
        for kind in "cwv" if scene.planar else "c":
            yield kind, *edge
        for k in scene.orders:
            yield "l", k, *edge
        if scene.directed:
            yield "d", *edge
    for i in ports:
        yield from (("s", i), ("t", i))
        yield from (("p", i, j) for j in ports[i + 1 :])
    for k, doors in enumerate(scene.doors):
        yield from (("a", k, cell) for cell in sorted({scene.move, *cells}))
        low = high = 0
        for i, (_, sign, _) in enumerate(doors, 1):
            low, high = low + min(sign, 0), high + max(sign, 0)
            yield from (("n", k, i, total) for total in range(low, high + 1))
    if scene.scope == "CORNERS":
        for axis, word in enumerate(("rowout", "colout")):
            at = [cell[axis] for cell in cells]
            for place in range(min(at) - 1, max(at) + 2):
                if place:
                    yield word, place


def hostile_names(scene: Scene) -> Iterator[Name]:
    """Yield names that mean nothing here, or something that has a name already."""
    count = len(scene.ports)
    edges, cells = sorted(scene.edges), sorted(scene.cells)
    for i in range(-count - 1, count + 2):
        for j in (i - count, i, i + count, i + 1 - count, 0, -1, count):
            yield "p", i, j
        yield from (("s", i), ("t", i), ("s", i, i), ("p", i))
    for a, b in edges:
        for kind in "cwvd":
            yield kind, b, a
            yield kind, a, a
            yield kind, a, (b[0] + 1, b[1] + 1)
            yield kind, a, b, b
        for k in (-1, len(scene.orders), len(scene.orders) + 1):
            yield "l", k, a, b
    for cell in cells:
        far = cell[0] + 100, cell[1]
        for word in ("c", "d", "entered"):
            yield from ((word, LIVE, cell), (word, cell, LIVE), (word, cell))
        yield from (("l", 0, LIVE, cell), ("free", LIVE), ("visited", LIVE))
        for word in ("free", "visited", "out", "T", "S"):
            yield from (("free", far), (word, *cell), (word, cell, cell), (word, 0))
        for k in (-1, len(scene.sketch.areas)):
            yield "a", k, cell
        yield from (("a", 0, far), ("rowout", cell), ("true",), ("true", cell))
    for k in (-1, 0, len(scene.sketch.areas)):
        for i in (-1, 0, 99):
            yield from (("n", k, i, total) for total in (-1, 0, 1))
        yield "n", k, 1, 50
    for place in (0, -50, 50):
        yield from (("rowout", place), ("colout", place))


def accepted_names(scene: Scene, names: Iterator[Name]) -> list[Name]:
    """Return the names that the checker lets a certificate use."""
    accepted = []
    for name in dict.fromkeys(names):
        with suppress(Flaw):
            check_names(scene, (name,))
            accepted.append(name)
    return accepted


class Result(NamedTuple):
    """The result of a search: a model that remains, or None, and the clauses added."""

    model: Values | None
    clauses: int


def search(
    scene: Scene,
    names: list[Name],
    *,
    seconds: float = 60.0,
    first: Iterable[Values] = (),
) -> Result | None:
    """Add accepted clauses until a model stands or none is left; None if time ends.

    `first` are clauses to begin with, as what they exclude; the judge must accept them.
    """
    judge = Judge(scene)
    number = {name: i for i, name in enumerate(names, 1)}
    spots = _by_spot(scene, names)
    until, count = time.process_time() + seconds, 0
    with Solver(name="cadical153") as solver:
        for false in first:
            assert judge.explains(false), false
            solver.add_clause([number[n] * (-1 if false[n] else 1) for n in false])
        solver.add_clause([*number.values(), -1])
        while time.process_time() < until:
            if not solver.solve():
                return Result(None, count)
            true = {x for x in solver.get_model() if x > 0}
            model = {name: i in true for name, i in number.items()}
            views = [{name: model[name] for name in part} for part in spots]
            impossible = [view for view in views if judge.explains(view)]
            if not impossible:
                if not judge.explains(model):
                    return Result(model, count)
                impossible = [model]
            for view in impossible:
                few = _shrunk(judge, view)
                solver.add_clause([number[n] * (-1 if few[n] else 1) for n in few])
                count += 1
    return None


def _by_spot(scene: Scene, names: list[Name]) -> list[list[Name]]:
    """Group names by what they speak of: cells, areas' sums, ports."""
    at: dict[object, list[Name]] = {}
    for name in names:
        cells: set[Spot] = {x for x in name[1:] if isinstance(x, tuple)}
        for cell in cells:
            at.setdefault(cell, []).append(name)
        if name[0] == "n":
            at.setdefault(("n", name[1]), []).append(name)
        if name[0] in ("p", "s", "t"):
            for i in name[1:]:
                at.setdefault(("port", i), []).append(name)
                if name[0] == "p" and i in range(len(scene.ports)):
                    at.setdefault(("pairs",), []).append(name)
    for i, (a, b) in enumerate(scene.ports):
        edge = (a, b) if a < b else (b, a)
        own = [name for name in at.get(a, ()) if name[-2:] == edge]
        at.setdefault(("port", i), []).extend(own)
    return list(at.values())


def _shrunk(judge: Judge, false: Values) -> Values:
    """Leave out names, halves first, while the judge still accepts the clause."""
    size = len(false)
    while size:
        size = size // 2 if size > 1 else 0
        step = max(size, 1)
        names = list(false)
        for at in range(0, len(names), step):
            gone = set(names[at : at + step])
            fewer = {name: x for name, x in false.items() if name not in gone}
            if len(fewer) < len(false) and judge.explains(fewer):
                false = fewer
    return false


def encoded(scene: Scene, window: Window) -> Iterator[Values]:
    """Yield the clauses of the prover's formula, as what they exclude.

    A small window has one of a cell that it does not look at: an area larger than its
    line has a free cell inside. It excludes nothing, and a certificate never needs it.
    """
    formula = encode(window, Scope[scene.scope])
    called = {number: name for name, number in formula.names.items()}
    names = set(honest_names(scene))
    for clause in formula.clauses[1:]:
        honest = all(called[abs(x)] in names for x in clause)
        if honest and not any(-x in clause for x in clause):
            yield {called[abs(x)]: x < 0 for x in clause}
