"""What is printed of a certificate determines what it proves; files that would harm."""

import json
import lzma
import os
import random
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from heuristic.rules.drawing import left_ahead, written
from tests.proof.scenes import AREA, sketch
from tests.proof.test_lines import form
from tests.runner import run
from tests.samples import book, proof_of
from verify.checker.claim import (
    CORNERS,
    FAR,
    TURNS,
    Fault,
    Sketch,
    drawing_lines,
    read_as,
)
from verify.checker.family import TURNS as BEHIND
from verify.checker.family import Border, Chain, Family, family_lines, read_family
from verify.proof.certificate import (
    SUFFIX,
    certificate_of,
    packed,
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
from verify.proof.window import IF_RIGHT

Data = dict[str, Any]
SOME = ("c-shape", "near-border-side", "area-near-border", "count-area-2-across")


def meaning(one: Sketch) -> object:
    """Return what a drawing says; the order of cells and moves says nothing.

    Bounds and the entry count only where the condition speaks of them.
    """
    areas = [
        (
            (x.line, x.side, x.base, x.wall, x.kind, x.least),
            (x.low, x.high) if x.kind in ("within", "beyond") else (),
            x.entry if x.kind == "odd-determined" else (),
        )
        for x in one.areas
    ]
    said = [one.said[word] for word in one.said]
    cells = sorted(one.needs), sorted(one.moves)
    rest = one.end, one.frame, one.heading, one.poses
    return repr((cells, areas, one.runs, said, rest))


def sketch_of(data: Data) -> Sketch:
    """Return a drawing as the checker reads it."""
    return read_as(json.loads(json.dumps(data)), Sketch)


def changed(rng: random.Random, data: Data) -> Data:
    """Return a drawing with one value changed."""
    data = deepcopy(data)
    key = rng.choice(list(data))
    cells = [need[0] for need in data["needs"]] + [[0, 0]]
    match key:
        case "needs":
            need = rng.choice(data["needs"])
            need[rng.randrange(1, 3)] = rng.choice([1, 2, 3, 4, 5, 6, 7, True, False])
            if rng.random() < 0.3:
                cell = [rng.randint(-3, 3), rng.randint(-3, 3)]
                data["needs"].append([cell, rng.randint(1, 7), rng.random() < 0.5])
        case "areas":
            area = rng.choice(data["areas"])
            name = rng.choice(list(area))
            if name == "line":
                area[name] = [rng.choice(cells)]
            elif name in ("base", "wall", "entry"):
                area[name] = rng.choice([*area["line"], area["base"], area["wall"]])
            elif name == "side":
                area["side"] = rng.choice(["left", "right"])
            elif name == "kind":
                area["kind"] = rng.choice(["closed", "even", "odd", "within"])
            else:
                area[name] += rng.choice([-1, 1])
        case "runs":
            data["runs"].append([rng.choice(cells), rng.choice(cells)])
        case "lines":
            word = rng.choice(["passes", "lacks", "before", "joined"])
            data["lines"].append([word, rng.choice(cells), rng.choice(cells)])
        case "end":
            data["end"] = rng.choice(cells)
        case "moves":
            moves = [[-1, 0], [0, -1], [0, 1], [1, 0]]
            data["moves"] = rng.sample(moves, rng.randint(1, 3))
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
    rules = [*map(book, SOME), form("future-1x2")]
    drawings = [rule_record(rule)["drawings"] for rule in rules]
    drawings[-1] = drawings[-1][::40]
    pool: list[Data] = [json.loads(json.dumps(d)) for some in drawings for d in some]
    read = 0
    for _ in range(6000):
        with suppress(Fault, LookupError, TypeError):
            data = changed(rng, rng.choice(pool))
            one = sketch_of(data)
            text = "\n".join(drawing_lines(one))
            assert printed.setdefault(text, meaning(one)) == meaning(one), text
            pool.append(data)
            read += 1
    assert read > 2000
    assert len(printed) > 1000


def test_all_that_a_drawing_can_say_is_printed() -> None:
    line: Any = {"line": [[0, 1], [0, 2]], "wall": [0, 3], "entry": [0, 2]}
    first = AREA | line | {"kind": "within", "low": -1, "high": 2, "least": 4}
    areas = [
        first,
        first | {"kind": "beyond", "side": "right"},
        first | {"kind": "odd-determined"},
    ]
    free = [[0, 1], [0, 2], [-1, 1], [-2, 1], [-1, 0], [-1, 3], [-2, 3], [-2, 2]]
    ends = [[-1, 1], [-2, 1]]
    states = [[1, 0, 2], [1, 1, 4], [1, 2, 6], [0, 3, 6], [-1, -1, 5], [-2, -1, 3]]
    needs = [[*cell, 1, cell in ends] for cell in free]
    needs += [[*need, False] for need in states] + [[2, 0, 2, False]]
    said = {
        "passes": [-1, 1, -2, 1],
        "lacks": [-1, 1, -2, 1],
        "before": [-1, 1, -2, 1],
        "mates": [-1, 3, -1, 1],
        "dead": [0, 0, 0, 1],
    }
    joined = [["joined", -1, 3, -2, 3], ["joined", -1, 1, -2, 1]]
    drawn: Any = {
        "needs": needs,
        "areas": areas,
        "runs": [[1, 0, 2, 0]],
        "lines": [*([word, *pair] for word, pair in said.items()), *joined],
        "end": [-1, 0],
        "moves": [[0, 1], [-1, 0], [0, -1]],
        "poses": ["NONE", "CW"],
    }
    where = "of the line [0,1] [0,2] from [0,0] to [0,3]"
    assert drawing_lines(sketch(**drawn)) == [
        "? ? % . .",
        "? % m ? .",
        "? B M K K",
        "# # @ X ?",
        "? ? x / o",
        f"area left {where}: within -1 to 2, at least 4 cells",
        f"area right {where}: beyond -1 to 2, at least 4 cells",
        f"area left {where}: odd-determined, entry [0,2], at least 4 cells",
        "[1,0] is visited before [2,0]",
        "the completion passes from [-1,1] to [-2,1]",
        "the completion does not pass from [-1,1] to [-2,1]",
        "the completion comes to [-1,1] before [-2,1]",
        "the completion uses the edge [-1,3] to [-2,3]",
        "the completion uses the edge [-1,1] to [-2,1]",
        "the completion follows one forced line from [-1,3] to [-1,1], or back",
        "the completion cannot begin with [0,0] to [0,1]: the step is dead when it is "
        "followed",
        "the end: [-1,0]",
        "not the end: [-1,1] [-2,1]",
        "the last step runs up the page; laid none, cw",
    ]
    board: Any = {"frame": "board", "heading": 2, "poses": ["TRANSPOSE"]}
    assert drawing_lines(sketch(**board)) == [
        "x",
        "@",
        "up the page is up the board, heading D; laid transpose",
    ]
    away = drawing_lines(sketch(frame="away"))[-1]
    assert away == "the live end, [0,0], may lie anywhere; laid none"


def test_all_that_a_family_says_is_printed() -> None:
    border = Border((0, 1), "left", (1, 0), 6, (((2, -1), 4), ((1, 1), 3)))
    none: Any = tuple((None,) * 9 for _ in range(6))
    first = Chain("A(AAAA)A", "CW", (0, 1), ((-1, 2), (3, -4)), (none, none))
    second = Chain("A", "CW", (0, 1), ((0,), (-2,)), (none[:1], none[:1]))
    other = Chain("A", "NONE", (1, 0), ((0,), (-2,)), (none[:1], none[:1]))
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
    family = Family(2, "own", "border", border, (first, other, second))
    assert family_lines(family) == lines


@pytest.mark.parametrize("states", [2, 3, 4, 5, 6])
def test_a_forbidden_cell_is_free_or_not_said(states: int) -> None:
    """Needed visited, any move would be proved, and printed as a plain `x`."""
    assert sketch(needs=[[0, 1, 1, False]]).moves
    with pytest.raises(Fault, match="a forbidden cell is needed other than free"):
        sketch(needs=[[0, 1, states, False]])


def saved(proved: Proved, path: Path, **changes: Any) -> Path:
    """Write a certificate with its drawings changed."""
    data = json.loads(lzma.decompress(certificate_of(proved)))
    for drawing in data["rule"]["drawings"]:
        drawing |= changes
    path.write_bytes(lzma.compress(json.dumps(data).encode()))
    return path


def test_what_is_granted_is_said_beside_the_boards(tmp_path: Path) -> None:
    """Where only `lacks` or an end is granted, too."""
    plain = proof_of(book("c-shape"))
    path = saved(plain, tmp_path / f"c-shape{SUFFIX}")
    assert not check_certificate(path).boards.endswith(IF_RIGHT)
    needs = rule_record(plain.rule)["drawings"][0]["needs"]
    free = [[[-5, -5], 1, False], [[-5, -6], 1, False]]
    facts: list[Data] = [
        {"end": [-5, -5]},
        {"lines": [["lacks", [-5, -5], [-5, -6]]]},
        {"lines": [["passes", [-5, -5], [-5, -6]]]},
        {"lines": [["before", [-5, -5], [-5, -6]]]},
    ]
    for granted in facts:
        checked = check_certificate(saved(plain, path, needs=needs + free, **granted))
        assert checked.fault is None
        assert checked.boards.endswith(IF_RIGHT)
    forced: Data = {"lines": [["joined", [-5, -5], [-5, -6]]]}
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


def test_a_picture_is_drawn_of_what_is_proved_alone(
    tmp_path: Path,
) -> None:
    path = saved(proof_of(book("near-border-front")), tmp_path / f"own{SUFFIX}")
    data = json.loads(lzma.decompress(path.read_bytes()))
    data["rule"]["name"] = "own"
    needs = data["rule"]["drawings"][0]["needs"]
    needs += [[[FAR, FAR], 1, False], [[-FAR, -FAR], 1, False]]
    data["parts"][0]["clauses"] = data["parts"][0]["clauses"].split("\n", 1)[1]
    path.write_bytes(lzma.compress(json.dumps(data).encode()))
    checked = check_certificate(path)
    assert checked.fault is not None
    assert checked.claims == ()
    picture = "\n".join(drawing_lines(sketch_of(data["rule"]["drawings"][0])))
    assert len(picture) < 1 << 19
    needs.append([[FAR + 1, 0], 1, False])
    with pytest.raises(Fault, match="Expected `int` <= 200"):
        sketch_of(data["rule"]["drawings"][0])
