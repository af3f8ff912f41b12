"""A server that lacks what was seen before is refused, and no other."""

from pathlib import Path

import pytest

pytest.importorskip("psycopg")

from scorekeeper.store.postgresql.positions import Position, SeenPositions, StoreBehind

HISTORY = "7.16390.d41d8cd9"


def at(change: int, timeline: int = 1, history: str = HISTORY) -> Position:
    return Position(history, timeline, change)


@pytest.mark.parametrize(
    ("found", "is_behind"),
    [
        (at(55), False),
        (at(56), False),
        (at(54), True),
        (at(90, timeline=0), True),
        (at(3, timeline=2), False),
        (at(1, history="8.16390.d41d8cd9"), False),  # a dump was restored
        (None, False),  # it does not tell
    ],
)
def test_what_was_seen_before_may_not_be_missing(
    found: Position | None, is_behind: bool, tmp_path: Path
) -> None:
    SeenPositions(tmp_path).note(at(55))
    seen = SeenPositions(tmp_path)  # of the next start
    if not is_behind:
        seen.check(lambda: found)
        return
    with pytest.raises(StoreBehind, match="an older state of the games"):
        seen.check(lambda: found)


def test_what_others_commit_while_a_server_is_asked_is_not_missing(tmp_path: Path) -> None:
    seen = SeenPositions(tmp_path)
    seen.check(lambda: at(53))

    def ask() -> Position:
        seen.saw(55)  # of another thread, after this one looked
        return at(54)

    seen.check(ask)
