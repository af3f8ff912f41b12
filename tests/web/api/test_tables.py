"""POST /api/tables: a table of one's own, on a server that is open to all."""

import pytest

from scorekeeper.store.tables import KEY_LENGTH
from scorekeeper.web.http.rate_limits import HOUR, Limit, Limits
from tests.web.api.caller import Caller


@pytest.fixture
def public(nobody: Caller) -> Caller:
    """A program that finds an open server."""
    nobody.app.config["OPEN"] = True
    return nobody


def test_the_answer_is_the_table_and_its_key(public: Caller) -> None:
    answer = public.call("POST", "tables", key=None)
    assert answer.status_code == 201
    assert set(answer.json) == {"id", "key"}
    assert len(answer.json["key"]) == KEY_LENGTH


def test_the_key_opens_that_table_alone(public: Caller) -> None:
    public.start()
    key = public.call("POST", "tables", key=None).json["key"]
    assert public.call("GET", "games", key=key).json == {"games": [], "next": None}
    assert public.call("GET", public.path, key=key).status_code == 404


def test_the_key_is_a_join_link_for_phones_too(public: Caller) -> None:
    key = public.call("POST", "tables", key=None).json["key"]
    assert public.client.get(f"/join/{key}").status_code == 200


def test_a_house_makes_no_tables_for_strangers(nobody: Caller) -> None:
    before = nobody.everything()
    answer = nobody.call("POST", "tables", key=None)
    assert answer.status_code == 403
    assert "Ask its owner for a key" in answer.json["detail"]
    assert nobody.everything() == before


def test_too_many_tables_are_429_with_how_long_to_wait(public: Caller) -> None:
    limits_of(public).new_tables = Limit(2, HOUR)
    answers = [public.call("POST", "tables", key=None) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert int(answers[-1].headers["Retry-After"]) > 0


def test_too_many_wrong_keys_are_429(public: Caller) -> None:
    limits_of(public).wrong_keys = Limit(2, HOUR)
    answers = [public.call("GET", "games", key="wrong") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [401, 401, 429]


def test_too_many_changes_are_429_and_looking_is_free(public: Caller) -> None:
    limits_of(public).changes = Limit(3, HOUR)
    public.start()
    answers = [public.walk("undo", version=1) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert public.call("GET", public.path).status_code == 200


def limits_of(api: Caller) -> Limits:
    found: Limits = api.app.extensions["limits"]
    return found


def test_a_body_is_not_expected(public: Caller) -> None:
    assert public.call("POST", "tables", key=None, json={"label": "ours"}).status_code == 400
    assert public.call("POST", "tables", key=None, data="ours").status_code == 415
    assert public.call("POST", "tables", key=None, json={}).status_code == 201


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH"])
def test_no_other_method_makes_a_table(public: Caller, method: str) -> None:
    before = public.everything()
    assert public.call(method, "tables", key=None).status_code == 405
    assert public.everything() == before
