"""What is done for each request, in a worker process: one function a kind."""

from collections.abc import Callable, Iterator
from typing import Any

from verify.lab import board, labyrinths, leftfirst, library, messages, rules
from verify.lab.replies import Reply
from verify.lab.settings import Settings

HANDLERS: dict[type, Callable[[Any, Settings], Iterator[Reply]]] = {
    messages.Open: board.open_position,
    messages.Look: board.look,
    messages.Count: board.count,
    messages.Go: board.go,
    messages.LeftFirst: leftfirst.leftfirst,
    messages.Why: board.why,
    messages.Prove: board.prove,
    messages.Keep: board.keep,
    messages.Export: board.export,
    messages.ReadRule: rules.read,
    messages.ReadPicture: rules.picture,
    messages.EditRule: rules.edit,
    messages.SaveRule: rules.save,
    messages.JudgeRule: rules.judge_rule,
    messages.Certify: rules.certify,
    messages.CompareRule: library.compare,
    messages.Book: library.book,
    messages.BookRule: library.rule,
    messages.Cases: library.cases,
    messages.Labyrinths: labyrinths.labyrinths,
    messages.Sheets: labyrinths.labyrinths,
}
