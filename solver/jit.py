"""The decorators for kernels, with a cache on disk that cannot go stale.

numba's cache does not notice an edit in a kernel of another file, so a caller would get
an old answer. Here the cache folder of a module is keyed by a hash of its source and of
its imports from this project: modules with kernels in full, of others the constants and
the fields of classes, which kernels freeze. An edit recompiles only the kernels that
depend on it. Each file begins with a digest; a damaged file is removed and its kernel
compiled again.

The first call of a kernel imports numba, since many commands call none.
"""

import atexit
import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial, update_wrapper
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar, cast

from solver.files import private

_F = TypeVar("_F", bound=Callable[..., Any])
_VERSIONS = 4  # cache folders of other versions of a module on disk
_OURS = ("solver", "heuristic", "verify")
_ROOT = Path(__file__).resolve().parent.parent
_IMPORT = re.compile(
    r"^[ \t]*from ((?:solver|heuristic|verify)[.\w]*) import (\([^)]*\)|[^\n]+)", re.M
)
_FROZEN = re.compile(  # constants, and the fields of classes
    r"^_?[A-Z][A-Z0-9_]*\b[^=\n]*=.*(?:\n[ \t)\]}].*)*|^    \w+: .*[^,\n]$", re.M
)


@cache
def _source(module: str) -> str:
    path = _ROOT / Path(*module.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file.read_text(encoding="utf-8")
    return ""


@cache
def _imports(module: str) -> tuple[str, ...]:
    modules = set()
    for parent, names in _IMPORT.findall(_source(module)):
        modules |= {parent, *(f"{parent}.{n}" for n in re.findall(r"\w+", names))}
    return tuple(sorted(name for name in modules if _source(name)))


@cache
def source_key(module: str) -> str:
    """Return a hash of Python, a module's source, and its imports of this project.

    `solver.dispatchers`, which compiles kernels, counts in full.
    """
    seen, todo = {module}, [module]
    while todo:
        new = set(_imports(todo.pop())) - seen
        seen |= new
        todo += new
    digest = hashlib.sha256(sys.version.encode())
    for name in sorted(seen):
        text = _source(name)
        if "njit" not in text and name != "solver.dispatchers":
            text = "".join(_FROZEN.findall(text))
        if text:
            digest.update(f"{name}\n{text}\n".encode())
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path:
    """Return the folder of all compiled kernels; `NUMBA_CACHE_DIR` moves its parent.

    Its files are run, so a folder in which others can write is not used. If there is no
    other, a new folder lives as long as this process.
    """
    given = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    with suppress(OSError, RuntimeError):  # it is not writable, or home is unknown
        parent = Path(given) if given else Path.home() / ".cache"
        folder = parent / "oneway"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if private(folder) and os.access(folder, os.W_OK):
            return folder
    parent = Path(tempfile.mkdtemp(prefix="oneway-"))
    atexit.register(shutil.rmtree, parent, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = str(parent)  # for processes that we start
    folder = parent / "oneway"
    folder.mkdir(mode=0o700)
    return folder


@cache
def _module_folder(module: str) -> Path:
    parent = cache_folder()
    folder = parent / f"{module}-{source_key(module)}"
    if not folder.is_dir():
        with suppress(OSError):  # then kernels are compiled for this process alone
            folder.mkdir(parents=True, exist_ok=True)
        others = [p for p in parent.glob(f"{module}-*") if p != folder]
        others.sort(key=lambda p: p.stat().st_mtime, reverse=True)
        for old in others[_VERSIONS:]:
            shutil.rmtree(old, ignore_errors=True)
    return folder


def njit(function: _F) -> _F:
    """Compile a kernel that makes no arrays: cached, lock released, no fast maths.

    It does not count references to arrays, since its caller holds all of them. Counting
    would take more than half of the time of small kernels.
    """
    return _kernel(function)


def njit_making(function: _F) -> _F:
    """Compile a kernel that makes arrays of its own, and so counts references."""
    return _kernel(function, counts=True)


def njit_within(function: _F) -> _F:
    """Compile a part of a kernel as `njit` does, inlined where kernels call it.

    For the parts of a loop that is too hot for a call with many arrays.
    """
    return _kernel(function, within=True)


_listeners: list[Callable[[str], None]] = []


def on_compiling(listener: Callable[[str], None]) -> None:
    """Call `listener` with a kernel's module whenever its compilation begins."""
    _listeners[:] = [listener]


@cache
def _listen() -> None:
    from numba.core import event

    class Listener(event.Listener):  # type: ignore[misc] # numba is untyped
        def on_start(self, event: Any) -> None:
            module = event.data["dispatcher"].py_func.__module__
            if module.partition(".")[0] in _OURS:
                for listener in _listeners:
                    listener(module)

        def on_end(self, event: Any) -> None:
            pass

    event.register("numba:compile", Listener())


class Kernel:
    """A kernel before its first call.

    The first call makes numba's dispatchers of all kernels in memory and replaces these
    objects by them, in every module. Kernels defined later are dispatchers at once.
    Within `python_kernels` a call runs `py_func`, the function in the source.
    """

    def __init__(self, function: Callable[..., Any], **options: bool):
        update_wrapper(self, function)
        self.py_func = function
        self.dispatch = cache(partial(_dispatcher, function, **options))

    def __call__(self, *args: Any) -> Any:
        """Run the kernel."""
        with _lock:
            if _waiting is not None and not _as_python:
                _dispatch_all()
            run = self.dispatch() if _waiting is None else self._run_python
        return run(*args)

    def _run_python(self, *args: Any) -> Any:
        import numpy as np

        with np.errstate(all="ignore"):  # numbers wrap as machine words do
            return self.py_func(*args)


_waiting: list[Kernel] | None = []  # kernels without a dispatcher; None: numba is here
_as_python: list[None] = []  # one for each `python_kernels` that is open
_lock = RLock()


def _dispatch_all() -> None:
    global _waiting
    kernels, _waiting = _waiting or (), None
    ours = [m.__dict__ for n, m in sys.modules.items() if n.partition(".")[0] in _OURS]
    for space in [*ours, *(kernel.py_func.__globals__ for kernel in kernels)]:
        for name, value in space.items():
            if isinstance(value, Kernel):
                space[name] = value.dispatch()


@contextmanager
def python_kernels() -> Iterator[None]:
    """Run kernels as Python, unless numba is here: for work shorter than its import."""
    _as_python.append(None)
    try:
        yield
    finally:
        _as_python.pop()


def _kernel(function: _F, *, counts: bool = False, within: bool = False) -> _F:
    if _waiting is None:
        return cast(_F, _dispatcher(function, counts=counts, within=within))
    kernel = Kernel(function, counts=counts, within=within)
    _waiting.append(kernel)
    return cast(_F, kernel)


def _dispatcher(function: Callable[..., Any], **options: bool) -> Callable[..., Any]:
    from solver.dispatchers import dispatcher

    _listen()
    return dispatcher(function, _module_folder(function.__module__), **options)
