"""`oneway warm`: compile the kernels of all commands at once."""

import typer

from verify.commands.console import progress_bar, say, warn

LINES = (  # each is run in a small case; those that compile longest stand in front
    "walk 21 --exact --seed 1",
    "stats 9 --rules universal-4 -n 10",
    "verify seed-5 5 --ways",
    "verify seed-5 9 -n 20",
    "mine 9 --rules universal-4 -n 5",
    "stats 9 --rules seed-2024 -n 10",
    "check --blame 7:RRDRURDDLDLU",
    "check 25:RRDD --rules seed-5,universal-4 --oracle search",
    "milestones 7 --rules seed-7 -n 1000",
    "discover 5 -o book.toml",
    "prove c-shape",
    "count 9:RRDD",
    "rank 9:RRDD",
    "walk 9 --uniform",
    "walk 9 --rules seed-9-future",
    "knight tour 8",
    "knight tour 5x4 --how-many",
    "knight symmetric",
    "knight symmetric 12",
    "knight estimate --start c3",
    "selftest maze -n 20",
    "selftest path -n 20",
)


def warm() -> None:
    """Compile the kernels of all commands, so that no command waits for it later.

    Runs a small case of each, as many side by side as there are processors. What is
    compiled lies in the user's cache folder; a second run finds it there.

    Exit code 1 if a command failed.

    Try: oneway warm
    """
    import os
    import subprocess
    import sys
    from concurrent.futures import ThreadPoolExecutor
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder, progress_bar() as bar:
        task = bar.add_task("commands", total=len(LINES))

        def run(line: str) -> bool:
            words = [sys.executable, "-m", "verify.start", "-q", *line.split()]
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
            bar.advance(task)
            failed = done.returncode not in (0, 1)
            if failed:
                warn(f"{line}: {(done.stderr.splitlines() or ['no word of why'])[-1]}")
            return failed

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            failed = sum(pool.map(run, LINES))
    say(f"compiled: {len(LINES) - failed} of {len(LINES)} commands")
    raise typer.Exit(1 if failed else 0)
