"""The server is killed or terminated at random moments while phones record."""

import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from scorekeeper.store.database import FILE
from tests.faults.keeper import Keeper
from tests.faults.ledger import Tale
from tests.faults.phone import Phone, Unanswered
from tests.program import CHECKOUT, Program, clean_environment

SERVER = [sys.executable, "-m", "scorekeeper"]
PHONES = 4
MAX_PLAY = 0.2  # seconds from the first tap to the end of the server
MAX_START = 0.4
ALSO_AT_START = 5  # after every so many kills in play, one hits a server that is starting
TABLE_SEES = (
    "“Offline. Keep playing; this phone keeps everything.”; "
    "the phone keeps the tap and sends it again"
)


class Installation:
    """A folder of games, the server before it, and the phones of its table.

    `server` is the command that starts it, to which the address is added.
    """

    def __init__(
        self, folder: Path, seed: int = 1, phones: int = PHONES, server: Sequence[str] = SERVER
    ) -> None:
        self.folder, self.dice, self.server = folder, random.Random(seed), list(server)
        self._crew = ThreadPoolExecutor(phones)
        self.keepers = [Keeper(Phone("http://nowhere.invalid"), seed + n) for n in range(phones)]

    def open(self) -> Program:
        """Start the server for the first time; every phone joins and begins a game."""
        program = Installation.start(self)
        for keeper in self.keepers:
            keeper.phone.move(program.address)
            keeper.phone.join(program.join_link, f"phone {keeper.number}")
            keeper.begin()
        return program

    def start(self) -> Program:
        """Start the server."""
        command = [*self.server, "--host", "127.0.0.1", "--port", "0"]
        environment = {"SCOREKEEPER_DATA": str(self.folder), "PYTHONPATH": str(CHECKOUT)}
        return Program(command, CHECKOUT, **environment)

    def kill_start(self) -> None:
        """Start a server and kill it before it is ready, or just after."""
        starting = subprocess.Popen(
            [*self.server, "--host", "127.0.0.1", "--port", "0"],
            cwd=CHECKOUT,
            env=clean_environment(SCOREKEEPER_DATA=str(self.folder), PYTHONPATH=str(CHECKOUT)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(self.dice.uniform(0, MAX_START))
        starting.kill()
        starting.wait()

    def play(self, asked: list[float] | None = None) -> list[str]:
        """Let all phones tap until the server is gone; return what they should not have seen.

        What was sent before the server was `asked` to end must be answered.
        """
        return [wrong for wrong in self._crew.map(lambda k: _play(k, asked), self.keepers) if wrong]

    def send_again(self) -> list[str]:
        """Let every phone send what was not answered; return what they should not have seen."""
        waiting = [keeper for keeper in self.keepers if keeper.pending]
        return [wrong for wrong in self._crew.map(_tap, waiting) if wrong]

    def come_back(self, program: Program, tale: Tale) -> None:
        """Let every phone go on at a server that was started again, and compare."""
        for keeper in self.keepers:
            keeper.phone.move(program.address)
        tale.compare(self.folder, self.keepers)
        tale.wrong += self.send_again()
        tale.compare(self.folder, self.keepers)
        tale.look(self.keepers)

    def sum_up(self, tale: Tale) -> Tale:
        """Compare and count again at the end."""
        tale.compare(self.folder, self.keepers)
        tale.check(self.folder)
        tale.acknowledged += sum(keeper.acknowledged for keeper in self.keepers)
        tale.sees = TABLE_SEES
        return tale

    def end(self) -> None:
        """Put the phones away."""
        for keeper in self.keepers:
            keeper.phone.close()
        self._crew.shutdown()


def kill(installation: Installation, times: int, tale: Tale) -> Tale:
    """Kill the server at random moments; after each restart, compare what is there."""
    for number in range(times):
        if number % ALSO_AT_START == ALSO_AT_START - 1:
            installation.kill_start()
        with installation.start() as program:
            installation.come_back(program, tale)
            with later(installation.dice.uniform(0.005, MAX_PLAY), program.kill):
                tale.wrong += installation.play()
            program.process.wait()
        tale.times += 1
        if tale.is_bad:
            break
    return installation.sum_up(tale)


def terminate(installation: Installation, times: int, tale: Tale) -> Tale:
    """Ask the server to end while phones record: what was begun is answered, and it ends well."""
    for _ in range(times):
        with installation.start() as program:
            installation.come_back(program, tale)
            asked: list[float] = []
            with later(installation.dice.uniform(0.02, MAX_PLAY), _ask_to_end, program, asked):
                tale.wrong += installation.play(asked)
            ended = program.end()
        if ended != 0 or program.complained:
            tale.wrong.append(f"it ended with {ended}: {program.complained}")
        if beside := [path.name for path in installation.folder.glob(f"{FILE}-*")]:
            tale.wrong.append(f"games were left in {beside}, which nobody thinks of copying")
        tale.times += 1
        if tale.is_bad:
            break
    return installation.sum_up(tale)


def _ask_to_end(program: Program, asked: list[float]) -> None:
    asked.append(time.monotonic())
    program.process.terminate()


@contextmanager
def later(seconds: float, step: Callable[..., None], *given: object) -> Iterator[None]:
    """Take a step after so many seconds, and wait until it is taken."""
    timer = threading.Timer(seconds, step, given)
    timer.start()
    try:
        yield
    finally:
        timer.join()


def _play(keeper: Keeper, asked: list[float] | None) -> str | None:
    try:
        while True:
            keeper.tap()
    except Unanswered as lost:
        return (
            f"sent before the end, not answered: {lost}" if asked and lost.sent < asked[0] else None
        )
    except AssertionError as wrong:
        return str(wrong)


def _tap(keeper: Keeper) -> str | None:
    try:
        keeper.tap()
    except AssertionError as wrong:
        return str(wrong)
    return None
