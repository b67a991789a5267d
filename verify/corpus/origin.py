"""Where the rules of a case come from, and how they are found again.

A case names rules as they were typed, but for rule files: their paths are relative to
the corpus folder and written with slashes. The text of the files is stored too, so that
people can see what was saved; it is never asked.

`rules_of` reads only rule files inside the folder that holds the corpus, and imports no
Python: a case may come from a stranger.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from heuristic.groups import load_rules, rule_file, words_of
from heuristic.python_rule import is_python
from heuristic.rule import RuleSet
from solver.errors import LostRulesError, OnewayError, OptionError
from solver.files import read_regular
from verify.corpus.cases import Case

_TEXT = 1 << 17  # bytes of all rule files that a case stores


@dataclass(frozen=True, slots=True)
class Origin:
    """Where rules come from, as a case stores it.

    - `rules`: the words, paths of rule files relative to the corpus folder.
    - `text`: the text of the files; empty for rules of the book.
    """

    rules: str
    text: str = ""


def origin_of(rules: str, folder: Path) -> Origin:
    """Return the origin of rules for a case of the corpus `folder`; never fails.

    A file that cannot be read, or that is too large to be stored, leaves a line that
    says so.

    >>> origin_of("seed-5,-c-shape", Path("cases"))
    Origin(rules='seed-5,-c-shape', text='')
    """
    words, texts, left = [], list[str](), _TEXT
    for word in words_of(rules):
        file = rule_file(word)
        if file is None:
            words.append(word)
            continue
        path = _relative(file, folder)
        _, colon, function = word.rpartition(".py:")
        words.append(f"{path}:{function}" if colon else path)
        try:
            data = read_regular(file, left)
            texts.append(f"# {path}\n{data.decode()}")
            left -= len(data)
        except (OptionError, UnicodeDecodeError):
            texts.append(f"# {path}: not stored, not readable or too large\n")
    return Origin(",".join(words), "\n".join(texts))


def _relative(file: Path, folder: Path) -> str:
    here, there = os.path.abspath(file), os.path.abspath(folder)
    try:
        return Path(os.path.relpath(here, there)).as_posix()
    except ValueError:  # another drive
        return Path(here).as_posix()


def rules_of(case: Case) -> RuleSet:
    """Return the rules that a case names, as they are now.

    Raises `LostRulesError` if they cannot be asked: a rule file is lost, broken, not a
    regular file, or above the folder that holds the corpus; a rule is written in
    Python; or the book has no rule of that name.
    """
    for word in words_of(case.rules):
        if is_python(word):
            raise LostRulesError(f"{word} is a Python rule, which only --rules imports")
    try:
        return load_rules(case.rules, lambda word: _found(word, case.folder))
    except LostRulesError:
        raise
    except OnewayError as error:
        raise LostRulesError(str(error)) from None


def _found(word: str, folder: Path | None) -> Path:
    """Return the rule file of a word, inside the folder that holds the corpus."""
    if folder is None:
        return Path(word)
    path = Path(os.path.normpath(folder / word))
    try:
        inside = path.resolve().is_relative_to(folder.parent.resolve())
    except (OSError, ValueError, RuntimeError):  # a zero in it; a loop of links
        inside = True  # the reader of rule files says what is wrong
    if not inside:
        why = "lies outside the folder that holds the corpus; name it with --rules"
        raise LostRulesError(f"{path} {why}")
    if "\0" not in word and not os.path.lexists(path):
        where = f"{word} seen from {folder}"
        raise LostRulesError(f"there is no rule file {path} ({where})")
    return path
