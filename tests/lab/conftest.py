"""A browser, a server and a page of it, for the tests of the pages."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.served import Served, browser, served
from tests.lab.tab import Tab


@pytest.fixture(scope="module")
def chrome() -> Iterator[Any]:
    with browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def lab(chrome: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("lab"), "7:RR", "--rules", "seed-5") as opened:
        yield opened


@pytest.fixture
def tab(chrome: Any, lab: Served) -> Iterator[Tab]:
    opened = Tab(chrome, lab)
    yield opened
    opened.close()
