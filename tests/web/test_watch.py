"""Looking on: a link that shows one game and changes nothing."""

import re

import pytest

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
    assert page.texts("h1") == ["South wins"]
    assert "reaches 125" in page.text


def test_nothing_on_it_can_change_anything(watched: Table) -> None:
    watched.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    page = Table(watched.app).page(link_of(watched))
    assert not page.all("form")
    assert not page.all("button")
    assert [link.get("href") for link in page.all("a")] == ["/senses"]  # of this phone alone


def test_it_sets_no_cookie_and_names_nobody_in_its_title(watched: Table) -> None:
    answer = Table(watched.app).get(link_of(watched))
    assert "Set-Cookie" not in answer.headers
    assert page_of(answer).texts("title") == ["Scoreboard"]


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
    onlooker, link = Table(watched.app), link_of(watched)
    tag = onlooker.get(link).headers["ETag"]
    assert onlooker.get(link, headers={"If-None-Match": tag}).status_code == 304
    watched.bid(3)
    assert onlooker.get(link, headers={"If-None-Match": tag}).status_code == 200


def test_the_page_of_the_table_is_answered_304_too(game: Table) -> None:
    tag = game.get(game.path).headers["ETag"]
    assert game.get(game.path, headers={"If-None-Match": tag}).status_code == 304
    game.bid(3)
    assert game.get(game.path, headers={"If-None-Match": tag}).status_code == 200


def test_without_a_free_stream_a_phone_is_told_when_to_ask_again(watched: Table) -> None:
    watched.app.extensions["live"].end()
    answer = watched.app.test_client().get(link_of(watched) + "/events")
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0


def test_a_stream_is_not_compressed_nor_kept(watched: Table) -> None:
    path = link_of(watched) + "/events"
    answer = watched.client.get(path, headers={"Accept-Encoding": "gzip"}, buffered=False)
    assert answer.mimetype == "text/event-stream"
    assert "Content-Encoding" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-store"
    answer.close()
