"""Cases: saved positions, and what was observed at them.

A case is a small TOML file under ``corpus/<kind>/``, named by its content; the schema
stands in ``corpus/README.md``, and its keys and values are checked by a type: a
`CaseError` names the file and the key. Cases that differ by a symmetry are one case.
`verify.corpus.replay` asks the rules about a case again.
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

from heuristic.groups import rule_file, words_of
from heuristic.rule import RuleSet
from solver.board import LETTERS, Position
from solver.errors import (
    CaseError,
    NotationError,
    OptionError,
    UnknownNameError,
)
from solver.files import make_folder, read_regular, write_whole
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
COMPLETABLE, DEAD = "completable", "dead"
_SUBJECTS = {"gap": DEAD, "fired": DEAD, "unsound": COMPLETABLE}
EXPECT = {"unsound": "wrong", "gap": "missed", "fired": "fires"}
CAUGHT = "caught"  # the only state
_CATCHABLE = ("gap", "stuck")


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    why: str
    source: str
    kind: str
    position: str
    moves: dict[str, str]
    title: str = ""
    rules: str = ""
    rule: str = ""
    subject: str = ""
    expect: str = ""
    state: str = ""
    found: str = ""
    text: str = ""

    def __post_init__(self) -> None:
        """Refuse empty sentences."""
        for key in ("why", "source"):
            if not getattr(self, key).strip():
                raise ValueError(f"expected text for {key!r}, found none")


@dataclass(frozen=True, slots=True)
class Case:
    """A position, the truth of its moves, and what rules did there.

    - `kind`: one of `KINDS`.
    - `why`: one sentence: why it was kept.
    - `source`: where it comes from: a command with its seed, or a publication.
    - `moves`: every move of the position, letter to ``completable`` or ``dead``.
    - `rules`: the rules that were asked, as `load_rules` takes them; the paths of rule
      files are relative to the corpus folder. Empty for `verdict`.
    - `subject`: the moves in question, letters: allowed and dead (gap), forbidden and
      dead (fired), forbidden and completable (unsound).
    - `rule`: the rule among them that forbade the subject.
    - `text`: the text of the rule files when the case was saved; never asked.
    - `found`: notation of the position it was made from, if that was another one.
    - `title`: a name for people, if it has one.
    - `expect`: what its rules are meant to go on doing, one of `EXPECT`; else empty.
    - `state`: `CAUGHT` if the dead moves were forbidden once, and that was accepted.
    - `path`: the file that it was read from.
    """

    kind: str
    why: str
    source: str
    position: Position
    moves: dict[str, str]
    rules: str = ""
    subject: str = ""
    rule: str = ""
    text: str = ""
    found: str = ""
    title: str = ""
    expect: str = ""
    state: str = ""
    path: Path | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """The file name without ending: board and a hash of what is claimed.

        `expect`, `state`, `title` and texts are no part of the claim.
        """
        claim = [self.kind, self.rules, self.subject, self.rule]
        claim.append(self.position.notation)
        digest = hashlib.sha256("\n".join(claim).encode()).hexdigest()[:10]
        board = self.position.board
        return f"{board.rows}x{board.cols}-{digest}"

    @property
    def accused(self) -> str:
        """The rule that forbade the subject; without `rule` the last one of `rules`."""
        return self.rule or words_of(self.rules)[-1]

    @property
    def of_the_book(self) -> bool:
        """Whether all its rules are named as those of the rule book."""
        return not any(map(rule_file, words_of(self.rules)))

    @property
    def folder(self) -> Path | None:
        """The corpus folder that it was read from."""
        return self.path.absolute().parent.parent if self.path else None

    def to_toml(self) -> str:
        """Print the case as its file says it."""
        lines = []
        for key in ("kind", "title", "why", "source"):
            if value := getattr(self, key):
                lines.append(f"{key} = {_quote(value)}")
        lines.append(f"position = {_quote(self.position.notation)}")
        for key in ("rules", "rule", "subject", "expect", "state", "found"):
            if value := getattr(self, key):
                lines.append(f"{key} = {_quote(value)}")
        if self.text:
            quoted = [_quote(line)[1:-1] for line in self.text.split("\n")]
            lines += ['text = """', "\n".join(quoted) + '"""']
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
    _check_rules(said, file)
    _check_records(said, file)
    position = _position(said.position, "position", file)
    if said.found:
        _position(said.found, "found", file)
    moves = _moves(said.moves, position, file)
    _check_subject(said, moves, file)
    values = msgspec.structs.asdict(said) | {"position": position, "moves": moves}
    return Case(**values)


def _check_rules(said: _File, file: str) -> None:
    if (said.kind == "verdict") == bool(said.rules):
        what = "a verdict names no rules" if said.kind == "verdict" else "missing"
        raise CaseError(file, "rules", what)
    if said.rules and not all(words_of(said.rules)):
        raise CaseError(file, "rules", "a name between commas is empty")
    if said.rule and said.kind not in ("unsound", "fired"):
        raise CaseError(file, "rule", "only unsound and fired name one rule")
    if said.text and not any(map(rule_file, words_of(said.rules))):
        raise CaseError(file, "text", "no rule file is among the rules")


def _check_records(said: _File, file: str) -> None:
    """Check what people or `--accept` may change."""
    if said.expect and said.expect != EXPECT.get(said.kind):
        allowed = EXPECT.get(said.kind)
        why = f"{said.kind} cases take {allowed!r}" if allowed else "it has no meaning"
        raise CaseError(file, "expect", f"{why}, not {said.expect!r}")
    if said.state and (said.state != CAUGHT or said.kind not in _CATCHABLE):
        why = f"gap and stuck cases take {CAUGHT!r}, others have none"
        raise CaseError(file, "state", why)
    if said.state and said.expect:
        raise CaseError(file, "state", "a case that expects something has no state")
    if said.title and not (said.title.isprintable() and len(said.title) <= 60):
        raise CaseError(file, "title", "more than 60 characters, or not printable")


def _check_subject(said: _File, moves: dict[str, str], file: str) -> None:
    wanted = _SUBJECTS.get(said.kind)
    if (wanted is None) != (said.subject == ""):
        raise CaseError(file, "subject", "only gap, fired and unsound name moves")
    for move in said.subject:
        if moves.get(move) != wanted:
            raise CaseError(file, "subject", f"{move!r} is no {wanted} move")
    if len(set(said.subject)) < len(said.subject):
        raise CaseError(file, "subject", "a move stands in it twice")


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
        if word not in (COMPLETABLE, DEAD):
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
        text = read_regular(path, _BYTES).decode()
    except UnicodeDecodeError:
        raise CaseError(str(path), None, "cannot be read: not UTF-8 text") from None
    except OptionError as error:
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
    if not os.path.lexists(folder):
        return
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:  # no folder, or a loop of links
        refused(CaseError(str(folder), None, f"cannot be read: {error.strerror}"))
        return
    for name in names:
        if name.endswith(".toml"):
            try:
                case = load_case(folder / name)
            except CaseError as error:
                refused(error)
            else:
                yield case


def find_case(
    name: str, folder: Path, refused: Callable[[CaseError], object] = _raised
) -> Case:
    """Return the one case of that file, name or title, or whose name begins so.

    Other files that cannot be read are passed over where `refused` takes their errors.

    Raises `UnknownNameError` if no case fits, `OptionError` if several do.
    """
    if name.endswith(".toml"):
        return load_case(Path(name))
    cases = list(load_corpus(folder, refused))
    fitting = [case for case in cases if name in (case.name, case.title)]
    fitting = fitting or [case for case in cases if case.name.startswith(name)]
    if not fitting:
        titles = [case.title for case in cases if case.title]
        known = [*(case.name for case in cases), *titles]
        raise UnknownNameError("case", name, known, "`oneway corpus show` lists all")
    if len(fitting) > 1:
        names = [case.name for case in fitting]
        listed = ", ".join(names[:_LISTED]) + ", ..." * (len(names) > _LISTED)
        raise OptionError(f"{name!r} is ambiguous, {len(names)} cases fit: {listed}")
    return fitting[0]


_LISTED = 5  # cases that an ambiguous name lists


def save_case(
    case: Case, folder: Path, rule_set: RuleSet | None = None
) -> tuple[Path, bool]:
    """Save a case unless an image of it is there; return its path and if it is new.

    It is saved as its canonical image if `rule_set`, the rules that it names, treats
    the image the same; a verdict always.

    Raises `OptionError` if the corpus cannot be written.
    """
    directory = folder / case.kind
    images = {symmetry: image(case, symmetry) for symmetry in Symmetry}
    for one in images.values():
        path = directory / f"{one.name}.toml"
        if path.exists():
            return path, False
    best = min(Symmetry, key=lambda s: _order(images[s]))
    chosen = images[best] if _treated_alike(case, best, rule_set) else case
    path = directory / f"{chosen.name}.toml"
    make_folder(directory)
    write_whole(path, chosen.to_toml())
    return path, True


def _order(case: Case) -> tuple[int, str]:
    return len(case.position.notation), case.position.notation


def _treated_alike(case: Case, symmetry: Symmetry, rule_set: RuleSet | None) -> bool:
    """Whether the rules do with the image what they do with the case."""
    other = symmetry.position(case.position)
    if case.position == other or not case.rules:
        return True
    if rule_set is None:
        return False
    here = {
        (f.rule, _turned(f.move, symmetry)) for f in rule_set.forbids(case.position)
    }
    return here == {(f.rule, f.move) for f in rule_set.forbids(other)}


def _turned(move: str, symmetry: Symmetry) -> str:
    return LETTERS[symmetry.direction(LETTERS.index(move))]


def image(case: Case, symmetry: Symmetry) -> Case:
    """Return the image of a case under a symmetry, its moves turned along."""
    turned = {move: _turned(move, symmetry) for move in case.moves}
    position = symmetry.position(case.position)
    words = {turned[move]: word for move, word in case.moves.items()}
    return replace(
        case,
        position=position,
        moves={move: words[move] for move in position.options()},
        subject="".join(sorted((turned[m] for m in case.subject), key=LETTERS.index)),
    )


def cases_against(
    folder: Path, refused: Callable[[CaseError], object] = _raised
) -> dict[str, list[Case]]:
    """Return the unsound cases of a corpus by the rule that they accuse.

    A file that cannot be read is passed over where `refused` takes its error.
    """
    found: dict[str, list[Case]] = {}
    for case in _loaded(folder / "unsound", refused):
        found.setdefault(case.accused, []).append(case)
    return found
