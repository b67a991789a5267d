"""Certificates of dead positions, honest and forged, before the independent checker."""

import json
import random
from collections import Counter
from collections.abc import Callable
from functools import cache

import pytest

from solver.board import Board, Position
from solver.oracles.exact import strips_walk
from solver.oracles.oracle import Verdict, get_oracle
from solver.positions import completable_positions
from solver.solid.certificate import find_certificate
from tests.solid.forgers import Data, spoiled
from verify.checker.dead import find_dead_fault

# Dead, and no cut says why.
STRIPS = (
    "13:RRRDDLULLDRDLDRRURRRULUURDRURRRRRRDDLULDDRRDDLULDLUULURULLDLDRDRDDLULULD"
    "LULDDLULLDRDLDRDLDDDRUURURDDLDRRRRRRRRULLLUUU"
)
KINDS = {"colours": "5:RRRRDDDLUULDDLD", "cuts": "7:RRDLLDRRRUURDRURDDDDLL"}
KINDS["apart"] = "2x5@1,3>2,3:"
LEVELS = "9@1,5>9,5:RRRRDDLULLDRDRRDDLULDDLLDRD"  # two levels, doors of both colours
OTHER_LEVELS = "7:DRURRRDDRUURDDDDDLLLLUU"  # two levels, doors of both levels


def data_of(text: str) -> Data:
    position = Position.parse(text)
    certificate = find_certificate(position)
    assert certificate is not None
    data: Data = json.loads(json.dumps(certificate.data))
    return data


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


MORE = [("cuts", LEVELS), ("cuts", OTHER_LEVELS), ("static", STRIPS)]


@pytest.mark.parametrize(("kind", "text"), [*KINDS.items(), *MORE])
def test_kinds(kind: str, text: str) -> None:
    data = data_of(text)
    assert data["kind"] == kind
    assert find_dead_fault(text, data) is None
    assert get_oracle("sat").decide(Position.parse(text)).verdict is Verdict.DEAD


def test_a_strip_within_another() -> None:
    """A walk on which counting strips in pairs comes to no answer."""
    whole = strips_walk(Board.square(101), 27)
    assert whole is not None
    after = whole.back(len(whole.walk) - 7276).step("D")
    data = data_of(after.notation)
    assert data["kind"] == "static"
    assert find_dead_fault(after.notation, data) is None


DOORS = "the region needs {} such doors and has {}".format
OPEN = "nothing closes the door {}".format
CUTS, COLOURS = KINDS["cuts"], KINDS["colours"]
REGION = "the region names a cell twice or a visited one"
LEVEL = "the levels are not one for each cell, up to their number"
SURPLUS = "level 1: its surplus is not the number of its doors"
# Three white cells around a black one: a level with a surplus and no door at all.
STAR = "3x4@2,4>2,3!1,1;1,3;1,4;3,1;3,3;3,4:"
SHUT = {
    "kind": "cuts",
    "colour": "white",
    "region": [1, 4, 5, 9],
    "levels": [int(cell in (1, 4, 5, 9)) for cell in range(12)],
}


def turned(data: Data) -> Data:
    """Turn the colour round."""
    return data | {"colour": {"black": "white", "white": "black"}[data["colour"]]}


def lifted(data: Data) -> Data:
    """Lift one cell above a level."""
    levels = [2 * level for level in data["levels"]]
    levels[48] += 1
    return data | {"levels": levels}


def whole(data: Data) -> Data:
    position = Position.parse(CUTS)
    return data | {"region": [*position.free.nonzero()[0].tolist(), position.live_end]}


# One wrong thing each: position, its certificate changed, and the fault.
REFUSED: list[tuple[str, Callable[[Data], object], str]] = [
    (COLOURS + "U", lambda c: c, "step 16: cell 16 is visited twice"),
    (COLOURS, turned, DOORS(-4, 0)),
    (COLOURS, lambda c: c | {"region": [0, *c["region"]]}, REGION),
    (COLOURS, lambda c: c | {"region": c["region"][:1] * 2}, REGION),
    (COLOURS, lambda c: c | {"region": c["region"][1:]}, DOORS(2, 2)),
    (CUTS, whole, "the region is the whole graph"),
    (CUTS, lambda c: c | {"levels": c["levels"][1:]}, LEVEL),
    (CUTS, lambda c: c | {"levels": [50] * 49}, LEVEL),
    (CUTS, lambda c: c | {"levels": [49] * 49}, OPEN("24-25")),
    (CUTS, turned, OPEN("25-24")),
    (CUTS, lifted, SURPLUS),
    (STAR, lambda _: SHUT, SURPLUS),
    (LEVELS, lambda c: c | {"levels": [min(1, k) for k in c["levels"]]}, OPEN("77-78")),
]


@pytest.mark.parametrize(("text", "change", "why"), REFUSED)
def test_each_condition_refuses(
    text: str, change: Callable[[Data], object], why: str
) -> None:
    honest = {} if text == STAR else data_of(text.removesuffix("U"))
    assert find_dead_fault(text, change(honest)) == why


@cache
def alive_and_honest() -> tuple[list[str], list[Data]]:
    """Return completable positions, and certificates of dead positions."""
    dead = [*dead_of_five()[::3], *map(Position.parse, (*KINDS.values(), LEVELS))]
    near = [x.back(i) for x in dead for i in (1, 2) if len(x.walk) > i]
    near += [position for position, _ in completable_positions(Board.square(5))]
    oracle = get_oracle("search")
    alive = {
        position.notation
        for position in near
        if oracle.decide(position).verdict is Verdict.COMPLETABLE
    }
    return sorted(alive), [data_of(position.notation) for position in dead]


@pytest.mark.parametrize("count", [500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_forged_certificates_of_completable_positions(count: int) -> None:
    rng, (alive, honest) = random.Random(29), alive_and_honest()
    for _ in range(count):
        text, data = rng.choice(alive), rng.choice(honest)
        for _ in range(rng.randint(0, 3)):
            data = spoiled(rng, data, Position.parse(text).board.cells)
        assert find_dead_fault(text, data) is not None
