"""Forged certificates: proofs whose clauses lie, written as honest ones are."""

from collections.abc import Iterator
from typing import Any

from pysat.solvers import Solver

from heuristic.language.drawing import RuleSpec
from verify.checker.reading import FORMAT
from verify.proof.certificate import rule_hash, rule_record
from verify.proof.cuts import cuts
from verify.proof.prove import parts
from verify.proof.settle import _proof_of
from verify.proof.view import Window, edge
from verify.proof.window import Clause, Formula, Scope, encode


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
    """Return what a certificate's file holds that proves a rule by hostile names."""
    record = rule_record(rule)
    forged = []
    for part, window in parts(rule):
        formula = encode(window, scope)
        for clause in list(unused_ports(window, formula)):
            formula.add(*clause)
        proof = _proof_of(window, closed(window, formula))
        forged.append(
            {
                "drawing": part.drawing,
                "poses": [part.pose.name],
                "move": part.move,
                "scope": scope.name,
                "cells": proof.cells,
                "names": proof.names,
                "clauses": proof.clauses,
                "steps": proof.steps,
            }
        )
    return {
        "format": FORMAT,
        "rule": record,
        "hash": rule_hash(record),
        "scope": scope.name,
        "parts": forged,
    }


def closed(window: Window, formula: Formula) -> Formula:
    """Add cuts until the formula has no model; fail if one stands."""
    with Solver(name="cadical153", bootstrap_with=formula.clauses) as solver:
        while solver.solve():
            found = cuts(window, formula, {x for x in solver.get_model() if x > 0})
            assert found, "the forgery leaves a model"
            formula.clauses += found
            solver.append_formula(found)
    return formula
