"""Streams of desk and wall: who may have them."""

from scorekeeper.club.events import LinkEnded
from scorekeeper.store.club_links import link_key
from tests.web.club.slips import Evening
from tests.web.play import Table


def wall(evening: Evening) -> str:
    key = link_key(evening.now, ("wall", 0), str(evening.app.config["SECRET_KEY"]))
    return f"/club/{evening.id}/wall/{key}/events"


def test_a_wall_needs_its_key_alone(evening: Evening, stranger: Table) -> None:
    path = wall(evening)
    with stranger.get(path) as answer:
        assert (answer.status_code, answer.mimetype) == (200, "text/event-stream")
    evening.do(LinkEnded("wall"))
    assert stranger.get(path).status_code == 404
    assert stranger.get(wall(evening)).status_code == 200


def test_a_desk_is_for_phones_of_the_club(evening: Evening, stranger: Table, table: Table) -> None:
    path = f"/club/{evening.id}/events"
    with evening.director.get(path) as answer:
        assert (answer.status_code, answer.mimetype) == (200, "text/event-stream")
    for phone in (stranger, table, evening.keeper(1)):
        assert phone.get(path).status_code == 404


def test_who_looks_at_a_club_night_counts_by_its_evening(evening: Evening, stranger: Table) -> None:
    budgets = evening.app.extensions["budgets"]
    budgets.watchers.spend(f"watchers {evening.id}", 10)
    assert stranger.get(wall(evening).removesuffix("/events")).status_code == 429
    assert stranger.get("/rules").status_code == 200
