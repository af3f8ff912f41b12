"""The program as a subprocess that tests start, read and stop."""

import http.client
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

CHECKOUT = Path(__file__).resolve().parent.parent


def clean_environment(**more: str) -> dict[str, str]:
    """Return this environment without any setting of Scorekeeper's."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SCOREKEEPER_", "PYTHON")) and name != "PORT"
    }
    return kept | {"PYTHONIOENCODING": "utf-8"} | more


def run_script(code: str, *arguments: str) -> str:
    """Return what a script prints that runs in a new process, without errors."""
    ended = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=CHECKOUT,
        env=clean_environment(PYTHONPATH=str(CHECKOUT)),
        capture_output=True,
        encoding="utf-8",
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


def fetch(url: str, language: str = "en") -> tuple[int, bytes]:
    """Return the status and body of a page, fetched on a new connection."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=10)
    try:
        connection.request(
            "GET", parts.path or "/", headers={"Connection": "close", "Accept-Language": language}
        )
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


class Started:
    """A process that was started; leaving the `with` block ends it by a signal."""

    process: subprocess.Popen[Any]
    end_signal = signal.SIGKILL

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self.process.poll() is None:
            self.process.send_signal(self.end_signal)
        if self.process.stdout is None or not self.process.stdout.closed:
            self.process.communicate(timeout=30)


class Program(Started):
    """A started server."""

    def __init__(self, command: list[str], cwd: Path = CHECKOUT, **environment: str) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            env=clean_environment(**environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,  # a buffer would keep what follows the join link from `communicate`
        )
        self.said = ""
        self.complained = ""
        self.join_link = self._first_join_link()
        self.address = self.join_link.partition("/join/")[0]

    @classmethod
    def from_checkout(cls, *options: str, **environment: str) -> Self:
        """Start the server of this checkout on a free port of the loopback interface."""
        command = [sys.executable, "-m", "scorekeeper", *options]
        return cls([*command, "--host", "127.0.0.1", "--port", "0"], CHECKOUT, **environment)

    def kill(self) -> None:
        """Kill it without warning."""
        self.process.kill()

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal, wait at most 5 seconds and return the exit status."""
        self.process.send_signal(number)
        return self.end()

    def end(self) -> int:
        """Wait at most 5 seconds for the end and return the exit status."""
        said, complained = self.process.communicate(timeout=5)
        self.said += said.decode()
        self.complained = complained.decode()
        return self.process.returncode

    def _first_join_link(self) -> str:
        assert self.process.stdout is not None
        for part in self.process.stdout:
            line = part.decode()
            self.said += line
            if found := re.search(r"https?://\S+/join/\S+", line):
                return found[0]
        _, complained = self.process.communicate(timeout=5)
        raise AssertionError(f"no join link: {self.said}{complained.decode()}")
