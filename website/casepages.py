"""Pages of the cases, with a picture each, and an index of them."""

from pathlib import Path

from heuristic.rule import Forbid
from verify.corpus.cases import KINDS, Case, corpus_folder, load_corpus, rules_of
from verify.display import picture
from website.pages import ROOT


def case_pages() -> dict[str, str]:
    """Return the pages and pictures by place."""
    pages: dict[str, str] = {}
    lines = ["* [Cases](index.md)"]
    for kind in KINDS:
        cases = [case for case in corpus_cases() if case.kind == kind]
        if not cases:
            continue
        lines.append(f"* [{kind}](kind-{kind}.md)")
        listed = [f"# Cases: {kind}\n", f"{KINDS[kind].capitalize()}.\n"]
        listed += ["| case | rules | position |", "| --- | --- | --- |"]
        for case in cases:
            stem = stem_of(case)
            rules = case.rules.replace("|", "\\|")
            listed.append(
                f"| [{stem}]({stem}.md) | {rules} | `{case.position.notation}` |"
            )
            pages[f"cases/{stem}.md"] = _page(case, stem)
            pages[f"cases/img/{stem}.svg"] = picture(case.position, _forbids(case))
        pages[f"cases/kind-{kind}.md"] = "\n".join(listed) + "\n"
    pages["cases/SUMMARY.md"] = "\n".join(lines) + "\n"
    return pages


def corpus_cases() -> list[Case]:
    """Return the cases of the repository's corpus, by kind and file name."""
    found = load_corpus(corpus_folder())
    return sorted(found, key=lambda case: (case.kind, stem_of(case)))


def stem_of(case: Case) -> str:
    """Return the name of a case's file, without ending."""
    assert case.path is not None  # it was read from a file
    return case.path.stem


def _forbids(case: Case) -> tuple[Forbid, ...]:
    return rules_of(case).forbids(case.position) if case.rules else ()


def _page(case: Case, stem: str) -> str:
    """Return the page of one case."""
    assert case.path is not None  # it was read from a file
    text = case.path.read_text(encoding="utf-8")
    said = f"*{case.kind}*: {KINDS[case.kind]}."
    rules = f" --rules {case.rules}" if case.rules and not case.text else ""
    parts = [
        f"# Case {stem}\n",
        f"{case.why[0].upper()}{case.why[1:]}.\n",
        f"![The position of the case {stem}](img/{stem}.svg)\n",
        f"{said} Crosses mark the moves that the rules forbid.\n",
        "```text\n" + "\n".join(str(case.position).splitlines()) + "\n```\n",
        f"```sh\noneway check '{case.position.notation}'{rules}\n```\n",
        f"The file `{_inside(case.path)}`:\n",
        f"```toml\n{text}```\n",
    ]
    return "\n".join(parts)


def _inside(path: Path) -> str:
    return path.resolve().relative_to(ROOT).as_posix()
