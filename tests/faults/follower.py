"""A phone that looks on: it is told of changes, or asks every two seconds, and loads the page."""

import contextlib
import http.client
import socket
import threading
import time

from tests.faults.phone import PATIENCE, Phone, Unanswered

ASK = 2.0  # seconds between two looks of a phone that no stream was free for


class Follower(threading.Thread):
    """Follows one page after the other until it is stopped; notes when it showed which version."""

    def __init__(self, phone: Phone) -> None:
        super().__init__(daemon=True)
        self.phone = phone
        self.pages: list[float] = []
        self.errors: list[str] = []
        self.shown: list[tuple[str, int, float]] = []  # game, version, when
        self.is_told = False
        self._path, self._game, self._tag, self._version = "", "", "", 0
        self._changed = threading.Event()
        self._stopped = False
        self._stream: http.client.HTTPConnection | None = None

    def follow(self, path: str, game: str) -> None:
        """Follow another page of a game from now on."""
        self._path, self._game, self._tag, self._version = path, game, "", 0
        self._changed.set()
        self._hang_up()

    def knows(self, version: int) -> None:
        """Note that the page shows a version already, as it made the change."""
        self._version = version

    def stop(self) -> None:
        """Follow nothing any more."""
        self._stopped = True
        self._changed.set()
        self._hang_up()

    def run(self) -> None:
        """Follow."""
        self._changed.wait()
        while not self._stopped:
            self._changed.clear()
            try:
                self._load()
                self._listen()
            except (Unanswered, OSError, http.client.HTTPException, ValueError) as wrong:
                if not self._changed.is_set():
                    self.errors.append(f"{self._path[:7]}: {wrong!r}")
                    time.sleep(ASK)
        self.phone.close()

    def _load(self) -> None:
        path, game = self._path, self._game
        answer = self.phone.refresh(path, self._tag)
        self.pages.append(answer.seconds)
        if answer.status == 200:
            self._tag, self._version = answer.tag, answer.version
            self.shown.append((game, answer.version, time.monotonic()))
        elif answer.status != 304:
            self.errors.append(f"{path[:7]}: {answer.said}")

    def _listen(self) -> None:
        self._stream = stream = http.client.HTTPConnection(self.phone.host, timeout=PATIENCE)
        try:
            stream.request("GET", f"{self._path}/events", headers={"Cookie": self.phone.cookie})
            answer = stream.getresponse()
            self.is_told = answer.status == 200
            if answer.status == 503:
                self._ask_often()
            elif answer.status != 200:
                self.errors.append(f"{self._path[:7]}: a stream answered {answer.status}")
            while not self._changed.is_set() and (line := answer.readline()):
                if line.startswith(b"id:") and int(line[3:]) > self._version:
                    self._load()
        finally:
            stream.close()

    def _ask_often(self) -> None:
        while not self._changed.wait(ASK):
            self._load()

    def _hang_up(self) -> None:
        if self._stream and self._stream.sock:
            with contextlib.suppress(OSError):
                self._stream.sock.shutdown(socket.SHUT_RDWR)
