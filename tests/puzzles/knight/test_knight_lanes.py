"""The kernel for GPUs, compiled as plain C++, tries the same steps as the other one."""

import shutil
import subprocess

import numpy as np
import pytest

from solver.puzzles.knight.semimagic import below
from solver.puzzles.knight.tour import STARTS, class_of, start_class
from tests.bench.knight_lanes import SOURCE, Device, as_items, cpu, search, tours_below
from tests.puzzles.knight.samples import Tour, images
from tests.puzzles.knight.test_knight_records import record

COMPILER = shutil.which("c++") or shutil.which("g++")


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Device:
    if COMPILER is None:
        pytest.skip("there is no C++ compiler")
    out = tmp_path_factory.mktemp("lanes") / "lanes.so"
    kind = ["-O2", "-std=c++17", "-shared", "-fPIC", "-x", "c++"]
    subprocess.run([COMPILER, *kind, str(SOURCE), "-o", str(out)], check=True)
    return cpu(str(out))


def prefixes(length: int) -> list[Tour]:
    """Return the first cells of two tours, in all images that the enumeration meets."""
    out = set()
    for tour in record()[1][:2]:
        for image in images(tour):
            for one in (image, image[::-1]):
                start = start_class(class_of(one[0]))
                later = STARTS.index(class_of(one[-1])) >= STARTS.index(start.name)
                if later and one[0] == start.cell and one[1] in start.second:
                    out.add(one[:length])
    return sorted(out)


def test_tours_and_steps_are_those_of_the_other_kernel(device: Device) -> None:
    for prefix in prefixes(23):
        wanted = below(prefix)
        tours, steps = tours_below(device, [prefix], deep=26, room=1 << 16)
        assert tours == sorted(wanted.tours) != []
        assert steps.tolist() == [wanted.tried, *wanted.taken[1:]]


def test_walks_that_are_given_up_go_on(device: Device) -> None:
    """However often lanes leave their walks, nothing is lost and nothing met twice."""
    (prefix, *_) = prefixes(24)
    start = start_class(class_of(prefix[0]))
    whole = search(device, start, as_items([prefix]), patience=2**31)
    parts = search(device, start, as_items([prefix]), patience=256)
    assert whole[2] == 1 < 5 < parts[2]
    assert sorted(whole[0][:, :64].tolist()) == sorted(parts[0][:, :64].tolist()) != []
    assert np.array_equal(whole[1], parts[1])
