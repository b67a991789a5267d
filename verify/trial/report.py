"""Tables and pictures of evidence: every rule on every board, every group's gaps."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from heuristic.groups import load_rules
from heuristic.matching.drawn import DrawnRule
from heuristic.walks.walker import summarise
from solver.board import Position
from solver.errors import UnknownNameError
from solver.files import read_saved, write_whole
from verify.campaign.schema import held
from verify.corpus.cases import Case
from verify.trial.evidence import BoardEvidence, RuleEvidence, WalksFound
from verify.words import counted, html_page, html_row, html_rule, linked, markdown_table

Cases: TypeAlias = Mapping[str, Sequence[Case]]  # by rule

SUMMARY_HEADER = ("group", "rules", "sound", "unsound", "unused")
RULE_HEADER = ("rule", "claim", "verdict", "fired", "wrong", "caught", "wrong at")
WALK_HEADER = ("group", "board", "walks", "stuck", "before an error", "95 %")
GROUP_HEADER = ("group", "board", "positions", "dead moves", "gaps", "per million")
_PATIENCE = 30.0  # seconds that another run's writing is waited for


def load_evidence(file: Path) -> list[BoardEvidence]:
    """Read evidence that was saved; nothing if there is no such file.

    Raises `OptionError` if the file is not what `save_evidence` writes.
    """
    if not file.exists():
        return []
    return read_saved(file, list[BoardEvidence], "evidence")


def save_evidence(boards: Sequence[BoardEvidence], file: Path) -> None:
    """Write evidence aside and rename it, so that a file is never half written."""
    plain = [asdict(board) for board in boards]
    write_whole(file, json.dumps(plain, indent=1) + "\n")


def add_evidence(
    found: Sequence[BoardEvidence],
    walks: Mapping[str, Mapping[str, WalksFound]],
    file: Path,
) -> None:
    """Put the evidence of some boards, and walks by board and group, into a file.

    Other boards of the file stay; other runs that write it meanwhile are waited for.

    Raises `OptionError` if the file is not what `save_evidence` writes; `LedgerError`
    if another run holds it for half a minute.
    """
    with held(file, patience=_PATIENCE):
        boards = {board.board: board for board in load_evidence(file)}
        for new in found:
            boards.pop(new.board, None)
            boards[new.board] = new
        for name, made in walks.items():
            if name in boards:
                boards[name] = replace(boards[name], walks=dict(made))
        save_evidence([*boards.values()], file)


def rule_rows(boards: Sequence[BoardEvidence]) -> list[list[str]]:
    """Return one row a rule, in the order of `RULE_HEADER`, summed over the boards."""
    seen: dict[str, list[RuleEvidence]] = {}
    for board in boards:
        for name, rule in board.rules.items():
            seen.setdefault(name, []).append(rule)
    rows = []
    for name, found in seen.items():
        fired = sum(one.fired for one in found)
        wrong = sum(one.wrong for one in found)
        caught = sum(one.caught for one in found)
        verdict = "unsound" if wrong else "sound" if fired else "unused"
        examples = [one.first_wrong for one in found if one.first_wrong]
        first = min(examples, key=lambda one: len(one.notation), default=None)
        place = f"{first.notation} {first.moves}" if first else ""
        numbers = [f"{number:,}" for number in (fired, wrong, caught)]
        rows.append([name, found[0].claim, verdict, *numbers, place])
    return rows


def group_rows(boards: Sequence[BoardEvidence]) -> list[list[str]]:
    """Return one row a group and board, in the order of `GROUP_HEADER`."""
    groups = dict.fromkeys(name for board in boards for name in board.groups)
    return [
        [
            group,
            board.board,
            f"{board.positions:,}",
            f"{board.dead_moves:,}",
            f"{board.groups[group].gaps:,}",
            f"{1e6 * board.groups[group].gaps / board.positions:,.0f}",
        ]
        for group in groups
        for board in boards
        if group in board.groups
    ]


def walk_rows(boards: Sequence[BoardEvidence]) -> list[list[str]]:
    """Return one row a group and board with walks, in the order of `WALK_HEADER`.

    Walks before an error are completed walks to one that is stuck; the interval is
    that of `heuristic.walks.walker.Statistics`.
    """
    groups = dict.fromkeys(name for board in boards for name in board.walks)
    rows = []
    for group in groups:
        for board in boards:
            if group not in board.walks:
                continue
            found = board.walks[group]
            numbers = [f"{found.walks:,}", f"{found.stuck:,}"]
            mean = summarise(found.walks, found.stuck).in_words()
            rows.append([group, board.board, *numbers, *mean])
    return rows


def only_rows(boards: Sequence[BoardEvidence], group: str) -> list[list[str]]:
    """Return name and dead moves that only it caught, for the rules of a group."""
    totals: dict[str, int] = {}
    for board in boards:
        if group in board.groups:
            for rule in board.groups[group].rules:
                totals[rule.name] = totals.get(rule.name, 0) + rule.only
    return [[name, f"{only:,}"] for name, only in totals.items()]


def summary(boards: Sequence[BoardEvidence]) -> str:
    """Return one sentence: how many rules, and how many of each verdict.

    >>> summary([])
    '0 rules: 0 sound, 0 unsound, 0 unused.'
    """
    verdicts = [row[2] for row in rule_rows(boards)]
    words = ("sound", "unsound", "unused")
    phrase = ", ".join(f"{verdicts.count(word)} {word}" for word in words)
    return f"{counted(len(verdicts), 'rule')}: {phrase}."


def summary_rows(boards: Sequence[BoardEvidence]) -> list[list[str]]:
    """Return one row a group, in the order of `SUMMARY_HEADER`, over all its boards."""
    verdict = {row[0]: row[2] for row in rule_rows(boards)}
    rules: dict[str, dict[str, None]] = {}
    for board in boards:
        for group, found in board.groups.items():
            rules.setdefault(group, {}).update(
                {rule.name: None for rule in found.rules}
            )
    rows = []
    for group, names in rules.items():
        counts = Counter(verdict[name] for name in names)
        numbers = [len(names), *(counts[word] for word in SUMMARY_HEADER[2:])]
        rows.append([group, *map(str, numbers)])
    return rows


def _unsound(
    boards: Sequence[BoardEvidence], cases: Cases, folder: Path | None
) -> list[str]:
    """Return a line a rule that was wrong, in Markdown; with links to its cases."""
    lines = []
    for name, claim, verdict, fired, wrong, _, _ in rule_rows(boards):
        if verdict != "unsound":
            continue
        line = f"- `{name}` (claim: {claim}): fired on {fired}, wrong on {wrong}"
        files = [case.path for case in cases.get(name, ()) if case.path]
        if folder and files:
            phrase = ", ".join(linked(file, folder) for file in files)
            line += f"; {'cases' if len(files) > 1 else 'case'} {phrase}"
        lines.append(line)
    return lines


def _never_fired(boards: Sequence[BoardEvidence]) -> str:
    unused = [f"`{row[0]}`" for row in rule_rows(boards) if row[2] == "unused"]
    return f"Never fired: {', '.join(unused)}."


def scope(board: BoardEvidence) -> str:
    """Say which positions of a board were seen."""
    if board.exhaustive:
        return f"every completable position of {board.board} ({board.positions:,})"
    return f"{board.positions:,} drawn positions of {board.board}, seed {board.seed}"


_NOTE = (
    "Every rule was asked at every position, without precedence. Sound and unsound "
    "speak of these positions; unused rules never fired on them. A gap is a position "
    "with a dead move that no rule of the group forbids."
)


def markdown(
    boards: Sequence[BoardEvidence],
    cases: Cases = MappingProxyType({}),
    folder: Path | None = None,
) -> str:
    """Write a summary and the tables as Markdown.

    `cases` by rule are linked to from `folder`, where the page will stand.
    """
    seen = "; ".join(scope(board) for board in boards)
    parts = [
        f"# Evidence\n\n{summary(boards)} {_NOTE}\n\nPositions: {seen}.",
        f"## Summary\n\n{markdown_table(SUMMARY_HEADER, summary_rows(boards))}",
    ]
    if wrong := _unsound(boards, cases, folder):
        phrase = "Unsound on these positions:"
        parts.append("\n".join([phrase, "", *wrong]))
    if any(row[2] == "unused" for row in rule_rows(boards)):
        parts.append(_never_fired(boards))
    parts += [
        f"## Rules\n\n{markdown_table(RULE_HEADER, rule_rows(boards))}",
        f"## Groups\n\n{markdown_table(GROUP_HEADER, group_rows(boards))}",
    ]
    if walks := walk_rows(boards):
        table = markdown_table(WALK_HEADER, walks)
        parts.append(
            f"## Random walks before an error\n\n{_walk_note(boards)}\n\n{table}"
        )
    for group in dict.fromkeys(name for board in boards for name in board.groups):
        table = markdown_table(("rule", "dead moves"), only_rows(boards, group))
        parts.append(f"## Caught by one rule only: {group}\n\n{table}")
    return "\n\n".join(parts) + "\n"


def _walk_note(boards: Sequence[BoardEvidence]) -> str:
    seeds = {walks.seed for board in boards for walks in board.walks.values()}
    return (
        "Completed walks to one that is stuck; every walk chooses uniformly among the "
        "moves its group allows, precedence obeyed, and ends where it is stuck. Seed "
        f"{', '.join(map(str, sorted(seeds)))}."
    )


def html(boards: Sequence[BoardEvidence]) -> str:
    """Write the tables as one HTML page, with a picture of each rule and wrong case."""
    from verify.proof.picture import KEY

    rows = rule_rows(boards)
    seen = "; ".join(scope(board) for board in boards)
    rules = "".join(_html_rule(row) for row in rows)
    whole = "".join(html_row(row) for row in summary_rows(boards))
    links = " ".join(
        f'<a href="#{escape(row[0])}">{escape(row[0])}</a>'
        for row in rows
        if row[2] == "unsound"
    )
    wrong = f"<p>Unsound: {links}</p>" if links else ""
    groups = "".join(html_row(row) for row in group_rows(boards))
    walks = "".join(html_row(row) for row in walk_rows(boards))
    if walks:
        walks = (
            "<h2>Random walks before an error</h2>"
            f"<p>{escape(_walk_note(boards))}</p><table>"
            f"{html_row(WALK_HEADER, 'th')}{walks}</table>"
        )
    return html_page(
        "Evidence",
        f"<p>{escape(summary(boards))} {escape(_NOTE)}</p>"
        f"<p>Positions: {escape(seen)}.</p><h2>Summary</h2><table>"
        f"{html_row(SUMMARY_HEADER, 'th')}{whole}</table>{wrong}"
        f"<h2>Groups</h2><table>{html_row(GROUP_HEADER, 'th')}{groups}"
        f"</table>{walks}<h2>Rules</h2><p>{escape(KEY)}</p><table>"
        f"{html_row((*RULE_HEADER, 'pictures'), 'th')}{rules}</table>",
    )


def _html_rule(row: Sequence[str]) -> str:
    from heuristic.rules.picture import draw_rule
    from solver.svg import draw

    pictures, reason = [], ""
    rule = None
    with suppress(UnknownNameError):  # a rule of a file
        rule = load_rules(row[0]).rules[0]
    if isinstance(rule, DrawnRule):
        reason = rule.spec.reason
        pictures.append(draw_rule(rule.spec.drawings[0], rule.name))
    if row[-1]:
        notation, moves = row[-1].split()
        pictures.append(draw(Position.parse(notation), forbidden=moves, scale=0.6))
    return html_rule(row, reason, pictures)


def write_evidence(
    file: Path, cases: Cases = MappingProxyType({})
) -> list[BoardEvidence]:
    """Write ``evidence.md`` and ``evidence.html`` beside a file of evidence.

    `cases` of rules that were wrong are linked to, see
    `verify.corpus.cases.cases_against`. Returns what the file holds.
    """
    folder = file.parent
    with held(file, patience=_PATIENCE):
        boards = load_evidence(file)
        write_whole(folder / "evidence.md", markdown(boards, cases, folder))
        write_whole(folder / "evidence.html", html(boards))
    return boards
