"""What the command imports before it works: nothing that it does not use."""

from pathlib import Path

import pytest
import typer

from tests.bench import start
from tests.runner import python
from verify.commands import PANELS
from verify.start import whole_app

HEAVY = {"numba", "ortools", "networkx", "reportlab", "resvg_py", "hypothesis"}
CODE = """
import sys
from verify.start import main
sys.argv = ["oneway", *{words}]
try:
    main()
except SystemExit as leave:
    assert leave.code in (None, 0, 1), leave.code
sys.stderr.write(" ".join(sorted({heavy} & set(sys.modules))))
"""


@pytest.mark.parametrize(
    ("words", "more"),
    [
        ("--help", {"typer", "rich", "numpy", "pysat"}),
        ("--version", {"typer", "rich", "numpy", "pysat"}),
        ("draw 7:RRD", {"pysat", "rich"}),
        ("draw 7:RRD --witness", {"rich"}),
        ("check 5:RD", {"rich", "verify.proof.prove"}),
        ("check 21:RRDD --rules universal-4", {"rich"}),
        ("check 7:RRDRURDDLD --rules seed-2024", {"rich"}),
        ("prove c-shape near-border-side", {"rich"}),
    ],
)
def test_a_light_command_imports_nothing_heavy(words: str, more: set[str]) -> None:
    done = python(CODE.format(words=words.split(), heavy=HEAVY | more))
    assert (done.returncode, done.stderr) == (0, "")


def test_a_command_imports_no_other() -> None:
    others = {f"verify.commands.{name}" for name in NAMES}
    done = python(CODE.format(words=["draw", "3:RRDLLDRR"], heavy=others))
    assert done.stderr == "verify.commands.draw"


NAMES = [name for panel in PANELS.values() for name in panel]


def test_the_overview_has_every_command_with_its_first_line() -> None:
    whole: object = typer.main.get_command(whole_app())
    commands = getattr(whole, "commands")  # noqa: B009 # of click's or typer's group
    assert sorted(commands) == sorted(NAMES)
    for panel, rows in PANELS.items():
        for name, text in rows.items():
            assert " ".join(commands[name].help.split("\n\n")[0].split()) == text
            assert commands[name].rich_help_panel == panel


@pytest.mark.slow
def test_after_warm_the_commands_of_the_page_compile_nothing(tmp_path: Path) -> None:
    start.write_files(tmp_path)
    start.ran("demo --warm", tmp_path, tmp_path / "cache")
    for line in ["stats 9 --rules found-13 -n 20", *start.BEFORE, *start.LINES]:
        *_, printed = start.ran(line, tmp_path, tmp_path / "cache")
        assert "compiling" not in printed, line
