"""`oneway lab`: the laboratory in the browser."""

from pathlib import Path

from solver.errors import OptionError
from verify.commands import console, options
from verify.commands.console import joined, note, say
from verify.commands.options import argument, flag, option

FOLDER = Path("out/lab")
RULES = ["seed-2024"]


def lab(
    position: str = argument("The position of the first page: 9, or 9:RRDD.", "9:"),
    rules: options.Rules = RULES,
    port: int | None = option(
        "", "Port on this machine; else the last one, or any.", None, min=0, max=65535
    ),
    no_browser: bool = flag("--no-browser", "Print the link and open no browser."),
    output: Path = option("--output -o", "Folder for all that pages write.", FOLDER),
    corpus: options.Corpus = None,
) -> None:
    """Open the laboratory in the browser: a board, rules, cases, labyrinths.

    Draw a walk and see at every step which moves are dead and which rules forbid what.
    Draw a rule and see its verdict. The server listens on this machine alone and
    answers only who opens the link it prints. Ctrl-C ends it.

    Exit code 2 on bad input, 130 at Ctrl-C.

    Try: oneway lab 9:RRDD --rules seed-2024

    On a machine without a browser: oneway lab --no-browser --port 8500
    """
    from heuristic.groups import load_rules, refuse_python, words_of
    from verify.commands.ending import going_on
    from verify.corpus.cases import corpus_folder
    from verify.lab.places import Settings, place_of
    from verify.lab.server import missing, serve

    named = joined(rules)
    place = console.parse_line("", position)
    place_of(place)  # refuses what is too large for a page
    refuse_python(named)
    if rules:
        load_rules(named)  # refuses unknown names
    if lacking := missing():
        why = f"the lab needs {lacking}: install oneway with the extra 'lab'"
        raise OptionError(why)
    files = tuple(word for word in words_of(named) if word.endswith(".toml"))
    settings = Settings(output, corpus or corpus_folder(), place.notation, named, files)

    def started(link: str) -> None:
        say(link)
        note("Ctrl-C ends the laboratory; an open page waits for the next one")
        if not no_browser:
            import threading
            import webbrowser

            threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()

    going_on("the same line starts the laboratory again, for open pages too")
    serve(settings, port, started)
