"""A forged file or reason for each condition of the checker, refused for its fault.

That none is left out is tested too: each message that the checker can raise is met.
"""

import ast
import json
import lzma
import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from heuristic.groups import load_rules
from heuristic.rule import Reason
from solver.board import Position
from tests.samples import book
from tests.solid import test_dead as dead
from verify.checker import reading
from verify.checker.dead import find_dead_fault
from verify.checker.family import check_family, read_family
from verify.checker.reading import hash_of, read, unpacked
from verify.checker.reason import find_reason_fault
from verify.checker.values import Fault
from verify.checker.whole import check
from verify.proof.certificate import certificate_of
from verify.proof.families import every_distance
from verify.proof.prove import Proved, prove_rule

Data = dict[str, Any]
ROOM = Path(__file__).parents[2] / "verify" / "checker"


# Reasons ----------------------------------------------------------------------


def because(kind: str, **of: Any) -> Reason:
    return Reason("", kind=kind, **of)


def after(kind: str, **of: Any) -> Reason:
    """Return a reason whose one step is of a kind; its conflict is one that holds."""
    return because("starved", cells=(4,), steps=(because(kind, **of),))


# Board 3 x 3, the walk over cells 0, 1, 2: completable by 5, 4, 3, 6, 7, 8. Cells:
# 0 1 2
# 3 4 5
# 6 7 8
GOOD = ("3:R", "R")
PROBED = after("probe", edges=((4, 5),), steps=(because("starved", cells=(4,)),))
ON_GOOD: list[tuple[Reason, str]] = [
    (because("hope"), "unknown conflict 'hope'"),
    (after("hope"), "unknown step 'hope'"),
    (because("starved"), "starved: it names no open cell"),
    (because("starved", cells=(9,)), "starved: it names no open cell"),
    (because("crowded", cells=(3, 4)), "crowded: it names no open cell"),
    (
        because("starved", cells=(3,)),
        "starved: cell 3 can still have 2 edges of the 2 it needs",
    ),
    (because("certificate", certificate="{"), "certificate: it is no JSON"),
    (because("certificate", certificate="{}"), "unknown kind None"),
    (because("crowded", cells=(1,)), "crowded: cell 1 has no edge too many"),
    (after("forced", cells=(4,)), "forced: cell 4 has more edges than it needs"),
    (
        after("forced", cells=(3,), edges=((4, 5),)),
        "forced: an edge is none that cell 3 may still get",
    ),
    (
        after("forced", cells=(1,), edges=((1, 4),)),
        "forced: an edge is none that cell 1 may still get",
    ),
    (after("no-loop"), "no-loop: it names no edge"),
    (
        after("no-loop", edges=((4, 5),)),
        "no-loop: edges in do not lead from cell 4 to cell 5",
    ),
    (because("overdrawn"), "overdrawn: its area names no open cells"),
    (because("overdrawn", area=(9,)), "overdrawn: its area names no open cells"),
    (because("overdrawn", area=(6,)), "overdrawn: 2 lies in 0 to 2"),
    (because("overdrawn", area=(3,)), "overdrawn: -2 lies in -2 to 0"),
    (
        because("overdrawn", area=(6,), facts=(("black", 2),)),
        "overdrawn: black is 1, not 2",
    ),
    (
        because("overdrawn", area=(6,), facts=(("grey", 0),)),
        "overdrawn: grey is None, not 0",
    ),
    (after("tight", area=(4,)), "tight: 2 wanted, 0 to 3 possible"),
    (
        after("tight", area=(6,), edges=((3, 6),)),
        "tight: the edges in are not those of its border",
    ),
    (after("probe"), "probe: it names no edge or no steps"),
    (after("probe", edges=((4, 5),)), "probe: it names no edge or no steps"),
    (PROBED, "starved: cell 4 can still have 2 edges"),
    (
        after("probe", edges=((0, 8),), steps=(because("starved", cells=(4,)),)),
        "probe: cells 0 and 8 do not touch",
    ),
    (
        after("probe", edges=((0, 1),), steps=(because("starved", cells=(4,)),)),
        "probe: edge 0-1 was shown otherwise",
    ),
    (because("loop"), "loop: the edges close no loop"),
    (because("loop", edges=((0, 1), (1, 2))), "loop: the edges close no loop"),
    (
        because("loop", edges=((4, 5), (5, 8), (7, 8), (4, 7))),
        "loop: the edges close no loop",
    ),
    (because("cut-off", area=(1, 4)), "cut-off: the walk was in its area already"),
    (
        because("cut-off", area=(2, 5, 8), cells=()),
        "cut-off: live end or end cell lie in its area",
    ),
    (
        because("cut-off", area=(5, 8), cells=(4,)),
        "cut-off: live end or end cell lie in its area",
    ),
    (
        because("cut-off", area=(6,), cells=(6,)),
        "cut-off: live end or end cell lie in its area",
    ),
    (
        because("cut-off", area=(6,), cells=(3, 7)),
        "cut-off: live end or end cell lie in its area",
    ),
    (
        because("cut-off", area=(6,), cells=(3,)),
        "cut-off: cell 6 can be reached from cell 7",
    ),
    (
        because("block", area=(0, 6), cells=(3, 7)),
        "block: the walk was in its area already",
    ),
    (because("block", area=(6,), cells=(3,)), "block: an end lies in its area"),
    (because("block", area=(6,), cells=(3, 6)), "block: an end lies in its area"),
    (because("block", area=(8,), cells=(5, 7)), "block: an end lies in its area"),
    (because("block", area=(2,), cells=(5, 7)), "block: an end lies in its area"),
    (
        because("block", area=(6,), cells=(4, 7)),
        "block: cell 6 can be reached from cell 3",
    ),
    (
        because("block", area=(6,), cells=(3, 7), facts=(("white", 1),)),
        "block: white is 0, not 1",
    ),
    (
        because("block", area=(6,), cells=(3, 7)),
        "block: its colours are as they should be",
    ),
]
REASONS: list[tuple[tuple[str, str], Reason, str]] = [
    *((GOOD, *row) for row in ON_GOOD),
    (("3:", "L"), because("starved", cells=(4,)), "walk: cells -1 and 0 do not touch"),
    (
        ("2@1,1>1,2:D", "R"),
        because("starved", cells=(1,), steps=(because("no-loop", edges=((1, 3),)),)),
        "no-loop: the loop would leave no cell out",
    ),
    (
        ("2@1,1>1,2:DR", "U"),
        because("loop", edges=((0, 2), (2, 3), (1, 3))),
        "loop: the edges close no loop",
    ),
]


@pytest.mark.parametrize(("at", "reason", "why"), REASONS)
def test_a_reason_is_refused_for_its_own_fault(
    at: tuple[str, str], reason: Reason, why: str
) -> None:
    assert str(find_reason_fault(*at, reason)).startswith(why)


# Certificates -----------------------------------------------------------------


@cache
def stored(name: str) -> str:
    proved = prove_rule(book(name))
    assert isinstance(proved, Proved)
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
FILES: dict[str, list[tuple[Change, str]]] = {
    "c-shape": [
        (file(format=5), "it is no certificate of format"),
        (file(more=1), "the file must say exactly: format rule hash"),
        (lambda f, d, p: f.pop("scope"), "the file must say exactly: format"),
        (rule(name=""), "the rule's name is none that"),
        (rule(name="a\nb"), "the rule's name is none that"),
        (file(scope="RIM"), "it says RIM, its parts prove PLAIN"),
        (need(3, 3, 1), "a need is not left, ahead, states, not the end"),
        (need(0, 0, 1, False), "needs name a cell twice, or the live end"),
        (need(1, 0, 1, False), "needs name a cell twice, or the live end"),
        (need(3, 3, 8, False), "the states of a need is no whole number"),
        (need(3, 3, True, False), "the states of a need is no whole number"),
        (need(3, -201, 1, False), "a need is no whole number from -200 to 200"),
        (need(3, 3, 7, False), "a need asks for nothing"),
        (need(0, 1, 3, False), "a forbidden cell is needed other than free"),
        (drawing(runs=[[1, 0, 2, 0]]), "a run is not two cells that are"),
        (drawing(end=[[2, 0]]), "the end is not one cell that is needed"),
        (drawing(end=[[1, 0]]), "the end is not one cell that is needed"),
        (drawing(forbidden=[[1, 1]]), "a forbidden move does not touch"),
        (drawing(forbidden=[[0, 1], [0, 1]]), "forbidden names something twice"),
        (away_with(runs=[[1, 0, 2, 0]]), "a drawing away from the live end has"),
        (
            away_with(needs=[[1, 2, 1, False]]),
            "a drawing away from the live end has areas or runs, or lies near",
        ),
        (
            away_with(lines=[["joined", 5, 5, 5, 6]]),
            "a drawing away from the live end has forced edges",
        ),
        (
            lambda f, d, p: (
                put(d, forbidden=[[0, -1]], poses=["NONE"]),
                put(p, poses=["NONE"], move=[0, -1]),
                put(f, parts=[p]),
            ),
            "part 1: the move leads back to the cell before the live end",
        ),
        (away_part(cells=[[0, 0]]), "part 1: away from the live end cells are"),
        (away_part(scope="PLANAR"), "part 1: away from the live end cells are"),
        (
            drawing(needs=[[1, 0, 1, True]]),
            "part 1: clause 1 does not follow: the empty clause",
        ),
    ],
    AREA: [
        (
            drawing(lines=[["passes", 1, 1, 3, 2]]),
            "a line is not two cells that are needed free, or no edge",
        ),
        (
            drawing(lines=[["joined", 0, 0, 1, 0]]),
            "a line is not two cells that are needed free, or no edge",
        ),
        (
            drawing(lines=[["before", 1, 1, 3, 3]]),
            "a line is not two cells that are needed free, or no edge",
        ),
        (
            drawing(lines=[["passes", 0, 0, 2, 1]]),
            "a line is not two cells that are needed free, or no edge",
        ),
        (drawing(lines=[["joined", 1, 1, 2]]), "a line is not two cells"),
        (drawing(lines=[["joined", 1, 1, 2, 999]]), "a line is no whole number"),
        (
            drawing(lines=[["joined", 2, 1, 1, 1], LINES[0]]),
            "a forced edge is given twice",
        ),
        (
            drawing(lines=[*LINES, ["mates", 1, 1, 3, 2]]),
            "an end of a forced line has not one forced edge, or two lines",
        ),
        (drawing(lines=[["before", 1, 1, 2, 1]] * 2), "lines names something twice"),
        (area(low=0, high=-1, kind="within"), "an area's bounds or its entry"),
        (area(entry=[3, 0]), "an area's bounds or its entry are none"),
        (area(wall=[1, 0]), "an area's line is not free cells in a row"),
        (area(base=[1, 0]), "an area's line is not free cells in a row"),
        (area(base=[3, 3]), "an area's line is not free cells in a row"),
        (area(base=[0, -2]), "an area's line is not free cells in a row"),
        (area(wall=[4, 4]), "an area's line is not free cells in a row"),
        (area(cells=[[1, 1], [2, 2]]), "an area's line is not free cells"),
        (area(cells=[[1, 1], [1, 1]]), "an area's line names something twice"),
        (part(drawing=2), "the drawing of a part is no whole number from 0"),
        (part(drawing=-1), "the drawing of a part is no whole number from 0"),
        (part(poses=["HALF"]), "a part is none of its drawing"),
        (part(move=[1, 0]), "a part is none of its drawing"),
        (part(cells=[[0, 0], [0, 0]]), "cells names something twice"),
        (part(names=[1]), "a name is no text"),
        (part(names=["free"]), "a name is not a word, then numbers and cells"),
        (part(names=["free 0,0"] * 2), "names names something twice"),
        (lambda f, d, p: p["names"].append("free 0,0"), "a name is in no clause"),
        (part(clauses="99999"), "a number of the clauses is none"),
        (part(clauses="+1"), "a number of the clauses is none"),
        (part(lemmas="0"), "a number of the lemmas is none"),
        (part(used="0\n"), "a number of the used is none"),
        (part(lemmas="\n", used="1"), "not each lemma says"),
        (part(lemmas="1 -1", used="1"), "a lemma names a variable twice"),
        (
            part(lemmas="\n", used="1\n"),
            "a lemma follows from nothing, or from a later one",
        ),
        (
            lambda f, d, p: put(
                p, lemmas="\n", used=f"{p['clauses'].count(chr(10)) + 2}\n1"
            ),
            "a lemma follows from nothing, or from a later one",
        ),
        (lambda f, d, p: f["parts"].append(p), "two parts prove the same"),
        (lambda f, d, p: f["parts"].pop(), "drawing 1, pose NONE, move [-1, 0] has no"),
        (cells([9, 9, 9]), "cells holds no pair of numbers"),
        (cells(less=1), "part 1: the cells leave out"),
        (
            lambda f, d, p: p["cells"].remove([0, 0]),
            "part 1: the cells leave out the live end or a marked cell",
        ),
        (
            lambda f, d, p: p["cells"].remove([-1, -1]),
            "part 1: the cells leave out the live end or a marked cell",
        ),
        (
            lambda f, d, p: p["cells"].remove([0, 1]),
            "part 1: the cells leave out a neighbour of a marked cell",
        ),
        (
            part(names=["p 0 1"], clauses="1", lemmas="", used="1"),
            "part 1: a formula about these cells has no name p 0 1",
        ),
        (
            part(names=["n 1 1 0"], clauses="1", lemmas="", used="1"),
            "part 1: a formula about these cells has no name n 1 1 0",
        ),
        (
            lambda f, d, p: put(p, clauses=p["clauses"].replace("-1 -3", "-1 -1", 1)),
            "part 1: clause 1 names a variable twice",
        ),
        (
            lambda f, d, p: put(
                p, clauses=p["clauses"].replace("-1 -3 -4", "-1 -4", 1)
            ),
            "part 1: clause 1 does not follow: not c (-3,-2) (-2,-2) or not c "
            "(-2,-2) (-1,-2)",
        ),
        (part(lemmas="", used="1"), "part 1: the proof fails: step 1 does not follow"),
        (
            lambda f, d, p: put(p, used=re.sub("^[0-9 ]+", "1 2", p["used"])),
            "part 1: the proof fails: step 1 does not follow",
        ),
        (
            part(lemmas="-1 -3 -4", used="1"),
            "part 1: the proof fails: it does not end with the empty clause",
        ),
    ],
    RIM: [
        (cells([5, 5]), "part 1: the cells are not one piece without holes"),
        (
            part(
                cells=[[0, 0]]
                + [
                    x for k in range(1, 201) for x in ([k, 0], [-k, 0], [0, k], [0, -k])
                ],
                names=["rowout -1"],
                clauses="1",
                lemmas="",
                used="1",
            ),
            "part 1: the cells are too many for a board with corners",
        ),
    ],
}


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [(name, *row) for name, of in FILES.items() for row in of],
)
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


def slower(f: Data) -> None:
    """Let a repeat add one less."""
    one = next(x for x in f["chains"] if len(x["bounds"][1]) > 1)
    one["bounds"][1][1] -= 1


def lower(f: Data) -> None:
    """Let a potential be less than what comes to it."""
    one = next(x for x in f["chains"] if "(" in x["steps"])
    f["chains"] = [one]
    cut = one["potentials"][1][0]
    cut[:] = [None if x is None else x - 2 for x in cut]


FAMILIES: dict[str, list[tuple[Callable[[Data], object], str]]] = {
    "up-small": [
        (top(family_format=2), "it is no certificate of a family"),
        (top(name=""), "the name is none that a family can have"),
        (top(name="a\nb"), "the name is none that a family can"),
        (top(wall_states=3), "the wall may be free"),
        (top(first=[1, 0]), "the first cell lies neither ahead"),
        (top(wall=[-1, 0]), "the wall does not lie on from the"),
        (top(members="any"), "members is none of border, corner"),
        (
            lambda f: f.update(chains=f["chains"][:1] * 1001),
            "there are more than 1000 chains",
        ),
        (lambda f: f["beside"].append([0, 0]), "a need is not left, ahead, states"),
        (top(first=[0]), "the first cell is no pair of numbers"),
        (chain(steps="B"), "'B' are no steps of a chain"),
        (chain(steps="A" * 61), f"'{'A' * 60}' are no steps of a chain"),
        (chain(steps="A(AA)A"), "A(AA)A: no drawing has so many 'AA'"),
        (chain(move=[1, 1]), "the move of a chain touches no live end, or leads"),
        (
            chain(move=[0, -1], turn="NONE"),
            "the move of a chain touches no live end, or leads back",
        ),
        (
            chain(steps="A(AAAA)A(AAAA)A(AAAA)A"),
            "A(AAAA)A(AAAA)A(AAAA)A: more than two repeats",
        ),
        (chain(bounds=[[0]]), "a chain has not two bounds, with potentials"),
        (chain(bounds=[[0], [0, 0]]), "a bound has not a number for each repeat"),
        (chain(potentials=[[], []]), "potentials is no list of 1 or more"),
        (
            lambda f: f["chains"][-1]["potentials"][0].append([None] * 9),
            "there are not potentials for each cut",
        ),
        (
            lambda f: f["chains"][0]["potentials"][0][0].pop(),
            "a cut has not a potential for each state",
        ),
        (closer, "chain 1: the last cell: a surplus beyond the bounds is left"),
        (slower, "a repeat adds more than is allowed"),
        (lower, "step 1: the potentials do not rise"),
        (lambda f: f["chains"].pop(), "no chain for "),
    ],
    "corner": [
        (chain(steps="L(AAAA)L"), "L(AAAA)L: 'AAAA' ends with another step"),
        (
            lambda f: f.update(
                first=[0, 1], chains=[x for x in f["chains"] if x["steps"][0] == "L"]
            ),
            "the second cell touches a neighbour of the live end",
        ),
    ],
}


@pytest.mark.parametrize(
    ("name", "change", "why"), [(x, *row) for x, of in FAMILIES.items() for row in of]
)
def test_a_family_is_refused_for_its_own_fault(
    name: str, change: Callable[[Data], object], why: str
) -> None:
    data = json.loads(family_text(name))
    assert family_fault(data) == "none"
    change(data)
    assert why in family_fault(data)


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
    for name, change, _ in ((name, *row) for name, of in FILES.items() for row in of):
        data = json.loads(stored(name))
        change(data, data["rule"]["drawings"][0], data["parts"][0])
        met.append(fault_of(data))
    for name, alter, _ in ((x, *row) for x, of in FAMILIES.items() for row in of):
        data = json.loads(family_text(name))
        alter(data)
        met.append(family_fault(data))
    for text, spoil, _ in dead.REFUSED:
        data = spoil(dead.data_of(dead.honest_of(text)))
        met.append(str(find_dead_fault(text, data)))
    met.append(fault_of(json.loads(stored("c-shape")) | {"hash": ""}, hashed=False))
    elsewhere = (
        "the file has more than",
        "it unpacks to more than",
        "the file is cut short",
        "it is not xz",
        "a cell lies on both sides",
        "a drawing has more than",  # tests/proof/test_claims.py
        ".* is one cell twice",  # tests/proof/test_reading.py
        ".* is neither true nor false",
    )
    missing = {
        place: pattern
        for place, pattern in messages().items()
        if not any(re.fullmatch(f"(?s:.*: )?{pattern}", one) for one in met)
        and not pattern.replace("\\", "").startswith(elsewhere)
    }
    assert missing == {}


# Right reasons ------------------------------------------------------------------

RIGHT = ("3x9@1,5>3,5:", "4:R", "5:RRDL", "5:RRRDDRDL", "7:RRDRURDDLDLDR")


def kinds(reason: Reason) -> set[str]:
    """Return the kinds of a reason and of all its steps."""
    return {reason.kind}.union(*(kinds(step) for step in reason.steps))


def test_right_reasons_are_accepted_and_each_step_counts() -> None:
    """Honest reasons of every kind; one with an edge more or a fact less is none."""
    seen = set[str]()
    for text in RIGHT:
        for rules in ("universal-probing", "universal-4", "two-factor", "block-chain"):
            for forbid in load_rules(rules).forbids(Position.parse(text)):
                reason = forbid.reason
                assert find_reason_fault(text, forbid.move, reason) is None
                seen |= kinds(reason)
                for at, step in enumerate(reason.steps):
                    wrong = replace(step, edges=(*step.edges, (-2, -1)))
                    steps = (*reason.steps[:at], wrong, *reason.steps[at + 1 :])
                    spoilt = replace(reason, steps=steps)
                    assert find_reason_fault(text, forbid.move, spoilt) is not None
    assert seen >= {"forced", "no-loop", "tight", "probe", "starved", "overdrawn"}
    assert seen >= {"cut-off", "block", "loop"}


# Each number of an argument is compared: the facts that a picture shows.
def test_each_fact_is_compared() -> None:
    area = (3, 6)
    right = {"black": 1, "white": 1, "wanted": 0, "at-black": 1, "at-white": 1}
    for name, number in right.items():
        facts = ((name, number),)
        why = find_reason_fault(*GOOD, because("overdrawn", area=area, facts=facts))
        assert why == "overdrawn: 0 lies in -1 to 1"
        facts = ((name, number + 1),)
        why = find_reason_fault(*GOOD, because("overdrawn", area=area, facts=facts))
        assert why == f"overdrawn: {name} is {number}, not {number + 1}"


def test_a_probe_that_fails_neither_way_decides_nothing() -> None:
    """Neither way is cell 8 starved, so nothing is decided."""
    for assumed in (0, 1):
        facts = (("assumed", assumed),)
        inner = (because("starved", cells=(8,)),)
        of = {"edges": ((5, 8),), "facts": facts, "steps": inner}
        why = find_reason_fault(*GOOD, after("probe", **of))
        wants = "starved: cell 8 can still have"
        assert str(why).startswith(wants)
