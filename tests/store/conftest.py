"""Stores without a server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.store.database import Store
from scorekeeper.store.opening import open_store
from tests.conftest import prepare
from tests.store.play import Keeper


@pytest.fixture
def store(data: Path) -> Iterator[Store]:
    """A store without games."""
    prepare(data)
    store = open_store(data)
    yield store
    store.backups.end()
    store.close()


@pytest.fixture
def keeper(store: Store) -> Keeper:
    """A phone that keeps score for a table of that store."""
    return Keeper(store)


@pytest.fixture(scope="module")
def busy_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store in which hundreds of random games are played, quickly and without backups."""
    folder = tmp_path_factory.mktemp("busy")
    prepare(folder)
    store = Store(folder)
    store.backups.end()
    store.db.execute("PRAGMA synchronous = OFF")
    yield store
    store.close()
