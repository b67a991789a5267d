"""`oneway count`: completions, ranks, cycles and paths."""

import json

import pytest

from tests.runner import run


def test_ranks_there_and_back() -> None:
    ran = run("count", "-", "--rank", stdin="5:RDDL\n5:D\n")
    assert (ran.code, ran.out) == (0, "5:RDDL  38\n5:D  52\n")
    ran = run("count", "5", "--walk", "46", "--json")
    walk = json.loads(ran.out)
    assert walk == {"position": "5:RDLDDDRUURRULURRDDDLLDRR", "rank": 46}
    assert json.loads(run("count", walk["position"], "--rank", "--json").out) == walk


@pytest.mark.parametrize(
    ("words", "out"),
    [
        ("4!1,1;1,2 --cycles", "4!1,1;1,2  2 cycles\n"),
        ("4@1,2>1,1 --cycles", "4  6 cycles\n"),
        ("3!3,3 --cycles", "3!3,3  1 cycle\n"),
        ("3x3!1,1;3,3 --paths", "3!1,1;3,3  4 paths\n"),
        ("2!1,1;1,2;2,1 --paths", "2!1,1;1,2;2,1  1 path\n"),
        ("4x5 --cycles --b-file", "1 0\n2 1\n3 2\n4 6\n5 14\n"),  # OEIS A006864
        ("6 --cycles --b-file --jobs 1", "1 0\n2 1\n3 0\n4 6\n5 0\n6 1072\n"),
        ("5 --b-file", "1 1\n2 0\n3 2\n4 0\n5 104\n"),
        ("3x5 --b-file", "1 1\n2 1\n3 2\n4 4\n5 8\n"),
        ("2x3 --cycles --json", '{"board": "2x3", "cycles": 1}\n'),
    ],
)
def test_cycles_and_paths_have_no_ends(words: str, out: str) -> None:
    ran = run("count", *words.split())
    assert (ran.code, ran.out) == (0, out)
