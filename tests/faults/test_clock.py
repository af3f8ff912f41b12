"""A clock that is set back, or begins in 1970, loses no phone, no order and no backup."""

import os
import re
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from scorekeeper import clock
from scorekeeper.store.backup import FOLDER, NEWEST, back_up_dated, newest_good
from scorekeeper.store.check import faults
from scorekeeper.store.journal import changes_of
from scorekeeper.store.tables import SHORT, remove_phone
from tests.web.history.test_import_export import confirm, upload
from tests.web.play import Table, page_of

EVENING = datetime(2026, 1, 3, 20, 15, tzinfo=UTC)
EPOCH = datetime(1970, 1, 1, 0, 5, tzinfo=UTC)
SCORED = (3, 2, 1, 4), (3, 2, 1, 4)
HALF_A_YEAR = 180 * 24 * 3600  # seconds
DAYS = [-365, -1, 200]  # by which a clock is wrong
SetClock = Callable[[datetime], None]
pytestmark = pytest.mark.sqlite  # times are texts and sorted alike in both databases


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


@pytest.mark.parametrize("days", DAYS)
def test_a_phone_taps_on_when_the_clock_of_a_server_that_was_wrong_is_set_right(
    stranger: Table, set_clock: SetClock, days: int
) -> None:
    set_clock(EVENING + timedelta(days=days))
    stranger.join()
    stranger.new_game()
    form = stranger.round_form()
    set_clock(EVENING)
    assert stranger.send(form, **{"bid-1": 3}).status_code == 303
    assert stranger.game.rounds[0].bids.count(3) == 1
    stranger.undo()
    assert stranger.play_round(*SCORED).status_code == 303


@pytest.mark.parametrize("days", DAYS)
def test_a_clock_that_is_wrong_for_a_moment_leaves_every_phone_joined(
    stranger: Table, set_clock: SetClock, days: int
) -> None:
    set_clock(EVENING)
    stranger.join()
    stranger.new_game()
    form = stranger.round_form()
    set_clock(EVENING + timedelta(days=days))
    assert stranger.get("/").status_code == 200
    set_clock(EVENING + timedelta(minutes=1))
    assert stranger.send(form, **{"bid-1": 3}).status_code == 303
    cookie = stranger.get("/").headers.getlist("Set-Cookie")
    assert cookie == [] or f"Max-Age={HALF_A_YEAR}" in cookie[0]
    set_clock(EVENING + timedelta(days=2))
    renewed = stranger.get("/").headers["Set-Cookie"]
    assert f"Max-Age={HALF_A_YEAR}" in renewed, "it is renewed each day, whatever was in between"


def test_a_phone_is_out_once_it_was_removed_however_new_its_cookie_is(
    stranger: Table, set_clock: SetClock
) -> None:
    set_clock(EVENING)
    stranger.join()
    stranger.new_game()
    second = stranger.second_phone()
    set_clock(EVENING + timedelta(days=400))
    assert second.get(stranger.path).status_code == 200
    with stranger.store.write() as db:
        remove_phone(db, stranger.id, second.session["phone"][:SHORT], EVENING)
    assert second.client.get(stranger.path).status_code == 404
    assert stranger.get(stranger.path).status_code == 200


@pytest.mark.parametrize("days", DAYS)
def test_the_game_being_played_comes_first_whatever_the_clock_said_before(
    stranger: Table, set_clock: SetClock, days: int
) -> None:
    set_clock(EVENING + timedelta(days=days))
    stranger.join()
    stranger.new_game()
    earlier = stranger.path
    set_clock(EVENING)
    stranger.new_game(players=("Other", "Players", "Sit", "Here"))
    assert stranger.get("/play-on").location == stranger.path
    games = stranger.get("/phone.json").get_json()["games"]
    assert [f"/games/{game['id']}" for game in games] == [stranger.path, earlier]
    assert stranger.page("/").html.index(stranger.path) < stranger.page("/").html.index(earlier)


@pytest.mark.parametrize("days", DAYS)
def test_a_file_is_imported_whatever_the_clocks_of_both_servers_say(
    stranger: Table, set_clock: SetClock, days: int
) -> None:
    set_clock(EVENING + timedelta(days=days))
    stranger.join()
    stranger.new_game()
    stranger.play_round(*SCORED)
    file = stranger.get(f"{stranger.path}.json").text
    set_clock(EVENING)
    other = Table(stranger.app)
    other.join()
    preview = upload(other, file)
    assert "1 new game" in page_of(preview).text
    set_clock(EVENING + timedelta(days=days))
    assert confirm(other, preview).status_code == 303, "its preview does not expire"
    assert list(faults(other.store)) == []


@pytest.mark.parametrize("days", DAYS)
def test_a_game_during_which_the_clock_is_set_has_no_length(
    stranger: Table, set_clock: SetClock, days: int
) -> None:
    set_clock(EVENING)
    stranger.join()
    stranger.new_game(target=50, minutes=40)
    stranger.play_round(*SCORED)
    set_clock(EVENING + timedelta(days=days))
    assert ("40 min" in stranger.page().text) == (days < 0)
    while stranger.state.phase != "over":
        stranger.play_round(*SCORED)
    text = stranger.page().text
    assert "2 rounds" in text
    assert "minute" not in text


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


def test_the_newest_backup_stays_the_newest(game: Table, set_clock: SetClock) -> None:
    set_clock(EVENING)
    earlier = [back_up_dated(game.store.path) for _ in range(NEWEST)]
    set_clock(EVENING - timedelta(days=400))
    newest = back_up_dated(game.store.path)
    folder = game.store.path.parent
    assert newest_good(folder) == newest
    assert len(set(earlier)) == NEWEST
    assert sorted((folder / FOLDER).glob("*.db"))[-1] == newest


def test_after_a_clock_was_ahead_the_last_backup_of_each_month_is_kept(
    game: Table, set_clock: SetClock
) -> None:
    folder = game.store.path.parent / FOLDER
    letter = folder / "letter.txt"

    def back_up(at: datetime) -> Path:
        set_clock(at)
        made = back_up_dated(game.store.path)
        os.utime(made, (at.timestamp(), at.timestamp()))
        return made

    last = []
    back_up(EVENING + timedelta(days=365))
    letter.write_text("Dear North")
    for month in range(1, 7):
        monthly = [back_up(datetime(2026, month, day, tzinfo=UTC)) for day in range(1, 6)]
        last.append(monthly[-1])
    assert all(one.exists() for one in last)
    assert sorted(folder.glob("*.db"))[-1] == last[-1]
    assert len(list(folder.glob("*.db"))) == NEWEST + 5, "one of the year ahead, and four months"
    assert letter.exists()
