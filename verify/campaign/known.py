"""The campaigns there are, by name: what a ledger's campaign is made again by.

A ledger names its maker too, but what comes from a file is not imported.
"""

from typing import Any

from verify.campaign.campaign import Campaign, make
from verify.campaign.ledger import Ledger

_MAKERS = {
    "count": "verify.trial.campaigns:long_count",
    "mine": "verify.trial.mining:mining",
    "maze-stats": "verify.puzzles.maze.stats:surveys",
    "milestones": "verify.trial.milestones:milestones",
    "milestones-without": "verify.trial.milestones:without_each",
    "oracles": "verify.trial.comparing:oracles",
    "knight-enumerate": "verify.puzzles.knight.enumeration:enumeration",
    "report": "verify.verdict.verdict:judging",
    "stats": "verify.trial.campaigns:walk_counts",
    "verify": "verify.trial.campaigns:trial",
}


def campaign_of(ledger: Ledger) -> Campaign[Any] | None:
    """Make the campaign of a ledger; None if its name is not known here.

    Raises `OnewayError` if its parameters do not make one: a rule file may be gone.
    """
    maker = _MAKERS.get(ledger.spec.name)
    return None if maker is None else make(maker, ledger.spec.parameters)
