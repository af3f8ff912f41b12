"""A change reaches every stream, and a stream gives its place back."""

import threading
from collections.abc import Iterator
from itertools import islice

import pytest

from scorekeeper.live import Live, TooManyStreams
from tests.web.play import Table


def here() -> bool:
    return False


@pytest.fixture
def live(game: Table) -> Iterator[Live]:
    live = Live(game.store.path, most=2)
    yield live
    live.end()


def next_version(stream: Iterator[bytes]) -> int:
    """Return the version of the next event, passing over signs of life."""
    for event in stream:
        if b"data:" in event:
            return int(event.rpartition(b"data:")[2])
    raise AssertionError("the stream ended")


def test_a_phone_that_has_seen_less_is_told_at_once(game: Table, live: Live) -> None:
    assert next_version(live.stream(game.game_id, 7, 5, here)) == 7


def test_a_phone_that_is_up_to_date_waits_for_the_next_change(game: Table, live: Live) -> None:
    stream = live.stream(game.game_id, game.game.version, game.game.version, here)
    threading.Timer(0.1, game.bid, [3]).start()
    assert next_version(stream) == 2


def test_a_change_of_another_connection_is_told_like_one_of_this_process(
    game: Table, live: Live
) -> None:
    stream = live.stream(game.game_id, 1, 1, here)
    other = threading.Thread(target=game.bid, args=[4])
    other.start()
    assert next_version(stream) == 2
    other.join()


def test_a_change_between_the_page_and_the_stream_is_not_missed(game: Table, live: Live) -> None:
    seen = game.game.version
    game.bid(3)
    assert next_version(live.stream(game.game_id, seen, seen, here)) == seen + 1


def test_a_change_of_another_game_is_not_told(game: Table, live: Live) -> None:
    stream = live.stream("another", 1, 1, here)
    game.bid(3)
    ended = threading.Timer(0.3, live.end)
    ended.start()
    assert not [event for event in stream if b"data:" in event]


def test_an_event_names_its_version_as_its_id_so_that_a_browser_resumes_there(
    game: Table, live: Live
) -> None:
    retry, event = islice(live.stream(game.game_id, 3, 1, here), 2)
    assert retry == b"retry: 1000\n\n"
    assert event == b"id: 3\ndata: 3\n\n"


def test_over_the_cap_no_stream_is_given(game: Table, live: Live) -> None:
    held = [live.stream(game.game_id, 1, 1, here) for _ in range(2)]
    with pytest.raises(TooManyStreams):
        live.stream(game.game_id, 1, 1, here)
    held[0].close()  # type: ignore[attr-defined]
    assert live.stream(game.game_id, 1, 1, here)


def test_a_stream_that_was_closed_before_it_was_read_gives_its_place_back(
    game: Table, live: Live
) -> None:
    for _ in range(5):
        live.stream(game.game_id, 1, 1, here).close()  # type: ignore[attr-defined]
    assert live.stream(game.game_id, 1, 1, here)


def test_a_phone_that_went_away_ends_its_stream(game: Table, live: Live) -> None:
    stream = live.stream(game.game_id, 1, 1, gone=lambda: True)
    assert not [event for event in stream if b"data:" in event]


def test_a_server_that_stops_lets_every_stream_go(game: Table, live: Live) -> None:
    stream = live.stream(game.game_id, 1, 1, here)
    live.end()
    assert not [event for event in stream if b"data:" in event]


def test_who_may_no_longer_listen_is_told_nothing_more(game: Table, live: Live) -> None:
    may = [True, False]
    stream = live.stream(game.game_id, 2, 1, here, allowed=lambda: may.pop(0))
    assert next_version(stream) == 2
    game.bid(3)
    game.bid(2)
    assert not [event for event in stream if b"data:" in event]
