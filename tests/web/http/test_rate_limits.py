"""Rate limits and quotas, on an open server and at home."""

import http.client
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorekeeper import create_app
from scorekeeper.config import ConfigError
from scorekeeper.store.tables import random_word
from scorekeeper.web.game.card import draws_pictures
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.rate_limits import DAY, HOUR, MINUTE, Limit, Limits
from tests.program import Program
from tests.web.history.test_import_export import SHEET, confirm, upload
from tests.web.play import Table, page_of
from tests.web.taps import fields as sent_taps


def bid_of(game: Table) -> dict[str, Any]:
    """Return the first bid as a phone sends it."""
    return game.fresh(**sent_taps({"bids": (3, "", "", "")}, seen=game.game.version))


class Clock:
    """Time that passes only when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(app: Flask) -> Clock:
    """The clock of an open server's limits."""
    clock = Clock()
    app.config["OPEN"] = True
    app.extensions["limits"] = Limits(
        wrong_keys=Limit(20, MINUTE, clock=clock),
        new_tables=Limit(10, HOUR, clock=clock),
        tables_in_all=Limit(30, DAY, clock=clock),
        changes=Limit(240, MINUTE, burst=60, clock=clock),
    )
    return clock


def try_key(app: Flask, address: str = "192.0.2.1", key: str = "") -> TestResponse:
    path = f"/join/{key or random_word(26)}"
    return app.test_client().get(path, environ_overrides={"REMOTE_ADDR": address})


def start_table(app: Flask, address: str = "192.0.2.1") -> TestResponse:
    client, stranger = app.test_client(), {"REMOTE_ADDR": address}
    form = page_of(client.get("/", environ_overrides=stranger)).form("/tables")
    return client.post(form.action, data=form.fields, environ_overrides=stranger)


# A limit by itself


def test_a_burst_is_let_through_and_the_next_must_wait() -> None:
    limit = Limit(240, MINUTE, burst=60, clock=Clock())
    assert [limit.take("North") for _ in range(61)] == [0] * 60 + [1]


def test_waiting_as_long_as_it_says_is_enough() -> None:
    clock = Clock()
    limit = Limit(10, HOUR, clock=clock)
    while not (wait := limit.take("North")):
        pass
    assert wait == 360
    clock.now += wait
    assert limit.take("North") == 0
    assert limit.take("North") == 360


def test_being_refused_does_not_make_the_wait_longer() -> None:
    clock = Clock()
    limit = Limit(1, MINUTE, clock=clock)
    limit.take("North")
    clock.now += 30
    assert [limit.take("North") for _ in range(3)] == [30, 30, 30]


def test_each_visitor_has_a_bucket_that_never_holds_more_than_a_burst() -> None:
    clock = Clock()
    limit = Limit(2, MINUTE, clock=clock)
    assert [limit.take("North") for _ in range(3)] == [0, 0, 30]
    assert limit.take("East") == 0
    clock.now += DAY
    assert [limit.take("North") for _ in range(3)] == [0, 0, 30]


def test_no_more_than_so_many_visitors_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MAX_BUCKETS", 3)
    limit = Limit(1, MINUTE, clock=Clock())
    for who in ("North", "East", "South"):
        limit.take(who)
    limit.take("North")
    limit.take("West")
    assert limit.take("North") > 0, "who asked lately is remembered"
    assert limit.take("East") == 0, "who did not ask for longest is forgotten"


# Wrong keys


def test_the_21st_wrong_link_in_a_minute_is_refused(app: Flask, clock: Clock) -> None:
    assert {try_key(app).status_code for _ in range(20)} == {404}
    answer = try_key(app)
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "3"
    assert page_of(answer).alerts == ("Too many invalid links. Try again in 3 seconds.")
    clock.now += 3
    assert try_key(app).status_code == 404


def test_wrong_links_that_are_pasted_count_as_well(clock: Clock, stranger: Table) -> None:
    form = stranger.page("/").form("/join")
    assert {stranger.send(form, link="nothing").status_code for _ in range(20)} == {422}
    assert stranger.send(form, link="nothing").status_code == 429
    assert stranger.send(form, link=stranger.key).status_code == 303


def test_a_right_link_opens_from_an_address_that_tried_too_many(
    app: Flask, clock: Clock, stranger: Table
) -> None:
    for _ in range(21):
        try_key(app)
    assert try_key(app, key=stranger.key).status_code == 200
    assert stranger.join().status_code == 303


def test_an_answer_to_a_wrong_link_counts_too(app: Flask, clock: Clock, stranger: Table) -> None:
    form = stranger.page(f"/join/{stranger.key}").form(stranger.key)
    wrong = form.action.replace(stranger.key, random_word(26))
    codes = [stranger.post(wrong, form.fields).status_code for _ in range(21)]
    assert codes == [404] * 20 + [429]


def test_another_address_is_not_concerned(app: Flask, clock: Clock) -> None:
    for _ in range(21):
        try_key(app)
    assert try_key(app, "192.0.2.2").status_code == 404


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("unix:", "hidden by a proxy", True),
    ],
)
def test_a_household_counts_as_one(
    app: Flask, clock: Clock, one: str, other: str, same: bool
) -> None:
    for _ in range(20):
        try_key(app, one)
    assert try_key(app, other).status_code == (429 if same else 404)


def test_at_home_nobody_is_refused(app: Flask, table: Table) -> None:
    assert {try_key(app).status_code for _ in range(30)} == {404}
    table.new_game()
    fields = bid_of(table)
    codes = {table.post(table.round_path("sent"), fields).status_code for _ in range(70)}
    assert codes == {200}


# Tables


def test_the_11th_table_in_an_hour_is_refused(app: Flask, clock: Clock) -> None:
    assert {start_table(app).status_code for _ in range(10)} == {303}
    answer = start_table(app)
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "360"
    assert start_table(app, "192.0.2.2").status_code == 303


def test_there_is_a_limit_for_all_together(app: Flask, clock: Clock) -> None:
    codes = [start_table(app, f"192.0.2.{n}").status_code for n in range(31)]
    assert codes == [303] * 30 + [429]


# Changes


def test_a_table_that_changes_faster_than_people_tap_must_wait(clock: Clock, game: Table) -> None:
    fields, path = bid_of(game), game.round_path("sent")
    codes = [game.post(path, fields).status_code for _ in range(60)]
    answer = game.post(path, fields)
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "1"
    assert codes.count(200) >= 58, "joining and the new game were counted before"
    clock.now += 1
    assert game.post(path, fields).status_code == 200


def test_an_evening_of_the_quickest_table_is_never_refused(clock: Clock, game: Table) -> None:
    for _ in range(3):
        clock.now += 20  # for dealing, bidding and playing ten tricks
        assert game.play_round((3, 2, 1, 4), (3, 2, 1, 4)).status_code == 303


def test_phones_of_a_table_share_its_limit_and_others_have_their_own(
    app: Flask, clock: Clock, game: Table
) -> None:
    other, guest = game.second_phone(), Table(app)
    guest.join()
    guest.new_game()
    fields, path = bid_of(game), game.round_path("sent")
    for _ in range(60):
        game.post(path, fields)
    assert other.post(path, bid_of(other)).status_code == 429
    assert guest.bid(3).status_code == 303


def test_a_forged_change_is_not_counted(clock: Clock, game: Table) -> None:
    for _ in range(70):
        assert game.post(game.round_path("sent"), {"bid-1": 3}).status_code == 400
    assert game.bid(3).status_code == 303


def test_joining_by_the_same_link_again_and_again_is_counted(
    app: Flask, clock: Clock, stranger: Table
) -> None:
    codes = []
    for _ in range(61):
        phone = app.test_client()
        form = page_of(phone.get(f"/join/{stranger.key}")).form(stranger.key)
        codes.append(phone.post(form.action, data=form.fields).status_code)
    assert codes == [303] * 60 + [429]


# Games and rounds


def test_a_table_has_at_most_so_many_games(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, table: Table
) -> None:
    monkeypatch.setattr(rate_limits, "MAX_GAMES", 2)
    assert table.new_game(target="100").status_code == 303
    assert table.new_game(target="110").status_code == 303
    before = table.everything()
    answer = table.new_game(target="120")
    assert answer.status_code == 422
    assert page_of(answer).alerts == "A table can have at most 2 games. Start another table."
    assert table.everything() == before


def three_games() -> str:
    games = [SHEET.replace("\n1,", f"\n{n},1,").replace("Ana", f"Ana {n}") for n in range(3)]
    return "game," + games[0] + "".join(game.partition("\n")[2] for game in games[1:])


def test_every_game_of_a_file_counts(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, table: Table
) -> None:
    monkeypatch.setattr(rate_limits, "MAX_GAMES", 2)
    preview = upload(table, three_games())
    before = table.everything()
    answer = confirm(table, preview)
    assert answer.status_code == 422
    assert page_of(answer).alerts == "A table can have at most 2 games. Start another table."
    assert table.everything() == before
    monkeypatch.setattr(rate_limits, "MAX_GAMES", 3)
    assert confirm(table, preview).status_code == 303
    assert confirm(table, preview).status_code == 303, "it adds nothing, so it is not too much"


def test_a_table_sends_at_most_so_many_files(app: Flask, clock: Clock, table: Table) -> None:
    app.extensions["limits"].imports = Limit(60, HOUR, burst=3, clock=clock)
    answers = [upload(table, SHEET), upload(table, SHEET), upload(table, SHEET)]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    answer = confirm(table, answers[0])
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "60"
    clock.now += 60
    assert confirm(table, answers[0]).status_code == 303


@pytest.mark.skipif(not draws_pictures(), reason="needs resvg-py and a font")
def test_a_table_shows_at_most_so_many_pictures(app: Flask, clock: Clock, table: Table) -> None:
    app.extensions["limits"].pictures = Limit(60, HOUR, burst=2, clock=clock)
    table.new_game(target="1")
    table.play_round((4, 3, 2, 1), (4, 3, 2, 1))
    table.send(table.page(f"{table.path}/share").form("/watching"), on="yes")
    link = re.search(r"/watch/[0-9a-z]+", table.page(f"{table.path}/share").html)
    assert link
    chat = Table(app)
    answers = [chat.get(f"{link[0]}/result.png") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].headers["Retry-After"] == "60"
    clock.now += 60
    assert chat.get(f"{link[0]}/result.png").status_code == 200


def test_at_home_a_table_may_have_any_number_of_games(
    monkeypatch: pytest.MonkeyPatch, table: Table
) -> None:
    monkeypatch.setattr(rate_limits, "MAX_GAMES", 1)
    assert [table.new_game(target=t).status_code for t in ("100", "110")] == [303, 303]


def test_a_game_has_at_most_so_many_rounds(monkeypatch: pytest.MonkeyPatch, game: Table) -> None:
    monkeypatch.setattr(rate_limits, "MAX_ROUNDS", 1)
    game.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    before = game.everything()
    answer = game.bid(3)
    assert answer.status_code == 422
    assert page_of(answer).alerts == "A game can have at most 1 rounds. Start a new one."
    assert game.everything() == before
    assert game.correct(1, tricks_1=2, tricks_2=3).status_code == 303


# Who asks, behind proxies and without


@pytest.mark.parametrize("proxies", ["-1", "one", "1.0", "٣", "100", " "])
def test_a_number_of_proxies_that_is_none_is_refused(data: Path, proxies: str) -> None:
    with pytest.raises(ConfigError, match="SCOREKEEPER_PROXIES is "):
        create_app(DATA=data, SECRET_KEY="x" * 32, PROXIES=proxies)


@pytest.fixture
def direct(tmp_path: Path) -> Iterator[str]:
    """A started open server with nothing in front."""
    with Program.from_checkout(SCOREKEEPER_DATA=str(tmp_path), SCOREKEEPER_OPEN="1") as program:
        yield program.address


@pytest.fixture
def behind_one(tmp_path: Path) -> Iterator[str]:
    """A started open server that has one proxy in front."""
    with Program.from_checkout(
        SCOREKEEPER_DATA=str(tmp_path), SCOREKEEPER_OPEN="1", SCOREKEEPER_PROXIES="1"
    ) as program:
        yield program.address


def ask(server: str, path: str, **headers: str) -> int:
    connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=10)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("GET", path, headers=sent)
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.slow
def test_without_a_proxy_whatever_is_said_about_it_is_forged(direct: str) -> None:
    codes = [
        ask(
            direct,
            f"/join/{random_word(26)}",
            X_Forwarded_For=f"192.0.2.{n}",
            Forwarded=f"for=192.0.2.{n}",
            X_Real_IP=f"192.0.2.{n}",
        )
        for n in range(21)
    ]
    assert codes == [404] * 20 + [429]
    assert ask(direct, "/", X_Forwarded_Host="elsewhere.example", X_Forwarded_Proto="gopher") == 200


@pytest.mark.slow
def test_behind_a_proxy_the_last_address_of_its_list_is_believed(behind_one: str) -> None:
    def seen(*addresses: str) -> int:
        path = f"/join/{random_word(26)}"
        return ask(behind_one, path, X_Forwarded_For=", ".join(addresses))

    assert {seen(f"192.0.2.{n}") for n in range(25)} == {404}
    forged = [seen(f"198.51.100.{n}", "203.0.113.7") for n in range(21)]
    assert forged == [404] * 20 + [429]
    assert ask(behind_one, "/", X_Forwarded_Host="elsewhere.example") == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\nno header\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX-A: " + b"a" * 17_000 + b"\r\n\r\n", b"431"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nCookie: s=" + b"a" * 8000 + b"\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", b"400"),
    ],
    ids=["no header", "endless header", "long cookie, wrong host", "no length"],
)
def test_what_is_no_request_is_answered_with_the_same_care(
    direct: str, request_: bytes, status: bytes
) -> None:
    host, _colon, port = urlsplit(direct).netloc.partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as phone:
        phone.sendall(request_)
        answer = b""
        while part := phone.recv(65536):
            answer += part
            if b"\r\n\r\n" in answer and b"400" in answer[:20]:
                break
    assert answer.split(b" ")[1] == status
    head = answer.partition(b"\r\n\r\n")[0].lower()
    for header in (b"content-security-policy", b"x-content-type-options: nosniff", b"no-store"):
        assert header in head
    assert b"server:" not in head
