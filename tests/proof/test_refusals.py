"""A forged certificate for each condition of its checker, refused for its fault."""

import json
import lzma
import re
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache, partial
from typing import Any

import pytest

from heuristic.rules.drawing import CellNeed, CellState
from solver.errors import CertificateError
from tests.proof.scenes import AREA as ONE
from tests.proof.scenes import at, sketch
from tests.samples import book, proof_of
from tests.solid import test_dead as dead
from tests.solid import test_static_certificates as static
from verify.checker import proof
from verify.checker.claim import Flaw, Sketch, read_as
from verify.checker.dead import find_dead_fault
from verify.checker.family import check_family, read_family
from verify.checker.proof import Task, check, read, unpacked
from verify.proof.certificate import certificate_of, rule_record
from verify.proof.families import every_distance
from verify.proof.prove import book_rules, provable

Data = dict[str, Any]


# Certificates -----------------------------------------------------------------


@cache
def stored(name: str) -> str:
    return lzma.decompress(certificate_of(proof_of(book(name)))).decode()


def fault_by(judge: Callable[[Any], object], data: Any) -> str:
    """Return the first fault of a file, given as a JSON value."""
    try:
        judge(json.loads(json.dumps(data)))
    except Flaw as fault:
        return str(fault)
    return "none"


fault_of = partial(fault_by, lambda data: check(read(data)))
family_fault = partial(fault_by, lambda data: check_family(read_family(data)))

Change = Callable[[Data, Data, Data], object]  # of the file, a drawing, a part
AREA = "count-area-2-across"
RIM = "near-border-front"
CELLS = [[-5, -5], [-6, -5]]


def away(of: Data | None = None, **values: Any) -> Change:
    """Draw two free cells far from the live end, which may lie anywhere.

    Also change the drawing, or a part of it that has one clause, without literals.
    """

    def change(f: Data, d: Data, p: Data) -> None:
        needs = [[cell, 1, False] for cell in CELLS]
        d |= {"frame": "away", "needs": needs, "moves": [[-1, 0]], "poses": ["NONE"]}
        d |= values
        p |= {"poses": ["NONE"], "move": [-1, 0]}
        if of is not None:
            p |= BARE | {"scope": "PLAIN", "cells": CELLS[:1]} | of
            f |= {"parts": [p], "scope": p["scope"]}

    return change


def into(name: str) -> Callable[..., Change]:
    """Return what puts values into a place of the file."""

    def changing(**of: Any) -> Change:
        def change(f: Data, d: Data, p: Data) -> None:
            {"f": f, "d": d, "p": p, "a": [*d["areas"], {}][0]}[name].update(of)

        return change

    return changing


file, drawing, part, area = map(into, "fdpa")


def lines(*of: list[Any]) -> Change:
    """Put lines, their cells as [left, ahead], into the drawing."""
    return drawing(lines=[[word, at(x[:2]), at(x[2:])] for word, *x in of])


def need(left: int, ahead: int, *of: Any) -> Change:
    return lambda f, d, p: d["needs"].append([at([left, ahead]), *of])


def without(cell: list[int]) -> Change:
    return lambda f, d, p: p["cells"].remove(cell)


def lemma(of: list[int], *used: int) -> Change:
    return part(steps=[[of, [*used]]])


def first_clause(*more: int) -> Change:
    return lambda f, d, p: p["clauses"][0].extend(more)


def backwards(f: Data, d: Data, p: Data) -> None:
    """Forbid the one move that no walk makes."""
    d |= {"moves": [[1, 0]], "poses": ["NONE"]}
    p |= {"poses": ["NONE"], "move": [1, 0]}
    f["parts"] = [p]


def named(name: list[Any], **of: Any) -> Change:
    return part(**BARE | {"names": [name], "clauses": [[1]]} | of)


BARE: Data = {"names": [], "clauses": [[]], "steps": [[[], [1]]]}
JOINED: list[Any] = ["joined", 1, 1, 2, 1]
AWAY = "a drawing away from the live end speaks of more than far cells"
LINE = "a line is not two cells that are needed free, or no edge"
LINES = "an end of a forced line has not one forced edge, or two lines"
TAKEN = "an area's line is not free cells between taken ones"
ROW = "an area's line is not cells in a row"
NUMBERS = "part 1: the names are not those of the clauses"
LEMMA = "part 1: a lemma names a variable twice, or one that there is not"
LATER = "part 1: a lemma follows from nothing, or from a later one"
NO_NAME = "part 1: a formula about these cells has no name"
FAILS = "part 1: the proof fails: step 1 does not follow"
CLAUSE = "part 1: clause 1 does not follow:"
PAIR = f"{CLAUSE} not c (-3,-2) (-2,-2) or not c (-2,-2) (-1,-2)"
CROSS = [x for k in range(201) for x in ([k, 0], [-k, 0], [0, k], [0, -k])]
FILES: dict[str, list[tuple[str, Change]]] = {
    "c-shape": [
        ("Invalid enum value 7 - at `$.format`", file(format=7)),
        ("Object contains unknown field `more`", file(more=1)),
        ("it says RIM, its parts prove PLAIN", file(scope="RIM")),
        ("a cell is needed twice, or is the live end", need(0, 0, 1, False)),
        ("a cell is needed twice, or is the live end", need(1, 0, 1, False)),
        ("Expected `int` <= 7", need(3, 3, 8, False)),
        ("Expected `int` >= 1", need(3, 3, 0, False)),
        ("Expected `int` >= -200", need(3, 201, 1, False)),
        ("Expected `int` <= 200", need(-201, 3, 1, False)),
        ("none", need(-200, 200, 7, False)),
        ("a forbidden cell is needed other than free", need(0, 1, 2, False)),
        ("a forbidden cell is needed other than free", need(0, 1, 6, False)),
        ("a run is not two cells that are", drawing(runs=[[[0, -1], [0, -2]]])),
        ("a run is one cell twice", drawing(runs=[[[-2, -1], [-2, -1]]])),
        ("the end is not a cell that is needed free", drawing(end=[0, -2])),
        ("the end is not a cell that is needed free", drawing(end=[-2, -1])),
        ("a forbidden move does not touch", drawing(moves=[[-1, -1]])),
        ("a pose is not one of the frame", drawing(poses=["IDENTITY"])),
        (AWAY, away(lines=[["joined", *CELLS]])),
        (AWAY, away(lines=[["dead", [0, 0], [-5, -5]]])),
        (AWAY, away(needs=[[[-2, -1], 1, False]])),
        (AWAY, away(needs=[[cell, 2, False] for cell in CELLS], runs=[CELLS])),
        ("part 1: the move leads back to the cell before the live end", backwards),
        ("part 1: away from the live end only drawn", away({"cells": [[0, 0]]})),
        ("part 1: away from the live end only drawn", away({"scope": "PLANAR"})),
        (f"{CLAUSE} the empty clause", drawing(needs=[[[0, -1], 1, True]])),
    ],
    AREA: [
        (LINE, lines(["passes", 1, 1, 3, 2])),
        (LINE, lines(["joined", 0, 0, 1, 0])),
        (LINE, lines(["before", 1, 1, 3, 3])),
        (LINE, lines(["before", 1, 1, 1, 1])),
        (LINE, lines(["passes", 0, 0, 2, 1])),
        (LINE, lines(["dead", 1, 1, 2, 1])),
        (LINES, lines(JOINED, ["mates", 1, 1, 3, 2])),
        (LINES, lines(JOINED, ["mates", 1, 1, 2, 1], ["mates", 2, 1, 1, 1])),
        ("an area's bounds leave nothing", area(low=0, high=-1, kind="within")),
        ("an area's entry is not on its line", area(entry=[0, -3])),
        (TAKEN, area(wall=[-3, -2])),
        (TAKEN, area(base=[-2, -1])),
        (ROW, area(wall=[0, 1])),
        (ROW, area(base=[-3, -3])),
        (ROW, area(wall=[-4, -4])),
        ("an area's line has a cell twice", area(line=[[-1, -1], [-1, -1]])),
        ("a part is not one of its drawing", part(drawing=2)),
        ("a part is not one of its drawing", part(poses=["HALF"])),
        ("a part is not one of its drawing", part(move=[0, -1])),
        ("Expected `array` of length >= 2", part(names=[["free"]])),
        (NUMBERS, lambda f, d, p: p["names"].append(["free", [0, 0]])),
        (NUMBERS, first_clause(99999)),
        (NUMBERS, first_clause(0)),
        (LEMMA, lemma([0], 1)),
        (LEMMA, lemma([99999], 1)),
        (LEMMA, lemma([1, -1], 1)),
        (LATER, lemma([])),
        (LATER, lemma([], 0)),
        (LATER, lambda f, d, p: lemma([], len(p["clauses"]) + 1)(f, d, p)),
        ("drawing 1, pose NONE, move [-1, 0] has no", lambda f, d, p: f["parts"].pop()),
        ("part 1: the cells leave out the live end or a marked", without([0, 0])),
        ("part 1: the cells leave out the live end or a marked", without([-1, -1])),
        ("part 1: the cells leave out a neighbour of a marked", without([0, 1])),
        (f"{NO_NAME} p 0 1", named(["p", 0, 1])),
        (f"{NO_NAME} n 1 1 0", named(["n", 1, 1, 0])),
        (
            "part 1: clause 1 names a variable twice",
            lambda f, d, p: p["clauses"][0].append(p["clauses"][0][0]),
        ),
        (PAIR, lambda f, d, p: p["clauses"][0].remove(-3)),
        (FAILS, lemma([], 1)),
        (FAILS, lambda f, d, p: p["steps"][0].__setitem__(1, [1, 2])),
        ("part 1: the proof fails: it does not end", lemma([-1, -3, -4], 1)),
    ],
    RIM: [
        (
            "part 1: the cells are not one piece without holes",
            lambda f, d, p: p["cells"].append([5, 5]),
        ),
        ("part 1: the cells are too many", named(["rowout", -1], cells=CROSS)),
    ],
}
REFUSED = [(name, *row) for name, rows in FILES.items() for row in rows]


@pytest.mark.parametrize(("name", "why", "change"), REFUSED)
def test_a_certificate_is_refused_for_its_own_fault(
    name: str, change: Change, why: str
) -> None:
    data = json.loads(stored(name))
    part = deepcopy(data["parts"][0])
    data["parts"][0] = part
    change(data, data["rule"]["drawings"][0], part)
    assert fault_of(data).startswith(why)


@pytest.mark.parametrize("name", ["c-shape", AREA, RIM])
def test_honest_certificates_have_no_fault_and_need_each_part(name: str) -> None:
    data = json.loads(stored(name))
    assert fault_of(data) == "none"
    for part in data["parts"][1:]:
        left = [other for other in data["parts"] if other is not part]
        place = f"drawing {part['drawing'] + 1}, pose {part['poses'][0]}"
        move = at(part["move"])
        assert fault_of(data | {"parts": left}) == f"{place}, move {move} has no proof"


def test_an_area_lies_on_one_side_of_its_line() -> None:
    """The line turns round a cell, which then lies on both of its sides."""
    loop = [[5, 5], [5, 6], [5, 7], [4, 7], [3, 7], [3, 6], [3, 5], [3, 4], [3, 3]]
    loop += [[4, 3], [5, 3], [6, 3], [7, 3], [7, 4], [7, 5], [7, 6], [7, 7]]
    ends = {"base": [5, 4], "wall": [7, 8]}
    needs = [[*cell, 1, False] for cell in loop]
    needs += [[*x, 2, False] for x in ends.values()]
    with pytest.raises(Flaw, match="a cell lies on both sides of an area's line"):
        sketch(needs=needs, areas=[ONE | {"line": loop, "entry": [5, 5]} | ends])


def test_areas_and_orders_are_few() -> None:
    """The views of a cell double with each."""
    many = range(3, 10)
    taken = [[left, k, 2, False] for k in many for left in (0, 2)]
    free = [[1, k, 1, False] for k in many]
    areas = [
        ONE | {"line": [[1, k]], "base": [0, k], "wall": [2, k], "entry": [1, k]}
        for k in many
    ]
    assert len(sketch(needs=taken + free, areas=areas[1:]).areas) == 6
    with pytest.raises(Flaw, match="length <= 6"):
        sketch(needs=taken + free, areas=areas)
    runs = [[0, k, 2, k] for k in many]
    before = [["before", 1, 3, 1, 4]]
    assert len(sketch(needs=taken + free, lines=before, runs=runs[:3]).runs) == 3
    with pytest.raises(Flaw, match="more than 4 orders"):
        sketch(needs=taken + free, lines=before, runs=runs[:4])


def test_the_checker_reads_each_drawing_that_can_be_put_to_a_proof() -> None:
    for form in provable(book_rules()).values():
        for drawing in json.loads(json.dumps(rule_record(form)))["drawings"]:
            assert read_as(drawing, Sketch).moves, form.name


def test_no_certificate_is_written_of_a_drawing_that_the_checker_refuses() -> None:
    proved = proof_of(book("c-shape"))
    drawing = proved.rule.drawings[0]
    needs = (*drawing.needs, CellNeed((300, 0), CellState.FREE))
    rule = replace(proved.rule, drawings=(replace(drawing, needs=needs),))
    with pytest.raises(CertificateError, match="Expected `int` <= 200"):
        certificate_of(replace(proved, rule=rule))


def test_parts_that_were_judged_are_not_judged_again() -> None:
    data, known = json.loads(stored(AREA)), set[bytes]()
    of = read(data)
    check(of, good=known)
    assert len(known) == len(of.parts) > 1

    def never(tasks: list[Task]) -> list[str]:
        return ["asked"] * len(tasks)

    check(of, never, known)
    for keys in (set[bytes](), None, known - {min(known)}):
        with pytest.raises(Flaw, match=r"^part [12]: asked$"):
            check(of, never, keys)
    changes: tuple[Callable[[Data], object], ...] = (
        lambda d: d["parts"][0]["clauses"].append([1]),
        lambda d: d["parts"][0]["cells"].pop(0),
        lambda d: d["rule"]["drawings"][0]["areas"][0].update(least=2),
    )
    for change in changes:
        other = deepcopy(data)
        change(other)
        with pytest.raises(Flaw, match=r"^part 1: asked$"):
            check(read(other), never, known)


# Packed files -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"spoilt", "the file is cut short, or has more behind its end"),
        (lzma.compress(b"{}") + b"x", "the file is cut short, or has more behind"),
        (lzma.compress(b"{}")[:-1], "the file is cut short, or has more behind"),
        (b"this is no xz at all", "it is not xz-compressed JSON"),
        (lzma.compress(b"{"), "it is not xz-compressed JSON"),
        (lzma.compress(b"NaN"), "it is not xz-compressed JSON"),
        (lzma.compress(b"[" * 100_000), "it is not xz-compressed JSON"),
        (lzma.compress(b'"\\ud800"'), "it is not xz-compressed JSON"),
        (bytes((16 << 20) + 1), "the file has more than 16 MiB"),
    ],
)
def test_bytes_are_refused_for_their_own_fault(data: bytes, why: str) -> None:
    with pytest.raises(Flaw) as caught:
        unpacked(data)
    assert str(caught.value).startswith(why)


def test_packed_files_are_small_and_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = lzma.compress(b"[1, 2]")
    for limit, size in (("PACKED", len(packed)), ("UNPACKED", 6)):
        monkeypatch.setattr(proof, limit, size)
        assert unpacked(packed) == [1, 2]
        monkeypatch.setattr(proof, limit, size - 1)
        with pytest.raises(Flaw, match=r"the file has more|it unpacks to more"):
            unpacked(packed)
        monkeypatch.undo()


def test_a_file_that_asks_for_much_memory_is_refused() -> None:
    """The header of the block says so; its dictionary would have 4 GiB."""
    packed = bytearray(lzma.compress(b"[1, 2]"))
    size = (packed[12] + 1) * 4
    block = packed[12 : 12 + size]
    block[4] = 40
    block[-4:] = zlib.crc32(block[:-4]).to_bytes(4, "little")
    with pytest.raises(Flaw, match="not xz-compressed JSON"):
        unpacked(bytes(packed[:12] + block + packed[12 + size :]))


def test_little_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "UNPACKED", 1000)
    bomb = lzma.compress(b"0" * 10_000_000, preset=0)
    tracemalloc.start()
    with pytest.raises(Flaw, match="it unpacks to more"):
        unpacked(bomb)
    assert tracemalloc.get_traced_memory()[1] < 3_000_000
    tracemalloc.stop()


# Values of another type --------------------------------------------------------

HOSTILE: tuple[Any, ...] = (None, True, -1, 1.5, "x", [], {}, [[0]], 1 << 80)


def spoilt(value: Any, way: str = "") -> Iterator[tuple[str, Any]]:
    """Yield a JSON value with one of another type at each place.

    Of a long list only the first place is changed.
    """
    for other in HOSTILE:
        if type(other) is not type(value) or other == 1 << 80:
            yield way, other
    if isinstance(value, dict):
        for key in value:
            for place, inner in spoilt(value[key], f"{way} {key}"):
                yield place, value | {key: inner}
    elif isinstance(value, list):
        for i in range(len(value) if len(value) < 9 else 1):
            for place, inner in spoilt(value[i], f"{way} {i}"):
                yield place, [*value[:i], inner, *value[i + 1 :]]


def granting(data: Any) -> Any:
    """Add an order of the walk and a forced edge to a certificate; it still holds."""
    drawing = data["rule"]["drawings"][0]
    drawing["needs"] += [[[-8, -9], 2, False], [[-9, -9], 2, False]]
    drawing["lines"] = [["joined", [-1, -1], [-1, -2]]]
    drawing["runs"] = [[[-8, -9], [-9, -9]]]
    return data


def faults() -> Iterator[tuple[str, str]]:
    """Yield where a file of each kind holds a value of another type, and its fault."""
    for data in (granting(json.loads(stored(AREA))), json.loads(stored("c-shape"))):
        assert fault_of(data) == "none"
        for place, other in spoilt(data):
            yield place, fault_of(other)
    family = json.loads(family_text("up-small"))
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
    assert believed == set()


# Families ---------------------------------------------------------------------


@cache
def family_text(name: str) -> str:
    return json.dumps(every_distance(name))


def top(**of: Any) -> Callable[[Data], object]:
    return lambda f: f.update(of)


def border(**of: Any) -> Callable[[Data], object]:
    return lambda f: f["border"].update(of)


def chain(steps: str = "", **of: Any) -> Callable[[Data], object]:
    """Change the first chain: its steps, with nothing said of them, or other values."""
    cuts = len(re.sub("[()]", "", steps))
    nothing = {"bounds": [[0, 0]] * 2, "potentials": [[[None] * 9] * cuts] * 2}
    return lambda f: f["chains"][0].update({"steps": steps} | nothing if steps else of)


def closer(f: Data) -> None:
    """Bring a bound one nearer than the potentials show."""
    f["chains"][0]["bounds"][0][0] += 1


def shifted(by: int, at: int) -> Callable[[Data], object]:
    """Shift the highest surplus at a cut: the first, or the end of the first repeat."""

    def change(f: Data) -> None:
        f["chains"] = [next(x for x in f["chains"] if "(" in x["steps"])]
        cut = f["chains"][0]["potentials"][1][at]
        cut[:] = [None if x is None else x + by for x in cut]

    return change


def ahead(f: Data) -> None:
    f["border"]["first"] = [-1, 0]
    f["chains"] = [x for x in f["chains"] if x["steps"][0] == "L"]


BEYOND = "chain 1: the last cell: a surplus beyond the bounds is left"
MOVE = "the move of a chain touches no live end, or leads back"
THRICE = "A(AAAA)A(AAAA)A(AAAA)A"
SIDEWAYS = "chain 1: the second cell touches a neighbour of the live end"
FAMILIES: dict[str, list[tuple[str, Callable[[Data], object]]]] = {
    "up-small": [
        ("Invalid enum value 2 - at `$.family_format`", top(family_format=2)),
        (BEYOND, border(wall=[0, -1])),
        (BEYOND, closer),
        ("the wall does not lie on from the last cell", border(wall=[0, -2])),
        ("the wall does not lie on from the last cell", border(wall=[0, 1])),
        ("Expected `int` >= 1", border(wall_states=0)),
        ("Expected `int` <= 7", border(beside=[[[0, 0], 8]])),
        ("none", border(wall_states=6)),
        ("none", border(beside=[[[2, -2], 7]])),
        ("Expected `str` of length", chain("A" * 61)),
        ("the wall may be free", border(wall_states=3)),
        ("the first cell lies neither ahead nor left ahead", border(first=[0, -1])),
        ("Expected `array` of length <= 1000", top(chains=[0] * 1001)),
        ("'B' is not the steps of a chain", chain("B")),
        ("A(AA)A: no drawing repeats 'AA'", chain("A(AA)A")),
        (MOVE, chain(move=[1, 1])),
        (MOVE, chain(move=[1, 0], turn="NONE")),
        (f"'{THRICE}' is not the steps", chain(THRICE)),
        ("a bound has not a number for each repeat", chain(bounds=[[0], [0, 0]])),
        (
            "there are not potentials for each cut",
            lambda f: f["chains"][-1]["potentials"][0].append([None] * 9),
        ),
        (
            "Expected `array` of length >= 9",
            lambda f: f["chains"][0]["potentials"][0][0].pop(),
        ),
        ("chain 1: step 5: a repeat adds more than is allowed", shifted(1, 4)),
        ("chain 1: step 1: the potentials do not rise", shifted(-2, 0)),
        ("turn CCW, move (0, 1): no chain for AAAA", lambda f: f["chains"].pop()),
    ],
    "corner": [
        ("Expected `int` <= 1048576", chain(bounds=[[0], [(1 << 20) + 1]])),
        ("L(AAAA)L: 'AAAA' ends with another step than comes", chain("L(AAAA)L")),
        (SIDEWAYS, ahead),
    ],
}


@pytest.mark.parametrize(
    ("name", "why", "change"),
    [(name, *row) for name, rows in FAMILIES.items() for row in rows],
)
def test_a_family_is_refused_for_its_own_fault(
    name: str, change: Callable[[Data], object], why: str
) -> None:
    data = json.loads(family_text(name))
    assert family_fault(data) == "none"
    change(data)
    assert family_fault(data).startswith(why)
