"""Backups are whole whatever happens meanwhile, and come back with everything in them."""

import os
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from scorekeeper.rules.presets import DEFAULT
from scorekeeper.store import backup, restore
from scorekeeper.store import database as opening
from scorekeeper.store.backup import (
    FOLDER,
    BackupFailed,
    back_up,
    back_up_dated,
    dated_name,
    draft_of,
    newest_good,
    superfluous,
)
from scorekeeper.store.check import faults_of_path
from scorekeeper.store.database import FILE, Store, StoreRefused
from scorekeeper.store.entry import GameSetup, create_game
from scorekeeper.store.journal import Who
from scorekeeper.store.restore import RestoreRefused
from tests.web.play import AT, PLAYERS, Table

pytestmark = pytest.mark.sqlite


@pytest.fixture
def kept(table: Table, data: Path) -> Path:
    """A folder with one won game, its server gone."""
    table.new_game(players=PLAYERS[:3], target=30)
    table.play_round((3, 3, 1), (4, 5, 1))
    table.store.backups.end()
    table.store.close()
    return data


def backups(folder: Path) -> list[str]:
    return sorted(os.listdir(folder / FOLDER)) if (folder / FOLDER).exists() else []


def games_in(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("SELECT count(*) FROM games").fetchone()[0])


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """An empty folder for a restore."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


# Making them


def test_a_backup_follows_every_game_that_ends(kept: Path) -> None:
    (name,) = backups(kept)
    assert games_in(kept / FOLDER / name) == 1
    assert list(faults_of_path(kept / FOLDER / name)) == []


def test_a_game_that_goes_on_makes_no_backup(game: Table, data: Path) -> None:
    game.play_round((3, 3, 2, 1), (4, 5, 1, 0))
    game.store.backups.end()
    assert backups(data) == []


def test_a_backup_is_one_file_that_only_its_owner_reads(kept: Path) -> None:
    path = back_up_dated(kept / FILE)
    games_in(path)
    assert backups(kept)[-1] == path.name
    assert path.stat().st_mode & 0o077 == 0


def test_a_failed_copy_leaves_nothing(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = backups(kept)
    monkeypatch.setattr(backup, "damage", lambda _copy: "page 3 is torn")
    with pytest.raises(BackupFailed, match="page 3 is torn"):
        back_up_dated(kept / FILE)
    assert backups(kept) == before


@pytest.mark.parametrize("place", ["backups", "elsewhere"])
def test_what_a_killed_backup_left_is_cleared_by_the_next(
    kept: Path, elsewhere: Path, place: str
) -> None:
    folder = kept / FOLDER if place == "backups" else elsewhere
    half = folder / ".scorekeeper-x1.part"
    half.write_bytes(b"half")
    back_up(kept / FILE, folder / "copy.db")
    assert not half.exists()
    assert not list(folder.glob(".*"))


def test_what_another_backup_writes_just_now_is_not_cleared(kept: Path, elsewhere: Path) -> None:
    with draft_of(elsewhere / "copy.db") as draft:
        back_up(kept / FILE, elsewhere / "copy.db")
        assert draft.exists()
    assert os.listdir(elsewhere) == ["copy.db"]


@pytest.mark.skipif(os.name != "posix", reason="links are a matter of POSIX")
def test_a_planted_link_is_not_followed(kept: Path, elsewhere: Path, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear North")
    for name in (".copy.db.part", ".scorekeeper-x1.part", "copy.db"):
        (elsewhere / name).symlink_to(letter)
    with pytest.raises(BackupFailed, match="Choose another name"):
        back_up(kept / FILE, elsewhere / "copy.db")
    (elsewhere / "copy.db").unlink()
    back_up(kept / FILE, elsewhere / "copy.db")
    assert letter.read_text() == "Dear North"
    assert games_in(elsewhere / "copy.db") == 1


@pytest.mark.parametrize("name", ["letter.txt", "folder"])
def test_no_other_file_is_overwritten(kept: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "letter.txt").write_text("Dear North")
    (tmp_path / "folder").mkdir()
    with pytest.raises(BackupFailed, match="Choose another name"):
        back_up(kept / FILE, tmp_path / name)
    with pytest.raises(BackupFailed, match="Choose another name"):
        back_up(kept / FILE, kept / FILE)
    assert (tmp_path / "letter.txt").read_text() == "Dear North"


def test_the_newest_ten_stay_and_the_last_of_each_month() -> None:
    days = [datetime(2026, month, day, tzinfo=UTC) for month in (1, 2, 3) for day in range(1, 8)]
    names = [dated_name(at) for at in days]
    gone = superfluous({name: f"{at:%Y%m}" for name, at in zip(names, days, strict=True)})
    stay = [name for name in names if name not in gone]
    assert stay == [names[6], *names[-10:]]
    assert names[13] in stay


def test_before_the_schema_changes_there_is_a_backup(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = backups(kept)
    monkeypatch.setattr(opening, "SCHEMA_VERSION", opening.SCHEMA_VERSION + 1)
    Store(kept).close()
    assert len(backups(kept)) == len(before) + 1


def test_without_that_backup_the_schema_stays(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_database: Path) -> Path:
        raise BackupFailed("The disk is full.")

    monkeypatch.setattr(opening, "SCHEMA_VERSION", opening.SCHEMA_VERSION + 1)
    monkeypatch.setattr(opening, "back_up_dated", full)
    with pytest.raises(StoreRefused, match="The disk is full"):
        Store(kept)


def test_backups_taken_while_games_begin_hold_what_was_accepted_before(
    table: Table, data: Path, elsewhere: Path
) -> None:
    accepted: list[int] = []
    enough = threading.Event()

    def keep_beginning() -> None:
        while not enough.is_set():
            with table.store.write() as db:
                create_game(db, table.id, GameSetup(DEFAULT, PLAYERS[:4], 3), Who(None, AT))
            accepted.append(1)
        table.store.close()

    writer = threading.Thread(target=keep_beginning)
    writer.start()
    taken = []
    for n in range(8):
        due = len(accepted)
        back_up(data / FILE, elsewhere / f"{n}.db")
        taken.append((due, elsewhere / f"{n}.db"))
    enough.set()
    writer.join()
    for due, path in taken:
        assert games_in(path) >= due
        assert list(faults_of_path(path)) == []


# Bringing them back


def test_a_backup_brings_everything_back(kept: Path, elsewhere: Path, table: Table) -> None:
    before = table.everything()
    path = back_up_dated(kept / FILE)
    said = restore.restore(elsewhere, path)
    assert said == f"Restored 1 game from {path}."
    again = Store(elsewhere)
    rows = [
        (name, sorted(again.db.query(f"SELECT * FROM {name}"), key=str)) for name, _rows in before
    ]
    again.close()
    assert rows == before


def test_what_was_there_before_is_kept_aside(kept: Path, elsewhere: Path) -> None:
    path = back_up_dated(kept / FILE)
    Store(elsewhere).close()
    said = restore.restore(elsewhere, path)
    (aside,) = elsewhere.glob("before-restore-*")
    assert str(aside) in said
    assert games_in(aside / FILE) == 0
    assert games_in(elsewhere / FILE) == 1


def test_it_is_refused_while_somebody_has_the_folder_open(kept: Path) -> None:
    path = back_up_dated(kept / FILE)
    with Store(kept):
        before = (kept / FILE).read_bytes()
        with pytest.raises(RestoreRefused, match="Stop it and restore again"):
            restore.restore(kept, path)
        assert (kept / FILE).read_bytes() == before


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        (lambda whole: b"", "a Scorekeeper backup"),
        (lambda whole: b"Dear North,\n" * 1000, "Can’t read all of"),
        (lambda whole: whole[: len(whole) // 2], "Can’t read all of"),
        (lambda whole: whole[:4096] + bytes(4096) + whole[8192:], "Nothing was changed"),
    ],
    ids=["empty", "letter", "half", "torn"],
)
def test_a_bad_file_is_refused_and_nothing_changes(
    kept: Path, elsewhere: Path, harm: object, sentence: str
) -> None:
    path = back_up_dated(kept / FILE)
    path.write_bytes(harm(path.read_bytes()))
    with pytest.raises(RestoreRefused, match=sentence):
        restore.restore(elsewhere, path)
    assert os.listdir(elsewhere) == ["open.lock"]


def test_a_backup_that_was_tampered_with_is_refused(kept: Path, elsewhere: Path) -> None:
    path = back_up_dated(kept / FILE)
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE games SET rounds = json_set(rounds, '$[0].tricks[0]', 3)")
        db.commit()
    with pytest.raises(RestoreRefused, match="round 1: its bids and tricks"):
        restore.restore(elsewhere, path)


def test_a_backup_of_a_newer_program_is_refused(
    kept: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = back_up_dated(kept / FILE)
    monkeypatch.setattr(restore, "SCHEMA_VERSION", 0)
    with pytest.raises(RestoreRefused, match="from a newer Scorekeeper"):
        restore.restore(elsewhere, path)


def test_a_missing_file_is_refused(elsewhere: Path) -> None:
    with pytest.raises(RestoreRefused, match="not found"):
        restore.restore(elsewhere, elsewhere / "nothing.db")


@pytest.mark.parametrize("harm", ["missing", "empty", "damaged"])
def test_a_bad_database_names_the_newest_good_backup_and_the_command(kept: Path, harm: str) -> None:
    good = newest_good(kept)
    bad = kept / FOLDER / dated_name(datetime(2099, 1, 1, tzinfo=UTC))
    bad.write_bytes(b"half a backup")
    for end in ("-wal", "-shm"):
        (kept / f"{FILE}{end}").unlink(missing_ok=True)
    if harm == "missing":
        (kept / FILE).unlink()
    else:
        (kept / FILE).write_bytes(b"" if harm == "empty" else b"Dear North" * 500)
    with pytest.raises(StoreRefused) as refused:
        Store(kept)
    assert str(refused.value).splitlines()[-1] == f"scorekeeper restore {good}"
