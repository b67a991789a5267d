"""How large the project is: `make size`, which runs `python -m tests.size`.

Lines are counted with comments and blank lines, of the files that git tracks; product
lines are those of Python in `solver`, `heuristic` and `verify`. A command is one that
can be typed: `oneway corpus add` counts, the group `corpus` does not.
"""

import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

PRODUCT = ("solver", "heuristic", "verify")
ROOT = Path(__file__).resolve().parent.parent


def tracked_files(root: Path = ROOT) -> list[Path]:
    """Return the files that git tracks and that are there, relative to the root.

    A checkout without git has no such list; then `subprocess.CalledProcessError`.
    """
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True
    ).stdout
    names = listed.decode("utf-8", "surrogateescape").split("\0")
    return [Path(name) for name in names if name and (root / name).is_file()]


def line_count(root: Path, path: Path) -> int:
    return len((root / path).read_text(encoding="utf-8").splitlines())


def commands(group: Any, before: str = "") -> dict[str, Any]:
    """Return all commands below a click group by their names, as they are typed."""
    inner: dict[str, Any] | None = getattr(group, "commands", None)
    if inner is None:
        return {before: group}
    return {
        name: found
        for word, command in inner.items()
        for name, found in commands(command, f"{before} {word}".strip()).items()
    }


def room_of(path: Path) -> str:
    """Return a file's room, two folders deep: `verify/proof`."""
    return "/".join(path.parts[:-1][:2])


def figures(root: Path = ROOT) -> dict[str, int]:
    """Return the figures that `make size` prints, by their names."""
    import typer

    from verify.cli import app

    files = tracked_files(root)
    python = [path for path in files if path.suffix == ".py"]
    product = [path for path in python if path.parts[0] in PRODUCT]
    tests = [path for path in python if path.parts[0] == "tests"]
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    return {
        "product lines of Python": sum(line_count(root, path) for path in product),
        "modules": len(product),
        "files in the repository": len(files),
        "commands": len(commands(typer.main.get_command(app))),
        "test lines": sum(line_count(root, path) for path in tests),
        "branch coverage floor, %": settings["tool"]["coverage"]["report"][
            "fail_under"
        ],
    }


def rooms(root: Path = ROOT) -> list[tuple[str, int, int]]:
    """Return each room of the product, its modules and its lines, largest first."""
    modules: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for path in tracked_files(root):
        if path.suffix == ".py" and path.parts[0] in PRODUCT:
            modules[room_of(path)] += 1
            lines[room_of(path)] += line_count(root, path)
    return [(room, modules[room], total) for room, total in lines.most_common()]


def main() -> int:
    """Print the figures; with `--rooms`, also those of each room."""
    for name, figure in figures().items():
        print(f"{name:28}{figure:>8,}")
    if "--rooms" in sys.argv[1:]:
        print(f"\n{'room':28}{'lines':>8}{'modules':>9}")
        for room, modules, total in rooms():
            print(f"{room:28}{total:>8,}{modules:>9}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
