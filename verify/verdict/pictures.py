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
from verify.formatting import counted
from verify.verdict.implied import Laid, forms


@dataclass(frozen=True, slots=True)
class Read:
    """One picture: the rule that was read, or why there is none.

    - `same_as`: the rule of an earlier picture that asks exactly the same; then it is
      that one.
    """

    file: str
    found: Imported | None = None
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
    results: list[Read] = []
    names: dict[frozenset[Laid], str] = {}
    for path in files:
        several: Sequence[Facts | None] = [facts] if isinstance(facts, Facts) else []
        if facts and not isinstance(facts, Facts):
            several = facts.get(path.stem, [])
        origin = f"{source}/{path.name}" if source else path.name
        for number, known in enumerate(several or [None], 1):
            end = f"-{number}" if number > 1 else ""
            try:
                if known and known.unread:
                    raise PictureError(path.name, known.unread)
                rule = import_rule(
                    load_picture(path),
                    path.stem,
                    origin,
                    prefix=prefix,
                    facts=known,
                    end=end,
                )
                if rule.rule.name in names.values():
                    why = f"another picture's rule is called {rule.rule.name!r}"
                    raise PictureError(path.name, why)
            except PictureError as error:
                results.append(Read(path.name, error=error))
                continue
            asked = forms(rule.rule)
            results.append(Read(path.name, rule, same_as=names.get(asked, "")))
            names.setdefault(asked, rule.rule.name)
    return results


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
