"""A clock that is set back, or begins in 1970, loses no phone, no order and no backup."""

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from scorekeeper import clock
from scorekeeper.store.database.rotation import FOLDER, NEWEST, back_up_dated, newest_good
from scorekeeper.store.journal import changes_of
from scorekeeper.store.maintenance.check import faults
from tests.web.play import Table

EVENING = datetime(2026, 1, 3, 20, 15, tzinfo=UTC)
EPOCH = datetime(1970, 1, 1, 0, 5, tzinfo=UTC)
SCORED = (3, 2, 1, 4), (3, 2, 1, 4)
HALF_A_YEAR = 180 * 24 * 3600  # seconds
SetClock = Callable[[datetime], None]


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """Sets this computer's clock, which goes on from there, as far as the program can see."""
    begun = time.monotonic()

    def set_to(at: datetime) -> None:
        offset = at - timedelta(seconds=time.monotonic() - begun)

        class Clock(datetime):
            @classmethod
            def now(cls, tz: Any = None) -> datetime:
                return (offset + timedelta(seconds=time.monotonic() - begun)).astimezone(tz)

        monkeypatch.setattr(clock, "datetime", Clock)
        monkeypatch.setattr(time, "time", lambda: Clock.now(UTC).timestamp())

    return set_to


@pytest.mark.parametrize(
    "earlier", [timedelta(hours=1), timedelta(days=1), EVENING - EPOCH], ids=str
)
def test_a_phone_plays_on_when_the_clock_is_set_back(
    stranger: Table, set_clock: SetClock, earlier: timedelta
) -> None:
    set_clock(EVENING)
    stranger.join()
    stranger.new_game()
    assert stranger.play_round(*SCORED).status_code == 303
    set_clock(EVENING - earlier)
    assert stranger.play_round(*SCORED).status_code == 303
    assert stranger.undo().status_code == 303
    assert stranger.redo().status_code == 303
    lines = changes_of(stranger.store.db, stranger.game)
    assert [line.version for line in lines] == list(range(1, len(lines) + 1))
    assert lines[-1].at < lines[1].at
    assert stranger.totals == (60, 40, 20, 80)
    assert list(faults(stranger.store)) == []
    for page in ("", "/changes", "/sheet", ".csv", "/share"):
        answer = stranger.get(stranger.path + page)
        assert answer.status_code == 200
        assert not re.search(r"[-−]\d+ minutes?", answer.text)


def test_a_server_that_begins_in_1970_gives_phones_a_cookie_they_keep(
    stranger: Table, set_clock: SetClock
) -> None:
    set_clock(EPOCH)
    cookie = stranger.join().headers["Set-Cookie"]
    assert f"Max-Age={HALF_A_YEAR}" in cookie
    assert "Expires" not in cookie


def test_a_cookie_is_forgotten_after_half_a_year_without_a_game(
    stranger: Table, set_clock: SetClock
) -> None:
    set_clock(EVENING)
    stranger.join()
    set_clock(EVENING + timedelta(seconds=HALF_A_YEAR + 60))
    assert stranger.client.get("/games/new").status_code == 404


def test_a_double_tap_begins_one_game_although_the_clock_was_set_back(
    stranger: Table, set_clock: SetClock
) -> None:
    set_clock(EVENING)
    stranger.join()
    stranger.new_game(target=50)
    while stranger.state.phase != "over":
        stranger.play_round(*SCORED)
    set_clock(EVENING - timedelta(days=1))
    again = stranger.page().form("/again")
    assert stranger.send(again).location == stranger.send(again).location
    counted = stranger.store.db.execute("SELECT count(*) FROM games").fetchone()
    assert counted == (2,)


@pytest.mark.sqlite  # PostgreSQL is backed up by its own means
def test_the_newest_backup_stays_the_newest(game: Table, set_clock: SetClock) -> None:
    set_clock(EVENING)
    earlier = [back_up_dated(game.store.path) for _ in range(NEWEST)]
    set_clock(EVENING - timedelta(days=400))
    newest = back_up_dated(game.store.path)
    folder = game.store.path.parent
    assert newest_good(folder) == newest
    assert len(set(earlier)) == NEWEST
    assert sorted((folder / FOLDER).glob("*.db"))[-1] == newest
