"""Whatever the rights of the data folder are, only their owner reads and writes its files."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.config import secret_key
from scorekeeper.store.backup import back_up_dated
from scorekeeper.store.database import BESIDE, FILE, Store, StoreRefused
from scorekeeper.store.restore import restore
from tests.store.play import Keeper

pytestmark = [
    pytest.mark.sqlite,
    pytest.mark.skipif(os.name != "posix", reason="rights are a matter of POSIX"),
]
LOCKS = ("open.lock", "starting.lock", "in-use")


@pytest.fixture
def open_to_all(data: Path) -> Iterator[Path]:
    """A folder that everybody may read, with a permissive umask."""
    data.chmod(0o755)
    before = os.umask(0)
    yield data
    os.umask(before)


def readable(folder: Path) -> list[str]:
    """Return the files below a folder that others than their owner can reach and use."""
    found = []
    for path, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if (Path(path) / name).stat().st_mode & 0o077]
        found += [name for name in files if (Path(path) / name).stat().st_mode & 0o077]
    return found


def test_the_files_of_a_new_folder_are_private(open_to_all: Path) -> None:
    store = Store(open_to_all)
    Keeper(store).begin()
    secret_key(open_to_all)
    back_up_dated(store.path)
    assert {f"{FILE}-wal", f"{FILE}-shm", "backups"} <= set(os.listdir(open_to_all))
    assert readable(open_to_all) == []
    assert (open_to_all / FILE).stat().st_mode & 0o777 == 0o600
    store.close()


def test_files_that_an_earlier_version_left_open_are_closed(open_to_all: Path) -> None:
    running = Store(open_to_all)
    Keeper(running).begin()
    files = [Path(f"{running.path}{end}") for end in BESIDE]
    for path in filter(Path.exists, files):
        path.chmod(0o664)
    Store(open_to_all).close()
    assert readable(open_to_all) == []
    running.close()


def test_what_a_restore_brings_and_sets_aside_is_private(open_to_all: Path) -> None:
    Store(open_to_all).close()
    backup = back_up_dated(open_to_all / FILE)
    for path in (backup, open_to_all / FILE):
        path.chmod(0o644)
    restore(open_to_all, backup)
    for path in (open_to_all / FILE, *open_to_all.glob("before-restore-*/*")):
        assert path.stat().st_mode & 0o077 == 0
    assert len(list(open_to_all.glob(f"before-restore-*/{FILE}"))) == 1


@pytest.mark.parametrize("name", [FILE, *LOCKS])
def test_a_planted_link_is_not_followed(open_to_all: Path, tmp_path: Path, name: str) -> None:
    (open_to_all / name).symlink_to(tmp_path / "of somebody else")
    with pytest.raises(StoreRefused, match=str(open_to_all)):
        Store(open_to_all)
    assert not (tmp_path / "of somebody else").exists()
