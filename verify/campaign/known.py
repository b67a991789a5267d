"""The campaigns there are, by name: what a ledger's campaign is made again by.

A ledger names its maker too, but what comes from a file is not imported.
"""

from solver.errors import OnewayError
from verify.campaign.campaign import make
from verify.campaign.ledger import Ledger

_MAKERS = {
    "mine": "verify.evidence.mining:mining",
    "mine-shrink": "verify.evidence.mining:shrinking",
    "milestones": "verify.evidence.milestones:milestones",
    "milestones-without": "verify.evidence.milestones:without_each",
    "oracles": "verify.evidence.comparing:oracles",
    "knight-enumerate": "verify.puzzles.knight.enumeration:enumeration",
    "report": "verify.verdict.verdict:judging",
    "stats": "verify.evidence.campaigns:walk_counts",
    "verify": "verify.evidence.campaigns:trial",
}


def summary_so_far(ledger: Ledger) -> list[str]:
    """Return what came of a campaign so far, in lines, or why there is no result.

    Nothing is said of a campaign whose name is not known here.
    """
    maker = _MAKERS.get(ledger.spec.name)
    if maker is None:
        return []
    try:
        campaign = make(maker, ledger.spec.parameters)
        if not (why := ledger.differs(campaign)):
            return campaign.summary(campaign.fold(ledger.results()))
    except OnewayError as error:  # a rule file may be gone
        why = str(error)
    return [f"there is no result so far: {why}"]
