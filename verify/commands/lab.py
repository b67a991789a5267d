"""`oneway lab`: the laboratory in the browser."""

import threading
import webbrowser
from importlib.util import find_spec
from pathlib import Path

from typer import Argument, Option

from heuristic.groups import refuse_python, words_of
from solver.errors import OptionError
from verify.commands import console, options
from verify.commands.exits import set_hint
from verify.corpus.cases import corpus_folder
from verify.lab.shared import Settings, place_of

RULES = ["seed-2024"]
NEEDED = ("markdown_it", "starlette", "tomlkit", "uvicorn", "websockets")


def lab(
    position: str = Argument("9:", help="The first position: 9, or 9:RRDD."),
    rules: options.Rules = RULES,
    port: int | None = options.number(
        None, "Port; default: the last port.", most=65535
    ),
    no_browser: bool = Option(False, "--no-browser", help="Open no browser."),
    corpus: options.Corpus = None,
    output: Path = Option("out/lab", "--output", "-o", help="Folder to write to."),
) -> None:
    """Open the laboratory in the browser.

    Draw a walk and see at every step which moves are dead and which rules forbid what.
    Draw a rule and see its verdict. The server listens on this machine only and answers
    only pages that were opened by the link it prints. Ctrl-C ends it.

    Exit code 2 on bad input, 130 at Ctrl-C.

    \b
    With rules of your choice:
      oneway lab 9:RRDD --rules seed-2024
    Without a browser:
      oneway lab --no-browser --port 8500
    """
    place = options.position_of_text(position)
    place_of(place)  # refuses what is too large for a page
    words = ",".join(rules or ())
    refuse_python(words)
    if words:
        options.read_rules([words])  # refuses unknown names
    if lacking := [name for name in NEEDED if find_spec(name) is None]:
        why = f"the lab needs {lacking[0]}: install oneway with the extra 'lab'"
        raise OptionError(why)
    from verify.lab.server import serve  # imports libraries of the extra

    files = tuple(word for word in words_of(words) if word.endswith(".toml"))
    folder = corpus or corpus_folder()
    settings = Settings(output, folder, place.notation, words, files)

    def started(link: str) -> None:
        console.say(link)
        console.note("Ctrl-C ends the laboratory; an open page waits for the next one")
        if not no_browser:
            threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()

    set_hint("run the same command to restart it; open pages reconnect")
    serve(settings, port, started)
