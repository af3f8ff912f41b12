"""Text that PostgreSQL cannot hold is refused in the same way whichever the database is."""

import pytest

from tests.web.play import Table


@pytest.mark.parametrize(
    "path",
    ["/games/%00", "/join/a%00b", "/watch/%00", "/players/1%00", "/rules/%00", "/%00"],
)
def test_an_address_with_it_is_no_page(game: Table, path: str) -> None:
    assert game.get(path).status_code == 404


@pytest.mark.parametrize("path", ["/history?after=%00", "/players?after=%00", "/?x=%00"])
def test_a_query_with_it_is_malformed(game: Table, path: str) -> None:
    assert game.get(path).status_code == 400


def test_a_field_with_it_is_malformed_and_changes_nothing(game: Table) -> None:
    before = game.everything()
    for field in ("label", "other"):
        sent = {"csrf_token": game.token(), "label": "Kim", field: "a\0b"}
        assert game.post("/table/links", sent).status_code == 400
    assert game.everything() == before


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_a_name_with_it_is_refused_by_the_api(game: Table, name: str) -> None:
    members = {"rules": "cutthroat-lite", "players": ["North", "East", "South", name]}
    headers = {"Authorization": f"Bearer {game.key}"}
    assert game.client.post("/api/games", json=members, headers=headers).status_code in (400, 422)
    members["players"][3] = "West"
    assert game.client.get("/api/games?after=%00", headers=headers).status_code == 400
