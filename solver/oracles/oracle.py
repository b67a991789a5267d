"""The oracles by name, and what to ask them.

`solver.oracles.answer` says what an oracle is.
"""

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any, cast

from solver.board import Position
from solver.errors import OptionError, UnknownNameError
from solver.oracles.answer import Answer, Ground, Oracle, Proof, Verdict, check_witness
from solver.oracles.registry import ORACLES

__all__ = [
    "Answer",
    "Ground",
    "Oracle",
    "Proof",
    "Verdict",
    "check_witness",
    "decide_all",
    "decide_moves",
    "get_oracle",
    "oracle_names",
]


def oracle_names() -> list[str]:
    """Return the names that `get_oracle` knows."""
    return sorted(ORACLES)


def get_oracle(name: str, **options: Any) -> Oracle:
    """Make the oracle of that name; solvers are imported only here.

    Raises `UnknownNameError` if no oracle has the name; `OptionError` if the oracle
    does not take an option.
    """
    if name not in ORACLES:
        raise UnknownNameError("oracle", name, oracle_names())
    module, attribute = ORACLES[name].split(":")
    factory = cast(Callable[..., Oracle], getattr(import_module(module), attribute))
    try:
        return factory(**options)
    except TypeError as error:
        raise OptionError(f"oracle {name!r}: {error}") from None


def decide_moves(oracle: Oracle, position: Position) -> dict[str, Answer]:
    """Decide every move of a position, in the order U, R, D, L; see `decide_all`."""
    return decide_all(oracle, position)[1]


def decide_all(oracle: Oracle, position: Position) -> tuple[Answer, dict[str, Answer]]:
    """Decide a position and every move of it, in the order U, R, D, L.

    A witness of the position answers for the move it begins with, so it is asked first:
    a dead position costs one question, others at most one a move.
    """
    moves = position.options()
    whole = oracle.decide(position)
    answers = {}
    for move, cell in moves.items():
        if whole.verdict is Verdict.DEAD:
            answers[move] = Answer(Verdict.DEAD, work=whole.work, oracle=whole.oracle)
        elif whole.witness and whole.witness[0] == cell:
            witness = whole.witness[1:]
            answers[move] = replace(whole, witness=witness)
        else:
            answers[move] = oracle.decide(position.step(move))
    return whole, answers
