"""The path prefix of the app: what a request claims about it is ignored."""

from urllib.parse import urlsplit

import pytest
from flask import Flask

from scorekeeper import create_app
from tests.conftest import SECRET_KEY
from tests.web.play import Table

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
    # As gunicorn hands it on, which has taken the path apart.
    assert phone.get("/sw.js", environ_overrides={"SCRIPT_NAME": "/spades"}).status_code == 200
    assert phone.get("/spadesplus/sw.js").status_code == 404
    assert "/spades/" not in game.client.get("/sw.js").text, "the other one is not mounted"
    app.extensions["store"].close()
    app.extensions["store"].close()


def test_a_page_in_another_language_is_another_page(game: Table) -> None:
    game.send(game.page(f"{game.path}/share").form("/watching"), on="yes")
    link = "/watch/" + game.page(f"{game.path}/share").html.partition("/watch/")[2][:26]
    tag = game.get(link, headers={"Accept-Language": "en"}).headers["ETag"]
    german = {"Accept-Language": "de", "If-None-Match": tag}
    assert game.get(link, headers=german).status_code == 200
    assert game.get(link, headers=german | {"Accept-Language": "en"}).status_code == 304
