"""Cases: saved positions with the truth of their moves, and what rules did there.

A case is a small TOML file under ``corpus/<kind>/``, named by its content. Its schema
is in ``corpus/README.md``. Cases that differ by a symmetry are one case.
`verify.corpus.replay` checks a case again.

A case names rules as they were typed, except rule files: their paths are relative to
the corpus folder, with slashes. The text of the files is stored for people, and no
replay uses it. `rules_of` reads only rule files inside the folder that contains the
corpus, and it imports no Python, because a case may come from a stranger.
"""

import hashlib
import json
import os
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from platformdirs import user_data_dir

from heuristic.groups import is_python, load_rules, rule_file, words_of
from heuristic.rule import RuleSet
from solver.board import LETTERS, Position, Symmetry, canonical_position
from solver.errors import (
    CaseError,
    LostRulesError,
    NotationError,
    OnewayError,
    OptionError,
    UnknownNameError,
)
from solver.files import make_folder, read_regular, write_whole

ENVIRONMENT = "ONEWAY_CORPUS"
KINDS = {
    "gap": "the rules allow a dead move of a completable position",
    "unsound": "a rule forbids a completable move",
    "fired": "a rule forbids a dead move of a completable position",
    "stuck": "the rules leave no move, though the board is not full",
    "verdict": "the truth about every move, no rule named",
}
COMPLETABLE, DEAD = "completable", "dead"
EXPECT = {"unsound": "wrong", "gap": "missed", "fired": "fires"}
CAUGHT = "caught"  # the only state
_SUBJECTS = {"gap": DEAD, "fired": DEAD, "unsound": COMPLETABLE}
_CATCHABLE = ("gap", "stuck")
_BYTES = 1 << 20  # of a case file; those that we write have some thousand
_TEXT = 1 << 17  # bytes of all rule files that a case stores
_LISTED = 5  # cases that an ambiguous name lists


@dataclass(frozen=True, slots=True)
class Case:
    """A position, the truth of its moves, and what rules did there.

    - `kind`: one of `KINDS`.
    - `why`: one sentence: why someone saved it.
    - `source`: a command with its seed, or a publication.
    - `moves`: every move of the position, letter to ``completable`` or ``dead``.
    - `rules`: as `load_rules` takes them; the paths of rule files are relative to the
      corpus folder. Empty for `verdict`.
    - `subject`: the moves in question, letters: allowed and dead (gap), forbidden and
      dead (fired), forbidden and completable (unsound).
    - `rule`: the rule among them that forbade the subject.
    - `text`: the text of the rule files when the case was saved.
    - `found`: notation of the original position, if the case is of a smaller one.
    - `expect`: what its rules should continue to do, one of `EXPECT`, or empty.
    - `state`: `CAUGHT` if an accepted replay forbade the dead moves.
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
        """The file name without ending: the board and a hash of the claim."""
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
        """True if all its rules are of the rule book, and none is a file."""
        return not any(map(rule_file, words_of(self.rules)))

    def to_toml(self) -> str:
        """Return the text of the case's file, which `parse_case` reads."""
        lines = []
        for key in ("kind", "title", "why", "source", "position", *_LAST):
            if value := getattr(self, key):
                text = value.notation if key == "position" else value
                lines.append(f"{key} = {_quote(text)}")
        if self.text:
            quoted = [_quote(line)[1:-1] for line in self.text.split("\n")]
            lines += ['text = """', "\n".join(quoted) + '"""']
        lines += ["", "[moves]"]
        lines += [f"{move} = {_quote(word)}" for move, word in self.moves.items()]
        return "\n".join(lines) + "\n"


_LAST = ("rules", "rule", "subject", "expect", "state", "found")
_KEYS = {item.name for item in fields(Case)} - {"path"}
_REQUIRED = ("kind", "why", "source", "position", "moves")


def _quote(text: str) -> str:
    # JSON strings are TOML basic strings, but for DEL, which JSON leaves as it is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def parse_case(text: str, file: str) -> Case:
    """Read a case file's text.

    Raises `CaseError` naming the file, the key and what is wrong with it.
    """
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: a number too long, too
        raise CaseError(file, None, f"no TOML: {error}") from None
    try:
        return _case(data)
    except _KeyError as error:
        raise CaseError(file, *error.args) from None


class _KeyError(Exception):
    """A key of a case, and what is wrong with its value."""


def _case(data: dict[str, Any]) -> Case:
    for key, value in data.items():
        if key not in _KEYS:
            raise _KeyError(key, "an unknown key")
        if not isinstance(value, dict if key == "moves" else str):
            raise _KeyError(key, "moves are a table, all else is text in quotes")
    for key in _REQUIRED:
        value = data.get(key)
        if value is None or (isinstance(value, str) and not value.strip()):
            raise _KeyError(key, "missing or empty")
    position = _position(data["position"], "position")
    if data.get("found"):
        _position(data["found"], "found")
    moves = _moves(data["moves"], position)
    case = Case(**data | {"position": position, "moves": moves})
    if case.kind not in KINDS:
        raise _KeyError("kind", f"{case.kind!r} is none of {', '.join(KINDS)}")
    _check_rules(case)
    _check_records(case)
    _check_subject(case)
    return case


def _position(text: str, key: str) -> Position:
    try:
        return Position.parse(text)
    except NotationError as error:
        raise _KeyError(key, str(error)) from None


def _moves(moves: dict[str, Any], position: Position) -> dict[str, str]:
    options = position.options()
    if set(moves) != set(options):
        wanted = ", ".join(options) or "none"
        raise _KeyError("moves", f"the position's moves are {wanted}")
    for move, word in moves.items():
        if word not in (COMPLETABLE, DEAD):
            why = f"{word!r} is neither 'completable' nor 'dead'"
            raise _KeyError(f"moves.{move}", why)
    return {move: moves[move] for move in options}


def _check_rules(case: Case) -> None:
    if (case.kind == "verdict") == bool(case.rules):
        raise _KeyError("rules", "a verdict names no rules, and every other kind does")
    if case.rules and not all(words_of(case.rules)):
        raise _KeyError("rules", "a name between commas is empty")
    if case.rule and case.kind not in ("unsound", "fired"):
        raise _KeyError("rule", "only unsound and fired name one rule")


def _check_records(case: Case) -> None:
    """Check what people or `--accept` may change."""
    if case.expect and case.expect != EXPECT.get(case.kind):
        why = f"a case of kind {case.kind} takes {EXPECT.get(case.kind, 'none')!r}"
        raise _KeyError("expect", f"{why}, not {case.expect!r}")
    if case.state and (case.state != CAUGHT or case.kind not in _CATCHABLE):
        raise _KeyError("state", f"gap and stuck take {CAUGHT!r}, others have none")
    if case.state and case.expect:
        raise _KeyError("state", "a case that expects something has no state")
    if case.title and not (case.title.isprintable() and len(case.title) <= 60):
        raise _KeyError("title", "more than 60 characters, or not printable")


def _check_subject(case: Case) -> None:
    wanted = _SUBJECTS.get(case.kind)
    if (wanted is None) != (case.subject == ""):
        raise _KeyError("subject", "only gap, fired and unsound name moves")
    for move in case.subject:
        if case.moves.get(move) != wanted:
            raise _KeyError("subject", f"{move!r} is no {wanted} move")
    if len(set(case.subject)) < len(case.subject):
        raise _KeyError("subject", "a move stands in it twice")


def corpus_folder() -> Path:
    """Return the default folder of cases, for commands without `--corpus`.

    The environment variable ``ONEWAY_CORPUS`` names it; else it is the corpus of a
    checkout, else a folder of the user's data.
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
    except (OptionError, UnicodeDecodeError) as error:
        raise CaseError(str(path), None, f"cannot be read: {error}") from None
    return replace(parse_case(text, str(path)), path=path)


def _raised(error: CaseError) -> None:
    raise error


def load_corpus(
    folder: Path,
    refused: Callable[[CaseError], object] = _raised,
    kinds: Iterable[str] = KINDS,
) -> Iterator[Case]:
    """Read all cases of a corpus, by kind and name.

    `refused` gets the error of an unreadable file; by default it raises the error.
    """
    for kind in kinds:
        inner = folder / kind
        try:
            names = sorted(os.listdir(inner)) if os.path.lexists(inner) else []
        except OSError as error:  # no folder, or a loop of links
            refused(CaseError(str(inner), None, f"cannot be read: {error.strerror}"))
            continue
        for name in names:
            if name.endswith(".toml"):
                try:
                    case = load_case(inner / name)
                except CaseError as error:
                    refused(error)
                else:
                    yield case


def cases_against(
    folder: Path, refused: Callable[[CaseError], object] = _raised
) -> dict[str, list[Case]]:
    """Return the unsound cases by the rule that they accuse; see `load_corpus`."""
    cases: dict[str, list[Case]] = {}
    for case in load_corpus(folder, refused, ["unsound"]):
        cases.setdefault(case.accused, []).append(case)
    return cases


def find_case(
    name: str, folder: Path, refused: Callable[[CaseError], object] = _raised
) -> Case:
    """Return the case with a file, a name, a title, or a beginning of its name.

    Raises `UnknownNameError` if no case fits, `OptionError` if several do.
    """
    if name.endswith(".toml"):
        return load_case(Path(name))
    cases = list(load_corpus(folder, refused))
    fitting = [case for case in cases if name in (case.name, case.title)]
    fitting = fitting or [case for case in cases if case.name.startswith(name)]
    if not fitting:
        names = [word for case in cases for word in (case.name, case.title) if word]
        raise UnknownNameError("case", name, names, "`oneway corpus show` lists all")
    if len(fitting) > 1:
        first = ", ".join(case.name for case in fitting[:_LISTED])
        what = f"{name!r} is ambiguous, {len(fitting)} cases fit"
        raise OptionError(f"{what}, the first are {first}")
    return fitting[0]


def save_case(
    case: Case, folder: Path, rule_set: RuleSet | None = None
) -> tuple[Path, bool]:
    """Save a case unless the corpus has an image of it; return path and novelty.

    The canonical image is saved if `rule_set`, the rules of the case, treats the image
    the same way. A verdict has no rules, so its canonical image is always saved.

    Raises `OptionError` if the corpus cannot be written.
    """
    directory = folder / case.kind
    images = {symmetry: image(case, symmetry) for symmetry in Symmetry}
    for other in images.values():
        path = directory / f"{other.name}.toml"
        if path.exists():
            return path, False
    canonical = canonical_position(case.position)
    best = next(s for s in Symmetry if images[s].position == canonical)
    chosen = images[best] if _same_there(case, best, rule_set) else case
    path = directory / f"{chosen.name}.toml"
    make_folder(directory)
    write_whole(path, chosen.to_toml())
    return path, True


def _same_there(case: Case, symmetry: Symmetry, rule_set: RuleSet | None) -> bool:
    other = symmetry.position(case.position)
    if case.position == other or not case.rules:
        return True
    if rule_set is None:
        return False
    here, there = rule_set.forbids(case.position), rule_set.forbids(other)
    turned = {(f.rule, _turned(f.move, symmetry)) for f in here}
    return turned == {(f.rule, f.move) for f in there}


def _turned(move: str, symmetry: Symmetry) -> str:
    return LETTERS[symmetry.direction(LETTERS.index(move))]


def image(case: Case, symmetry: Symmetry) -> Case:
    """Return the image of a case under a symmetry, moves included."""
    position = symmetry.position(case.position)
    words = {_turned(move, symmetry): word for move, word in case.moves.items()}
    subject = {_turned(move, symmetry) for move in case.subject}
    return replace(
        case,
        position=position,
        moves={move: words[move] for move in position.options()},
        subject="".join(sorted(subject, key=LETTERS.index)),
    )


class Origin(NamedTuple):
    """The `rules` and the `text` of a case."""

    rules: str
    text: str = ""


def origin_of(rules: str, folder: Path) -> Origin:
    """Return the origin of rules for a case of the corpus `folder`; never fails.

    For a file that is unreadable or too large the text has a comment instead.

    >>> origin_of("seed-5,-c-shape", Path("cases"))
    Origin(rules='seed-5,-c-shape', text='')
    """
    words, texts, left = [], list[str](), _TEXT
    for word in words_of(rules):
        file = rule_file(word)
        if file is None:
            words.append(word)
            continue
        path = Path(os.path.relpath(file, folder)).as_posix()
        _, colon, function = word.rpartition(".py:")
        words.append(f"{path}:{function}" if colon else path)
        try:
            data = read_regular(file, left)
            texts.append(f"# {path}\n{data.decode()}")
            left -= len(data)
        except (OptionError, UnicodeDecodeError):
            texts.append(f"# {path}: not stored, not readable or too large\n")
    return Origin(",".join(words), "\n".join(texts))


def rules_of(case: Case) -> RuleSet:
    """Return the rules that a case names, as they are now.

    Raises `LostRulesError` if a rule file is lost, broken, not a regular file, or
    outside the folder that contains the corpus; if a rule is written in Python; or if
    the book has no rule of that name.
    """
    for word in words_of(case.rules):
        if is_python(word):
            raise LostRulesError(f"{word} is a Python rule, which only --rules imports")
    corpus = case.path.absolute().parent.parent if case.path else None
    try:
        return load_rules(case.rules, lambda word: _rule_path(word, corpus))
    except LostRulesError:
        raise
    except OnewayError as error:
        raise LostRulesError(str(error)) from None


def _rule_path(word: str, corpus: Path | None) -> Path:
    if corpus is None:
        return Path(word)
    path = Path(os.path.normpath(corpus / word))
    try:
        inside = path.resolve().is_relative_to(corpus.parent.resolve())
    except (OSError, ValueError, RuntimeError):  # a zero in it; a loop of links
        return path  # the reader of rule files reports the fault
    if not inside:
        why = "lies outside the folder that contains the corpus; name it with --rules"
        raise LostRulesError(f"{path} {why}")
    if not os.path.lexists(path):
        raise LostRulesError(f"there is no rule file {path}")
    return path
