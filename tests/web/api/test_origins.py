"""Pages of other origins read the API where the host allows it, with a key (CORS)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper import create_app
from scorekeeper.config import ConfigError
from tests.web.api.caller import NEW_GAME, Caller

OURS = "https://scores.example.org"
ASKED = {
    "Origin": OURS,
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "authorization",
}


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[Caller]:
    """A program on a server that allows pages of an origin."""
    app = create_app(DATA=tmp_path, ORIGINS=f"{OURS}, http://localhost:3000")
    yield Caller(app)
    app.extensions["store"].close()


def allowed(answer: object) -> str | None:
    headers = getattr(answer, "headers", {})
    return headers.get("Access-Control-Allow-Origin")


def test_a_page_of_the_origin_reads_with_a_key(shared: Caller) -> None:
    preflight = shared.client.options("/api/games", headers=ASKED)
    assert allowed(preflight) == OURS
    assert preflight.headers["Access-Control-Allow-Methods"] == "GET"
    assert "Authorization" in preflight.headers["Access-Control-Allow-Headers"]
    answer = shared.call("GET", "games", headers={"Origin": OURS})
    assert allowed(answer) == OURS
    assert "ETag" in answer.headers["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_it_reads_why_its_key_is_refused(shared: Caller) -> None:
    answer = shared.call("GET", "games", key=None, headers={"Origin": OURS})
    assert (answer.status_code, allowed(answer)) == (401, OURS)


@pytest.mark.parametrize(
    "origin", ["https://elsewhere.example", "null", f"{OURS}.evil.example", ""]
)
def test_another_origin_is_told_nothing(shared: Caller, origin: str) -> None:
    for answer in (
        shared.client.options("/api/games", headers={**ASKED, "Origin": origin}),
        shared.call("GET", "games", headers={"Origin": origin}),
    ):
        assert allowed(answer) is None
        assert "Origin" in answer.vary


def test_it_changes_nothing(shared: Caller) -> None:
    before = shared.everything()
    answer = shared.call("POST", "games", json=NEW_GAME, headers={"Origin": OURS})
    assert (answer.status_code, allowed(answer)) == (403, None)
    assert shared.everything() == before


def test_pages_are_not_shared(shared: Caller) -> None:
    assert allowed(shared.client.get("/", headers={"Origin": OURS})) is None


def test_no_origin_is_allowed_by_default(nobody: Caller) -> None:
    answer = nobody.call("GET", "games", headers={"Origin": OURS})
    assert allowed(answer) is None
    assert "Origin" not in answer.vary


@pytest.mark.parametrize("origins", ["*", "null", "example.org", f"{OURS}/", f"{OURS},*"])
def test_other_settings_are_refused(tmp_path: Path, origins: str) -> None:
    with pytest.raises(ConfigError, match="SCOREKEEPER_ORIGINS"):
        create_app(DATA=tmp_path, ORIGINS=origins)
