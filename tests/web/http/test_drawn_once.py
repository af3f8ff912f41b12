"""Pages that are the same for everybody are drawn once a language, and sent like static files."""

import gzip
import re
from collections.abc import Iterator

import pytest
from flask import Flask, template_rendered
from flask.testing import FlaskClient

from tests.web.play import Table

PAGES = ["/api", "/phone", "/phone/call", "/settings/sound", "/rules", "/rules/call-break"]
TOKEN = re.compile(r'name="csrf_token" value="[^{"]')
OTHERS = ["/api/openapi.json", "/manifest.webmanifest", "/phone/pieces/en", "/sw.js"]


@pytest.fixture
def drawn(app: Flask) -> Iterator[list[str | None]]:
    """The templates that were rendered."""
    names: list[str | None] = []

    def note(_app: Flask, template: object, **_context: object) -> None:
        names.append(getattr(template, "name", None))

    with template_rendered.connected_to(note, app):
        yield names


@pytest.mark.parametrize("path", [*PAGES, *OTHERS])
def test_the_second_request_draws_nothing(
    client: FlaskClient, drawn: list[str | None], path: str
) -> None:
    first = client.get(path)
    drawn.clear()
    second = client.get(path, headers={"Accept-Encoding": "gzip"})
    assert drawn == []
    assert gzip.decompress(second.data) == first.data
    again = client.get(path, headers={"If-None-Match": second.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert client.get(path, headers={"If-None-Match": '"other"'}).data == first.data
    assert drawn == []


@pytest.mark.parametrize("path", PAGES)
def test_each_language_gets_its_own(
    client: FlaskClient, drawn: list[str | None], path: str
) -> None:
    german = client.get(path, headers={"Accept-Language": "de"})
    assert drawn
    english = client.get(path, headers={"If-None-Match": german.headers["ETag"]})
    assert '<html lang="de"' in german.text
    assert '<html lang="en"' in english.text
    client.set_cookie("language", "ar")
    assert '<html lang="ar" dir="rtl"' in client.get(path, headers={"Accept-Language": "de"}).text
    for answer in (german, english):
        assert {"Accept-Language", "Cookie", "Accept-Encoding"} <= set(
            answer.vary.to_header().split(", ")
        )


@pytest.mark.parametrize("path", PAGES)
def test_they_are_pages_to_browsers(client: FlaskClient, path: str) -> None:
    for answer in (client.get(path), client.get(path)):
        assert answer.headers["Cache-Control"] == "public, no-cache"
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
        assert answer.headers["Content-Language"] == "en"
        assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("path", PAGES)
def test_what_a_phone_that_joined_sees_is_not_for_others(
    table: Table, client: FlaskClient, path: str
) -> None:
    strangers = client.get(path).text
    own = table.get(path).text
    assert client.get(path).text == strangers
    assert own == table.get(path).text
    assert ("Customize" in own or "Create house rules" in own) == path.startswith("/rules")
    assert "Customize" not in strangers
    assert "Create house rules" not in strangers
    assert not TOKEN.search(strangers)
