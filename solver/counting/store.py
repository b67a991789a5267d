"""Layers kept on disk, so that a long count goes on where it was stopped."""

import hashlib
import json
import os
from pathlib import Path

import numpy as np

from solver.counting.masks import Numbers
from solver.counting.plan import Plan
from solver.errors import OptionError
from solver.files import make_folder
from solver.jit import source_key

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

        Raises
        ------
        OptionError
            If the folder cannot be written.
        """
        path = self._path(plan, modulus)
        aside = path.with_name(f".{path.name}.{os.getpid()}.part")
        data = np.ascontiguousarray(numbers).data.cast("B")
        header = _identity(plan, modulus) | {
            "layer": layer,
            "digest": hashlib.blake2b(data, digest_size=20).hexdigest(),
        }
        try:
            try:
                with aside.open("wb") as file:
                    file.write(json.dumps(header).encode() + b"\n")
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                aside.replace(path)
            finally:
                aside.unlink(missing_ok=True)
        except OSError as error:
            raise OptionError(f"cannot write {path}: {error.strerror}") from None

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
        if len(numbers) != states:
            return None
        if (
            hashlib.blake2b(numbers.data.cast("B"), digest_size=20).hexdigest()
            != digest
        ):
            return None
        if states and modulus and int(numbers.max()) >= modulus:
            return None
        return layer, numbers

    def forget(self, plan: Plan, modulus: int) -> None:
        """Remove what is kept of a modulus that is done."""
        self._path(plan, modulus).unlink(missing_ok=True)


def _identity(plan: Plan, modulus: int) -> dict[str, object]:
    return {
        "position": plan.position.notation,
        "modulus": modulus,
        "version": source_key("solver.counting.layers"),
    }
