"""The verdict table of a rule book, as Markdown and as HTML with pictures.

Rule pictures that were read or not are a table, too: drawing, verdict, the book. There
a drawing is compared by what it asks in one placement: needs, areas, runs, marks, facts
and the forbidden move, one move at a time. Two rules are the same when they ask the
same things for the same moves in all placements.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from heuristic.groups import drawings_of, group_names, load_rules, rule_names
from heuristic.pictures.picture import Picture, load_picture
from heuristic.pictures.rule import Facts, Imported, find_border, import_rule, rule_name
from heuristic.rules.drawing import LIVE_END, AreaSpec, Frame, RuleSpec, Spot
from heuristic.rules.picture import draw_rule
from heuristic.written import WrittenRule
from solver.errors import PictureError
from solver.files import make_folder, write_whole
from verify.evidence.evidence import Evidence, RuleEvidence
from verify.evidence.report import by_rule
from verify.proof.counterexample import Refutation
from verify.proof.provable import book_rules
from verify.proof.prove import Proved
from verify.verdict.sharpen import Laid, laid
from verify.verdict.verdict import Judgement, Open, Refuted
from verify.words import counted, linked, markdown_table

HEADER = (
    "rule",
    "claim",
    "verdict",
    "for",
    "parts",
    "clauses",
    "bytes",
    "fired",
    "wrong",
    "caught",
    "only it",
    "seconds",
    "case",
)
LEGEND = """\
PROVED: on no board of the kind named can a position be completed by a move that the
rule forbids. REFUTED: the position named can be completed by the move named. OPEN:
neither was shown; the row says why.

Every rule is judged alone. In a group it may be asked less often: behind a case stands
whether its groups are *wrong* there too, or do *not* forbid that move by it.

*Parts* are drawings in one pose with one move; one proof may do for several poses.
*Clauses* and *bytes* are the size of the certificate. *Fired* counts the positions
where the rule forbade something, *wrong* those where a forbidden move was completable.
*Caught* counts the dead moves forbidden, *only it* those that no other rule of its
group forbids. *Seconds* are of processor time, without certificates and pictures.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One rule of the table: its verdict, and what it did on known positions."""

    verdict: Judgement
    evidence: tuple[RuleEvidence, ...] = ()
    certificate: Path | None = None

    @property
    def rule(self) -> RuleSpec:
        """The rule as its file says it."""
        return self.verdict.rule

    def total(self, what: str) -> str:
        """Return a sum over the evidence, or a dash if there is none."""
        counts = [getattr(seen, what, None) for seen in self.evidence]
        known = [count for count in counts if count is not None]
        return f"{sum(known):,}" if known else "-"


def rows_of(
    verdicts: Sequence[Judgement],
    found: Sequence[Evidence] = (),
    certificates: dict[str, Path] | None = None,
) -> list[Row]:
    """Put verdicts and evidence together by the rules' names."""
    seen, files = by_rule(found), certificates or {}
    names = [verdict.rule.name for verdict in verdicts]
    return [
        Row(verdict, tuple(seen.get(name, ())), files.get(name))
        for name, verdict in zip(names, verdicts, strict=True)
    ]


def cells_of(row: Row, folder: Path | None = None) -> list[str]:
    """Return the cells of a row, in the order of `HEADER`.

    With a `folder` cases are links from there, in Markdown.
    """
    verdict = row.verdict
    scope = parts = clauses = size = case = ""
    if isinstance(verdict, Proved):
        scope, clauses = verdict.boards, f"{verdict.clauses:,}"
        parts = f"{len(verdict.proofs):,}"
        size = f"{row.certificate.stat().st_size:,}" if row.certificate else ""
    elif isinstance(verdict, Refuted):
        found = verdict.refutation
        case = f"{found.position.notation} {found.move}"
        if folder and found.case:
            case = f"{linked(found.case, folder)} `{case}`"
        case += "".join(f"; {phrases}" for phrases in with_precedence(found))
        case += f"; {found.lines}" * bool(found.lines)
    else:
        case = _why_open(verdict)
    return [
        verdict.rule.name,
        verdict.rule.claim,
        verdict.word,
        scope,
        parts,
        clauses,
        size,
        *(row.total(what) for what in ("fired", "wrong", "caught", "only")),
        "-" if math.isnan(verdict.seconds) else f"{verdict.seconds:.2f}",
        case,
    ]


def with_precedence(found: Refutation) -> list[str]:
    """Say in which groups the fault shows at the position, and in which it does not.

    In a group a rule may not be asked, as an earlier one stops or forbids a move there;
    or the group holds it in another form.
    """
    phrases = []
    for group in group_names():
        rules = load_rules(group) if found.rule in rule_names(group) else None
        if rules and all(isinstance(rule, WrittenRule) for rule in rules.rules):
            said = [(x.rule, x.move) for x in rules.forbids(found.position)]
            shown = (found.rule, found.move) in said
            phrases.append(f"{'wrong' if shown else 'not'} in {group}")
    return phrases


def _why_open(verdict: Open) -> str:
    """Say what kept the proof from ending."""
    counts = (verdict.models, "with a model"), (verdict.late, "out of time")
    kept = " and ".join(f"{count} {why}" for count, why in counts if count)
    return f"{verdict.proved} parts proved, {kept}; tried: {verdict.tried}"


def summary(rows: Sequence[Row]) -> str:
    """Return one sentence: how many of each verdict."""
    counts = Counter(row.verdict.word for row in rows)
    phrases = ", ".join(f"{counts[x]} {x}" for x in ("PROVED", "REFUTED", "OPEN"))
    return f"{counted(len(rows), 'rule')}: {phrases}."


def markdown(
    rows: Sequence[Row],
    scopes: Sequence[str] = (),
    folder: Path | None = None,
    others: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Write the table as Markdown.

    `scopes` says which positions were seen, `others` why some rules are not in it.
    """
    lines = ["# Verdicts", "", summary(rows), "", *LEGEND.splitlines(), ""]
    lines += [f"Positions seen: {'; '.join(scopes)}.", ""] if scopes else []
    lines.append(markdown_table(HEADER, [cells_of(row, folder) for row in rows]))
    for why in dict.fromkeys(others.values()):
        names = [f"`{name}`" for name, phrases in others.items() if phrases == why]
        lines += ["", f"Not put to a proof, as each {why}: {', '.join(names)}."]
    return "\n".join(lines) + "\n"


def pictures_of(verdict: Judgement) -> list[str]:
    """Return SVG documents: the drawings, then the counterexample or what is open."""
    from solver.svg import draw

    rule = verdict.rule
    found = [draw_rule(drawing, rule.name) for drawing in rule.drawings[:4]]
    if isinstance(verdict, Refuted):
        one = verdict.refutation
        place, move, witness = one.position, one.move, one.completion
        found.append(draw(place, forbidden=move, witness=witness, scale=0.8))
    if isinstance(verdict, Open):
        found += verdict.pictures
    return found


def write_report(
    rows: Sequence[Row],
    folder: Path,
    scopes: Sequence[str] = (),
    others: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Write ``verdicts.md``, whole or not at all."""
    make_folder(folder)
    write_whole(folder / "verdicts.md", markdown(rows, scopes, folder, others))


Border: TypeAlias = tuple[tuple[Spot, ...], bool]  # of an area, and if it is left
PICTURED = (
    "picture",
    "drawing",
    "verdict",
    "for",
    "counterexample",
    "in the book",
    "notes",
)
FUNCTIONS = (
    "function",
    "bans",
    "drawn by hand",
    "drawings of its pictures",
    "verdicts",
)
WORDS = {
    "equal": "equal to",
    "part": "part of",
    "holds": "holds",
    "overlap": "shares drawings with",
}


@dataclass(frozen=True, slots=True)
class Read:
    """One picture: the rule that was read, or why there is none.

    - `error`: why there is no rule.
    - `same_as`: the rule of an earlier picture that asks exactly the same; then it is
      that one.
    - `border`: the border that it draws.
    """

    file: str
    found: Imported | None
    error: PictureError | None = None
    same_as: str = ""
    border: AreaSpec | None = None


def read_pictures(
    files: Iterable[Path],
    *,
    source: str = "",
    prefix: str = "",
    facts: Mapping[str, Sequence[Facts]] | Facts | None = None,
) -> list[Read]:
    """Read pictures, one after the other; what cannot be read is kept, not raised.

    `source` is put before the file's name as the origin of its rule; `facts` are those
    of all, or of each by its name without the end. Several facts of one picture are
    several rules.
    """
    found: list[Read] = []
    seen: dict[frozenset[Laid], str] = {}
    for path in files:
        known = facts if isinstance(facts, Facts) else (facts or {}).get(path.stem)
        several = [known] if isinstance(known, Facts) else known
        for number, one in enumerate(several or [None], 1):
            end = f"-{number}" if number > 1 else ""
            found.append(_read(path, source, prefix, one, end, seen))
    return found


def _read(
    path: Path,
    source: str,
    prefix: str,
    facts: Facts | None,
    end: str,
    seen: dict[frozenset[Laid], str],
) -> Read:
    """Read one picture; `seen` is what earlier ones asked, and is added to."""
    if facts and facts.unread:
        return Read(path.name, None, PictureError(path.name, facts.unread))
    border: AreaSpec | None = None
    origin = f"{source}/{path.name}" if source else path.name
    try:
        picture = load_picture(path)
        border = _border(picture, facts)
        one = import_rule(
            picture, path.stem, origin, prefix=prefix, facts=facts, end=end
        )
        if one.rule.name in seen.values():
            why = f"another picture's rule is called {one.rule.name!r}"
            raise PictureError(path.name, why)
    except PictureError as error:
        return Read(path.name, None, error, border=border)
    asked = forms(one.rule)
    same = seen.get(asked, "")
    seen.setdefault(asked, one.rule.name)
    return Read(path.name, one, same_as=same, border=border)


def _border(picture: Picture, facts: Facts | None) -> AreaSpec | None:
    try:
        return find_border(picture, facts.border if facts else ())
    except PictureError:
        return None


def count_files(read: Sequence[Read]) -> tuple[int, int]:
    """Return how many pictures there are, and how many of them were read."""
    return len({one.file for one in read}), len({x.file for x in read if x.found})


def book_text(read: Sequence[Read], command: str) -> str:
    """Return a rule file of all that was read, each drawing once."""
    texts = [one.found.text for one in read if one.found and not one.same_as]
    files, _ = count_files(read)
    head = (
        f"# {counted(len(texts), 'drawing')} of {counted(files, 'picture')}. "
        f"Made by the command, never by hand:\n# {command}\n"
    )
    return "\n".join([head, *texts])


class KnownRules:
    """The drawn rules of the book, to look for the same drawing in."""

    def __init__(self) -> None:
        # the searches of seed-kernels draw the obstacles of other rules again
        rules = [
            rule.spec
            for rule in book_rules()
            if isinstance(rule, WrittenRule)
            and rule.spec.kind == "ban"
            and not rule.spec.file.startswith("seed-kernels")
        ]
        self.rules = {rule.name: rule for rule in rules}
        self._forms = {name: forms(rule) for name, rule in self.rules.items()}
        self._borders = {name: borders(rule) for name, rule in self.rules.items()}

    def same(self, rule: RuleSpec) -> list[tuple[str, str]]:
        """Return the rules that ask the same somewhere, and how: see `compare`."""
        asked = forms(rule)
        found = [(name, compare_forms(asked, x)) for name, x in self._forms.items()]
        return [(name, how) for name, how in found if how]

    def with_border(self, line: AreaSpec) -> list[str]:
        """Return the rules with an area behind the same line."""
        border = (LIVE_END, *line.cells, line.wall), line.side == "left"
        return [name for name, known in self._borders.items() if border in known]


def table(
    read: Sequence[Read], judged: Sequence[Judgement], command: str, program: str = ""
) -> str:
    """Return the table as Markdown, one row a drawing; a second of the `program`."""
    book = KnownRules()
    verdicts = {row.rule.name: cells_of(row) for row in rows_of(judged)}
    rows = [_row(one, verdicts, book) for one in read]
    lines = ["# Rule pictures", "", *_summary(read, verdicts), ""]
    lines += ["<!-- not run: it needs the pictures -->", "```sh", command, "```", ""]
    lines.append(markdown_table(PICTURED, rows))
    if program:
        functions = _functions(program, read, verdicts, book)
        lines += ["", "## The functions of the program", ""]
        lines.append(markdown_table(FUNCTIONS, functions))
    return "\n".join(lines) + "\n"


def _functions(
    program: str,
    read: Sequence[Read],
    verdicts: Mapping[str, Sequence[str]],
    book: KnownRules,
) -> list[list[str]]:
    """Return a row for each function that the author's `ApplyRules` calls.

    A rule of the book or of his program restates it if its origin names it, or if the
    two have one name; a drawing does if a fact names it as the source.
    """
    more = [
        rule
        for rule in drawings_of(load_rules("researcher-2026"))
        if "Path.cs" in rule.origin
    ]
    rows = []
    for name in re.findall(r"^ +(\w+)\(\);", _body(program, "ApplyRules"), re.M):
        forbids = _body(program, name).count("AddForbidden(")
        plain = name.removeprefix("Check")
        word = re.compile(rf"\b(Check)?{plain}\b")
        known = [
            rule.name
            for rule in (*book.rules.values(), *more)
            if word.search(rule.origin) or rule.name == rule_name(plain)
        ]
        drawn = [
            one.found.rule.name
            for one in read
            if one.found and not one.same_as and word.search(one.found.rule.note)
        ]
        said = _tallied(verdicts[one] for one in drawn if one in verdicts)
        rows.append([name, str(forbids), ", ".join(known), ", ".join(drawn), said])
    return rows


def _body(program: str, function: str) -> str:
    """Return the text of a C# method, as far as the next one at its indent."""
    found = re.search(rf"^( +)void {function}\(\).*?^\1\}}", program, re.M | re.S)
    return found[0] if found else ""


def _summary(read: Sequence[Read], verdicts: Mapping[str, Sequence[str]]) -> list[str]:
    files, drawn = count_files(read)
    alone = sum(one.found is not None and not one.same_as for one in read)
    lines = [
        f"{counted(files, 'picture')}: {drawn} read as {counted(alone, 'drawing')}, "
        f"{files - drawn} not read."
    ]
    if verdicts:
        lines.append(f"Of the drawings {_tallied(verdicts.values())}.")
    return lines


def _tallied(rows: Iterable[Sequence[str]]) -> str:
    """Return how many rows have which verdict."""
    counts = Counter(cells[2] for cells in rows)
    return ", ".join(f"{counts[word]} {word}" for word in sorted(counts))


def _row(
    one: Read, verdicts: Mapping[str, Sequence[str]], book: KnownRules
) -> list[str]:
    file = one.file.replace("|", "\\|")
    alike = book.with_border(one.border) if one.border else []
    text = f"the border of {', '.join(alike)}" if alike else ""
    if one.found is None:
        why = str(one.error).removeprefix(one.file).lstrip(":, ").replace("|", "\\|")
        return [file, "", "not read", "", "", text, why]
    rule = one.found.rule
    cells = verdicts.get(one.same_as or rule.name)
    verdict, scope, case = (cells[2], cells[3], cells[-1]) if cells else ("",) * 3
    same = [f"{WORDS[how]} {name}" for name, how in book.same(rule)] or [text]
    notes = [f"the same drawing as {one.same_as}"] if one.same_as else []
    notes += one.found.notes
    return [file, rule.name, verdict, scope, case, "; ".join(same), "; ".join(notes)]


def forms(rule: RuleSpec) -> frozenset[Laid]:
    """Return all that a rule asks: a form a drawing, placement and forbidden move.

    Placements that differ by the walk's heading alone give one form.
    """
    return frozenset(
        replace(form, moves=frozenset({at}))
        for drawing in rule.drawings
        for form in laid(drawing)
        for at in form.moves
        if form.frame is Frame.BOARD or (form.heading == 0 and at != (1, 0))
    )


def compare_forms(mine: frozenset[Laid], other: frozenset[Laid]) -> str:
    """Say how what two rules ask stands to each other, empty if they share nothing.

    `equal`; `part` where all that the first asks for is among the second's; `holds`
    where it is the other way round; `overlap`.
    """
    if not mine & other:
        return ""
    if mine == other:
        return "equal"
    return "part" if mine < other else "holds" if other < mine else "overlap"


def borders(rule: RuleSpec) -> frozenset[Border]:
    """Return the lines of all areas that begin at the live end, laid on the board.

    Each stands with its side; kind and bounds are left out.
    """
    return frozenset(
        (area.line, area.left)
        for drawing in rule.drawings
        if drawing.frame is not Frame.BOARD
        for form in laid(drawing)
        if form.heading == 0
        for area in form.areas
        if area.line[0] == (0, 0)
    )
