"""Errors under /api are problem documents, whoever notices them; elsewhere they are pages."""

from typing import Any, NoReturn

import pytest
from flask import Flask

from scorekeeper.store.connection import StoreBusy, StoreLost, StoreUnavailable
from scorekeeper.web.api import views
from tests.web.api.caller import BIDS, TRICKS, Caller, problem_of


@pytest.mark.parametrize(
    "path",
    ["/api/", "/api/x", "/api/games/", "/api/games/x/y/z", "/api/%00", "/api/games/x/rounds"],
)
def test_an_unknown_address_is_404(nobody: Caller, path: str) -> None:
    assert nobody.call("GET", path).status_code == 404


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "BREW"])
def test_a_method_that_is_not_taken_is_405_and_names_those_that_are(
    nobody: Caller, method: str
) -> None:
    answer = nobody.call(method, "games")
    assert answer.status_code == 405
    assert {word.strip() for word in answer.headers["Allow"].split(",")} >= {"GET", "POST"}


@pytest.mark.parametrize("host", ["elsewhere.example", "a b", "[::1", "x:99999", "ü"])
def test_a_name_that_is_not_ours_is_400(nobody: Caller, host: str) -> None:
    answer = nobody.call("GET", "games", headers={"Host": host})
    assert answer.status_code == 400
    assert "Wrong address" in answer.json["detail"]


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (StoreBusy("database is locked"), 503),
        (StoreUnavailable("database or disk is full"), 503),
        (StoreUnavailable("attempt to write a readonly database"), 503),
        (StoreLost("/games/scorekeeper.db was deleted"), 503),
        (ZeroDivisionError(), 500),
    ],
    ids=repr,
)
def test_a_fault_of_ours_is_told_without_what_it_was(
    one_round: Caller, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
) -> None:
    def fails(*_anything: Any) -> NoReturn:
        raise error

    before = one_round.everything()
    monkeypatch.setattr(views, "put", fails)
    answer = one_round.put(2, BIDS, TRICKS)
    assert answer.status_code == status
    assert "save" in answer.json["detail"]
    assert ("busy" in answer.json["detail"]) == isinstance(error, StoreBusy)
    assert "ry again" in answer.json["detail"]
    assert str(error) not in answer.get_data(as_text=True) or not str(error)
    assert ("Retry-After" in answer.headers) == (status == 503)
    monkeypatch.undo()
    assert one_round.everything() == before
    assert one_round.put(2, BIDS, TRICKS).status_code == 200


def test_the_members_are_those_of_rfc_9457(nobody: Caller) -> None:
    problem = problem_of(nobody.call("GET", "games/x"))
    assert problem == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "Not found, or this key has no access to it.",
    }


@pytest.mark.parametrize(("path", "status"), [("/api/games", 401), ("/api/x", 404), ("/api/", 404)])
def test_every_answer_has_the_headers_of_a_page(nobody: Caller, path: str, status: int) -> None:
    page = nobody.client.get("/rules").headers
    answer = nobody.client.get(path)
    assert answer.status_code == status
    for name in ("Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"):
        assert answer.headers[name] == page[name]
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/x", "/apis", "/games/x", "/apix/games"])
def test_elsewhere_an_error_is_a_page(app: Flask, path: str) -> None:
    answer = app.test_client().get(path)
    assert (answer.status_code, answer.mimetype) == (404, "text/html")


def test_the_problem_types_are_explained_where_they_point(nobody: Caller) -> None:
    page = nobody.client.get("/api").get_data(as_text=True)
    for kind in ("stale", "refused"):
        assert f'id="{kind}"' in page
