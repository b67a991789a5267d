"""What the documents and the help show must exist: commands, options, files."""

import re
import shlex
from collections.abc import Iterator
from functools import cache
from os.path import normpath
from pathlib import Path
from typing import Any

import pytest
import typer

from heuristic.groups import DISCOVERED, group_names, load_rules, rule_names
from solver.oracles.oracle import ORACLES
from verify.start import whole_app
from website import packages
from website.casepages import corpus_cases
from website.commands import command_pages
from website.examples import examples
from website.foundpages import found_pages
from website.lemmas import lemma_pictures
from website.modules import module_pages

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("corpus/*.md")]
)
# The changelog tells of commands that are gone.
PAGES_NOW = [page for page in PAGES if page.name != "CHANGELOG.md"]
FILES = [*PAGES_NOW, *sorted(ROOT.glob("verify/commands/*.py"))]
THE_COMMAND: Any = typer.main.get_command(whole_app())
BLOCK = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`(oneway [^`]+)`")
HELP = re.compile(r"^ {6}(.*\boneway [a-z].*)$", re.MULTILINE)


def commands(path: Path) -> Iterator[list[str]]:
    """Yield the words of every command line that a file shows, without `oneway`."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        shown = [line for block in BLOCK.findall(text) for line in block.splitlines()]
        shown += [" ".join(s.split()) for s in SPAN.findall(BLOCK.sub("", text))]
    else:
        shown = HELP.findall(text)
    for line in shown:
        for part in re.split(r" \| | && |  +# ", line.removeprefix("$ ")):
            if part.startswith("oneway ") and "..." not in part:
                yield shlex.split(part)[1:]


@cache
def made_pages() -> set[str]:
    """Return the places of the pages that only the site has."""
    rules = {f"rules/{name}.md" for name in rule_names()}
    discovered = {f"found/{group}.md" for group in DISCOVERED}
    pages = {*command_pages(), *module_pages()}
    return pages | rules | discovered | {"rules/index.md"}


def parse(words: list[str]) -> None:
    """Parse a command line; a group or a command alone is spoken of, not shown."""
    command, words = THE_COMMAND, [w for w in words if w not in ("--version", "--help")]
    context = command.make_context("oneway", [], resilient_parsing=True)
    while hasattr(command, "resolve_command") and words:
        name, command, words = command.resolve_command(context, words)
        assert command is not None, f"no such command: {name}"
        context = command.make_context(name, [], parent=context, resilient_parsing=True)
    if words:
        command.make_context("oneway", words)


def test_shown_commands_can_be_parsed() -> None:
    shown = [(path, words) for path in FILES for words in commands(path)]
    assert len(shown) > 80
    for path, words in shown:
        try:
            parse(words)
        except Exception as error:
            # Prose may name a command or an option alone.
            if not re.search(r"Missing parameter|requires an argument", str(error)):
                pytest.fail(f"{path}: oneway {shlex.join(words)}: {error}")


def test_links_lead_somewhere() -> None:
    rooms = r"`((?:solver|heuristic|verify|tests|docs|website)/[\w./-]+)`"
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        for first, second in re.findall(r'\]\(([^)\s]+)\)|src="([^"]+)"', text):
            target = (first or second).split("#")[0]
            if target and "://" not in target:
                aim = Path(normpath(path.parent / target))
                made = aim.is_relative_to(DOCS) and aim.relative_to(DOCS).as_posix()
                assert aim.exists() or made in made_pages(), f"{path}: {target}"
        for file in re.findall(rooms, text):
            assert (ROOT / file).exists(), f"{path} names {file}"


def test_the_page_of_oracles_has_all_of_them() -> None:
    text = (DOCS / "explanation/oracles.md").read_text(encoding="utf-8")
    assert [name for name in ORACLES if f"| `{name}` |" not in text] == []


def test_the_page_of_the_book_counts_its_groups() -> None:
    text = (DOCS / "explanation/book.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(seed[\w-]*)` \| (\d+) \|", text, re.MULTILINE))
    assert rows == {
        group: str(len(rule_names(group)))
        for group in group_names()
        if group.startswith("seed-")
    }


def test_every_found_rule_has_a_verdict_a_scope_and_a_certificate() -> None:
    pages = found_pages()
    assert pages.keys() == {f"found/{group}.md" for group in DISCOVERED}
    for group in DISCOVERED:
        scopes, _, rules = pages[f"found/{group}.md"].partition("## Rules")
        counts = re.findall(r"^\| PROVED \| every .* \| ([\d,]+) \|$", scopes, re.M)
        names = rule_names(group)
        assert sum(int(count.replace(",", "")) for count in counts) == len(names)
        row = r"^\| \[(\S+)\].* PROVED \| every .* \| [\d,]+ \|$"
        assert re.findall(row, rules, re.M) == names


def test_the_pictures_of_packages_and_lemmas_are_of_today() -> None:
    """If they are not: `python -m website.packages` or `website.lemmas` draws them."""
    assert packages.PICTURE.read_text(encoding="utf-8") == packages.picture()
    for place, picture in lemma_pictures().items():
        assert (DOCS / place).read_text(encoding="utf-8") == picture


UNDRAWN = ["fragments", "two-factor", "sequence-recursion"]


def test_a_rule_forbids_alone_what_its_page_shows() -> None:
    small = [case for case in corpus_cases() if case.position.board.cells <= 81]
    shown = examples(small, [*rule_names("seed-7"), *UNDRAWN])
    assert shown.keys() >= {"c-shape", "fragments", "two-factor"}
    assert len(shown) > 15
    for name, example in shown.items():
        forbids = load_rules(name).forbids(example.position)
        assert "".join(forbid.move for forbid in forbids) == example.moves != ""
