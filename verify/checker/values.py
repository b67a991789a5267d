"""Values of a file, read by the types that they must have, or a fault."""

from collections.abc import Iterable
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

T = TypeVar("T")
Name = Annotated[str, Meta(min_length=1, max_length=200)]  # of a rule or a family
States = Annotated[int, Meta(ge=1, le=7)]  # bits: 1 free, 2 visited, 4 out


class Fault(ValueError):  # noqa: N818 (its text is what is printed)
    """What is wrong with a certificate."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A table of a file: it has these keys and no others."""


def refuse(wrong: object, why: str) -> None:
    """Raise `Fault` if something is wrong."""
    if wrong:
        raise Fault(why)


def read_as(value: Any, kind: type[T]) -> T:
    """Read a JSON value as a type; raises `Fault` at the first other thing."""
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, UnicodeError) as error:
        raise Fault(str(error)) from None


def check_name(name: str) -> None:
    """Refuse a name that does not print as one line."""
    refuse(not name.isprintable(), "the name is not one line that can be printed")


def once(values: Iterable[T], what: str) -> tuple[T, ...]:
    """Return values as a tuple, none of them twice."""
    found = tuple(values)
    refuse(len(set(found)) < len(found), f"{what}: a value stands twice")
    return found
