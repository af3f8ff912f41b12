"""Files of the database are deleted, moved or replaced below a server while phones record."""

import re
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from scorekeeper.store.database import FILE
from tests.faults.keeper import Keeper
from tests.faults.kills import MAX_PLAY, Installation, later
from tests.faults.ledger import Tale
from tests.program import CHECKOUT, clean_environment, fetch

TABLE_SEES = "“The server lost the file with its games, so nothing was saved”"
ACCEPTED = 20  # taps of each phone after the loss, which are too many
REFUSED = 5  # taps of each phone after the first that is refused
Lose = Callable[[Path], None]


def delete(*ends: str) -> Lose:
    """Return what deletes files of a database, by their suffixes."""

    def lose(folder: Path) -> None:
        for end in ends:
            (folder / f"{FILE}{end}").unlink()

    return lose


def replace(folder: Path) -> None:
    """Put another file in place, as a backup that somebody restores by hand."""
    other = folder / "other"
    shutil.copyfile(folder / FILE, other)
    other.replace(folder / FILE)


def rename(folder: Path) -> None:
    """Rename the folder of the games."""
    folder.rename(renamed(folder))


def renamed(folder: Path) -> Path:
    """Return the new name of a folder."""
    return folder.with_name(f"{folder.name} renamed")


def remove(folder: Path) -> None:
    """Delete the folder with all that is in it, but for what the server puts there meanwhile."""
    shutil.rmtree(folder, ignore_errors=True)


LOSSES: dict[str, Lose] = {
    "file deleted": delete(""),
    "log deleted": delete("-wal"),
    "memory deleted": delete("-shm"),
    "all three deleted": delete("", "-wal", "-shm"),
    "file replaced": replace,
    "folder deleted": remove,
}


def lose_files(installation: Installation, times: int, tale: Tale, lose: Lose) -> Tale:
    """Lose files under phones that tap, follow the advice that is logged, and compare."""
    for _ in range(times):
        with installation.start() as program:
            _play_without_files(installation, program, tale, lose)
            told = stop(program)
        follow_advice(installation.folder, told, tale)
        if tale.is_bad:
            return tale  # without its log or restored, the file may not even be read
        tale.compare(installation.folder, installation.keepers)
        if lose is not remove:  # else the key to its cookies is gone, and phones join again
            with installation.start() as program:
                installation.come_back(program, tale)
                stop(program)
        tale.times += 1
        if tale.is_bad:
            break
    return _sum_up(installation, tale)


def put_back(installation: Installation, times: int, tale: Tale) -> Tale:
    """Rename the folder under phones that tap, and back: the same server goes on."""
    folder = installation.folder
    for _ in range(times):
        with installation.start() as program:
            _play_without_files(installation, program, tale, rename)
            renamed(folder).rename(folder)
            tale.wrong += installation.send_again()
            tale.look(installation.keepers)
            stop(program)
        tale.times += 1
        if tale.is_bad:
            break
    return _sum_up(installation, tale)


def _play_without_files(installation: Installation, program: Any, tale: Tale, lose: Lose) -> None:
    installation.come_back(program, tale)
    is_lost = threading.Event()

    def lose_now() -> None:
        lose(installation.folder)
        is_lost.set()

    with (
        ThreadPoolExecutor(len(installation.keepers)) as crew,
        later(installation.dice.uniform(0.02, MAX_PLAY), lose_now),
    ):
        told = list(
            crew.map(lambda keeper: _tap_until_refused(keeper, is_lost), installation.keepers)
        )
    refused = [said for said in told if said]
    waiting = sum(keeper.pending is not None for keeper in installation.keepers)  # not a new game
    for _tap in range(REFUSED):
        refused += installation.send_again()
    tale.wrong += [said for said in refused if not said.startswith("503 ")]
    expected = len(installation.keepers) + REFUSED * waiting
    if len(refused) != expected:
        tale.wrong.append(f"{len(refused)} of {expected} taps were refused")
    if fetch(f"{program.address}/healthz")[0] != 503:
        tale.wrong.append("the health check knew nothing")


def _tap_until_refused(keeper: Keeper, is_lost: threading.Event) -> str:
    """Let a phone tap until it is refused, and return what it is told; nothing if it never is."""
    left = ACCEPTED
    while left:
        left -= is_lost.is_set()
        try:
            keeper.tap()
        except AssertionError as refused:
            return str(refused)
    return ""


def _sum_up(installation: Installation, tale: Tale) -> Tale:
    installation.sum_up(tale)
    tale.sees = TABLE_SEES
    return tale


def stop(program: Any) -> str:
    """Stop a server and return what it complained about."""
    program.process.terminate()
    program.end()
    complained: str = program.complained
    return complained


def follow_advice(folder: Path, told: str, tale: Tale) -> None:
    """Run the command that a server has logged."""
    found = re.findall(r"^scorekeeper restore (.+)$", told, re.MULTILINE)
    if not found:
        tale.wrong.append(f"no advice was logged: {told}")
        return
    ended = subprocess.run(
        [sys.executable, "-m", "scorekeeper", "restore", *shlex.split(found[-1])],
        cwd=CHECKOUT,
        env=clean_environment(SCOREKEEPER_DATA=str(folder)),
        capture_output=True,
        encoding="utf-8",
    )
    if ended.returncode != 0:
        tale.wrong.append(ended.stderr)
