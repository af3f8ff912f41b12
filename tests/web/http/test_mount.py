"""The path prefix of the app: what a request claims about it is ignored."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorekeeper import create_app
from scorekeeper.config import OWN_PATHS, ConfigError
from tests.conftest import SECRET_KEY
from tests.web.play import Table, page_of

ELSEWHERE = "//elsewhere.invalid"


@pytest.mark.parametrize("path", ["/sw.js", "/", "/manifest.webmanifest", "/static/icon.svg"])
def test_a_request_cannot_change_what_others_are_sent(app: Flask, path: str) -> None:
    forged = app.test_client().get(path, environ_overrides={"SCRIPT_NAME": ELSEWHERE})
    assert urlsplit(forged.headers.get("Location", "")).hostname in (None, "localhost")
    answer = app.test_client().get(path)
    assert answer.status_code == 200
    assert "elsewhere.invalid" not in answer.text


def test_a_watched_game_cannot_be_changed_for_others(game: Table) -> None:
    game.send(game.page(f"{game.path}/share").form("/watching"), on="yes")
    path = game.page(f"{game.path}/share").html.partition("/watch/")[2][:26]
    for phone in (game.app.test_client(), game.app.test_client()):
        phone.get(f"/watch/{path}", environ_overrides={"SCRIPT_NAME": ELSEWHERE})
        assert "elsewhere" not in phone.get(f"/watch/{path}").text


def test_a_configured_path_stands_in_front_of_every_address(game: Table) -> None:
    app = create_app(DATA=game.store.path.parent, SECRET_KEY=SECRET_KEY, SCRIPT_NAME="/spades/")
    phone = app.test_client()
    for path in ("/sw.js", "/"):
        answer = phone.get(f"/spades{path}")
        assert answer.status_code == 200
        assert "/spades/static/" in answer.text
    assert phone.get("/spades/api/openapi.json").json["servers"] == [{"url": "/spades"}]
    # As gunicorn hands it on, which has taken the path apart.
    assert phone.get("/sw.js", environ_overrides={"SCRIPT_NAME": "/spades"}).status_code == 200
    assert phone.get("/spadesplus/sw.js").status_code == 404
    assert "/spades/" not in game.client.get("/sw.js").text, "the other one is not mounted"
    app.extensions["store"].close()
    app.extensions["store"].close()


ADDRESSES = {
    "the path of the URL": {"BASE_URL": "https://spades.example/scores/"},
    "SCRIPT_NAME": {"SCRIPT_NAME": "/scores", "BASE_URL": "https://spades.example"},
    "both": {"SCRIPT_NAME": "/scores/", "BASE_URL": "https://spades.example/scores"},
}


@pytest.mark.parametrize("in_front", ["/scores", ""], ids=["kept by the proxy", "taken off by it"])
@pytest.mark.parametrize("settings", ADDRESSES.values(), ids=ADDRESSES)
def test_links_lead_below_the_path_whatever_the_proxy_does_with_it(
    game: Table, settings: dict[str, str], in_front: str
) -> None:
    """A proxy passes the path on as it is, or without what is in front."""
    app = create_app(DATA=game.store.path.parent, SECRET_KEY=SECRET_KEY, **settings)
    client = app.test_client()
    base = {"base_url": "https://spades.example"}

    def ask(link: str) -> TestResponse:
        assert link.startswith("/scores/")
        return client.get(in_front + link.removeprefix("/scores"), **base)

    joining = page_of(ask(f"/scores/join/{game.key}"))
    form = joining.form(game.key)
    assert form.action == f"/scores/join/{game.key}"
    sent = in_front + form.action.removeprefix("/scores")
    joined = client.post(sent, data=form.fields, headers={"Referer": base["base_url"]}, **base)
    assert (joined.status_code, joined.headers["Location"]) == (303, "/scores/")
    home = ask("/scores/")
    assert home.status_code == 200
    for name, address in re.findall(r'(href|src|action)="(/[^"]*)"', home.text):
        assert address.startswith("/scores/"), (name, address)
    assert '"base": "/scores"' in ask("/scores/sw.js").text
    assert '"scope": "/scores/"' in ask("/scores/manifest.webmanifest").text
    shared = ask("/scores/rules/link?rules=cutthroat-lite").text
    assert "https://spades.example/scores/rules/link?rules=cutthroat-lite" in shared
    mended = ask(f"/scores/JOIN/{game.key}).")
    assert mended.headers["Location"] == f"/scores/join/{game.key}"
    app.extensions["store"].close()


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"BASE_URL": "https://spades.example/a", "SCRIPT_NAME": "/b"}, "Leave one of them out"),
        ({"BASE_URL": "https://spades.example/games"}, "can’t be under /games"),
        ({"SCRIPT_NAME": "/join/x"}, "can’t be under /join/x"),
        ({"BASE_URL": "https://spades.example/a b"}, "can’t be under /a b"),
        ({"SCRIPT_NAME": "//elsewhere"}, "can’t be under //elsewhere"),
        ({"BASE_URL": "https://"}, "must start with"),
    ],
)
def test_a_path_that_cannot_be_told_apart_is_refused(
    tmp_path: Path, settings: dict[str, str], why: str
) -> None:
    with pytest.raises(ConfigError, match=why):
        create_app(settings, DATA=tmp_path / "games")
    assert list(tmp_path.iterdir()) == []


def test_every_first_word_of_our_own_is_refused_as_a_path(app: Flask) -> None:
    rules = {rule.rule.strip("/").partition("/")[0] for rule in app.url_map.iter_rules()}
    assert rules - {""} == OWN_PATHS


def test_a_page_in_another_language_is_another_page(game: Table) -> None:
    game.send(game.page(f"{game.path}/share").form("/watching"), on="yes")
    link = "/watch/" + game.page(f"{game.path}/share").html.partition("/watch/")[2][:26]
    tag = game.get(link, headers={"Accept-Language": "en"}).headers["ETag"]
    german = {"Accept-Language": "de", "If-None-Match": tag}
    assert game.get(link, headers=german).status_code == 200
    assert game.get(link, headers=german | {"Accept-Language": "en"}).status_code == 304
