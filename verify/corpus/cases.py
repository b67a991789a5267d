"""Cases: saved positions with what is claimed of them, and their replay.

A case is a small TOML file under ``corpus/<kind>/``, named by its content; the schema
stands in ``corpus/README.md``, and its keys and values are checked by a type: a
`CaseError` names the file and the key. Cases that differ by a symmetry are one case.
Files are never edited to make a replay pass.
"""

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec
from platformdirs import user_data_dir

from heuristic.groups import Names, in_one
from heuristic.rule import RuleSet
from solver.board import Position
from solver.errors import (
    CaseError,
    NotationError,
    OnewayError,
    OptionError,
    UnknownNameError,
)
from solver.files import make_folder, write_whole
from solver.oracles.oracle import Oracle, Verdict, decide_moves, get_oracle
from solver.symmetry import Symmetry

_BYTES = 1 << 20  # of a case file; those that we write have some thousand
_KEY = re.compile(r"`(?:\$\.)?([^`$]+)`$")  # of a message of msgspec
ENVIRONMENT = "ONEWAY_CORPUS"
KINDS = {
    "gap": "the rules allow a dead move of a completable position",
    "unsound": "a rule forbids a completable move",
    "fired": "a rule forbids a dead move of a completable position",
    "stuck": "the rules leave no move, though the board is not full",
    "verdict": "the truth about every move, no rule named",
}
_WORDS = {"completable": Verdict.COMPLETABLE, "dead": Verdict.DEAD}


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    why: str
    source: str
    kind: str
    position: str
    moves: dict[str, str]
    rules: str = ""
    subject: str = ""
    book: str = ""
    found: str = ""

    def __post_init__(self) -> None:
        """Refuse empty sentences."""
        for key in ("why", "source"):
            if not getattr(self, key).strip():
                raise ValueError(f"expected text for {key!r}, found none")


@dataclass(frozen=True, slots=True)
class Case:
    """One saved position and its claim.

    - `kind`: one of `KINDS`.
    - `why`: one sentence: why it was kept.
    - `source`: where it comes from: a command with its seed, or a publication.
    - `moves`: every move of the position, letter to ``completable`` or ``dead``.
    - `rules`: the rule or group it speaks of, as `load_rules` takes it; empty for
      `verdict`.
    - `subject`: the moves in question, letters: allowed and dead (gap), forbidden and
      dead (fired), forbidden and completable (unsound).
    - `book`: TOML text of the rule, if it stands in no group of the rule book.
    - `found`: notation of the position it was made from, if that was another one.
    """

    kind: str
    why: str
    source: str
    position: Position
    moves: dict[str, str]
    rules: str = ""
    subject: str = ""
    book: str = ""
    found: str = ""
    path: Path | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """The file name without ending: board and a hash of what is claimed."""
        claim = [self.kind, self.rules, self.subject, self.book, self.position.notation]
        digest = hashlib.sha256("\n".join(claim).encode()).hexdigest()[:10]
        board = self.position.board
        return f"{board.rows}x{board.cols}-{digest}"

    def to_toml(self) -> str:
        """Print the case as its file says it."""
        lines = [f"kind = {_quote(self.kind)}", f"why = {_quote(self.why)}"]
        lines.append(f"source = {_quote(self.source)}")
        lines.append(f"position = {_quote(self.position.notation)}")
        for key in ("rules", "subject", "book", "found"):
            if value := getattr(self, key):
                lines.append(f"{key} = {_quote(value)}")
        lines += ["", "[moves]"]
        lines += [f"{move} = {_quote(word)}" for move, word in self.moves.items()]
        return "\n".join(lines) + "\n"


def _quote(text: str) -> str:
    # JSON strings are TOML basic strings, but for DEL, which JSON leaves as it is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def parse_case(text: str, file: str) -> Case:
    """Read a case file's text.

    Raises `CaseError` naming the file, the key and what is wrong with it.
    """
    try:
        said = msgspec.convert(tomllib.loads(text), type=_File)
    except msgspec.ValidationError as error:
        why, key = str(error), _KEY.search(str(error))
        why = why[:1].lower() + why[1:]
        raise CaseError(file, key[1] if key else None, why) from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise CaseError(file, None, f"no TOML: {error}") from None
    except ValueError:  # of Python, which reads no number of so many digits
        raise CaseError(file, None, "no TOML: a number is too long") from None
    if said.kind not in KINDS:
        raise CaseError(file, "kind", f"{said.kind!r} is none of {', '.join(KINDS)}")
    if (said.kind == "verdict") == bool(said.rules):
        what = "a verdict names no rules" if said.kind == "verdict" else "missing"
        raise CaseError(file, "rules", what)
    position = _position(said.position, "position", file)
    if said.found:
        _position(said.found, "found", file)
    moves = _moves(said.moves, position, file)
    wanted = {"gap": "dead", "fired": "dead", "unsound": "completable"}.get(said.kind)
    if (wanted is None) != (said.subject == ""):
        raise CaseError(file, "subject", "only gap, fired and unsound name moves")
    for move in said.subject:
        if moves.get(move) != wanted:
            raise CaseError(file, "subject", f"{move!r} is no {wanted} move")
    values = msgspec.structs.asdict(said) | {"position": position, "moves": moves}
    return Case(**values)


def _position(text: str, key: str, file: str) -> Position:
    try:
        return Position.parse(text)
    except NotationError as error:
        raise CaseError(file, key, str(error)) from None


def _moves(found: dict[str, str], position: Position, file: str) -> dict[str, str]:
    options = position.options()
    if set(found) != set(options):
        wanted = ", ".join(options) or "none"
        raise CaseError(file, "moves", f"the position's moves are {wanted}")
    for move, word in found.items():
        if word not in _WORDS:
            why = f"{word!r} is neither 'completable' nor 'dead'"
            raise CaseError(file, f"moves.{move}", why)
    return {move: found[move] for move in options}


def corpus_folder() -> Path:
    """Return where cases are kept, unless `--corpus` names another folder.

    The folder that the environment names as ``ONEWAY_CORPUS``; in a checkout its
    corpus; else a folder of the user's data, never one of the installed package.
    """
    if named := os.environ.get(ENVIRONMENT):
        return Path(named)
    root = Path(__file__).resolve().parents[2]
    if (root / "pyproject.toml").is_file() and (root / "corpus").is_dir():
        return root / "corpus"
    return Path(user_data_dir("oneway", appauthor=False)) / "corpus"


def load_case(path: Path) -> Case:
    """Read one case file; errors as `parse_case`, and `CaseError` if unreadable."""
    try:
        if path.stat().st_size > _BYTES or not path.is_file():
            why = f"cannot be read: no file of {_BYTES:,} bytes at most"
            raise CaseError(str(path), None, why)
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CaseError(str(path), None, f"cannot be read: {error}") from None
    return replace(parse_case(text, str(path)), path=path)


def _raised(error: CaseError) -> None:
    raise error


def load_corpus(
    folder: Path, refused: Callable[[CaseError], object] = _raised
) -> Iterator[Case]:
    """Read all cases of a corpus, by kind and name.

    A file that cannot be read is passed over where `refused` takes its error.
    """
    for kind in KINDS:
        yield from _loaded(folder / kind, refused)


def _loaded(folder: Path, refused: Callable[[CaseError], object]) -> Iterator[Case]:
    for path in sorted(folder.glob("*.toml")):
        try:
            case = load_case(path)
        except CaseError as error:
            refused(error)
        else:
            yield case


def find_case(
    name: str, folder: Path, refused: Callable[[CaseError], object] = _raised
) -> Case:
    """Return the one case whose file it is, or whose name begins so.

    Other files that cannot be read are passed over where `refused` takes their errors.

    Raises `UnknownNameError` if no case, or more than one, fits.
    """
    if name.endswith(".toml"):
        return load_case(Path(name))
    cases = list(load_corpus(folder, refused))
    fitting = [case for case in cases if case.name.startswith(name)]
    if len(fitting) != 1:
        known = [case.name for case in fitting or cases]
        raise UnknownNameError("case", name, known)
    return fitting[0]


def save_case(case: Case, folder: Path) -> tuple[Path, bool]:
    """Save a case unless an image of it is there; return its path and if it is new.

    A case whose claim survives the symmetry is saved as the canonical image, else as it
    is.

    Raises `OptionError` if the corpus cannot be written.
    """
    directory = folder / case.kind
    images = [image(case, symmetry) for symmetry in Symmetry]
    for one in images:
        path = directory / f"{one.name}.toml"
        if path.exists():
            return path, False
    best = min(images, key=lambda c: (len(c.position.notation), c.position.notation))
    chosen = best if not replay(best) else case
    path = directory / f"{chosen.name}.toml"
    make_folder(directory)
    write_whole(path, chosen.to_toml())
    return path, True


def image(case: Case, symmetry: Symmetry) -> Case:
    """Return the image of a case under a symmetry, its moves turned along."""
    turned = {
        move: "URDL"[symmetry.direction("URDL".index(move))] for move in case.moves
    }
    position = symmetry.position(case.position)
    words = {turned[move]: word for move, word in case.moves.items()}
    return replace(
        case,
        position=position,
        moves={move: words[move] for move in position.options()},
        subject="".join(sorted((turned[m] for m in case.subject), key="URDL".index)),
    )


def replay(case: Case, oracle: Oracle | None = None) -> list[str]:
    """Check a case again; return what is not as it says, a line each.

    The truth of every move is asked of the oracle (default ``sat``), what the rules
    forbid is evaluated anew.
    """
    oracle = oracle or get_oracle("sat")
    faults = []
    for move, answer in decide_moves(oracle, case.position).items():
        if answer.verdict is not _WORDS[case.moves[move]]:
            faults.append(
                f"{move} is said to be {case.moves[move]}, "
                f"{oracle.name} says {answer.verdict.name}"
            )
    if not case.rules:
        return faults
    try:
        forbidden = {f.move for f in case_rules(case).forbids(case.position)}
    except OnewayError as error:
        return [*faults, str(error)]
    for move in case.subject:
        if (move in forbidden) != (case.kind in ("unsound", "fired")):
            now = "forbidden" if move in forbidden else "allowed"
            faults.append(f"{move} is now {now} by {case.rules}")
    if case.kind == "fired" and "completable" not in case.moves.values():
        faults.append("no move is completable: nothing is decided there")
    if case.kind == "stuck" and not set(case.moves) <= forbidden:
        faults.append(f"{case.rules} now leaves a move")
    return faults


def named_rules(names: Names) -> tuple[str, str]:
    """Return how a case names the rules of a command, and the text of their file.

    Raises `OptionError` if rule files are named among others: a case holds the text of
    one file.
    """
    rules = in_one(names)
    if not rules.endswith(".toml") and ".toml," not in rules:
        return rules, ""
    if "," in rules:
        raise OptionError(f"a case names groups or one rule file, not {rules!r}")
    return Path(rules).stem, Path(rules).read_text(encoding="utf-8")


def case_rules(case: Case) -> RuleSet:
    """Return the rules a case speaks of: from its own text, or from the book."""
    return rules_said(case.rules, case.book, f"{case.name}.toml")


def rules_said(rules: str, book: str, file: str) -> RuleSet:
    """Return rules by how a case names them, and the text that holds them if any."""
    from heuristic.groups import drawn_rules, load_rules
    from heuristic.rules.rulefile import parse_rules

    if not book:
        return load_rules(rules)
    specs = parse_rules(book, file)
    named = [spec for spec in specs if spec.name == rules]
    return drawn_rules(rules, named or specs)


def cases_against(
    folder: Path, refused: Callable[[CaseError], object] = _raised
) -> dict[str, list[Case]]:
    """Return the unsound cases of a corpus by the rule of the book they speak of.

    A file that cannot be read is passed over where `refused` takes its error.
    A case that names several speaks of the last: the others are the inferences whose
    future lines it reads.
    """
    found: dict[str, list[Case]] = {}
    for case in _loaded(folder / "unsound", refused):
        found.setdefault(case.rules.split(",")[-1], []).append(case)
    return found
