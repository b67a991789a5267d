"""Two operations on 64-bit words that numba does not offer; each is one instruction.

A *set of cells* of the 8 x 8 board is a word: cell ``row * 8 + col`` is bit ``cell``.
The names work inside kernels only (`njit`).
"""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic


def _unary(name: str, zero_is_undefined: bool) -> Any:
    def make(typing_context: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word_type, flag_type = ir.IntType(64), ir.IntType(1)
            more = [ir.Constant(flag_type, 1)] if zero_is_undefined else []
            shape = [word_type, *(flag_type for _ in more)]
            function = builder.module.declare_intrinsic(
                name, fnty=ir.FunctionType(word_type, shape)
            )
            return builder.call(function, [args[0], *more])

        return types.uint64(types.uint64), generate

    return intrinsic(make)


first_bit = _unary("llvm.cttz.i64", zero_is_undefined=True)
