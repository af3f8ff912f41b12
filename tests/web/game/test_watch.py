"""Watch links: they show one game and change nothing."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorekeeper import addresses, create_app
from scorekeeper.config import ConfigError
from scorekeeper.live import Caps
from tests.conftest import LAN
from tests.web.play import Table, page_of


@pytest.fixture
def watched(game: Table) -> Table:
    game.send(game.page(f"{game.path}/share").form("/watching"), on="yes")
    return game


def link_of(table: Table) -> str:
    found = re.search(r"/watch/[0-9a-z]+", table.page(f"{table.path}/share").html)
    assert found is not None
    return found[0]


def test_nobody_looks_on_until_the_table_lets_them(game: Table) -> None:
    assert "/watch/" not in game.page(f"{game.path}/share").html


def test_a_phone_that_has_not_joined_sees_bids_and_scores(watched: Table) -> None:
    link = link_of(watched)
    watched.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    watched.bid(4)
    page = Table(watched.app).page(link)
    assert page.texts("li//*[@class='seat-bid']") == ["4", "", "", ""]
    assert page.texts("*[@class='total']") == ["30", "22", "50", "−40"]


def test_it_shows_the_winner_and_why(watched: Table) -> None:
    link = link_of(watched)
    for _ in range(3):
        watched.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    page = Table(watched.app).page(link)
    assert page.texts("h1[@id='winner']") == ["South wins"]
    assert "First to 125" in page.text


def test_the_overlay_of_a_stream_has_scores_bids_and_who_bids(watched: Table) -> None:
    watched.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    watched.bid(4)
    overlay = f"{link_of(watched)}/overlay"
    page = Table(watched.app).page(overlay)
    assert page.texts("ol//b") == ["30", "22", "50", "−40"]
    assert page.texts("*[@class='overlay-bid']") == ["4", "?"]
    assert "South is bidding" in page.text
    assert not page.all("form")
    assert f'{overlay}"' in watched.page(f"{watched.path}/share").html


def test_the_overlay_counts_tricks_and_names_the_winner(watched: Table) -> None:
    overlay = f"{link_of(watched)}/overlay"
    watched.bid_round(3, 2, "nil", 4)
    watched.take(1)
    assert "1/" in Table(watched.app).page(overlay).text
    for _ in range(3):
        watched.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    page = Table(watched.app).page(overlay)
    assert page.texts("h1") == ["South wins"]
    assert page.texts("*[@class='overlay-bid']") == []


def test_the_compact_view_has_scores_bids_and_the_winner(watched: Table) -> None:
    watched.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    watched.bid(4)
    compact = f"{link_of(watched)}/compact"
    page = Table(watched.app).page(compact)
    assert page.texts("ol//b") == ["50", "30", "22", "−40"]
    assert sorted(page.texts("*[@class='compact-bid']")) == ["4", "?"]
    assert page.texts("h1") == ["Round 2 · South is bidding"]
    assert not page.all("form")
    assert f'{compact}"' in watched.page(f"{watched.path}/share").html
    watched.undo()
    for _ in range(2):
        watched.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    assert Table(watched.app).page(compact).texts("h1") == ["South wins"]


def test_the_overlay_is_sent_again_only_if_something_changed(watched: Table) -> None:
    stranger, part = Table(watched.app), f"{link_of(watched)}/overlay?part=1"
    first = stranger.get(part)
    seen = {"If-None-Match": first.headers["ETag"]}
    assert stranger.client.get(part, headers=seen).status_code == 304
    watched.bid(3)
    assert stranger.client.get(part, headers=seen).status_code == 200
    watched.send(watched.page(f"{watched.path}/share").form("/watching"), on="no")
    assert stranger.get(part).status_code == 404


def test_nothing_on_it_can_change_anything(watched: Table) -> None:
    watched.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    link = link_of(watched)
    page = Table(watched.app).page(link)
    assert not page.all("form")
    assert not page.all("button")
    links = {link.get("href") for link in page.all("a")}
    past_a_login = f"/sign-in?back={link}"
    assert links == {"/settings/sound", f"{link}?rounds=all", past_a_login}  # for this phone alone


def test_a_large_screen_shows_bids_totals_the_best_first_and_a_code(watched: Table) -> None:
    link = link_of(watched)
    watched.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    watched.bid(4)
    page = page_of(watched.app.test_client().get(link, base_url="http://192.168.1.20:8000"))
    assert page.texts("*[@class='board-total']") == ["50", "30", "22", "−40"]
    assert page.texts("ol[@class='board-bids']/li/b") == ["4", "?", "", ""]
    assert page.texts("div[@class='board-now']/h2") == ["South is bidding"]
    assert len(page.all("div[@class='board-code']//path")) == 2
    for bid in (1, 2, 2):
        watched.bid(bid)
    assert Table(watched.app).page(link).texts("div[@class='board-now']/h2") == ["Bids and tricks"]


def test_what_it_takes_to_win_stands_on_every_page_until_all_is_counted(watched: Table) -> None:
    told = "North wins with 3"
    watched.play_round((10, "nil", "nil", "nil"), (10, 0, 0, 0))
    watched.bid_round(3, 1, 1, 1)
    pages = [watched.page(), Table(watched.app).page(link_of(watched))]
    assert [page.texts("p[@id='takes']") for page in pages] == [[told], [told]]
    assert pages[1].texts("p[@class='board-lead']") == [told]
    for count in (2, 2, 3):
        watched.take(count)
    assert watched.page().texts("p[@id='takes']") == []


def test_the_live_link_has_the_address_that_phones_reach(
    watched: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = link_of(watched)
    page = watched.page(f"{watched.path}/share")
    (opened,) = [a.get("href") for a in page.all("p[@class='link-shown']/a")]
    assert opened == f"http://{LAN}{link}"
    screen = page_of(watched.get(link))
    assert screen.all("div[@class='board-code']")
    tag = watched.get(link).headers["ETag"]
    monkeypatch.setattr(addresses, "interfaces", list)
    assert watched.get(link, headers={"If-None-Match": tag}).status_code == 200
    screen = watched.page(link)
    assert not screen.all("div[@class='board-code']")
    assert "this computer isn’t connected to a network" not in screen.text, "to the whole room"
    page = watched.page(f"{watched.path}/share")
    assert "this computer isn’t connected to a network" in page.text
    (opened,) = [a.get("href") for a in page.all("p[@class='link-shown']/a")]
    assert opened == f"http://localhost{link}", "this computer can follow all the same"


def test_a_large_screen_says_which_number_the_last_bidder_must_not_bid(game: Table) -> None:
    game.new_game(rules="cutthroat")
    game.send(game.page(f"{game.path}/share").form("/watching"), on="yes")
    for _ in range(3):
        game.bid(3)
    (heading,) = Table(game.app).page(link_of(game)).texts("div[@class='board-now']/h2")
    assert heading.endswith(" bids last: any number but 4")


def test_all_rounds_are_on_a_page_without_the_board(watched: Table) -> None:
    assert (
        not Table(watched.app).page(f"{link_of(watched)}?rounds=all").all("section[@class='board']")
    )


def test_it_sets_no_cookie_and_names_nobody_in_its_title(watched: Table) -> None:
    answer = Table(watched.app).get(link_of(watched))
    assert "Set-Cookie" not in answer.headers
    assert page_of(answer).texts("title") == ["Live: Cutthroat Spades LITE"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_no_method_changes_the_game(watched: Table, method: str) -> None:
    link, before = link_of(watched), watched.everything()
    answer = watched.app.test_client().open(link, method=method)
    assert answer.status_code >= 400
    assert watched.everything() == before


def test_switched_off_it_is_gone_and_the_next_link_is_another(watched: Table) -> None:
    first = link_of(watched)
    watched.send(watched.page(f"{watched.path}/share").form("/watching"), on="no")
    assert Table(watched.app).get(first).status_code == 404
    assert Table(watched.app).get(f"{first}/events").status_code == 404
    watched.send(watched.page(f"{watched.path}/share").form("/watching"), on="yes")
    assert link_of(watched) != first
    assert Table(watched.app).get(first).status_code == 404


def test_the_link_itself_is_not_in_the_database(watched: Table) -> None:
    key = link_of(watched).rpartition("/")[2]
    assert key not in repr(watched.everything())


def test_the_same_link_is_shown_again_later(watched: Table) -> None:
    assert link_of(watched) == link_of(watched.second_phone())


def test_an_unchanged_page_is_answered_304(watched: Table) -> None:
    watcher, link = Table(watched.app), link_of(watched)
    tag = watcher.get(link).headers["ETag"]
    assert watcher.get(link, headers={"If-None-Match": tag}).status_code == 304
    watched.bid(3)
    assert watcher.get(link, headers={"If-None-Match": tag}).status_code == 200


def test_the_part_that_changes_is_the_same_for_every_watcher(watched: Table) -> None:
    link = link_of(watched)
    watched.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    parts = [Table(watched.app).get(f"{link}?part=1").get_data() for _ in range(2)]
    parts.append(watched.get(f"{link}?part=1").get_data())
    assert len(set(parts)) == 1
    assert parts[0].lstrip().startswith(b'<main id="game"')
    assert parts[0] in watched.get(link).get_data()


def test_without_a_free_stream_a_phone_is_told_when_to_ask_again(watched: Table) -> None:
    watched.app.extensions["live"].end()
    answer = watched.app.test_client().get(link_of(watched) + "/events")
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0


@pytest.fixture
def capped(watched: Table) -> Iterator[Table]:
    """A watched game where few streams are held: 4 in all, 2 by a link, 3 from an address."""
    live = watched.app.extensions["live"]
    live.caps = Caps(total=4, link=2, address=3)
    yield watched
    live.end()


class Listening:
    """Phones of a table, and others, with streams that stay open."""

    def __init__(self, table: Table) -> None:
        self.app, self.cookie = table.app, table.client.get_cookie("s")
        self.held: list[TestResponse] = []

    def asks(self, path: str, address: str = "192.0.2.9") -> int:
        """Ask for a stream and return the status of the answer."""
        phone = self.app.test_client()
        assert self.cookie is not None
        phone.set_cookie("s", self.cookie.value)
        answer = phone.get(path, environ_overrides={"REMOTE_ADDR": address}, buffered=False)
        self.held.append(answer)
        return answer.status_code

    def leaves(self) -> None:
        """Close the stream that was opened first."""
        self.held.pop(0).close()


def test_a_link_holds_so_many_streams_and_the_table_has_its_own(capped: Table) -> None:
    link, own, phones = link_of(capped) + "/events", f"{capped.path}/events", Listening(capped)
    assert [phones.asks(link, f"192.0.2.{n}") for n in range(3)] == [200, 200, 503]
    assert [phones.asks(own) for _ in range(3)] == [200, 200, 503]
    phones.leaves()
    assert [phones.asks(link) for _ in range(2)] == [200, 503]


def test_an_address_holds_so_many_streams_and_a_household_is_one(capped: Table) -> None:
    link, own, phones = link_of(capped) + "/events", f"{capped.path}/events", Listening(capped)
    asked = [(link, 1), (link, 2), (own, 3), (own, 4)]
    answers = [phones.asks(path, f"2001:db8:1:2::{n}") for path, n in asked]
    assert answers == [200, 200, 200, 503]
    assert phones.asks(own, "2001:db8:1:3::1") == 200


def test_a_club_behind_one_address_follows_twenty_tables(app: Flask) -> None:
    for _ in range(20):
        table = Table(app)
        table.join()
        table.new_game()
        phones = Listening(table)
        assert [phones.asks(f"{table.path}/events") for _ in range(5)] == [200] * 5
    app.extensions["live"].end()


@pytest.mark.parametrize("name", ["STREAMS", "STREAMS_PER_LINK", "STREAMS_PER_ADDRESS"])
@pytest.mark.parametrize("text", ["-1", "many", "1.5", "٣", "1234567", " "])
def test_a_number_of_streams_that_is_none_is_refused(data: Path, name: str, text: str) -> None:
    with pytest.raises(
        ConfigError, match=f"SCOREKEEPER_{name} is {text}. It must be a whole number"
    ):
        create_app(DATA=data, SECRET_KEY="x" * 32, **{name: text})


def test_the_settings_of_streams_come_from_the_environment(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_STREAMS", "7")
    monkeypatch.setenv("SCOREKEEPER_STREAMS_PER_LINK", "0")
    monkeypatch.setenv("SCOREKEEPER_STREAMS_PER_ADDRESS", "5")
    app = create_app(DATA=data, SECRET_KEY="x" * 32)
    assert app.extensions["live"].caps == Caps(7, 0, 5)
    app.extensions["store"].close()


def test_a_stream_is_not_compressed_nor_kept(watched: Table) -> None:
    path = link_of(watched) + "/events"
    answer = watched.client.get(path, headers={"Accept-Encoding": "gzip"}, buffered=False)
    assert answer.mimetype == "text/event-stream"
    assert "Content-Encoding" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-store"
    answer.close()


def test_the_slots_of_the_board_are_filled_by_what_is_counted(watched: Table) -> None:
    def filled() -> int:
        page = Table(watched.app).page(link_of(watched))
        return len(page.all("*[@class='board-slots']/i[@class]"))

    watched.bid_round(3, 2, "nil", 4)
    assert filled() == 9
    watched.take(1)
    assert filled() == 1
