"""A stream of a whole table tells each change once and in order, wherever it is resumed."""

import json
import re
import threading
from typing import Any, NamedTuple

import pytest

from scorekeeper import live as live_module
from scorekeeper.clock import now
from scorekeeper.live import WHOLE, Listener
from scorekeeper.store import table_events
from scorekeeper.store.changes import newest_line
from scorekeeper.store.games import load_game
from scorekeeper.store.history import bring_back, remove_game
from scorekeeper.store.tables import SHORT, end_link, hash_of, make_join_key
from tests.live.room import Room, Stream, another_game, eventually, up_to_date
from tests.live.test_events import change_target
from tests.web.play import Table
from tests.web.taps import SCORED, send


class Told(NamedTuple):
    """An event of a table."""

    id: str
    name: str
    data: dict[str, Any]


def follow(live: Room, last_id: str = "0", **listens: Any) -> Stream:
    """Return a stream of the table from an event on, at first from the beginning."""
    listener = Listener(**{"who": live.table.session["phone"], **listens})
    return live.table_stream(live.table.id, last_id, listener)


def events(stream: Stream, most: int) -> list[Told]:
    """Return the next events."""
    found: list[Told] = []
    while len(found) < most:
        text = next(stream).decode()
        parts = re.findall(r"id: (\S+)\nevent: (\w+)\ndata: (.*)\n\n", text)
        found += [Told(id_, name, json.loads(data)) for id_, name, data in parts]
    return found


def names(stream: Stream, most: int) -> list[str]:
    return [event.name for event in events(stream, most)]


def play_a_game(table: Table) -> None:
    """Score a round, correct it, take both back, score it again; bids alone are no event."""
    table.bid(3)
    send(table, 1, **SCORED)
    send(table, 1, bids=(4, 2, "nil", 4), tricks=SCORED["tricks"])
    table.undo()
    table.undo()
    table.redo()
    table.bid(2)


PLAYED = ["started", "scored", "corrected", "corrected", "corrected", "scored"]


def test_what_is_scored_and_corrected_is_told_once_each(game: Table, live: Room) -> None:
    play_a_game(game)
    told = events(follow(live), len(PLAYED))
    assert [event.name for event in told] == PLAYED
    assert [event.data["event"] for event in told] == PLAYED
    assert told[0].data["totals"] == [0] * 4
    assert told[1].data["round"] == 1
    assert told[-1].data["totals"] == list(game.state.standing.totals)
    assert told[-1].data["players"] == list(game.game.names)


def test_the_same_is_told_while_it_happens(game: Table, live: Room) -> None:
    stream = up_to_date(follow(live))
    other = threading.Thread(target=play_a_game, args=[game])
    other.start()
    later = events(stream, len(PLAYED) - 1)
    other.join()
    assert later == events(follow(live), len(PLAYED))[1:]


@pytest.mark.parametrize("seen", range(len(PLAYED)))
def test_a_stream_goes_on_after_the_event_that_was_seen_last(
    game: Table, live: Room, seen: int
) -> None:
    play_a_game(game)
    whole = events(follow(live), len(PLAYED))
    another_game(game)
    rest = events(follow(live, whole[seen].id), len(PLAYED) - seen)
    assert rest[:-1] == whole[seen + 1 :]
    assert rest[-1].name == "started"


def test_games_at_the_same_time_come_in_the_order_of_their_changes(game: Table, live: Room) -> None:
    other = another_game(game)
    send(other, 1, **SCORED)
    send(game, 1, **SCORED)
    told = [(one.name, one.data["game"]) for one in events(follow(live), 4)]
    assert told == [
        ("started", game.game_id),
        ("started", other.game_id),
        ("scored", other.game_id),
        ("scored", game.game_id),
    ]


def test_the_round_that_ends_a_game_is_told_as_its_end(game: Table, live: Room) -> None:
    number = 0
    while game.state.phase != "over" and number < 50:
        number += 1
        send(game, number, **SCORED)
    told = events(follow(live), number + 1)
    assert [one.name for one in told] == ["started", *["scored"] * (number - 1), "over"]
    assert told[-1].data["outcome"]["winners"] == [side + 1 for side in game.state.winners]


def test_other_rules_and_a_removal_are_told_too(game: Table, live: Room) -> None:
    change_target(game)
    with game.store.write() as db:
        remove_game(db, game.game, None, now())
    with game.store.write() as db:
        removed = load_game(db, game.id, game.game_id, removed=True)
        assert removed
        bring_back(db, removed, None, now())
    assert names(follow(live), 4) == ["started", "corrected", "deleted", "restored"]


def test_a_note_on_a_round_is_no_event(game: Table, live: Room) -> None:
    send(game, 1, **SCORED)
    game.post(f"{game.path}/rounds/1/note", game.fresh(remark="What a hand"))
    other = another_game(game)
    told = events(follow(live), 3)
    assert [one.name for one in told] == ["started", "scored", "started"]
    assert told[-1].data["game"] == other.game_id


def test_a_first_stream_begins_now_and_says_where_to_resume(game: Table, live: Room) -> None:
    send(game, 1, **SCORED)
    stream = follow(live, "")
    _retry, text = next(stream), next(stream).decode()
    assert re.fullmatch(r"id: (\S+)\n\n", text)
    other = another_game(game)
    resumed = events(follow(live, text[4:].strip()), 1)
    assert resumed == events(stream, 1)
    assert resumed[0].data["game"] == other.game_id


@pytest.mark.parametrize("last_id", ["x", "0000000000-1-000000000000", "9" * 40, "1\0"])
def test_an_event_that_the_table_does_not_have_begins_anew(
    game: Table, live: Room, last_id: str
) -> None:
    stream = follow(live, last_id)
    _retry, text = next(stream), next(stream).decode()
    assert text.endswith("\nevent: reset\ndata: {}\n\n")
    assert text.startswith(f"id: {game.game_id}-1-")


def test_an_event_of_another_history_begins_anew(game: Table, live: Room) -> None:
    (begun,) = events(follow(live), 1)
    stream = follow(live, f"{begun.id[:-12]}{'0' * 12}")
    assert b"event: reset" in b"".join([next(stream), next(stream)])


def test_a_program_that_missed_too_much_begins_anew(
    game: Table, live: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    (begun,) = events(follow(live), 1)
    play_a_game(game)
    monkeypatch.setattr(table_events, "MOST_LINES", 3)
    stream = follow(live, begun.id)
    text = b"".join([next(stream), next(stream)])
    assert b"event: reset" in text
    assert game.game.hash[:12].encode() in text


def test_a_stream_too_far_behind_ends_and_misses_nothing(
    game: Table, live: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "MOST_KEPT", 2)
    slow = follow(live)
    (begun,) = events(slow, 1)
    play_a_game(game)  # its last bid is no event
    whole = events(follow(live), len(PLAYED))
    told = live.followed_games.newest_versions
    assert eventually(lambda: told()[game.id, WHOLE] >= newest_line(game.store.db) - 1)
    assert not [text for text in slow if b"data:" in text]
    assert events(follow(live, begun.id), len(PLAYED) - 1) == whole[1:]


def test_a_stream_ends_with_its_key(
    game: Table, live: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "LOOK_AGAIN", 0.0)
    with game.store.write() as db:
        key = make_join_key(db, game.id, "a dashboard", now())
    stream = up_to_date(follow(live, who=hash_of(key)))
    with game.store.write() as db:
        end_link(db, game.id, hash_of(key)[:SHORT], now())
    assert not [text for text in stream if b"data:" in text]


def test_another_table_is_not_told(game: Table, live: Room) -> None:
    stranger = Table(game.app)
    stranger.join()
    stranger.begin()
    send(stranger, 1, **SCORED)
    another_game(game)
    told = events(follow(live), 2)
    assert stranger.game_id not in {one.data["game"] for one in told}
    foreign = events(live.table_stream(stranger.id, "0", Listener("x")), 1)
    again = follow(live, foreign[0].id)
    assert b"event: reset" in b"".join([next(again), next(again)])
