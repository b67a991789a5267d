"""Where the command begins: so little is imported that Ctrl-C is heard at once."""

from verify.commands.ending import ended
from verify.commands.streams import prepare_streams


def _run() -> int:
    from verify.cli import run

    return run()


def main() -> None:
    """Run `oneway`; what it is made of is imported where Ctrl-C leaves no traceback."""
    prepare_streams()
    raise SystemExit(ended(_run))


if __name__ == "__main__":
    main()
