"""Cached fragments equal freshly rendered ones, and no change is missed."""

import re

from scorekeeper.web.http import fragments
from tests.web.game.test_seats import claim_seat
from tests.web.page import Page
from tests.web.play import Table


def test_after_every_change_the_cached_page_equals_a_fresh_one(game: Table) -> None:
    other = game.second_phone()
    game.send(game.page(f"{game.path}/share").form("/watching"), on="yes")
    link = watch_link(game)
    assert_same(game, other, link)
    for step in (
        lambda: game.bid(3),
        lambda: claim_seat(other, 2),
        lambda: other.bid("nil"),
        lambda: game.bid(2),
        lambda: game.bid(4),
        lambda: game.take(1),
        lambda: game.take(3, 1),
        lambda: game.undo(),
        lambda: other.redo(),
        lambda: game.misdeal(),
        lambda: game.undo(),
        lambda: game.score(3, 0, 3, 4),
        lambda: game.correct(1, tricks_1=2, tricks_3=4),
        lambda: rename(game, "North", "Nora"),
        lambda: claim_seat(other, ""),
    ):
        step()
        assert_same(game, other, link)


def test_a_finished_game_is_cached_like_any_other(table: Table) -> None:
    table.new_game(target="50")
    table.play_round((10, 1, 1, 1), (10, 0, 0, 0))
    other = table.second_phone()
    assert "wins" in table.page().text
    assert cached_page(table, table.path) == rendered_fresh(table, table.path)
    assert cached_page(other, table.path) == rendered_fresh(table, table.path)


def test_each_phone_gets_its_own_token(game: Table) -> None:
    other = game.second_phone()
    phones = [game, other, game, other]
    tokens = [phone.round_form("/seats").fields["csrf_token"] for phone in phones]
    assert tokens[0] != tokens[1]
    assert all(phone.bid(2).status_code == 303 for phone in phones)


def test_each_phone_gets_its_language(game: Table) -> None:
    other = game.second_phone()
    assert 'lang="en"' in game.page().html
    other.client.set_cookie("language", "de")
    for _ in range(3):
        assert 'lang="de"' in other.page().html
        assert 'lang="en"' in game.page().html


def test_a_phone_that_was_removed_sees_nothing_more(game: Table) -> None:
    other = game.second_phone()
    assert cached_page(other, game.path)
    game.send(game.page("/table").form("/others/remove"))
    assert other.get(game.path).status_code == 404


def test_an_ended_link_shows_nothing_more(game: Table) -> None:
    game.send(game.page(f"{game.path}/share").form("/watching"), on="yes")
    link, watcher = watch_link(game), Table(game.app)
    assert cached_page(watcher, link)
    game.send(game.page(f"{game.path}/share").form("/watching"))
    assert watcher.get(link).status_code == 404


def test_a_link_to_rules_is_cached_for_strangers_alone(game: Table) -> None:
    link, stranger = "/rules/link?rules=cutthroat-lite&nil_points=90&name=Ours", Table(game.app)
    assert cached_page(stranger, link) == rendered_fresh(stranger, link)
    assert "Save to this table" in game.get(link).text
    assert "Save to this table" not in cached_page(stranger, link)
    other_host = stranger.get(link, headers={"Host": "192.168.178.21"})
    assert "http://192.168.178.21/rules/link" in other_host.text


def assert_same(game: Table, other: Table, link: str) -> None:
    """Compare the cached pages of two phones and a watcher with freshly rendered ones."""
    watcher = Table(game.app)
    sheet = f"{game.path}/sheet"
    pages = [(game, game.path), (other, game.path), (game, sheet), (other, sheet), (watcher, link)]
    for phone, path in [*pages, (watcher, f"{link}?part=1")]:
        assert cached_page(phone, path) == rendered_fresh(phone, path)


def cached_page(phone: Table, path: str) -> str:
    """Return a page that was requested just before, without its CSRF tokens."""
    for _ in range(2):
        answer = phone.get(path)
    assert answer.status_code == 200
    return without_token(answer.get_data(as_text=True))


def rendered_fresh(phone: Table, path: str) -> str:
    """Return a page rendered with an empty fragment cache, without its CSRF tokens."""
    fragments.init_app(phone.app)
    return without_token(phone.get(path).get_data(as_text=True))


def without_token(html: str) -> str:
    return re.sub(r'name="csrf_token" value="[^"]+"|"token":"[^"]+"', "", html)


def watch_link(table: Table) -> str:
    found = re.search(r"/watch/[0-9a-z]+", table.page(f"{table.path}/share").html)
    assert found is not None
    return found[0]


def rename(table: Table, name: str, new: str) -> None:
    """Give a player another name."""
    (link,) = [
        a.get("href", "")
        for a in Page(table.get("/players").get_data(as_text=True)).all("a")
        if a.get("href", "").startswith("/players/") and name in "".join(a.itertext())
    ][:1]
    table.send(table.page(f"{link.partition('?')[0]}/edit").form("/name"), name=new)
