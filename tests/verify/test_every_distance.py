"""Families proved for every distance, against proofs of members and forgeries."""

import json
import random
import re
from copy import deepcopy
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from heuristic.rules.drawing import (
    POSE_NAMES,
    POSES,
    CellState,
    Drawing,
    area_behind,
    needs_of,
)
from solver.board import Symmetry
from tests.doubles.members import (
    WAYS,
    Bounds,
    bounds_by_chains,
    bounds_of,
    find_bounds,
    near,
    scope_of,
)
from verify.checker.claim import TURNS, Flaw
from verify.checker.family import STEPS, Border, check_family, left_out, read_family
from verify.proof.certificate import FAMILIES, FAMILY_SUFFIX
from verify.proof.checking import load_certificate
from verify.proof.families import (
    Way,
    check_family_certificate,
    every_distance,
    prove_every_distance,
)
from verify.proof.formula import Scope
from verify.proof.window import from_drawing

Data = dict[str, Any]
SIDES: Any = ("left", "right")


def fault_of(data: Any) -> str | None:
    """Return the first fault of a certificate of a family."""
    try:
        check_family(read_family(json.loads(json.dumps(data))))
    except Flaw as fault:
        return str(fault)
    return None


@pytest.fixture(scope="module")
def honest() -> dict[str, Data]:
    return {name: every_distance(name) for name in FAMILIES}


@pytest.mark.parametrize(("name", "most"), [*zip(FAMILIES, (9, 9, 9, 5), strict=True)])
def test_members_one_by_one_have_the_same_bounds(name: str, most: int) -> None:
    assert bounds_by_chains(name, most) == find_bounds(name, most)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_number_one_step_closer_is_refused(
    name: str, honest: dict[str, Data]
) -> None:
    assert fault_of(honest[name]) is None
    rng = random.Random(name)
    chains = rng.sample(honest[name]["chains"], 10)
    for chain in chains:
        data = honest[name] | {"chains": [chain]}
        for bound, step in zip(chain["bounds"], (1, -1), strict=True):
            for i in range(len(bound)):
                bound[i] += step
                assert fault_of(data) is not None, (chain["steps"], bound, i)
                bound[i] -= step
        for cut in (x for way in chain["potentials"] for x in way[:8]):
            for i, before in enumerate(cut):
                for cut[i] in () if before is None else (None, before - 1):
                    assert re.search("do not rise|adds more", str(fault_of(data)))
                cut[i] = before


def test_the_drawing_left_out_is_the_first_that_no_chain_covers() -> None:
    for members, chains, left in (
        ("border", "A(A)", None),
        ("border", "AA AAA(A)", "A"),
        ("border", "A(AAAA) AA(AAAA) AAA(AAAA) AAAA AAAAAAAA", "A" * 12),
        ("corner", "(LA) (L) LLALA(LA) LL(L)(LA) (LA)(A)", "LLA"),
    ):
        assert left_out(members, chains.split()) == left


# Forgeries ----------------------------------------------------------------------


BORDERS: dict[str, list[Any]] = {
    "first": [[-1, 0], [-1, -1], [0, -1], [-1, 1]],
    "side": ["left", "right"],
    "wall": [[-1, 0], [0, -1], [-1, -1], [-1, 1], [0, 0]],
    "wall_states": [2, 6, 7],
    "beside": [[], [[[-1, 0], 1]], [[[0, -1], 1]], [[[0, -1], 1], [[0, -1], 2]]],
}


def forge(rng: random.Random, data: Data) -> None:
    """Change one thing of a certificate: one number, border or way, or some steps."""
    chain = rng.choice(data["chains"])
    match rng.randrange(5):
        case 0:
            cut = rng.choice(rng.choice(chain["potentials"]))
            i = rng.randrange(len(cut))
            cut[i] = rng.choice([None, (cut[i] or 0) - 1, (cut[i] or 0) - 2, 1 << 30])
        case 1:
            some = [[], [0], [0, 0], [0, 0, 0], [-1]]
            chain["bounds"][rng.randrange(2)] = rng.choice(some)
        case 2:
            steps = list(chain["steps"])
            for i in rng.choices(range(len(steps)), k=rng.randrange(1, 4)):
                steps[i] = rng.choice(["A", "L", "(", ")", "(LA)", ""])
            chain["steps"] = "".join(steps)
        case 3:
            chain["turn"] = rng.choice(["NONE", "CW", "CCW"])
            chain["move"] = rng.choice([[0, 1], [1, 0], [-1, 0], [0, -1]])
        case 4:
            key = rng.choice([*BORDERS])
            data["border"][key] = rng.choice(BORDERS[key])


@pytest.mark.no_cover
def test_no_forgery_is_believed(honest: dict[str, Data]) -> None:
    rng, believed, refused = random.Random(3), 0, 0
    for _ in range(250):
        data = deepcopy(rng.choice(list(honest.values())))
        data["chains"] = rng.sample(data["chains"], 6)
        honest_one = deepcopy(data)
        forge(rng, data)
        fault = fault_of(data)
        if fault is not None and "no chain for" not in fault:
            refused += 1
            continue
        same = data["border"] == honest_one["border"]
        for chain in data["chains"]:
            if not same or chain not in honest_one["chains"]:
                believed += 1
                assert _is_true(data, chain), (data, chain)
    assert refused > 100
    assert believed > 10


def _is_true(data: Data, chain: Data) -> bool:
    """Ask the prover of members whether a chain's bounds hold, repeats left out."""
    steps = re.sub(r"\([AL]+\)", "", chain["steps"])
    border = read_family(json.loads(json.dumps(data))).border
    move: Any = tuple(chain["move"])
    exact = sat_bounds(border, POSES[chain["turn"]], move, steps)
    (low, *_), (high, *_) = chain["bounds"]
    return exact is None or bool(low <= exact[0] and exact[1] <= high)


def sat_bounds(
    border: Border, turn: Symmetry, move: tuple[int, int], steps: str
) -> Bounds:
    """Return the bounds that the prover of members finds for a border."""

    def after(at: tuple[int, int], step: tuple[int, int]) -> tuple[int, int]:
        return at[0] + step[0], at[1] + step[1]

    line = [*accumulate((STEPS[x] for x in steps), after, initial=border.first)]
    wall = after(line[-1], border.wall)
    states = {after(line[-1], at): CellState(state) for at, state in border.beside}
    states[wall] = CellState(border.wall_states)
    drawing = Drawing(
        needs=needs_of(dict.fromkeys(line, CellState.FREE) | states),
        areas=(area_behind(tuple(line), wall, border.side),),
        forbidden=(move,),
    )
    window = from_drawing(drawing, turn, move)
    assert window is not None
    return bounds_of(near(window), scope_of(drawing))


def test_other_borders_are_bounded_too() -> None:
    """The checker's reading of a border is never closer than the prover's formula."""
    rng, close = random.Random(5), 0
    for _ in range(150):
        first = rng.choice([(-1, 0), (-1, -1)])
        steps = "A" + "".join(rng.choices("AL", k=rng.randrange(6)))
        steps = steps if first == (-1, 0) else steps[::-1]
        wall = rng.choice([(-1, 0), (0, -1), (-1, -1)])
        beside = [
            (at, rng.choice([1, 1, 2, 3, 6]))
            for at in ((-1, 0), (0, -1))
            if at != wall and rng.random() < 0.6
        ]
        states = rng.choice([2, 2, 4, 6])
        border = Border(first, rng.choice(SIDES), wall, states, tuple(beside))
        turn, move = rng.choice(list(WAYS.values()))
        exact = sat_bounds(border, turn, move, steps)
        way = Way(border, move, TURNS[POSE_NAMES[turn]])
        high, low = way.most(steps, 1), -way.most(steps, -1)
        if exact is not None:
            assert low <= exact[0], (border, steps, turn, move)
            assert exact[1] <= high, (border, steps, turn, move)
            close += exact == (low, high)
    assert close > 75


def test_certificates_are_written_and_checked(tmp_path: Path) -> None:
    prove_every_distance("up-big", tmp_path)
    data = load_certificate(tmp_path / f"up-big{FAMILY_SUFFIX}")
    checked = check_family_certificate(data)
    assert checked.fault is None
    assert checked.meant
    assert checked.boards == Scope.PLAIN.value
    other = check_family_certificate(data | {"name": "my-own"})
    assert not other.meant
    assert "  A(AAAA)A: 0 -1x to 1 +1x" in other.claims
    wrong = check_family_certificate(data | {"name": "up-small"})
    assert wrong.fault == "it does not prove the bounds published of family 'up-small'"
    assert check_family_certificate([]).fault is not None
