"""Server-sent events: a change reaches the streams of its game, and limits of streams hold."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, NoReturn

import pytest
from sqlite_utils import Database

from scorekeeper import live as live_module
from scorekeeper.clock import now
from scorekeeper.live import Caps, Listener, Live, TooManyStreams
from scorekeeper.store import change_events
from scorekeeper.store.changes import changes_of
from scorekeeper.store.database.errors import StoreUnavailable
from scorekeeper.store.database.store import Store
from scorekeeper.store.games import revision_of
from scorekeeper.store.journal import change_rules
from scorekeeper.store.tables import SHORT, remove_phone
from tests.web.play import Table
from tests.web.taps import SCORED, send

PATIENCE = 20.0  # seconds, on a busy machine
Stream = Iterator[bytes]


class Room(Live):
    """The streams of a process, as the phones of one game ask for them."""

    def __init__(self, table: Table, **caps: int) -> None:
        super().__init__(table.store, Caps(**{"total": 20, "link": 20, "address": 20, **caps}))
        self.table = table

    def phone(self, seen: int = 1, game_id: str = "", hash_: str = "", **listens: Any) -> Stream:
        """Return the stream of a phone that has seen a version."""
        listener = Listener(**{"who": self.table.session["phone"], **listens})
        return self.stream((self.table.id, game_id or self.table.game_id), seen, listener, hash_)


@pytest.fixture
def live(game: Table, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """Streams that send no sign of life, which would heal what went wrong; none waits for ever."""
    monkeypatch.setattr(live_module, "ALIVE", 3600.0)
    live = Room(game)
    giving_up = threading.Timer(PATIENCE, live.end)
    giving_up.start()
    yield live
    giving_up.cancel()
    live.end()


@pytest.fixture
def changed_games(database: str) -> str:
    """The name of the function that looks for changes."""
    return {
        "sqlite": "scorekeeper.store.commits.PolledCommits.changed_games",
        "postgresql": "scorekeeper.store.database.postgresql.notices.Notices.changed_games",
    }[database]


def next_version(stream: Stream) -> int:
    """Return the version of the next event, passing over signs of life."""
    return next_events(stream)[-1][0]


def next_events(stream: Stream) -> list[tuple[int, Any]]:
    """Return the versions and the content of the next events, passing over signs of life."""
    for text in stream:
        if found := re.findall(rb"id: (\d+)\ndata: (.*)\n\n", text):
            return [(int(version), json.loads(content)) for version, content in found]
    raise AssertionError("the stream ended")


def up_to_date(stream: Stream) -> Stream:
    """Read a stream up to its first event or sign of life; from there on it waits."""
    assert len(list(islice(stream, 2))) == 2
    return stream


def eventually(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


def another_game(game: Table) -> Table:
    """Return another phone of a table, at a game of its own."""
    other = game.second_phone()
    other.begin()
    return other


# What is told


def test_a_phone_that_has_seen_less_is_told_at_once(game: Table, live: Room) -> None:
    game.bid(3)
    assert next_version(live.phone(seen=1)) == 2


def test_a_phone_that_is_up_to_date_waits_for_the_next_change(game: Table, live: Room) -> None:
    stream = up_to_date(live.phone(seen=1))
    threading.Timer(0.1, game.bid, [3]).start()
    assert next_version(stream) == 2


def test_a_change_of_another_connection_is_told_like_one_of_this_process(
    game: Table, live: Room
) -> None:
    stream = up_to_date(live.phone(seen=1))
    other = threading.Thread(target=game.bid, args=[4])
    other.start()
    assert next_version(stream) == 2
    other.join()


def test_a_change_between_the_page_and_the_stream_is_not_missed(game: Table, live: Room) -> None:
    seen = game.game.version
    game.bid(3)
    assert next_version(live.phone(seen)) == seen + 1


def test_a_change_between_the_stream_and_its_first_look_is_not_missed(
    game: Table, live: Room
) -> None:
    stream = live.phone(seen=1)
    assert next(stream).startswith(b"retry:")
    game.bid(3)
    assert next_version(stream) == 2


def test_an_event_names_its_version_as_its_id_so_that_a_browser_resumes_there(
    game: Table, live: Room
) -> None:
    game.bid(3)
    game.bid(2)
    retry, events = islice(live.phone(seen=1), 2)
    assert retry == b"retry: 1000\n\n"
    assert re.findall(rb"^id: .*$", events, re.MULTILINE) == [b"id: 2", b"id: 3"]


def remove(phone: Table) -> None:
    """Have removed a phone from its table."""
    with phone.store.write() as db:
        remove_phone(db, phone.id, phone.session["phone"][:SHORT], now())
    phone.store.release()


def test_a_phone_that_was_removed_is_told_nothing_more(game: Table, live: Room) -> None:
    other = game.second_phone()
    stream = up_to_date(live.phone(who=other.session["phone"]))
    kept = up_to_date(live.phone())
    remove(other)
    game.bid(3)
    assert next_version(kept) == 2
    assert not list(stream)


def test_the_stream_of_a_removed_phone_ends_though_nothing_changes(
    game: Table, live: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "ALIVE", 0.1)
    other = game.second_phone()
    stream = up_to_date(live.phone(who=other.session["phone"]))
    remove(other)
    assert set(stream) <= {b":\n\n"}


def test_the_streams_of_a_game_that_has_gone_back_end_and_begin_anew(
    game: Table, live: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "ALIVE", 0.05)
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


def test_a_phone_that_went_away_ends_its_stream(live: Room) -> None:
    left = threading.Event()
    stream = up_to_date(live.phone(gone=left.is_set))
    left.set()
    assert not list(stream)
    assert not list(live.phone(gone=lambda: True))[1:], "it was away before"


def test_a_server_that_stops_lets_every_stream_go(live: Room) -> None:
    stream = live.phone()
    live.end()
    assert not [event for event in stream if b"data:" in event]


# What an event says


def play(table: Table, steps: str) -> None:
    """Make changes: bids, undo and redo, other rules, a misdeal, a round scored, a removal."""
    actions: dict[str, Callable[[], Any]] = {
        "undo": table.undo,
        "redo": table.redo,
        "misdeal": table.misdeal,
        "rules": lambda: change_target(table),
        "score": lambda: send(table, 1, **SCORED),
        "empty": lambda: send(table, 1, bids=("",) * 4),
    }
    for step in steps.split():
        actions.get(step, partial(table.bid, step))()


def bids(*bids: object) -> dict[str, Any]:
    return {"bids": [*bids, *[None] * (4 - len(bids))], "tricks": None, "tally": None}


SCORE = {"bids": [3, 2, "nil", 4], "tricks": [3, 4, 0, 3], "tally": None}
# What happens, and the newest event: its round, facts, kind, and the line that undo acts on then.
EVENTS: dict[str, tuple[str, tuple[int, Any, str, int | None] | None]] = {
    "a bid": ("3", (1, bids(3), "bid", 2)),
    "another": ("3 2", (1, bids(3, 2), "bid", 3)),
    "undo": ("3 2 undo", (1, bids(3), "undo", 2)),
    "undo of the first bid": ("3 undo", (1, None, "undo", None)),
    "redo": ("3 undo redo", (1, bids(3), "redo", 2)),
    "a misdeal": ("3 misdeal", (1, bids(), "misdeal", 3)),
    "a round scored": ("score", (1, SCORE, "scored", 2)),
    "a round removed": ("score empty", (1, None, "removed", 3)),
    "other rules": ("3 rules", None),
    "other rules undone": ("3 rules undo", None),
    "a bid by other rules": ("rules 3", (1, bids(3), "bid", 3)),
}


@pytest.mark.parametrize("is_late", [False, True], ids=["at once", "missed"])
@pytest.mark.parametrize(("steps", "event"), EVENTS.values(), ids=EVENTS)
def test_an_event_tells_the_changed_round(
    game: Table, live: Room, steps: str, event: Any, is_late: bool
) -> None:
    stream = live.phone() if is_late else up_to_date(live.phone())
    play(game, steps)
    events = next_events(stream)
    while events[-1][0] < game.game.version:
        events = next_events(stream)
    newest = events[-1][1]
    rows = game.store.db.execute("SELECT version, hash FROM changes ORDER BY version").fetchall()
    based_on, revision = (revision_of(*row) for row in rows[-2:])
    assert newest["revision"] == revision
    if event is None:
        assert set(newest) == {"revision"}
        return
    assert newest["after"] == based_on
    assert tuple(newest[name] for name in ("round", "facts", "kind", "line")) == event
    change = changes_of(game.store.db, game.game)[-1]
    assert (newest["at"], newest["phone"]) == (change.at, change.phone)


def change_target(table: Table) -> None:
    """Score the game by other rules."""
    with table.store.write() as db:
        rules = replace(table.game.rules, target=300)
        change_rules(db, table.game, rules, table.game.version, None, now())


@pytest.mark.parametrize("seen", [0, 1, 99], ids=["nothing", "too little", "another history"])
def test_a_phone_that_has_missed_too_much_is_told_only_the_revision(
    game: Table, live: Room, monkeypatch: pytest.MonkeyPatch, seen: int
) -> None:
    monkeypatch.setattr(change_events, "MOST_MISSED", 2)
    play(game, "3 2 1")
    assert next_events(live.phone(seen)) == [(4, {"revision": game.game.revision})]


def test_a_phone_of_another_history_is_told_only_the_revision(game: Table, live: Room) -> None:
    revision = game.game.revision
    game.bid(3)
    events = [next_events(live.phone(1, hash_=hash_))[0][1] for hash_ in ("", revision[2:], "0123")]
    assert ["round" in event for event in events] == [True, True, False]


def test_watchers_are_told_only_the_newest_version(game: Table, live: Room) -> None:
    play(game, "3 2")
    stream = live.phone(watches=True)
    assert list(islice(stream, 2))[1] == b"id: 3\ndata: 3\n\n"
    game.bid(1)
    assert next_events(stream) == [(4, 4)]


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


# How many


@pytest.mark.parametrize(
    ("caps", "listens"),
    [
        ({"total": 2}, {}),
        ({"link": 2}, {"link": "/watch/a/events"}),
        ({"address": 2}, {"address": "192.0.2.1"}),
    ],
)
def test_over_a_cap_no_stream_is_given(
    game: Table, caps: dict[str, int], listens: dict[str, str]
) -> None:
    live = Room(game, **caps)
    held = [live.phone(**listens) for _ in range(2)]
    with pytest.raises(TooManyStreams):
        live.phone(**listens)
    if listens:
        (kind,) = listens
        held.append(live.phone(**{kind: "another"}))
    held[0].close()
    assert live.phone(**listens)
    live.end()


def test_a_stream_that_was_closed_before_it_was_read_gives_its_place_back(game: Table) -> None:
    live = Room(game, total=2, link=2, address=2)
    for _ in range(5):
        live.phone().close()
    assert live.phone()
    live.end()


def test_nothing_is_kept_of_a_game_or_a_phone_that_nobody_listens_for(
    game: Table, live: Room
) -> None:
    held = [live.phone(link=f"/{n}", address=f"192.0.2.{n}") for n in range(3)]
    held.append(live.phone(game_id=another_game(game).game_id))
    game.bid(3)
    assert len(live.followed_games) == 2
    for stream in held:
        stream.close()
    assert not live.followed_games
    assert not live.stream_counts


# Signs of life


def test_only_the_streams_of_a_game_are_woken_by_its_changes(
    game: Table, live: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = live.phone(game_id=another_game(game).game_id)
    heard: list[bytes] = []
    reading = threading.Thread(target=lambda: heard.extend(stream))
    reading.start()
    followed = up_to_date(live.phone())
    for bid in range(1, 5):
        assert game.bid(bid).status_code == 303
        assert next_version(followed) == bid + 1
    live.end()
    reading.join(PATIENCE)
    assert heard == [b"retry: 1000\n\n", b":\n\n"]


def test_a_sign_of_life_comes_after_seconds_whatever_wakes_a_stream(
    game: Table, live: Room, monkeypatch: pytest.MonkeyPatch, changed_games: str
) -> None:
    monkeypatch.setattr(live_module, "ALIVE", 0.5)
    wakes = 0

    def find_what_was_seen(_commits: object) -> list[tuple[tuple[str, str], int]]:
        nonlocal wakes
        wakes += 1
        time.sleep(0.005)
        return [((game.id, game.game_id), 0)]

    monkeypatch.setattr(changed_games, find_what_was_seen)
    stream = up_to_date(live.phone())
    begun = time.monotonic()
    sign = next(stream)
    took = time.monotonic() - begun
    assert sign == b":\n\n"
    assert took > 0.4
    assert wakes > 10


def test_a_missed_wake_up_heals_with_the_next_sign_of_life(
    game: Table, live: Room, monkeypatch: pytest.MonkeyPatch, changed_games: str
) -> None:
    def miss(_commits: object) -> list[tuple[tuple[str, str], int]]:
        time.sleep(0.01)
        return []

    monkeypatch.setattr(live_module, "ALIVE", 0.2)
    monkeypatch.setattr(changed_games, miss)
    stream = up_to_date(live.phone(seen=1))
    game.bid(3)
    assert next_version(stream) == 2


# Looks that fail


def test_changes_are_told_again_after_looks_that_failed(
    game: Table, live: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = []

    def no_file_is_free(_store: Store) -> NoReturn:
        failed.append("open")
        raise StoreUnavailable("unable to open database file")

    monkeypatch.setattr(live_module, "LOOK_AGAIN", 0.05)
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
    monkeypatch.setattr(live_module, "LOOK_AGAIN", 0.05)
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


def test_the_next_stream_begins_a_look_that_was_ended_by_force(
    game: Table, live: Room, monkeypatch: pytest.MonkeyPatch, changed_games: str
) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _about: None)

    def end(_commits: object) -> list[str]:
        raise SystemExit

    with monkeypatch.context() as broken:
        broken.setattr(changed_games, end)
        first = live.phone(seen=1)
        assert eventually(lambda: not live.is_looking)
    stream = up_to_date(live.phone(seen=1))
    game.bid(3)
    assert next_version(stream) == 2
    assert next_version(first) == 2


def test_looking_ends_with_the_last_stream_and_begins_with_the_next(
    game: Table, live: Room
) -> None:
    for version in (2, 3):
        stream = up_to_date(live.phone(seen=version - 1))
        game.bid(3)
        assert next_version(stream) == version
        stream.close()
        assert eventually(lambda: not live.is_looking)
