"""The verdicts of a position and its moves: as lines, as a picture, as a page.

The page is HTML with the pictures in it; nothing is loaded and no script runs.
"""

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from heuristic.rule import Forbid, choices
from solver import __version__
from solver.board import Cell, Position
from solver.notation import unquoted
from solver.oracles.oracle import Answer, Verdict
from solver.svg import draw

if TYPE_CHECKING:  # two thousand lines, for a type
    from solver.solid.certificate import DeadCertificate


def gap_sentence(moves: str) -> str:
    """Return the sentence about moves that are a gap.

    >>> gap_sentence("RD")
    'R and D are dead, and no rule forbids them'
    """
    verb, it = ("is", "it") if len(moves) == 1 else ("are", "them")
    return f"{' and '.join(moves)} {verb} dead, and no rule forbids {it}"


def move_lines(
    position: Position,
    forbids: tuple[Forbid, ...],
    answers: Mapping[str, Answer] | None = None,
) -> list[str]:
    """Return the lines of the moves; with `answers` gaps and wrong bans are marked."""
    lines = []
    verdicts = {move: answer.verdict for move, answer in (answers or {}).items()}
    alive = Verdict.COMPLETABLE in verdicts.values()
    for move in position.options():
        reasons = [f for f in forbids if f.move == move]
        line = f"  {move}"
        verdict = verdicts.get(move)
        if verdict:
            line += f"  {verdict.name.lower():<11}"
        if not reasons:
            line += "  allowed by every rule"
        if reasons and verdict is Verdict.COMPLETABLE:
            line += "  <- refuted: forbidden though completable"
        elif not reasons and verdict is Verdict.DEAD and alive:
            line += (
                "  <- gap: allowed though dead"
                if move in choices(position)
                else "; the end cell is entered last, rules or not"
            )
        lines.append(line.rstrip())
        lines += [f"       forbidden by {f.rule}: {f.reason.sentence}" for f in reasons]
    return lines


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdicts of an oracle and of rules about a position.

    - `why`: why it is plainly dead; empty if it is not.
    - `whole`, `answers`: of the position, and of each move.
    - `rules`: the name of the rules; empty without rules.
    """

    position: Position
    why: str
    whole: Answer
    answers: Mapping[str, Answer]
    forbids: tuple[Forbid, ...]
    reasons: Mapping[str, "DeadCertificate"]
    rules: str

    @property
    def sentence(self) -> str:
        """The verdict of the position, with the reason if it is plain."""
        return f"{self.whole.sentence}: {self.why}" if self.why else self.whole.sentence

    @property
    def gaps(self) -> str:
        """The dead moves of a completable position that no rule forbids."""
        verdicts = {move: answer.verdict for move, answer in self.answers.items()}
        if not self.rules or Verdict.COMPLETABLE not in verdicts.values():
            return ""
        forbidden = {forbid.move for forbid in self.forbids}
        dead = [m for m in choices(self.position) if verdicts[m] is Verdict.DEAD]
        return "".join(move for move in dead if move not in forbidden)


def picture(
    position: Position,
    forbids: tuple[Forbid, ...],
    witness: tuple[Cell, ...] = (),
    *,
    edges: Sequence[tuple[Cell, Cell]] = (),
    crossed: str = "",
    gaps: str = "",
    why: str = "",
    reason: "DeadCertificate | None" = None,
) -> str:
    """Draw a position with what is forbidden crossed and the areas counted coloured.

    - `edges`: blue, as are those that the reasons stand on.
    - `crossed`: moves that are crossed whatever is forbidden.
    - `why`, `reason`: a dead move, and the certificate that explains it. If the move is
      a gap, or no rule counts an area, region and doors are drawn; else the areas are.
    """
    reasons = [edge for f in forbids for edge in f.reason.edges]
    areas = tuple(dict.fromkeys(a for f in forbids for a in f.reason.areas))
    explained = bool(why and why in gaps) or not areas
    if explained:
        areas = (tuple(reason.region),) if reason and reason.region else ()
    return draw(
        position,
        areas=areas,
        forbidden="".join(dict.fromkeys([*crossed, *(f.move for f in forbids)])),
        edges=list(dict.fromkeys([*edges, *reasons])),
        witness=witness,
        doors=reason.doors if reason and explained else (),
        gaps=gaps,
        why=why if explained else "",
    )


_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 46rem; margin: 0 auto; padding: 1rem; }
svg { display: block; width: min(100%, 30rem); height: auto; background: #fff; }
code, pre { font-size: .85em; overflow-wrap: anywhere; white-space: pre-wrap; }
"""


def share(judged: Judged) -> str:
    """Return the HTML page of a position, with its verdicts and certificates."""
    place, gaps = judged.position, judged.gaps
    head = judged.sentence
    if gaps:
        verb = "is" if len(gaps) == 1 else "are"
        head += f"; gap: {' and '.join(gaps)} {verb} dead and allowed"
    lines = [f"  {m}  {a.verdict.name.lower()}" for m, a in judged.answers.items()]
    if judged.rules:
        lines = move_lines(place, judged.forbids, judged.answers)
    parts = [
        f"<h1>{escape(head[:1].upper() + head[1:])}</h1>",
        f"<p><code>{escape(place.notation)}</code></p>",
        picture(place, judged.forbids, judged.whole.witness or (), gaps=gaps),
        f'<pre class="moves">{escape(chr(10).join(lines))}</pre>',
    ]
    for move, reason in judged.reasons.items():
        gap = move if move in gaps else ""
        svg = picture(place, (), gaps=gap, why=move, reason=reason)
        after = place.step(move).notation
        page = json.dumps({"position": after, "certificate": reason.data})
        parts += [
            f"<h2>Why {move} is dead{', a gap' if gap else ''}</h2>",
            f"{svg}<p>{escape(reason.sentence)}.</p>",
            "<details><summary>Its certificate</summary><p>Save it as "
            "<code>a.dead.json</code>; <code>oneway proof check a.dead.json</code> "
            f"checks it.</p><pre>{escape(page)}</pre></details>",
        ]
    command = f"oneway check {shlex.quote(unquoted(place.notation))}"
    command += f" --rules {shlex.quote(judged.rules)}" if judged.rules else ""
    made = f"Made by oneway {__version__}; <code>{escape(command)}</code> repeats it."
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(place.notation[:80])} · oneway</title>\n"
        f"<style>{_STYLE}</style>\n<main>\n"
        + "\n".join([*parts, f"<p>{made}</p>"])
        + "\n</main>\n</html>\n"
    )
