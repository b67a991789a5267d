"""Compilation of a kernel: once for the kernels that call it, and once for Python.

numba alone would compile each kernel again for `int32`, `int64` and each constant among
its arguments. Each version would get a wrapper for Python and machine code of its own,
and numba would optimise it again within each kernel that calls it. Here other kernels
call a `_Part`. It takes whole numbers as `int64` and has no wrapper, and only a `Face`
that contains it is optimised and becomes machine code. Python calls the `Face`.

This module imports numba; `solver.jit` imports it at the first call of a kernel.
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


class _FaceCompiler(_FunctionCompiler):  # type: ignore[misc] # numba is untyped
    def _customize_flags(self, flags: Flags) -> Flags:
        flags.no_cfunc_wrapper = True
        return flags


class _PartCompiler(_FaceCompiler):
    def _customize_flags(self, flags: Flags) -> Flags:
        flags.no_cpython_wrapper = flags.no_compile = True
        return super()._customize_flags(flags)


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc] # numba is untyped
    """The code of a part, to be linked: not optimised, and no machine code."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class _FaceLibrary(JITCodeLibrary):  # type: ignore[misc] # numba is untyped
    """The code of a face with its parts, which only the face calls.

    As internal functions LLVM can inline, simplify and drop them. That makes kernels
    and compiling faster.
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
    if isinstance(kind, _types.BooleanLiteral):
        return _types.boolean
    if isinstance(kind, _types.Integer | _types.IntegerLiteral):
        return _types.int64 if getattr(kind, "signed", True) else kind
    if type(kind) in (_types.Tuple, _types.UniTuple):
        return _types.BaseTuple.from_types(tuple(map(_wide, kind.types)))
    return kind


class _Part(CPUDispatcher):  # type: ignore[misc] # numba is untyped
    """A kernel for other kernels to call."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=options)
        self._compiler = _PartCompiler(
            function, self.targetdescr, options, {}, _PartPipeline
        )

    def get_call_template(self, args: Sequence[Any], kws: Any) -> Any:
        """Compile the kernel for wide versions of its argument types."""
        return super().get_call_template([*map(_wide, args)], kws)

    def add_overload(self, compiled: Any) -> None:
        """Register a compiled version for kernels; Python cannot call it."""
        key = object()  # numba finds code by the function that Python calls
        self.targetctx.insert_user_function(key, compiled.fndesc, [compiled.library])
        args = tuple(compiled.signature.args)
        self.overloads[args] = compiled._replace(entry_point=key)


class _Cache:
    """A compiled kernel on disk: a file with a digest for each signature.

    numba's own files have no digest, and an index that two processes can write at once.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._folder, self._name = folder, function.__name__
        line = function.__code__.co_firstlineno
        self._source = __version__, function.__qualname__, line

    def _path(self, signature: Any, codegen: Any) -> Path:
        key = repr((*self._source, signature, codegen.magic_tuple()))
        digest = hashlib.sha256(key.encode()).hexdigest()[:32]
        return self._folder / f"{self._name}-{digest}"

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return the saved version; None if there is none, or it is damaged."""
        context.refresh()
        content = read_with_digest(self._path(signature, context.codegen()))
        if content is None:
            return None
        return CompileResult._rebuild(context, *pickle.loads(content))

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Save a version; on a full disk it serves this process alone."""
        path = self._path(signature, compiled.codegen)
        with suppress(OptionError):
            write_with_digest(path, dumps(compiled._reduce()))


class Face(CPUDispatcher):  # type: ignore[misc] # numba is untyped
    """A kernel for Python to call; kernels that call it get its `_Part`."""

    def __init__(
        self, function: Callable[..., Any], folder: Path, counts: bool, within: bool
    ) -> None:
        # `error_model`: no test before each division, as no kernel divides by zero.
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
        """Compile the part for a kernel that calls it."""
        return self._part.get_call_template(args, kws)

    def get_overload(self, signature: Any) -> Any:
        """Return the part for a kernel that calls it."""
        return self._part.get_overload(signature)


def dispatcher(
    function: Callable[..., Any], folder: Path, *, counts: bool, within: bool
) -> Callable[..., Any]:
    """Return the dispatcher of a kernel, with its compiled versions in a folder.

    - `counts`: whether references to arrays are counted.
    - `within`: whether the kernel is inlined in those that call it.
    """
    if config.DISABLE_JIT:
        return function
    face: Callable[..., Any] = Face(function, folder, counts, within)
    return face
