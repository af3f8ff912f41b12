"""A first start or migration interrupted anywhere is completed by the next start."""

from pathlib import Path

import pytest

from tests.faults.upgrade import in_child


@pytest.mark.parametrize("folder", ["new", "used", "old"])
def test_the_next_start_finishes_what_was_interrupted(quick_folder: Path, folder: str) -> None:
    found = in_child(quick_folder, folder)
    assert found["wrong"] == []
    assert found["killed"] > 20
    assert found["refused"] > 5
