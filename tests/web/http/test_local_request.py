"""Which requests come from this computer itself."""

import pytest
from flask import Flask

from scorekeeper.web.http.loopback import is_local_request


def is_local(
    app: Flask, host: str = "localhost", address: str = "127.0.0.1", **headers: str
) -> bool:
    sent = {"Host": host, **{name.replace("_", "-"): text for name, text in headers.items()}}
    with app.test_request_context("/", headers=sent, environ_base={"REMOTE_ADDR": address}):
        return is_local_request()


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8000", "127.0.0.1", "127.0.0.1:80", "[::1]", "[::1]:8000"]
)
@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
def test_this_computer_by_its_own_name(app: Flask, host: str, address: str) -> None:
    assert is_local(app, host, address)


@pytest.mark.parametrize(
    "address",
    ["192.168.1.7", "10.0.0.1", "::ffff:192.168.1.7", "fe80::1", "", "unix:", "localhost"],
)
def test_another_computer_or_none(app: Flask, address: str) -> None:
    assert not is_local(app, address=address)


@pytest.mark.parametrize(
    "host",
    [
        "", "LOCALHOST", "localhost.", "localhost.example", "spades.local", "127.0.0.2", "127.1",
        "192.168.1.5", "::1", "[::1", "[::ffff:127.0.0.1]", "localhost:", "localhost:80a",
        "localhost:٨٠", "localhost, localhost", "user@localhost", "0.0.0.0", "localhost\n",
    ],
)  # fmt: skip
def test_any_other_name(app: Flask, host: str) -> None:
    with app.test_request_context("/", environ_base={"REMOTE_ADDR": "127.0.0.1"}) as context:
        context.request.environ["HTTP_HOST"] = host
        assert not is_local_request()


@pytest.mark.parametrize(
    "header",
    [
        "X_Forwarded_For", "X_Forwarded_Host", "X_Forwarded_Proto", "X_FORWARDED_PORT",
        "x_forwarded_anything", "Forwarded", "Via", "X_Real_IP", "True_Client_IP",
        "CF_Connecting_IP",
    ],
)  # fmt: skip
@pytest.mark.parametrize("value", ["127.0.0.1", ""])
def test_a_request_that_a_proxy_passed_on(app: Flask, header: str, value: str) -> None:
    assert not is_local(app, **{header: value})


@pytest.mark.parametrize(
    ("setting", "value"), [("BASE_URL", "https://a.example"), ("PROXIES", 1), ("OPEN", True)]
)
def test_a_server_that_others_reach_through_a_proxy(
    app: Flask, setting: str, value: str | int
) -> None:
    app.config[setting] = value
    assert not is_local(app)
