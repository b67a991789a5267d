"""A rule judged while it is drawn: proved, refuted or open, and what it lacks."""

from collections.abc import Iterator
from pathlib import Path

from heuristic.rules.drawing import ANY, CellState, Drawing, Offset, RuleSpec
from heuristic.rules.letters import LETTER
from heuristic.rules.picture import draw_rules
from solver.errors import OptionError
from solver.notation import unquoted
from solver.svg import draw
from verify.corpus.cases import Case, cases_against
from verify.lab.editing import SHOWN, one_rule
from verify.lab.messages import Advice, Judged, JudgeRule, Local, Reply
from verify.lab.settings import Settings
from verify.proof.granted import grants
from verify.proof.picture import draw_survivor
from verify.proof.provable import provable_form
from verify.proof.prove import Proved
from verify.proof.settle import Survivor
from verify.verdict.sharpen import Change, missing, spared
from verify.verdict.verdict import Judgement, Open, Refuted, judge
from verify.words import counted

SECONDS = 10.0  # for every single search, as the command takes
PATIENCE = 0.5  # seconds for one condition that may help
PARTS = 4  # open parts that are looked at

_SMALL = """
[[rule]]
name = "small"
claim = "sound"
drawing = "? ? x\\n% K @\\n? % ?"
"""


def warm() -> None:
    """Load the prover, by a small proof."""
    judge(one_rule(_SMALL, 0))


def judge_rule(ask: JudgeRule, settings: Settings) -> Iterator[Reply]:
    """Judge a rule, then tell which single conditions would prove it, or can go."""
    written = one_rule(ask.text, ask.rule)
    rule = provable_form(written)
    if rule is None:
        why = "lets an end of a line grow, wherever it lies: no window shows that"
        raise OptionError(f"{written.name} {why}")
    verdict = judge(rule, seconds=SECONDS, cases=known_cases(rule, settings.corpus))
    yield judged(ask.id, rule, verdict)
    if ask.advice and not grants(rule):
        yield from advice(ask.id, verdict)


def known_cases(rule: RuleSpec, corpus: Path) -> list[Case]:
    """Return the cases to try first: those against the rule, then against others.

    A rule that is being drawn is often one of the book with a change. Of a rule that
    reads future lines only its own cases are tried.
    """
    # the page of the cases says which one cannot be read
    known = cases_against(corpus, lambda error: None)
    mine = known.pop(rule.name, [])
    others = [case for found in known.values() for case in found]
    return mine if grants(rule) else mine + others


def judged(number: int, rule: RuleSpec, verdict: Judgement) -> Judged:
    """Return a verdict for a page: its words and its picture."""
    seconds = round(verdict.seconds, 4)
    if isinstance(verdict, Proved):
        parts = counted(len(verdict.proofs), "part")
        clauses = counted(verdict.clauses, "clause")
        told = [f"for {verdict.boards}", f"{parts}, {clauses}"]
        svg = draw_rules(rule.drawings[:SHOWN], rule.name)
        return Judged(number, rule.name, verdict.word, told, seconds, svg)
    if isinstance(verdict, Refuted):
        found = verdict.refutation
        svg = draw(found.position, forbidden=found.move, witness=found.completion)
        text = unquoted(found.position.notation)
        told = [
            f"{found.position.notation} can be completed by {found.move}",
            f"found by: {found.found}",
        ]
        return Judged(
            *(number, rule.name, verdict.word, told, seconds, svg, text, found.move)
        )
    told = [f"{counted(verdict.proved, 'part')} proved", f"tried: {verdict.tried}"]
    local = [
        Local(str(part), draw_survivor(survivor, str(part)))
        for part, survivor in verdict.survivors[:PARTS]
        if isinstance(survivor, Survivor)
    ]
    return Judged(number, rule.name, verdict.word, told, seconds, local=local)


def advice(number: int, verdict: Judgement) -> Iterator[Advice]:
    """Yield changes of one condition: what would prove a part, or what can go."""
    rule = verdict.rule
    if isinstance(verdict, Proved):
        if len(rule.drawings) <= SHOWN:
            for k, change in spared(rule, seconds=PATIENCE, within=verdict.scope):
                yield _told(number, f"drawing {k + 1}", rule.drawings[k], change, True)
        return
    if isinstance(verdict, Refuted):
        parts = list(verdict.open_parts)
    else:
        assert isinstance(verdict, Open)
        parts = [part for part, _ in verdict.survivors]
    for part in parts[:PARTS]:
        drawing = rule.drawings[part.drawing]
        for change in missing(drawing, part.pose, part.move, seconds=PATIENCE):
            yield _told(number, str(part), drawing, change, False)


def _told(
    number: int, part: str, before: Drawing, change: Change, drop: bool
) -> Advice:
    """Return a change as something that one click can do to the grid."""
    after = change.drawing
    changed = [
        at
        for at in {need.at for need in (*before.needs, *after.needs)}
        if before.need(at) != after.need(at)
    ]
    if changed:
        letter = letter_of(after, changed[0])
        return Advice(number, part, change.told, drop, changed[0], letter)
    for index, (old, new) in enumerate(zip(before.areas, after.areas, strict=True)):
        if old != new:
            kind = new.kind.value if new.kind is not old.kind else ""
            least = new.least if new.least != old.least else 0
            told = change.told
            return Advice(number, part, told, drop, area=index, kind=kind, least=least)
    return Advice(number, part, change.told, drop)


def letter_of(drawing: Drawing, at: Offset) -> str:
    """Return the letter of a cell in a drawing; empty where none says it."""
    need = drawing.need(at)
    if any(at in area.cells for area in drawing.areas):
        return ""  # the letter says that it is of a line
    if at in drawing.forbidden:
        letters = {CellState.FREE: "X", ANY: "x"}
        return "" if need.not_end else letters.get(need.states, "")
    letter = LETTER.get((need.states, need.not_end), "")
    return letter or "?" * (need.states == ANY and not need.not_end)
