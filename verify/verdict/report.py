"""Verdicts presented: the table of a rule book, judged in a long run, and pictures.

Each rule is a unit of the run; its result is its row of the table.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from heuristic.rules.drawing import Spot
from heuristic.rules.picture import (
    FILL,
    MARK,
    UNIT,
    draw_rule,
    live_end,
    square,
    stroked,
)
from solver.files import make_folder, write_whole
from solver.svg import document, draw
from verify.corpus.cases import cases_against
from verify.evidence.evidence import Evidence
from verify.evidence.report import by_rule, scopes
from verify.formatting import counted, linked, markdown_table
from verify.proof.certificate import certificate_of
from verify.proof.decision import Survivor
from verify.proof.prove import Proved, book_rules, provable
from verify.proof.window import FREE, LIVE, OUT, STATE_NAMES, VISITED, black, edges_of
from verify.runs.longrun import Advance, LongRun, Unit, work_of
from verify.verdict.verdict import Judgement, Open, Refuted, judge

LEGEND = """\
PROVED: on every board in the column *for*, no completion starts with a move that the
rule forbids. REFUTED: the position can be completed by the move given. OPEN: no proof
and no counterexample; the row gives the reason.

Each rule is judged alone. In a group it may apply less often.

A *part* is a drawing in one pose with one move; one proof may cover several poses.
*Clauses* and *bytes* are the size of the certificate. *Fired* counts the positions
where the rule forbids a move, *wrong* those where a forbidden move is completable.
*Caught* counts the forbidden dead moves, *alone* those that no other rule of the group
forbids. *Seconds* are processor time, without certificates and pictures.
"""
_COUNTS = {"fired": "fired", "wrong": "wrong", "caught": "caught", "alone": "only"}
_DRAWING = 0.02  # seconds that the verdict of a drawing takes, roughly


class Row(msgspec.Struct, frozen=True):
    """The verdict on one rule; `why` is the counterexample or what the proof lacks."""

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


def judging(
    rules: str, *, corpus: Path, seed: int = 0, seconds: float = 10.0
) -> LongRun[list[Row]]:
    """Return the run that judges rules, or the whole book if `rules` is empty."""
    units = [
        Unit(name, max(1, len(spec.drawings)) * _DRAWING)
        for name, spec in provable(book_rules(rules)).items()
    ]
    # other cases may give other counterexamples
    cases = cases_against(corpus, lambda _: None)
    texts = sorted(
        f"{rule} {x.position.notation}" for rule in cases for x in cases[rule]
    )
    digest = sha256("\n".join(texts).encode()).hexdigest()
    parameters = {"rules": rules, "corpus": str(corpus), "cases": digest}
    rooms = ("checker", "proof", "shrink", "truth", "verdict", "evidence")
    modules = "solver", "heuristic", *(f"verify.{room}" for room in rooms)
    limits = {"seed": seed, "seconds": seconds}
    work = work_of(_judging, parameters | limits, *modules, rules=rules)
    return LongRun("report", work, units, lambda x: msgspec.convert([*x], list[Row]))


def _judging(
    rules: str, corpus: str, cases: str, seed: int, seconds: float
) -> Callable[[str, Advance], Any]:
    specs = provable(book_rules(rules))
    against = cases_against(Path(corpus), lambda _: None)

    def result_of(name: str, _: Advance) -> Any:
        first = against.get(name, ())
        verdict = judge(specs[name], seed=seed, seconds=seconds, cases=first)
        return msgspec.to_builtins(row_of(verdict))

    return result_of


def row_of(verdict: Judgement) -> Row:
    """Return the row of a verdict."""
    rule = verdict.rule
    about = rule.name, rule.claim, verdict.word, round(verdict.seconds, 3)
    if isinstance(verdict, Proved):
        numbers = len(verdict.proofs), verdict.clauses
        return Row(*about, verdict.boards, *numbers, certificate_of(verdict))
    if isinstance(verdict, Refuted):
        wrong = verdict.refutation
        why = f"{wrong.position.notation} {wrong.move}; {wrong.lines}".rstrip("; ")
        return Row(*about, why=why, case=str(wrong.case or ""))
    models = sum(isinstance(other, Survivor) for _, other in verdict.survivors)
    late = len(verdict.survivors) - models
    counts = (models, "with a model"), (late, "out of time")
    left = " and ".join(f"{count} {why}" for count, why in counts if count)
    why = f"{verdict.proved} parts proved, {left}; tried: {verdict.tried}"
    return Row(*about, why=why)


def cells_of(
    rows: Sequence[Row], evidence: Sequence[Evidence], folder: Path | None = None
) -> list[dict[str, str]]:
    """Return the cells of rows by their column; with a `folder` cases are links."""
    seen, table = by_rule(evidence), []
    for row in rows:
        why, *more = row.why.split("; ", 1)
        if folder and row.case:
            why = f"{linked(Path(row.case), folder)} `{why}`"
        proof = row.parts, row.clauses, len(row.certificate)
        sizes = [f"{size:,}" if row.verdict == "PROVED" else "" for size in proof]
        cells = {"rule": row.rule, "claim": row.claim}
        cells |= {"verdict": row.verdict, "for": row.boards}
        cells |= dict(zip(("parts", "clauses", "bytes"), sizes, strict=True))
        for name, what in _COUNTS.items():
            counts = [getattr(part, what) for part in seen.get(row.rule, ())]
            numbers = [count for count in counts if count is not None]
            cells[name] = f"{sum(numbers):,}" if numbers else "-"
        seconds, case = f"{row.seconds:.2f}", "; ".join([why, *more])
        table.append(cells | {"seconds": seconds, "case": case})
    return table


def verdict_counts(rows: Sequence[Row]) -> str:
    """Return a sentence with the number of each verdict."""
    counts = Counter(row.verdict for row in rows)
    phrases = ", ".join(f"{counts[x]} {x}" for x in ("PROVED", "REFUTED", "OPEN"))
    return f"{counted(len(rows), 'rule')}: {phrases}."


def write_report(
    rows: Sequence[Row],
    evidence: Sequence[Evidence],
    folder: Path,
    others: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Write ``verdicts.md`` whole or not at all; `others`: why rules are missing."""
    seen = "; ".join(scopes(evidence))
    lines = ["# Verdicts", "", verdict_counts(rows), "", *LEGEND.splitlines(), ""]
    lines += [f"Positions seen: {seen}.", ""] if seen else []
    table = cells_of(rows, evidence, folder)
    lines.append(markdown_table([*table[0]], [[*x.values()] for x in table]))
    for why in dict.fromkeys(others.values()):
        names = [f"`{name}`" for name, phrases in others.items() if phrases == why]
        lines += ["", f"Not put to a proof, as each {why}: {', '.join(names)}."]
    make_folder(folder)
    write_whole(folder / "verdicts.md", "\n".join(lines) + "\n")


_STROKES = {
    "w": 'stroke="#1f3b73" stroke-width="6"',
    "c": 'stroke="#c0392b" stroke-width="4" stroke-dasharray="1 6"',
    "v": 'stroke="#999999" stroke-width="2"',
}


def pictures_of(verdict: Judgement) -> list[str]:
    """Return SVG documents: drawings, then a counterexample or what is left open."""
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


def draw_survivor(survivor: Survivor, title: str) -> str:
    """Draw a local configuration: the walk blue, the completion red and dotted.

    Dark cells are outside the board; S and T are the start and the end.
    """
    window, true = survivor.window, survivor.true
    top, left, bottom, right = window.box

    def centre(cell: Spot) -> tuple[float, float]:
        return (cell[1] - left + 1.5) * UNIT, (cell[0] - top + 1.5) * UNIT

    parts = []
    marked = {cell for area in window.areas for cell in area.cells}
    for cell in window.cells():
        x, y = centre(cell)
        states = (bit for name, bit in STATE_NAMES if (name, cell) in true)
        certain = cell == LIVE or window.state(cell) in (FREE, VISITED, OUT)
        dim = "" if certain else 'fill-opacity="0.55"'
        fill = FILL[next(states, VISITED)]
        parts.append(square(x - UNIT / 2, y - UNIT / 2, fill, dim))
        if cell in marked:
            parts.append(
                f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="{MARK}" '
                f'fill-opacity="{1 if black(cell) else 0.4}"/>'
            )
    for side in sorted(edges_of(window)):
        for kind, style in _STROKES.items():
            if (kind, *side) in true:
                (x1, y1), (x2, y2) = map(centre, side)
                parts.append(
                    f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" '
                    f'stroke-linecap="round" {style}/>'
                )
    parts.append(live_end(*centre(LIVE)))
    for cell in window.cells():
        parts += [stroked(*centre(cell), x) for x in ("S", "T") if (x, cell) in true]
    width, height = (right - left + 3) * UNIT, (bottom - top + 3) * UNIT
    return document(width, height, title, parts)
