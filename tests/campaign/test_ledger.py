"""The ledger: who may open it, and that damage is said and not believed."""

import os
import platform
import random
import sqlite3
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from solver import system
from solver.errors import OptionError
from tests.campaign.sums import scaled, squares
from tests.runner import assert_refused
from tests.runner import run as cli
from verify.campaign import schema
from verify.campaign.campaign import CampaignError, Report, deciding, deciding_rules
from verify.campaign.cluster import open_to_all
from verify.campaign.engine import run
from verify.campaign.ledger import Ledger
from verify.campaign.places import find, folder, left_behind, merge
from verify.campaign.schema import APPLICATION, LedgerError, held


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
        assert file.with_name("some.ledger.lock").stat().st_mode & 0o133 == 0
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
    """Return all that a reader can ask."""
    with Ledger(path) as ledger:
        told: list[object] = [*ledger.rows(), *ledger.found(), ledger.spec]
        told += [ledger.counts(), *ledger.placed(), *ledger.reports(), ledger.last()]
        told += [*ledger.failures(), ledger.spent(), *ledger.efforts()]
        told += [*ledger.open_tasks(), ledger.found_there(), ledger.results_there()]
    return told


def test_a_ledger_cut_short_is_said(file: Path) -> None:
    whole = file.read_bytes()
    for size in range(0, len(whole), 4096):
        file.write_bytes(whole[:size])
        with pytest.raises(LedgerError, match=r"ledger: is (damaged|no ledger)"):
            _read_whole(file)


def _dense(folder: Path) -> list[Path]:
    """Make ledgers with rows in every table: unfinished ones, and one with an end."""
    some = {"count": 200, "wrong": [4, 50]}
    files = [folder / name for name in ("failed", "ended", "open")]
    run(squares, some, ledger=files[0], small=1e9)
    run(squares, {"count": 200, "last": 14400}, ledger=files[1], small=1e9)
    run(squares, some, ledger=files[2], small=1e9, share=(1, 3))
    return files


def _places(whole: bytes, draw: random.Random, count: int) -> list[int]:
    """Draw bytes to flip: half in heads and pointers of the pages' trees."""
    size = int.from_bytes(whole[16:18])
    heads = [place for place in range(len(whole)) if place % size < 120]
    return [
        draw.choice(heads) if number < count // 2 else draw.randrange(len(whole))
        for number in range(count)
    ]


def _flip(file: Path, count: int, seed: int) -> int:
    """Flip single bits; return how many of them were said, none being silent."""
    whole, truth, draw = file.read_bytes(), _read_whole(file), random.Random(seed)
    said = 0
    for place in _places(whole, draw, count):
        data = bytearray(whole)
        data[place] ^= 1 << draw.randrange(8)
        file.write_bytes(data)
        for ending in ("-wal", "-shm"):
            file.with_name(file.name + ending).unlink(missing_ok=True)
        try:
            assert _read_whole(file) == truth, f"byte {place} of {file.name}"
        except LedgerError:
            said += 1
    return said


def test_digests_are_those_of_ledgers_that_people_have() -> None:
    row = (0, "a", "3", 1.0)
    assert schema.row_digest("unit", row) == 276414813200436302412044792911366171473


def test_no_flipped_bit_is_silent(tmp_path: Path) -> None:
    for seed, file in enumerate(_dense(tmp_path)):
        assert _flip(file, 100, seed) > 10


@pytest.mark.slow
def test_none_of_20000_flipped_bits_is_silent(tmp_path: Path) -> None:
    assert sum(_flip(file, 6667, 7) for file in _dense(tmp_path)) > 3000


CHANGES = [
    "UPDATE result SET value = '3' WHERE place = 30",
    "UPDATE result SET last = 1 WHERE place = 30",
    "DELETE FROM result WHERE place = 30",
    "UPDATE result SET place = 1000 WHERE place = 30",
    "UPDATE found SET text = 'none' WHERE place = 27",
    "DELETE FROM found WHERE place = 27",
    "UPDATE unit SET payload = '31' WHERE place = 30",
    "UPDATE unit SET weight = 2.0 WHERE place = 30",
    "UPDATE unit SET state = 0 WHERE place = 30",
    "UPDATE unit SET state = 2 WHERE place = 30",
    "UPDATE unit SET state = 0 WHERE place = 50",
    "UPDATE unit SET state = 1 WHERE place = 50",
    "DELETE FROM failure WHERE place = 50 AND number = 2",
    "UPDATE effort SET seconds = 9.0 WHERE place = 30",
    "UPDATE campaign SET value = '91' WHERE key = 'units'",
    "DELETE FROM unit WHERE place = 89",
    "DROP INDEX open_unit",
    "PRAGMA writable_schema = ON;"
    "UPDATE sqlite_schema SET sql = CAST(sql AS BLOB) WHERE name = 'unit'",
    "DELETE FROM digest",
]


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_was_changed_is_said_by_all_who_read(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To read, to go on, to merge from and into; what is larger passes it over."""
    monkeypatch.setenv("ONEWAY_CAMPAIGNS", str(tmp_path))
    some = {"count": 90, "wrong": [4, 50]}
    file, other = tmp_path / "squares-0.ledger", tmp_path / "other"
    run(squares, some, ledger=file, small=1e9)
    run(squares, some, ledger=other, small=1e9, share=(1, 2))
    db = sqlite3.connect(file)
    db.executescript(change)
    db.commit()
    db.close()
    tables = "DROP" in change or "schema" in change
    why = "its tables are not those of a ledger" if tables else ""
    with pytest.raises(LedgerError, match=f"is damaged: {why}"):
        Ledger(file)
    with pytest.raises(LedgerError, match="is damaged"):
        run(squares, some, ledger=file, small=1e9)
    with pytest.raises(LedgerError, match=r"squares-0\.ledger: is damaged"):
        merge(other, [file])
    with pytest.raises(LedgerError, match=r"squares-0\.ledger: is damaged"):
        merge(file, [other])
    done: list[int] = []

    def arrived(place: int, _: object) -> None:
        done.append(place)

    run(squares, some | {"count": 100}, small=1e9, arrived=arrived)
    assert len(done) == 98  # all but the wrong: of the damaged one nothing was taken
    assert run(squares, some, ledger=file, fresh=True, small=1e9).counts.done == 88


def test_an_index_that_lacks_rows_is_damage(tmp_path: Path) -> None:
    """The rows are all there, and have their digest; only an index passes them over."""
    file = tmp_path / "x"
    run(squares, {"count": 90}, ledger=file, small=1e9, share=(1, 3))
    db = sqlite3.connect(file)
    where = "sqlite_schema WHERE name = 'open_unit'"
    sql = db.execute(f"SELECT sql FROM {where}").fetchone()[0]
    db.execute("DROP INDEX open_unit")
    db.execute(sql.replace("state = 0", "state = 0 AND place > 40"))
    db.execute("PRAGMA writable_schema = ON")
    db.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'open_unit'", (sql,))
    db.commit()
    db.close()
    with pytest.raises(LedgerError, match="missing from index open_unit"):
        Ledger(file)


def test_only_the_same_program_is_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seconds of an effort say who did a unit: the old run, or this one."""
    monkeypatch.setenv("ONEWAY_CAMPAIGNS", str(tmp_path))
    first = run(squares, {"count": 20, "text": "a"}, small=1e9).ledger
    with held(first), Ledger(first, write=True) as book:
        assert book.retry() == 0
    db = sqlite3.connect(first)
    assert db.execute("SELECT count(*) FROM effort").fetchone()[0] == 20
    db.close()
    done: list[int] = []

    def arrived(place: int, _: object) -> None:
        done.append(place)

    run(squares, {"count": 30, "text": "a"}, small=1e9, arrived=arrived)
    assert done == [*range(20, 30)]
    done.clear()
    run(squares, {"count": 40, "text": "b"}, small=1e9, arrived=arrived)
    assert len(done) == 40
    done.clear()
    run(squares, {"count": 50, "text": "a", "weight": 2.0}, small=1e9, arrived=arrived)
    assert len(done) == 50


def test_units_of_another_payload_are_not_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONEWAY_CAMPAIGNS", str(tmp_path))
    run(scaled, {"count": 20, "other": 1}, small=1e9)
    with Ledger(run(scaled, {"count": 30, "other": 1}, seconds=0.0).ledger) as book:
        assert book.results_there() == 10  # the units before payloads differ
    monkeypatch.setenv("VERSION_OF_SCALED", "2")
    with Ledger(run(scaled, {"count": 40, "other": 1}, seconds=0.0).ledger) as book:
        assert book.results_there() == 0  # another program might give other results


def test_who_replaced_the_lock_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its holder may remove the file between our opening and locking it."""
    file, taken = tmp_path / "x", list[int]()

    def slow(number: int) -> None:
        if not taken:
            beside = file.with_name("x.lock")
            beside.unlink()
            beside.touch()
        taken.append(number)
        system.lock(number)

    monkeypatch.setattr("verify.campaign.schema.lock", slow)
    with held(file):
        assert len(taken) == 2
        who = f"process {os.getpid()} is at work"
        with pytest.raises(LedgerError, match=who), held(file):
            pass


def test_nothing_is_begun_after_the_last_unit(tmp_path: Path) -> None:
    done: list[int] = []

    def arrived(place: int, _: object) -> None:
        done.append(place)

    some = {"count": 90, "last": 16}
    outcome = run(squares, some, ledger=tmp_path / "x", small=1e9, arrived=arrived)
    assert done == [0, 1, 2, 3, 4]
    assert outcome.answer == [0, 1, 4, 9, 16]


def test_rule_files_of_a_package_decide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "booked").mkdir()
    (tmp_path / "booked" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    hashes = {deciding("booked")}
    for text in ("", "[[rule]]", "[[rules]]"):
        (tmp_path / "booked" / "book.toml").write_text(text)
        hashes.add(deciding("booked"))
    assert len(hashes) == 4


def test_a_scheduler_open_to_the_network_is_warned_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONEWAY_CAMPAIGNS", str(tmp_path))
    words = ("stats", "5", "-n", "9", "--cluster")
    assert "can run any program" in cli(*words, "nobody://192.0.2.1:1").err
    assert "can run any program" not in cli(*words, "nobody://127.0.0.1:1").err
    alone = "tls://first wss://first inproc://first tcp://localhost:1 localhost [::1]:1"
    assert not any(map(open_to_all, [*alone.split(), "127.0.0.1:8786"]))
    assert all(map(open_to_all, ["tcp://first:8786", "first", "ws://10.0.0.1", "[::]"]))


def test_the_last_unit_of_a_report_ends_it(tmp_path: Path) -> None:
    file = tmp_path / "x"
    run(squares, {"count": 9}, ledger=file, seconds=0.0)
    with Ledger(file, write=True) as book:
        book.record([Report(place, "me", 0.0, "0") for place in (0, 1, 2)])
        book.record([Report(3, "me", 0.0, "0", last=True)])
        assert (book.last(), book.counts().units) == (3, 4)
        book.end_at(1)
        assert (book.last(), book.counts().units) == (1, 2)
    with Ledger(file) as book:
        assert (book.last(), [*book.results(2)]) == (1, [0, 0])


def test_fresh_replaces_nothing_but_a_ledger(file: Path, tmp_path: Path) -> None:
    mine = tmp_path / "thesis.txt"
    mine.write_text("years of work")
    other = tmp_path / "thesis.db"
    db = sqlite3.connect(other)
    db.execute("CREATE TABLE a (b)")
    db.close()
    for path in (mine, other):
        whole, why = path.read_bytes(), f"{path.name}: is no ledger, so --fresh does"
        with pytest.raises(LedgerError, match=why):
            run(squares, {"count": 3}, ledger=path, fresh=True)
        assert path.read_bytes() == whole
    file.write_bytes(file.read_bytes()[:5000])  # damaged, but a ledger
    assert run(squares, {"count": 3}, ledger=file, fresh=True, small=9.0).complete


def test_a_ledger_is_read_where_nothing_can_be_written(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Ledger(file) as reader:  # where one can write, others may
        with Ledger(file, write=True) as writer:
            writer.record([Report(3, "me", error="it failed")])
        assert reader.tries(3) == 0
    truth = _read_whole(file)
    for beside in set(file.parent.iterdir()) - {file}:
        beside.unlink()
    monkeypatch.setattr("os.access", lambda path, how: False)
    with Ledger(file):
        assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert _read_whole(file) == truth
    # Whoever has a log may be writing it: what stands there counts.
    monkeypatch.undo()
    with Ledger(file, write=True) as writer:
        writer.record([Report(3, "me", error="it failed")])
        log = file.with_name(file.name + "-wal")
        assert log.stat().st_size
        monkeypatch.setattr("os.access", lambda path, how: False)
        assert len(_read_whole(file)) == len(truth)
        with Ledger(file) as reader:
            assert reader.tries(3) == 1


def test_too_many_units_are_refused_and_leave_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "MOST", 1000)
    with pytest.raises(CampaignError, match="more than 1,000 units; ask for less"):
        run(squares, {"count": 10**12}, ledger=tmp_path / "x")
    assert list(tmp_path.iterdir()) == []
    assert run(squares, {"count": 1000}, ledger=tmp_path / "x", small=1e9).complete


def test_a_folder_of_ledgers_is_no_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONEWAY_CAMPAIGNS", str(file))
    for words in (["show"], ["show", "squares"]):
        assert_refused(ran := cli("campaign", *words))
        assert "ONEWAY_CAMPAIGNS" in ran.err
    monkeypatch.delenv("ONEWAY_CAMPAIGNS")
    assert folder() == Path("out/campaigns")


def test_a_second_result_that_differs_is_an_error(file: Path) -> None:
    with Ledger(file, write=True) as ledger:
        ledger.record([Report(3, "me", 0.0, "9")])
        failed = Report(4, "me", error="it failed")
        with pytest.raises(LedgerError, match="unit 3 has given two results"):
            ledger.record([failed, Report(3, "me", 0.0, "10")])
        with pytest.raises(LedgerError, match="unit 7 has given two results"):
            ledger.record([Report(7, "me", 0.0, "49", ("another case",))])
        ledger.record([Report(8, "me", 0.0, "64")])
    assert len(_read_whole(file)) > 300  # nothing of what was refused is in the digest


def test_what_changes_while_a_run_goes_on_is_said(tmp_path: Path) -> None:
    file = tmp_path / "x"

    def arrived(place: int, _: object) -> None:
        if place == 8:
            db = sqlite3.connect(file)
            db.execute("UPDATE result SET value = '3' WHERE place = 1")
            db.commit()
            db.close()

    with pytest.raises(LedgerError, match="its rows are not those that were written"):
        run(squares, {"count": 9}, ledger=file, small=1e9, arrived=arrived)


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


def test_faults_are_said_in_words(file: Path, tmp_path: Path) -> None:
    for name, why in (
        ("FULL", "cannot be written: it; what was written before is kept"),
        ("IOERR_READ", "cannot be written: it; what was written before is kept"),
        ("READONLY", "cannot be written: it; what was written before is kept"),
        ("CANTOPEN", "cannot be opened: it"),
        ("BUSY", "another program holds it"),
        ("CORRUPT", "is damaged: it"),
    ):
        error = sqlite3.OperationalError("it")
        error.sqlite_errorname = f"SQLITE_{name}"
        with pytest.raises(LedgerError) as caught, schema.reporting_faults(file):
            raise error
        assert str(caught.value) == f"{file}: {why}"
    with pytest.raises(LedgerError) as caught, schema.reporting_faults(file):
        b"\xff".decode()
    assert str(caught.value) == f"{file}: is damaged: text that is no UTF-8"
    with pytest.raises(LedgerError, match=r"none: there is no such ledger$"):
        Ledger(tmp_path / "none")
    db = sqlite3.connect(file)
    for change, why in (
        ("UPDATE campaign SET value = 3 WHERE key = 'parameters'", "parameters are no"),
        ("DELETE FROM campaign WHERE key = 'units'", "description lacks 'units'$"),
    ):
        db.execute(change)
        db.commit()
        with pytest.raises(LedgerError, match=f"damaged: its {why}"):
            Ledger(file, check=False)
    db.close()


def test_who_holds_a_lock_is_said_if_it_says_so(tmp_path: Path) -> None:
    with held(tmp_path / "x"):
        for said, who in ((b"\xff", "\ufffd"), (b"", "unknown")):
            (tmp_path / "x.lock").write_bytes(said)
            match = f"x: process {who} is at work on it$"
            with pytest.raises(LedgerError, match=match), held(tmp_path / "x"):
                pass
    (tmp_path / "y.lock").mkdir()
    match = "y: cannot be locked: Is a directory$"
    with pytest.raises(LedgerError, match=match), held(tmp_path / "y"):
        pass


def test_what_a_killed_run_left_is_removed(file: Path) -> None:
    with Ledger(file, write=True) as ledger:
        ledger.record([Report(3, "me", error="it failed")])
        log = file.with_name("some.ledger-wal").read_bytes()
    file.with_name("some.ledger-wal").write_bytes(log)  # SQLite would take it for ours
    for name in ("some.ledger-shm", ".some.ledger.part-wal"):
        file.with_name(name).write_bytes(b"left")
    assert run(squares, {"count": 3}, ledger=file, fresh=True, small=9.0).complete
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    versions = [f"python {platform.python_version()}"]
    for name in ("oneway", "numba", "numpy", "python-sat", "ortools"):
        with suppress(PackageNotFoundError):
            versions.append(f"{name} {version(name)}")
    with Ledger(file) as ledger:
        assert ledger.spec.program == ", ".join(versions)


def test_a_ledger_is_found_by_its_name_or_its_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONEWAY_CAMPAIGNS", str(tmp_path))
    with pytest.raises(OptionError, match=f"^no campaign in {tmp_path} is called 'x'$"):
        find("x")
    for number in range(9):
        (tmp_path / f"a-{number}.ledger").touch()
    (tmp_path / "b-1.ledger").touch()
    (tmp_path / "b-1-2.ledger").touch()
    eight = ", ".join(f"a-{number}" for number in range(8))
    for named, fits in (("b-1", "b-1"), ("b-1-", "b-1-2"), ("a-3", "a-3")):
        assert find(named) == tmp_path / f"{fits}.ledger"
    assert find(str(tmp_path / "a-0.ledger")) == tmp_path / "a-0.ledger"
    for named, why in (("a", f"9 campaigns are called 'a': {eight}"), ("x", None)):
        why = why or f"no campaign in {tmp_path} is called 'x'; there: {eight}"
        with pytest.raises(OptionError, match=f"^{why}$"):
            find(named)


def test_what_another_version_left_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONEWAY_CAMPAIGNS", str(tmp_path))
    (tmp_path / "squares-.ledger").touch()  # none, and passed over
    there = run(squares, {"count": 3}, small=9.0).ledger
    (tmp_path / "other.ledger").write_bytes(there.read_bytes())
    db = sqlite3.connect(there)  # that it is damaged takes long to see
    db.execute("DELETE FROM digest")
    db.commit()
    db.close()
    for count, version_of, found in ((3, "2", there), (4, "2", None), (3, "", None)):
        campaign = squares({"count": count})
        campaign = replace(campaign, deciding=version_of or campaign.deciding)
        assert left_behind(campaign) == found


def test_rule_files_among_names_decide(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(b"rule \xff")
    found = deciding_rules(f"{file},seed-5,-a.toml", "verify.evidence", texts=["a"])
    rooms = ("solver", "heuristic", "verify.evidence")
    assert found == deciding(*rooms, texts=["a", "rule \ufffd"])
    with pytest.raises(OptionError, match=r"none\.toml: No such file or directory$"):
        deciding_rules(str(tmp_path / "none.toml"))


def test_bad_units_leave_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(CampaignError, match="weight 0"):
        run(squares, {"count": 3, "weight": 0}, ledger=tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Exception, match="cannot make") as caught:
        run(squares, {"count": 3}, ledger=tmp_path / "file" / "x")
    assert "\n" not in str(caught.value)
    (tmp_path / "x").mkdir()
    with pytest.raises(LedgerError, match=r"x: cannot be written: Is a directory$"):
        run(squares, {"count": 3}, ledger=tmp_path / "x", fresh=True)
    assert len([*tmp_path.iterdir()]) == 2
