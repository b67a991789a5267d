"""The stroke letters: every sign has a path inside its box."""

import re

from solver.svg import text_path, text_width

SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-+=.,:/%?()*<>#"


def test_every_sign_stays_in_its_box() -> None:
    for sign in SIGNS:
        path = text_path(sign, 3, 4.5, 9)
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", path)]
        assert numbers, sign
        assert all(0 <= x <= 6 for x in numbers[::2]), sign
        assert all(0 <= y <= 9 for y in numbers[1::2]), sign


def test_signs_differ() -> None:
    paths = {sign: text_path(sign, 0, 0, 9) for sign in SIGNS if sign != "O"}
    assert len(set(paths.values())) == len(paths)  # only O and 0 look the same


def test_anchors() -> None:
    start = text_path("LL", 0, 0, 9, anchor="start")
    assert text_path("LL", text_width("LL", 9) / 2, 0, 9) == start
    assert text_path("LL", text_width("LL", 9), 0, 9, anchor="end") == start
    assert text_path("ll", 0, 0, 9, anchor="start") == start
    assert text_path("", 0, 0, 9) == ""
    assert text_width("", 9) == 0
