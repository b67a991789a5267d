"""The one decorator for kernels, with a cache on disk that cannot go stale.

numba's cache does not notice an edit in a kernel of another file, so a caller keeps
its old answer. Here the cache folder is keyed by a hash of every source file of the
three packages: any edit starts a new folder, and old folders are removed.
"""

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

_F = TypeVar("_F", bound=Callable[..., Any])
_KEEP = 4  # cache folders of other versions left on disk


def source_key() -> str:
    """Return a hash of the kernels' sources and of the Python that runs them."""
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256(sys.version.encode())
    for package in ("solver", "heuristic", "verify"):
        for path in sorted((root / package).rglob("*.py")):
            source = path.read_bytes()
            if b"njit" in source:
                digest.update(path.relative_to(root).as_posix().encode())
                digest.update(source)
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Return the cache folder of this version; `NUMBA_CACHE_DIR` moves its parent."""
    given = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    parent = Path(given) if given else Path.home() / ".cache"
    try:
        folder = parent / "oneway" / source_key()
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:  # a home that cannot be written: compile for this machine's boot
        folder = Path(tempfile.gettempdir()) / f"oneway-{os.getuid()}" / source_key()
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def _prune(parent: Path, keep: Path) -> None:
    others = [p for p in parent.iterdir() if p.is_dir() and p != keep]
    others.sort(key=lambda p: p.stat().st_mtime, reverse=True)
    for folder in others[_KEEP:]:
        shutil.rmtree(folder, ignore_errors=True)


def _configure() -> None:
    import numba

    folder = cache_folder()
    _prune(folder.parent, folder)
    numba.config.CACHE_DIR = str(folder)


_configure()


def njit(function: _F) -> _F:
    """Compile a kernel that makes no arrays: cached, lock released, no fast maths.

    Without numba's reference counts, which no kernel needs that only works on what its
    caller holds; they take more than half of the time where kernels are small.
    """
    return _compile(function, counts=False)


def njit_making(function: _F) -> _F:
    """Compile a kernel that makes arrays of its own, and so counts references."""
    return _compile(function, counts=True)


def _compile(function: _F, counts: bool) -> _F:
    import numba

    # `error_model`: no test before each division, no kernel divides by zero.
    make = numba.njit(cache=True, nogil=True, error_model="numpy", _nrt=counts)
    compiled: _F = make(function)
    return compiled


def compiled_before() -> bool:
    """Tell whether kernels of this version lie compiled on disk already."""
    return any(cache_folder().rglob("*.nbi"))
