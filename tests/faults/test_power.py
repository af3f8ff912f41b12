"""A power cut at any moment leaves every change that was acknowledged, and a file that opens."""

from pathlib import Path

import pytest

from tests.faults import planted
from tests.faults.disk import Disk, Step
from tests.faults.ledger import Tale
from tests.faults.power import cut_power
from tests.faults.trace import why_not

CUTS, SECONDS = 60, 2.0
needs_strace = pytest.mark.skipif(bool(why_not()), reason=why_not() or "strace is there")


@needs_strace
def test_power_cuts_lose_nothing_that_was_acknowledged(quick_folder: Path) -> None:
    tale = cut_power(quick_folder, CUTS, SECONDS, Tale("power cut"))
    assert (tale.lost, tale.doubled, tale.wrong) == ([], [], [])
    assert tale.times == CUTS
    assert tale.acknowledged > 20


@needs_strace
def test_a_commit_that_does_not_wait_for_the_disk_is_seen(quick_folder: Path) -> None:
    hasty = planted.server(planted.UNSYNCED)
    assert cut_power(quick_folder, CUTS, SECONDS, Tale("unsynced"), hasty).lost != []


def left_by(folder: Path, *steps: Step) -> dict[str, bytes]:
    """Return the files that are left when the power goes after some steps."""
    disk = Disk("/d")
    for step in steps:
        disk.do(step)
    disk.write_to(folder, None)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("steps", "left"),
    [
        ([("create", "/d/a"), ("write", "/d/a", 0, b"North")], {}),
        ([("create", "/d/a"), ("write", "/d/a", 0, b"North"), ("sync", "/d/a")], {"a": b"North"}),
        ([("create", "/d/a"), ("sync", "/d"), ("write", "/d/a", 0, b"North")], {"a": b""}),
        (
            [("create", "/d/a"), ("sync", "/d/a"), ("move", "/d/a", 0, b"", "/d/b")],
            {"a": b""},
        ),
        (
            [("create", "/d/a"), ("move", "/d/a", 0, b"", "/d/b"), ("sync", "/d")],
            {"b": b""},
        ),
        (
            [("create", "/d/a"), ("write", "/d/a", 2, b"x"), ("size", "/d/a", 2), ("sync", "/d/a")],
            {"a": b"\0\0"},
        ),
        ([("create", "/d/a"), ("sync", "/d"), ("remove", "/d/a")], {"a": b""}),
        ([("create", "/d/a"), ("sync", "/d"), ("remove", "/d/a"), ("sync", "/d")], {}),
    ],
)
def test_what_was_synced_is_left(
    tmp_path: Path, steps: list[tuple[object, ...]], left: dict[str, bytes]
) -> None:
    assert left_by(tmp_path, *(Step(0.0, *step) for step in steps)) == left
