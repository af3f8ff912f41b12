"""Fixtures of the fault tests: a data folder and phones that keep score."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.kills import House

HERE = Path(__file__).parent
MEMORY = Path("/dev/shm")  # a folder in memory, where nothing waits for a disk


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def quick_folder() -> Iterator[Path]:
    """A folder where waiting for the disk takes no time, if this computer has such."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        yield Path(folder)


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[Callable[..., House]]:
    """A factory of houses in new folders, whose phones are closed at the end."""
    houses: list[House] = []

    def open_one(kind: type[House] = House, **options: object) -> House:
        folder = tmp_path / f"house {len(houses)}"
        houses.append(kind(folder, **options))  # type: ignore[arg-type]
        with houses[-1].open() as program:
            program.stop()
        return houses[-1]

    yield open_one
    for house in houses:
        house.end()
