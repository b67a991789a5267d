"""How numba compiles a kernel: once for all kernels that call it, and once for Python.

numba alone would compile each kernel anew for `int32`, `int64` and each constant that
it is called with, give it a wrapper for Python and machine code of its own, and
optimise it again within each kernel that calls it. Here a `_Part`, what other kernels
call, takes whole numbers as `int64`, has no wrapper, and is optimised and made machine
code only within a `Face`, what Python calls.

Imports numba: `solver.jit` imports this with the first kernel that is called.
"""

import hashlib
import pickle
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from llvmlite.binding import Linkage
from numba import __version__
from numba.core import config, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult, Flags
from numba.core.dispatcher import (  # type: ignore[attr-defined] # it is private
    _FunctionCompiler,
)
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps

from solver.errors import OptionError
from solver.files import read_with_digest, write_with_digest

_types: Any = types  # half of its names are made when it is imported
_SHARED = Linkage.linkonce_odr  # of linked libraries


class _Flags(Flags):  # type: ignore[misc] # numba is untyped
    """Options that compare fast: numba looks them up for each operator of a kernel."""

    def __hash__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Flags) and self._values == other._values
        return same or bool(super().__eq__(other))


class _FaceCompiler(_FunctionCompiler):  # type: ignore[misc] # numba is untyped
    def _customize_flags(self, flags: Flags) -> Flags:
        flags.no_cfunc_wrapper = True
        return _Flags(flags)


class _PartCompiler(_FaceCompiler):
    def _customize_flags(self, flags: Flags) -> Flags:
        flags.no_cpython_wrapper = flags.no_compile = True
        return super()._customize_flags(flags)


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc] # numba is untyped
    """The code of a part, for others to link: not optimised, and no machine code."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class _FaceLibrary(JITCodeLibrary):  # type: ignore[misc] # numba is untyped
    """The code of a face with its parts, which nobody else calls.

    That they are internal lets LLVM inline what is called once, pass less, and drop
    what is left over: kernels are the faster for it, and so is compiling.
    """

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == _SHARED:
                function.linkage = "internal"
        super()._optimize_final_module()


class _FacePipeline(Compiler):  # type: ignore[misc] # numba is untyped
    def __init__(self, typing: Any, target: Any, _: None, *args: Any) -> None:
        library = _FaceLibrary(target.codegen(), "face")
        library.enable_object_caching()
        super().__init__(typing, target, library, *args)


class _PartPipeline(Compiler):  # type: ignore[misc] # numba is untyped
    def __init__(self, typing: Any, target: Any, _: None, *args: Any) -> None:
        library = _PartLibrary(target.codegen(), "part")
        super().__init__(typing, target, library, *args)


def _wide(kind: Any) -> Any:
    """Return the type that a part takes in place of another."""
    if isinstance(kind, _types.BooleanLiteral):
        return _types.boolean
    if isinstance(kind, _types.Integer | _types.IntegerLiteral):
        return _types.int64 if getattr(kind, "signed", True) else kind
    if type(kind) in (_types.Tuple, _types.UniTuple):
        return _types.BaseTuple.from_types(tuple(map(_wide, kind.types)))
    return kind


class _Part(CPUDispatcher):  # type: ignore[misc] # numba is untyped
    """A kernel as other kernels call it."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=options)
        self._compiler = _PartCompiler(
            function, self.targetdescr, options, {}, _PartPipeline
        )

    def get_call_template(self, args: Sequence[Any], kws: Any) -> Any:
        """Compile the kernel for what it is called with, made wide."""
        return super().get_call_template([_wide(kind) for kind in args], kws)

    def add_overload(self, compiled: Any) -> None:
        """Keep what was compiled, for kernels; Python has no way in."""
        door = object()  # numba knows code by the function that Python calls
        self.targetctx.insert_user_function(door, compiled.fndesc, [compiled.library])
        args = tuple(compiled.signature.args)
        self.overloads[args] = compiled._replace(entry_point=door)


class _Cache:
    """A compiled kernel on disk: a file for each signature, none of them trusted.

    numba's own files hold machine code that is run as it stands, and an index that two
    processes can write at once.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._folder, self._name = folder, function.__name__
        line = function.__code__.co_firstlineno
        self._source = __version__, function.__qualname__, line

    def _path(self, signature: Any, codegen: Any) -> Path:
        """Return the file of a signature on a machine."""
        key = repr((*self._source, signature, codegen.magic_tuple()))
        digest = hashlib.sha256(key.encode()).hexdigest()[:32]
        return self._folder / f"{self._name}-{digest}"

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return what was saved; None if there is nothing, or it is damaged."""
        context.refresh()
        content = read_with_digest(self._path(signature, context.codegen()))
        if content is None:
            return None
        return CompileResult._rebuild(context, *pickle.loads(content))

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep what was compiled; on a full disk it serves this process alone."""
        path = self._path(signature, compiled.codegen)
        with suppress(OptionError):
            write_with_digest(path, dumps(compiled._reduce()))


class Face(CPUDispatcher):  # type: ignore[misc] # numba is untyped
    """A kernel as Python calls it; kernels that call it get the `_Part`."""

    def __init__(
        self, function: Callable[..., Any], folder: Path, counts: bool, within: bool
    ) -> None:
        # `error_model`: no test before each division, no kernel divides by zero.
        options = {
            "nopython": True,
            "nogil": True,
            "boundscheck": None,
            "error_model": "numpy",
            "forceinline": within,
            "_nrt": counts,
        }
        super().__init__(function, targetoptions=options)
        self._compiler = _FaceCompiler(
            function, self.targetdescr, options, {}, _FacePipeline
        )
        self._part = _Part(function, options)
        self._cache = _Cache(function, folder)

    def get_call_template(self, args: Sequence[Any], kws: Any) -> Any:
        """Compile the part that a kernel calls."""
        return self._part.get_call_template(args, kws)

    def get_overload(self, signature: Any) -> Any:
        """Return the part that a kernel calls."""
        return self._part.get_overload(signature)


def dispatcher(
    function: Callable[..., Any], folder: Path, *, counts: bool, within: bool
) -> Callable[..., Any]:
    """Return what Python calls in place of a kernel, and keeps compiled in a folder.

    - `counts`: whether references to arrays are counted.
    - `within`: whether the kernel is laid into those that call it.
    """
    if config.DISABLE_JIT:
        return function
    face: Callable[..., Any] = Face(function, folder, counts, within)
    return face
