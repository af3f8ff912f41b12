"""The server of `scorekeeper deploy systemd`, started as its unit starts it, for tests."""

import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

from click.testing import CliRunner

from scorekeeper.cli.deploy import deploy
from tests.program import CHECKOUT, Started, clean_environment

PUBLIC = "https://spades.example.org"  # the address in a unit that was printed without options


def printed(kind: str, *options: str) -> str:
    """Return what `scorekeeper deploy` prints."""
    ended = CliRunner().invoke(deploy, [kind, *options])
    assert ended.exit_code == 0, ended.output
    return ended.stdout


def section(unit: str, name: str) -> dict[str, list[str]]:
    """Return the settings in a section of a systemd unit; each may be there more than once."""
    settings: dict[str, list[str]] = {}
    for line in unit.partition(f"[{name}]\n")[2].partition("\n[")[0].splitlines():
        key, equals, value = line.partition("=")
        if equals:
            settings.setdefault(key, []).append(value.replace("%%", "%"))
    return settings


def start_words(unit: str) -> list[str]:
    """Return the words of the command that a unit starts."""
    return shlex.split(section(unit, "Service")["ExecStart"][0])


def variables(unit: str) -> dict[str, str]:
    """Return the environment that a unit sets."""
    lines = section(unit, "Service")["Environment"]
    return dict(setting.split("=", 1) for line in lines for setting in line.split())


class Deployed(Started):
    """The unit's server on a free port and a folder of games, or another application on it."""

    end_signal = signal.SIGQUIT  # which ends the workers too, without waiting for phones

    def __init__(self, folder: Path, log: Path, app: str | None = None, **environment: str) -> None:
        unit = printed("systemd")
        *words, ours = start_words(unit)[1:]
        words = [word.replace("127.0.0.1:8000", "127.0.0.1:0") for word in words]
        settings = variables(unit) | environment
        settings |= {
            "SCOREKEEPER_DATA": str(folder),
            "PROMETHEUS_MULTIPROC_DIR": str(folder / "metrics"),
        }
        with log.open("w") as written:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", *words, app or ours],
                cwd=folder,
                env=clean_environment(**settings, PYTHONPATH=str(CHECKOUT)),
                stdout=written,
                stderr=written,
            )
        self.address = self._listening(log)

    @property
    def pids(self) -> list[int]:
        """The processes that run the application."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        return [int(child) for child in children.split()]

    def _listening(self, log: Path) -> str:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            if found := re.search(r"Listening at: (http://\S+)", log.read_text()):
                return found[1]
            time.sleep(0.05)
        self.process.kill()
        raise AssertionError(f"it does not listen: {log.read_text()}")
