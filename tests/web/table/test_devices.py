"""Who keeps score: phones and links listed, named, removed, and back by Undo."""

import gzip
import re
import socket
from collections.abc import Callable
from datetime import timedelta
from xml.etree.ElementTree import Element

import pytest
from flask import Flask, get_template_attribute
from werkzeug.test import TestResponse

from scorekeeper import addresses
from scorekeeper.addresses import Interface
from scorekeeper.clock import now, stamp
from scorekeeper.store.connection import scalar
from scorekeeper.store.tables import (
    MAX_LINKS,
    MAX_LISTED,
    SERVER_LINK,
    claim_seat,
    hash_of,
    join,
    make_join_key,
    new_server_link,
    seat_claims,
    table_of_join_key,
    watch_key,
)
from scorekeeper.web import devices
from scorekeeper.web.http.templates import SharedLink, svg
from tests.conftest import LAN
from tests.web.page import Page, text_of
from tests.web.play import Table, page_of

LISTENING = {"SERVER_NAME": "0.0.0.0", "SERVER_PORT": "8000"}
KEY = re.compile(r"/join/([0-9a-z]{26})")


def make_link(table: Table, label: str = "Ben's phone") -> str:
    """Make a join link and return its key."""
    answer = table.send(table.page("/table").form("new-link"), label=label)
    (key,) = KEY.findall(page_of(answer).text)
    return str(key)


def joined_by(table: Table, key: str, label: str) -> Table:
    """Return a phone that joined by a link, with the same game before it."""
    other = Table(table.app, table.id)
    other.key = key
    other.join(label)
    other.game_id = table.game_id
    return other


def listed(table: Table, kind: str) -> list[str]:
    """Return the names in a list of the page."""
    return [text_of(row.find("span/b")) for row in table.page("/table").all(f"ul[@id='{kind}']/li")]


def entry(page: Page, kind: str, label: str) -> Element:
    """Return the row of a label."""
    for found in page.all(f"ul[@id='{kind}']/li"):
        if label in text_of(found):
            return found
    raise AssertionError(f"no entry {label}")


def press(table: Table, kind: str, label: str) -> TestResponse:
    """Press *Remove* in the row of a label; this phone has it on a page of its own."""
    page = table.page("/table")
    row = entry(page, kind, label)
    form = next(row.iter("form"), None)
    if form is not None:
        return table.send(page.form(form.get("action", "")))
    own = table.page(own_page(table))
    return table.send(
        own.form(next(own.one("details[@id='remove']").iter("form")).get("action", ""))
    )


def own_page(table: Table) -> str:
    """Return the address of the page of this phone."""
    return f"/table/phones/{table.session['phone'][:12]}"


def undo(table: Table) -> TestResponse:
    """Press *Undo* in the message above the page."""
    page = table.page("/table")
    return table.send(
        page.form(next(page.one("div[@class='toast offers']").iter("form")).get("action", ""))
    )


# The page


def test_settings_lead_to_it(table: Table) -> None:
    assert table.page("/").one("a[@href='/settings']").get("aria-label") == "Settings"
    assert table.page("/settings").texts("a[@href='/table']") == ["Devices 1 device"]


def test_a_stranger_has_settings_without_devices(stranger: Table) -> None:
    assert stranger.page("/settings").texts("a[@href='/table']") == []


def test_it_lists_links_and_phones_and_marks_this_one(table: Table) -> None:
    joined_by(table, make_link(table), "Ben's phone")
    assert listed(table, "phones") == ["This phone", "Ben's phone"]
    assert listed(table, "links")[0] == "Ben's phone"


def test_it_shows_no_key_no_hash_and_no_whole_id(table: Table) -> None:
    html = table.get("/table").get_data(as_text=True)
    assert table.key not in html
    assert hash_of(table.key) not in html
    assert table.session["phone"] not in html


def test_only_what_cannot_be_undone_asks_first(table: Table) -> None:
    joined_by(table, make_link(table), "Ben's phone")
    page = table.page("/table")
    folded = {f.get("action") for d in page.all("details") for f in d.iter("form")}
    assert not any("open" in details.attrib for details in page.all("details"))
    assert folded == {"/table/others/remove"}
    assert table.page(own_page(table)).one("details[@id='remove']").get("open") is None


def test_labels_are_shown_as_they_were_typed(table: Table) -> None:
    joined_by(table, make_link(table, "<b>&"), "أحمد")
    assert "<b>&" in listed(table, "links")
    assert "أحمد" in listed(table, "phones")


# Making a link


def test_a_new_link_is_shown_once_with_its_code_and_what_it_allows(table: Table) -> None:
    answer = table.send(table.page("/table").form("new-link"), label="Ben's phone")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    page = page_of(answer)
    (key,) = KEY.findall(page.text)
    assert "Anyone with this link can keep score." in page.text
    assert page.one("*[@role='img']").get("aria-label") == "QR code for the link"
    assert f"http://{LAN}/join/{key}" in page.texts("p")
    assert all(key not in (value or "") for e in page.root.iter() for value in e.attrib.values())
    assert key not in str(answer.headers)


def test_a_phone_joins_by_it_and_is_called_as_the_link_when_it_says_nothing(table: Table) -> None:
    joined_by(table, make_link(table, "Ben's phone"), "")
    assert listed(table, "phones") == ["This phone", "Ben's phone"]


def test_a_phone_that_came_by_the_link_of_the_house_is_a_phone(app: Flask, table: Table) -> None:
    key = new_server_link(table.store)
    other = joined_by(table, key, "")
    assert listed(other, "phones") == ["This phone"]
    assert "Unnamed phone" in text_of(entry(other.page("/table"), "phones", "This phone"))


def test_a_reload_makes_another_link_and_both_work(table: Table) -> None:
    form = table.page("/table").form("new-link")
    keys = [KEY.findall(page_of(table.send(form)).text)[0] for _ in range(2)]
    assert len(set(keys)) == 2
    assert {table_of_join_key(table.store.db, key) for key in keys} == {table.id}


def test_only_its_hash_is_kept(table: Table) -> None:
    key = make_link(table)
    everything = str(table.everything())
    assert key not in everything
    assert hash_of(key) in everything


@pytest.mark.parametrize(
    ("label", "sentence"),
    [
        ("x" * 41, "at most 40 characters"),
        ("Ben\u202e", "invisible characters"),
        ("\u0301", "needs at least one letter"),
        (SERVER_LINK, "Choose another"),
    ],
)
def test_a_bad_label_is_refused_beside_the_field(table: Table, label: str, sentence: str) -> None:
    before = table.everything()
    answer = table.send(table.page("/table").form("new-link"), label=label)
    assert answer.status_code == 422
    page = page_of(answer)
    assert sentence in page.error_of("label")
    assert page.form("new-link").fields["label"] == label
    assert table.everything() == before


def test_the_link_stands_on_the_configured_address(app: Flask, table: Table) -> None:
    form = table.page("/table").form("new-link")
    app.config["BASE_URL"] = "https://spades.example"
    page = page_of(table.post(form.action, dict(form.fields)))
    assert re.search(r"https://spades\.example/join/[0-9a-z]{26}\b", page.text)


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("localhost:8000", f"{LAN}:8000"),
        ("LOCALHOST:8000", f"{LAN}:8000"),
        ("127.0.0.1:8000", f"{LAN}:8000"),
        ("127.8.9.1:8000", f"{LAN}:8000"),
        ("[::1]:8000", f"{LAN}:8000"),
        ("0.0.0.0:8000", f"{LAN}:8000"),
        ("192.168.1.7:8000", "192.168.1.7:8000"),
        ("[fd00::7]:8000", "[fd00::7]:8000"),
        (socket.gethostname().lower(), socket.gethostname().lower()),
    ],
)
def test_links_made_on_this_computer_have_the_address_that_phones_reach(
    stranger: Table, host: str, shown: str
) -> None:
    here = {"base_url": f"http://{host}", "environ_overrides": LISTENING}
    joining = page_of(stranger.get(f"/join/{stranger.key}", **here)).form(stranger.key)
    stranger.post(joining.action, dict(joining.fields), **here)
    making = page_of(stranger.get("/table", **here)).form("new-link")
    page = page_of(stranger.post(making.action, dict(making.fields), **here))
    (link,) = page.texts("p[@class='link-text']")
    assert link.startswith(f"http://{shown}/join/")


def test_further_addresses_are_text(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [Interface("tun0", "10.8.0.2"), Interface("wlan0", LAN)]
    monkeypatch.setattr(addresses, "interfaces", lambda: found)
    page = page_of(table.send(table.page("/table").form("new-link")))
    (key,) = set(KEY.findall(page.text))
    assert page.texts("p[@class='link-text']") == [f"http://{LAN}/join/{key}"]
    assert f"or: http://10.8.0.2/join/{key}" in page.texts("p")


UNREACHED = {
    "no network": ({"SERVER_NAME": "0.0.0.0"}, "isn’t connected to a network"),
    "--host 127.0.0.1": ({"SERVER_NAME": "127.0.0.1"}, "start the server with --host 0.0.0.0"),
    "a container": ({"REMOTE_ADDR": "172.17.0.1"}, "Set SCOREKEEPER_URL"),
}


@pytest.mark.parametrize(("environ", "why"), UNREACHED.values(), ids=UNREACHED.keys())
def test_a_link_that_no_phone_can_open_is_made_for_programs_on_this_computer(
    table: Table, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], why: str
) -> None:
    monkeypatch.setattr(addresses, "interfaces", list)
    making = table.page("/table").form("new-link")
    asked = {"headers": {"Host": "localhost:8000"}, "environ_overrides": LISTENING | environ}
    answer = table.client.post(making.action, data=making.fields, **asked)
    assert answer.status_code == 200
    page = page_of(answer)
    (key,) = set(KEY.findall(page.text))
    assert page.texts("p[@class='link-text']") == [f"http://localhost:8000/join/{key}"]
    assert any(why in text for text in page.texts("p[@class='error']"))
    assert not page.texts("div[@class='code-card']")
    key_of_program = {"Authorization": f"Bearer {key}"}
    assert table.app.test_client().get("/api/games", headers=key_of_program).status_code == 200


def test_a_code_is_small_and_plain() -> None:
    drawn = svg("https://spades.example.org/join/0123456789abcdefghjkmnpqrs")
    assert len(gzip.compress(drawn.encode())) < 600
    assert "style" not in drawn
    assert "spades" not in drawn
    assert '<path fill="#fff" d="M0 0h' in drawn, "a white card, in dark mode too"


@pytest.mark.parametrize(("length", "is_drawn"), [(300, True), (301, False), (2000, False)])
def test_a_link_that_no_phone_reads_from_a_screen_stands_as_text_alone(
    app: Flask, length: int, is_drawn: bool
) -> None:
    link = SharedLink("https://spades.example.org/".ljust(length, "x"), [], "", "")
    with app.test_request_context():
        assert (link.code is not None) == is_drawn
        shown = get_template_attribute("_macros.html", "shared")(link)
    assert ("<svg" in shown) == is_drawn
    assert link.url in shown


# Removing a link


def test_a_removed_link_lets_nobody_in_and_phones_stay(game: Table) -> None:
    key = make_link(game)
    other = joined_by(game, key, "Ben's phone")
    assert press(game, "links", "Ben's phone").status_code == 303
    assert "Ben's phone" not in listed(game, "links")
    assert Table(game.app).get(f"/join/{key}").status_code == 404
    assert other.bid(3).status_code == 303


def test_removing_a_link_again_changes_nothing(table: Table) -> None:
    make_link(table)
    page = table.page("/table")
    form = next(form for form in page.forms() if "/links/" in form.action)
    table.send(form)
    before = table.everything()
    assert table.send(form).status_code == 303
    assert table.everything() == before


def test_the_link_of_the_house_is_named_and_can_be_removed(app: Flask, table: Table) -> None:
    key = new_server_link(table.store)
    phone = joined_by(table, key, "Ben's phone")
    label = "Shown in the terminal at startup"
    assert label in listed(phone, "links")
    press(phone, "links", label)
    assert Table(app).get(f"/join/{key}").status_code == 404
    assert listed(phone, "links") == []


def test_the_next_start_makes_a_link_for_the_same_house(table: Table) -> None:
    phone = joined_by(table, new_server_link(table.store), "Ben's phone")
    press(phone, "links", "Shown in the terminal at startup")
    key = new_server_link(table.store)
    assert table_of_join_key(table.store.db, key) is not None
    assert listed(phone, "links") == ["Shown in the terminal at startup"]


# Removing phones


def test_a_removed_phone_is_out_at_its_next_request(game: Table) -> None:
    other = joined_by(game, make_link(game), "Ben's phone")
    form = other.round_form()
    assert press(game, "phones", "Ben's phone").status_code == 303
    before = game.everything()
    assert other.send(form, **{"bid-1": 3}).status_code == 404
    assert other.get(other.path).status_code == 404
    assert "Use this computer" in other.page("/").text
    assert game.everything() == before
    assert listed(game, "phones") == ["This phone"]


def test_what_a_removed_phone_recorded_stays_in_its_name(game: Table) -> None:
    other = joined_by(game, make_link(game), "Ben's phone")
    other.bid(3)
    press(game, "phones", "Ben's phone")
    assert "Ben's phone" in game.page(f"{game.path}/changes").text


def test_a_removed_phone_leaves_its_seat(game: Table) -> None:
    other = joined_by(game, make_link(game), "Ben's phone")
    with game.store.write() as db:
        claim_seat(db, game.game, 1, other.session["phone"])
    press(game, "phones", "Ben's phone")
    assert seat_claims(game.store.db, game.game) == {}


def test_this_phone_can_remove_itself(table: Table) -> None:
    other = joined_by(table, make_link(table), "Ben's phone")
    answer = press(table, "phones", "Kim's phone")
    assert answer.status_code == 303
    assert answer.location == "/"
    assert "phone" not in table.session
    assert table.get("/table").status_code == 404
    assert listed(other, "phones") == ["This phone"]


def test_the_last_phone_is_warned_where_no_link_is_left(table: Table) -> None:
    press(table, "links", "a link")
    assert "nobody will be able to open this table’s games" in table.page(own_page(table)).text
    make_link(table)
    assert "nobody will be able to open this table’s games" not in table.page(own_page(table)).text


def test_all_others_go_at_once(game: Table) -> None:
    keys = [make_link(game, label) for label in ("Ben's phone", "Cy's phone")]
    others = [joined_by(game, key, "another phone") for key in keys]
    assert game.send(game.page("/table").form("/others/remove")).status_code == 303
    assert listed(game, "phones") == ["This phone"]
    assert listed(game, "links") == []
    assert {other.get(other.path).status_code for other in others} == {404}
    assert {Table(game.app).get(f"/join/{key}").status_code for key in keys} == {404}
    assert game.bid(3).status_code == 303


def test_another_table_is_not_concerned(app: Flask, table: Table) -> None:
    guest = Table(app)
    guest.join("the guest")
    table.send(table.page("/table").form("/others/remove"))
    assert listed(guest, "phones") == ["This phone"]
    assert listed(guest, "links") == ["a link"]


# Who made a link, and who has one


def test_a_link_names_its_maker(table: Table) -> None:
    other = joined_by(table, make_link(table, "Ben's phone"), "Ben's phone")
    make_link(other, "Cy's phone")
    rows = table.page("/table").all("ul[@id='links']/li")
    made = {text_of(row.find("span/b")): text_of(row.find("span/small")) for row in rows}
    assert made["Ben's phone"].endswith("· made by this phone")
    assert made["Cy's phone"].endswith("· made by Ben's phone")
    assert "made by" not in made["a link"], "nobody's, as that of the server"


def test_a_removed_guest_does_not_come_back(game: Table) -> None:
    came_by = make_link(game, "Ben's phone")
    guest = joined_by(game, came_by, "Ben's phone")
    own = make_link(guest, "for later")
    elder = joined_by(game, own, "Eve's phone")
    assert press(game, "phones", "Ben's phone").status_code == 303
    for key in (came_by, own):
        assert Table(game.app).get(f"/join/{key}").status_code == 404
        bearer = {"Authorization": f"Bearer {key}"}
        assert Table(game.app).get("/api/games", headers=bearer).status_code == 401
    assert listed(game, "phones") == ["This phone", "Eve's phone"]
    assert elder.bid(3).status_code == 303, "who joined by its link stays, and is listed"


def test_of_older_phones_no_link_ends_that_may_be_another_ones(table: Table) -> None:
    key = make_link(table, "older")
    joined_by(table, key, "Ben's phone")
    with table.store.write() as db:
        db.execute("UPDATE keys SET made_by = NULL WHERE table_id = ?", [table.id])
        db.execute("UPDATE phones SET joined_by = NULL WHERE table_id = ?", [table.id])
    press(table, "phones", "Ben's phone")
    assert "older" in listed(table, "links")


def test_a_phone_that_removes_itself_chooses_what_stays(table: Table) -> None:
    other = joined_by(table, make_link(table, "Ben's phone"), "Ben's phone")
    key = make_link(table, "my new phone")
    page = table.page(own_page(table))
    form = page.form(next(page.one("details[@id='remove']").iter("form")).get("action", ""))
    assert table.send(form, link="").status_code == 303
    assert Table(table.app).get(f"/join/{key}").status_code == 200
    assert "my new phone" in listed(other, "links")


# Undo


def test_a_removal_is_undone_with_what_ended_with_it(game: Table) -> None:
    came_by = make_link(game, "Ben's phone")
    guest = joined_by(game, came_by, "Ben's phone")
    own = make_link(guest, "for later")
    before = listed(game, "links")
    press(game, "phones", "Ben's phone")
    assert "Ben's phone removed" in game.page("/table").text
    fields = {"csrf_token": game.token()}
    short = guest.session["phone"][:12]
    assert game.post(f"/table/phones/{short}/restore", fields).status_code == 303
    assert guest.get(game.path).status_code == 200
    assert listed(game, "links") == before
    assert {Table(game.app).get(f"/join/{key}").status_code for key in (came_by, own)} == {200}


def test_the_message_offers_undo_once(table: Table) -> None:
    joined_by(table, make_link(table), "Ben's phone")
    press(table, "phones", "Ben's phone")
    assert undo(table).status_code == 303
    assert listed(table, "phones") == ["This phone", "Ben's phone"]
    assert not table.page("/table").all("div[@class='toast offers']")


def test_a_removed_link_comes_back(table: Table) -> None:
    key = make_link(table, "everybody")
    press(table, "links", "everybody")
    assert Table(table.app).get(f"/join/{key}").status_code == 404
    assert undo(table).status_code == 303
    assert Table(table.app).get(f"/join/{key}").status_code == 200


def test_a_removal_of_long_ago_stays(table: Table) -> None:
    key = make_link(table, "everybody")
    guest = joined_by(table, key, "Ben's phone")
    press(table, "phones", "Ben's phone")
    with table.store.write() as db:
        for name, column in (("phones", "removed"), ("keys", "ended")):
            ago = "2026-01-01T00:00:00.000+00:00"
            db.execute(f"UPDATE {name} SET {column} = ? WHERE {column} IS NOT NULL", [ago])
    before, fields = table.everything(), {"csrf_token": table.token()}
    for path in (f"phones/{guest.session['phone'][:12]}", f"links/{hash_of(key)[:12]}"):
        answer = table.post(f"/table/{path}/restore", fields)
        assert answer.status_code == 404
        assert "too long ago to undo" in page_of(answer).text
    assert table.everything() == before


def test_a_phone_that_was_removed_does_not_undo_that(table: Table) -> None:
    guest = joined_by(table, make_link(table), "Ben's phone")
    fields = {"csrf_token": guest.token()}
    press(table, "phones", "Ben's phone")
    assert guest.post(
        f"/table/phones/{guest.session['phone'][:12]}/restore", fields
    ).status_code in (400, 404)
    assert listed(table, "phones") == ["This phone"]


# Names, and when a phone was seen


def test_a_phone_is_named_later_and_the_change_log_follows(game: Table) -> None:
    other = joined_by(game, make_link(game), "Chrome on Android")
    other.bid(3)
    page = game.page(f"/table/phones/{other.session['phone'][:12]}")
    assert page.form("rename").fields["label"] == "Chrome on Android"
    assert game.send(page.form("rename"), label=" Ben’s phone ").status_code == 303
    assert listed(game, "phones") == ["This phone", "Ben’s phone"]
    assert "Ben’s phone" in game.page(f"{game.path}/changes").text


@pytest.mark.parametrize(("label", "sentence"), [("", "Enter a name."), ("x" * 41, "at most 40")])
def test_a_bad_name_of_a_phone_is_refused_beside_the_field(
    table: Table, label: str, sentence: str
) -> None:
    before = table.everything()
    answer = table.send(table.page(own_page(table)).form("rename"), label=label)
    assert answer.status_code == 422
    assert sentence in page_of(answer).error_of("label")
    assert page_of(answer).form("rename").fields["label"] == label
    assert table.everything() == before


def test_a_phone_is_seen_when_it_enters_something(
    game: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = joined_by(game, make_link(game), "Ben's phone")
    seen = "SELECT seen FROM phones WHERE id = ?"
    phone = [other.session["phone"]]  # before the connection, which reading it releases
    other.bid(3)
    assert scalar(game.store.db, seen, phone) is None, "it has just joined"
    later = now() + timedelta(minutes=11)
    monkeypatch.setattr(devices, "now", lambda: later)
    other.get(other.path)
    assert scalar(game.store.db, seen, phone) is None, "it has only looked"
    other.bid(2)
    assert scalar(game.store.db, seen, phone) == stamp(later)
    assert "seen" in text_of(entry(game.page("/table"), "phones", "Ben's phone"))


# Who only watches


def test_live_links_are_listed_and_removed(game: Table) -> None:
    game.post(f"{game.path}/watching", {**game.fresh(), "on": "yes"})
    with game.store.write() as db:
        key = watch_key(db, game.game, str(game.app.config["SECRET_KEY"]))
    assert listed(game, "watching") == [game.game.rules.name]
    assert press(game, "watching", game.game.rules.name).status_code == 303
    assert Table(game.app).get(f"/watch/{key}").status_code == 404
    assert listed(game, "watching") == []


def test_every_link_that_joins_is_listed(table: Table) -> None:
    with table.store.write() as db:
        for n in range(MAX_LINKS + 100):  # as earlier versions let them become
            make_join_key(db, table.id, f"link {n}", now())
    assert len(listed(table, "links")) == MAX_LINKS + 101
    refused = table.send(table.page("/table").form("new-link"), label="one more")
    assert refused.status_code == 409
    assert f"already has {MAX_LINKS} join links" in page_of(refused).alerts
    assert page_of(refused).form("new-link").fields["label"] == "one more"


def test_every_phone_is_listed_page_by_page(table: Table) -> None:
    with table.store.write() as db:
        for n in range(2 * MAX_LISTED):
            join(db, table.id, f"phone {n}", now())
    found, path = [], "/table"
    while path:
        page = table.page(path)
        found += [a.get("href") for a in page.all("ul[@id='phones']/li/a")]
        path = next((a.get("href") for a in page.all("a[@rel='next']")), "")
    assert len({*found}) == 2 * MAX_LISTED + 1
    assert table.page("/settings").texts("a[@href='/table']") == [
        f"Devices {2 * MAX_LISTED + 1} devices"
    ]


# What holds for every address that changes something


def link_address(table: Table) -> str:
    return f"/table/links/{hash_of(table.key)[:12]}/remove"


def remove_address(table: Table) -> str:
    return f"/table/phones/{table.session['phone'][:12]}/remove"


ADDRESSES = [lambda _table: "/table/links", link_address, remove_address]
ADDRESSES.append(lambda _table: "/table/others/remove")


@pytest.mark.parametrize("address", ADDRESSES, ids=["make", "link", "phone", "others"])
class TestEveryAddress:
    """The usual questions to an address that changes who keeps score."""

    def test_it_refuses_a_missing_token(
        self, table: Table, address: Callable[[Table], str]
    ) -> None:
        before = table.everything()
        assert table.post(address(table), {"label": "Ben"}).status_code == 400
        assert table.everything() == before

    def test_it_is_404_for_a_stranger(self, table: Table, address: Callable[[Table], str]) -> None:
        stranger, path = Table(table.app), address(table)
        before = table.everything()
        fields = {"csrf_token": stranger.token(), "label": "Ben"}
        assert stranger.post(path, fields).status_code == 404
        assert table.everything() == before

    @pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH"])
    def test_no_other_method_changes_anything(
        self, table: Table, address: Callable[[Table], str], method: str
    ) -> None:
        path, before = address(table), table.everything()
        assert table.client.open(path, method=method).status_code in (400, 405)
        assert table.everything() == before


@pytest.mark.parametrize("address", [link_address, remove_address])
def test_links_and_phones_of_another_table_are_404(
    table: Table, address: Callable[[Table], str]
) -> None:
    guest = Table(table.app)
    guest.join()
    before, fields = table.everything(), {"csrf_token": guest.token()}
    assert guest.post(address(table), fields).status_code == 404
    assert table.everything() == before


@pytest.mark.parametrize("short", ["0" * 12, "x" * 400, "%00", "%25", "_"])
@pytest.mark.parametrize("path", ["/table/links/{}/remove", "/table/phones/{}/remove"])
def test_unknown_ones_are_404(table: Table, path: str, short: str) -> None:
    before, fields = table.everything(), {"csrf_token": table.token()}
    assert table.post(path.format(short), fields).status_code == 404
    assert table.everything() == before
