"""Every reader of files and requests reads its input or raises its own error.

Each reader has one property: a valid input with a few changes, in its bytes or in its
values, is read or refused. Some readers promise more: a certificate of a dead position
is never believed of a completable one.

`tests/data/readers.tar.xz` has inputs that once took a branch of their own or ended a
reader with another error. Every run tries them all.
"""

import json
import lzma
import re
import tarfile
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heuristic.pictures import read_picture
from heuristic.rules.rulefile import parse_rules
from solver.board import Position
from solver.errors import OnewayError
from solver.puzzles.maze import Maze
from solver.puzzles.path import path_boards
from tests.pictures import ahead
from tests.pictures import picture as draw_rule
from tests.puzzles import samples
from tests.samples import book
from tests.solid.test_dead import data_of
from tests.solid.test_static_certificates import RIGHT_ONES
from verify.checker.claim import Flaw
from verify.checker.dead import find_dead_fault
from verify.checker.family import check_family, read_family
from verify.checker.proof import check, read, unpacked
from verify.corpus.cases import parse_case
from verify.corpus.saved_path import (
    parse_saved_path,
    print_saved_path,
)
from verify.lab import messages
from verify.lab.shared import Settings, place_of, position_of
from verify.lab.worker import HANDLERS
from verify.proof.certificate import certificate_of
from verify.proof.families import every_distance
from verify.proof.prove import Proved, prove_rule
from verify.puzzles.knight import read_numbers

ROOT = Path(__file__).resolve().parent.parent
SAVED = ROOT / "tests/data/readers.tar.xz"
ALIVE = (
    *("5:RRRRDDDLUULDD", "7:RRDLLDRRRUURDRURDDDDL", "9@1,5>9,5:RR"),
    "4x5@1,3>1,4!1,5;2,3;3,1;4,1;4,4;4,5:",
)
DEAD = ("5:RRRRDDDLUULDDLD", "7:RRDLLDRRRUURDRURDDDDLL", "9@1,5>9,5:RRDDRR")


@dataclass(frozen=True)
class Reader:
    """A reader of bytes, some valid inputs, and the errors it may raise."""

    read: Callable[[bytes], object]
    seeds: Callable[[], list[bytes]]
    refuses: tuple[type[Exception], ...] = (OnewayError,)
    is_json: bool = False


def text(data: bytes) -> str:
    """Return what a person may type: bytes that are not UTF-8 become surrogates."""
    return data.decode("utf-8", "surrogateescape")


def unpacked_json(data: bytes) -> Any:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        raise Flaw("no JSON") from None  # the reader of packed files is tried alone
    return unpacked(lzma.compress(data, preset=0))


def files(pattern: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted(ROOT.glob(pattern))]


# Readers and their valid inputs ------------------------------------------------


def notation(data: bytes) -> None:
    position = Position.parse(text(data))
    assert Position.parse(position.notation) == position


def case(data: bytes) -> None:
    read = parse_case(text(data), "case")
    assert parse_case(read.to_toml(), "written") == read


def written_rules() -> list[bytes]:
    begin = b"[[rule]]"
    books = files("heuristic/book/*.toml")
    rules = [rule for book in books for rule in book.split(begin)[1:]]
    return [begin + rule for rule in rules if len(rule) < 900][::9]


def drawn_rules() -> list[bytes]:
    line = ahead("M 0.5 0.5 L 0.5 1.5 l 1 0 h 1 v 1 a 0.5 0.5 0 0 1 0.5 0.5")
    rows = "? % ?\n% .K ?\nx @ x", "? < ?\n? .e ?\n? .sx ?\n? @ x"
    return [draw_rule(x, line, flags="|True|False|") for x in rows]


def saved_walks() -> list[bytes]:
    places = map(Position.parse, ("5:RRDL", "7:RRDRURDDLD", "9:"))
    walks = (print_saved_path(place, "".join(place.options())) for place in places)
    return [walk.encode() for walk in walks]


def certificate(data: bytes) -> None:
    check(read(unpacked_json(data)))


def certificates() -> list[bytes]:
    proofs = [prove_rule(book(name)) for name in ("c-shape", "near-border-side")]
    return [lzma.decompress(certificate_of(x)) for x in proofs if isinstance(x, Proved)]


def dead_certificate(data: bytes) -> None:
    value = unpacked_json(data)
    faults = [find_dead_fault(position, value) for position in ALIVE]
    assert None not in faults, "a completable position is believed dead"
    for position in DEAD:
        find_dead_fault(position, value)


def dead_certificates() -> list[bytes]:
    honest = [*map(data_of, DEAD), *(data for _, data in RIGHT_ONES)]
    return [json.dumps(data).encode() for data in honest]


def request(data: bytes) -> None:
    """Read a request, and the files and positions that it holds."""
    ask = messages.read_request(data)
    reads = messages.Open, messages.ReadRule, messages.ReadPicture, messages.EditRule
    if isinstance(ask, reads):
        list(HANDLERS[type(ask)](ask, Settings(ROOT / "out", ROOT / "out")))
    if place := getattr(ask, "place", None):
        position_of(place)


def requests() -> list[bytes]:
    place = place_of(Position.parse("5!2,2:RRD"))
    rule = text(written_rules()[0])
    area = messages.AreaDrawn([(0, 1), (1, 1)], "left", "even", base=(0, 0))
    picture = text(drawn_rules()[0])
    walk = text(saved_walks()[0])
    requested = [
        messages.Open(id=1, text=walk, name="a"),
        messages.Look(id=2, place=place, rules="seed-5"),
        messages.Go(id=3, place=place, how="exact", seed=4),
        messages.ReadRule(id=4, text=rule),
        messages.ReadPicture(id=5, text=picture, name="a"),
        messages.EditRule(id=6, text=rule, rows=["% ?", "@ x"], areas=[area]),
        messages.EditRule(id=7, text=rule, turns=["0", "cw"], mirror=True),
    ]
    return [msgspec.json.encode(ask) for ask in requested]


def boards(puzzle: str, name: str = "board") -> list[bytes]:
    held = [case.get(name) for case in samples.cases(puzzle)]
    return [board.strip().encode() for board in held if isinstance(board, str)]


FAULT = (Flaw,)
BAD_REQUEST = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, OnewayError)
READERS = {
    "notation": Reader(notation, lambda: [b"5@1,1>5,5!2,2:RRD", b"7:RRDRURDDLD"]),
    "rules": Reader(lambda data: parse_rules(text(data)), written_rules),
    "picture": Reader(read_picture, drawn_rules),
    "case": Reader(case, lambda: files("corpus/[fguv]*/*.toml")[::9]),
    "saved": Reader(lambda data: parse_saved_path(text(data)), saved_walks),
    "certificate": Reader(certificate, certificates, FAULT, is_json=True),
    "packed": Reader(unpacked, lambda: [lzma.compress(b'{"a": [1, 2]}')], FAULT),
    "family": Reader(
        lambda data: check_family(read_family(unpacked_json(data))),
        lambda: [json.dumps(every_distance("up-small")).encode()],
        FAULT,
        is_json=True,
    ),
    "dead": Reader(dead_certificate, dead_certificates, FAULT, is_json=True),
    "request": Reader(request, requests, BAD_REQUEST, is_json=True),
    "knight": Reader(
        lambda data: read_numbers(text(data)), lambda: boards("knight", "numbers")
    ),
    "maze": Reader(lambda data: Maze.parse(text(data)), lambda: boards("maze")),
    "path": Reader(
        lambda data: [*path_boards(data, "boards")],
        lambda: [b"%d\n%b\n0\n" % (len(x.split()), x) for x in boards("path")],
    ),
}


@cache
def seeds_of(name: str) -> list[bytes]:
    return READERS[name].seeds()


@cache
def saved_inputs() -> dict[str, list[bytes]]:
    """Return the packed inputs of each reader."""
    inputs: dict[str, list[bytes]] = {name: [] for name in READERS}
    with tarfile.open(SAVED) as packed:
        for member in packed:
            name, content = member.name.split("/")[0], packed.extractfile(member)
            if content and name in inputs:
                inputs[name].append(content.read())
    return inputs


def reads(name: str, data: bytes) -> bool:
    """Return whether a reader takes the input; another error than its own is raised."""
    reader = READERS[name]
    try:
        reader.read(data)
    except reader.refuses:
        return False
    return True


# Changed inputs ------------------------------------------------------------------

TOKENS = [b"9" * 25, b"9" * 5000, b"\xff", b"\xed\xa0\x80", b"\\ud800", b"\xd9\xa3"]
TOKENS += b" 0 -1 1e999 NaN null true \" ' [] {} \0 \n".split(b" ")
VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.sampled_from([-1 << 63, 1 << 64, 0.5, float("inf"), "\ud800", "", {}, [[]]])
    | st.text(max_size=3)
    | st.lists(st.integers(-2, 9), max_size=3)
)


@st.composite
def edited(draw: st.DrawFn, seeds: Sequence[bytes]) -> bytes:
    """Draw a valid input with one to four changes of a few bytes, or of a word."""
    data = bytearray(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        word = re.match(rb"[\w.+-]*", data[at:])
        size = draw(st.integers(0, 6) | st.just(len(word[0]) if word else 0))
        data[at : at + size] = draw(st.sampled_from(TOKENS) | st.binary(max_size=6))
    return bytes(data)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the container and the key of every value in JSON data."""
    if isinstance(value, dict | list):
        keys = value if isinstance(value, dict) else range(len(value))
        for key in keys:
            yield value, key
            yield from places(value[key])


@st.composite
def revalued(draw: st.DrawFn, seeds: Sequence[bytes]) -> bytes:
    """Draw valid JSON with one to three values removed or replaced."""
    data = json.loads(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(1, 3))):
        if not (values := [*places(data)]):
            break
        container, key = draw(st.sampled_from(values))
        change = draw(st.sampled_from(["replace", "copy", "remove"]))
        if change == "replace":
            container[key] = draw(VALUES)
        elif change == "copy":
            other, name = draw(st.sampled_from(values))
            container[key] = deepcopy(other[name])
        else:
            del container[key]
    return json.dumps(data).encode()


# Tests ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", READERS)
def test_valid_inputs_are_read(name: str) -> None:
    assert seeds_of(name)
    for seed in seeds_of(name):
        assert reads(name, seed)


@pytest.mark.parametrize("name", READERS)
@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_changed_inputs_are_read_or_refused(name: str, data: st.DataObject) -> None:
    seeds = seeds_of(name)
    changed = st.binary(max_size=40) | edited(seeds)
    if READERS[name].is_json:
        changed |= revalued(seeds)
    reads(name, data.draw(changed))


@pytest.mark.parametrize("name", [*READERS])
def test_saved_inputs_are_read_or_refused(name: str) -> None:
    assert {reads(name, data) for data in saved_inputs()[name]} == {False, True}
