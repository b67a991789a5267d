"""Every message between a page and the server: the one place that lists them.

A page asks with a `Request`, whose ``id`` all replies to it carry; the last one is a
`Done` or a `Fault`. Sizes are bounded here, so that what a handler gets is small, and
times in `lane` and `seconds`: requests of one lane of a page follow each other, a newer
one takes the place of an older one, and none takes longer than its seconds.
`verify.lab.types` prints all of them as TypeScript for the pages.
"""

from typing import TypeAlias

import msgspec

from verify.lab.asking import (
    CELLS,
    SIDE,
    AreaDrawn,
    Book,
    BookRule,
    Campaigns,
    Cases,
    CompareRule,
    Count,
    EditRule,
    Export,
    Go,
    JudgeRule,
    Keep,
    Labyrinths,
    Look,
    Numbered,
    Open,
    Place,
    Prove,
    ReadRule,
    Request,
    SaveRule,
    Sheets,
    Stop,
)
from verify.lab.telling import (
    Advice,
    Area,
    BookTold,
    CampaignCard,
    CampaignsTold,
    CaseCard,
    CasesTold,
    Compared,
    Counted,
    Done,
    Exported,
    Fatal,
    Fault,
    Forbidden,
    Group,
    Judged,
    Labyrinth,
    LabyrinthsDrawn,
    Local,
    MoveTold,
    Opened,
    Reply,
    RuleCard,
    RuleFault,
    RuleModel,
    RuleRead,
    RuleTold,
    Seen,
    Welcome,
    Went,
    Written,
)

__all__ = [
    "CELLS",
    "SIDE",
    "Advice",
    "Area",
    "AreaDrawn",
    "Asked",
    "Book",
    "BookRule",
    "BookTold",
    "CampaignCard",
    "Campaigns",
    "CampaignsTold",
    "CaseCard",
    "Cases",
    "CasesTold",
    "CompareRule",
    "Compared",
    "Count",
    "Counted",
    "Done",
    "EditRule",
    "Export",
    "Exported",
    "Fatal",
    "Fault",
    "Forbidden",
    "Go",
    "Group",
    "JudgeRule",
    "Judged",
    "Keep",
    "Labyrinth",
    "Labyrinths",
    "LabyrinthsDrawn",
    "Local",
    "Look",
    "MoveTold",
    "Numbered",
    "Open",
    "Opened",
    "Place",
    "Prove",
    "ReadRule",
    "Reply",
    "Request",
    "RuleCard",
    "RuleFault",
    "RuleModel",
    "RuleRead",
    "RuleTold",
    "SaveRule",
    "Seen",
    "Sheets",
    "Stop",
    "Told",
    "Welcome",
    "Went",
    "Written",
    "read_request",
]

Asked: TypeAlias = (
    Stop
    | Open
    | Look
    | Count
    | Go
    | Prove
    | Keep
    | Export
    | ReadRule
    | EditRule
    | JudgeRule
    | CompareRule
    | SaveRule
    | Book
    | BookRule
    | Cases
    | Campaigns
    | Labyrinths
    | Sheets
)
Told: TypeAlias = (
    Welcome
    | Done
    | Fault
    | Opened
    | Seen
    | Counted
    | Went
    | Written
    | Exported
    | RuleRead
    | Judged
    | Advice
    | Compared
    | BookTold
    | RuleTold
    | CasesTold
    | CampaignsTold
    | LabyrinthsDrawn
)
_READER: msgspec.json.Decoder[Asked] = msgspec.json.Decoder(Asked)


def read_request(data: bytes | str) -> Asked:
    """Read a request.

    Raises
    ------
    msgspec.ValidationError, msgspec.DecodeError
        If it is none; the message says where and why.
    """
    return _READER.decode(data)
