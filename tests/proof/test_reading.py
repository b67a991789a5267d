"""Each value of a file in turn, of another type; packed files.

No message that the checker can raise is left out: here each of them is met.
"""

import ast
import json
import lzma
import re
import tracemalloc
import zlib
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from heuristic.rules.drawing import CellNeed, CellState
from solver.errors import CertificateError
from tests.proof.test_judge import AREA as AREA_ONE
from tests.proof.test_judge import DRAWING
from tests.proof.test_reasons import REASONS
from tests.proof.test_refusals import (
    AREA,
    LINES,
    REFUSED,
    REFUSED_FAMILIES,
    family_fault,
    family_text,
    fault_of,
    stored,
)
from tests.samples import book, proof_of
from tests.solid import test_dead as dead
from tests.solid import test_static_certificates as static
from verify.checker import reading
from verify.checker.dead import find_dead_fault
from verify.checker.reading import _sketch, hash_of, read, unpacked
from verify.checker.reason import find_reason_fault
from verify.checker.values import Fault
from verify.checker.whole import Task, check
from verify.proof.certificate import certificate_of, rule_record
from verify.proof.provable import book_rules, provable

ROOM = Path(reading.__file__).parent


def with_value(data: Any, place: str, value: Any) -> Any:
    """Return a JSON value with another value at a place."""
    top = [deepcopy(data)]
    at: Any = top
    words: list[Any] = [0, *(int(x) if x.isdigit() else x for x in place.split())]
    for word in words[:-1]:
        at = at[word]
    at[words[-1]] = value
    return top[0]


# Values of another type --------------------------------------------------------

HOSTILE: tuple[Any, ...] = (None, True, -1, 1.5, "x", [], {}, [[0]])


def places(value: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each value in a JSON value by its place; of a long list the first one."""
    yield at, value
    keys: list[Any] = []
    if isinstance(value, dict):
        keys = list(value)
    elif isinstance(value, list):
        keys = list(range(len(value)))[: len(value) if len(value) < 9 else 1]
    for key in keys:
        yield from places(value[key], f"{at} {key}".strip())


def spoilt(data: Any) -> Iterator[tuple[str, Any]]:
    """Yield a JSON value with a value of another type at each place."""
    for place, value in places(data):
        for other in HOSTILE:
            if type(other) is not type(value):
                yield place, with_value(data, place, other)


def granting(data: Any) -> Any:
    """Add an order of the walk and a forced edge to a certificate; it still holds."""
    drawing = data["rule"]["drawings"][0]
    drawing["needs"] += [[9, 8, 2, False], [9, 9, 2, False]]
    drawing["lines"], drawing["runs"] = LINES, [[9, 8, 9, 9]]
    return data


def faults() -> Iterator[tuple[str, str]]:
    """Yield where a file of each kind holds a value of another type, and its fault."""
    for data in (granting(json.loads(stored(AREA))), json.loads(stored("c-shape"))):
        assert fault_of(data) == "none"
        for place, other in spoilt(data):
            yield place, fault_of(other)
    family = json.loads(family_text("up-small"))
    assert family_fault(family) == "none"
    for place, other in spoilt(family):
        yield place, family_fault(other)
    for text, honest in (
        *((text, dead.data_of(text)) for text in (*dead.KINDS.values(), dead.LEVELS)),
        (static.SMALL, static.RIGHT),
        (static.SIDEWAYS, static.ALONE | {"no_factor": static.NONE}),
    ):
        assert find_dead_fault(text, honest) is None
        for place, other in spoilt(honest):
            yield place, str(find_dead_fault(text, other))


def test_a_value_of_another_type_is_refused_wherever_it_stands() -> None:
    believed = {place for place, fault in faults() if fault in ("none", "None")}
    assert believed == {"hash"}  # which `fault_of` sets


# Proofs that were judged --------------------------------------------------------


def test_proofs_judged_before_are_left_out_and_no_others() -> None:
    data = json.loads(stored(AREA))
    parts = read(data).parts
    assert len(parts) > 1
    assert all(part.clauses and part.steps for part in parts)
    keys = [part.hash for part in parts]
    assert len(set(keys)) == len(keys)
    known = read(data, keys[:1]).parts
    assert [part.hash for part in known] == keys
    assert (known[0].names, known[0].clauses, known[0].steps) == ((), (), ())
    assert [part.clauses for part in known[1:]] == [part.clauses for part in parts[1:]]
    clauses = data["parts"][0]["clauses"]
    for place, value in (("clauses", f"{clauses}\n1"), ("scope", "CORNERS")):
        other = with_value(data, f"parts 0 {place}", value)
        assert read(other, keys).parts[0].hash not in keys
        assert read(other, keys).parts[0].clauses
    again = with_value(data, "rule drawings", data["rule"]["drawings"] * 2)
    again["hash"] = hash_of(again["rule"])
    for part in again["parts"]:
        part["drawing"] += len(data["rule"]["drawings"])
    assert [part.hash for part in read(again).parts] == keys
    moved = with_value(data, "rule drawings 0 areas 0 least", 2)
    moved["hash"] = hash_of(moved["rule"])
    assert read(moved, keys).parts[0].hash not in keys


def test_packed_files_are_small_and_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = lzma.compress(b"[1, 2]")
    assert unpacked(packed) == [1, 2]
    for limit in ("PACKED", "UNPACKED"):
        size = len(packed) if limit == "PACKED" else 6
        monkeypatch.setattr(reading, limit, size)
        assert unpacked(packed) == [1, 2]
        monkeypatch.setattr(reading, limit, size - 1)
        with pytest.raises(Fault, match=r"the file has more|it unpacks to more"):
            unpacked(packed)
        monkeypatch.undo()


def test_a_file_that_asks_for_much_memory_is_refused() -> None:
    """The header of the block says so; its dictionary would have 4 GiB."""
    packed = bytearray(lzma.compress(b"[1, 2]"))
    size = (packed[12] + 1) * 4
    block = packed[12 : 12 + size]
    block[4] = 40
    block[-4:] = zlib.crc32(block[:-4]).to_bytes(4, "little")
    with pytest.raises(Fault, match="not xz-compressed JSON"):
        unpacked(bytes(packed[:12] + block + packed[12 + size :]))
    block[4] = 24
    block[-4:] = zlib.crc32(block[:-4]).to_bytes(4, "little")
    assert unpacked(bytes(packed[:12] + block + packed[12 + size :])) == [1, 2]


def test_little_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "UNPACKED", 1000)
    bomb = lzma.compress(b"0" * 10_000_000, preset=0)
    tracemalloc.start()
    with pytest.raises(Fault, match="it unpacks to more"):
        unpacked(bomb)
    assert tracemalloc.get_traced_memory()[1] < 3_000_000
    tracemalloc.stop()


# Drawings ----------------------------------------------------------------------


def refused(why: str, **of: Any) -> None:
    with pytest.raises(Fault, match=f"^{why}$"):
        _sketch(DRAWING | of)


def test_a_drawing_away_from_the_live_end_lies_four_steps_off() -> None:
    near, far = [[1, 2, 1, False]], [[2, 2, 1, False]]
    assert _sketch(DRAWING | {"frame": "away", "needs": far}).away
    why = "a drawing away from the live end has areas or runs, or lies near"
    refused(why, frame="away", needs=near)


def test_moves_ends_and_headings() -> None:
    free = [[1, 1, 1, False], [2, 1, 1, False]]
    every = [[0, 1], [1, 0], [-1, 0], [0, -1]]
    assert len(_sketch(DRAWING | {"forbidden": every}).moves) == 4
    assert _sketch(DRAWING | {"needs": [[0, 1, 7, True]]}).not_end == {(-1, 0)}
    assert _sketch(DRAWING | {"needs": free, "end": [[2, 1]]}).end == (-1, -2)
    why = "the end is not one cell that is needed free"
    refused(why, needs=free, end=[[1, 1], [2, 1]])
    refused(why, needs=[[1, 1, 1, True]], end=[[1, 1]])
    board = {"frame": "board", "poses": ["IDENTITY"]}
    assert _sketch(DRAWING | board | {"heading": 3}).heading == 3
    refused("heading is no whole number from 0 to 3", **board, heading=4)


def test_orders_are_few_and_differ() -> None:
    taken = [[at, 2, 2, False] for at in range(-4, 4)]
    free = [[at, 3, 1, False] for at in range(2)]
    runs = [[at, 2, at + 1, 2] for at in range(-4, 3)]
    before = [["before", 0, 3, 1, 3]]
    few = {"needs": taken + free, "runs": runs[:3], "lines": before}
    assert len(_sketch(DRAWING | few).runs) == 3
    why = "a drawing has more than 4 orders"
    refused(why, **few | {"runs": runs[:4]})
    refused("runs names something twice", **few | {"runs": runs[:1] * 2})


def test_the_line_of_an_area_goes_from_base_to_wall() -> None:
    two: dict[str, Any] = AREA_ONE | {"cells": [[1, 1], [2, 1]], "wall": [3, 1]}
    free = [[1, 1, 1, False], [2, 1, 1, False]]
    taken = [[3, 1, 2, False], [5, 1, 2, False], [-1, 1, 2, False]]
    why = "an area's line is not free cells in a row between base and wall"
    drawn = {"needs": free + taken}
    assert _sketch(DRAWING | drawn | {"areas": [two]}).areas[0].entry == (-1, -1)
    refused(why, **drawn, areas=[two | {"wall": [5, 1]}])
    refused(why, **drawn, areas=[two | {"base": [-1, 1]}])
    refused(why, needs=free, areas=[two])
    beside = two | {"base": [0, 1]}
    refused(why, **drawn, areas=[beside])
    known = {"needs": [*free, *taken, [0, 1, 2, False]], "forbidden": [[1, 0]]}
    assert _sketch(DRAWING | known | {"areas": [beside]}).areas[0].base == (-1, 0)
    for kind, entry in (("closed", (-1, -1)), ("impair-determined", (-1, -2))):
        area = two | {"kind": kind, "entry": [2, 1]}
        assert _sketch(DRAWING | drawn | {"areas": [area]}).areas[0].entry == entry


def test_no_certificate_is_written_of_a_drawing_that_the_checker_refuses() -> None:
    proved = proof_of(book("c-shape"))
    drawing = proved.rule.drawings[0]
    needs = (*drawing.needs, CellNeed((300, 0), CellState.FREE))
    rule = replace(proved.rule, drawings=(replace(drawing, needs=needs),))
    with pytest.raises(CertificateError, match="a need is no whole number from -200"):
        certificate_of(replace(proved, rule=rule))


def test_the_checker_reads_each_drawing_that_can_be_put_to_a_proof() -> None:
    for form in provable(book_rules()).values():
        for drawing in json.loads(json.dumps(rule_record(form)))["drawings"]:
            assert _sketch(drawing).moves, form.name


# Parts -------------------------------------------------------------------------


def test_parts_that_were_judged_are_not_judged_again() -> None:
    of, known = read(json.loads(stored(AREA))), set[bytes]()
    check(of, good=known)
    assert known == {part.hash for part in of.parts}

    def never(tasks: list[Task]) -> list[str]:
        return ["asked"] * len(tasks)

    check(of, never, known)
    with pytest.raises(Fault, match=r"^part 1: asked$"):
        check(of, never, set())
    with pytest.raises(Fault, match=r"^part 1: asked$"):
        check(of, never)
    last = of.parts[-1].hash
    with pytest.raises(Fault, match=f"^part {len(of.parts)}: asked$"):
        check(of, never, known - {last})


@pytest.mark.parametrize("name", ["c-shape", "near-border-front", AREA])
def test_a_move_without_a_proof_is_named(name: str) -> None:
    data = json.loads(stored(name))
    for part in data["parts"][1:]:
        left = [other for other in data["parts"] if other is not part]
        said = fault_of(data | {"parts": left})
        place = f"drawing {part['drawing'] + 1}, pose {part['poses'][0]}"
        assert said == f"{place}, move {part['move']} has no proof"


# None is left out -------------------------------------------------------------


def messages() -> dict[str, str]:
    """Return a pattern for each text that is raised as a fault, by module and line."""
    found = {}
    for path in sorted(ROOM.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)):
                continue
            if getattr(node.exc.func, "id", "") not in ("Fault", "_Fault"):
                continue
            text = node.exc.args[0]
            parts = text.values if isinstance(text, ast.JoinedStr) else [text]
            found[f"{path.stem}:{node.lineno}"] = "".join(
                re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*"
                for part in parts
            )
    return found


def test_each_message_of_the_checker_is_met() -> None:
    met = [str(find_reason_fault(*at, reason)) for at, reason, _ in REASONS]
    for name, _, change in REFUSED:
        data = json.loads(stored(name))
        change(data, data["rule"]["drawings"][0], data["parts"][0])
        met.append(fault_of(data))
    met += [fault for _, fault in faults()]
    for name, _, alter in REFUSED_FAMILIES:
        data = json.loads(family_text(name))
        alter(data)
        met.append(family_fault(data))
    for text, spoil, _ in dead.REFUSED:
        data = spoil(dead.honest_of(text))
        met.append(str(find_dead_fault(text, data)))
    met += [str(find_dead_fault(text, data)) for text, data, _ in static.REFUSED]
    met.append(fault_of(json.loads(stored("c-shape")) | {"hash": ""}, hashed=False))
    elsewhere = (
        "the file has more than",
        "it unpacks to more than",
        "the file is cut short",
        "it is not xz",
        "a cell lies on both sides",
        "a drawing has more than",  # tests/proof/test_claims.py
    )
    missing = {
        place: pattern
        for place, pattern in messages().items()
        if not any(re.fullmatch(f"(?s:.*: )?{pattern}", one) for one in met)
        and not pattern.replace("\\", "").startswith(elsewhere)
    }
    assert missing == {}
