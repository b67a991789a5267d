"""The commands of `oneway`, a file each; thin: parse, call, print.

Here are their names and purposes, and the page that `oneway --help` prints. Neither the
commands nor Typer are imported, so the page is printed at once.
"""

ABOUT = """\
A laboratory for Hamiltonian walks on grids: draw a rule, get its verdict, keep
the counterexample.

Start with `oneway demo`. A position is one line of text: 9:RRDD is the 9 x 9
board after four moves, 7x9@1,1>7,9!2,2: has ends and a wall."""

PANELS = {
    "The four jobs, for your own rules": {
        "prove": "Prove rules for every board size, or refute them.",
        "verify": "Test rules at completable positions of boards.",
        "mine": "Hunt for positions in which rules get stuck.",
        "corpus": "Show, replay and add cases: saved counterexamples and gaps.",
        "fuzz": "Search random boards for a counterexample, and shrink it.",
    },
    "Begin here": {
        "demo": "Show verdicts of a rule group, a gap and a saved case.",
        "walk": "Walk at random among the moves that rules allow.",
        "check": "Explain each move of a position: its verdict, and what rules forbid.",
        "count": "Count completions exactly: of a position, and of every move.",
        "draw": "Draw a position: on the terminal, or into an SVG or PNG file.",
        "puzzle": "Print puzzles: draw one line through every cell, from clues.",
        "export": "Write a position as a problem for other solvers.",
        "lab": "Open the laboratory in the browser.",
    },
    "More about rules": {
        "rules": "Show the rule book, or read rules from pictures.",
        "discover": "Discover proved rules for the dead moves that a rule set misses.",
        "stats": "Measure how many random walks a rule set completes.",
        "milestones": "Walk left first and print when each rule was first needed.",
        "report": "Write pages about rules: evidence, walks and verdicts.",
        "proof": "Check the certificates of proved rules.",
        "selftest": "Compare the oracles with each other on random positions.",
    },
    "Related puzzles": {
        "knight": "Make and check knight's tours, above all semi-magic ones.",
        "maze": "Solve and draw mazes without walls.",
        "path": "Judge boards of the game PATH.",
    },
}
MODULES = {"milestones": "stats", "selftest": "demo"}  # others have their own name
OPTIONS = {
    "-q, --quiet": "Print answers and faults only: no progress, no notes.",
    "--version": "Print the version and exit.",
    "--install-completion": "Install completion for the current shell.",
    "--show-completion": "Print the completion for the current shell.",
    "-h, --help": "Print this page or the help of a command, and exit.",
}


def overview() -> str:
    """Return the page of all commands.

    >>> "Count completions exactly" in overview()
    True
    """
    parts = ["Usage: oneway COMMAND [ARGUMENTS]", ABOUT]
    for title, rows in (PANELS | {"Options": OPTIONS}).items():
        wide = max(map(len, rows)) + 2
        lines = [f"  {name:{wide}}{text}" for name, text in rows.items()]
        parts.append("\n".join([f"{title}:", *lines]))
    return "\n\n".join(parts)
