"""A disk that is full, fails, cannot be written or holds a damaged file: what the table sees."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.damage import spoil
from tests.faults.kills import Installation
from tests.faults.ledger import Tale
from tests.faults.room import fail_writes, fill, run_out, small_disk
from tests.program import CHECKOUT, clean_environment
from tests.web.play import Table, page_of

# A full disk of PostgreSQL is in tests/faults/test_postgresql.py.
pytestmark = pytest.mark.sqlite

OpenInstallation = Callable[..., Installation]
NOWHERE_TO_WRITE = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
from scorekeeper.cli.main import main
raise SystemExit(main())
"""


@pytest.fixture
def unwritable(game: Table) -> Table:
    game.store.db.execute("PRAGMA query_only = ON")
    return game


def test_a_tap_that_cannot_be_kept_says_so_and_works_afterwards(unwritable: Table) -> None:
    before = unwritable.everything()
    refused = unwritable.client.post(unwritable.round_path(), data=_a_bid(unwritable))
    assert refused.status_code == 503
    assert (
        "can’t save right now, so nothing was saved. Keep this page open" in page_of(refused).alerts
    )
    assert unwritable.everything() == before
    unwritable.store.db.execute("PRAGMA query_only = OFF")
    assert unwritable.bid(3).status_code == 303


def test_what_is_there_can_be_looked_at_although_nothing_can_be_kept(unwritable: Table) -> None:
    pages = ("/", "/games/new", "/history", "/players", unwritable.path, f"{unwritable.path}.csv")
    assert {unwritable.get(page).status_code for page in pages} == {200}


def test_a_file_that_is_damaged_while_it_is_used_says_what_to_do(
    game: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = game.store.path.read_bytes()
    game.store.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = game.store.path.stat().st_size
    game.store.close()
    with game.store.path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))
    answer = game.client.get(game.path)
    assert answer.status_code == 503
    assert "Write down the score" in page_of(answer).alerts
    game.store.path.write_bytes(pages)


def test_phones_go_on_when_a_disk_that_failed_works_again(
    open_installation: OpenInstallation,
) -> None:
    tale = run_out(open_installation(), 2, Tale("failing disk"), fail_writes)
    assert (tale.lost, tale.doubled, tale.wrong) == ([], [], [])


def test_phones_go_on_when_a_full_disk_has_room_again(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as why_not:
        if why_not:
            pytest.skip(f"no disk can be mounted here: {why_not}")
        installation = Installation(tmp_path / "disk" / "games")
        with installation.open() as program:
            program.stop()
        tale = run_out(installation, 2, Tale("full disk"), fill)
        installation.end()
    assert (tale.lost, tale.doubled, tale.wrong) == ([], [], [])


def test_no_byte_can_change_a_total_unseen(quick_folder: Path) -> None:
    tale = spoil(quick_folder, 25, Tale("damage"))
    assert tale.wrong == []


@pytest.mark.parametrize("known", [True, False], ids=["a used folder", "a new folder"])
def test_a_start_without_room_is_refused_with_a_sentence(
    open_installation: OpenInstallation, tmp_path: Path, known: bool
) -> None:
    folder = open_installation(phones=1).folder if known else tmp_path / "new"
    ended = subprocess.run(
        [sys.executable, "-c", NOWHERE_TO_WRITE, "--host", "127.0.0.1", "--port", "0"],
        cwd=CHECKOUT,
        env=clean_environment(SCOREKEEPER_DATA=str(folder), PYTHONPATH=str(CHECKOUT)),
        capture_output=True,
        encoding="utf-8",
        timeout=30,
    )
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    assert "damaged" not in ended.stderr
    assert str(folder) in ended.stderr
    if known:
        assert "Free up space on that disk" in ended.stderr


def _a_bid(table: Table) -> dict[str, str]:
    return {**table.round_form().fields, "bid-1": "3"}
