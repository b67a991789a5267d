"""What is done for each request, in a worker process: one function a kind."""

from collections.abc import Callable, Iterator
from typing import Any

from verify.lab import book, editing, judging, kept, looking, mazes, moving
from verify.lab.messages import (
    Asked,
    Book,
    BookRule,
    Campaigns,
    Cases,
    CompareRule,
    Count,
    EditRule,
    Export,
    Go,
    JudgeRule,
    Keep,
    Labyrinths,
    Look,
    Open,
    Prove,
    ReadRule,
    Reply,
    SaveRule,
    Sheets,
)
from verify.lab.settings import Settings

_HANDLERS: dict[type, Callable[[Any, Settings], Iterator[Reply]]] = {
    Open: moving.open_position,
    Look: looking.look,
    Count: looking.count,
    Go: moving.go,
    Prove: moving.prove,
    Keep: moving.keep,
    Export: moving.export,
    ReadRule: editing.read,
    EditRule: editing.edit,
    SaveRule: editing.save,
    JudgeRule: judging.judge_rule,
    CompareRule: book.compare,
    Book: book.book,
    BookRule: book.rule,
    Cases: kept.cases,
    Campaigns: kept.campaigns,
    Labyrinths: mazes.labyrinths,
    Sheets: mazes.labyrinths,
}


def handle(request: Asked, settings: Settings) -> Iterator[Reply]:
    """Yield the replies to a request, all but the last."""
    yield from _HANDLERS[type(request)](request, settings)


def warm() -> None:
    """Load kernels and rules that most pages need."""
    looking.warm()
    judging.warm()


def preparations() -> Iterator[Callable[[], object]]:
    """Yield what can be prepared while nobody asks, in small pieces."""
    yield from looking.preparations()
