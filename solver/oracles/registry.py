"""The oracles by name: the one place that lists them.

Nothing is imported here, so that a command can name them in its help at no cost.
"""

# name -> "module:class"; the class takes options as keywords and is an `Oracle`
ORACLES = {
    "auto": "solver.oracles.oracle:AutoOracle",
    "brute": "solver.oracles.brute:BruteOracle",
    "cpsat": "solver.oracles.cpsat:CpsatOracle",
    "frontier": "solver.counting.uniform:FrontierOracle",
    "sat": "solver.oracles.sat:SatOracle",
    "search": "solver.oracles.search:SearchOracle",
    "strips": "solver.oracles.strips:StripsOracle",
}


def listed() -> str:
    """Return the names as a sentence has them.

    >>> listed()
    'auto, brute, cpsat, frontier, sat, search or strips'
    """
    *names, last = sorted(ORACLES)
    return f"{', '.join(names)} or {last}"
