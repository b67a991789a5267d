"""The verdict table of a rule book: a long run that judges it, and its Markdown.

A rule is a unit of the run. The result of a proved rule is its certificate, of any
other one what the table says of it.

Pictures of a verdict: the drawings, a counterexample, what a proof leaves possible.

Nothing is written as text, so that pictures look alike on machines without fonts.
"""

from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

from heuristic.groups import load_rules
from heuristic.rules.drawing import RuleSpec, Spot
from heuristic.rules.picture import (
    FILL,
    MARK,
    UNIT,
    draw_rule,
    letters,
    live_end,
    square,
)
from solver.files import make_folder, write_whole
from solver.svg import document, draw
from verify.corpus.cases import cases_against
from verify.evidence.evidence import Evidence, RuleEvidence
from verify.evidence.report import by_rule
from verify.formatting import counted, linked, markdown_table
from verify.proof.certificate import certificate_of
from verify.proof.decision import Survivor
from verify.proof.prove import Proved, book_rules, provable
from verify.proof.window import FREE, LIVE, OUT, STATE_NAMES, VISITED, black, edges_of
from verify.runs.longrun import Advance, LongRun, Unit, work_of
from verify.verdict.verdict import Judgement, Open, Refuted, judge

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
    "alone",
    "seconds",
    "case",
)
LEGEND = """\
PROVED: on no board of the kind named can a position be completed by a move that the
rule forbids. REFUTED: the position named can be completed by the move named. OPEN:
neither was shown; the row says why.

Every rule is judged alone. In a group it may be asked less often.

*Parts* are drawings in one pose with one move; one proof may do for several poses.
*Clauses* and *bytes* are the size of the certificate. *Fired* counts the positions
where the rule forbade something, *wrong* those where a forbidden move was completable.
*Caught* counts the dead moves forbidden, *alone* those that no other rule of its
group forbids. *Seconds* are of processor time, without certificates and pictures.
"""
_PART = 0.02  # seconds a drawing, about


@dataclass(frozen=True, slots=True)
class Row:
    """One rule of the table: its verdict, and its evidence on known positions.

    - `boards`: those for which it is proved, in words.
    - `parts`, `clauses`: the numbers of drawings in one pose with one move, and of
      clauses.
    - `why`: the counterexample, or what kept the proof from ending.
    - `case`: the path of the counterexample's case.
    """

    rule: str
    claim: str
    verdict: str
    seconds: float
    boards: str = ""
    parts: int = 0
    clauses: int = 0
    certificate: bytes = b""
    why: str = ""
    case: str = ""
    evidence: tuple[RuleEvidence, ...] = ()

    def total(self, what: str) -> str:
        """Return a sum over the evidence, or a dash if there is none."""
        counts = [getattr(seen, what, None) for seen in self.evidence]
        numbers = [count for count in counts if count is not None]
        return f"{sum(numbers):,}" if numbers else "-"


def judging(
    rules: str, *, corpus: Path, seed: int = 0, seconds: float = 10.0
) -> LongRun[list[Row]]:
    """Judge the rules of `rules`, or of the whole book if that is empty.

    All that a proof can speak of: drawn rules, and those that read future lines.

    `seconds` limit each single search, `seed` is that of the searches; cases of the
    folder `corpus` are tried first.
    """
    units = [
        Unit(name, max(1, len(spec.drawings)) * _PART)
        for name, spec in _provable(rules).items()
    ]
    # the cases that are tried first decide what is found
    cases = cases_against(corpus, lambda _: None)
    texts = sorted(
        f"{rule} {case.position.notation}" for rule in cases for case in cases[rule]
    )
    parameters = {
        "rules": rules,
        "corpus": str(corpus),
        "cases": sha256("\n".join(texts).encode()).hexdigest(),
        "seed": seed,
        "seconds": seconds,
    }
    rooms = [f"verify.{room}" for room in ("checker", "proof", "shrink", "truth")]
    rooms += ["verify.verdict", "verify.evidence"]
    work = work_of(_judging, parameters, "solver", "heuristic", *rooms, rules=rules)
    return LongRun("report", work, units, rows_of)


def _provable(rules: str) -> dict[str, RuleSpec]:
    return provable(load_rules(rules).rules if rules else book_rules())


def _judging(
    rules: str, corpus: str, cases: str, seed: int, seconds: float
) -> Callable[[str, Advance], dict[str, Any]]:
    """Return what judges a rule by its name."""
    specs = _provable(rules)
    # one that cannot be read is passed over: cases only make a search shorter
    against = cases_against(Path(corpus), lambda _: None)

    def result_of(name: str, _: Advance) -> dict[str, Any]:
        first = against.get(name, ())
        return plain(judge(specs[name], seed=seed, seconds=seconds, cases=first))

    return result_of


def plain(verdict: Judgement) -> dict[str, Any]:
    """Return what a row says of a verdict, as JSON values."""
    about: dict[str, Any] = {
        "rule": verdict.rule.name,
        "claim": verdict.rule.claim,
        "verdict": verdict.word,
        "seconds": round(verdict.seconds, 3),
    }
    if isinstance(verdict, Proved):
        return about | {
            "boards": verdict.boards,
            "parts": len(verdict.proofs),
            "clauses": verdict.clauses,
            "certificate": b64encode(certificate_of(verdict)).decode(),
        }
    if isinstance(verdict, Refuted):
        wrong = verdict.refutation
        why = f"{wrong.position.notation} {wrong.move}; {wrong.lines}".rstrip("; ")
        return about | {"why": why, "case": str(wrong.case or "")}
    return about | {"why": _why_open(verdict)}


def rows_of(results: Iterable[dict[str, Any]]) -> list[Row]:
    """Return the rows of results, as `plain` returns them."""
    rows = []
    for result in results:
        certificate = b64decode(result.get("certificate", ""))
        rows.append(Row(**result | {"certificate": certificate}))
    return rows


def with_evidence(rows: Sequence[Row], evidence: Sequence[Evidence]) -> list[Row]:
    """Return rows with the evidence on their rules."""
    seen = by_rule(evidence)
    return [replace(row, evidence=tuple(seen.get(row.rule, ()))) for row in rows]


def _why_open(verdict: Open) -> str:
    """Return what kept the proof from ending."""
    models = sum(isinstance(other, Survivor) for _, other in verdict.survivors)
    late = len(verdict.survivors) - models
    counts = (models, "with a model"), (late, "out of time")
    left = " and ".join(f"{count} {why}" for count, why in counts if count)
    return f"{verdict.proved} parts proved, {left}; tried: {verdict.tried}"


def cells_of(row: Row, folder: Path | None = None) -> list[str]:
    """Return the cells of a row, in the order of `HEADER`.

    With a `folder` cases are links from there, in Markdown.
    """
    why, *more = row.why.split("; ", 1)
    if folder and row.case:
        why = f"{linked(Path(row.case), folder)} `{why}`"
    proved = row.verdict == "PROVED"
    sizes = row.parts, row.clauses, len(row.certificate)
    return [
        row.rule,
        row.claim,
        row.verdict,
        row.boards,
        *(f"{size:,}" if proved else "" for size in sizes),
        *(row.total(what) for what in ("fired", "wrong", "caught", "only")),
        f"{row.seconds:.2f}",
        "; ".join([why, *more]),
    ]


def summary(rows: Sequence[Row]) -> str:
    """Return one sentence: how many of each verdict."""
    counts = Counter(row.verdict for row in rows)
    phrases = ", ".join(f"{counts[x]} {x}" for x in ("PROVED", "REFUTED", "OPEN"))
    return f"{counted(len(rows), 'rule')}: {phrases}."


def write_report(
    rows: Sequence[Row],
    folder: Path,
    scopes: Sequence[str] = (),
    others: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Write ``verdicts.md``, whole or not at all.

    `scopes` says which positions were seen, `others` why some rules are not in it.
    """
    lines = ["# Verdicts", "", summary(rows), "", *LEGEND.splitlines(), ""]
    lines += [f"Positions seen: {'; '.join(scopes)}.", ""] if scopes else []
    lines.append(markdown_table(HEADER, [cells_of(row, folder) for row in rows]))
    for why in dict.fromkeys(others.values()):
        names = [f"`{name}`" for name, phrases in others.items() if phrases == why]
        lines += ["", f"Not put to a proof, as each {why}: {', '.join(names)}."]
    make_folder(folder)
    write_whole(folder / "verdicts.md", "\n".join(lines) + "\n")


_KINDS = {
    "w": 'stroke="#1f3b73" stroke-width="6"',
    "c": 'stroke="#c0392b" stroke-width="4" stroke-dasharray="1 6"',
    "v": 'stroke="#999999" stroke-width="2"',
}


def pictures_of(verdict: Judgement) -> list[str]:
    """Return SVG documents: the drawings, then the counterexample or what is open."""
    rule = verdict.rule
    pictures = [draw_rule(drawing, rule.name) for drawing in rule.drawings[:4]]
    if isinstance(verdict, Refuted):
        wrong = verdict.refutation
        position, way = wrong.position, wrong.completion
        pictures.append(draw(position, forbidden=wrong.move, witness=way))
    if isinstance(verdict, Open):
        pictures += [
            draw_survivor(survivor, str(part))
            for part, survivor in verdict.survivors
            if isinstance(survivor, Survivor)
        ]
    return pictures


def draw_survivor(survivor: Survivor, title: str = "") -> str:
    """Draw a local configuration: the walk blue, the completion red and dotted.

    Dark cells are outside the board; S and T are the start and the end. What joins the
    pieces outside the window is not drawn.
    """
    window, true = survivor.window, survivor.true

    def centre(cell: Spot) -> tuple[float, float]:
        row, col = cell[0] - window.top, cell[1] - window.left
        return (col + 1.5) * UNIT, (row + 1.5) * UNIT

    parts = []
    marked = {cell for area in window.areas for cell in area.cells}
    for cell in window.cells():
        x, y = centre(cell)
        states = (bit for name, bit in STATE_NAMES if (name, cell) in true)
        drawn = cell == LIVE or window.state(cell) in (FREE, VISITED, OUT)
        dim = "" if drawn else 'fill-opacity="0.55"'
        fill = FILL[next(states, VISITED)]
        parts.append(square(x - UNIT / 2, y - UNIT / 2, fill, dim))
        if cell in marked:
            parts.append(
                f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="{MARK}" '
                f'fill-opacity="{1 if black(cell) else 0.4}"/>'
            )
    for side in sorted(edges_of(window)):
        for kind, style in _KINDS.items():
            if (kind, *side) in true:
                (x1, y1), (x2, y2) = map(centre, side)
                parts.append(
                    f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" '
                    f'stroke-linecap="round" {style}/>'
                )
    parts.append(live_end(*centre(LIVE)))
    for cell in window.cells():
        parts += [letters(*centre(cell), x) for x in ("S", "T") if (x, cell) in true]
    width = (window.right - window.left + 3) * UNIT
    height = (window.bottom - window.top + 3) * UNIT
    return document(width, height, title or "local configuration", parts)
