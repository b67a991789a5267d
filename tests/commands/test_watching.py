"""`--watch`: a rule file is judged again when it is saved, faults waited out."""

from pathlib import Path

import pytest

from tests.runner import assert_refused, run
from tests.samples import CORNER_AHEAD, MENDED
from verify.commands import console


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("prove",), ["REFUTED", "PROVED"]),
        (("verify", "5"), [" unsound\n", " sound\n1,"]),
    ],
)
def test_saving_the_drawing_shows_the_verdict(
    command: tuple[str, ...],
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "mine.toml"
    file.write_text(CORNER_AHEAD)
    saved = iter([CORNER_AHEAD.replace("% . ?", "% . "), MENDED])

    def wait(seconds: float) -> None:
        text = next(saved, None)
        if text is None:
            raise KeyboardInterrupt
        file.write_text(text)

    monkeypatch.setattr(console, "sleep", wait)
    ran = run(*command, "mine.toml", "--watch")
    assert ran.code == 0
    first, second = (ran.out.index(word) for word in words)
    assert first < second
    assert "oneway: mine.toml, line 6" in ran.err
    assert ran.err.count("watching mine.toml; Ctrl-C ends") == 3


def test_without_a_rule_file_there_is_nothing_to_watch() -> None:
    assert_refused(run("prove", "c-shape", "--watch"))
    assert_refused(run("verify", "c-shape", "5", "--watch"))
