"""What is slow to make and never changes is made once."""

from collections.abc import Iterator
from functools import cache
from unittest.mock import patch

import pytest


@pytest.fixture(scope="session")
def book_once() -> Iterator[None]:
    """Lay the drawings of the book once, not for every table of pictures."""
    from verify.verdict import report

    with patch.object(report, "KnownRules", cache(report.KnownRules)):
        yield
