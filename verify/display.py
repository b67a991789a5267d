"""A position for people: its picture, and a line for each move with the reasons.

Also as one page that needs nothing else: board, truth, reasons, certificates. It is
HTML with the pictures in it; nothing is loaded and no script runs.
"""

import json
import shlex
from collections.abc import Mapping, Sequence
from html import escape

from heuristic.rule import Forbid, choices
from solver import __version__
from solver.board import Cell, Position
from solver.notation import unquoted
from solver.oracles.oracle import Answer, Verdict
from solver.solid.certificate import Certificate
from solver.svg import draw


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


def picture(
    position: Position,
    forbids: tuple[Forbid, ...],
    witness: tuple[Cell, ...] = (),
    *,
    edges: Sequence[tuple[Cell, Cell]] = (),
    crossed: str = "",
    marked: Sequence[Cell] = (),
    doors: Sequence[tuple[Cell, Cell]] = (),
    scale: float = 1.0,
) -> str:
    """Draw a position with what is forbidden crossed and the areas counted coloured.

    Blue are `edges` and those that the reasons stand on; the moves in `crossed` are
    crossed whatever is forbidden. Where no reason counts an area, `marked` is coloured,
    with its `doors`.
    """
    reasons = [edge for f in forbids for edge in f.reason.edges]
    areas = dict.fromkeys(area for f in forbids for area in f.reason.counted)
    return draw(
        position,
        areas=tuple(areas) or ((tuple(marked),) if marked else ()),
        forbidden="".join(dict.fromkeys([*crossed, *(f.move for f in forbids)])),
        edges=list(dict.fromkeys([*edges, *reasons])),
        witness=witness,
        doors=() if areas else doors,
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
    reasons: Mapping[str, Certificate],
    rules: str,
) -> str:
    """Return the page of a position, with what an oracle and rules say of it.

    `why` says of a dead position why that is plain, `reasons` why moves are dead.
    """
    said = ": ".join(part for part in (whole.sentence, why) if part)
    command = f"oneway check {shlex.quote(unquoted(place.notation))}"
    command += f" --rules {shlex.quote(rules)}" if rules else ""
    board = picture(place, forbids, whole.witness or ())
    parts = [
        f"<h1>{escape(said[:1].upper() + said[1:])}</h1>",
        f"<p><code>{escape(place.notation)}</code></p>",
        _figure(board, f"The position; {_marks(forbids, whole)}"),
    ]
    if answers:
        heads = "<tr><th>move</th><th>truth</th><th>rules that forbid it</th></tr>"
        rows = [_row(m, a, forbids, bool(rules)) for m, a in answers.items()]
        parts.append(f"<table>{heads}{''.join(rows)}</table>")
    for move, reason in reasons.items():
        marked = picture(
            place, (), crossed=move, marked=reason.region, doors=reason.doors
        )
        parts.append(f"<h2>Why {move} is dead</h2>")
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


def _marks(forbids: tuple[Forbid, ...], whole: Answer) -> str:
    marks = ["a cross is a forbidden move"] if forbids else []
    marks += ["dots are a completion"] if whole.witness else []
    return ", ".join(marks) or "the line begins at the disc and must end at the ring"


def _row(move: str, answer: Answer, forbids: tuple[Forbid, ...], asked: bool) -> str:
    mine = {f.rule: f.reason.sentence for f in forbids if f.move == move}
    said = "; ".join(f"{rule}: {sentence}" for rule, sentence in mine.items())
    if asked and mine and answer.verdict is Verdict.COMPLETABLE:
        said += " (refuted: forbidden though completable)"
    truth = answer.verdict.name.lower()
    words = said or ("none" if asked else "none was asked")
    return f"<tr><th>{move}</th><td>{truth}</td><td>{escape(words)}</td></tr>"
