"""Where the command begins: so little is imported that Ctrl-C is heard at once."""

import os
import sys

from verify.commands.ending import ended
from verify.commands.streams import prepare_streams


def _run() -> int:
    if sys.argv[1:] == ["--version"]:
        from solver import __version__

        sys.stdout.write(f"oneway {__version__}\n")
        return 0
    asked = "_ONEWAY_COMPLETE" not in os.environ  # else a shell completes a line
    if asked and sys.argv[1:] in ([], ["-h"], ["--help"]):
        from verify.overview import overview

        sys.stdout.write(f"{overview()}\n")
        return 0 if sys.argv[1:] else 2
    from verify.cli import run

    return run()


def main() -> None:
    """Run `oneway`; what it is made of is imported where Ctrl-C leaves no traceback."""
    prepare_streams()
    raise SystemExit(ended(_run))


if __name__ == "__main__":
    main()
