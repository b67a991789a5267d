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
from verify.display import picture

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
    found = find_certificate(position)
    assert found is not None
    data: dict[str, Any] = json.loads(json.dumps(found.data))
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


def test_completable_positions_have_none() -> None:
    for position, _ in list(completable_positions(Board.square(5)))[::7]:
        assert find_certificate(position) is None


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
# One wrong thing each: position, certificate, and the fault.
A = "5:RRRRDDDLUULDDLD"
GOOD = {"kind": "colours", "colour": "white"}
REFUSED: list[tuple[str, Callable[[dict[str, Any]], object], str]] = [
    (A, lambda c: [c], "Expected `object`, got `array`"),
    (A, lambda c: c | {"kind": "magic"}, "Invalid value 'magic' - at `$.kind`"),
    (A, lambda c: c | {"kind": ["cuts"]}, "Expected `str`, got `list` - at `$.kind`"),
    (A + "U", lambda c: c, "step 16: cell 16 is visited twice"),
    (A, lambda c: c | {"colour": "red"}, "Invalid enum value 'red' - at `$.colour`"),
    (A, lambda c: c | {"colour": 1}, "Expected `str`, got `int` - at `$.colour`"),
    (A, lambda c: c | {"colour": "black"}, DOORS(-4, 0)),
    (A, lambda c: c | {"region": "all"}, "Expected `array`, got `str` - at `$.region`"),
    (
        A,
        lambda c: c | {"region": [True]},
        "Expected `int`, got `bool` - at `$.region[0]`",
    ),
    (
        A,
        lambda c: c | {"region": []},
        "Expected `array` of length >= 1 - at `$.region`",
    ),
    (A, lambda c: c | {"region": c["region"] * 2}, REGION),
    (A, lambda c: c | {"region": [0, *c["region"]]}, REGION),
    (A, lambda c: c | {"region": c["region"][1:]}, DOORS(2, 2)),
    (CUTS, lambda c: c | {"region": rest(CUTS)}, "the region is the whole graph"),
    (CUTS, lambda c: c | {"levels": 0}, "Expected `array`, got `int` - at `$.levels`"),
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
    (LEVELS, lambda c: c | {"levels": [min(1, k) for k in c["levels"]]}, OPEN("77-78")),
]


def rest(text: str) -> list[int]:
    position = Position.parse(text)
    return [*position.free.nonzero()[0].tolist(), position.live_end]


def other(data: dict[str, Any]) -> str:
    return {"black": "white", "white": "black"}[data["colour"]]


def lifted(data: dict[str, Any]) -> dict[str, Any]:
    """Lift one cell above a level."""
    level = [2 * one for one in data["levels"]]
    return data | {"levels": [one + (i == 48) for i, one in enumerate(level)]}


def honest_of(text: str) -> dict[str, Any]:
    """Return the certificate that is changed for a refusal at a position."""
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
        else:
            data[key][i] += rng.choice([-1, 1, 5])
    if rng.random() < 0.2 and "colour" in data:
        data["colour"] = other(data)
    return text, data


@cache
def alive_and_honest() -> tuple[list[str], list[tuple[str, Any]]]:
    honest = [(p.notation, data_of(p.notation)) for p in dead_of_five()[::3]]
    honest += [(text, data_of(text)) for text in (*KINDS.values(), LEVELS)]
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
        if judge(text, data) is None:
            found.append(text)
    return found


@pytest.mark.parametrize("count", [500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_forged_certificates_of_completable_positions(count: int) -> None:
    assert believed(find_dead_fault, count) == []


def test_doors_are_drawn() -> None:
    found = find_certificate(Position.parse(KINDS["colours"]))
    assert found is not None
    svg = picture(Position.parse(A), (), marked=found.region, doors=found.doors)
    assert svg.count('class="door"') == len(found.doors) > 0
    assert svg.count('class="area"') == len(found.region)
