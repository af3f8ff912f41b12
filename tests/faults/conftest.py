"""Fixtures of the fault tests: a data folder and phones that keep score."""

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.kills import Installation

HERE = Path(__file__).parent
MEMORY = Path("/dev/shm")  # a folder in memory, where nothing waits for a disk


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder, and put them first: they wait while others compute."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: HERE not in item.path.parents)


@pytest.fixture
def quick_folder() -> Iterator[Path]:
    """A folder where waiting for the disk takes no time, if this computer has such."""
    memory = MEMORY if os.access(MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


@pytest.fixture
def open_installation(tmp_path: Path) -> Iterator[Callable[..., Installation]]:
    """A factory of installations in new folders, whose phones are closed at the end."""
    installations: list[Installation] = []

    def open_one(kind: type[Installation] = Installation, **options: object) -> Installation:
        folder = tmp_path / f"installation {len(installations)}"
        installations.append(kind(folder, **options))
        with installations[-1].open() as program:
            program.stop()
        return installations[-1]

    yield open_one
    for installation in installations:
        installation.end()
