"""Pages of the commands, made from their help: one page a command or group."""

import inspect
import re
from typing import Any

import typer

from verify.start import whole_app


def command_pages() -> dict[str, str]:
    """Return the pages by place: an overview, and one per first-level command."""
    top: Any = typer.main.get_command(whole_app())
    context = top.make_context("oneway", [], resilient_parsing=True)
    pages: dict[str, str] = {}
    panels: dict[str, list[tuple[str, Any]]] = {}
    for name, command in top.commands.items():
        panels.setdefault(command.rich_help_panel, []).append((name, command))
        parts = [f"# oneway {name}\n"]
        if hasattr(command, "commands"):
            parts += _paragraphs(command.help)
            inner = command.make_context(
                name, [], parent=context, resilient_parsing=True
            )
            for word, below in command.commands.items():
                parts.append(f"## oneway {name} {word}\n")
                parts += _usage(below, word, inner)
        else:
            parts += _usage(command, name, context)
        pages[f"reference/commands/{name}.md"] = "\n".join(parts)
    parts = ["# The command\n", *_paragraphs(top.help)]
    for panel, held in panels.items():
        parts += [f"## {panel}\n", "| command | what it does |", "| --- | --- |"]
        for name, command in held:
            first = (command.help or "").split("\n\n")[0]
            parts.append(
                f"| [`oneway {name}`]({name}.md) | {_cell(' '.join(first.split()))} |"
            )
        parts.append("")
    parts += ["", _EVERY]
    pages["reference/commands/index.md"] = "\n".join(parts)
    lines = ["* [The command](index.md)"]
    lines += [f"* [oneway {name}]({name}.md)" for name in top.commands]
    pages["reference/commands/SUMMARY.md"] = "\n".join(lines) + "\n"
    return pages


_EVERY = """\
The four jobs, `check`, `count`, `walk`, `milestones` and the puzzles have `--json`.
Everything random has `--seed`.
Exit codes: 0 success or nothing wrong, 1 nothing to show or a fault, 2 bad input.
"""


def _usage(command: Any, name: str, above: Any) -> list[str]:
    """Return the lines of one command: usage, text, arguments and options."""
    context = command.make_context(name, [], parent=above, resilient_parsing=True)
    usage = command.get_usage(context).removeprefix("Usage: ")
    parts = ["```text", " ".join(usage.split()), "```", "", *_paragraphs(command.help)]
    rows = [param.get_help_record(context) for param in command.params]
    rows = [row for row in rows if row and not row[0].startswith("--help")]
    # How many cores the builder has is not for the page.
    cores = re.compile(r"(cores.*) \[default: \d+\]")
    rows = [(word, cores.sub(r"\1", said)) for word, said in rows]
    if rows:
        parts += ["| word | meaning |", "| --- | --- |"]
        parts += [f"| `{_plain(word)}` | {_cell(said)} |" for word, said in rows]
        parts.append("")
    return parts


def _paragraphs(text: str | None) -> list[str]:
    """Return a help text as Markdown; the commands of its examples become code."""
    parts = []
    for paragraph in inspect.cleandoc(text or "").split("\n\n"):
        if not paragraph.startswith("\b\n"):
            parts += [_escaped(paragraph), ""]
            continue
        for line in paragraph.splitlines()[1:]:
            code = ["```sh", line.strip(), "```", ""]
            parts += code if line.startswith(" ") else [f"{line}\n"]
    return parts


def _escaped(text: str) -> str:
    """Escape help texts that look like HTML."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(p if p.startswith("`") else p.replace("<", "&lt;") for p in parts)


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _cell(text: str) -> str:
    return _escaped(_plain(text))
