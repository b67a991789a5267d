import pytest

from tests.runner import run
from verify.commands import console


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("stats", "5", "--count", "20"), "walks on 5: 20 of 20"),
        (("walk", "5", "--count", "9"), "walks on 5: 9 of 9"),
        (("verify", "c-shape", "--board", "9", "--drawn", "7"), "on 9: 7 of 7"),
    ],
)
def test_a_pipe_gets_lines_of_progress_when_it_takes_long(
    args: tuple[str, ...], line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = run(*args)
    assert " of " not in quick.err
    monkeypatch.setattr(console, "EVERY", 0.0)
    slow = run(*args)
    assert slow.err.splitlines()[-1].endswith(line)
    assert (slow.out, slow.code) == (quick.out, quick.code)
