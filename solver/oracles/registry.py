"""The oracles by name: the one place that lists them.

Nothing is imported here, so that a command can name them in its help at no cost.
"""

AUTO = "auto"  # asks others: `solver.oracles.oracle.AutoOracle`
# name -> "module:class"; the class takes options as keywords and is an `Oracle`
ORACLES = {
    "brute": "solver.oracles.brute:BruteOracle",
    "cpsat": "solver.oracles.cpsat:CpsatOracle",
    "frontier": "solver.counting.uniform:FrontierOracle",
    "sat": "solver.oracles.sat:SatOracle",
    "search": "solver.oracles.search:SearchOracle",
    "strips": "solver.oracles.strips:StripsOracle",
}


def names() -> list[str]:
    """Return the names of all oracles, sorted."""
    return sorted([AUTO, *ORACLES])


def listed() -> str:
    """Return the names as a sentence has them.

    >>> listed()
    'auto, brute, cpsat, frontier, sat, search or strips'
    """
    *others, last = names()
    return f"{', '.join(others)} or {last}"
