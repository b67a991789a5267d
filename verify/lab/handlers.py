"""What is done for each request, in a worker process: one function a kind."""

from collections.abc import Callable, Iterator
from typing import Any

from verify.lab import board, labyrinths, leftfirst, library, rules
from verify.lab.messages import (
    AnyRequest,
    Book,
    BookRule,
    Campaigns,
    Cases,
    Certify,
    CompareRule,
    Count,
    EditRule,
    Export,
    Go,
    JudgeRule,
    Keep,
    Labyrinths,
    LeftFirst,
    Look,
    Open,
    Prove,
    ReadPicture,
    ReadRule,
    SaveRule,
    Sheets,
    Why,
)
from verify.lab.replies import Reply
from verify.lab.settings import Settings

_HANDLERS: dict[type, Callable[[Any, Settings], Iterator[Reply]]] = {
    Open: board.open_position,
    Look: board.look,
    Count: board.count,
    Go: board.go,
    LeftFirst: leftfirst.leftfirst,
    Why: board.why,
    Prove: board.prove,
    Keep: board.keep,
    Export: board.export,
    ReadRule: rules.read,
    ReadPicture: rules.picture,
    EditRule: rules.edit,
    SaveRule: rules.save,
    JudgeRule: rules.judge_rule,
    Certify: rules.certify,
    CompareRule: library.compare,
    Book: library.book,
    BookRule: library.rule,
    Cases: library.cases,
    Campaigns: library.campaigns,
    Labyrinths: labyrinths.labyrinths,
    Sheets: labyrinths.labyrinths,
}


def handle(request: AnyRequest, settings: Settings) -> Iterator[Reply]:
    """Yield the replies to a request, all but the last."""
    yield from _HANDLERS[type(request)](request, settings)


def warm() -> None:
    """Load kernels and rules that most pages need."""
    board.warm()
    rules.warm()


def preparations() -> Iterator[Callable[[], object]]:
    """Yield what can be prepared while nobody asks, in small pieces."""
    yield from board.preparations()
