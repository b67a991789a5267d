"""What the command says once for a whole run of the server."""

from dataclasses import dataclass
from pathlib import Path

from heuristic.groups import refuse_python, words_of
from solver.errors import OptionError


@dataclass(frozen=True, slots=True)
class Settings:
    """Which rules and position a page begins with, and where files may lie.

    - `folder`: all that is written lies in here, and rule files that pages name.
    - `corpus`: the cases that are shown; new ones are saved here.
    - `position`, `rules`: what a page without an address of its own shows.
    - `files`: rule files that the command named: the only ones outside the folder.
    """

    folder: Path
    corpus: Path
    position: str = "9:"
    rules: str = "seed-2024"
    files: tuple[str, ...] = ()

    def rule_file(self, name: str) -> Path:
        """Return the file of rules that a page means.

        Raises `OptionError` if it is neither one that the command named nor a plain
        name in the folder.
        """
        if name in self.files:
            return Path(name)
        if name.startswith(".") or Path(name).name != name or "\\" in name:
            raise OptionError(f"{name!r} is no file of {self.folder}")
        return self.folder / name

    def named(self, rules: str) -> str:
        """Return names of rules with each file where it lies; see `load_rules`.

        Raises `OptionError` as `rule_file`, or if a Python rule is among them: a page
        must not choose a file to import.
        """
        refuse_python(rules)
        return ",".join(
            str(self.rule_file(word)) if word.endswith(".toml") else word
            for word in words_of(rules)
        )
