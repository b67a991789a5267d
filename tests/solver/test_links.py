"""Links and files of puzz.link and penpa-edit, some made by those programs."""

from pathlib import Path

import pytest
from hypothesis import given

from solver import penpa, puzzlink
from solver.board import Position
from solver.errors import NotationError, OnewayError, OptionError, SavedPathError
from tests.runner import assert_refused, run
from verify.corpus.saved_path import parse_saved_path
from verify.strategies import boards, positions

# What pzprjs (robx, of August 2026) answers to getURL() and getFileData()
LINKS = {
    "3:": "http://pzv.jp/p.html?haisu/3/3/11330000o",
    "17x20@3,4>17,20:": "http://pzv.jp/p.html?haisu/20/17/43-14-11"
    + ("0" * 129 + "z" * 17),
}
FILES = {
    "3:RRDLLDRR": "pzprv3.1\nhaisu\n3\n3\n1 1 5 5\n0 0 \n0 0 \n0 0 \n0 0 0 \n0 0 0 \n"
    ". . . \n. . . \n. . . \n1 1 \n1 1 \n1 1 \n0 0 1 \n1 0 0 \n",
    "2x4@1,1>2,4:DR": "pzprv3.1\nhaisu\n2\n4\n1 1 7 3\n0 0 0 \n0 0 0 \n0 0 0 0 \n"
    ". . . . \n. . . . \n0 0 0 \n1 0 0 \n1 0 0 0 \n",
}
CLUED = "https://puzz.link/p?haisu/5/5/1551688s120mg2n1g2g3n1g"  # their own sample
# What penpa-edit 3.2.3 answers to maketext(), after it has read our links
PENPA = {
    "4x5@1,1>4,5!2,2:RR": (
        "#m=edit&p=7VRbT+M8EH3vr1j5FUvk0kIaiYf0AhKCLl3KdmkUITd1Sagbg5MUlIr/ztiFL9eiff"
        "ikZaWV5dHJmWTmxJcTP6VEUNzBbWxaWMM6DMOwsN4FfNxRU3sfkzBh1P6GnTQJuACA8ffTU7wkLK"
        "b4/PahN1g5z0Pn12FnZpo3o+XBw2B887CY/tTHWngotBGzosurQY8dnGWzy8DZ0CE9uoq5HzBKFi"
        "SbTc9fWHRq3QdLvX8e9K0libT4yZp0N73xyUnLfRfitbZZ184cnJ3ZLtIRRgZMHXk4G9vb7HpH6h"
        "5G65Qloc8ZF+g/MrvYQRPgMGenOezncJTD2xxe5bBXaMY3NG+DfL6eh4XnOF3wVVrQcWlnF684c/"
        "42ya+w/D9A9J3teqD/JodWDq/tLTI1ZLcBjwAbgF10DWV2O4U6uiTOPgh4Tbe3EG9VvFCfYANeMm"
        "F75ZkEBImhSk9V7KvYVnECbXFmqjhQUVOxo+KRisdS2m+K38muq/pfJLjwa/KiyQFXbD/yWi4cdh"
        "RzdhenYkl8ekdfiJ8ge3fpipkSF6XrOYUTVKAY548sjJoqfKRKZHgfcUEbU5Kki/t9pWSqodSci0"
        "VF0zNhrPwvyo5KlB8Kn5WpRMApLTwTIfhziVmTJCgRc5KAecVB+FiuRKPKYiakLJGsSKXbOl+O1x"
        "Z6QWq6Jjbgfv5zpj/rTHIrtK9wxb+CBHVaufjEOvJklW4wEGA/8ZBCtonfYxeFbJWveYMUW7cHYB"
        "scAtiqSQBV9wkga1YB3B63kFWrhiFVVT1DtqrZhmxVdA7Xa70B"
    ),
    "9x6@2,3>9,6!1,1;5,5:D": (
        "#m=edit&p=7ZRbT9swFMff+ykmv2KJ3BpCJB7SC0gIOjpgHUQRclOXhLoxOAmgVHx3ThxYrkV72D"
        "QmTVFOj3+nPeffxP7HDykRFJt4H+sWVrAKl2aasFCw0TfkrbxdF2HCqP0FO2kScAEJxl8PD/GSsJ"
        "ji46u7wWjlPI2dH7v9a12/nCx37kbTy7vF7Ls6VcJdoUyYFZ2ejQZs5yi7Pg2cRzqm5lnM/YBRsi"
        "DZ9ez4mUWH1m2wVIfHwdBakkiJH6yL/cfB9OCg574J8XqbbN/OHJwd2S5SEUYa3CrycDa1N9l5AV"
        "UPo3XKktDnjAv0E2YnRapDOi7prEyHZTop06syPSvTQWUYf6TlGOTz9TysrON0wVdpRcepnZ284M"
        "z51yS/wOP/BqJvbNcD/ZdlapXpub1BmoZsAyPThA9AE0C6kXc7h27FC0OqspeTo3cC31PtDcQrGU"
        "/kb7ABP9NhOZZwJuNQRkPGCxiKM13GkYyKjH0ZTRn3cmG/KL1Q29byWyS4miaPWXH1/2zu9Vw4Li"
        "jm7CZOxZL49IY+Ez9BdnFsq5Uai9L1nMIerCDG+T0Lo64O76UaDG8jLmhnKYd0cbutVV7qaDXnYt"
        "HQ9EQYq/8XaWg15IfCZ3WUCNjnlTURgj/VyJokQQ3MSQL2Fwfhfb0TjRoPMyF1iWRFGtPW5eN46a"
        "FnJG9Xxxqc8P/e9ne9LX8Vymewic8gQe5WLj6wjrLYxB0GAvQDD6lUu/gWu6hUm7zlDbnYtj0A7X"
        "AIoE2TANT2CYAtqwC2xS3yrk3DyFU1PSMf1bKNfFTVOVyv9wo="
    ),
}


def same(text: str, position: Position) -> bool:
    return Position.parse(text) == position


@pytest.mark.parametrize("text", LINKS)
def test_links_as_puzz_link_writes_them(text: str) -> None:
    assert same(text, puzzlink.read(LINKS[text]))
    mine = puzzlink.link(Position.parse(text))
    assert mine.split("?")[1] == LINKS[text].split("?")[1]


@pytest.mark.parametrize("text", FILES)
def test_files_as_puzz_link_writes_them(text: str, tmp_path: Path) -> None:
    assert puzzlink.save(Position.parse(text)) == FILES[text]
    assert same(text, puzzlink.read(FILES[text]))
    whole = puzzlink.link(Position.parse(text))
    assert same(text, puzzlink.read(whole))
    file = tmp_path / "walk.txt"
    file.write_text(FILES[text])
    assert run("check", str(file)).out == run("check", text).out


@pytest.mark.parametrize("text", PENPA)
def test_links_as_penpa_writes_them(text: str) -> None:
    assert same(text, penpa.read(PENPA[text]))


@given(positions(boards(max_walls=3, corners=False)))
def test_round_trips(position: Position) -> None:
    assert penpa.read(penpa.link(position)) == position
    if position.board.walls:
        with pytest.raises(OptionError, match="no walls"):
            puzzlink.link(position)
    else:
        assert puzzlink.read(puzzlink.link(position)) == position
        assert puzzlink.read(puzzlink.save(position)) == position


@pytest.mark.parametrize(
    "text",
    [
        CLUED,
        "https://puzz.link/p?simpleloop/5/5/sg020",
        "https://puzz.link/p?haisu/0/0/1111",
        "https://puzz.link/p?haisu/3/3/1194",
        "https://puzz.link/p?haisu/3/3/x",
        "https://puzz.link/p?haisu/99999999/99999999/1122",
        f"https://puzz.link/p?haisu/{'9' * 5000}/3/1122",
        f"pzprv3/haisu/{'9' * 5000}/3/",
        FILES["3:RRDLLDRR"].replace("1 1 5 5", "1 1 5"),
        FILES["3:RRDLLDRR"].replace("1 1 \n1 1 ", "1 1 \n0 1 "),
        FILES["3:RRDLLDRR"][:-9],
        "pzprv3/haisu/3/3/",
        "#m=edit&p=",
        "#m=edit",
        "#m=edit&p=AAAA",
        next(iter(PENPA.values()))[:-40],
    ],
)
def test_what_is_no_such_puzzle_is_refused(text: str) -> None:
    with pytest.raises(OnewayError):
        (penpa.read if text.startswith("#") else puzzlink.read)(text)


def test_a_side_too_long_for_a_link_makes_it_hold_a_file() -> None:
    for side, held in ((4095, False), (4096, True), (5000, True)):
        position = Position.parse(f"1x{side}:")
        made = puzzlink.link(position)
        assert ("pzprv3" in made) == held
        assert puzzlink.read(made) == position


def test_a_file_of_the_site_is_refused_by_its_name() -> None:
    with pytest.raises(SavedPathError, match=r"walk\.txt"):
        parse_saved_path(FILES["3:RRDLLDRR"][:-9], "walk.txt")


def test_a_link_that_blows_up_is_refused() -> None:
    with pytest.raises(NotationError, match="too long"):
        penpa.read("#p=" + penpa._pack("square" + " " * 5_000_000))


def test_commands_read_links_and_write_them(tmp_path: Path) -> None:
    link = penpa.link(Position.parse("4x5@1,1>4,5!2,2:RR"))
    assert run("draw", link).out == run("draw", "4x5@1,1>4,5!2,2:RR").out
    assert_refused(run("draw", CLUED))
    for form, endings in {
        "penpa": {".txt"}, "puzzlink": {".txt"}, "text": {".txt"}, "png": {".png"},
        "svg": {".svg"}, "saved": {".txt", ".svg"},
    }.items():  # fmt: skip
        folder = tmp_path / form
        ran = run("corpus", "export", "5:RRD", "--form", form, "-o", str(folder))
        assert ran.code == 0
        assert {file.suffix for file in folder.iterdir()} == endings
        if form == "penpa":
            (file,) = folder.iterdir()
            assert penpa.read(file.read_text().strip()) == Position.parse("5:RRD")
    walls = ("corpus", "export", "5!2,2:RRD", "-o", str(tmp_path))
    assert_refused(run(*walls, "--form", "puzzlink"))
    assert_refused(run(*walls, "--form", "pdf"))
