"""The code on *Devices*: a signed invitation, which is stored nowhere and opens for a day."""

import re
from datetime import timedelta

import pytest
from flask import Flask

from scorekeeper.clock import now
from scorekeeper.store.games import ALPHABET
from scorekeeper.store.invitations import LENGTH, make_invitation
from scorekeeper.store.tables import find_phone, new_server_link
from scorekeeper.web import table as table_pages
from scorekeeper.web.http.rate_limits import Limit
from tests.web.page import text_of
from tests.web.play import Table, page_of

CODE = re.compile(rf"/join/(i[0-9a-z]{{{LENGTH - 1}}})\b")
HOURS = [timedelta(hours=23, minutes=59), timedelta(hours=24, minutes=1)]


def invited(table: Table) -> str:
    """Return the invitation that a phone shows."""
    return str(CODE.findall(table.page("/table").text)[0])


def newcomer(table: Table, key: str) -> Table:
    """Return somebody who has an invitation."""
    other = Table(table.app, table.id)
    other.key = key
    return other


def statuses(table: Table, key: str) -> set[int]:
    """Return how the question, its answer and a pasted link are answered to somebody new."""
    other = newcomer(table, key)
    fields = {"csrf_token": other.token(), "label": "Ben's phone"}
    asked = other.get(f"/join/{key}").status_code
    return {asked, other.post(f"/join/{key}", fields).status_code}


def test_it_joins_as_often_as_it_is_used(table: Table) -> None:
    key = invited(table)
    for name in ("Ben's phone", "Cy's phone"):
        other = newcomer(table, key)
        other.join(name)
        assert other.page("/table").one("ul[@id='phones']") is not None
    assert "Cy's phone" in table.page("/table").text


def test_it_shows_a_code_and_the_link_as_text(table: Table) -> None:
    page = table.page("/table")
    assert page.one("*[@role='img']").get("aria-label") == "QR code for the link"
    (text,) = page.texts("p[@class='link-text']")
    assert text.endswith(f"/join/{CODE.findall(text)[0]}")


def test_showing_it_stores_nothing(table: Table) -> None:
    before = table.everything()
    key = invited(table)
    assert table.app.test_client().get(f"/join/{key}").status_code == 200
    assert table.everything() == before


def test_a_pasted_message_with_it_joins(stranger: Table, table: Table) -> None:
    message = f"Come along: http://192.168.1.7:8000/join/{invited(table)} See you!"
    assert (
        stranger.post("/join", {"csrf_token": stranger.token(), "link": message}).status_code == 303
    )
    assert stranger.get("/table").status_code == 200


def test_capitals_and_a_full_stop_do_no_harm(table: Table) -> None:
    key = invited(table)
    other = newcomer(table, key)
    assert other.get(f"/join/{key.upper()}.").location.endswith(f"/join/{key}")


@pytest.mark.parametrize(("later", "expected"), [(HOURS[0], {200, 303}), (HOURS[1], {404})])
def test_it_opens_for_a_day(
    table: Table, monkeypatch: pytest.MonkeyPatch, later: timedelta, expected: set[int]
) -> None:
    key, then = invited(table), now() + later
    monkeypatch.setattr(table_pages, "now", lambda: then)
    assert statuses(table, key) == expected


def test_one_that_has_expired_says_until_when_it_was_good(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, then = invited(table), now() + HOURS[1]
    monkeypatch.setattr(table_pages, "now", lambda: then)
    other = newcomer(table, key)
    page = page_of(other.get(f"/join/{key}"))
    told = page.texts("p[@class='cover-small']")[0]
    assert told.startswith("Good until: ")
    pasted = page_of(other.post("/join", {"csrf_token": other.token(), "link": key}))
    assert pasted.error_of("link").startswith("This link has expired · Good until: ")


def test_one_that_is_void_says_since_when(table: Table) -> None:
    key = invited(table)
    table.post("/table/others/remove", {"csrf_token": table.token()})
    page = page_of(newcomer(table, key).get(f"/join/{key}"))
    told = page.texts("p[@class='cover-small']")[0]
    assert told.startswith("A device was removed, and this link with it: Today, ")
    unknown = page_of(newcomer(table, "").get("/join/iunknown"))
    assert len(unknown.texts("p[@class='cover-small']")) == 1, "of rules alone"


def test_it_is_void_once_its_maker_was_removed(table: Table) -> None:
    other = newcomer(table, invited(table))
    other.join("Ben's phone")
    key = invited(other)
    assert statuses(table, key) == {200, 303}
    table.post(f"/table/phones/{other.session['phone'][:12]}/remove", {"csrf_token": table.token()})
    assert statuses(table, key) == {404}


def test_a_removed_phone_does_not_return_by_one_that_it_knows(table: Table) -> None:
    key = invited(table)
    other = newcomer(table, key)
    other.join("Ben's phone")
    table.post(f"/table/phones/{other.session['phone'][:12]}/remove", {"csrf_token": table.token()})
    assert statuses(table, key) == {404}, "the maker is there, but the guest knows it"
    assert statuses(table, invited(table)) == {200, 303}, "one of later opens"


def test_a_phone_that_removes_itself_ends_none_of_others(table: Table) -> None:
    key = invited(table)
    other = newcomer(table, key)
    other.join("Ben's phone")
    other.post(f"/table/phones/{other.session['phone'][:12]}/remove", {"csrf_token": other.token()})
    assert statuses(table, key) == {200, 303}


def test_removing_all_others_ends_it(table: Table) -> None:
    key = invited(table)
    table.post("/table/others/remove", {"csrf_token": table.token()})
    assert statuses(table, key) == {404}
    assert statuses(table, invited(table)) == {200, 303}


@pytest.mark.parametrize("place", range(LENGTH))
def test_no_letter_of_it_can_be_changed(table: Table, place: int) -> None:
    key = invited(table)
    other = next(letter for letter in ALPHABET if letter != key[place])
    assert (
        newcomer(table, "").get(f"/join/{key[:place]}{other}{key[place + 1 :]}").status_code == 404
    )


@pytest.mark.parametrize("key", ["i", "i" + "0" * (LENGTH - 1), "i" * LENGTH, "i" + "a" * LENGTH])
def test_what_nobody_signed_opens_nothing(table: Table, key: str) -> None:
    assert statuses(table, key) == {404}


def test_it_opens_the_table_of_its_maker_alone(app: Flask, table: Table) -> None:
    guest = Table(app)
    guest.join("the guest")
    key = invited(guest)
    other = newcomer(table, key)
    other.join("Ben's phone")
    assert "Ben's phone" in guest.page("/table").text
    assert "Ben's phone" not in table.page("/table").text
    phone_id = table.session["phone"]  # first, as reading it releases the connection
    phone = find_phone(table.store.db, phone_id)
    assert phone is not None
    moved = phone._replace(table_id=guest.id)
    forged = make_invitation(moved, str(app.config["SECRET_KEY"]), now())
    assert statuses(table, forged) == {404}, "signed for another table"
    assert statuses(table, make_invitation(phone, "another secret", now())) == {404}


def test_it_is_no_key_of_programs_feeds_and_watchers(game: Table) -> None:
    key = invited(game)
    client = game.app.test_client()
    bearer = {"Authorization": f"Bearer {key}"}
    assert client.get("/api/games", headers=bearer).status_code == 401
    assert client.get(f"/feed/{key}.csv").status_code == 404
    assert client.get(f"/watch/{key}").status_code == 404


def test_whoever_has_joined_goes_straight_on(table: Table) -> None:
    assert table.get(f"/join/{invited(table)}").status_code == 303


def test_wrong_ones_are_counted_as_wrong_keys(app: Flask, table: Table) -> None:
    app.config["OPEN"] = True
    app.extensions["limits"].wrong_keys = Limit(2, 60.0)
    key = "i" + "0" * (LENGTH - 1)
    other = newcomer(table, key)
    answers = [other.get(f"/join/{key}").status_code for _ in range(3)]
    assert answers == [404, 404, 429]


def test_the_name_of_the_table_is_told_to_whoever_is_invited(table: Table) -> None:
    table.send(table.page("/settings/table").form("table-name"), name="Friday table")
    key = invited(table)
    other = newcomer(table, key)
    page = page_of(other.get(f"/join/{key}"))
    assert text_of(page.one("h1")) == "Join Friday table?"


def test_the_link_of_the_server_is_as_it_was(app: Flask, table: Table) -> None:
    assert statuses(table, new_server_link(table.store)) == {200, 303}
