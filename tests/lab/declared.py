"""The messages of the laboratory as TypeScript, to check its pages against.

``python -m tests.lab.declared`` writes ``static/messages.d.ts``; ``make types`` does.
"""

from pathlib import Path

import msgspec
from msgspec import inspect

from verify.lab import messages

STATIC = Path(messages.__file__).parent / "static"
_PLAIN = {
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
}
_HEAD = "// Made by `python -m tests.lab.declared`: do not edit.\n"
_QUESTION = """export type Question = Request extends infer R
  ? R extends Request ? Omit<R, "id"> : never : never;
"""


def _declared(kind: inspect.Type) -> str:
    if type(kind) in _PLAIN:
        return _PLAIN[type(kind)]
    if isinstance(kind, inspect.LiteralType):
        return " | ".join(f'"{value}"' for value in kind.values)
    if isinstance(kind, inspect.ListType):
        return f"Array<{_declared(kind.item_type)}>"
    if isinstance(kind, inspect.TupleType):
        return f"[{', '.join(map(_declared, kind.item_types))}]"
    if isinstance(kind, inspect.DictType):
        return f"Record<string, {_declared(kind.value_type)}>"
    if isinstance(kind, inspect.UnionType):
        return " | ".join(map(_declared, kind.types))
    assert isinstance(kind, inspect.StructType), kind
    return kind.cls.__name__


def _interface(kind: type) -> str:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    lines = [f'  {info.tag_field}: "{info.tag}";'] if info.tag is not None else []
    for field in info.fields:  # pages and the server may omit defaults
        mark = "" if field.required else "?"
        lines.append(f"  {field.encode_name}{mark}: {_declared(field.type)};")
    return f"export interface {kind.__name__} {{\n" + "\n".join(lines) + "\n}\n"


def declarations() -> str:
    """Return the text of ``messages.d.ts``."""
    bases = (messages.Request, messages.Reply)
    kinds = [
        kind
        for kind in vars(messages).values()
        if isinstance(kind, type)
        and issubclass(kind, msgspec.Struct)
        and kind not in (*bases, msgspec.Struct)
    ]
    parts = [_HEAD, *map(_interface, kinds)]
    for base in bases:
        names = " | ".join(kind.__name__ for kind in kinds if issubclass(kind, base))
        parts.append(f"export type {base.__name__} = {names};\n")
    return "\n".join([*parts, _QUESTION])


if __name__ == "__main__":
    (STATIC / "messages.d.ts").write_text(declarations(), encoding="utf-8")
