"""The verdict table of a rule book as Markdown."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from heuristic.groups import group_names, load_rules, rule_names
from heuristic.rules.drawing import RuleSpec
from solver.files import make_folder, write_whole
from verify.evidence.evidence import Evidence, RuleEvidence
from verify.evidence.report import by_rule
from verify.proof.counterexample import Refutation
from verify.verdict.verdict import Certified, Judged, Open, Refuted
from verify.words import counted, linked, markdown_table

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

    verdict: Judged
    evidence: tuple[RuleEvidence, ...] = ()

    def total(self, what: str) -> str:
        """Return a sum over the evidence, or a dash if there is none."""
        counts = [getattr(seen, what, None) for seen in self.evidence]
        known = [count for count in counts if count is not None]
        return f"{sum(known):,}" if known else "-"


def rows_of(verdicts: Sequence[Judged], found: Sequence[Evidence] = ()) -> list[Row]:
    """Put verdicts and evidence together by the rules' names."""
    seen = by_rule(found)
    return [
        Row(verdict, tuple(seen.get(verdict.rule.name, ()))) for verdict in verdicts
    ]


def cells_of(row: Row, folder: Path | None = None) -> list[str]:
    """Return the cells of a row, in the order of `HEADER`.

    With a `folder` cases are links from there, in Markdown.
    """
    verdict = row.verdict
    scope = parts = clauses = size = case = ""
    if isinstance(verdict, Certified):
        scope, clauses = verdict.boards, f"{verdict.clauses:,}"
        parts, size = f"{verdict.parts:,}", f"{len(verdict.certificate):,}"
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
        f"{verdict.seconds:.2f}",
        case,
    ]


def with_precedence(found: Refutation) -> list[str]:
    """Say in which groups the fault shows at the position, and in which it does not.

    In a group a rule may not be asked, as an earlier one stops or forbids a move there;
    or the group holds it in another form.
    """
    phrases = []
    for group in group_names():
        rules = load_rules(group) if found.rule in rule_names(group) else None
        if rules and all(isinstance(rule, RuleSpec) for rule in rules.rules):
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
    counts = Counter(row.verdict.word for row in rows)
    phrases = ", ".join(f"{counts[x]} {x}" for x in ("PROVED", "REFUTED", "OPEN"))
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


def write_report(
    rows: Sequence[Row],
    folder: Path,
    scopes: Sequence[str] = (),
    others: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Write ``verdicts.md``, whole or not at all."""
    make_folder(folder)
    write_whole(folder / "verdicts.md", markdown(rows, scopes, folder, others))
