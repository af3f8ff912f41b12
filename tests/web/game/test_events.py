"""Event streams: what a phone of the table is told, and what others are."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from scorekeeper.store.tables import SHORT, end_watch_link, remove_phone
from tests.web.play import AT, Table

REVISION, OTHER = "1-{hash}", "1-0123456789ab"
# The address's query, the header of a browser that connects again, and the versions told; only
# those with the changed round are what a phone need not fetch.
SEEN: dict[str, tuple[str, str, list[tuple[int, bool]]]] = {
    "nothing": ("", "", [(3, False)]),
    "a version": ("?seen=1", "", [(2, True), (3, True)]),
    "a revision": (f"?seen={REVISION}", "", [(2, True), (3, True)]),
    "a revision of another history": (f"?seen={OTHER}", "", [(3, False)]),
    "the newest": ("?seen=3", "", []),
    "more than there is": ("?seen=9", "", [(3, False)]),
    "more since the page": ("?seen=1", "2", [(3, True)]),
    "all since the page": ("?seen=1", "3", []),
    "only as told": ("", "2", [(3, True)]),
    "not a number": ("?seen=x", "", [(3, False)]),
    "no version": ("?seen=-", "", [(3, False)]),
    "a number too long": ("?seen=" + "9" * 400, "", [(3, False)]),
    "digits of another script": ("?seen=٣", "", [(3, False)]),
}


def listen(table: Table, path: str = "", **options: Any) -> Iterator[bytes]:
    """Open a stream, of the game unless another path is named, and return its events."""
    answer = table.client.get(path or f"{table.path}/events", buffered=False, **options)
    assert answer.status_code == 200
    return iter(answer.response)


def told(stream: Iterator[bytes], chunks: int) -> list[tuple[int, Any]]:
    """Return the events in the next chunks of a stream."""
    text = b"".join(islice(stream, chunks)).decode()
    found = re.findall(r"^id: (\d+)\ndata: (.*)$", text, re.MULTILINE)
    return [(int(version), json.loads(content)) for version, content in found]


@pytest.mark.parametrize(("query", "header", "expected"), SEEN.values(), ids=SEEN)
def test_a_phone_is_told_what_it_has_not_seen(
    game: Table, query: str, header: str, expected: list[tuple[int, bool]]
) -> None:
    first = game.game.hash
    game.bid(3)
    game.bid(2)
    path = f"{game.path}/events{query.format(hash=first[:12])}"
    stream = listen(game, path, headers={"Last-Event-ID": header} if header else {})
    assert [(version, "round" in event) for version, event in told(stream, 2)] == expected


def test_a_phone_that_is_removed_is_told_nothing_more(game: Table) -> None:
    other = game.second_phone()
    stream, own = listen(other), listen(game)
    assert [told(one, 2)[0][0] for one in (stream, own)] == [1, 1]
    with game.store.write() as db:
        remove_phone(db, game.id, other.session["phone"][:SHORT], AT)
    game.bid(3)
    assert b"data:" not in b"".join(stream)
    assert told(own, 1)[0][0] == 2


def test_the_stream_of_a_removed_game_ends(game: Table) -> None:
    stream = listen(game)
    assert told(stream, 2)[0][0] == 1
    game.post(f"{game.path}/removal", game.fresh())
    assert b"data:" not in b"".join(stream)


def test_watchers_and_programs_are_told_only_versions(game: Table) -> None:
    game.send(game.page(f"{game.path}/share").form("/watching"), on="yes")
    watch = re.search(r"/watch/[0-9a-z]+", game.page(f"{game.path}/share").html)
    assert watch is not None
    streams = [
        listen(Table(game.app), f"{watch[0]}/events"),
        listen(game, f"/api{game.path}/events", headers={"Authorization": f"Bearer {game.key}"}),
    ]
    assert [told(stream, 2) for stream in streams] == [[(1, 1)]] * 2
    game.bid(3)
    assert [told(stream, 1) for stream in streams] == [[(2, 2)]] * 2
    with game.store.write() as db:
        end_watch_link(db, game.game, AT)
    game.bid(2)
    assert b"data:" not in b"".join(streams[0])
    assert told(streams[1], 1) == [(3, 3)]
