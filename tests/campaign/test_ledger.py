"""The ledger: who may open it, and that damage is said and not believed."""

import random
import sqlite3
from pathlib import Path

import pytest

from tests.campaign.sums import squares
from verify.campaign.campaign import CampaignError
from verify.campaign.engine import run
from verify.campaign.ledger import Ledger
from verify.campaign.lock import held
from verify.campaign.records import Report
from verify.campaign.schema import APPLICATION, LedgerError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a finished ledger."""
    path = tmp_path / "some.ledger"
    run(squares, {"count": 300}, ledger=path, small=1e9)
    return path


def test_a_second_process_is_refused(file: Path) -> None:
    with held(file):
        with pytest.raises(LedgerError, match=r"process \d+ is at work on it"):
            run(squares, {"count": 300}, ledger=file)
        with Ledger(file) as ledger:  # a reader is not
            assert ledger.counts().done == 300
    assert run(squares, {"count": 300}, ledger=file).complete
    assert [path.name for path in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize("content", [b"", b"no ledger at all" * 300])
def test_what_is_no_ledger_is_refused_and_left_alone(
    content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    with pytest.raises(LedgerError, match=r"x: is (no ledger|damaged)"):
        run(squares, {"count": 3}, ledger=path)
    assert path.read_bytes() == content


def test_another_database_and_another_format_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE a (b)")
    db.commit()
    with pytest.raises(LedgerError, match="is no ledger of a campaign"):
        Ledger(path, write=True)
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute("PRAGMA user_version = 99")
    db.commit()
    db.close()
    with pytest.raises(LedgerError, match="is a ledger of format 99"):
        Ledger(path)


def _read_whole(path: Path) -> list[object]:
    with Ledger(path, write=True) as ledger:
        told: list[object] = [*ledger.rows(), *ledger.found(), ledger.spec]
        told += [ledger.counts(), *ledger.results(ledger.counts().units)]
    return told


def test_a_ledger_cut_short_is_said(file: Path) -> None:
    whole = file.read_bytes()
    for size in range(0, len(whole), 4096):
        file.write_bytes(whole[:size])
        with pytest.raises(LedgerError, match=r"ledger: is (damaged|no ledger)"):
            _read_whole(file)


def test_flipped_bits_are_said_or_harm_nothing(file: Path) -> None:
    whole, truth, draw = file.read_bytes(), _read_whole(file), random.Random(1)
    said = 0
    for _ in range(200):
        data = bytearray(whole)
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        file.write_bytes(data)
        for ending in ("-wal", "-shm"):
            file.with_name(file.name + ending).unlink(missing_ok=True)
        try:
            assert _read_whole(file) == truth
        except LedgerError:
            said += 1
    assert said > 30


def test_a_second_result_that_differs_is_an_error(file: Path) -> None:
    with Ledger(file, write=True) as ledger:
        ledger.record([Report(3, "me", 0.0, "9")])
        with pytest.raises(LedgerError, match="unit 3 has given two results"):
            ledger.record([Report(4, "me", 0.0, "16"), Report(3, "me", 0.0, "10")])


def test_a_full_disk_is_said_and_harms_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x"
    run(squares, {"count": 300}, ledger=path, seconds=0.0)
    with Ledger(path, write=True) as ledger:
        pages = ledger._db.execute("PRAGMA page_count").fetchone()[0]
        ledger._db.execute(f"PRAGMA max_page_count = {pages}")
        big = "7" * 100_000
        with pytest.raises(LedgerError, match=r"x: cannot be written: .* full"):
            ledger.record([Report(0, "me", 0.0, "0"), Report(1, "me", 0.0, big)])
        assert ledger.counts().done == 0
    assert run(squares, {"count": 300}, ledger=path).complete


def test_bad_units_leave_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(CampaignError, match="weight 0"):
        run(squares, {"count": 3, "weight": 0}, ledger=tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Exception, match="cannot make") as caught:
        run(squares, {"count": 3}, ledger=tmp_path / "file" / "x")
    assert "\n" not in str(caught.value)
