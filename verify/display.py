"""A position for people: its picture, and a line for each move with the reasons.

Also as one page that needs nothing else: board, truth, reasons, certificates. It is
HTML with the pictures in it; nothing is loaded and no script runs.
"""

import json
import shlex
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from heuristic.rule import Forbid, choices
from solver import __version__
from solver.board import Cell, Position
from solver.notation import unquoted
from solver.oracles.oracle import Answer, Verdict
from solver.svg import draw

if TYPE_CHECKING:  # two thousand lines, for a type
    from solver.solid.certificate import Certificate


def lines(
    position: Position,
    forbids: tuple[Forbid, ...],
    answers: Mapping[str, Answer] | None = None,
) -> list[str]:
    """Return the lines of the moves; with `answers` gaps and wrong bans are marked."""
    found = []
    options = choices(position)
    alive = answers and any(a.verdict is Verdict.COMPLETABLE for a in answers.values())
    for move in position.options():
        mine = [f for f in forbids if f.move == move]
        line = f"  {move}"
        if answers is not None:
            line += f"  {answers[move].verdict.name.lower():<11}"
        if not mine:
            line += "  allowed by every rule"
        if answers is not None:
            if answers[move].verdict is Verdict.COMPLETABLE and mine:
                line += "  <- refuted: forbidden though completable"
            elif answers[move].verdict is Verdict.DEAD and not mine and alive:
                line += (
                    "  <- gap: allowed though dead"
                    if move in options
                    else "; the end cell is entered last, rules or not"
                )
        found.append(line.rstrip())
        found += [f"       forbidden by {f.rule}: {f.reason.sentence}" for f in mine]
    return found


def gap_moves_of(
    position: Position, forbids: tuple[Forbid, ...], answers: Mapping[str, Answer]
) -> str:
    """Return the dead moves of a completable position that no rule forbids, letters."""
    if not any(a.verdict is Verdict.COMPLETABLE for a in answers.values()):
        return ""
    forbidden = {forbid.move for forbid in forbids}
    return "".join(
        move
        for move in choices(position)
        if answers[move].verdict is Verdict.DEAD and move not in forbidden
    )


def picture(
    position: Position,
    forbids: tuple[Forbid, ...],
    witness: tuple[Cell, ...] = (),
    *,
    edges: Sequence[tuple[Cell, Cell]] = (),
    crossed: str = "",
    gaps: str = "",
    why: str = "",
    marked: Sequence[Cell] = (),
    doors: Sequence[tuple[Cell, Cell]] = (),
    scale: float = 1.0,
) -> str:
    """Draw a position with what is forbidden crossed and the areas counted coloured.

    - `edges`: blue, as are those that the reasons stand on.
    - `crossed`: moves that are crossed whatever is forbidden.
    - `gaps`: dead moves that the rules allow.
    - `why`, `marked`, `doors`: a dead move, and the region and its doors that explain
      it. If it is a gap, or no rule counts an area, they are drawn; else the areas are.
    """
    reasons = [edge for f in forbids for edge in f.reason.edges]
    areas = tuple(dict.fromkeys(a for f in forbids for a in f.reason.counted))
    explained = bool(why and why in gaps) or not areas
    if explained:
        areas = (tuple(marked),) if marked else ()
    return draw(
        position,
        areas=areas,
        forbidden="".join(dict.fromkeys([*crossed, *(f.move for f in forbids)])),
        edges=list(dict.fromkeys([*edges, *reasons])),
        witness=witness,
        doors=doors if explained else (),
        gaps=gaps,
        why=why if explained else "",
        scale=scale,
    )


_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 46rem; margin: 0 auto; padding: 1rem; }
svg { display: block; width: min(100%, 30rem); height: auto; background: #fff; }
code, pre { font-size: .85em; overflow-wrap: anywhere; white-space: pre-wrap; }
table { border-collapse: collapse; width: 100%; } figure { margin: 1rem 0; }
th, td { border-top: 1px solid #8886; padding: .3rem .6rem .3rem 0; text-align: left; }
"""


def share(
    place: Position,
    why: str,
    whole: Answer,
    answers: Mapping[str, Answer],
    forbids: tuple[Forbid, ...],
    reasons: Mapping[str, "Certificate"],
    rules: str,
) -> str:
    """Return the page of a position, with what an oracle and rules say of it.

    `why` says of a dead position why that is plain, `reasons` why moves are dead.
    """
    said = ": ".join(part for part in (whole.sentence, why) if part)
    gaps = gap_moves_of(place, forbids, answers) if rules else ""
    said += f"; {gap_sentence(gaps)}" if gaps else ""
    command = f"oneway check {shlex.quote(unquoted(place.notation))}"
    command += f" --rules {shlex.quote(rules)}" if rules else ""
    board = picture(place, forbids, whole.witness or (), gaps=gaps)
    parts = [
        f"<h1>{escape(said[:1].upper() + said[1:])}</h1>",
        f"<p><code>{escape(place.notation)}</code></p>",
        _figure(board, f"The position; {_marks(forbids, whole, gaps)}"),
    ]
    if answers:
        heads = "<tr><th>move</th><th>truth</th><th>rules that forbid it</th></tr>"
        rows = [_row(m, a, forbids, bool(rules), m in gaps) for m, a in answers.items()]
        parts.append(f"<table>{heads}{''.join(rows)}</table>")
    for move, reason in reasons.items():
        marked = picture(
            *(place, ()),
            gaps=move if move in gaps else "",
            why=move,
            marked=reason.region,
            doors=reason.doors,
        )
        gap = ", a gap" if move in gaps else ""
        parts.append(f"<h2>Why {move} is dead{gap}</h2>")
        parts.append(_figure(marked, f"{reason.sentence}."))
        after = place.step(move).notation
        page = json.dumps({"position": after, "certificate": reason.data})
        parts.append(
            "<details><summary>Its certificate</summary><p>Kept as "
            "<code>a.dead.json</code>, it is judged by <code>oneway proof check "
            f"a.dead.json</code>.</p><pre>{escape(page)}</pre></details>"
        )
    parts.append(
        f"<p>Made by oneway {__version__}; <code>{escape(command)}</code> says it "
        "again.</p>"
    )
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(place.notation[:80])} · oneway</title>\n"
        f"<style>{_STYLE}</style>\n<main>\n" + "\n".join(parts) + "\n</main>\n</html>\n"
    )


def _figure(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def gap_sentence(moves: str) -> str:
    """Return the words for a gap.

    >>> gap_sentence("L"), gap_sentence("UL")
    ('gap: L is dead and allowed', 'gap: U and L are dead and allowed')
    """
    verb = "is" if len(moves) == 1 else "are"
    return f"gap: {' and '.join(moves)} {verb} dead and allowed"


def _marks(forbids: tuple[Forbid, ...], whole: Answer, gaps: str) -> str:
    marks = ["a cross is a forbidden move"] if forbids else []
    marks += ["a cross in a ring is a gap"] if gaps else []
    marks += ["dots are a completion"] if whole.witness else []
    return ", ".join(marks) or "the line begins at the disc and must end at the ring"


def _row(
    move: str, answer: Answer, forbids: tuple[Forbid, ...], asked: bool, gap: bool
) -> str:
    mine = {f.rule: f.reason.sentence for f in forbids if f.move == move}
    said = "; ".join(f"{rule}: {sentence}" for rule, sentence in mine.items())
    if asked and mine and answer.verdict is Verdict.COMPLETABLE:
        said += " (refuted: forbidden though completable)"
    truth = answer.verdict.name.lower()
    words = said or ("none" if asked else "none was asked")
    words += " (gap: allowed though dead)" if gap else ""
    return f"<tr><th>{move}</th><td>{truth}</td><td>{escape(words)}</td></tr>"
