"""A disk that runs full while phones record, and has space again later."""

import resource
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.faults.keeper import Keeper
from tests.faults.kills import Installation
from tests.faults.ledger import Tale
from tests.program import Program

TABLE_SEES = "“The server can’t save right now, so nothing was saved. Keep this page open”"
SMALL = 3 * 1024 * 1024  # bytes of a disk that is soon full
TAPS = 60  # more than fit into what is left
Squeeze = Callable[[Installation, Program], Callable[[], None]]


def run_out(installation: Installation, times: int, tale: Tale, squeeze: Squeeze) -> Tale:
    """Let phones record into a disk that runs full; give it room again, and compare."""
    for _ in range(times):
        with installation.start() as program:
            installation.come_back(program, tale)
            make_room = squeeze(installation, program)
            for keeper in installation.keepers:
                _tap_until_refused(keeper, tale)
            pages = {
                keeper.phone.get(f"/games/{keeper.game.id}").status
                for keeper in installation.keepers
            }
            if pages != {200}:
                tale.wrong.append(f"pages were answered {pages} while the disk was full")
            make_room()
            tale.wrong += installation.send_again()
            tale.look(installation.keepers)
            if program.stop() != 0:
                tale.wrong.append("the server did not end well")
        tale.times += 1
        if tale.is_bad:
            break
    installation.sum_up(tale)
    tale.sees = TABLE_SEES
    return tale


def _tap_until_refused(keeper: Keeper, tale: Tale) -> None:
    for _tap in range(TAPS):
        try:
            keeper.tap()
        except AssertionError as refused:
            if not (str(refused).startswith("503 ") and "can’t save right now" in str(refused)):
                tale.wrong.append(str(refused))
            return
    tale.wrong.append("the disk was not full")


def fail_writes(installation: Installation, program: Program) -> Callable[[], None]:
    """Let no file of a server grow any more: its writes fail as on a disk with errors."""
    written = max(path.stat().st_size for path in installation.folder.iterdir() if path.is_file())
    _limit(program, written)
    return lambda: _limit(program, resource.RLIM_INFINITY)


def fill(installation: Installation, _program: Program) -> Callable[[], None]:
    """Fill the disk of an installation to the last byte."""
    filler = installation.folder / "filler"
    fill_with(filler)
    return filler.unlink


def fill_with(filler: Path) -> None:
    """Fill the disk of a file by writing to it."""
    with filler.open("wb", buffering=0) as file:
        for size in (64 * 1024, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue


@contextmanager
def small_disk(place: Path, size: int = SMALL) -> Iterator[str]:
    """Mount a small disk in memory; give why not, where this computer does not let us."""
    place.mkdir()
    options = f"size={size},mode=0755"
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], capture_output=True, text=True
    )
    try:
        yield mounted.stderr.strip() if mounted.returncode else ""
    finally:
        if mounted.returncode == 0:
            subprocess.run(["umount", str(place)], check=True)


def _limit(program: Program, size: int) -> None:
    limits = (size, resource.RLIM_INFINITY)
    resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, limits)
