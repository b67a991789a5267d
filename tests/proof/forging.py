"""Forged certificates: clauses that do not follow, written as honest ones are."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from pysat.solvers import Solver

from heuristic.rules.drawing import POSE_NAMES, RuleSpec
from verify.checker.proof import FORMAT
from verify.proof.certificate import rule_record
from verify.proof.decision import proof_of_formula
from verify.proof.encoding import encode
from verify.proof.formula import Clause, Formula, Scope, cuts
from verify.proof.prove import parts
from verify.proof.window import Window, edge

Data = dict[str, Any]
REFUTED = ["count-area-across-border-c", "double-area-4-dist"]


def unused_ports(window: Window, formula: Formula) -> Iterator[Clause]:
    """Yield clauses with ports counted from behind; no port is used, they say.

    The last port, called -1, pairs with some port m. It is used, so it pairs with some
    port j, whose pair shares port m with the first. A checker that takes port -1 for
    another one than the last accepts each of these clauses.
    """
    ports = [edge(*port) for port in window.ports()]
    count = len(ports)
    used = [[formula.var(kind, *port) for kind in "cwv"] for port in ports]

    def pair(i: int, j: int) -> int:
        return formula.var("p", min(i, j), max(i, j))

    for i in range(count):
        for kind in used[i]:
            yield -kind, *(pair(i, j) for j in range(count) if j != i)
            yield -kind, *(pair(i - count, m) for m in range(count))
        for m in range(count):
            yield -pair(i - count, m), *used[m]
            for j in range(count):
                if j != m:
                    yield -pair(i - count, m), -pair(m, j)


def forged_ports(rule: RuleSpec, scope: Scope = Scope.PLANAR) -> dict[str, Any]:
    """Return a certificate, taken apart, that proves a rule by hostile names."""
    record = rule_record(rule)
    forged = []
    for part, window in parts(rule):
        formula = encode(window, scope)
        for clause in list(unused_ports(window, formula)):
            formula.add(*clause)
        proof = proof_of_formula(window, closed(window, formula))
        forged.append(
            {
                "drawing": part.drawing,
                "poses": [POSE_NAMES[part.pose]],
                "move": part.move,
                "scope": scope.name,
                "cells": window.cells(),
                "names": proof.names,
                "clauses": proof.clauses,
                "steps": proof.steps,
            }
        )
    return {"format": FORMAT, "rule": record, "scope": scope.name, "parts": forged}


def closed(window: Window, formula: Formula) -> Formula:
    """Add cuts until the formula has no model; fail if one stands."""
    with Solver(name="cadical153", bootstrap_with=formula.clauses) as solver:
        while solver.solve():
            found = cuts(window, formula, {x for x in solver.get_model() if x > 0})
            assert found, "the forgery leaves a model"
            formula.clauses += found
            solver.append_formula(found)
    return formula


# Forgeries of a certificate ----------------------------------------------------------


def forge(rng: random.Random, data: Data, honest: dict[str, Data]) -> Data:
    """Return a certificate, taken apart, with one to three forgeries in it."""
    for _ in range(rng.randint(1, 3)):
        # an earlier one may have left nothing to forge
        with suppress(LookupError, TypeError, ValueError, AttributeError):
            rng.choice(FORGERIES)(rng, data, honest)
    return data


def _part(rng: random.Random, data: Data) -> Data:
    part: Data = rng.choice(data["parts"])
    return part


def _names_aliased(rng: random.Random, data: Data, _: Any) -> None:
    """One thing under two names, or a name of the live end, in place of another name.

    The second name is turned round, or has true or 1.0 for 1, or a number more.
    """
    part = _part(rng, data)
    word, *rest = json.loads(json.dumps(rng.choice(part["names"])))
    at = rng.randrange(len(rest))
    first = rest[at][0] if type(rest[at]) is list else rest[at]
    live = [rng.choice([[0, 0], [-1, 0]]), rng.choice(part["cells"])]
    change = rng.choice([first, bool(first), float(first), [float(first), 0], [first]])
    name = rng.choice(
        [
            [word, *rest[::-1]],
            [word, *rest[:at], change, *rest[at + 1 :]],
            [rng.choice(["c", "d", "l", "entered", "free", "T", "a"]), *live],
            ["l", 0, *live],
        ]
    )
    old, new = rng.randrange(len(part["names"])) + 1, len(part["names"]) + 1
    part["names"].append(name)
    clause = rng.choice(part["clauses"])
    clause[:] = [new if x == old else -new if x == -old else x for x in clause]
    clause.append(rng.choice([1, -1]) * new)


def _clause_made_up(rng: random.Random, data: Data, _: Any) -> None:
    part = _part(rng, data)
    count = len(part["names"])
    some = rng.sample(range(1, count + 1), min(count, rng.randint(0, 3)))
    part["clauses"].append([x * rng.choice([1, -1]) for x in some])
    if rng.random() < 0.5:  # and straight to the end
        part["steps"] = [[[], [len(part["clauses"])]]]


def _scope_of_parts(rng: random.Random, data: Data, _: Any) -> None:
    scope = rng.choice(["PLAIN", "PLANAR", "RIM"])
    for part in data["parts"]:
        part["scope"] = scope
    data["scope"] = scope


def _drawing_looser(rng: random.Random, data: Data, _: Any) -> None:
    drawing = rng.choice(data["rule"]["drawings"])
    need = rng.choice(drawing["needs"])
    need[1] = rng.choice([7, need[1] | rng.choice([1, 2, 4])])


def _fact_other(rng: random.Random, data: Data, _: Any) -> None:
    """Grant more, or no edge; omit a fact, turn it round, or apply it to the move."""
    drawing = rng.choice(data["rule"]["drawings"])
    lines, words = drawing["lines"], ["passes", "lacks", "before"]
    free = [cell for cell, states, _ in drawing["needs"] if states == 1] or [[0, -1]]
    a, b = rng.choice(free), rng.choice([*free, [0, 0], [2000, 0]])
    if not lines or rng.random() < 0.5:
        lines.append([rng.choice([*words, "pass", 1]), a, b][: rng.choice([3, 3, 2])])
        drawing["end"] = rng.choice([drawing["end"], a, [a, b], [0, 0], [9, 9], None])
        return
    at = rng.randrange(len(lines))
    word, *cells = lines[at]
    other = [word, *cells[::-1]], [rng.choice(words), *cells], [word, [0, 0], cells[1]]
    lines[at : at + 1] = rng.choice([[], *([line] for line in other)])


def _live_end_elsewhere(rng: random.Random, data: Data, _: Any) -> None:
    """Draw cells by the live end that is said to be anywhere, or say where it is."""
    drawing = rng.choice(data["rule"]["drawings"])
    if rng.random() < 0.4:
        drawing["frame"] = rng.choice(["away", "heading", "board", "", None])
        return
    down, right = rng.choice([(8, 8), (7, 8), (5, 8), (0, -1), (-3, 0)])
    cells = [need[0] for need in drawing["needs"]]
    cells += [cell for _, *pair in drawing["lines"] for cell in pair if cell != [0, 0]]
    cells += [cell for part in data["parts"] for cell in part["cells"]]
    for cell in cells:
        cell[0], cell[1] = cell[0] + down, cell[1] + right


def _steps_other(rng: random.Random, data: Data, _: Any) -> None:
    part = _part(rng, data)
    number = rng.randrange(len(part["steps"]))
    lemma, used = part["steps"][number]
    match rng.randrange(6):
        case 0:
            part["steps"] = [[[], rng.choice([[], [1], [0], [-1], [2], used])]]
        case 1:
            part["steps"].pop(number)
        case 2:
            lemma[:] = lemma[:-1]
        case 3:
            used.insert(0, len(part["clauses"]) + number + rng.choice([0, 1, 2]))
        case 4:
            part["steps"].insert(0, [[], [len(part["clauses"]) + 1]])
        case _:
            used[rng.randrange(len(used))] = rng.choice([0, -1, 1, True, 1.0, 10**9])


def _place(rng: random.Random, where: Any) -> tuple[Any, Any]:
    """Return a random place of a value: the dict or list that holds it, and its key."""
    while True:
        keys = list(where) if isinstance(where, dict) else range(len(where))
        key = rng.choice(keys)
        inner = where[key]
        if not isinstance(inner, dict | list) or not inner or rng.random() < 0.25:
            return where, key
        where = inner


def _another(rng: random.Random, key: Any, data: Data) -> Any:
    """Return what stands under the same key somewhere else in a certificate."""
    for _ in range(40):
        where, other = _place(rng, data)
        if other == key:
            return json.loads(json.dumps(where[other]))
    raise LookupError


def _value_of_another_field(rng: random.Random, data: Data, honest: Any) -> None:
    """Insert the value of another place, of this certificate or another one."""
    where, key = _place(rng, data)
    where[key] = _another(rng, key, rng.choice([data, *honest.values()]))


def _value_other(rng: random.Random, data: Data, _: Any) -> None:
    """Insert a value of another type, of no type, out of range, deep or huge."""
    where, key = _place(rng, data)
    deep: Any = []
    for _ in range(500):
        deep = [deep]
    hostile: list[Any] = [None, True, -1, 1.5, "x", [], {}, [[]], 2**70, "x" * 10_000]
    if type(where[key]) is int and rng.random() < 0.7:
        where[key] += rng.choice([-1000, -20, -1, 1, 20, 1000])
    else:
        where[key] = rng.choice([*hostile, deep, [0] * 10_000])


def _value_left_out_or_twice(rng: random.Random, data: Data, _: Any) -> None:
    where, key = _place(rng, data)
    if rng.random() < 0.5:
        del where[key]
    elif isinstance(where, list):
        where.append(json.loads(json.dumps(where[key])))
    else:
        where["more"] = where[key]


FORGERIES: list[Callable[[random.Random, Data, Any], None]] = [
    *[_value_of_another_field] * 6,
    *(_value_other, _value_left_out_or_twice, _steps_other, _scope_of_parts),
    *[_names_aliased, _clause_made_up, _fact_other] * 2,
    *(_drawing_looser, _live_end_elsewhere),
]
