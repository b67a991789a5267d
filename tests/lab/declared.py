"""The messages as TypeScript, so that the pages are checked against the one list.

``python -m tests.lab.declared`` writes ``static/messages.d.ts``; a test compares them.
"""

from pathlib import Path

import msgspec
from msgspec import inspect

from verify.lab import messages

FILE = Path(messages.__file__).parent / "static" / "messages.d.ts"
_PLAIN = {
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
}


def _declared(kind: inspect.Type) -> str:
    if type(kind) in _PLAIN:
        return _PLAIN[type(kind)]
    if isinstance(kind, inspect.LiteralType):
        return " | ".join(f'"{value}"' for value in kind.values)
    if isinstance(kind, inspect.ListType):
        return f"Array<{_declared(kind.item_type)}>"
    if isinstance(kind, inspect.TupleType):
        return f"[{', '.join(_declared(one) for one in kind.item_types)}]"
    if isinstance(kind, inspect.DictType):
        return f"Record<string, {_declared(kind.value_type)}>"
    if isinstance(kind, inspect.UnionType):
        return " | ".join(_declared(one) for one in kind.types)
    assert isinstance(kind, inspect.StructType), kind
    return kind.cls.__name__


def _interface(kind: type) -> str:
    found = inspect.type_info(kind)
    assert isinstance(found, inspect.StructType)
    asked = issubclass(kind, messages.Request | messages.AreaDrawn)
    lines = []
    if found.tag is not None:
        lines.append(f'  {found.tag_field}: "{found.tag}";')
    for field in found.fields:
        given = asked and not field.required
        # what a reply leaves out is its default; the page reads that as nothing
        left_out = not asked and not field.required
        mark = "?" if given or left_out else ""
        lines.append(f"  {field.encode_name}{mark}: {_declared(field.type)};")
    return f"export interface {kind.__name__} {{\n" + "\n".join(lines) + "\n}\n"


def declarations() -> str:
    """Return the text of ``messages.d.ts``."""
    kinds = [
        kind
        for kind in vars(messages).values()
        if isinstance(kind, type)
        and issubclass(kind, msgspec.Struct)
        and kind not in (messages.Request, messages.Reply, messages.Numbered)
    ]
    parts = ["// Made by `python -m tests.lab.declared`: do not edit.\n"]
    parts += [_interface(kind) for kind in kinds]
    for base in (messages.Request, messages.Reply):
        names = " | ".join(kind.__name__ for kind in kinds if issubclass(kind, base))
        parts.append(f"export type {base.__name__} = {names};\n")
    parts.append(
        "export type Question = Request extends infer R\n"
        '  ? R extends Request ? Omit<R, "id"> : never : never;\n'
    )
    return "\n".join(parts)


if __name__ == "__main__":
    FILE.write_text(declarations(), encoding="utf-8")
