"""The enumeration of semi-magic tours on a GPU: an experiment, never yet run on one.

``python -m tests.bench.knight_lanes FILE [c3 ...]`` runs ``knight_lanes.cu`` on the
first GPU, through CuPy, for these start classes or all, and adds to a file a line of
JSON for each part that is done; parts that stand in the file are left out, so the same
line goes on. The steps are those of `solver.puzzles.knight.semimagic.below`, so those
of c3 are known: ``docs/tables/knight-c3.jsonl``. Tests compile the source as plain C++.
"""

import ctypes
import json
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.puzzles.knight.semimagic import LINE_GAPS, _bounds, last_visits
from solver.puzzles.knight.tour import (
    STARTS,
    StartClass,
    Tour,
    class_of,
    neighbours,
    start_class,
)

SOURCE = Path(__file__).with_suffix(".cu")
ITEM, LENGTH = 68, 64  # bytes of an item, and where its length stands
_TABLES = 8 * (8 * 256 + 64 * 16 + 8) + 4 * (16 + 65 * 32)
_THREADS = 768  # of a block; one block fills the shared memory of a multiprocessor
_DEEP = 14  # cells of the prefixes that lanes take from the queue
_PART = 100  # units of a part, about

Words = npt.NDArray[np.uint64]


class Device(NamedTuple):
    """Where the kernel runs: a module like numpy, and how the kernel is called."""

    arrays: Any
    launch: Callable[[int, tuple[Any, ...]], None]  # bytes a block shares; arguments
    threads: int
    lanes: int


def gpu() -> Device:
    """Compile the kernel for the first GPU."""
    cupy = import_module("cupy")
    options = (f"-DTHREADS={_THREADS}", "-std=c++17")
    module = cupy.RawModule(code=SOURCE.read_text(encoding="utf-8"), options=options)
    kernel = module.get_function("knight_below")
    kernel.max_dynamic_shared_size_bytes = 227 * 1024
    blocks = cupy.cuda.Device().attributes["MultiProcessorCount"]

    def launch(shared: int, arguments: tuple[Any, ...]) -> None:
        kernel((blocks,), (_THREADS,), arguments, shared_mem=shared)

    return Device(cupy, launch, _THREADS, blocks * _THREADS)


def cpu(library: str) -> Device:
    """Take the kernel from a shared library, compiled as plain C++: one lane."""
    kernel = ctypes.CDLL(library).knight_below
    kinds = {8: ctypes.c_uint64, 4: ctypes.c_uint32}

    def launch(_shared: int, arguments: tuple[Any, ...]) -> None:
        kernel(
            *(
                ctypes.c_void_p(one.ctypes.data)
                if isinstance(one, np.ndarray)
                else kinds[one.nbytes](int(one))
                for one in arguments
            )
        )

    return Device(np, launch, 1, 1)


def entries(start: StartClass) -> Words:
    """Return what the kernel knows of lines: (2048,), by line and mask of free cells.

    An entry says when an even and an odd moment come too late for a sum (16 bits each),
    a factor that divides by twice the number of cells, and the largest sum. Row and
    column of one number have the same, for `finish` is symmetric.
    """
    out = np.zeros((8, 256), dtype=np.uint64)
    for row, end in enumerate(last_visits(start.finish)[:8]):
        out[row, 0] = 0xFFFF | 1 << 16 | 63 << 48
        for mask in range(1, 256):
            least, largest = _bounds(mask, (row + start.colour) % 2, end, LINE_GAPS)
            count = mask.bit_count()
            factor = -(-65536 // (2 * count))
            odd = least[1] + count
            out[row, mask] = least[0] | odd << 16 | factor << 32 | largest << 54
    return out.reshape(-1)


def as_items(prefixes: Sequence[Tour]) -> npt.NDArray[np.uint8]:
    """Return prefixes as items, all of their steps still to try."""
    out = np.full((len(prefixes), ITEM), 0xFF, dtype=np.uint8)
    for item, prefix in zip(out, prefixes, strict=True):
        item[: len(prefix)] = prefix
        item[LENGTH] = len(prefix)
    return out


def search(
    device: Device,
    start: StartClass,
    items: Any,
    *,
    stop: int = 64,
    patience: int = 1 << 14,
    room: int = 1 << 12,
) -> tuple[Any, Words, int]:
    """Search below items of one start class, down to walks of `stop` cells.

    `patience`: turns that a launch lasts at least, unless nothing is left. `room`: what
    one launch may find. Returns what was found, as items on the device; the steps
    taken by level, those tried in entry 0; and the number of launches.
    """
    xp = device.arrays
    near = (sum(1 << c for c in some) for some in neighbours(8, 8))
    loose = sum(1 << cell for cell, word in enumerate(near) if word & start.finish)
    lines, items = xp.asarray(entries(start)), xp.asarray(items)
    first = int(items[:, LENGTH].min()) if len(items) else stop
    shared = _TABLES + device.threads * (32 + 4 * (stop - first))
    taken = xp.zeros(65, dtype=xp.uint64)
    found = xp.empty((room, ITEM), dtype=xp.uint8)
    rests = [xp.empty((64 * device.lanes, ITEM), dtype=xp.uint8) for _ in range(2)]
    parts, launches = [found[:0]], 0
    while len(items):
        launches += 1
        rest = rests[launches % 2]
        counts = xp.zeros(3, dtype=xp.uint32)
        arguments = (
            *(lines, np.uint64(start.finish), np.uint64(loose)),
            *(items, np.uint32(len(items)), np.uint32(stop), np.uint32(first)),
            *(np.uint32(patience), found, np.uint32(room)),
            *(rest, np.uint32(len(rest)), counts, taken),
        )
        device.launch(shared, arguments)
        _, met, left = map(int, counts)
        if met > room or left > len(rest):
            raise RuntimeError(f"{met} walks and {left} items do not fit")
        parts.append(found[:met].copy())
        items = rest[:left]
    return xp.concatenate(parts), np.array(taken.tolist(), np.uint64), launches


def tours_below(
    device: Device, prefixes: Sequence[Tour], deep: int = _DEEP, room: int = 1 << 25
) -> tuple[list[Tour], Words]:
    """Return the tours below prefixes of one start class, and the steps by level."""
    start = start_class(class_of(prefixes[0][0]))
    short = [one for one in prefixes if len(one) < deep]
    items, before, _ = search(device, start, as_items(short), stop=deep, room=room)
    long = device.arrays.asarray(
        as_items([one for one in prefixes if len(one) >= deep])
    )
    items = device.arrays.concatenate([items, long])
    found, after, _ = search(device, start, items)
    return sorted(tuple(one[:LENGTH]) for one in found.tolist()), before + after


def main(file: Path, starts: list[str]) -> None:
    """Enumerate the tours of start classes, part by part."""
    from verify.puzzles.knight.enumeration import prefixes

    text = file.read_text(encoding="utf-8") if file.exists() else ""
    done = {json.loads(line)["part"] for line in text.splitlines()}
    device = gpu()
    for start in starts or STARTS:
        units = prefixes(start)
        parts = -(-len(units) // _PART)
        for k in range(parts):
            part = f"{start} {k + 1} of {parts}"
            if part in done:
                continue
            begun = perf_counter()
            tours, steps = tours_below(device, units[k::parts])
            record = {"part": part, "seconds": perf_counter() - begun}
            record |= {"steps": steps.tolist(), "tours": tours}
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(record) + "\n")
            print(part, len(tours), "tours", f"{steps[0]:,} steps", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
