"""Certificates of dead positions, honest and forged, before the independent checker."""

import copy
import json
import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from solver.board import Board, Position
from solver.oracles.exact import strips_walk
from solver.oracles.oracle import Verdict, get_oracle
from solver.positions import completable_positions
from solver.solid.certificate import find_certificate
from solver.solid.grid import augment, load
from solver.solid.static import new_room
from tests.doubles.solid import alternating, flipped, side
from tests.solid.worlds import dark_of, graph_of
from verify.checker.dead import find_dead_fault
from verify.corpus.cases import corpus_folder
from verify.display import picture

# Dead, and no cut says why.
STRIPS = (
    "13:RRRDDLULLDRDLDRRURRRULUURDRURRRRRRDDLULDDRRDDLULDLUULURULLDLDRDRDDLULULD"
    "LULDDLULLDRDLDRDLDDDRUURURDDLDRRRRRRRRULLLUUU"
)
# Ends beside each other on the rim: a border square without dark sides.
SLIT = "4x6@1,3>1,4:"
KINDS = {"colours": "5:RRRRDDDLUULDDLD", "cuts": "7:RRDLLDRRRUURDRURDDDDLL"}
LEVELS = "9@1,5>9,5:RRRRDDLULLDRDRRDDLULDDLLDRD"  # two levels, doors of both colours
OTHER_LEVELS = "7:DRURRRDDRUURDDDDDLLLLUU"  # two levels, doors of both levels
THREE = "7:DDDDDDRRULUUUUURDDRRDD"  # at the border three cells of a square
# Start and end on the rim, not in corners; no strip at all.
RIM = "9@1,5>9,5:RRDDRR"
LYING = "9@5,1>5,9:DDRRDD"


def data_of(text: str) -> dict[str, Any]:
    position = Position.parse(text)
    found = find_certificate(position)
    assert found is not None
    data: dict[str, Any] = json.loads(json.dumps(found.data))
    return data


@cache
def kept() -> dict[str, dict[str, Any]]:
    """Return certificates of kind `family`, which older releases wrote."""
    paths = (corpus_folder() / "dead").glob("*.json")
    pages = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    found = {page["position"]: page["certificate"] for page in pages}
    return {text: data for text, data in found.items() if data["kind"] == "family"}


def strips_of(text: str) -> dict[str, Any]:
    return copy.deepcopy(kept()[text])


@cache
def dead_of_five() -> list[Position]:
    return [
        position.step(move)
        for position, good in completable_positions(Board.square(5))
        for move in position.options()
        if move not in good
    ]


def test_every_dead_position_of_5x5_has_a_certificate() -> None:
    kinds = Counter[str]()
    for position in dead_of_five():
        data = data_of(position.notation)
        kinds[data["kind"]] += 1
        assert find_dead_fault(position.notation, data) is None
    assert kinds == {"colours": 438, "cuts": 198}


def test_completable_positions_have_none() -> None:
    for position, _ in list(completable_positions(Board.square(5)))[::7]:
        assert find_certificate(position) is None


@pytest.mark.parametrize("text", [*KINDS.values(), LEVELS, OTHER_LEVELS, STRIPS])
def test_kinds(text: str) -> None:
    assert find_dead_fault(text, data_of(text)) is None
    assert get_oracle("sat").decide(Position.parse(text)).verdict is Verdict.DEAD


@pytest.mark.parametrize("text", [RIM, LYING, KINDS["cuts"], LEVELS, THREE, STRIPS])
def test_strips_refute_what_cuts_refute(text: str) -> None:
    assert find_dead_fault(text, strips_of(text)) is None


def test_levels_may_be_as_many_as_there_are_cells() -> None:
    data = data_of(KINDS["cuts"])
    data["levels"] = [49 * level for level in data["levels"]]
    assert find_dead_fault(KINDS["cuts"], data) is None


def by_moves(text: str, deep: int) -> dict[str, Any]:
    """Return a certificate of each move's, so many moves ahead."""
    if deep == 0:
        return data_of(text)
    moves = Position.parse(text).options()
    return {"kind": "moves", "moves": {x: by_moves(text + x, deep - 1) for x in moves}}


@pytest.mark.parametrize("text", ["5:RRRD", "5:RRRRDDDLUL"])
def test_a_position_is_dead_if_all_its_moves_are(text: str) -> None:
    for deep in range(4):
        fault = find_dead_fault(text, by_moves(text, deep))
        assert fault is None if deep < 3 else "too deep" in str(fault)
    for move in Position.parse(text).options():
        data = by_moves(text, 1)
        del data["moves"][move]
        assert find_dead_fault(text, data) == f"move {move} has no certificate"


def test_levels_of_levels() -> None:
    assert max(data_of(LEVELS)["levels"]) == 2


def test_strips_say_what_no_cut_can() -> None:
    assert data_of(STRIPS)["kind"] == "static"
    data = strips_of(STRIPS)
    assert len(data["members"]) == 2
    fault = find_dead_fault(STRIPS, data | {"members": data["members"][:1]})
    assert fault is not None
    assert "leaves the family" in fault


def test_a_strip_within_another() -> None:
    """A walk on which counting strips in pairs comes to no answer."""
    whole = strips_walk(Board.square(101), 27)
    assert whole is not None
    after = whole.back(len(whole.walk) - 7276).step("D")
    data = data_of(after.notation)
    assert data["kind"] == "static"
    assert find_dead_fault(after.notation, data) is None


KIND = "unknown kind {!r}, or moves that are no table or too deep".format
DOORS = "the region needs {} such doors and has {}".format
OPEN = "nothing closes the door {}".format
LIST = "the {} is no list of whole numbers".format
CUTS = KINDS["cuts"]
REGION = "the region is empty, names a cell twice or a visited one"
LEVEL = "the levels are not one for each cell, from 0 to their number"
EDGE = "an edge is none of the graph, or there twice"
MEMBER = "a factor of the family is no table, or names no cell"
PART = "the component is no part of the graph, or all of it"
FIRST = "the first factor is none of the family"
WITHIN = "the walk begins or ends within the board"
COLOUR = "the colour is neither black nor white"
# One wrong thing each: position, certificate, and the fault.
A = "5:RRRRDDDLUULDDLD"
GOOD = {"kind": "colours", "colour": "white"}
REFUSED: list[tuple[str, Callable[[dict[str, Any]], object], str]] = [
    (A, lambda c: [c], "the certificate is no table"),
    (A, lambda c: c | {"kind": "magic"}, KIND("magic")),
    (A, lambda c: c | {"kind": ["cuts"]}, KIND(["cuts"])),
    (A, lambda c: c | {"kind": "moves", "moves": [c]}, KIND("moves")),
    (A, lambda c: {"kind": "moves", "moves": {}}, "move L has no certificate"),
    (A, lambda c: nested(c, "ULDR", 3), KIND("moves")),
    ("5:RRRRDDDD", lambda c: {"kind": "moves", "moves": {}}, "the walk is at its end"),
    (A + "U", lambda c: c, "step 16: cell 16 is visited twice"),
    (A, lambda c: c | {"colour": "red"}, COLOUR),
    (A, lambda c: c | {"colour": 1}, COLOUR),
    (A, lambda c: c | {"colour": "black"}, DOORS(-4, 0)),
    (A, lambda c: c | {"region": "all"}, LIST("region")),
    (A, lambda c: c | {"region": [True]}, LIST("region")),
    (A, lambda c: c | {"region": []}, REGION),
    (A, lambda c: c | {"region": c["region"] * 2}, REGION),
    (A, lambda c: c | {"region": [0, *c["region"]]}, REGION),
    (A, lambda c: c | {"region": c["region"][1:]}, DOORS(2, 2)),
    (CUTS, lambda c: c | {"region": rest(CUTS)}, "the region is the whole graph"),
    (CUTS, lambda c: c | {"levels": 0}, LIST("levels")),
    (CUTS, lambda c: c | {"levels": c["levels"][1:]}, LEVEL),
    (CUTS, lambda c: c | {"levels": [-1] * 49}, LEVEL),
    (CUTS, lambda c: c | {"levels": [50] * 49}, LEVEL),
    (CUTS, lambda c: c | {"levels": [0] * 49}, OPEN("24-25")),
    (CUTS, lambda c: c | {"colour": other(c)}, OPEN("25-24")),
    (CUTS, lambda c: lifted(c), "level 1: its surplus is not the number of its doors"),
    (STRIPS, lambda c: c | {"edges": 3}, "the edges are no list"),
    (STRIPS, lambda c: c | {"edges": [3]}, LIST("edge")),
    (STRIPS, lambda c: c | {"edges": [[3]]}, EDGE),
    (STRIPS, lambda c: c | {"edges": c["edges"] + [[0, 1]]}, EDGE),
    (STRIPS, lambda c: c | {"edges": [e[::-1] for e in c["edges"]]}, EDGE),
    (STRIPS, lambda c: c | {"edges": [[*e, 0] for e in c["edges"]]}, EDGE),
    (STRIPS, lambda c: c | {"edges": c["edges"] * 2}, EDGE),
    (
        STRIPS,
        lambda c: c | {"edges": c["edges"][1:]},
        "cell 82 has 1 edges of the factor",
    ),
    (STRIPS, lambda c: c | {"members": None}, FIRST),
    (STRIPS, lambda c: c | {"members": c["members"][1:]}, FIRST),
    (
        STRIPS,
        lambda c: c | {"members": c["members"][:1]},
        "the strip from 97 leaves the family",
    ),
    (STRIPS, lambda c: c | {"members": [0]}, MEMBER),
    (STRIPS, lambda c: c | {"members": [{"squares": []}]}, MEMBER),
    (STRIPS, lambda c: begun(c, inside=0), PART),
    (STRIPS, lambda c: begun(c, inside=-1), PART),
    (STRIPS, lambda c: begun(c, squares="1"), LIST("squares")),
    (STRIPS, lambda c: begun(c, squares=[0]), FIRST),
    (LEVELS, lambda c: c | {"levels": [min(1, k) for k in c["levels"]]}, OPEN("77-78")),
    (SLIT, lambda c: around_slit(), "border square 2 has no dark side"),
    *(
        (text, lambda c: {"kind": "family"}, WITHIN)
        for text in ("5@2,3>1,1:", "5@4,3>1,1:", "5@1,1>3,2:", "5@3,4>1,1:")
    ),
    ("5!3,3:RR", lambda c: {"kind": "family"}, "the board has walls"),
    ("5@3,3>1,1:R", lambda c: {"kind": "family"}, WITHIN),
    ("5@1,1>3,3:R", lambda c: {"kind": "family"}, WITHIN),
    ("5:RRRRDDDD", lambda c: {"kind": "family"}, "the walk has been at its end"),
    ("5:RRRRDDDDL", lambda c: {"kind": "family"}, "the walk has been at its end"),
]


def around_slit() -> dict[str, Any]:
    """Return a factor: a path along the rim around two loops of four cells."""
    rim = [2, 1, 0, 6, 12, 18, 19, 20, 21, 22, 23, 17, 11, 5, 4, 3]
    loops = [[7, 8, 14, 13, 7], [9, 10, 16, 15, 9]]
    edges = [sorted(edge) for way in (rim, *loops) for edge in pairwise(way)]
    members = [{"squares": way, "inside": 8} for way in ([], [1])]
    return {"kind": "family", "edges": edges, "members": members}


def begun(data: dict[str, Any], **change: object) -> dict[str, Any]:
    """Change the first factor of a family."""
    first, *others = data["members"]
    return data | {"members": [first | change, *others]}


def rest(text: str) -> list[int]:
    position = Position.parse(text)
    return [*position.free.nonzero()[0].tolist(), position.live_end]


def other(data: dict[str, Any]) -> str:
    return {"black": "white", "white": "black"}[data["colour"]]


def lifted(data: dict[str, Any]) -> dict[str, Any]:
    """Lift one cell above a level."""
    level = [2 * one for one in data["levels"]]
    return data | {"levels": [one + (i == 48) for i, one in enumerate(level)]}


def nested(data: dict[str, Any], moves: str, deep: int) -> dict[str, Any]:
    for _ in range(deep):
        data = {"kind": "moves", "moves": dict.fromkeys(moves, data)}
    return data


def honest_of(text: str) -> dict[str, Any]:
    """Return the certificate that is changed for a refusal at a position."""
    if text == STRIPS:
        return strips_of(STRIPS)
    return data_of(LEVELS if text == LEVELS else KINDS["cuts"] if "7:" in text else A)


@pytest.mark.parametrize(("text", "change", "why"), REFUSED)
def test_each_condition_refuses(
    text: str, change: Callable[[dict[str, Any]], object], why: str
) -> None:
    assert find_dead_fault(text, change(honest_of(text))) == why


def forged(rng: random.Random, honest: list[tuple[str, Any]]) -> tuple[str, Any]:
    """Return a certificate of another position, or a changed one."""
    text, data = rng.choice(honest)
    data = copy.deepcopy(data)
    for _ in range(rng.randint(0, 3)):
        keys = [key for key in data if isinstance(data[key], list) and data[key]]
        if not keys:
            break
        key = rng.choice(keys)
        i, what = rng.randrange(len(data[key])), rng.randrange(4)
        if what == 0:
            del data[key][i]
        elif what == 1:
            data[key].append(copy.deepcopy(data[key][i]))
        elif key == "edges":
            data[key][i] = [rng.randrange(169), rng.randrange(169)]
        elif key == "members":
            data[key][i]["inside"] = rng.randrange(169)
            data[key][i]["squares"] = data[key][i]["squares"][rng.randrange(2) :]
        else:
            data[key][i] += rng.choice([-1, 1, 5])
    if rng.random() < 0.2 and "colour" in data:
        data["colour"] = other(data)
    return text, data


def half_a_family(rng: random.Random, text: str) -> dict[str, Any] | None:
    """Return a factor of several components, and most that strips make of it."""
    position = Position.parse(text)
    graph, cols = graph_of(position), position.board.cols
    s, _ = new_room(position.board)
    load(s, position)
    augment(s)
    dark = dark_of(s, graph)
    for _ in range(rng.randrange(8)):
        turning = [q for q in graph.squares() if alternating(q, dark)]
        dark = flipped(dark, rng.sample(turning, min(len(turning), 1)))
    components = sorted(graph.components(dark), key=sorted)
    if len(components) == 1:
        return None
    inside = rng.choice(sorted(rng.choice(components)))
    ways: list[list[tuple[int, int]]] = [[]]
    for q in graph.squares():
        bits = sum(side(q, d) in dark for d in range(4))
        if graph.is_border(q, dark) and bits and rng.random() < 0.9:
            ways += [[q]] if alternating(q, dark) else []
            ways += [graph.strip(q, dark)] if bits == 1 else []
    edges = [sorted(r * cols + c for r, c in edge) for edge in dark]
    members = [
        {
            "squares": [r * cols + c for r, c in way],
            "inside": inside[0] * cols + inside[1],
        }
        for way in ways
        if way or not ways[0]
    ]
    return {"kind": "family", "edges": edges, "members": members}


@cache
def alive_and_honest() -> tuple[list[str], list[tuple[str, Any]]]:
    honest = [(p.notation, data_of(p.notation)) for p in dead_of_five()[::3]]
    honest += [(text, data_of(text)) for text in (*KINDS.values(), LEVELS)]
    honest.append((STRIPS, strips_of(STRIPS)))
    alive = [p.notation for p, _ in completable_positions(Board.square(5))]
    alive += [
        Position.parse(text).back(i).notation for text, _ in honest for i in (1, 2)
    ]
    oracle = get_oracle("search")
    alive = [
        text
        for text in dict.fromkeys(alive)
        if oracle.decide(Position.parse(text)).verdict is Verdict.COMPLETABLE
    ]
    return alive, honest


def believed(judge: Callable[[str, object], str | None], count: int) -> list[str]:
    """Return the completable positions that a forged certificate is believed of."""
    rng, (alive, honest) = random.Random(29), alive_and_honest()
    found = []
    for _ in range(count):
        text, data = forged(rng, honest)
        side = text.split(":")[0]
        near = [one for one in alive if one.startswith(side + ":")]
        if not near:
            continue
        text = rng.choice(near)
        if rng.random() < 0.3:
            data = half_a_family(rng, text) or data
        if judge(text, data) is None:
            found.append(text)
    return found


@pytest.mark.parametrize("count", [500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_forged_certificates_of_completable_positions(count: int) -> None:
    assert believed(find_dead_fault, count) == []


def test_changed_certificates_of_dead_positions_prove_what_they_say() -> None:
    """A changed one may still be right: the position is dead, whatever is believed."""
    rng, (_, honest) = random.Random(31), alive_and_honest()
    refused = sum(
        find_dead_fault(*forged(rng, honest)) is not None for _ in range(2000)
    )
    assert 800 < refused < 2000


def test_doors_are_drawn() -> None:
    found = find_certificate(Position.parse(KINDS["colours"]))
    assert found is not None
    svg = picture(Position.parse(A), (), marked=found.region, doors=found.doors)
    assert svg.count('class="door"') == len(found.doors) > 0
    assert svg.count('class="area"') == len(found.region)
