"""What is printed of a certificate determines what it proves; files that would harm."""

import json
import lzma
import os
import random
from contextlib import suppress
from copy import deepcopy
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import pytest

from heuristic.rules.drawing import left_ahead, written
from tests.proof.test_lines import form
from tests.runner import run
from tests.samples import book, proof_of
from verify.checker import reading as checker_lines
from verify.checker.chain import Border, Chain
from verify.checker.describe import drawing_lines, family_lines
from verify.checker.family import TURNS as BEHIND
from verify.checker.family import Family, read_family
from verify.checker.reading import (
    AREAS,
    CORNERS,
    LIVE,
    ORDERS,
    TURNS,
    Area,
    Pair,
    Sketch,
    Spot,
    _sketch,
)
from verify.checker.values import Fault
from verify.proof.certificate import (
    SUFFIX,
    certificate_of,
    packed,
    rule_hash,
    rule_record,
)
from verify.proof.checking import check_certificate
from verify.proof.families import (
    WAYS,
    Way,
    Words,
    border_of,
    check_family_certificate,
    every_distance,
    member,
    places,
    steps_of,
)
from verify.proof.prove import Proved
from verify.proof.view import IF_RIGHT

Data = dict[str, Any]
SOME = ("c-shape", "near-border-side", "area-near-border", "count-area-2-across")


def meaning(sketch: Sketch) -> object:
    """Return what a drawing says; the order of its moves says nothing."""
    fields = replace(sketch, moves=tuple(sorted(sketch.moves)))
    return repr((sorted(fields.mask.items()), sorted(fields.not_end), astuple(fields)))


def sketch_of(data: Data) -> Sketch:
    """Return a drawing as the checker reads it."""
    return _sketch(json.loads(json.dumps(data)))


def changed(rng: random.Random, data: Data) -> Data:
    """Return a drawing with one value changed."""
    data = deepcopy(data)
    key = rng.choice(list(data))
    match key:
        case "needs":
            need = rng.choice(data["needs"])
            need[rng.randrange(4)] = rng.choice([0, 1, 2, 3, 4, 5, 6, 7, True, False])
            if rng.random() < 0.3:
                cell = [rng.randint(-3, 3), rng.randint(-3, 3)]
                data["needs"].append([*cell, rng.randint(1, 7), rng.random() < 0.5])
        case "areas":
            area = rng.choice(data["areas"])
            name = rng.choice(list(area))
            if name in ("cells", "base", "wall", "entry"):
                area[name] = rng.choice([*area["cells"], area["base"], area["wall"]])
            elif name == "side":
                area["side"] = rng.choice(["left", "right"])
            elif name == "kind":
                area["kind"] = rng.choice(["closed", "pair", "impair", "within"])
            else:
                area[name] += rng.choice([-1, 1])
        case "runs" | "lines":
            free = [need[:2] for need in data["needs"] if need[2] == 1] + [[0, 0]]
            taken = [need[:2] for need in data["needs"] if need[2] == 2] + [[0, 0]]
            word = rng.choice(["passes", "lacks", "before", "joined"])
            pair = [*rng.choice(free), *rng.choice(free)]
            if key == "lines":
                data["lines"].append([word, *pair])
            else:
                data["runs"].append([*rng.choice(taken), *rng.choice(taken)])
        case "end":
            data["end"] = [rng.choice(data["needs"])[:2]]
        case "forbidden":
            moves = [[0, 1], [1, 0], [-1, 0], [0, -1]]
            data["forbidden"] = rng.sample(moves, rng.randint(1, 3))
        case "frame":
            data["frame"] = rng.choice(["board", "heading", "away"])
            data["poses"] = ["IDENTITY"] if data["frame"] == "board" else ["NONE"]
        case "heading":
            data["heading"] = rng.randrange(4)
        case _:
            laid = CORNERS if data["frame"] == "board" else TURNS
            data["poses"] = rng.sample(list(laid), rng.randint(1, 2))
    return data


def test_two_drawings_that_differ_print_differently() -> None:
    rng, printed = random.Random(3), dict[str, object]()
    pool: list[Data] = [d for name in SOME for d in rule_record(book(name))["drawings"]]
    pool += rule_record(form("future-1x2"))["drawings"][::40]
    read = 0
    for _ in range(6000):
        with suppress(Fault, LookupError, TypeError):
            data = changed(rng, rng.choice(pool))
            sketch = sketch_of(data)
            text = "\n".join(drawing_lines(sketch))
            assert printed.setdefault(text, meaning(sketch)) == meaning(sketch), text
            pool.append(data)
            read += 1
    assert read > 2000
    assert len(printed) > 1000


def test_all_that_a_drawing_can_say_is_printed() -> None:
    line = ((-1, 0), (-2, 0))
    edge = ((-1, 1), (-1, 2))
    none = frozenset[Spot]()
    wall, entry = (-3, 0), (-1, 1)
    first = Area(line, LIVE, wall, True, none, none, "within", -1, 2, entry, 4)
    bounded = replace(first, kind="beyond", left=False)
    entered = replace(first, kind="impair-determined")
    free = dict.fromkeys((*line, *edge, (0, 1)), 1)
    states = {(0, -1): 2, (-1, -1): 4, (-2, -1): 6, (-3, 0): 6, (-3, 1): 3, (-2, 1): 5}
    sketch = Sketch(
        mask=free | states,
        not_end=frozenset({(-1, 2), (-1, 1)}),
        areas=(first, bounded, entered),
        runs=((LIVE, (0, -1)),),
        moves=((-1, 0), (0, 1), (0, -1)),
        board=False,
        heading=0,
        poses=("NONE", "CW"),
        lines=dict.fromkeys(checker_lines.WORDS, (edge,)),
        end=(0, 1),
    )
    where = "of the line [0,1] [0,2] from [0,0] to [0,3]"
    assert drawing_lines(sketch) == [
        "? % o ?",
        "% m / ?",
        "B M K K",
        "x @ X ?",
        f"area left {where}: within -1 to 2, at least 4 cells",
        f"area right {where}: beyond -1 to 2, at least 4 cells",
        f"area left {where}: impair-determined, entry [-1,1], at least 4 cells",
        "[0,0] is visited before [1,0]",
        "the completion passes from [-1,1] to [-2,1]",
        "the completion does not pass from [-1,1] to [-2,1]",
        "the completion comes to [-1,1] before [-2,1]",
        "the completion uses the edge [-1,1] to [-2,1]",
        "the completion follows one forced line from [-1,1] to [-2,1], or back",
        "the completion cannot begin with [-1,1] to [-2,1]: the step is dead when "
        "it is followed",
        "the end: [-1,0]",
        "not the end: [-1,1] [-2,1]",
        "the last step runs up the page; laid none, cw",
    ]
    none_of: tuple[Pair, ...] = ()
    unsaid = dict.fromkeys(checker_lines.WORDS, none_of)
    bare = replace(sketch, areas=(), runs=(), lines=unsaid, end=None, not_end=none)
    board = replace(bare, board=True, heading=2, poses=("TRANSPOSE",))
    assert drawing_lines(board)[3:] == [
        "x @ X ?",
        "up the page is up the board, heading D; laid transpose",
    ]
    away = drawing_lines(replace(bare, away=True))[-1]
    assert away == "the live end, [0,0], may lie anywhere; laid none, cw"


def test_all_that_a_family_says_is_printed() -> None:
    border = Border((0, 1), True, (1, 0), 6, (((2, -1), 4), ((1, 1), 3)))
    words = (("A", False), ("AAAA", True), ("A", False))
    first = Chain(words, "CW", (0, 1), (-1, 0), ((-1, 2), (3, -4)), ())
    second = replace(first, words=words[:1], bounds=((0,), (-2,)))
    other = replace(second, turn="NONE", move=(1, 0), behind=(0, -1))
    lines = [
        "area left of a border from [0, 1]; from its last cell the wall lies [1, 0] %",
        "and [2, -1] B",
        "and [1, 1] o",
        "laid cw, move [0, 1], the surplus:",
        "  A(AAAA)A: -1 +2x to 3 -4x",
        "  A: 0 to -2",
        "laid none, move [1, 0], the surplus:",
        "  A: 0 to -2",
    ]
    chains = (first, other, second)
    assert family_lines(Family("own", border, "border", chains)) == lines
    right = Family("own", replace(border, left=False), "border", chains)
    assert family_lines(right) == [lines[0].replace("left", "right"), *lines[1:]]


@pytest.mark.parametrize("states", [2, 3, 4, 5, 6])
def test_a_forbidden_cell_is_free_or_not_said(states: int) -> None:
    """Needed visited, any move would be proved, and printed as a plain `x`."""
    record = rule_record(book("c-shape"))
    drawing = record["drawings"][0]
    move = drawing["forbidden"][0]
    drawing["needs"] = [need for need in drawing["needs"] if need[:2] != move]
    assert sketch_of(drawing).moves
    drawing["needs"].append([*move, states, False])
    with pytest.raises(Fault, match="a forbidden cell is needed other than free"):
        sketch_of(drawing)


def saved(proved: Proved, path: Path, **changes: Any) -> Path:
    """Write a certificate with its drawings changed."""
    data = json.loads(lzma.decompress(certificate_of(proved)))
    for drawing in data["rule"]["drawings"]:
        drawing |= changes
    data["hash"] = rule_hash(data["rule"])
    path.write_bytes(lzma.compress(json.dumps(data).encode()))
    return path


def test_what_is_granted_is_said_beside_the_boards(tmp_path: Path) -> None:
    """Where only `lacks` or an end is granted, too."""
    plain = proof_of(book("c-shape"))
    path = saved(plain, tmp_path / f"c-shape{SUFFIX}")
    assert not check_certificate(path).boards.endswith(IF_RIGHT)
    needs = rule_record(plain.rule)["drawings"][0]["needs"]
    free = [[5, 5, 1, False], [5, 6, 1, False]]
    facts: list[Data] = [
        {"end": [[5, 5]]},
        {"lines": [["lacks", 5, 5, 5, 6]]},
        {"lines": [["passes", 5, 5, 5, 6]]},
        {"lines": [["before", 5, 5, 5, 6]]},
    ]
    for granted in facts:
        checked = check_certificate(saved(plain, path, needs=needs + free, **granted))
        assert checked.fault is None
        assert checked.boards.endswith(IF_RIGHT)
    forced: Data = {"lines": [["joined", 5, 5, 5, 6]]}
    checked = check_certificate(saved(plain, path, needs=needs + free, **forced))
    assert checked.fault is None
    assert not checked.boards.endswith(IF_RIGHT)


# Families ---------------------------------------------------------------------


def test_worthless_bounds_of_a_family_are_refused_and_bounds_are_printed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "up-small.family.xz"
    honest = every_distance("up-small")
    path.write_bytes(packed(honest))
    ran = run("proof", "check", str(path))
    assert ran.code == 0
    for line in family_lines(read_family(json.loads(json.dumps(honest)))):
        assert f"  {line}\n" in ran.out
    for chain in honest["chains"]:
        for bound, step, cuts in zip(
            chain["bounds"], (-900, 900), chain["potentials"], strict=True
        ):
            assert len(cuts) > 0
            bound[0] = step
    path.write_bytes(packed(honest))
    ran = run("proof", "check", str(path))
    assert ran.code == 1
    assert "it does not prove the bounds published of family 'up-small'" in ran.out
    assert "is proved" not in ran.out


def test_bounds_worthless_from_some_distance_on_are_refused() -> None:
    """Honest drawing by drawing up to 20 cells, and then nothing."""
    data = every_distance("up-small")
    drawings = [member("up-small", place) for place in places("up-small", 20)]
    words: list[Words] = [((steps_of(one), False),) for one in drawings]
    far: list[Words] = [(("A" * (20 + k), False), ("AAAA", True)) for k in range(4)]
    data["chains"] = []
    for pose, move in WAYS:
        way = Way(border_of(drawings[-1]), left_ahead(move), BEHIND[pose])
        for one in words + far:
            chain = way.chain(one)
            assert chain is not None
            if one in far:
                chain["bounds"][0][0], chain["bounds"][1][0] = -900, 900
            data["chains"].append(chain | {"turn": pose, "move": written(move)})
    checked = check_family_certificate(json.loads(json.dumps(data)))
    assert checked.fault is not None
    assert "it does not prove the bounds published" in checked.fault


# Files that would harm --------------------------------------------------------


def test_a_file_name_makes_no_line(tmp_path: Path) -> None:
    name = f"x\nc-shape is proved, as in the book{SUFFIX}"
    (tmp_path / name).write_bytes(b"spoilt")
    saved(proof_of(book("c-shape")), tmp_path / f"c\nfamily up-small is proved{SUFFIX}")
    for paths in ([str(tmp_path)], [str(tmp_path / name)]):
        ran = run("proof", "check", *paths)
        assert ran.code != 0
        assert not any(x.startswith(("c-shape", "family")) for x in ran.out.split("\n"))
        assert not any(x.startswith(("c-shape", "family")) for x in ran.err.split("\n"))


def test_one_bad_file_does_not_end_a_folder(tmp_path: Path) -> None:
    (tmp_path / f"a{SUFFIX}").mkdir()
    (tmp_path / f"b{SUFFIX}").write_bytes(b"spoilt")
    saved(proof_of(book("c-shape")), tmp_path / f"c-shape{SUFFIX}")
    ran = run("proof", "check", str(tmp_path))
    assert ran.code == 1
    assert f"a{SUFFIX}: cannot be read: not a regular file" in ran.out
    assert f"b{SUFFIX}: the file is cut short" in ran.out
    assert "c-shape is proved, as in the book" in ran.out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / f"pipe{SUFFIX}"
    os.mkfifo(path)
    ran = run("proof", "check", str(path))
    assert ran.code == 2
    assert "cannot be read: not a regular file" in ran.err


def area(at: int) -> Data:
    """Return an area of one marked cell, beside a column of walk."""
    return {
        "cells": [[1, at]],
        "side": "left",
        "base": [0, at],
        "wall": [2, at],
        "kind": "closed",
        "low": 0,
        "high": 0,
        "entry": [1, at],
        "least": 0,
    }


def test_areas_and_orders_are_few() -> None:
    """The views of a cell double with each."""
    drawing = rule_record(book("c-shape"))["drawings"][0]
    many = range(3, 3 + AREAS + 1)
    taken = [[left, at, 2, False] for at in many for left in (0, 2)]
    free = [[1, at, 1, False] for at in many]
    full = drawing | {"needs": taken + free, "areas": [area(at) for at in many]}
    with pytest.raises(Fault, match=f"more than {AREAS} areas"):
        sketch_of(full)
    assert len(sketch_of(full | {"areas": full["areas"][1:]}).areas) == AREAS
    runs = [[0, at, 2, at] for at in many][: ORDERS + 1]
    full = drawing | {"needs": taken + free, "runs": runs}
    with pytest.raises(Fault, match=f"more than {ORDERS} orders"):
        sketch_of(full)
    assert len(sketch_of(full | {"runs": runs[1:]}).runs) == ORDERS


def test_a_picture_is_drawn_of_what_is_proved_alone(
    tmp_path: Path,
) -> None:
    path = saved(proof_of(book("near-border-front")), tmp_path / f"own{SUFFIX}")
    data = json.loads(lzma.decompress(path.read_bytes()))
    far = checker_lines.FAR
    data["rule"]["name"] = "own"
    needs = data["rule"]["drawings"][0]["needs"]
    needs += [[far, far, 1, False], [-far, -far, 1, False]]
    data["parts"][0]["clauses"] = data["parts"][0]["clauses"].split("\n", 1)[1]
    data["hash"] = rule_hash(data["rule"])
    path.write_bytes(lzma.compress(json.dumps(data).encode()))
    checked = check_certificate(path)
    assert checked.fault is not None
    assert checked.claims == ()
    picture = "\n".join(drawing_lines(sketch_of(data["rule"]["drawings"][0])))
    assert len(picture) < 1 << 19
    needs.append([far + 1, 0, 1, False])
    with pytest.raises(Fault, match="no whole number"):
        sketch_of(data["rule"]["drawings"][0])
