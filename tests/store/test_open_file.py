"""Files of the database that are lost while it is open: nothing more is saved, all is copied."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from scorekeeper.cli.commands import scorekeeper
from scorekeeper.store.backup import newest_good
from scorekeeper.store.connection import StoreLost
from scorekeeper.store.database import FILE, Store, StoreRefused
from scorekeeper.store.open_file import OpenFile
from scorekeeper.store.restore import restore
from tests.store.play import Keeper

pytestmark = pytest.mark.sqlite


def delete(end: str) -> Callable[[Path], None]:
    return lambda folder: (folder / f"{FILE}{end}").unlink()


def replace(folder: Path) -> None:
    shutil.copyfile(folder / FILE, folder / "other")
    os.replace(folder / "other", folder / FILE)


LOSSES = {
    "deleted": delete(""),
    "log deleted": delete("-wal"),
    "memory deleted": delete("-shm"),
    "replaced": replace,
    "folder renamed": lambda folder: folder.rename(folder.with_name("renamed")),
}
each_loss = pytest.mark.parametrize("lose", LOSSES.values(), ids=LOSSES.keys())


@pytest.fixture
def keeper(data: Path) -> Keeper:
    """A table with a game, whose newest bid is in the write-ahead log alone."""
    keeper = Keeper(Store(data))
    keeper.bid(keeper.begin(), 0, 3)
    return keeper


def rescued(folder: Path) -> list[Path]:
    """Return the copies in a folder and beside it."""
    return [*folder.glob("rescued-*.db"), *folder.parent.glob("rescued-*.db")]


def bids_in(copy: Path) -> list[int]:
    with closing(sqlite3.connect(copy)) as db:
        return [row[0] for row in db.execute("SELECT count(*) FROM changes WHERE kind = 'bid'")]


@each_loss
def test_nothing_is_acknowledged_and_one_copy_has_all(
    keeper: Keeper, data: Path, lose: Callable[[Path], None]
) -> None:
    lose(data)
    for _ in range(3):
        with pytest.raises(StoreLost):
            keeper.begin()
    keeper.store.close()
    (copy,) = rescued(data)
    assert bids_in(copy) == [1]
    assert not copy.stat().st_mode & 0o077


@each_loss
def test_what_nobody_noticed_is_copied_at_the_end(
    keeper: Keeper, data: Path, lose: Callable[[Path], None]
) -> None:
    lose(data)
    keeper.store.close()
    (copy,) = rescued(data)
    assert bids_in(copy) == [1]


def test_a_second_loss_gets_a_second_copy(keeper: Keeper, data: Path) -> None:
    aside = data.with_name("aside")
    for _ in range(2):
        data.rename(aside)
        with pytest.raises(StoreLost):
            keeper.begin()
        aside.rename(data)
        keeper.begin()
    keeper.store.close()
    assert len(rescued(data)) == 2


def test_a_copy_that_was_deleted_too_is_made_again(keeper: Keeper, data: Path) -> None:
    for _ in range(2):
        shutil.rmtree(data, ignore_errors=True)
        for copy in rescued(data):
            copy.unlink()
        with pytest.raises(StoreLost):
            keeper.begin()
    for copy in rescued(data):
        copy.unlink()
    keeper.store.close()
    (copy,) = rescued(data)
    assert bids_in(copy) == [1]


def test_two_workers_make_one_copy(keeper: Keeper, data: Path) -> None:
    with Store(data) as other:
        delete("")(data)
        for store in (keeper.store, other):
            with pytest.raises(StoreLost):
                store.check_files()
        keeper.store.close()
    assert len(rescued(data)) == 1


def test_the_log_says_once_what_to_do(
    keeper: Keeper, data: Path, caplog: pytest.LogCaptureFixture
) -> None:
    delete("-wal")(data)
    for _ in range(3):
        with pytest.raises(StoreLost):
            keeper.begin()
    keeper.store.close()
    (record,) = caplog.records
    assert record.levelname == "CRITICAL"
    assert f"{data / FILE}-wal was deleted, moved or replaced" in record.message
    assert record.message.splitlines()[-1] == f"scorekeeper restore {rescued(data)[0]}"


def test_the_next_start_names_the_copy_and_it_can_be_restored(keeper: Keeper, data: Path) -> None:
    delete("")(data)
    keeper.store.close()
    (copy,) = rescued(data)
    with pytest.raises(StoreRefused, match=str(copy)):
        Store(data)
    assert newest_good(data) == copy
    restore(data, copy)
    with Store(data) as store:
        assert store.db.execute("SELECT count(*) FROM games").fetchone() == (1,)


def test_the_log_of_a_lost_file_is_not_applied_to_another(keeper: Keeper, data: Path) -> None:
    replace(data)
    keeper.store.close()
    assert not (data / f"{FILE}-wal").exists()


def test_a_disk_that_takes_no_copy_is_told_and_tried_again_at_the_end(
    keeper: Keeper, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    delete("-wal")(data)
    with monkeypatch.context() as full:
        full.setattr("scorekeeper.store.backup.draft_of", _no_room)
        with pytest.raises(StoreLost, match="before you stop the server"):
            keeper.begin()
    assert rescued(data) == []
    keeper.store.close()
    assert len(rescued(data)) == 1


def _no_room(_target: Path) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("loss", ["log deleted", "memory deleted", "replaced"])
def test_commands_beside_the_server_are_refused(
    keeper: Keeper, data: Path, loss: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_DATA", str(data))
    LOSSES[loss](data)
    for command in ("stats", "backup", "check", "export"):
        ended = CliRunner().invoke(scorekeeper, [command])
        assert (ended.exit_code, "while a server uses it" in ended.stderr) == (1, True), command
    with pytest.raises(StoreRefused, match="while a server uses it"):
        Store(data)
    keeper.store.close()


# Within one process SQLite would take the log of a replaced file for its own.
@pytest.mark.parametrize("loss", ["deleted", "log deleted", "memory deleted"])
def test_a_worker_that_starts_just_then_is_refused(
    keeper: Keeper, data: Path, loss: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = OpenFile.hold

    def lose_and_hold(files: OpenFile) -> None:
        LOSSES[loss](data)
        hold(files)

    monkeypatch.setattr(OpenFile, "hold", lose_and_hold)
    with pytest.raises(StoreRefused, match="while a server uses it"):
        Store(data)
    with pytest.raises(StoreLost):
        keeper.store.check_files()
    keeper.store.close()
    assert [bids_in(copy) for copy in rescued(data)] == [[1]]


def test_a_file_from_another_start_is_no_loss(keeper: Keeper, data: Path) -> None:
    keeper.store.close()
    replace(data)
    with Store(data) as first, Store(data) as second:
        for store in (first, second):
            store.check_files()
