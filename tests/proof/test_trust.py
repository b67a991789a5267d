"""What the page on trust says of the checker's size is so."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/explanation/trust.md"
CHECKER = ROOT / "verify/checker"


def sizes(path: Path) -> tuple[int, int]:
    """Return the lines of a module, and those without comments and docstrings."""
    text = path.read_text()
    told: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
            first = node.body[0] if node.body else None
            value = first.value if isinstance(first, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                told.update(range(value.lineno, (value.end_lineno or 0) + 1))
    lines = text.splitlines()
    code = [
        line
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.strip().startswith("#") and number not in told
    ]
    return len(lines), len(code)


def test_the_page_on_trust_tells_each_module_and_its_lines() -> None:
    page = PAGE.read_text()
    rows = re.findall(r"^\| `(\w+)` \|.*\| (\d+), (\d+) \|$", page, re.MULTILINE)
    told = {name: (int(lines), int(code)) for name, lines, code in rows}
    assert told == {name: sizes(CHECKER / f"{name}.py") for name in told}
    lines, code = (sum(one[i] for one in told.values()) for i in (0, 1))
    assert f"{lines:,} lines, {code:,} of them code" in page
    others = {path.stem for path in CHECKER.glob("*.py")} - {"__init__", *told}
    assert others == {"dead", "graph", "static", "position", "reason"}
    for name in others - {"dead", "graph", "static"}:  # these three stand together
        assert f"`{name}` ({sizes(CHECKER / f'{name}.py')[0]} lines)" in page
    dead = [str(sizes(CHECKER / f"{name}.py")[0]) for name in ("dead", "graph")]
    size = sizes(CHECKER / "static.py")[0]
    assert f"({', '.join(dead)} and {size} lines)" in page
    both = sum(told[name][0] for name in ("family", "chain"))
    assert f"{both} lines for all distances" in page
