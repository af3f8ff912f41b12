"""Power cuts, replayed from a record of what the server did to its files."""

import random
import shutil
import threading
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path

from scorekeeper.store.database import Store, StoreRefused
from tests.faults.disk import Disk
from tests.faults.keeper import Keeper
from tests.faults.kills import SERVER, TABLE_SEES, Installation
from tests.faults.ledger import Tale
from tests.faults.trace import steps, traced


def cut_power(
    folder: Path, cuts: int, seconds: float, tale: Tale, server: Sequence[str] = SERVER
) -> Tale:
    """Record what a server does while phones play, and look at what power cuts leave of it.

    Half of the cuts come right after an acknowledgement, half after any file operation; half of
    them leave only what was synced, half by chance more.
    """
    notes, games = folder / "notes", folder / "games"
    games.mkdir()
    installation, process = _play(games, notes, seconds, server)
    done = steps(notes, process, str(games.resolve()))
    times = [step.moment for step in done]
    acknowledged = [
        moment
        for keeper in installation.keepers
        for game in keeper.games
        for moment in game.acknowledged
    ]
    dice = random.Random(1)
    moments = sorted(dice.choice(acknowledged if n % 2 else times) for n in range(cuts))
    key = (games / "secret_key").read_bytes()
    disk, at = Disk(str(games.resolve())), 0
    for number, moment in enumerate(moments):
        reached = bisect_right(times, moment)
        for step in done[at:reached]:
            disk.do(step)
        at = reached
        left = folder / f"cut {number}"
        left.mkdir()
        disk.write_to(left, dice if dice.random() < 0.5 else None)
        _look(left, installation.keepers, moment, tale)
        if moment >= min(acknowledged) and (left / "secret_key").read_bytes() != key:
            tale.wrong.append("the phones would have to join anew")
        shutil.rmtree(left)
        tale.times += 1
    tale.acknowledged = len(acknowledged)
    tale.sees = TABLE_SEES
    return tale


def _play(
    games: Path, notes: Path, seconds: float, server: Sequence[str]
) -> tuple[Installation, int]:
    installation = Installation(games, server=traced(list(server), notes))
    with installation.open() as program:
        timer = threading.Timer(seconds, program.process.terminate)
        timer.start()
        wrong = installation.play()
        timer.join()
        program.end()
    installation.end()
    assert wrong == []
    return installation, program.process.pid


def _look(left: Path, keepers: Sequence[Keeper], moment: float, tale: Tale) -> None:
    try:
        store = Store(left)
    except StoreRefused as refused:
        tale.wrong.append(f"after the cut: {refused}")
        return
    store.close()
    tale.compare(left, keepers, until=moment)
    tale.check(left)
