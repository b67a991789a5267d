"""Every reader takes valid files; what `make fuzz` found is read or refused."""

import random
from pathlib import Path

import pytest

from tests.fuzz import KEPT, READERS, ROOT, corpora, reads


@pytest.mark.parametrize("name", READERS)
def test_readers_take_valid_files_and_refuse_changed_ones(name: str) -> None:
    draw = random.Random(name)
    seeds = list(READERS[name].seeds())
    for seed in seeds:
        assert reads(name, seed)
    for _ in range(10):
        data = bytearray(draw.choice(seeds))
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        reads(name, bytes(data))


@pytest.mark.parametrize("file", sorted(KEPT.glob("*-*")), ids=lambda file: file.name)
def test_what_was_found_is_read_or_refused(file: Path) -> None:
    reads(file.name.split("-")[0], file.read_bytes())


@pytest.mark.parametrize("name", READERS)
def test_what_reached_new_branches_is_read_or_refused(name: str) -> None:
    taken = {reads(name, data) for data in corpora()[name]}
    assert taken == ({False, True} if READERS[name].lasting else set())


def test_every_reader_is_fuzzed_at_night() -> None:
    jobs = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    assert f"reader: [{', '.join(READERS)}]\n" in jobs
