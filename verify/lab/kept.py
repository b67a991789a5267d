"""What is kept: the cases of the corpus, and the ledgers of long runs."""

from collections.abc import Iterator
from itertools import islice

from solver.errors import CaseError, OnewayError
from solver.notation import unquoted
from solver.svg import draw
from verify.campaign.known import campaign_of
from verify.campaign.ledger import Ledger
from verify.campaign.places import ENDING, folder, ledgers
from verify.corpus.cases import KINDS, load_case
from verify.lab.messages import (
    CampaignCard,
    Campaigns,
    CampaignsTold,
    CaseCard,
    Cases,
    CasesTold,
    Reply,
)
from verify.lab.settings import Settings

PAGE = 24  # cases in one message
FOLDED = 20_000  # results that are put together for a page
FOUND = 8  # cases of a campaign that are told


def cases(ask: Cases, settings: Settings) -> Iterator[Reply]:
    """Tell the cases that hold every word, some at a time."""
    words = ask.words.lower().split()
    found, faults, total = list[CaseCard](), list[str](), 0
    for kind in KINDS:
        if ask.kind and kind != ask.kind:
            continue
        for path in sorted((settings.corpus / kind).glob("*.toml")):
            try:
                case = load_case(path)
            except CaseError as error:
                faults.append(str(error))
                continue
            held = (case.name, case.kind, case.why, case.rules, case.source)
            text = " ".join((*held, case.position.notation)).lower()
            if not all(word in text for word in words):
                continue
            if ask.first <= total < ask.first + PAGE:
                svg = draw(case.position, forbidden=case.subject)
                plain = unquoted(case.position.notation)
                told = (case.kind, case.why, case.rules, case.subject, plain, svg)
                found.append(CaseCard(case.name, *told))
            total += 1
    folder = str(settings.corpus)
    yield CasesTold(ask.id, found, ask.first, total, faults[:PAGE], folder)


def campaigns(ask: Campaigns, settings: Settings) -> Iterator[Reply]:
    """Tell the ledgers: how far each run is, and what it found."""
    cards, faults = list[CampaignCard](), list[str]()
    for path in ledgers():
        try:
            with Ledger(path) as ledger:
                cards.append(_card(path.name.removesuffix(ENDING), ledger))
        except OnewayError as error:
            faults.append(str(error))
    yield CampaignsTold(ask.id, str(folder()), cards, faults)


def _card(name: str, ledger: Ledger) -> CampaignCard:
    counts = ledger.counts()
    share = 1 - counts.open_weight / counts.weight if counts.weight else 1.0
    told: list[str] = []
    if counts.done <= FOLDED:
        try:
            campaign = campaign_of(ledger)
            if campaign is not None and not ledger.differs(campaign):
                told = campaign.told(campaign.fold(ledger.results()))
        except OnewayError as error:
            told = [f"the result so far cannot be told: {error}"]
    return CampaignCard(
        name=name,
        command=ledger.spec.command,
        units=counts.units,
        done=counts.done,
        failed=counts.failed,
        share=round(share, 4),
        seconds=round(ledger.spent()[0], 1),
        cases=list(islice(ledger.found(), FOUND)),
        found=ledger.found_there(),
        told=told[:40],
    )
