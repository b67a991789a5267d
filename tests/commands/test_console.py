import pytest

from tests.runner import run
from verify.commands import console


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("stats", "5", "-n", "20", "--fresh"), "stats: 100.0 %, "),
        (("walk", "5", "--count", "9"), "walks on 5: 9 of 9"),
        (("verify", "c-shape", "9", "-n", "7", "--fresh"), "verify: 100.0 %, "),
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
