"""Pages of the Python modules: their docstrings, laid out by mkdocstrings."""

import ast

from website.pages import ROOT

_ROOMS = ("solver", "heuristic", "verify")
_LEFT_OUT = ("verify/commands", "verify/start.py")  # these have pages of the command


def module_pages() -> dict[str, str]:
    """Return the pages by place: one per folder, with its modules in sections."""
    rooms: dict[str, list[str]] = {}
    for top in _ROOMS:
        for path in sorted((ROOT / top).rglob("*.py")):
            file = path.relative_to(ROOT).as_posix()
            if file.startswith(_LEFT_OUT) or path.name.startswith("_"):
                continue
            room = path.parent.relative_to(ROOT).as_posix().replace("/", ".")
            rooms.setdefault(room, []).append(path.stem)
    pages, index, summary = {}, [_HEAD], ["* [Python](index.md)"]
    for room in sorted(rooms):
        said = _first_line(room)
        index.append(f"| [`{room}`]({room}.md) | {said} |")
        summary.append(f"* [{room}]({room}.md)")
        parts = [f"# {room}\n", f"{said}\n" if said else ""]
        parts += [f"::: {room}.{name}\n" for name in rooms[room]]
        pages[f"reference/python/{room}.md"] = "\n".join(parts)
    pages["reference/python/index.md"] = "\n".join(index) + "\n"
    pages["reference/python/SUMMARY.md"] = "\n".join(summary) + "\n"
    return pages


def _first_line(room: str) -> str:
    """Return the first line of a package's docstring."""
    file = ROOT / room.replace(".", "/") / "__init__.py"
    said = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return said.split("\n\n")[0].replace("\n", " ")


_HEAD = """\
# Python

Everything that the command does can be asked from Python: [first
steps](../../tutorial/python.md). These pages are made from the docstrings: shapes,
units, errors and cost stand there.

| room | what |
| --- | --- |"""
