import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.runner import run
from verify.commands import console, positions


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("stats", "5", "-n", "20"), "stats: 100.0 %, "),
        (("walk", "5", "--count", "9"), "walks on 5: 9 of 9"),
        (("verify", "c-shape", "9", "-n", "7"), "verify: 100.0 %, "),
    ],
)
def test_a_pipe_gets_lines_of_progress_when_it_takes_long(
    args: tuple[str, ...], line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = run(*args)
    assert " of " not in quick.err
    monkeypatch.setattr(console, "EVERY", 0.0)
    slow = run(*args)
    assert line in slow.err.splitlines()[-1]
    assert (slow.out, slow.code) == (quick.out, quick.code)


def test_quiet_prints_the_answer_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "EVERY", 0.0)
    loud = run("stats", "5", "-n", "20")
    for words in (
        ("-q", "stats", "5"),
        ("stats", "-q", "5"),
        ("stats", "5", "--quiet"),
    ):
        quiet = run(*words, "-n", "20")
        assert (quiet.out, quiet.err) == (loud.out, "")
    assert run("-q", "check", "5:X").err.startswith("oneway: ")
    assert run("stats", "5", "-n", "20").err


WORDS = st.text("ab1,. ", max_size=70)


@given(
    st.integers(1, 9).flatmap(
        lambda n: st.lists(
            st.lists(WORDS, min_size=n, max_size=n), min_size=1, max_size=4
        )
    )
)
def test_a_table_is_never_wider_than_the_terminal(rows: list[list[str]]) -> None:
    lines = console.table_lines(rows, 60)
    assert max(map(len, lines), default=0) <= 60
    told = "".join("".join(line.split()) for line in lines)
    assert told == "".join("".join(cell.split()) for row in rows for cell in row)


def test_a_picture_wider_than_the_terminal_is_not_printed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for columns, lines in ((33, 10), (32, 2), (0, 10)):
        monkeypatch.setattr(positions, "terminal_columns", lambda: columns)  # noqa: B023
        ran = run("draw", "9:")
        assert ran.out.count("\n") == lines
        assert ("is wider than the terminal: see -o FILE.svg" in ran.out) == (
            lines == 2
        )
