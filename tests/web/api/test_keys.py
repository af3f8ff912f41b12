"""Who may ask: whoever holds a key of the table, and nobody else."""

import pytest

from scorekeeper.store.tables import end_link, hash_of, make_watch_link
from tests.web.api.caller import Caller, operations
from tests.web.api.document import OPERATIONS
from tests.web.play import AT

EVERY = operations()
OF_A_GAME = [one for one in EVERY if "{game}" in one[1]]


def test_every_address_that_needs_a_key_is_tried_here() -> None:
    needing = {
        (method, path) for path, method, operation in OPERATIONS if operation.get("security") != []
    }
    tried = {(method, "/api/" + _as_documented(path)) for method, path, _options in operations()}
    assert tried == needing


def _as_documented(path: str) -> str:
    path = path.replace("{game}", "{game_id}").replace("players/1", "players/{player_id}")
    path = path.replace("rules/1", "rules/{rules_id}")
    words = path.split("/")
    return "/".join("{number}" if word.isdigit() else word for word in words)


def test_the_word_bearer_is_written_in_any_case(one_round: Caller) -> None:
    headers = {"Authorization": f"bEARER   {one_round.key} "}
    assert one_round.call("GET", one_round.path, headers=headers).status_code == 200


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Basic dTpw",
        "Bearer 0000000000",
        "Bearer " + "x" * 4000,
        "Bearer ü",
        "Bearer realm=x, key=y",
        "{key}",
    ],
    ids=repr,
)
def test_without_a_good_key_everything_is_401(one_round: Caller, header: str | None) -> None:
    before = one_round.everything()
    headers = {} if header is None else {"Authorization": header.format(key=one_round.key)}
    for method, path, options in operations():
        address = path.format(game=one_round.game_id)
        answer = one_round.call(method, address, key=None, headers=headers, **options)
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert one_round.everything() == before


def test_the_cookie_of_a_joined_phone_is_not_looked_at(one_round: Caller) -> None:
    one_round.table.join()
    before = one_round.everything()
    phone = one_round.table.client
    for method, path, options in EVERY:
        address = path.format(game=one_round.game_id)
        answer = one_round.call(method, address, key=None, client=phone, **options)
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert one_round.everything() == before


def test_a_link_that_has_ended_is_401(one_round: Caller) -> None:
    store = one_round.table.store
    with store.write() as db:
        end_link(db, one_round.table.id, hash_of(one_round.key)[:12], AT)
    for method, path, options in EVERY:
        answer = one_round.call(method, path.format(game=one_round.game_id), **options)
        assert answer.status_code == 401
        assert "error=invalid_token" in answer.headers["WWW-Authenticate"]


def test_a_watch_key_is_401(one_round: Caller) -> None:
    with one_round.table.store.write() as db:
        key = make_watch_link(db, one_round.stored, "secret", AT)
    for method, path, options in EVERY:
        answer = one_round.call(method, path.format(game=one_round.game_id), key=key, **options)
        assert answer.status_code == 401


def test_an_unknown_game_and_one_of_another_table_are_told_alike(
    one_round: Caller, guest: Caller
) -> None:
    before = one_round.everything()
    for method, path, options in OF_A_GAME:
        theirs = guest.call(method, path.format(game=one_round.game_id), **options)
        unknown = guest.call(method, path.format(game="0000000000"), **options)
        assert theirs.status_code == unknown.status_code == 404
        assert theirs.data == unknown.data
        assert dict(theirs.headers) == dict(unknown.headers)
    assert one_round.everything() == before


def test_a_strange_word_is_no_game(one_round: Caller) -> None:
    for method, path, options in OF_A_GAME:
        for word in ("%00", "None", "x" * 400, "%ED%A0%80", "'--", "%F0%9F%82%A1"):
            assert one_round.call(method, path.format(game=word), **options).status_code == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
    ids=repr,
)
def test_a_page_of_another_site_changes_nothing(one_round: Caller, headers: dict[str, str]) -> None:
    before = one_round.everything()
    for method, path, options in operations():
        if method != "GET":
            address = path.format(game=one_round.game_id)
            answer = one_round.call(method, address, headers=headers, **options)
            assert answer.status_code == 403
    assert one_round.everything() == before


def test_no_cookie_is_set(one_round: Caller) -> None:
    for method, path, options in operations():
        answer = one_round.call(method, path.format(game=one_round.game_id), **options)
        assert "Set-Cookie" not in answer.headers
        assert "Access-Control-Allow-Origin" not in answer.headers
