"""Pages of the rules: picture, reason, verdict, evidence and history.

Each rule of the book has a page. Discovered rules share pages. The texts come from the
rule book, the tables in `docs/tables` and the corpus.
"""

import re
import tomllib
from collections.abc import Collection, Iterable
from functools import cache

from heuristic.groups import (
    APART,
    DISCOVERED,
    about,
    drawings_of,
    group_names,
    load_rules,
    rule_names,
)
from heuristic.rules.drawing import MOVES, Drawing, Frame, Kind, RuleSpec
from heuristic.rules.letters import TURN_NAMES, fact_lines
from heuristic.rules.picture import draw_rule
from solver.board import LETTERS, Symmetry
from verify.corpus.cases import Case
from website.casepages import corpus_cases, stem_of
from website.examples import Example, examples
from website.pages import ROOT
from website.tables import Found, rows_by_rule
from website.words import drawn_words

RECORDS = ROOT / "tests/data/seed_ids.toml"
_SHOWN = 2  # drawings of a rule; families have hundreds
_TOGETHER = 25  # discovered rules on a page
_HEADINGS = {
    "verdicts": ("Verdict", "Verdict for every board size"),
    "verdicts-found": ("Verdict", "Verdict for every board size"),
    "evidence": ("Evidence", "Results at positions of boards"),
    "evidence-future": ("Evidence, future lines", "Results at positions of boards"),
    "against": ("Against the universal rules", "Results at random positions"),
    "milestones": ("History", "The author's runs, repeated"),
}
# The parts of a rule's page, by their headings.
PARTS = {"Drawing", "Drawings", "At work", "Cases", "Origin"}
PARTS |= {heading for heading, _ in _HEADINGS.values()}


def rules_counted() -> dict[str, int]:
    """Return the number of rules of each kind.

    A rule of several groups counts once. Drawings *in use* are those of the groups for
    single stops and of 2024, which read no future line and are not superseded.
    """
    mine = [group for group in group_names() if group not in APART]
    seed = [group for group in mine if group.startswith("seed-")]
    written = load_rules(",".join(seed))
    drawn = drawings_of(written)
    lines = [rule for rule in drawn if rule.reads_lines]
    plain = {rule.name for rule in drawn} - {rule.name for rule in lines}
    inferences = sum(rule.kind == "inference" for rule in lines)
    in_use = [*rule_names("seed-single-area"), *rule_names("seed-composite")]
    found = {name for group in DISCOVERED for name in rule_names(group)}
    return {
        "rules of the researcher's groups": len(written.rules),
        "drawings": len(drawn),
        "drawings that read no future line": len(plain),
        "drawings in use": len({*rule_names("seed-9-size"), *in_use}),
        "inferences of future lines": inferences,
        "bans that read future lines": len(lines) - inferences,
        "procedures": len(written.rules) - len(drawn),
        "rules found by the machine": len(found),
        "rules of the pictures and the program of 2026": len(
            rule_names("researcher-2026")
        ),
        "universal rules": len(rule_names("universal")),
        "rules in all": len(rule_names()),
    }


def rule_pages(only: Collection[str] | None = None) -> dict[str, str]:
    """Return the pages and pictures by place, of all rules or of some."""
    written = load_rules(",".join(rule_names()))
    specs = {rule.name: rule for rule in drawings_of(written)}
    records = tomllib.loads(RECORDS.read_text(encoding="utf-8"))
    every = list(dict.fromkeys([*records, *rule_names()]))
    names = [name for name in every if only is None or name in only]
    tables, cases = rows_by_rule(), corpus_cases()
    shown = examples(cases, names=[name for name in names if name in rule_names()])
    pages: dict[str, str] = {}
    for name in names:
        spec = specs.get(name)
        parts = [f"# {name}\n", *_head(name, spec, records.get(name))]
        if spec is not None:
            parts += _drawings(spec)
            for k, drawing in enumerate(_shown(spec), 1):
                pages[f"rules/img/{name}-{k}.svg"] = draw_rule(drawing, name)
        if example := shown.get(name):
            parts += _example(example)
            pages[f"rules/img/{name}-at-work.svg"] = example.picture
        parts += _rows(tables.get(name, ()))
        parts += _cases(name, cases)
        parts += _origin(name, spec, names)
        page, _, anchor = place_of_rule(name).partition("#")
        text = "\n".join(parts)
        if anchor:
            group = page.rpartition("-")[0]
            head = f"# {group}\n\n[All of the group](../found/{group}.md).\n\n"
            text = pages.get(f"rules/{page}", head) + _lowered(text)
        pages[f"rules/{page}"] = text
    pages |= _indexes(names, records, tables)
    return pages


@cache
def place_of_rule(name: str) -> str:
    """Return the page of a rule in the folder `rules`, and its place there."""
    for group in DISCOVERED:
        if name in (names := rule_names(group)):
            return f"{group}-{names.index(name) // _TOGETHER + 1}.md#{name}"
    return f"{name}.md"


def _lowered(text: str) -> str:
    """Return a page as a part of another: its headings one level lower."""
    parts = re.split(r"^(```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    parts[::2] = [re.sub(r"^#", "##", part, flags=re.MULTILINE) for part in parts[::2]]
    return "".join(parts) + "\n\n"


def _head(name: str, spec: RuleSpec | None, record: dict[str, str] | None) -> list[str]:
    """Return the kind, claim and reason of the rule."""
    if record and "missing" in record:
        return [f"This record of the book has no rule: {record['missing']}.\n"]
    if spec is not None:
        kind = "Inference of future lines" if spec.kind == "inference" else "Drawing"
        reason, claim = spec.reason, spec.claim
    else:
        rule = load_rules(name).rules[0]
        kind, claim = "Procedure", rule.claim
        reason = getattr(rule, "reason", "")
    whose = (
        "discovered by machine, claimed to be"
        if name in _found()
        else "claimed by its author to be"
    )
    parts = [f"{kind}; {whose} *{claim}*.\n"]
    if reason:
        parts.append(f"> {reason[0].upper()}{reason[1:]}.\n")
    if spec is None:
        rule = load_rules(name).rules[0]
        parts += [getattr(rule, "what", "") or _doc(rule), ""]
    if record and "whole" in record:
        whole = record["whole"]
        parts.append(f"This is a part of the rule [{whole}]({whole}.md).\n")
    return parts


@cache
def _found() -> frozenset[str]:
    """Return the names of the discovered rules."""
    return frozenset(name for group in DISCOVERED for name in rule_names(group))


def _doc(rule: object) -> str:
    """Return a docstring as Markdown, its headings of sections made bold."""
    lines = (type(rule).__doc__ or "").expandtabs().splitlines()
    text = "\n".join(line.strip() for line in lines)
    return re.sub(r"^(\w+)\n-{3,}$", r"**\1**\n", text, flags=re.MULTILINE)


def _shown(spec: RuleSpec) -> tuple[Drawing, ...]:
    return spec.drawings[: 1 if spec.name in _found() else _SHOWN]


def _drawings(spec: RuleSpec) -> list[str]:
    parts = [f"In words: {drawn_words(drawing)}.\n" for drawing in _shown(spec)]
    parts.append("## Drawing\n" if len(spec.drawings) == 1 else "## Drawings\n")
    for k, drawing in enumerate(_shown(spec), 1):
        title = f": {drawing.variant}" if drawing.variant else ""
        if len(spec.drawings) > 1:
            parts.append(f"**{k} of {len(spec.drawings)}{title}**\n")
        parts += [
            f"![The rule {spec.name}, drawing {k}](img/{spec.name}-{k}.svg)\n",
            "```text",
            drawing.text.strip("\n"),
            *fact_lines(drawing),
            "```\n",
            _placed(drawing),
        ]
    if more := len(spec.drawings) - len(_shown(spec)):
        parts.append(f"The rule has {more} more drawings, mostly larger.\n")
        parts += surpluses(spec)
    parts.append("[The rule language](../reference/rules.md) explains drawings.\n")
    return parts


def surpluses(spec: RuleSpec) -> list[str]:
    """Return the table of a distance family: what its first area may have."""
    rows: dict[str, dict[str, str]] = {}
    names = {at: name for name, at in MOVES.items()}
    for drawing in spec.drawings:
        if not (drawing.areas and drawing.areas[0].kind is Kind.BEYOND):
            continue
        if not drawing.variant.startswith("D "):
            return []
        moves = ", ".join(names[at] for at in drawing.forbidden)
        turns = ", ".join(TURN_NAMES[turn] for turn in drawing.turns)
        low, high = drawing.areas[0].low, drawing.areas[0].high
        said = f"{low} to {high}" if low <= high else "never"
        row = rows.setdefault(drawing.variant, {})
        at = f"{moves} (turns {turns})"
        row[at] = f"{row[at]}; {said}" if at in row else said
    if not rows:
        return []
    heads = list(dict.fromkeys(head for row in rows.values() for head in row))
    return [
        "A drawing forbids its move if the surplus of its first area is outside:\n",
        f"| distance | {' | '.join(heads)} |\n| --- |{' --- |' * len(heads)}",
        *(
            f"| {name} | {' | '.join(row.get(head, '') for head in heads)} |"
            for name, row in rows.items()
        ),
        "",
    ]


_TURNED = {
    Symmetry.IDENTITY: "as drawn",
    Symmetry.ROTATE_RIGHT: "turned clockwise",
    Symmetry.ROTATE_LEFT: "turned counter-clockwise",
    Symmetry.ROTATE_HALF: "turned half round",
}


def _placed(drawing: Drawing) -> str:
    """Return the placements of a drawing, in words."""
    if drawing.frame is Frame.HEADING:
        turns = ", ".join(_TURNED[turn] for turn in drawing.turns)
        also = "; also mirrored" if drawing.mirror else ""
        return f"The last step goes up the page. Placements: {turns}{also}.\n"
    names = ", ".join(s.name.lower().replace("_", " ") for s in drawing.turns)
    heading = LETTERS[drawing.heading]
    return f"Board frame, last step {heading}. Symmetries: {names}.\n"


def _example(example: Example) -> list[str]:
    name, where = example.rule, example.position.notation
    return [
        "## At work\n",
        f"![{name} at work](img/{name}-at-work.svg)\n",
        f"At `{where}` it forbids {' and '.join(example.moves)}.\n",
        f"```sh\noneway check '{where}' --rules {name}\n```\n",
    ]


def _rows(rows: Iterable[Found]) -> list[str]:
    """Return the rows of tables, one column below the other."""
    parts: list[str] = []
    last = ""
    for page, (heading, said) in _HEADINGS.items():
        for row in rows:
            if row.page != page or row.section.startswith("Caught by one"):
                continue
            if page != last:
                link = f"[{page}](../tables/{page}.md)"
                parts.append(f"## {heading}\n\n{said}, from the table {link}.\n")
                last = page
            if page == "milestones":
                parts.append(f"*{row.section}*\n")
            parts += ["| | |", "| --- | --- |"]
            parts += [
                f"| {column} | {cell} |"
                for column, cell in zip(row.columns[1:], row.cells[1:], strict=True)
                if cell
            ]
            parts.append("")
    return parts


def _cases(name: str, cases: Iterable[Case]) -> list[str]:
    """Return links to the cases about this rule alone."""
    mine = [case for case in cases if name in (case.rules, case.rule)]
    parts = ["## Cases\n"] if mine else []
    for case in mine:
        parts.append(f"- [{stem_of(case)}](../cases/{stem_of(case)}.md): {case.why}")
    return [*parts, ""]


def _origin(name: str, spec: RuleSpec | None, names: Iterable[str]) -> list[str]:
    """Return the source of the rule and its groups."""
    if name not in rule_names():
        return []
    rule = spec or load_rules(name).rules[0]
    parts = ["## Origin\n", f"{rule.origin}.\n"]
    if spec is not None and spec.note:
        parts.append(f"{_linked(spec.note, name, names)}.\n")
    if spec is not None and spec.unless:
        others = ", ".join(f"[{one}]({place_of_rule(one)})" for one in spec.unless)
        parts.append(f"It applies only where these forbid nothing: {others}.\n")
    held = [group for group in group_names() if name in rule_names(group)]
    parts.append(f"Groups: {', '.join(f'`{group}`' for group in held)}.\n")
    return parts


def _linked(text: str, name: str, names: Iterable[str]) -> str:
    """Turn the names of other rules in a note into links."""
    others = set(names) - {name}

    def turn(found: re.Match[str]) -> str:
        word = found[0]
        known = word in others and "-" in word
        return f"[{word}]({place_of_rule(word)})" if known else word

    return re.sub(r"[a-z0-9][\w-]*\w", turn, text[0].upper() + text[1:])


def _indexes(
    names: list[str], records: dict[str, dict[str, str]], tables: dict[str, list[Found]]
) -> dict[str, str]:
    """Return the index of all rules and its navigation."""
    parts = [
        "# Rules\n",
        f"{rules_counted()['rules in all']} rules; the researcher's catalogue has "
        f"{len(records)} records. [By kind](../explanation/book.md#number-of-rules"
        ").\n",
    ]
    seen: set[str] = set()
    for group in [None, *group_names()]:
        fresh = [
            name
            for name in names
            if name not in seen
            and (
                name not in rule_names() if group is None else name in rule_names(group)
            )
        ]
        if not fresh:
            continue
        seen.update(fresh)
        title = group or "records without a rule"
        said = about(group) if group else "records of the catalogue that are not rules"
        parts += [f"## {title}\n", f"{said[0].upper()}{said[1:]}.\n"]
        parts += ["| rule | claim | proof |", "| --- | --- | --- |"]
        for name in fresh:
            verdict = next(
                (
                    row.cells[2]
                    for row in tables.get(name, ())
                    if row.page.startswith("verdicts")
                ),
                "",
            )
            claim = records.get(name, {}).get("claim", "sound")
            parts.append(f"| [{name}]({place_of_rule(name)}) | {claim} | {verdict} |")
        parts.append("")
    return {
        "rules/index.md": "\n".join(parts),
        "rules/SUMMARY.md": "* [Rules](index.md)\n",
    }
