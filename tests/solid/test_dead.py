"""Certificates of dead positions, honest and forged, before the independent checker."""

import copy
import json
import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from solver.board import Board, Position
from solver.oracles.exact import strips_walk
from solver.oracles.oracle import Verdict, get_oracle
from solver.positions import completable_positions
from solver.solid.certificate import find_certificate
from verify.checker.dead import find_dead_fault

# Dead, and no cut says why.
STRIPS = (
    "13:RRRDDLULLDRDLDRRURRRULUURDRURRRRRRDDLULDDRRDDLULDLUULURULLDLDRDRDDLULULD"
    "LULDDLULLDRDLDRDLDDDRUURURDDLDRRRRRRRRULLLUUU"
)
KINDS = {"colours": "5:RRRRDDDLUULDDLD", "cuts": "7:RRDLLDRRRUURDRURDDDDLL"}
LEVELS = "9@1,5>9,5:RRRRDDLULLDRDRRDDLULDDLLDRD"  # two levels, doors of both colours
OTHER_LEVELS = "7:DRURRRDDRUURDDDDDLLLLUU"  # two levels, doors of both levels


def data_of(text: str) -> dict[str, Any]:
    position = Position.parse(text)
    certificate = find_certificate(position)
    assert certificate is not None
    data: dict[str, Any] = json.loads(json.dumps(certificate.data))
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


@pytest.mark.parametrize("text", [*KINDS.values(), LEVELS, OTHER_LEVELS, STRIPS])
def test_kinds(text: str) -> None:
    assert find_dead_fault(text, data_of(text)) is None
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
CUTS = KINDS["cuts"]
REGION = "the region names a cell twice or a visited one"
LEVEL = "the levels are not one for each cell, up to their number"
# Three white cells around a black one: a level with a surplus and no door at all.
STAR = "3x4@2,4>2,3!1,1;1,3;1,4;3,1;3,3;3,4:"
SHUT = {
    "kind": "cuts",
    "colour": "white",
    "region": [1, 4, 5, 9],
    "levels": [int(cell in (1, 4, 5, 9)) for cell in range(12)],
}
# One wrong thing each: position, certificate, and the fault.
A = "5:RRRRDDDLUULDDLD"
REFUSED: list[tuple[str, Callable[[dict[str, Any]], object], str]] = [
    (A, lambda c: [c], "Expected `object`, got `array`"),
    (A, lambda c: c | {"kind": "magic"}, "Invalid value 'magic' - at `$.kind`"),
    (A, lambda c: c | {"kind": ["cuts"]}, "Expected `str`, got `list` - at `$.kind`"),
    (A + "U", lambda c: c, "step 16: cell 16 is visited twice"),
    (A, lambda c: c | {"colour": "red"}, "Invalid enum value 'red' - at `$.colour`"),
    (A, lambda c: c | {"colour": "black"}, DOORS(-4, 0)),
    (
        A,
        lambda c: c | {"region": [True]},
        "Expected `int`, got `bool` - at `$.region[0]`",
    ),
    (A, lambda c: c | {"region": [0, *c["region"]]}, REGION),
    (A, lambda c: c | {"region": c["region"][1:]}, DOORS(2, 2)),
    (CUTS, lambda c: c | {"region": rest(CUTS)}, "the region is the whole graph"),
    (CUTS, lambda c: c | {"levels": c["levels"][1:]}, LEVEL),
    (
        CUTS,
        lambda c: c | {"levels": [-1] * 49},
        "Expected `int` >= 0 - at `$.levels[0]`",
    ),
    (CUTS, lambda c: c | {"levels": [50] * 49}, LEVEL),
    (CUTS, lambda c: c | {"levels": [0] * 49}, OPEN("24-25")),
    (CUTS, lambda c: c | {"colour": other(c)}, OPEN("25-24")),
    (CUTS, lambda c: lifted(c), "level 1: its surplus is not the number of its doors"),
    (STAR, lambda _: SHUT, "level 1: its surplus is not the number of its doors"),
    (LEVELS, lambda c: c | {"levels": [min(1, k) for k in c["levels"]]}, OPEN("77-78")),
]


def rest(text: str) -> list[int]:
    position = Position.parse(text)
    return [*position.free.nonzero()[0].tolist(), position.live_end]


def other(data: dict[str, Any]) -> str:
    return {"black": "white", "white": "black"}[data["colour"]]


def lifted(data: dict[str, Any]) -> dict[str, Any]:
    """Lift one cell above a level."""
    levels = [2 * level for level in data["levels"]]
    levels[48] += 1
    return data | {"levels": levels}


def honest_of(text: str) -> dict[str, Any]:
    """Return the certificate that is changed for a refusal at a position."""
    return data_of(LEVELS if text == LEVELS else KINDS["cuts"] if "7:" in text else A)


@pytest.mark.parametrize(("text", "change", "why"), REFUSED)
def test_each_condition_refuses(
    text: str, change: Callable[[dict[str, Any]], object], why: str
) -> None:
    assert find_dead_fault(text, change(honest_of(text))) == why


def changed(rng: random.Random, data: dict[str, Any]) -> dict[str, Any]:
    """Return a certificate with up to three random changes."""
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
            data[key].append(data[key][i])
        else:
            data[key][i] += rng.choice([-1, 1, 5])
    if rng.random() < 0.2 and "colour" in data:
        data["colour"] = other(data)
    return data


@cache
def alive_and_honest() -> tuple[list[str], list[tuple[str, Any]]]:
    """Return completable positions, and certificates of dead positions."""
    dead = [*dead_of_five()[::3], *map(Position.parse, (*KINDS.values(), LEVELS))]
    honest = [(position.notation, data_of(position.notation)) for position in dead]
    near = [position.back(i) for position in dead for i in (1, 2)]
    near += [position for position, _ in completable_positions(Board.square(5))]
    oracle = get_oracle("search")
    alive = {
        position.notation
        for position in near
        if oracle.decide(position).verdict is Verdict.COMPLETABLE
    }
    return sorted(alive), honest


@pytest.mark.parametrize("count", [500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_forged_certificates_of_completable_positions(count: int) -> None:
    rng, (alive, honest) = random.Random(29), alive_and_honest()
    for _ in range(count):
        text, data = rng.choice(honest)
        board = text.split(":")[0]
        alike = [place for place in alive if place.split(":")[0] == board]
        if alike:
            assert find_dead_fault(rng.choice(alike), changed(rng, data)) is not None
