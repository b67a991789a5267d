"""Values of a certificate's file, each of one type and in its range, or a fault."""

from typing import Any


class Fault(Exception):  # noqa: N818 (its text is what is printed)
    """What is wrong with a certificate."""


def keys_of(value: Any, what: str, names: str) -> dict[str, Any]:
    """Read an object that says exactly so much."""
    if type(value) is not dict or set(value) != set(names.split()):
        raise Fault(f"{what} must say exactly: {names}")
    return value


def list_of(value: Any, what: str, *, least: int = 1) -> list[Any]:
    """Read a list of some length at least."""
    if type(value) is not list or len(value) < least:
        raise Fault(f"{what} is no list of {least} or more")
    return value


def text_of(value: Any, what: str) -> str:
    """Read a text."""
    if type(value) is not str:
        raise Fault(f"{what} is no text")
    return value


def one_of(value: Any, known: Any, what: str) -> str:
    """Read one of some words."""
    if type(value) is not str or value not in known:
        raise Fault(f"{what} is none of {', '.join(known)}")
    return value


def bool_of(value: Any, what: str) -> bool:
    """Read a truth value."""
    if type(value) is not bool:
        raise Fault(f"{what} is neither true nor false")
    return value


def int_of(value: Any, low: int, high: int, what: str) -> int:
    """Read a whole number in a range."""
    if type(value) is not int or not low <= value <= high:
        raise Fault(f"{what} is no whole number from {low} to {high}")
    return value


def ints_of(values: list[Any], low: int, high: int, what: str) -> tuple[int, ...]:
    """Read whole numbers in a range."""
    if values and (
        {*map(type, values)} != {int} or min(values) < low or max(values) > high
    ):
        raise Fault(f"{what} is no whole number from {low} to {high}")
    return tuple(values)


def once(values: Any, what: str) -> Any:
    """Return values as a tuple, none of them twice."""
    if len(set(values)) < len(values):
        raise Fault(f"{what} names something twice")
    return tuple(values)
