"""“Use this computer”: offered to a browser beside the server, and to nobody else."""

import pytest
from flask import Flask

from scorekeeper.store.tables import joined_phones, new_server_link, server_table, table_of_join_key
from scorekeeper.web.http.loopback import is_local_request
from tests.web.play import AT, Table, page_of

PATH = "/this-computer"
HOSTED = ("SCOREKEEPER_URL", "SCOREKEEPER_OPEN", "SCOREKEEPER_PROXIES")


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server without settings, whatever those of this computer are."""
    for variable in HOSTED:
        monkeypatch.delenv(variable, raising=False)


AT_HOME = {"REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "localhost:8000"}


def is_offered(app: Flask, **environ: str) -> bool:
    """Return whether a request is offered the button.

    The values are those of the WSGI environment, where a header begins with `HTTP_`.
    """
    with app.test_request_context("/", environ_overrides=AT_HOME | environ):
        return is_local_request()


@pytest.mark.parametrize(
    ("host", "offered"),
    [
        ("localhost", True),
        ("localhost:8000", True),
        ("127.0.0.1", True),
        ("127.0.0.1:80", True),
        ("[::1]", True),
        ("[::1]:65535", True),
        ("127.0.0.2:8000", False),
        ("127.1", False),
        ("0.0.0.0:8000", False),
        ("[::]:8000", False),
        ("[::ffff:127.0.0.1]", False),
        ("192.168.1.7:8000", False),
        ("8.8.8.8", False),
        ("rebinding.example:8000", False),
        ("localhost.rebinding.example", False),
        ("127.0.0.1.rebinding.example:8000", False),
        ("localhost:8000, rebinding.example", False),
        ("user@localhost:8000", False),
        ("localhost:8000/", False),
        ("localhost:", False),
        ("", False),
    ],
)
def test_the_host_must_be_a_name_of_this_computer_for_itself(
    still: Table, host: str, offered: bool
) -> None:
    assert is_offered(still.app, HTTP_HOST=host) == offered


@pytest.mark.parametrize(
    ("address", "offered"),
    [
        ("127.0.0.1", True),
        ("127.8.9.10", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("192.168.1.7", False),
        ("172.17.0.1", False),
        ("::ffff:192.168.1.7", False),
        ("fe80::1", False),
        ("", False),
        ("localhost", False),
    ],
)
def test_the_request_must_come_from_a_loopback_address(
    still: Table, address: str, offered: bool
) -> None:
    assert is_offered(still.app, REMOTE_ADDR=address) == offered


@pytest.mark.parametrize(
    ("header", "offered"),
    [
        ("Accept-Language", True),
        ("DNT", True),
        ("Referer", True),
        ("Sec-Fetch-Dest", True),
        ("Upgrade-Insecure-Requests", True),
        ("Forwarded", False),
        ("Via", False),
        ("X-Forwarded", False),
        ("X-Forwarded-By", False),
        ("X-Forwarded-For", False),
        ("X-Forwarded-Host", False),
        ("X-Forwarded-Port", False),
        ("X-Forwarded-Prefix", False),
        ("X-Forwarded-Proto", False),
        ("X-Forwarded-Server", False),
        ("Forwarded-For", False),
        ("X-Real-IP", False),
        ("X-Client-IP", False),
        ("X-Cluster-Client-IP", False),
        ("Client-IP", False),
        ("True-Client-IP", False),
        ("Fly-Client-IP", False),
        ("CF-Connecting-IP", False),
        ("CF-Ray", False),
        ("CDN-Loop", False),
        ("X-Original-URL", False),
        ("X-Original-Host", False),
        ("X-Originating-IP", False),
        ("X-Remote-Addr", False),
        ("X-Envoy-External-Address", False),
        ("X-ProxyUser-IP", False),
        ("Proxy-Connection", False),
    ],
)
@pytest.mark.parametrize("value", ["127.0.0.1", ""])
def test_no_header_of_a_proxy_may_come_with_it(
    still: Table, header: str, offered: bool, value: str
) -> None:
    name = "HTTP_" + header.upper().replace("-", "_")
    assert is_offered(still.app, **{name: value}) == offered


@pytest.mark.parametrize(
    ("protocol", "offered"), [("HTTP/1.1", True), ("HTTP/2", True), ("HTTP/1.0", False)]
)
def test_a_proxy_that_adds_no_header_is_known_by_its_protocol(
    still: Table, protocol: str, offered: bool
) -> None:
    assert is_offered(still.app, SERVER_PROTOCOL=protocol) == offered


@pytest.mark.parametrize("variable", HOSTED)
@pytest.mark.parametrize(("value", "offered"), [("", True), ("0", False), ("true", False)])
def test_it_is_not_offered_where_a_variable_sets_the_server_up_for_others(
    still: Table, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, offered: bool
) -> None:
    monkeypatch.setenv(variable, value)
    assert is_offered(still.app) == offered


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("BASE_URL", "https://spades.example"),
        ("PROXIES", 1),
        ("SCRIPT_NAME", "/spades"),
        ("OPEN", True),
    ],
)
def test_nor_where_a_setting_does(
    app: Flask, monkeypatch: pytest.MonkeyPatch, setting: str, value: str | int
) -> None:
    monkeypatch.setitem(app.config, setting, value)
    assert not is_offered(app)


ELSEWHERE = {
    "another address": {"REMOTE_ADDR": "192.168.1.7"},
    "a proxy": {"HTTP_X_FORWARDED_FOR": "203.0.113.9"},
    "a proxy that speaks HTTP/1.0": {"SERVER_PROTOCOL": "HTTP/1.0"},
}


@pytest.mark.parametrize("environ", ELSEWHERE.values(), ids=ELSEWHERE.keys())
def test_a_request_from_elsewhere_sees_no_button_and_is_404(
    stranger: Table, environ: dict[str, str]
) -> None:
    form, before = stranger.page("/").form(PATH), stranger.everything()
    forms = page_of(stranger.get("/", environ_overrides=environ)).forms()
    assert [form.action for form in forms] == ["/join"]
    refused = stranger.post(PATH, dict(form.fields), environ_overrides=environ)
    assert refused.status_code == 404
    assert stranger.everything() == before


def test_a_foreign_name_of_this_computer_is_refused(stranger: Table) -> None:
    rebound = {"HTTP_HOST": "rebinding.example:8000"}
    form, before = stranger.page("/").form(PATH), stranger.everything()
    for path, method in (("/", "GET"), (PATH, "POST")):
        fields = form.fields if method == "POST" else None
        refused = stranger.client.open(
            path, method=method, data=fields, environ_overrides=AT_HOME | rebound
        )
        assert refused.status_code == 400
        assert "Wrong address" in refused.get_data(as_text=True)
    assert stranger.everything() == before


def test_the_button_joins_the_table_of_the_server(stranger: Table) -> None:
    key = new_server_link(stranger.store)
    answer = stranger.send(stranger.page("/").form(PATH))
    assert (answer.status_code, answer.location) == (303, "/")
    house = table_of_join_key(stranger.store.db, key)
    assert house is not None
    assert [phone.label for phone in joined_phones(stranger.store.db, house)] == [
        "The server’s computer"
    ]
    assert "No games yet" in stranger.page("/").text


def test_without_a_link_it_makes_the_table_that_later_links_open(stranger: Table) -> None:
    stranger.send(stranger.page("/").form(PATH))
    with stranger.store.write() as db:
        house = server_table(db, AT)
    assert table_of_join_key(stranger.store.db, new_server_link(stranger.store)) == house
    assert len(joined_phones(stranger.store.db, house)) == 1


def test_who_has_joined_a_table_stays_there(table: Table) -> None:
    before = table.everything()
    assert table.post(PATH, {"csrf_token": table.token()}).location == "/"
    assert table.everything() == before
    assert PATH not in table.get("/").get_data(as_text=True)


@pytest.mark.parametrize("token", [None, "", "x", "another phone's"])
def test_it_needs_the_token_of_the_page(stranger: Table, token: str | None) -> None:
    form = stranger.page("/").form(PATH)
    if token == "another phone's":
        token = Table(stranger.app).token()
    before = stranger.everything()
    assert stranger.send(form, csrf_token=token).status_code == 400
    assert stranger.everything() == before


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://localhost:3000"}, {"Sec-Fetch-Site": "same-site"}]
)
def test_another_site_cannot_press_it(stranger: Table, headers: dict[str, str]) -> None:
    form, before = stranger.page("/").form(PATH), stranger.everything()
    assert stranger.post(PATH, dict(form.fields), headers=headers).status_code == 403
    assert stranger.everything() == before


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH"])
def test_only_a_post_joins(stranger: Table, method: str) -> None:
    before = stranger.everything()
    assert stranger.client.open(PATH, method=method).status_code in (400, 405)
    assert stranger.everything() == before
