"""Pages of the groups discovered by machine: verdicts, scopes, certificates."""

from collections import Counter

from heuristic.groups import DISCOVERED, about, rule_names
from website.pages import ROOT
from website.rulepages import place_of_rule
from website.tables import rows_by_rule

TABLE = "verdicts-found"
_COLUMNS = ("verdict", "for", "clauses")


def found_pages() -> dict[str, str]:
    """Return a page for each group, by place."""
    rows = {
        name: dict(zip(row.columns, row.cells, strict=True))
        for name, found in rows_by_rule().items()
        for row in found
        if row.page == TABLE
    }
    return {f"found/{group}.md": _page(group, rows) for group in DISCOVERED}


def _page(group: str, rows: dict[str, dict[str, str]]) -> str:
    names = rule_names(group)
    said = about(group)
    parts = [
        f"# {group}\n",
        f"{said[:1].upper()}{said[1:]}. {len(names):,} rules, each with "
        "picture, reason and verdict.\n",
        "## Scopes\n",
        "| verdict | for | rules |\n| --- | --- | --- |",
    ]
    verdicts = [(rows[name]["verdict"], rows[name]["for"]) for name in names]
    for (verdict, scope), count in Counter(verdicts).most_common():
        parts.append(f"| {verdict} | {scope} | {count:,} |")
    parts += [
        "\nTo make the certificates and check them with independent code:\n",
        f"```sh\noneway prove {group}\noneway proof check out/proofs --rules {group}\n"
        "```\n",
    ]
    if (ROOT / f"docs/found/{group}-open.txt").is_file():
        parts.append(f"Dead moves without an explanation: [list]({group}-open.txt).\n")
    parts += ["## Rules\n", f"| rule | {' | '.join(_COLUMNS)} |"]
    parts.append(f"| --- |{' --- |' * len(_COLUMNS)}")
    for name in names:
        cells = " | ".join(rows[name][column] for column in _COLUMNS)
        parts.append(f"| [{name}](../rules/{place_of_rule(name)}) | {cells} |")
    return "\n".join(parts) + "\n"
