"""A small client of Marionette, the protocol by which Firefox itself lets tests drive it.

Playwright drives a Firefox of its own build only. This one needs nothing but the standard library:
each message is `LENGTH:[0, id, command, parameters]`, each answer `LENGTH:[1, id, error, result]`.
"""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.browser.player import TAKES_TAPS

BROWSERS = ("firefox-esr", "firefox")
PATIENCE = 60.0  # seconds for a start, a page or a condition
PORT = 'user_pref("marionette.port", 0);'  # a free one, which Firefox writes into its profile


def program() -> str | None:
    """Return the Firefox of this computer, or the one named in the variable FIREFOX."""
    return os.environ.get("FIREFOX") or next(filter(None, map(shutil.which, BROWSERS)), None)


class Firefox:
    """A Firefox with a profile of its own, from `with` to the end of the block."""

    def __init__(self, path: str, profile: Path) -> None:
        self._path, self._profile = path, profile
        self._asked = 0
        self._unread = b""

    def __enter__(self) -> Self:
        (self._profile / "user.js").write_text(PORT, encoding="utf-8")
        self._process = subprocess.Popen(
            [self._path, "--headless", "--marionette", "--no-remote", "--profile", self._profile],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(self._profile), "MOZ_CRASHREPORTER_DISABLE": "1"},
        )
        try:
            self._line = self._connect()
            self._read()  # who it is
            self._ask("WebDriver:NewSession")
        except BaseException:
            self._process.kill()
            self._process.wait()
            raise
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._line.close()
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def add_cookie(self, name: str, value: str) -> None:
        """Give the site that is open a cookie."""
        self._ask("WebDriver:AddCookie", cookie={"name": name, "value": value, "path": "/"})

    def open(self, url: str) -> None:
        """Go to a page, and wait until it has loaded."""
        self._ask("WebDriver:Navigate", url=url)

    def reload(self) -> None:
        """Reload the page as its button does: the protocol's own command restores no forms."""
        self.evaluate("window.isOld = true; setTimeout(() => location.reload())")
        self.wait_for("return !window.isOld && document.readyState === 'complete'")

    def back(self) -> None:
        """Go back to the page before."""
        self._ask("WebDriver:Back")

    def evaluate(self, script: str, *arguments: Any) -> Any:
        """Return what the body of a function returns in the page, awaited where it is a promise."""
        asked = {"script": script, "args": arguments, "sandbox": None}
        return self._ask("WebDriver:ExecuteScript", **asked)["value"]

    def wait_for(self, script: str, *arguments: Any) -> Any:
        """Return what a script returns as soon as that is true."""
        return until(lambda: self.evaluate(script, *arguments), script)

    def click(self, selector: str) -> None:
        """Click on an element as a person does, once the page takes clicks."""
        self.wait_for(f"return ({TAKES_TAPS.strip()})()")
        found = self._ask("WebDriver:FindElement", using="css selector", value=selector)
        self._ask("WebDriver:ElementClick", id=next(iter(found["value"].values())))

    def _connect(self) -> socket.socket:
        port_file = self._profile / "MarionetteActivePort"
        port = until(
            lambda: port_file.exists() and port_file.read_text().strip(), "a start of Firefox"
        )
        return socket.create_connection(("127.0.0.1", int(port)), PATIENCE)

    def _ask(self, command: str, **parameters: Any) -> Any:
        self._asked += 1
        message = json.dumps([0, self._asked, command, parameters]).encode()
        self._line.sendall(b"%d:%s" % (len(message), message))
        _kind, _id, error, result = self._read()
        if error:
            raise AssertionError(f"{command}: {error['message']}")
        return result

    def _read(self) -> Any:
        while b":" not in self._unread:
            self._receive()
        length, _colon, self._unread = self._unread.partition(b":")
        while len(self._unread) < int(length):
            self._receive()
        message, self._unread = self._unread[: int(length)], self._unread[int(length) :]
        return json.loads(message)

    def _receive(self) -> None:
        received = self._line.recv(65536)
        assert received, "Firefox has ended"
        self._unread += received


def until(look: Callable[[], Any], what: str) -> Any:
    """Return the first true result of looking again and again."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.05)
    raise AssertionError(f"not within {PATIENCE} s: {what}")
