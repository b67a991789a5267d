"""Where ledgers lie, and how people name them.

The table of campaigns, by name, says what a ledger's campaign is made again by. A
ledger names its maker too, but what comes from a file is not imported.
"""

import os
from pathlib import Path
from typing import Any

from solver.errors import OptionError
from verify.campaign.campaign import Campaign, make
from verify.campaign.ledger import Ledger
from verify.campaign.schema import LedgerError

VARIABLE = "ONEWAY_CAMPAIGNS"
ENDING = ".ledger"
_SHOWN = 8  # digits of a key


def folder() -> Path:
    """Return the folder of ledgers: ``out/campaigns``, or what the variable says.

    Raises
    ------
    OptionError
        If that is a file.
    """
    path = Path(os.environ.get(VARIABLE) or "out/campaigns")
    if path.exists() and not path.is_dir():
        raise OptionError(f"{VARIABLE}: {path} is no folder")
    return path


def ledger_of(campaign: Campaign[Any]) -> Path:
    """Return where the ledger of a campaign lies unless another place is named."""
    return folder() / f"{campaign.name}-{campaign.key[:_SHOWN]}{ENDING}"


def ledgers() -> list[Path]:
    """Return all files in the folder that are named as ledgers, by name."""
    return sorted(folder().glob(f"*{ENDING}"))


def find(named: str) -> Path:
    """Return the ledger that people mean: a file, its name, or how its name begins.

    Raises
    ------
    OptionError
        If there is none, or more than one.
    """
    path = Path(named)
    if path.is_file():
        return path
    there = ledgers()
    for fits in (
        [one for one in there if one.name.removesuffix(ENDING) == named],
        [one for one in there if one.name.startswith(named)],
    ):
        if len(fits) == 1:
            return fits[0]
        if fits:
            names = ", ".join(one.name.removesuffix(ENDING) for one in fits[:8])
            raise OptionError(f"{len(fits)} campaigns are called {named!r}: {names}")
    names = ", ".join(one.name.removesuffix(ENDING) for one in there[:8])
    here = f"; there: {names}" if there else ""
    raise OptionError(f"no campaign in {folder()} is called {named!r}{here}")


def left_behind(campaign: Campaign[Any]) -> Path | None:
    """Return a ledger of the same parameters that another version made, if any."""
    for path in folder().glob(f"{campaign.name}-*{ENDING}"):
        try:
            with Ledger(path, check=False) as ledger:
                spec = ledger.spec
        except LedgerError:
            continue
        same = (spec.name, spec.parameters) == (campaign.name, campaign.parameters)
        if same and spec.deciding != campaign.deciding:
            return path
    return None


_MAKERS = {
    "count": "verify.trial.campaigns:long_count",
    "evidence": "verify.trial.campaigns:evidence",
    "mine": "verify.trial.mining:mining",
    "maze-stats": "verify.puzzles.maze.stats:surveys",
    "milestones": "verify.trial.milestones:milestones",
    "milestones-without": "verify.trial.milestones:without_each",
    "oracles": "verify.trial.comparing:oracles",
    "knight-enumerate": "verify.puzzles.knight.enumeration:enumeration",
    "report": "verify.verdict.verdict:judging",
    "stats": "verify.trial.campaigns:walk_counts",
}


def names() -> list[str]:
    """Return the names of the campaigns there are."""
    return sorted(_MAKERS)


def campaign_of(ledger: Ledger) -> Campaign[Any] | None:
    """Make the campaign of a ledger; None if its name is not known here.

    Raises
    ------
    OnewayError
        If its parameters do not make one: a rule file may be gone.
    """
    maker = _MAKERS.get(ledger.spec.name)
    return None if maker is None else make(maker, ledger.spec.parameters)
