"""A forged certificate for each condition of its checker, refused for its fault."""

import json
import lzma
import re
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from tests.samples import book, proof_of
from verify.checker import reading
from verify.checker.family import check_family, read_family
from verify.checker.reading import hash_of, read, unpacked
from verify.checker.values import Fault
from verify.checker.whole import check
from verify.proof.certificate import certificate_of
from verify.proof.families import every_distance

Data = dict[str, Any]


# Certificates -----------------------------------------------------------------


@cache
def stored(name: str) -> str:
    proved = proof_of(book(name))
    return lzma.decompress(certificate_of(proved)).decode()


def fault_of(data: Any, *, hashed: bool = True) -> str:
    """Return the first fault of a certificate, given as a JSON value."""
    if hashed and type(data) is dict and type(data.get("rule")) is dict:
        data["hash"] = hash_of(data["rule"])
    try:
        check(read(json.loads(json.dumps(data))))
    except Fault as fault:
        return str(fault)
    return "none"


Change = Callable[[Data, Data, Data], object]  # of the file, a drawing, a part
AREA = "count-area-2-across"
RIM = "near-border-front"


def put(of: Data, **values: Any) -> Data:
    of |= values
    return of


def away(d: Data, p: Data) -> None:
    """Draw one free cell far from the live end, which may lie anywhere."""
    needs = [[5, 5, 1, False], [5, 6, 1, False]]
    put(d, frame="away", needs=needs, forbidden=[[0, 1]], poses=["NONE"])
    put(p, poses=["NONE"], move=[0, 1])


def into(name: str) -> Callable[..., Change]:
    """Return what puts values into a place of the file."""

    def changing(**of: Any) -> Change:
        def change(f: Data, d: Data, p: Data) -> None:
            areas = d["areas"] or [{}]
            put({"f": f, "r": f["rule"], "d": d, "p": p, "a": areas[0]}[name], **of)

        return change

    return changing


file, rule, drawing, part, area = map(into, "frdpa")


def cells(*add: list[int], less: int = 0) -> Change:
    return lambda f, d, p: put(p, cells=p["cells"][less:] + list(add))


def need(*of: Any) -> Change:
    return lambda f, d, p: d["needs"].append(list(of))


def away_with(**of: Any) -> Change:
    def change(f: Data, d: Data, p: Data) -> None:
        away(d, p)
        put(d, **of)

    return change


def away_part(**of: Any) -> Change:
    def change(f: Data, d: Data, p: Data) -> None:
        away(d, p)
        put(
            p,
            scope="PLAIN",
            cells=[[-5, -5]],
            names=[],
            clauses="",
            lemmas="",
            used="1",
        )
        put(p, **of)
        put(f, parts=[p], scope=p["scope"])

    return change


LINES = [["joined", 1, 1, 2, 1]]
FILES: dict[str, dict[str, list[Change]]] = {
    "c-shape": {
        "it is no certificate of format": [file(format=5)],
        "the file must say exactly: format rule hash": [file(more=1)],
        "the file must say exactly: format": [lambda f, d, p: f.pop("scope")],
        "the rule's name is none that": [rule(name=""), rule(name="a\nb")],
        "it says RIM, its parts prove PLAIN": [file(scope="RIM")],
        "a need is not left, ahead, states, not the end": [need(3, 3, 1)],
        "needs name a cell twice, or the live end": [
            need(0, 0, 1, False),
            need(1, 0, 1, False),
        ],
        "the states of a need is no whole number": [
            need(3, 3, 8, False),
            need(3, 3, True, False),
        ],
        "a need is no whole number from -200 to 200": [need(3, -201, 1, False)],
        "a need asks for nothing": [need(3, 3, 7, False)],
        "a forbidden cell is needed other than free": [need(0, 1, 3, False)],
        "a run is not two cells that are": [drawing(runs=[[1, 0, 2, 0]])],
        "a run is one cell twice": [drawing(runs=[[1, 2, 1, 2]])],
        "the end is not one cell that is needed": [
            drawing(end=[[2, 0]]),
            drawing(end=[[1, 0]]),
        ],
        "a forbidden move does not touch": [drawing(forbidden=[[1, 1]])],
        "forbidden names something twice": [drawing(forbidden=[[0, 1], [0, 1]])],
        "a drawing away from the live end has": [away_with(runs=[[1, 0, 2, 0]])],
        "a drawing away from the live end has areas or runs, or lies near": [
            away_with(needs=[[1, 2, 1, False]])
        ],
        "a drawing away from the live end has forced edges": [
            away_with(lines=[["joined", 5, 5, 5, 6]])
        ],
        "part 1: the move leads back to the cell before the live end": [
            lambda f, d, p: (
                put(d, forbidden=[[0, -1]], poses=["NONE"]),
                put(p, poses=["NONE"], move=[0, -1]),
                put(f, parts=[p]),
            )
        ],
        "part 1: away from the live end cells are": [
            away_part(cells=[[0, 0]]),
            away_part(scope="PLANAR"),
        ],
        "part 1: clause 1 does not follow: the empty clause": [
            drawing(needs=[[1, 0, 1, True]])
        ],
    },
    AREA: {
        "a line is not two cells that are needed free, or no edge": [
            drawing(lines=[["passes", 1, 1, 3, 2]]),
            drawing(lines=[["joined", 0, 0, 1, 0]]),
            drawing(lines=[["before", 1, 1, 3, 3]]),
            drawing(lines=[["passes", 0, 0, 2, 1]]),
        ],
        "a step that is dead when followed is none of the live end": [
            drawing(lines=[["dead", *LINES[0][1:]]]),
            away_with(areas=[], lines=[["dead", 0, 0, 5, 5]]),
        ],
        "a line is not two cells": [drawing(lines=[["joined", 1, 1, 2]])],
        "a line is no whole number": [drawing(lines=[["joined", 1, 1, 2, 999]])],
        "a forced edge is given twice": [
            drawing(lines=[["joined", 2, 1, 1, 1], LINES[0]])
        ],
        "an end of a forced line has not one forced edge, or two lines": [
            drawing(lines=[*LINES, ["mates", 1, 1, 3, 2]])
        ],
        "lines names something twice": [drawing(lines=[["before", 1, 1, 2, 1]] * 2)],
        "an area's bounds or its entry": [area(low=0, high=-1, kind="within")],
        "an area's bounds or its entry are none": [area(entry=[3, 0])],
        "an area's line is not free cells in a row": [
            area(wall=[1, 0]),
            area(base=[1, 0]),
            area(base=[3, 3]),
            area(base=[0, -2]),
            area(wall=[4, 4]),
        ],
        "an area's line names something twice": [area(cells=[[1, 1], [1, 1]])],
        "the drawing of a part is no whole number from 0": [
            part(drawing=2),
            part(drawing=-1),
        ],
        "a part is none of its drawing": [part(poses=["HALF"]), part(move=[1, 0])],
        "cells names something twice": [part(cells=[[0, 0], [0, 0]])],
        "a name is not a word, then numbers and cells": [part(names=["free"])],
        "names names something twice": [part(names=["free 0,0"] * 2)],
        "a name is in no clause": [lambda f, d, p: p["names"].append("free 0,0")],
        "a number of the clauses is none": [part(clauses="99999"), part(clauses="+1")],
        "a number of the lemmas is none": [part(lemmas="0")],
        "a number of the used is none": [part(used="0\n")],
        "not each lemma says": [part(lemmas="\n", used="1")],
        "a lemma names a variable twice": [part(lemmas="1 -1", used="1")],
        "a lemma follows from nothing, or from a later one": [
            part(lemmas="\n", used="1\n"),
            lambda f, d, p: put(
                p, lemmas="\n", used=f"{p['clauses'].count(chr(10)) + 2}\n1"
            ),
        ],
        "two parts prove the same": [lambda f, d, p: f["parts"].append(p)],
        "drawing 1, pose NONE, move [-1, 0] has no": [lambda f, d, p: f["parts"].pop()],
        "part 1: the cells leave out": [cells(less=1)],
        "part 1: the cells leave out the live end or a marked cell": [
            lambda f, d, p: p["cells"].remove([0, 0]),
            lambda f, d, p: p["cells"].remove([-1, -1]),
        ],
        "part 1: the cells leave out a neighbour of a marked cell": [
            lambda f, d, p: p["cells"].remove([0, 1])
        ],
        "part 1: a formula about these cells has no name p 0 1": [
            part(names=["p 0 1"], clauses="1", lemmas="", used="1")
        ],
        "part 1: a formula about these cells has no name n 1 1 0": [
            part(names=["n 1 1 0"], clauses="1", lemmas="", used="1")
        ],
        "part 1: clause 1 names a variable twice": [
            lambda f, d, p: put(p, clauses=p["clauses"].replace("-1 -3", "-1 -1", 1))
        ],
        (
            "part 1: clause 1 does not follow: not c (-3,-2) (-2,-2) or not c "
            "(-2,-2) (-1,-2)"
        ): [
            lambda f, d, p: put(p, clauses=p["clauses"].replace("-1 -3 -4", "-1 -4", 1))
        ],
        "part 1: the proof fails: step 1 does not follow": [
            part(lemmas="", used="1"),
            lambda f, d, p: put(p, used=re.sub("^[0-9 ]+", "1 2", p["used"])),
        ],
        "part 1: the proof fails: it does not end with the empty clause": [
            part(lemmas="-1 -3 -4", used="1")
        ],
    },
    RIM: {
        "part 1: the cells are not one piece without holes": [cells([5, 5])],
        "part 1: the cells are too many for a board with corners": [
            part(
                cells=[[0, 0]]
                + [
                    x for k in range(1, 201) for x in ([k, 0], [-k, 0], [0, k], [0, -k])
                ],
                names=["rowout -1"],
                clauses="1",
                lemmas="",
                used="1",
            )
        ],
    },
}


REFUSED = [
    (name, why, change)
    for name, of in FILES.items()
    for why, some in of.items()
    for change in some
]


@pytest.mark.parametrize(("name", "why", "change"), REFUSED)
def test_a_certificate_is_refused_for_its_own_fault(
    name: str, change: Change, why: str
) -> None:
    data = json.loads(stored(name))
    part = deepcopy(data["parts"][0])
    data["parts"][0] = part
    change(data, data["rule"]["drawings"][0], part)
    assert fault_of(data).startswith(why)


def test_honest_certificates_have_no_fault() -> None:
    for name in ("c-shape", AREA, RIM):
        assert fault_of(json.loads(stored(name))) == "none"


def test_a_hash_is_of_the_drawings_stored() -> None:
    data = json.loads(stored("c-shape")) | {"hash": "0" * 64}
    assert fault_of(data, hashed=False) == "the hash is not that of the drawings stored"


def test_an_area_lies_on_one_side_of_its_line() -> None:
    """The line turns round a cell, which then lies on both of its sides."""
    drawing = json.loads(stored(AREA))["rule"]["drawings"][0]
    ring = [[1, 1], [1, 2], [1, 3], [2, 3], [3, 3], [3, 2], [3, 1]]
    free = [[*at, 1, False] for at in ring]
    area = drawing["areas"][0] | {"cells": ring, "entry": [1, 1], "wall": [3, 0]}
    needs = [*free, [3, 0, 2, False]]
    put(drawing, needs=needs, areas=[area])
    assert reading._sketch(drawing).areas[0].line
    loop = [[5, 5], [5, 6], [5, 7], [4, 7], [3, 7], [3, 6], [3, 5], [3, 4], [3, 3]]
    loop += [[4, 3], [5, 3], [6, 3], [7, 3], [7, 4], [7, 5], [7, 6], [7, 7]]
    ends = {"base": [5, 4], "wall": [7, 8]}
    needs = [[*at, 1, False] for at in loop] + [[*x, 2, False] for x in ends.values()]
    put(drawing, needs=needs, areas=[area | {"cells": loop, "entry": [5, 5]} | ends])
    with pytest.raises(Fault, match=r"^a cell lies on both sides of an area's line$"):
        reading._sketch(drawing)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"spoilt", "the file is cut short, or has more behind its end"),
        (lzma.compress(b"{}") + b"x", "the file is cut short, or has more behind"),
        (lzma.compress(b"{}")[:-1], "the file is cut short, or has more behind"),
        (b"this is no xz at all", "it is not xz-compressed JSON of whole numbers"),
        (lzma.compress(b"{"), "it is not xz-compressed JSON of whole numbers"),
        (lzma.compress(b"1.0"), "it is not xz-compressed JSON of whole numbers"),
        (lzma.compress(b"NaN"), "it is not xz-compressed JSON of whole numbers"),
        (
            lzma.compress(b"[" * 100_000),
            "it is not xz-compressed JSON of whole numbers",
        ),
        (bytes((16 << 20) + 1), "the file has more than 16 MiB"),
        (
            lzma.compress(bytes((64 << 20) + 1), preset=0),
            "it unpacks to more than 64 MiB",
        ),
    ],
)
def test_bytes_are_refused_for_their_own_fault(data: bytes, why: str) -> None:
    with pytest.raises(Fault) as caught:
        unpacked(data)
    assert str(caught.value).startswith(why)


# Families ---------------------------------------------------------------------


def family_fault(data: Any) -> str:
    try:
        check_family(read_family(json.loads(json.dumps(data))))
    except Fault as fault:
        return str(fault)
    return "none"


@cache
def family_text(name: str) -> str:
    return json.dumps(every_distance(name))


def top(**of: Any) -> Callable[[Data], object]:
    return lambda f: f.update(of)


def chain(**of: Any) -> Callable[[Data], object]:
    return lambda f: f["chains"][0].update(of)


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


FAR = (1 << 20) + 1
RANGE = "from -1048576 to 1048576"
FAMILIES: dict[str, dict[str, list[Callable[[Data], object]]]] = {
    "up-small": {
        "it is no certificate of a family of format 1": [top(family_format=2)],
        (
            "the file must say exactly: family_format name members first side wall "
            "wall_states beside chains"
        ): [top(more=1)],
        "chain 1: the last cell: a surplus beyond the bounds is left": [
            top(wall=[1, 0]),
            closer,
        ],
        "the wall does not lie on from the last cell": [
            top(wall=[2, 0]),
            top(wall=[-1, 0]),
        ],
        "the states of the wall is no whole number from 1 to 7": [
            top(wall_states=0),
            top(wall_states=8),
        ],
        "none": [
            top(wall_states=6),
            top(name="x"),
            top(name="x" * 200),
            top(beside=[[2, -2, 7]]),
        ],
        "the name is none that a family can have": [
            top(name="x" * 201),
            top(name=""),
            top(name="a\nb"),
        ],
        "side is none of left, right": [top(side="middle")],
        "a chain must say exactly: steps turn move bounds potentials": [
            top(chains=[0] * 1000)
        ],
        "beside names something twice": [top(beside=[[1, 0, 1]] * 2)],
        "a need is no whole number from -2 to 2": [
            top(beside=[[3, 0, 1]]),
            top(beside=[[0, -3, 1]]),
        ],
        "the states of a need is no whole number from 1 to 7": [
            top(beside=[[0, 0, 0]]),
            top(beside=[[0, 0, 8]]),
        ],
        "the wall may be free": [top(wall_states=3)],
        "the first cell lies neither ahead nor left ahead": [top(first=[1, 0])],
        "members is none of border, corner": [top(members="any")],
        "there are more than 1000 chains": [top(chains=[0] * 1001)],
        "a need is not left, ahead, states": [lambda f: f["beside"].append([0, 0])],
        "'B' are no steps of a chain": [chain(steps="B")],
        f"'{'A' * 60}' are no steps of a chain": [chain(steps="A" * 61)],
        "A(AA)A: no drawing has so many 'AA' as one likes": [chain(steps="A(AA)A")],
        "the move of a chain touches no live end, or leads back": [
            chain(move=[1, 1]),
            chain(move=[0, -1], turn="NONE"),
        ],
        "A(AAAA)A(AAAA)A(AAAA)A: more than two repeats": [
            chain(steps="A(AAAA)A(AAAA)A(AAAA)A")
        ],
        "a chain has not two bounds, with potentials for each": [chain(bounds=[[0]])],
        "a bound has not a number for each repeat": [chain(bounds=[[0], [0, 0]])],
        "there are not potentials for each cut": [
            lambda f: f["chains"][-1]["potentials"][0].append([None] * 9)
        ],
        "a cut has not a potential for each state": [
            lambda f: f["chains"][0]["potentials"][0][0].pop()
        ],
        "chain 1: step 5: a repeat adds more than is allowed": [shifted(1, 4)],
        "chain 1: step 1: the potentials do not rise": [shifted(-2, 0)],
        "turn CCW, move [0, -1]: no chain for AAAA": [lambda f: f["chains"].pop()],
    },
    "corner": {
        "there are not potentials for each cut": [chain(steps="A" * 60)],
        f"a bound is no whole number {RANGE}": [
            chain(bounds=[[0], [FAR]]),
            chain(bounds=[[-FAR], [0]]),
        ],
        f"a potential is no whole number {RANGE}": [
            chain(potentials=[[[FAR] * 9]] * 2),
            chain(potentials=[[[-FAR] * 9]] * 2),
        ],
        "L(AAAA)L: 'AAAA' ends with another step than comes before": [
            chain(steps="L(AAAA)L")
        ],
        "chain 1: the second cell touches a neighbour of the live end": [
            lambda f: f.update(
                first=[0, 1], chains=[x for x in f["chains"] if x["steps"][0] == "L"]
            )
        ],
    },
}


REFUSED_FAMILIES = [
    (name, why, change)
    for name, of in FAMILIES.items()
    for why, some in of.items()
    for change in some
]


@pytest.mark.parametrize(("name", "why", "change"), REFUSED_FAMILIES)
def test_a_family_is_refused_for_its_own_fault(
    name: str, change: Callable[[Data], object], why: str
) -> None:
    data = json.loads(family_text(name))
    assert family_fault(data) == "none"
    change(data)
    assert family_fault(data) == why
