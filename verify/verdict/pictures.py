"""Rule pictures of the researcher's editor, read into one rule file.

Two pictures are the same when they ask the same things for the same moves in all
placements (`verify.verdict.implied.forms`); the drawing is written once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from heuristic.pictures.picture import load_picture
from heuristic.pictures.rule import Facts, Imported, import_rule
from solver.errors import PictureError
from verify.verdict.implied import Laid, forms
from verify.words import counted


@dataclass(frozen=True, slots=True)
class Read:
    """One picture: the rule that was read, or why there is none.

    - `error`: why there is no rule.
    - `same_as`: the rule of an earlier picture that asks exactly the same; then it is
      that one.
    """

    file: str
    found: Imported | None
    error: PictureError | None = None
    same_as: str = ""


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
    origin = f"{source}/{path.name}" if source else path.name
    try:
        picture = load_picture(path)
        one = import_rule(
            picture, path.stem, origin, prefix=prefix, facts=facts, end=end
        )
        if one.rule.name in seen.values():
            why = f"another picture's rule is called {one.rule.name!r}"
            raise PictureError(path.name, why)
    except PictureError as error:
        return Read(path.name, None, error)
    asked = forms(one.rule)
    same = seen.get(asked, "")
    seen.setdefault(asked, one.rule.name)
    return Read(path.name, one, same_as=same)


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
