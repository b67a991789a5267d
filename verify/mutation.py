"""The mutation test: it must not be possible to fool the prover by one change.

From a proved rule every one-change mutant is made (`verify.mutate`), or so many drawn
ones. Each goes through the prover, and all go over the positions of small boards
together; those without a proof are looked for by the directed search too. A mutant that
is proved only shows that the rule asked for more than it needs. A mutant both proved
and refuted is a fault of the prover.

A run is kept rule by rule in a JSON file, so it can stop and go on.
"""

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from heuristic.drawing import LIVE_END, Drawing, RuleSpec
from solver.board import Board
from solver.errors import OptionError
from solver.files import write_whole
from verify.certificate import rule_hash, rule_record
from verify.mutate import mutants
from verify.prove import Decide, open_parts
from verify.prove import decided as prover_decides
from verify.refute import Refutation, refute, refute_exhaustive

BOARDS = ("5", "5x7", "7x5")  # exhausted for all mutants, proved ones too
SIZES = (7, 9, 11)  # directed search for those without a proof
WORDS = ("refuted", "proved", "open", "contradiction")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a mutation test may cost.

    Attributes
    ----------
    seconds : float
        Of processor time, for every single search.
    most : int
        Mutants a rule, drawn at random where there are more; 0 for all.
    boards : tuple of str
        Boards in the one-line notation, exhausted for every mutant.
    sizes : tuple of int
        Boards of the directed search, for mutants without a proof.
    reach : int
        Rows and columns of a page at most: a longer one finds no room on these boards,
        so its mutants could not be refuted.
    seed : int
    """

    seconds: float = 3.0
    most: int = 0
    boards: tuple[str, ...] = BOARDS
    sizes: tuple[int, ...] = SIZES
    reach: int = 7
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of one mutant.

    Attributes
    ----------
    rule : str
        The rule it was made from.
    change : str
        The one change, in words.
    proved : bool
    counterexample : str or None
        Notation of the position and the move that is completable.
    """

    rule: str
    change: str
    proved: bool
    counterexample: str | None

    @property
    def word(self) -> str:
        """One word: contradiction, proved, refuted or open."""
        if self.proved:
            return "contradiction" if self.counterexample else "proved"
        return "refuted" if self.counterexample else "open"


@dataclass(frozen=True, slots=True)
class RuleTrials:
    """The mutants of one rule: how many there are, and what became of those tried.

    `total` counts the mutants of the drawings that are within reach; it is None for a
    rule that has no proof within the limit itself.
    """

    rule: str
    drawn: str
    total: int | None
    trials: tuple[Trial, ...] = ()

    def count(self, word: str) -> int:
        """Return how many of the tried mutants got that word."""
        return sum(trial.word == word for trial in self.trials)


def mutants_of(
    rule: RuleSpec, limits: Limits = Limits(), decided: Decide = prover_decides
) -> RuleTrials:
    """Put the mutants of one rule through prover and refuter; none if it is not proved.

    `decided` is the prover's decision on mutants; a faulty one shows whether the test
    finds faults.
    """
    drawn = rule_hash(rule_record(rule))
    if open_parts(rule, seconds=limits.seconds, most=1):
        return RuleTrials(rule.name, drawn, None)
    fitting = [d for d in rule.drawings if max(_extent(d)) <= limits.reach]
    found = list(mutants(replace(rule, drawings=tuple(fitting))))
    total = len(found)
    if limits.most and total > limits.most:
        picked = random.Random(limits.seed).sample(range(total), limits.most)
        found = [found[i] for i in sorted(picked)]
    refuted: dict[str, Refutation] = {}
    specs = [mutant for _, mutant in found]
    for text in limits.boards if specs else ():
        refuted = refute_exhaustive(specs, Board.parse(text))[0] | refuted
    trials = []
    for told, mutant in found:
        known = refuted.get(mutant.name)
        most = 1 if known else 2
        left = open_parts(mutant, seconds=limits.seconds, decided=decided, most=most)
        if left and known is None:
            known = refute(
                mutant,
                left,
                sizes=limits.sizes,
                seed=limits.seed,
                seconds=limits.seconds,
                smaller=False,
            )
        shown = f"{known.position.notation} {known.move}" if known else None
        trials.append(Trial(rule.name, told, not left, shown))
    return RuleTrials(rule.name, drawn, total, tuple(trials))


def _extent(drawing: Drawing) -> tuple[int, int]:
    """Return rows and columns of what a drawing needs."""
    at = [LIVE_END, *(need.at for need in drawing.needs)]
    lefts, aheads = [left for left, _ in at], [ahead for _, ahead in at]
    return max(aheads) - min(aheads) + 1, max(lefts) - min(lefts) + 1


def mutation_test(
    rules: Sequence[RuleSpec],
    limits: Limits = Limits(),
    *,
    file: Path | None = None,
    decided: Decide = prover_decides,
    progress: Callable[[int], None] | None = None,
) -> list[RuleTrials]:
    """Test the mutants of many rules; what the file holds already is not done again.

    `progress` is told the rules done. The file belongs to these limits; a rule drawn
    otherwise than when it was tested is tested again.

    Raises
    ------
    OptionError
        If the file belongs to other limits or is no such file.
    """
    kept = _load(file, limits) if file else {}
    found = []
    for number, rule in enumerate(rules, 1):
        known = kept.get(rule.name)
        if known is None or known.drawn != rule_hash(rule_record(rule)):
            kept[rule.name] = mutants_of(rule, limits, decided)
            if file:
                _save(file, limits, kept)
        found.append(kept[rule.name])
        if progress:
            progress(number)
    return found


def _save(file: Path, limits: Limits, kept: dict[str, RuleTrials]) -> None:
    state = {
        "limits": asdict(limits),
        "rules": [asdict(trials) for trials in kept.values()],
    }
    write_whole(file, json.dumps(state, indent=1) + "\n")


def _load(file: Path, limits: Limits) -> dict[str, RuleTrials]:
    if not file.exists():
        return {}
    try:
        state = json.loads(file.read_text())
        same = state["limits"] == json.loads(json.dumps(asdict(limits)))
        kept = {
            one["rule"]: RuleTrials(
                *(one["rule"], one["drawn"], one["total"]),
                tuple(Trial(**trial) for trial in one["trials"]),
            )
            for one in state["rules"]
        }
    except (OSError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise OptionError(f"{file} is no state of a mutation test: {error}") from None
    if not same:
        raise OptionError(f"{file} belongs to a test with other limits")
    return kept


def table(tested: Sequence[RuleTrials]) -> list[list[str]]:
    """Return one row a proved rule: mutants, tried, and the words; the sum last."""
    shown = [one for one in tested if one.total is not None]
    rows = [
        [
            one.rule,
            str(one.total),
            str(len(one.trials)),
            *(str(one.count(word)) for word in WORDS),
        ]
        for one in shown
    ]
    counts = Counter(trial.word for one in shown for trial in one.trials)
    totals = sum(one.total or 0 for one in shown), counts.total()
    sums = [*totals, *(counts[word] for word in WORDS)]
    return [*rows, ["all", *(str(number) for number in sums)]]
