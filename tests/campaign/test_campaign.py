"""What a campaign is: its units, the names of makers, what decides an answer."""

from pathlib import Path
from typing import Any, cast

import pytest

from solver.errors import OptionError
from tests.campaign.sums import squares
from verify.campaign.campaign import (
    CampaignError,
    Counts,
    Unit,
    deciding,
    make,
    plain,
    reference,
    spans,
)


def test_spans_are_as_heavy_as_what_they_have() -> None:
    assert list(spans(7, 3, 0.5, "walks", "9", 1)) == [
        Unit("walks 1-3", ["9", 1, 0, 3], 1.5),
        Unit("walks 4-6", ["9", 1, 3, 3], 1.5),
        Unit("walks 7-7", ["9", 1, 6, 1], 0.5),
    ]
    assert list(spans(0, 3, 0.5, "walks")) == []


def test_a_maker_is_named_if_another_process_can_find_it() -> None:
    named = reference(squares)
    assert named == "tests.campaign.sums:squares"
    assert make(named, {"count": 3}).key == squares({"count": 3}).key
    for module, name in (("a", "<lambda>"), ("a", "A.b"), ("__main__", "b")):
        maker: Any = lambda _: None  # noqa: E731 (its name is what is asked for)
        maker.__module__, maker.__qualname__ = module, name
        why = f"^{module}:{name} does not stand at the top of a module$"
        with pytest.raises(CampaignError, match=why):
            reference(maker)


def test_what_is_no_json_is_refused() -> None:
    for value in ({1, 2}, float("nan")):
        with pytest.raises(CampaignError, match=r"^no JSON value: \w+"):
            plain(cast(Any, value))
    counts = Counts(9, 2, 3, 8.0, 2.0)
    assert (counts.done, counts.share) == (4, 0.75)
    assert Counts(0, 0, 0, 0.0, 0.0).share == 1.0


def test_sources_decide_by_name_and_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    whole, alone = set(), set()

    def note() -> None:
        whole.add(deciding("decides"))
        alone.add(deciding("decides.one"))

    folder = tmp_path / "decides"
    (folder / "deep").mkdir(parents=True)
    for name in ("__init__.py", "one.py", "two.py"):
        (folder / name).touch()
    note()
    (folder / "two.py").write_text("a")  # no part of a module beside it
    note()
    (folder / "two.py").rename(folder / "deep" / "two.py")
    note()
    (folder / "read.me").write_text("a")  # decides nothing
    note()
    assert (len(whole), len(alone)) == (3, 1)
    (folder / "one.py").write_text("a")
    note()
    assert (len(whole), len(alone)) == (4, 2)
    assert {len(one) for one in whole} == {16}
    for none in ("decides.none", "decides.deep"):  # the second has no source
        with pytest.raises(OptionError, match=f"^there is no module '{none}'$"):
            deciding(none)
