"""Words that tables, pages and commands share."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "case"), counted(1200, "case")
    ('1 case', '1,200 cases')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"
