"""One thread reads changes for all streams, whatever it misses and whatever fails."""

import threading
import time
from typing import Any, NoReturn

import pytest
from sqlite_utils import Database

from scorekeeper import live as live_module
from scorekeeper.clock import now
from scorekeeper.rules.round import Round
from scorekeeper.store import change_events
from scorekeeper.store.connection import StoreUnavailable
from scorekeeper.store.database import Store
from scorekeeper.store.entry import store_conflict
from scorekeeper.store.tables import end_watch_link, hash_of, make_watch_link
from tests.live.room import (
    PATIENCE,
    Room,
    eventually,
    next_events,
    next_version,
    remove,
    up_to_date,
)
from tests.web.play import Table


def test_a_change_between_the_stream_and_its_first_look_is_not_missed(
    game: Table, live: Room
) -> None:
    stream = live.phone(seen=1)
    assert next(stream).startswith(b"retry:")
    game.bid(3)
    assert next_version(stream) == 2


def test_every_stream_of_a_game_is_told_each_change_once(
    game: Table, live: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered: list[int] = []
    since = live_module.events_since

    def noted(
        db: Database, table_id: str, game_id: str, seen: int, hash_: str = ""
    ) -> list[change_events.ChangeEvent]:
        found = since(db, table_id, game_id, seen, hash_)
        rendered.extend(event.version for event in found)
        return found

    monkeypatch.setattr(live_module, "events_since", noted)
    streams = [up_to_date(live.phone()) for _ in range(4)]
    heard: list[list[tuple[int, Any]]] = [[] for _ in streams]
    for bid in (3, 2, 1):
        game.bid(bid)
        for stream, events in zip(streams, heard, strict=True):
            events += next_events(stream)
    assert [[version for version, _event in events] for events in heard] == [[2, 3, 4]] * 4
    assert len(rendered) < 12, "every stream rendered its own"


def test_the_stream_of_a_removed_phone_ends_within_a_second_though_nothing_changes(
    game: Table, live: Room
) -> None:
    other = game.second_phone()
    stream = up_to_date(live.phone(who=other.session["phone"]))
    kept = up_to_date(live.phone())
    remove(other)
    assert list(stream) == [], "it ends before the next sign of life"
    game.bid(3)
    assert next_version(kept) == 2


def test_the_stream_of_a_link_that_is_turned_off_ends_within_a_second(
    game: Table, live: Room
) -> None:
    with game.store.write() as db:
        key = make_watch_link(db, game.game, "secret", now())
    stream = up_to_date(live.phone(who=hash_of(key), is_watcher=True))
    with game.store.write() as db:
        end_watch_link(db, game.game, now())
    game.store.release()
    assert list(stream) == []


def test_streams_end_within_a_second_of_a_conflict_that_another_process_was_told_of(
    game: Table, live: Room
) -> None:
    phone_id, entry = game.second_phone().session["phone"], Round((5, None, None, None))
    for conflict in ((1, entry), (2, entry), None):
        stream = up_to_date(live.phone(seen=1))  # of which nothing was read before
        with game.store.write() as db:
            assert store_conflict(db, game.game, phone_id, conflict, now())
        game.store.release()
        assert list(stream) == [], "its phone then fetches the conflicts"
        with game.store.write() as db:
            assert not store_conflict(db, game.game, phone_id, conflict, now())
        game.store.release()
    assert live.phone(seen=1), "they have not ended because all did"


def test_the_streams_of_a_game_that_has_gone_back_end_and_begin_anew(
    game: Table, live: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "LOOK_AT_ALL", 0.05)
    stream = up_to_date(live.phone())
    game.bid(3)
    assert next_version(stream) == 2
    with monkeypatch.context() as restored:
        restored.setattr(live_module, "newest_versions", lambda _db, keys: dict.fromkeys(keys, 1))
        assert eventually(lambda: not live.followed_games)
    assert not [text for text in stream if b"data:" in text]
    stream = up_to_date(live.phone(seen=2))
    game.bid(2)
    assert next_version(stream) == 3


def test_a_missed_change_is_told_with_the_next_look_at_all_games(
    game: Table, live: Room, monkeypatch: pytest.MonkeyPatch, changed_games: str
) -> None:
    def miss(_commits: object) -> list[tuple[tuple[str, str], int]]:
        time.sleep(0.01)
        return []

    monkeypatch.setattr(live_module, "LOOK_AT_ALL", 0.2)
    monkeypatch.setattr(changed_games, miss)
    stream = up_to_date(live.phone(seen=1))
    game.bid(3)
    assert next_version(stream) == 2


def test_a_change_is_told_whose_notice_was_overtaken(
    game: Table, live: Room, monkeypatch: pytest.MonkeyPatch, changed_games: str
) -> None:
    notices: list[int] = []  # each with the version before a change

    def notice(_commits: object) -> list[tuple[tuple[str, str], int]]:
        time.sleep(0.01)
        return [((game.id, game.game_id), notices.pop(0))] if notices else []

    monkeypatch.setattr(changed_games, notice)
    stream = up_to_date(live.phone(seen=1))
    game.bid(3)
    notices.append(1)
    assert next_version(stream) == 2
    game.bid(2)
    game.bid(4)
    notices += [3, 2]  # that of the later change first
    assert [version for version, _change in next_events(stream)] == [3, 4]


# Failed looks


def test_changes_are_told_again_after_looks_that_failed(
    game: Table, live: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = []

    def no_file_is_free(_store: Store) -> NoReturn:
        failed.append("open")
        raise StoreUnavailable("unable to open database file")

    monkeypatch.setattr(live_module, "TRY_AGAIN", 0.05)
    with monkeypatch.context() as broken:
        broken.setattr(live_module, "watch_commits", no_file_is_free)
        stream = up_to_date(live.phone(seen=1))
        assert eventually(lambda: len(failed) >= 2)
        game.bid(3)  # meanwhile nobody looks
    assert next_version(stream) == 2
    game.bid(2)
    assert next_version(stream) == 3


def test_changes_are_told_again_after_a_look_that_failed_in_the_middle(
    game: Table, live: Room, monkeypatch: pytest.MonkeyPatch, changed_games: str
) -> None:
    monkeypatch.setattr(live_module, "TRY_AGAIN", 0.05)
    stream = up_to_date(live.phone(seen=1))
    game.bid(3)
    assert next_version(stream) == 2
    failed = threading.Event()

    def fail(_commits: object) -> list[str]:
        failed.set()
        raise StoreUnavailable("disk I/O error")

    with monkeypatch.context() as broken:
        broken.setattr(changed_games, fail)
        assert failed.wait(PATIENCE)
        game.bid(2)
    assert next_version(stream) == 3


def test_the_next_stream_reads_again_after_an_end_by_force(
    game: Table, live: Room, monkeypatch: pytest.MonkeyPatch, changed_games: str
) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _about: None)

    def end(_commits: object) -> list[str]:
        raise SystemExit

    with monkeypatch.context() as broken:
        broken.setattr(changed_games, end)
        first = live.phone(seen=1)
        assert eventually(lambda: not live.is_reading)
    stream = up_to_date(live.phone(seen=1))
    game.bid(3)
    assert next_version(stream) == 2
    assert next_version(first) == 2


def test_reading_ends_with_the_last_stream_and_begins_with_the_next(
    game: Table, live: Room
) -> None:
    for version in (2, 3):
        stream = up_to_date(live.phone(seen=version - 1))
        game.bid(3)
        assert next_version(stream) == version
        stream.close()
        assert eventually(lambda: not live.is_reading)
