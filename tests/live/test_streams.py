"""A change reaches the streams of its game, and limits of streams hold."""

import re
import threading
import time
from itertools import islice

import pytest

from scorekeeper import live as live_module
from scorekeeper.live import TooManyStreams
from scorekeeper.store.tables import claim_seat
from tests.live.room import PATIENCE, Room, another_game, next_version, remove, up_to_date
from tests.web.play import Table


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


def test_an_event_names_its_version_as_its_id_so_that_a_browser_resumes_there(
    game: Table, live: Room
) -> None:
    game.bid(3)
    game.bid(2)
    retry, events = islice(live.phone(seen=1), 2)
    assert retry == b"retry: 1000\n\n"
    assert re.findall(rb"^id: .*$", events, re.MULTILINE) == [b"id: 2", b"id: 3"]


def test_streams_end_with_the_next_change_after_another_process_gave_a_seat(
    game: Table, live: Room
) -> None:
    stream = up_to_date(live.phone(seen=1))
    game.bid(3)
    assert next_version(stream) == 2
    with game.store.write() as db:
        claim_seat(db, game.game, 1, game.session["phone"])
    game.bid(2)
    assert not [text for text in stream if b"id: 4" in text]


def test_a_phone_that_was_removed_is_told_nothing_more(game: Table, live: Room) -> None:
    other = game.second_phone()
    stream = up_to_date(live.phone(who=other.session["phone"]))
    kept = up_to_date(live.phone())
    remove(other)
    game.bid(3)
    assert next_version(kept) == 2
    assert not list(stream)


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
    assert wakes > 1
