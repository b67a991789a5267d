"""`oneway check`: every move of a position, by rules and by an oracle."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heuristic.rule import Forbid, RuleSet
from solver.board import Position
from solver.errors import OptionError
from solver.files import write_whole
from solver.nowalk import why_dead
from solver.oracles.answer import Answer, Oracle, Verdict
from solver.oracles.oracle import decide_with_reason, get_oracle
from solver.solid.certificate import Certificate
from solver.svg import check_picture, write_picture
from verify import display
from verify.commands import options
from verify.commands.console import emit, note, say, shown
from verify.commands.positions import kernels_for, positions, say_position
from verify.commands.rulesets import judge_of, rules_of
from verify.proof.dead import LARGE, certificates, write_dead

if TYPE_CHECKING:
    from verify.truth import Fatal

IN_USE = ["universal,seed-9-size,seed-2024-full"]


def _checked_output(path: Path | None) -> Path | None:
    if path is not None:
        check_picture(path, ".html")
    return path


def check(
    position: options.Position,
    rules: options.Rules = None,
    blame: Annotated[
        bool,
        typer.Option("--blame", help="Check the position before the first fatal move."),
    ] = False,
    oracle: options.Oracle = "auto",
    proof: Annotated[
        Path | None,
        typer.Option("--proof", help="Folder for proofs of all dead moves."),
    ] = None,
    as_json: options.Json = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            callback=_checked_output,
            help="FILE.svg or FILE.png for a picture, FILE.html for a page of all.",
        ),
    ] = None,
) -> None:
    """Explain each move of a position: the truth, and what rules say.

    A gap is a dead move that no rule forbids. A rule that forbids a completable move is
    refuted. Both are marked, and the line `why` explains a dead move by a count. For a
    dead position the first fatal move of its walk is printed.

    The default rules are seed-5; with --blame universal, seed-9-size and
    seed-2024-full. The oracle `auto` leaves out those that share code with the rules.

    Exit code 0 if every position is completable, 1 if not; with --blame 0 if every walk
    has a fatal move, 1 if not.

    \b
    With a picture:
      oneway check 7:RRDRURDDLD -o check.svg
    Rules that prevent a mistake:
      oneway check 7:RRDRURDDLDLU --blame -o blame.svg
    With rules of your own:
      oneway check 9:RRDD --rules my-rule.toml
    In a pipe:
      cat positions.txt | oneway check - --json
    """
    if position == "-" and output:
        raise OptionError("--output needs one position, not a stream")
    rule_set = rules_of(rules or (IN_USE if blame else options.SEED_5))
    judge = judge_of(rule_set, oracle)
    good = True
    with kernels_for(position, oracle):
        for walk in positions(position):
            found = Findings(walk, rule_set, judge, blame=blame)
            good &= found.good
            if as_json:
                emit(found.as_json())
            else:
                found.say(pictured=output is not None)
            if proof:
                found.prove(proof)
            if output:
                found.draw(output)
            if output and not as_json:
                what = "page" if output.suffix == ".html" else "picture"
                say(f"{what}: {shown(output)}")
    raise typer.Exit(0 if good else 1)


class Findings:
    """What an oracle and rules say of a position.

    - `blame`: look at the position before the first fatal move of the walk.
    """

    def __init__(
        self, walk: Position, rule_set: RuleSet, judge: Oracle, *, blame: bool
    ) -> None:
        self.walk, self.rule_set, self.blame = walk, rule_set, blame
        self.fatal = _first_fatal(walk, judge) if blame else None
        self.place = place = self.fatal.before if self.fatal else walk
        self.why, self.whole, self.answers = decide_with_reason(judge, place)
        self.forbids = rule_set.forbids(place)
        self.dead = [m for m, a in self.answers.items() if a.verdict is Verdict.DEAD]
        self.reasons = certificates(place, self.dead)
        if self.whole.verdict is Verdict.DEAD and not blame:
            self.fatal = _first_fatal(place, judge)
        self.taken = self.fatal.move if self.fatal and blame else ""
        self.gaps = display.gap_moves_of(place, self.forbids, self.answers)

    @property
    def good(self) -> bool:
        """Whether the position is completable, or the fatal move was found."""
        if self.blame:
            return self.fatal is not None
        return self.whole.verdict is Verdict.COMPLETABLE

    @property
    def explained(self) -> str:
        """The dead move to explain: the one taken, else a gap, else the first."""
        moves = [self.taken] if self.taken else [*self.gaps, *self.reasons]
        return next((move for move in moves if move in self.reasons), "")

    def say(self, *, pictured: bool) -> None:
        """Print all that is known, without the board if it is `pictured` in a file."""
        shaded = self.reasons.get(self.explained)
        if pictured:
            say(self.place.notation)
        else:
            say_position(self.place, shaded.region if shaded else ())
        for line in display.lines(self.place, self.forbids, self.answers):
            taken = self.taken and line.startswith(f"  {self.taken}  ")
            say(f"{line}  <- the move taken" if taken else line)
        say(": ".join(part for part in (self.whole.sentence, self.why) if part))
        if self.whole.oracle:
            say(f"oracle: {self.whole.oracle}")
        for move, reason in self.reasons.items():
            marked = move == self.explained and reason.region and not pictured
            mark = " (shaded)" if marked else ""
            say(f"why {move} is dead: {reason.sentence}{mark}")
        if self.fatal:
            say(self.fatal.sentence)
        if self.blame:
            say(self._blamed())

    def _blamed(self) -> str:
        if self.fatal:
            forbids = [f for f in self.forbids if f.move == self.fatal.move]
            names = list(dict.fromkeys(f.rule for f in forbids))
            by = f"forbidden by {', '.join(names)}"
            return by if names else f"no rule forbids {self.fatal.move}"
        if self.whole.verdict is Verdict.COMPLETABLE:
            return "no move is fatal: the walk can be completed"
        return "no move is to blame: this board has no Hamiltonian walk"

    def as_json(self) -> dict[str, Any]:
        """Return all that is known as plain values."""
        data: dict[str, Any] = {
            "position": self.place.notation,
            "verdict": self.whole.verdict.name,
            "moves": {
                move: _move_as_json(
                    self.place, move, answer, self.forbids, self.reasons
                )
                for move, answer in self.answers.items()
            },
        }
        data |= {"why": self.why} if self.why else {}
        data |= {"oracle": self.whole.oracle} if self.whole.oracle else {}
        data |= {"walk": self.walk.notation, "fatal": None} if self.blame else {}
        if self.fatal:
            data["fatal"] = {"number": self.fatal.number, "move": self.fatal.move}
        return data

    def draw(self, output: Path) -> None:
        """Write a picture of the position, or a page."""
        if output.suffix == ".html":
            place, name = self.place, self.rule_set.name
            page = display.share(
                *(place, self.why, self.whole, self.answers),
                *(self.forbids, self.reasons, name),
            )
            write_whole(output, page)
            return
        reason = self.reasons.get(self.explained)
        svg = display.picture(
            *(self.place, self.forbids, self.whole.witness or ()),
            crossed="" if self.taken in self.gaps else self.taken,
            gaps=self.gaps,
            why=self.explained,
            marked=reason.region if reason else (),
            doors=reason.doors if reason else (),
        )
        write_picture(svg, output)

    def prove(self, folder: Path) -> None:
        """Write a proof of each dead move: a certificate, else CNF, DRAT and LRAT."""
        # These two take longer to import than most checks take.
        from verify.proof.dead import judged_certificate
        from verify.proof.lrat import write_proof

        prover = get_oracle("sat", proof=True)
        for move in self.dead:
            after, reason = self.place.step(move), self.reasons.get(move)
            if self.place.board.cells > LARGE:  # then none was looked for
                reason = judged_certificate(after)
            page = [write_dead(after, reason, folder)] if reason else []
            for path in page or write_proof(after, prover, folder):
                note(f"proof, checked: {shown(path)}")


def _first_fatal(place: Position, judge: Oracle) -> "Fatal | None":
    from verify.truth import first_fatal  # costs as much as numpy

    return None if why_dead(Position(place.board)) else first_fatal(place, judge)


def _move_as_json(
    place: Position,
    move: str,
    answer: Answer,
    forbids: Sequence[Forbid],
    reasons: dict[str, Certificate],
) -> dict[str, Any]:
    """Return what is known of a move; cells are rows and columns from 1."""

    def named(cells: Sequence[int]) -> list[list[int]]:
        return [list(place.board.row_col(cell)) for cell in cells]

    entry: dict[str, Any] = {
        "verdict": answer.verdict.name,
        "forbidden": [
            {
                "rule": f.rule,
                "reason": f.reason.sentence,
                "cells": named(f.reason.cells),
                "area": named(f.reason.area),
            }
            for f in forbids
            if f.move == move
        ],
    }
    if reason := reasons.get(move):
        entry |= {"why": reason.sentence, "region": named(reason.region)}
    return entry
