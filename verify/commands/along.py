"""`oneway verify --along`: drawn rules along complete walks, told."""

from verify.commands.console import emit, say, table
from verify.commands.running import How, conduct
from verify.words import counted


def along_walks(
    how: How, words: list[str], asked: tuple[int, int, int], as_json: bool
) -> bool:
    """Ask rules along complete walks and tell; True if none was wrong.

    `asked` are walks, the longest side, and the seed.
    """
    from dataclasses import asdict

    from verify.trial.completed import completed_walks

    count, side, seed = asked
    parameters = {"rules": words, "count": count, "side": side, "seed": seed}
    found = conduct(completed_walks, parameters, how)
    wrong = {name: times for name, times in found.wrong.items() if times}
    if as_json:
        emit(asdict(found))
        return not wrong
    rows = [
        [name, f"{found.fired[name]:,}", f"{times:,}"]
        for name, times in found.wrong.items()
    ]
    title = f"Along {found.walks:,} complete walks up to {side} x {side}"
    table(title, ["rule", "fired at", "wrong at"], rows)
    say(
        f"{found.walks:,} walks, {found.walled:,} of them among walls; "
        f"{found.steps:,} steps; {counted(len(wrong), 'rule')} wrong"
    )
    if found.example:
        say(f"the first: {found.example}")
    return not wrong
