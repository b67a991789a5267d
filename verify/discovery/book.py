"""The book of a pool: the smallest choice that the prover confirms, with certificates.

What a question's formula found is a candidate and no more. `verify.proof.prove` judges
the drawing as any other rule, and does not know where it came from; a candidate that it
refuses leaves the pool, and the choice is made again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from heuristic.rules.drawing import RuleSpec
from verify.discovery.covering import Cover, smallest_cover
from verify.discovery.families import Family
from verify.discovery.pool import Entry, Pool
from verify.discovery.reasons import reason_of
from verify.proof.prove import Proved, prove_rule

_GENERAL = 3  # facts more that a family may have than a drawing of one distance
_TWICE = 2  # rules for a gap that walks met: the next walk meets another
_SECONDS = (2.0, 20.0)  # of the prover, for one part: most need far less


@dataclass(frozen=True, slots=True)
class Member:
    """A rule of the book.

    Attributes
    ----------
    entry : Entry
    proved : Proved
        Of the rule with its name and its reason in words.
    caught, only : int
        Dead moves of the board that it forbids, and those that no other rule does.
    """

    entry: Entry
    proved: Proved
    caught: int
    only: int

    @property
    def rule(self) -> RuleSpec:
        """The rule as the book has it."""
        return self.proved.rule


@dataclass(frozen=True, slots=True)
class Book:
    """The chosen rules, those that catch most first.

    Attributes
    ----------
    members : tuple of Member
    cover : Cover
        What is known of smaller choices from the same pool.
    refused : int
        Drawings that the prover did not confirm.
    """

    members: tuple[Member, ...]
    cover: Cover
    refused: int

    def toml(self, head: str) -> str:
        """Return the book as a rule file."""
        texts = [
            member.entry.found.toml(
                member.rule.name, member.rule.origin, member.rule.reason
            )
            for member in self.members
        ]
        return "\n".join([head, *texts])


def choose(
    pool: Pool,
    name: str,
    *,
    most: int | None = None,
    known: dict[RuleSpec, Proved | None] | None = None,
    told: Callable[[Entry, bool], None] | None = None,
) -> Book:
    """Choose the smallest book of a pool that the prover confirms.

    Parameters
    ----------
    name : str
        Rules are called so, with a number.
    most : int, optional
        Rules with more facts are taken only where nothing else will do.
    known : dict of RuleSpec to Proved or None, optional
        Answers of the prover from before; they are added to.
    told : function of an entry and whether it is proved
    """
    answers = {} if known is None else known
    refused = 0
    while True:
        cover = _cover(pool, most)
        bad = []
        for number in cover.chosen:
            entry = pool.entries[number]
            if entry.rule not in answers:
                answers[entry.rule] = _proved(entry.rule)
                if told:
                    told(entry, answers[entry.rule] is not None)
            if answers[entry.rule] is None:
                bad.append(number)
        if not bad:
            return Book(_members(pool, cover.chosen, answers, name), cover, refused)
        refused += len(bad)
        for number in reversed(bad):
            pool.without(number)


def chosen(pool: Pool, most: int | None = None) -> tuple[Entry, ...]:
    """Return the smallest choice of a pool, whatever the prover says of it."""
    return tuple(pool.entries[number] for number in _cover(pool, most).chosen)


def _cover(pool: Pool, most: int | None) -> Cover:
    facts = [_price(entry) for entry in pool.entries]
    times = _TWICE if pool.quick else 1
    return smallest_cover(pool.columns, facts, most=most, times=times)


def _price(entry: Entry) -> int:
    """Return the facts of a drawing; a family is worth some of them."""
    return entry.facts - _GENERAL * isinstance(entry.found, Family)


def _proved(rule: RuleSpec) -> Proved | None:
    for seconds in _SECONDS:
        attempt = prove_rule(rule, seconds=seconds, most=1)
        if isinstance(attempt, Proved):
            return attempt
    return None


def _members(
    pool: Pool,
    chosen: Sequence[int],
    answers: dict[RuleSpec, Proved | None],
    name: str,
) -> tuple[Member, ...]:
    counts = pool.gaps.counts
    columns = pool.columns[:, list(chosen)]
    alone = columns.sum(axis=1) == 1
    caught = [int(counts[column].sum()) for column in columns.T]
    only = [int(counts[column & alone].sum()) for column in columns.T]
    order = sorted(range(len(chosen)), key=lambda i: (-caught[i], chosen[i]))
    members = []
    for place, i in enumerate(order, 1):
        entry = pool.entries[chosen[i]]
        proved = answers[entry.rule]
        assert proved is not None
        text = entry.found.toml(
            f"{name}-{place}", "oneway discover", reason_of(proved, entry.found)
        )
        named = replace(proved, rule=entry.found.read(text))
        members.append(Member(entry, named, caught[i], only[i]))
    return tuple(members)
