"""What `oneway --help` prints: every command with its first line, by panels.

A table of its own, so that the overview imports neither commands nor typer; a test
compares it with the help of each command.
"""

import shutil
import textwrap

ABOUT = """\
A laboratory for Hamiltonian walks on grids: draw a rule, get its verdict, keep the
counterexample.

Start with `oneway demo`. A position is one line of text: 9:RRDD is the 9 x 9 board
after four moves, 7x9@1,1>7,9!2,2: has ends and a wall."""

PANELS = {
    "The four jobs, for your own rules": {
        "prove": "Prove rules for every board size, or refute them, or say what is "
        "open.",
        "verify": "Test rules at positions whose truth is known: what is wrong, what "
        "is missed.",
        "mine": "Hunt for positions in which rules get stuck.",
        "corpus": "Cases: saved counterexamples and gaps, replayed against rules as "
        "they are.",
        "fuzz": "Look for a counterexample on random boards, and shrink it.",
    },
    "Begin here": {
        "demo": "Show what this is for: verdicts of a rule group, a gap, a saved case.",
        "walk": "Walk at random, choosing uniformly among the moves that rules allow.",
        "check": "Say of each move what the oracle knows and which rules forbid it, "
        "and why.",
        "count": "Count completions exactly: of a position, and of every move.",
        "rank": "Print how many complete walks come before a position in left-first "
        "order.",
        "puzzle": "Make puzzles: draw one line through every cell, from the dot to the "
        "ring.",
        "export": "Write a position for other solvers, which say if there is a "
        "completion.",
        "draw": "Draw a position: on the terminal, or into an SVG, PNG or PDF file.",
        "lab": "Open the laboratory in the browser: a board, rules, cases, labyrinths.",
        "warm": "Compile the kernels of the commands used most, so that they do not "
        "wait later.",
    },
    "More about rules": {
        "discover": "Find rules: from the dead moves that a book misses to drawings "
        "that are proved.",
        "stats": "Measure a rule set by random walks: how many are completed before "
        "one is stuck.",
        "report": "Write what is known of rules: on positions, on walks, and proved or "
        "refuted.",
        "milestones": "Walk left first; say when each rule was first needed and where "
        "it got stuck.",
        "selftest": "Compare the oracles with each other on random positions.",
    },
    "What is kept": {
        "rules": "Show the rule book: its groups, or rules with drawing, claim, reason "
        "and origin.",
        "import": "Read rule pictures of the researcher's rule editor as drawings of a "
        "rule file.",
        "proof": "Certificates of proved rules: check them again.",
    },
    "Smaller systems beside": {
        "maze": "The maze without walls. A walker enters from outside and obeys the "
        "letters: S straight on, R turn right, L turn left, U turn back, ? any way; X "
        "and the outside are the end. Can it reach the goal, and in how many moves?",
        "knight": "Knight's tours. A tour is semi-magic if all rows and columns of its "
        "numbers have one sum, 260 on 8 x 8.",
        "path": "PATH, a board game of two players (UVa 601, ZOJ 1255). White joins "
        "the left edge to the right one, Black the top to the bottom, by neighbouring "
        "pieces.",
    },
}
_OPTIONS = {
    "-q, --quiet": "Print answers and what is wrong alone: no progress, no notes.",
    "--version": "Print the version and exit.",
    "--install-completion": "Install completion for the current shell.",
    "--show-completion": "Print the completion for the current shell.",
    "-h, --help": "Print this page, or after a command its help, and exit.",
}
_NARROW, _WIDE, _INDENT = 60, 100, 13  # columns


def overview() -> str:
    """Return the page that names all commands, as wide as the terminal.

    >>> "Count completions exactly" in overview()
    True
    """
    width = min(_WIDE, max(_NARROW, shutil.get_terminal_size().columns))
    parts = ["Usage: oneway COMMAND [ARGUMENTS]"]
    parts += [textwrap.fill(" ".join(p.split()), width) for p in ABOUT.split("\n\n")]
    for title, rows in (PANELS | {"Options": _OPTIONS}).items():
        lines = [f"{title}:"]
        for name, text in rows.items():
            lead = f"  {name:{_INDENT - 2}}"
            if len(name) > _INDENT - 3:
                lines.append(lead)
                lead = " " * _INDENT
            rest = " " * _INDENT
            lines.append(
                textwrap.fill(text, width, initial_indent=lead, subsequent_indent=rest)
            )
        parts.append("\n".join(lines))
    return "\n\n".join(parts)
