"""Runs: the layers of one plan, made in slices, and kept on disk for a long count."""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.counting import layers
from solver.counting.layers import Layers, Numbers, sweep, ways_on
from solver.counting.plan import Plan, Tables
from solver.counting.words import Ints
from solver.errors import OptionError
from solver.files import make_folder, write_whole
from solver.jit import source_key
from solver.system import reserve

_HEADER = 4096  # bytes at most


class LayerStore:
    """The last layer of each modulus, in a folder: a file for a position and a modulus.

    A file begins with a line of JSON, which says whose layer it is and the hash of its
    numbers, and goes on with the numbers. It is written aside and renamed. A file that
    is damaged, or of another version of the kernels, is as good as none.
    """

    def __init__(self, folder: Path) -> None:
        make_folder(folder)
        self.folder = folder

    def _path(self, plan: Plan, modulus: int) -> Path:
        notation = plan.position.notation
        name = hashlib.sha256(notation.encode()).hexdigest()[:12]
        return self.folder / f"{name}-{modulus}.layer"

    def save(self, plan: Plan, modulus: int, layer: int, numbers: Numbers) -> None:
        """Keep a layer in place of the one before.

        Raises `OptionError` if the folder cannot be written.
        """
        data = np.ascontiguousarray(numbers).data.cast("B")
        header = _identity(plan, modulus) | {"layer": layer}
        header["digest"] = _digest(layer, data)
        line = json.dumps(header).encode() + b"\n"
        write_whole(self._path(plan, modulus), [line, data])

    def load(self, plan: Plan, modulus: int) -> tuple[int, Numbers] | None:
        """Return the number and the numbers of the layer kept; None if there is none.

        Nothing of the file is believed: its size is that of the layer it names, its
        hash is right, and its numbers are below the modulus.
        """
        try:
            with self._path(plan, modulus).open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                line = file.readline(_HEADER)
                header = json.loads(line)
                if not isinstance(header, dict):
                    return None
                layer, digest = header.pop("layer", None), header.pop("digest", None)
                if header != _identity(plan, modulus) or type(layer) is not int:
                    return None
                if not 0 <= layer < len(plan.cells):
                    return None
                states = int(plan.states[layer])
                if size != len(line) + 8 * states:
                    return None
                numbers = np.fromfile(file, dtype=np.uint64, count=states)
        except (OSError, ValueError):
            return None
        if len(numbers) != states or _digest(layer, numbers.data.cast("B")) != digest:
            return None
        if states and modulus and int(numbers.max()) >= modulus:
            return None
        return layer, numbers

    def forget(self, plan: Plan, modulus: int) -> None:
        """Remove what is kept of a modulus that is done."""
        self._path(plan, modulus).unlink(missing_ok=True)


def _digest(layer: int, data: memoryview) -> str:
    digest = hashlib.blake2b(str(layer).encode() + b"\n", digest_size=20)
    digest.update(data)
    return digest.hexdigest()


def _identity(plan: Plan, modulus: int) -> dict[str, object]:
    return {
        "position": plan.position.notation,
        "modulus": modulus,
        "version": source_key("solver.counting.layers"),
    }


SLICE = 1 << 28  # states made between two returns to Python: half a second or less
MEMORY = 4_000_000_000  # bytes

Progress = Callable[[int], None]  # called with the states made since


def gigabytes(size: float) -> str:
    """Return a number of bytes as people say it.

    >>> gigabytes(2_412_000_000), gigabytes(123)
    ('2.4 GB', '0.1 MB')
    """
    return f"{size / 1e9:,.1f} GB" if size > 1e8 else f"{max(size / 1e6, 0.1):,.1f} MB"


def _values(count: int, dtype: Any, folder: Path | None) -> npt.NDArray[Any]:
    """Return an array that is not filled yet: in memory, or a nameless file."""
    if folder is None:
        return np.empty(count, dtype=dtype)
    size = max(1, count) * np.dtype(dtype).itemsize
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            reserve(file.fileno(), size)
            return np.memmap(file, dtype=dtype, mode="r+", shape=(max(1, count),))
    except OSError as error:
        raise OptionError(
            f"cannot keep {gigabytes(size)} in {folder}: {error.strerror}"
        ) from None


class LayerRun:
    """The layers of a plan while they are made, from the last to the first.

    - `limbs`: words of 64 bits of each number.
    - `modulus`: up to 2^63, or 0 for 2^64; if there is one limb.
    - `kept`: whether all layers are kept, or only the last two.
    - `folder`: where the numbers are kept on disk; in memory if not given.
    - `dtype`: float64 and other `tables` than the plan's are for `bound`.

    - `values`, (limbs * stride,) array: a layer's numbers begin at its BASE; each limb
      has a stride of its own.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        limbs: int = 1,
        modulus: int = 0,
        kept: bool = False,
        folder: Path | None = None,
        dtype: Any = np.uint64,
        tables: Tables | None = None,
    ) -> None:
        self.plan, self.limbs, self.modulus = plan, limbs, modulus
        self.cells = plan.cells.copy()
        many = len(self.cells)
        widths = plan.states.astype(np.int64)
        sizes = np.int64(1) << plan.places
        if kept:
            self.cells[:, layers.BASE] = np.cumsum(widths) - widths
            self.cells[:, layers.INDEX] = np.cumsum(sizes) - sizes
            self.stride, indices = int(widths.sum()), int(sizes.sum())
        else:
            odd = np.arange(many) % 2
            self.cells[:, layers.BASE] = odd * widths.max()
            self.cells[:, layers.INDEX] = odd * sizes.max()
            self.stride, indices = 2 * int(widths.max()), 2 * int(sizes.max())
        self.offsets: Ints = np.empty(indices, dtype=np.int64)
        places = int(max(plan.cells[:, layers.COL].max() + 2, 1))
        self.packing = np.zeros((many, (places + 7) // 8, 256), dtype=np.int32)
        layers.pack(self.cells, self.packing)
        self.values = _values(limbs * self.stride, dtype, folder)
        self.state = np.array([many - 1, 0, 0], dtype=np.int64)
        self.tables = tables or plan.tables()
        self.layers = Layers(
            self.cells,
            self.packing,
            self.offsets,
            self.tables.counts,
            self.tables.entries,
            self.tables.at,
            self.values,
            limbs,
            np.uint64(modulus),
        )

    @property
    def layer(self) -> int:
        """The layer to be made next."""
        return int(self.state[0])

    def make(self, until: int = 0, progress: Progress | None = None) -> None:
        """Make layers down to `until`; returns to Python every half second or so."""
        while self.layer >= until:
            before = self.layer
            # a slice may end within a layer, or make all that is left of a small board
            sweep(self.layers, until, self.state, SLICE // self.limbs)
            if progress:
                made = self.plan.states[self.layer + 1 : before + 1]
                progress(int(made.sum()))

    def restore(self, layer: int, numbers: npt.NDArray[np.uint64]) -> None:
        """Go on from a layer that was made before; one limb, two layers kept."""
        layers.place_blocks(self.cells, layer, self.tables.counts, self.offsets)
        begin = int(self.cells[layer, layers.BASE])
        self.values[begin : begin + len(numbers)] = numbers
        self.state[:] = (layer - 1, 0, 0)

    def numbers_of(self, layer: int) -> npt.NDArray[Any]:
        """Return the numbers of one of the layers that are kept; one limb."""
        begin = int(self.cells[layer, layers.BASE])
        return self.values[begin : begin + int(self.plan.states[layer])]

    def number(self) -> int:
        """Return the number of completions, or what the modulus leaves of it."""
        if not self.plan.states[0]:
            return 0
        at = int(self.cells[0, layers.BASE])
        return self.limbs_at(at)

    def limbs_at(self, at: int) -> int:
        """Return the number that stands at a place of `values`."""
        return sum(
            int(self.values[limb * self.stride + at]) << 64 * limb
            for limb in range(self.limbs)
        )

    def first_steps(self) -> tuple[int, int]:
        """Return the numbers of those that step down first, and right first.

        In the plan's frame, where the live end is the first cell to be added.
        """
        ways = ways_on(self.layers, 0, np.int64(0))
        down, right = (self.limbs_at(int(at)) if at >= 0 else 0 for at in ways)
        return down, right
