"""Security headers, and requests that are refused."""

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorekeeper import create_app
from scorekeeper.config import ConfigError, load_settings
from scorekeeper.store.connection import StoreUnavailable
from tests.conftest import SECRET_KEY, prepare, server
from tests.web.http.test_fragment_cache import watch_link
from tests.web.play import Table, page_of

EVERY_ANSWER = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
OVER_HTTPS = {
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}
POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
}
ADDRESSES = {
    "home": ("GET", "/", 200),
    "rules": ("GET", "/rules", 200),
    "the game": ("GET", "{game}", 200),
    "the new game": ("GET", "/games/new", 200),
    "a sheet": ("GET", "{game}.csv", 200),
    "nowhere": ("GET", "/nowhere", 404),
    "no static file": ("GET", "/static/nothing.js", 404),
    "no game": ("GET", "/games/0000000000", 404),
    "a forged post": ("POST", "/games/new", 400),
    "another method": ("DELETE", "/rules", 405),
}


def headers_hold(answer: TestResponse) -> None:
    assert {name: answer.headers.get(name) for name in EVERY_ANSWER} == EVERY_ANSWER
    policy = {part.strip() for part in answer.headers["Content-Security-Policy"].split(";")}
    assert policy >= POLICY
    assert not [part for part in policy if "unsafe" in part or "*" in part or "data:" in part]
    assert "camera=()" in answer.headers["Permissions-Policy"]
    assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]


@pytest.mark.parametrize(("method", "path", "status"), ADDRESSES.values(), ids=ADDRESSES.keys())
def test_every_answer_carries_the_headers(
    still: Table, method: str, path: str, status: int
) -> None:
    answer = still.client.open(path.format(game=still.path), method=method)
    assert answer.status_code == status
    headers_hold(answer)


@pytest.mark.parametrize("path", ["/static/icon.svg", "/static/js/game/live.js", "/sw.js"])
def test_a_file_that_is_no_page_carries_what_a_file_needs(still: Table, path: str) -> None:
    answer = still.get(path)
    assert answer.status_code == 200
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Set-Cookie" not in answer.headers


def test_the_worker_asks_this_server_alone(still: Table) -> None:
    policy = still.get("/sw.js").headers["Content-Security-Policy"]
    assert set(policy.split("; ")) == {
        "default-src 'none'",
        "connect-src 'self'",
        "script-src 'self'",
    }


@pytest.mark.parametrize("path", ["/", "/nowhere", "/static/icon.svg", "/sw.js", "/api/games"])
def test_every_answer_tells_that_it_is_ours(still: Table, path: str) -> None:
    assert re.fullmatch("[0-9a-f]{10}", still.get(path).headers["Scorekeeper"])


@pytest.mark.parametrize("status", ["303", "409", "422", "413"])
def test_answers_to_forms_carry_them_too(game: Table, status: str) -> None:
    old = game.round_form()
    bids = {"303": "3", "409": "4", "422": "11", "413": "9" * 70_000}
    if status == "409":
        game.bid(3)
    answer = game.send(old, **{"bid-1": bids[status]})
    assert answer.status_code == int(status)
    headers_hold(answer)


def test_pages_are_not_kept_by_browsers_or_proxies(still: Table) -> None:
    for path in ("/", still.path, f"{still.path}.csv", "/nowhere", f"/join/{still.key}"):
        assert still.get(path).headers["Cache-Control"] == "no-store"


def test_static_files_are_kept_for_a_year_by_their_fingerprint(still: Table) -> None:
    found = re.findall(r'(?:src|href)="(/static/[^"]+)"', still.page().html)
    assert [path for path in found if "/all-" in path]
    for path in found:
        answer = still.get(path)
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "public, max-age=31536000"


@pytest.mark.parametrize(
    "path", ["../scorekeeper/__init__.py", "%2e%2e/pyproject.toml", "js/../../README.md", "", "css"]
)
def test_nothing_else_is_served_as_a_static_file(still: Table, path: str) -> None:
    assert still.get(f"/static/{path}").status_code in (308, 404)


@pytest.mark.parametrize("path", ["/.git/config", "/instance/scorekeeper.db", "/console"])
def test_the_rest_of_the_computer_is_not_served(still: Table, path: str) -> None:
    assert still.get(path).status_code == 404


def test_robots_keep_nothing_but_the_front_page(still: Table) -> None:
    assert "X-Robots-Tag" not in still.get("/").headers
    for path in (still.path, f"/join/{still.key}", "/rules"):
        assert still.get(path).headers["X-Robots-Tag"] == "noindex, nofollow"


# Names of the server

OWN_HOSTS = ["localhost", "localhost:8000", "127.0.0.1:8000", "192.168.178.20", "[::1]:8000"]
FOREIGN_HOSTS = {
    "elsewhere": "elsewhere.invalid",
    "not a port": "elsewhere.invalid:80",
    "below ours": "localhost.elsewhere.invalid",
    "with a user": "localhost@elsewhere.invalid",
    "two": "localhost,elsewhere.invalid",
    "a blank": "a b",
    "half an address": "[::1",
    "dots": "..",
    "a dash": "-",
    "nothing": "",
    "foreign letters": "é.invalid",
    "endless": "x" * 400,
    "a path": "localhost/x",
    "a fragment": "localhost#x",
    "a backslash": "localhost\\x",
    "letters as a port": "localhost:x",
}


@pytest.mark.parametrize("host", OWN_HOSTS)
def test_the_server_goes_by_its_own_names_and_addresses(still: Table, host: str) -> None:
    assert still.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", FOREIGN_HOSTS.values(), ids=FOREIGN_HOSTS.keys())
def test_a_foreign_name_is_refused(still: Table, host: str) -> None:
    answer = still.get("/", headers={"Host": host})
    assert answer.status_code == 400
    headers_hold(answer)
    assert answer.content_type == "text/plain; charset=utf-8"
    advice = re.search(r", or start it with SCOREKEEPER_HOSTS=([a-z0-9.-]+)\.$", answer.text)
    assert answer.text.startswith("Wrong address. Use the one the server shows at startup")
    assert [name for name in [advice and advice[1]] if name] in ([], [host.partition(":")[0]])


def test_the_refusal_names_the_setting_in_the_language_of_the_browser(still: Table) -> None:
    german = {"Host": "NAS.local.:8000", "Accept-Language": "de"}
    answer = still.get("/", headers=german)
    assert answer.text.endswith("oder starte ihn mit SCOREKEEPER_HOSTS=nas.local.")
    answer = still.get("/api/games", headers={"Host": "nas.local"})
    assert answer.status_code == 400
    assert "SCOREKEEPER_HOSTS=nas.local" in answer.get_json()["detail"]
    for host in ("<script>", "x" * 400, "\u0315".encode().decode("latin-1")):
        text = still.get("/", headers={"Host": host}).text
        assert text == "Wrong address. Use the one the server shows at startup."


@pytest.fixture
def named(data: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """A server with further names."""
    monkeypatch.delenv("SCOREKEEPER_URL", raising=False)
    names = " NAS.local., box:8000,.Ts.net, müller.example ,[fd00::7]:8000,,"
    monkeypatch.setenv("SCOREKEEPER_HOSTS", names)
    prepare(data)
    app = create_app(DATA=data, SECRET_KEY=SECRET_KEY)
    yield app
    app.extensions["store"].close()


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("nas.local", 200),
        ("nas.local:8000", 200),
        ("NAS.Local:8000", 200),
        ("nas.local.:8000", 200),
        ("box", 200),
        ("ts.net", 200),
        ("phone.tail1.ts.net", 200),
        ("xn--mller-kva.example", 200),
        ("[fd00::7]:8000", 200),
        ("localhost", 200),
        ("fd00", 400),
        ("nas", 400),
        ("evil.nas.local", 400),
        ("nas.local.evil.invalid", 400),
        ("evilts.net", 400),
        ("nas.local@evil.invalid", 400),
        ("nas.local, evil.invalid", 400),
    ],
)
def test_names_of_the_setting_are_trusted(named: Flask, host: str, status: int) -> None:
    assert named.test_client().get("/", headers={"Host": host}).status_code == status


def test_a_post_by_a_name_of_the_setting_is_taken_from_its_own_pages_alone(named: Flask) -> None:
    table = Table(named)
    here = {"base_url": "http://nas.local:8000"}
    form = page_of(table.get(f"/join/{table.key}", **here)).form(table.key)
    for origin, status in (("http://box:8000", 403), ("http://nas.local:8000", 303)):
        answer = table.client.post(
            form.action, data=dict(form.fields), headers={"Origin": origin}, **here
        )
        assert answer.status_code == status


@pytest.mark.parametrize("names", ["*", "http://nas.local", "nas.local other", "a,.", "my_nas"])
def test_a_setting_that_names_no_host_is_refused(data: Path, names: str) -> None:
    with pytest.raises(ConfigError, match=r"SCOREKEEPER_HOSTS names .*such as nas\.local"):
        create_app(DATA=data / "new", SECRET_KEY=SECRET_KEY, HOSTS=names)
    assert not (data / "new").exists()


@pytest.mark.parametrize(
    "header", ["X-Forwarded-Host", "X-Forwarded-For", "Forwarded", "X-Original-URL"]
)
def test_what_a_phone_says_about_proxies_changes_nothing(still: Table, header: str) -> None:
    answer = still.get("/", headers={header: "elsewhere.invalid"})
    assert answer.status_code == 200
    assert "elsewhere" not in answer.get_data(as_text=True)


# Posts from other sites

FORGED = {
    "another origin": {"Origin": "https://elsewhere.invalid"},
    "no origin": {"Origin": "null"},
    "our name over another scheme": {"Origin": "ftp://localhost"},
    "our name on another port": {"Origin": "http://localhost:1234"},
    "half an address": {"Origin": "http://[::1"},
    "not an address": {"Origin": "elsewhere"},
    "another site": {"Sec-Fetch-Site": "cross-site"},
    "a neighbour": {"Sec-Fetch-Site": "same-site"},
}


@pytest.mark.parametrize("headers", FORGED.values(), ids=FORGED.keys())
def test_a_post_from_another_site_is_403(still: Table, headers: dict[str, str]) -> None:
    form, before = still.round_form(), still.everything()
    answer = still.post(form.action, {**form.fields, "bid-1": 3}, headers=headers)
    assert answer.status_code == 403
    assert "requested by another site" in page_of(answer).alerts
    assert still.everything() == before


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {},
    ],
    ids=["ours", "typed", "silent"],
)
def test_a_post_from_our_own_page_is_taken(game: Table, headers: dict[str, str]) -> None:
    form = game.round_form()
    answer = game.post(form.action, {**form.fields, "bid-1": 3}, headers=headers)
    assert answer.status_code == 303


@pytest.mark.parametrize(
    ("address", "host", "origin", "is_ours"),
    [
        ("", "http://localhost", "http://localhost", True),
        ("", "http://localhost:8000", "http://localhost:8000", True),
        ("", "http://[::1]:8000", "http://[::1]:8000", True),
        ("", "http://localhost:8000", "http://localhost", False),
        # A proxy that ends TLS and says nothing of it, and a server that is told.
        ("", "http://192.0.2.1", "https://192.0.2.1", True),
        ("", "https://192.0.2.1", "https://192.0.2.1", True),
        ("", "https://192.0.2.1", "http://192.0.2.1", False),
        ("https://spades.example", "http://spades.example", "https://spades.example", True),
        ("https://spades.example", "http://spades.example", "http://spades.example", False),
        ("https://Spades.example:443/x", "http://spades.example", "https://spades.example", True),
        ("https://spades.example", "http://spades.example", "https://spades.example:8443", False),
        ("http://spades.example", "http://spades.example", "http://spades.example", True),
        ("http://spades.example", "http://spades.example", "https://spades.example", False),
        # A proxy that does not pass on which host was asked for, and a phone beside the proxy.
        ("https://spades.example", "http://127.0.0.1:8000", "https://spades.example", True),
        ("https://spades.example", "http://127.0.0.1:8000", "http://127.0.0.1:8000", True),
        ("https://spades.example", "http://127.0.0.1:8000", "http://spades.example", False),
    ],
)
def test_an_origin_is_scheme_host_and_port(
    app: Flask, address: str, host: str, origin: str, is_ours: bool
) -> None:
    app.config.update(BASE_URL=address, NAMES=["localhost", "spades.example"])
    phone = app.test_client()
    answer = phone.post("/language", base_url=host, headers={"Origin": origin})
    assert ("another site" in answer.text) == (not is_ours)
    assert answer.status_code == (400 if is_ours else 403), "ours has no token"


HOUSE = "https://house.example"


@pytest.mark.parametrize("named", [None, HOUSE, f"{HOUSE}, http://192.168.1.5:8123"])
def test_live_pages_may_be_framed_by_those_who_are_named_and_others_by_nobody(
    game: Table, named: str | None
) -> None:
    load_settings(game.app.config, {"FRAMED_BY": named or ""})
    game.send(game.page(f"{game.path}/share").form("/watching"), on="yes")
    watch = watch_link(game)
    for path in (
        watch,
        f"{watch}/overlay",
        f"{watch}/compact",
        "/watch/turned-off",
        game.path,
        "/",
        f"{game.path}/share",
    ):
        headers = game.get(path).headers
        policy = headers["Content-Security-Policy"]
        if named and path.startswith("/watch/"):
            origins = " ".join(sorted(named.split(", ")))
            assert policy.endswith(f"frame-ancestors 'self' {origins}")
            assert "X-Frame-Options" not in headers
            assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        else:
            assert policy.endswith("frame-ancestors 'none'")
            assert headers["X-Frame-Options"] == "DENY"
            assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize(
    "bad", ["*", "house.example", "https://house.example/", "'self'", "https:"]
)
def test_who_may_frame_pages_is_named_as_an_origin(tmp_path: Path, bad: str) -> None:
    with pytest.raises(ConfigError, match="SCOREKEEPER_FRAMED_BY names"):
        create_app(DATA=tmp_path, FRAMED_BY=bad)


def test_a_link_from_another_site_may_lead_here(stranger: Table) -> None:
    answer = stranger.get(f"/join/{stranger.key}", headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200


# Sizes and shapes


@pytest.mark.parametrize("missing", [1, 9])
def test_a_body_that_ends_too_early_is_400_and_changes_nothing(game: Table, missing: int) -> None:
    before, form = game.everything(), urlencode(game.fresh(**{"bid-1": 3, "bid-2": 10}))
    answer = game.client.post(
        game.round_path("sent"),
        data=form[:-missing],
        content_type="application/x-www-form-urlencoded",
        environ_overrides={"CONTENT_LENGTH": str(len(form)), "wsgi.input_terminated": True},
    )
    assert answer.status_code == 400
    assert game.everything() == before


@pytest.mark.parametrize("path", ["/language", "/api/games"])
def test_a_body_of_unknown_length_is_411_where_the_server_does_not_buffer_it(
    still: Table, path: str
) -> None:
    headers = {"Transfer-Encoding": "chunked"}
    terminated = {"wsgi.input_terminated": True}
    answer = still.client.post(path, headers=headers, environ_overrides=terminated)
    assert answer.status_code == 411


def test_more_than_64_kilobytes_are_413(still: Table) -> None:
    before = still.everything()
    answer = still.bid("3" * 66_000)
    assert answer.status_code == 413
    assert page_of(answer).alerts == "That’s more than 64 kB, which no form here needs."
    assert still.everything() == before


BODIES = {
    "nothing": ("application/x-www-form-urlencoded", b""),
    "half a code": ("application/x-www-form-urlencoded", b"bid-1=%&bid-2=%zz"),
    "no text": ("application/x-www-form-urlencoded", b"bid-1=%ff%fe"),
    "half a character": ("application/x-www-form-urlencoded", b"bid-1=%ED%A0%80"),
    "thousands of fields": ("application/x-www-form-urlencoded", b"f=1&" * 5000),
    "json": ("application/json", b'{"bid-1": 3}'),
    "plain text": ("text/plain", b"bid-1=3"),
    "xml": ("text/xml", b"<!DOCTYPE a [<!ENTITY b 'x'>]><a>&b;</a>"),
    "no kind": ("", b"bid-1=3"),
    "no boundary": ("multipart/form-data", b"x"),
    "an empty boundary": ("multipart/form-data; boundary=", b"--\r\n"),
    "never ended": ("multipart/form-data; boundary=b", b"--b\r\nContent-Disposition: form-data"),
    "thousands of parts": ("multipart/form-data; boundary=b", b"--b\r\n" * 3000 + b"--b--\r\n"),
    "a strange charset": ("application/x-www-form-urlencoded; charset=nope", b"bid-1=3"),
}


@pytest.mark.parametrize("header", [True, False], ids=["token", "no token"])
@pytest.mark.parametrize(("kind", "body"), BODIES.values(), ids=BODIES.keys())
def test_a_body_of_any_shape_is_answered_4xx(
    still: Table, kind: str, body: bytes, header: bool
) -> None:
    before = still.everything()
    headers = {"X-CSRFToken": still.token()} if header else {}
    answer = still.client.post(still.round_path(), data=body, content_type=kind, headers=headers)
    assert answer.status_code in (400, 413)
    assert page_of(answer).alerts != ""
    assert still.everything() == before


HEADERS = {
    "Cookie": "; ; =; a",
    "Accept-Language": "en;q=nan,de;q=-1,;;;",
    "Accept-Encoding": "gzip;q=x",
    "Accept": "*/*;q=1e999",
    "If-None-Match": ",,",
    "If-Modified-Since": "Sat, 99 Foo 9999 99:99:99 GMT",
    "Range": "bytes=0-,0-,0-,0-",
    "Content-Length": "x",
}


@pytest.mark.parametrize(("name", "value"), HEADERS.items(), ids=HEADERS.keys())
def test_headers_nobody_sends_are_no_reason_to_fail(still: Table, name: str, value: str) -> None:
    for path in ("/rules", still.path, "/static/icon.svg"):
        assert still.get(path, headers={name: value}).status_code < 500


def test_pages_are_sent_compressed_to_whoever_can_read_that(still: Table) -> None:
    plain = still.get(still.path)
    packed = still.get(still.path, headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.data) < len(plain.data) / 2
    assert "Accept-Encoding" in packed.headers["Vary"]


# A public server


@pytest.fixture
def public(data: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """A server with a name of its own and https."""
    monkeypatch.setenv("SCOREKEEPER_URL", "https://spades.example/")
    app = create_app(DATA=data, SECRET_KEY=SECRET_KEY)
    yield app
    app.extensions["store"].close()


def test_a_public_server_goes_by_the_name_it_was_given(public: Flask) -> None:
    client = public.test_client()
    for host, status in (("spades.example", 200), ("elsewhere.invalid", 400)):
        assert client.get("/", headers={"Host": host}).status_code == status


def test_plain_http_promises_nothing_that_browsers_pass_over(still: Table) -> None:
    assert not OVER_HTTPS.keys() & {name for name, _ in still.get("/").headers}


def test_a_public_server_insists_on_https(public: Flask) -> None:
    table = Table(public)
    table.client.environ_base["wsgi.url_scheme"] = "https"
    answer = table.get("/", base_url="https://spades.example")
    headers_hold(answer)
    assert {name: answer.headers.get(name) for name in OVER_HTTPS} == OVER_HTTPS
    page = page_of(table.get(f"/join/{table.key}", base_url="https://spades.example"))
    form = page.form(table.key)
    answer = table.post(form.action, form.fields, base_url="https://spades.example")
    (cookie,) = answer.headers.getlist("Set-Cookie")
    assert cookie.startswith("__Host-s=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
    assert "Domain" not in cookie


def test_a_fault_of_ours_shows_a_sentence_and_no_trace(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr("scorekeeper.web.table.recent_games", fail)
    answer = table.client.get("/")
    assert answer.status_code == 500
    assert page_of(answer).alerts.startswith("Something went wrong and nothing was saved.")
    assert "secret of the house" not in answer.get_data(as_text=True)
    headers_hold(answer)


def test_a_full_disk_shows_a_sentence_and_keeps_what_there_was(
    game: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise StoreUnavailable("database or disk is full")

    form, before = game.round_form(), game.everything()
    monkeypatch.setattr("scorekeeper.store.journal.add_line", fail)
    answer = game.client.post(form.action, data={**form.fields, "bid-1": 3})
    assert answer.status_code == 503
    assert "can’t save" in page_of(answer).alerts
    assert game.everything() == before
    monkeypatch.undo()
    assert game.bid(3).status_code == 303


@pytest.mark.slow
@pytest.mark.sqlite  # tests/web/http/test_busy.py has both databases
def test_a_database_that_others_keep_locked_is_busy_and_not_full(game: Table) -> None:
    form, before = game.round_form(), game.everything()
    game.store.db.execute("PRAGMA busy_timeout = 0")
    game.store.release()
    with closing(sqlite3.connect(game.store.path)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = game.client.post(form.action, data={**form.fields, "bid-1": 3})
    assert answer.status_code == 503
    assert "busy" in page_of(answer).alerts
    assert "disk" not in page_of(answer).alerts
    assert game.everything() == before
    assert game.bid(3).status_code == 303


def test_a_form_opened_before_a_restart_can_still_be_sent(game: Table, data: Path) -> None:
    form, cookie = game.round_form(), game.client.get_cookie("s")
    assert cookie is not None
    with server(data) as restarted:
        phone = Table(restarted, game.id)
        phone.client.set_cookie("s", cookie.value)
        assert phone.send(form, **{"bid-1": 3}).status_code == 303
    assert game.state.open.bids[0] == 3


def test_a_form_that_lay_open_over_night_can_still_be_sent(
    game: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    form, tomorrow = game.round_form(), time.time() + 24 * 3600
    monkeypatch.setattr("time.time", lambda: tomorrow)
    assert game.send(form, **{"bid-1": 3}).status_code == 303


def test_with_another_key_every_phone_joins_anew_and_the_games_stay(
    game: Table, data: Path
) -> None:
    cookie = game.client.get_cookie("s")
    assert cookie is not None
    app = create_app(DATA=data, SECRET_KEY="another key of another thirty-two")
    phone = Table(app, game.id)
    phone.client.set_cookie("s", cookie.value)
    assert phone.get(game.path).status_code == 404
    phone.join()
    assert phone.get(game.path).status_code == 200
    app.extensions["store"].close()
