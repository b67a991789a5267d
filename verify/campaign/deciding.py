"""A hash of what decides results besides the parameters: our code, and rule texts."""

import hashlib
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from heuristic.groups import Names, words_of
from solver.errors import OptionError

_DECIDES = {".py", ".toml"}


def deciding(*modules: str, texts: Iterable[str] = ()) -> str:
    """Return a hash of the sources of modules and packages, and of texts.

    Name what a changed line could change results in: a package stands for all that
    lies in it, rule books too. About a millisecond a hundred files.

    >>> deciding("solver.board") == deciding("solver.board", texts=["one more rule"])
    False
    """
    digest = hashlib.sha256()
    for module in modules:
        found = find_spec(module)
        if found is None or found.origin is None:
            raise OptionError(f"there is no module {module!r}")
        origin = Path(found.origin)
        folder = origin.parent if found.submodule_search_locations else None
        files = sorted(folder.rglob("*")) if folder else [origin]
        for file in files:
            if file.suffix in _DECIDES:
                name = file.relative_to(folder or origin.parent).as_posix()
                source = file.read_bytes()
                digest.update(f"{module} {name} {len(source)}\n".encode())
                digest.update(source)
    for text in texts:
        digest.update(f"text {len(text.encode())}\n{text}".encode())
    return digest.hexdigest()[:16]


def rule_texts(rules: Names) -> list[str]:
    """Return the text of each rule file in what `load_rules` takes.

    Raises
    ------
    OptionError
        If a file cannot be read.
    """
    texts = []
    for word in words_of(rules):
        if word.endswith(".toml") and not word.startswith("-"):
            try:
                texts.append(Path(word).read_text(encoding="utf-8", errors="replace"))
            except OSError as error:
                raise OptionError(f"{word}: {error.strerror}") from None
    return texts
