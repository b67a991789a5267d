"""The server of `oneway lab`: a socket of this machine alone, and how it is served."""

import json
import secrets
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen

from solver.errors import OptionError
from solver.files import make_folder
from verify.lab.places import Settings

KEPT = ".server.json"  # in the folder: so that an open page finds a server started anew
WS_BYTES = 8_000_000
NEEDED = ("starlette", "tomlkit", "uvicorn", "websockets")


def check_installed() -> None:
    """Raise `OptionError` if a library of the extra `lab` is not installed."""
    for name in NEEDED:
        if find_spec(name) is None:
            why = f"the lab needs {name}: install oneway with the extra 'lab'"
            raise OptionError(why)


def open_socket(port: int | None, last: int) -> socket.socket:
    """Return a listening socket of this machine alone.

    - `port`: the port wanted; None takes the last one if it is free, else any.

    Raises `OptionError` if the port wanted is taken.
    """
    for wanted in [port] if port is not None else [last, 0]:
        # said in full: asyncio sends small messages at once on such sockets alone
        found = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind(("127.0.0.1", wanted))
            found.listen(128)
        except OSError as error:
            found.close()
            if port is not None:
                why = error.strerror or str(error)
                raise OptionError(f"port {port} cannot be used: {why}") from None
        else:
            return found
    raise OptionError("no port of this machine is free")


def remembered(folder: Path) -> tuple[str, int]:
    """Return token and port of the last server in a folder, or new ones."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        path = folder / KEPT
        if not path.is_symlink() and path.stat().st_mode & 0o077 == 0:
            kept = json.loads(path.read_text(encoding="utf-8"))
            token, port = str(kept["token"]), int(kept["port"])
            if len(token) >= 32 and 0 < port < 65536:
                return token, port
    return secrets.token_urlsafe(24), 0


def remember(folder: Path, token: str, port: int) -> None:
    """Keep token and port for the next server; for nobody else's eyes."""
    path = folder / KEPT
    with suppress(OSError):
        path.unlink(missing_ok=True)
        path.touch(mode=0o600)
        path.write_text(json.dumps({"token": token, "port": port}), encoding="utf-8")


class EarlyProcess:
    """The process that says what is true while workers load; see `verify.lab.early`."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "verify.lab.early"]
        self._process = Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        self._turn = threading.Lock()

    def ask(self, data: bytes) -> bytes:
        """Return a reply; empty if there is none, or the process is gone."""
        said, out = self._process.stdin, self._process.stdout
        with self._turn, suppress(OSError, ValueError):
            if said and out and self._process.poll() is None:
                said.write(data.replace(b"\n", b" ") + b"\n")
                said.flush()
                return out.readline().strip()
        return b""

    def kill(self) -> None:
        """End it; who waits for it is given nothing."""
        self._process.kill()
        with self._turn:
            self._process.communicate()


def serve(settings: Settings, port: int | None, started: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; `started` is given the link that opens the first page.

    Raises `OptionError` if the port is taken, or the folder cannot be written.
    """
    make_folder(settings.folder)
    token, last = remembered(settings.folder)
    with open_socket(port, last) as listening:
        number = int(listening.getsockname()[1])
        remember(settings.folder, token, number)
        first = EarlyProcess()
        started(f"http://127.0.0.1:{number}/?token={token}")
        # the browser starts meanwhile, and waits at the socket
        import uvicorn

        from verify.lab.app import application
        from verify.lab.guard import PromptProtocol

        config = uvicorn.Config(
            application(settings, token, number, first),
            http=PromptProtocol,
            ws="websockets-sansio",
            ws_max_size=WS_BYTES,
            access_log=False,  # it would print the token
            log_level="error",
            timeout_graceful_shutdown=1,
        )
        uvicorn.Server(config).run(sockets=[listening])
