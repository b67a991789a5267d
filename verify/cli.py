"""The `oneway` command: thin; parses, calls, prints."""


def main() -> None:
    """Run the command."""
    raise SystemExit(2)
