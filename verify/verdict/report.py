"""The verdict table of a rule book, as Markdown and as HTML with pictures."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import MappingProxyType

from heuristic.groups import group_names, load_rules, rule_names
from heuristic.matching.drawn import DrawnRuleSet
from heuristic.rules.drawing import RuleSpec
from heuristic.rules.picture import draw_rule
from solver.files import make_folder, write_whole
from verify.proof.picture import KEY
from verify.proof.prove import Proved
from verify.refute.refute import Refutation
from verify.trial.evidence import BoardEvidence, Evidence, RuleEvidence
from verify.verdict.verdict import Judgement, Open, Refuted
from verify.words import counted, html_page, html_row, html_rule, linked, markdown_table

HEADER = (
    "rule",
    "claim",
    "verdict",
    "for",
    "parts",
    "clauses",
    "bytes",
    "fired",
    "wrong",
    "caught",
    "only it",
    "seconds",
    "case",
)
LEGEND = """\
PROVED: on no board of the kind named can a position be completed by a move that the
rule forbids. REFUTED: the position named can be completed by the move named. OPEN:
neither was shown; the row says why.

Every rule is judged alone. In a group it may be asked less often: behind a case stands
whether its groups are *wrong* there too, or do *not* forbid that move by it.

*Parts* are drawings in one pose with one move; one proof may do for several poses.
*Clauses* and *bytes* are the size of the certificate. *Fired* counts the positions
where the rule forbade something, *wrong* those where a forbidden move was completable.
*Caught* counts the dead moves forbidden, *only it* those that no other rule of its
group forbids. *Seconds* are of processor time, without certificates and pictures.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One rule of the table: its verdict, and what it did on known positions."""

    verdict: Judgement
    evidence: tuple[RuleEvidence, ...] = ()
    certificate: Path | None = None

    @property
    def rule(self) -> RuleSpec:
        """The rule as its file says it."""
        return self.verdict.rule

    def total(self, what: str) -> str:
        """Return a sum over the evidence, or a dash if there is none."""
        counts = [getattr(seen, what, None) for seen in self.evidence]
        known = [count for count in counts if count is not None]
        return f"{sum(known):,}" if known else "-"


def rows_of(
    verdicts: Sequence[Judgement],
    evidence: Iterable[Evidence] = (),
    certificates: dict[str, Path] | None = None,
    boards: Iterable[BoardEvidence] = (),
) -> list[Row]:
    """Put verdicts and evidence together by the rules' names."""
    seen: dict[str, list[RuleEvidence]] = {}
    for one in evidence:
        for rule in one.rules:
            seen.setdefault(rule.name, []).append(rule)
    for board in boards:
        for name, found in board.rules.items():
            seen.setdefault(name, []).append(found)
    return [
        Row(
            verdict,
            tuple(seen.get(verdict.rule.name, ())),
            (certificates or {}).get(verdict.rule.name),
        )
        for verdict in verdicts
    ]


def cells_of(row: Row, folder: Path | None = None) -> list[str]:
    """Return the cells of a row, in the order of `HEADER`.

    With a `folder` cases are links from there, in Markdown.
    """
    verdict = row.verdict
    scope = parts = clauses = size = case = ""
    if isinstance(verdict, Proved):
        scope, clauses = verdict.boards, f"{verdict.clauses:,}"
        parts = f"{len(verdict.proofs):,}"
        size = f"{row.certificate.stat().st_size:,}" if row.certificate else ""
    elif isinstance(verdict, Refuted):
        found = verdict.refutation
        case = f"{found.position.notation} {found.move}"
        if folder and found.case:
            case = f"{linked(found.case, folder)} `{case}`"
        case += "".join(f"; {phrases}" for phrases in with_precedence(found))
        case += f"; {found.lines}" * bool(found.lines)
    else:
        case = _why_open(verdict)
    return [
        verdict.rule.name,
        verdict.rule.claim,
        verdict.word,
        scope,
        parts,
        clauses,
        size,
        *(row.total(what) for what in ("fired", "wrong", "caught", "only")),
        "-" if math.isnan(verdict.seconds) else f"{verdict.seconds:.2f}",
        case,
    ]


def with_precedence(found: Refutation) -> list[str]:
    """Say in which groups the fault shows at the position, and in which it does not.

    In a group a rule may not be asked, as an earlier one stops or forbids a move there;
    or the group holds it in another form.
    """
    phrases = []
    for group in group_names():
        if found.rule in rule_names(group):
            rules = load_rules(group)
            if isinstance(rules, DrawnRuleSet):
                said = [(x.rule, x.move) for x in rules.forbids(found.position)]
                shown = (found.rule, found.move) in said
                phrases.append(f"{'wrong' if shown else 'not'} in {group}")
    return phrases


def _why_open(verdict: Open) -> str:
    """Say what kept the proof from ending."""
    counts = (verdict.models, "with a model"), (verdict.late, "out of time")
    kept = " and ".join(f"{count} {why}" for count, why in counts if count)
    return f"{verdict.proved} parts proved, {kept}; tried: {verdict.tried}"


def summary(rows: Sequence[Row]) -> str:
    """Return one sentence: how many of each verdict."""
    counts = dict.fromkeys(("PROVED", "REFUTED", "OPEN"), 0)
    for row in rows:
        counts[row.verdict.word] += 1
    phrases = ", ".join(f"{count} {word}" for word, count in counts.items())
    return f"{counted(len(rows), 'rule')}: {phrases}."


def markdown(
    rows: Sequence[Row],
    scopes: Sequence[str] = (),
    folder: Path | None = None,
    others: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Write the table as Markdown.

    `scopes` says which positions were seen, `others` why some rules are not in it.
    """
    lines = ["# Verdicts", "", summary(rows), "", *LEGEND.splitlines(), ""]
    lines += [f"Positions seen: {'; '.join(scopes)}.", ""] if scopes else []
    lines.append(markdown_table(HEADER, [cells_of(row, folder) for row in rows]))
    for why in dict.fromkeys(others.values()):
        names = [f"`{name}`" for name, phrases in others.items() if phrases == why]
        lines += ["", f"Not put to a proof, as each {why}: {', '.join(names)}."]
    return "\n".join(lines) + "\n"


def html(rows: Sequence[Row], scopes: Sequence[str] = ()) -> str:
    """Write the table as one HTML page: every rule drawn, every case and gap drawn."""
    body = "".join(
        html_rule(cells_of(row), row.rule.reason, pictures_of(row)) for row in rows
    )
    seen = f"<p>Positions seen: {escape('; '.join(scopes))}.</p>" if scopes else ""
    words = escape(LEGEND.replace("*", ""))
    return html_page(
        "Verdicts",
        f"<p>{escape(summary(rows))}</p><p>{words}</p>{seen}<p>{escape(KEY)}</p>"
        f"<table>{html_row((*HEADER, 'pictures'), 'th')}{body}</table>",
    )


def pictures_of(row: Row) -> list[str]:
    """Return SVG documents: the drawings, then the counterexample or what is open."""
    from solver.svg import draw

    verdict = row.verdict
    found = [draw_rule(drawing, row.rule.name) for drawing in row.rule.drawings[:4]]
    if isinstance(verdict, Refuted):
        refutation = verdict.refutation
        found.append(
            draw(
                refutation.position,
                forbidden=refutation.move,
                witness=refutation.completion,
                scale=0.8,
            )
        )
    if isinstance(verdict, Open):
        found += verdict.pictures
    return found


def write_report(
    rows: Sequence[Row],
    folder: Path,
    scopes: Sequence[str] = (),
    others: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Write ``verdicts.md`` and ``verdicts.html``, each whole or not at all."""
    make_folder(folder)
    for name, text in (
        ("verdicts.md", markdown(rows, scopes, folder, others)),
        ("verdicts.html", html(rows, scopes)),
    ):
        write_whole(folder / name, text)
