"""A server of the laboratory for tests, and a browser if there is one."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from verify.lab.server import cookie_of

ROOT = Path(__file__).parents[2]


@dataclass(slots=True)
class Served:
    """A running `oneway lab`."""

    process: "subprocess.Popen[str]"
    link: str

    @property
    def origin(self) -> str:
        return self.link.partition("/?")[0]

    @property
    def token(self) -> str:
        return self.link.partition("token=")[2]

    @property
    def port(self) -> int:
        return int(self.origin.rpartition(":")[2])

    @property
    def cookie(self) -> str:
        return f"oneway-{self.port}={cookie_of(self.token, self.port)}"

    def end(self) -> None:
        """End the process, if it runs."""
        self.process.terminate()
        self.process.wait(10)
        if self.process.stdout is not None:
            self.process.stdout.close()


def start(
    folder: Path, *more: str, corpus: Path | None = None, tree: Path = ROOT
) -> Served:
    """Start a server that writes into a folder alone, from the packages of a tree."""
    words = ["-m", "verify.start", "lab", *more, "--no-browser"]
    words += ["-o", str(folder / "lab"), "--corpus", str(corpus or folder / "corpus")]
    process = subprocess.Popen(
        [sys.executable, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(tree), "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    link = process.stdout.readline().strip()
    assert link.startswith("http://127.0.0.1:"), link
    return Served(process, link)


@contextmanager
def served(
    folder: Path, *more: str, corpus: Path | None = None, tree: Path = ROOT
) -> Iterator[Served]:
    started = start(folder, *more, corpus=corpus, tree=tree)
    try:
        yield started
    finally:
        started.end()


@contextmanager
def browser() -> Iterator[Any]:
    """Start a browser; skip the test where Playwright or Chromium is missing."""
    api = pytest.importorskip("playwright.sync_api")
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip("no Chromium here")
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path)
        try:
            yield started
        finally:
            started.close()
