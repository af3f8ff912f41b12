"""gunicorn with two workers: one is killed, or all of them, or it is stopped."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

from scorekeeper.cli.deploy import KEEP_ALIVE
from scorekeeper.store.database import FILE, STARTING
from scorekeeper.store.locks import hold
from tests.faults.keeper import Keeper
from tests.faults.kills import Installation, later
from tests.faults.ledger import Tale
from tests.faults.phone import Unanswered
from tests.program import CHECKOUT, clean_environment, fetch

WORKERS = 2
COMMAND = [
    *(sys.executable, "-m", "gunicorn", "-k", "gevent"),
    *("--worker-connections", "4000", "--forwarder-headers", ""),
    *("--keep-alive", str(KEEP_ALIVE), "--graceful-timeout", "5", "--no-control-socket"),
    *("--access-logfile", os.devnull),
    "scorekeeper:create_app()",
]
MAX_WAIT = 30.0  # seconds; a busy machine is slow
MAX_LINES = 40  # of a log that are told
ALL_AFTER = 5  # every so many kills all are killed at once
MAX_START = 1.0  # seconds
MAX_LIFE = 0.5  # from one worker's end to the next one's
TABLE_SEES = "the phone keeps the tap and sends it again, and another worker answers"


class Hosted:
    """A master and its workers, started as the README says; leaving the `with` block ends them."""

    def __init__(
        self,
        folder: Path,
        *,
        ready: bool = True,
        port: int = 0,
        workers: int = WORKERS,
        **settings: str,
    ) -> None:
        self.complained = ""
        self.log = folder.with_name(f"{folder.name}.log")
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [*COMMAND, "-w", str(workers), "-b", f"127.0.0.1:{port}"],
                cwd=CHECKOUT,
                env=clean_environment(
                    SCOREKEEPER_DATA=str(folder), PYTHONPATH=str(CHECKOUT), **settings
                ),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.address = self.listening(200) if ready else ""

    def kill(self) -> None:
        """Kill the master and all workers at once, as where the power of a container is cut."""
        os.killpg(self.process.pid, signal.SIGKILL)

    def kill_worker(self, dice: random.Random) -> None:
        """Kill one of the workers; the master starts another."""
        while not (workers := self.workers):
            time.sleep(0.01)
        os.kill(dice.choice(workers), signal.SIGKILL)

    @property
    def workers(self) -> list[int]:
        """The numbers of the processes that answer."""
        of_master = ["pgrep", "-P", str(self.process.pid)]
        return [int(one) for one in subprocess.run(of_master, capture_output=True).stdout.split()]

    def wait_for_workers(self, folder: Path) -> None:
        """Wait until every worker has opened the database of a folder, not only the first."""
        end = time.monotonic() + MAX_WAIT
        while time.monotonic() < end:
            opened = [pid for pid in self.workers if _has_open(pid, folder / f"{FILE}-wal")]
            if len(opened) == WORKERS and (held := hold(folder / STARTING, alone=True, wait=False)):
                held.release()
                return
            time.sleep(0.02)
        raise AssertionError(f"its workers do not start: {self.log.read_text()}")

    def end(self) -> int:
        """Wait for the end and give the exit status of the master."""
        status = self.process.wait(timeout=MAX_WAIT)
        self.complained = "\n".join(self.complaints)
        return status

    @property
    def complaints(self) -> list[str]:
        """Return the lines of the log at warning level or above."""
        return [line for line in self.log.read_text().splitlines() if "[INFO]" not in line]

    def listening(self, health: int) -> str:
        """Wait for a status of the health check, and return the address."""
        end = time.monotonic() + MAX_WAIT
        while self.process.poll() is None and time.monotonic() < end:
            found = re.search(r"Listening at: (http://\S+)", self.log.read_text())
            with suppress(OSError):
                if found and fetch(f"{found[1]}/healthz")[0] == health:
                    return found[1]
            time.sleep(0.02)
        raise AssertionError(f"it does not listen: {self.log.read_text()}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        if self.process.poll() is None:
            self.kill()
            self.process.wait()


class HostedInstallation(Installation):
    """A folder of games that was begun by the server in the box, and has two workers now."""

    def start(self) -> Hosted:
        """Start the server."""
        program = Hosted(self.folder)
        program.wait_for_workers(self.folder)
        return program

    def kill_start(self) -> None:
        """Start a server and kill it before it is ready, or just after."""
        starting = Hosted(self.folder, ready=False)
        time.sleep(self.dice.uniform(0, MAX_START))
        starting.kill()
        starting.process.wait()

    def play_on(self, killed: list[float]) -> list[str]:
        """Let all phones tap, again where none answers, until all were answered after a kill."""
        played = self._crew.map(lambda keeper: _play_on(keeper, killed), self.keepers)
        return [wrong for wrong in played if wrong]


def _has_open(pid: int, file: Path) -> bool:
    with suppress(OSError):  # it or one of its files is gone
        return str(file) in [os.readlink(one) for one in Path(f"/proc/{pid}/fd").iterdir()]
    return False


def kill_workers(installation: HostedInstallation, times: int, tale: Tale) -> Tale:
    """Kill one worker after another while phones record, and every few times all at once."""
    for first in range(0, times, ALL_AFTER):
        if first:
            installation.kill_start()
        with installation.start() as program:
            last = min(first + ALL_AFTER, times) - 1
            for number in range(first, last + 1):
                installation.come_back(program, tale)
                after = installation.dice.uniform(0.005, MAX_LIFE)
                if number == last:
                    with later(after, program.kill):
                        tale.wrong += installation.play()
                else:
                    killed: list[float] = []
                    with later(after, _kill_one, program, installation.dice, killed):
                        tale.wrong += installation.play_on(killed)
                tale.times += 1
            program.process.wait()
        if wrong := [line for line in program.complaints if "was sent SIGKILL" not in line]:
            tale.wrong.append("\n".join(wrong[:MAX_LINES]))
        if tale.is_bad:
            break
    installation.sum_up(tale)
    tale.sees = TABLE_SEES
    return tale


def _kill_one(program: Hosted, dice: random.Random, killed: list[float]) -> None:
    program.kill_worker(dice)
    killed.append(time.monotonic())


def _play_on(keeper: Keeper, killed: list[float]) -> str | None:
    end = time.monotonic() + MAX_WAIT
    while time.monotonic() < end:
        begun = time.monotonic()
        try:
            keeper.tap()
        except Unanswered:
            continue
        except AssertionError as wrong:
            return str(wrong)
        if killed and begun > killed[0]:
            return None
    return f"{keeper.number} was not answered for {MAX_WAIT} seconds"
