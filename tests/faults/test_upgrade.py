"""A first start or migration interrupted anywhere is completed by the next start.

`python -m tests.faults` interrupts the upgrade of old games at every statement.
"""

from pathlib import Path

import pytest

from tests.faults.upgrade import in_child


@pytest.mark.parametrize(("folder", "every"), [("new", 7), ("used", 1), ("old", 12)])
def test_the_next_start_finishes_what_was_interrupted(
    quick_folder: Path, folder: str, every: int
) -> None:
    found = in_child(quick_folder, folder, every)
    assert found["wrong"] == []
    assert found["killed"] > 20
    assert found["refused"] > 5
