"""Damage that the check of the whole file finds: pages are shown, and nothing is saved."""

from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from scorekeeper.store.backup import back_up_dated
from scorekeeper.store.damage import FileCheck
from tests.store.test_file_check import damage_index, wait_for_damage
from tests.web.offline.test_sync import NEW
from tests.web.play import Table, page_of
from tests.web.taps import SCORED, fields

pytestmark = pytest.mark.sqlite  # PostgreSQL checks its pages itself


@pytest.fixture
def damaged(game: Table) -> Table:
    """A game whose file was found to be damaged, and that has a good backup."""
    game.bid(3)
    store = game.store
    store.close()
    back_up_dated(store.path)
    damage_index(store.path)
    store.file_check = FileCheck(store.path)
    store.file_check.start()
    assert "scorekeeper restore " in wait_for_damage(store)
    return game


def refused(table: Table, path: str, sent: dict[str, Any]) -> TestResponse:
    """Send a form and see that nothing is saved."""
    before = table.everything()
    form = {"csrf_token": table.token(), "version": table.game.version, **sent}
    answer = table.client.post(path, data=form)
    assert answer.status_code == 503
    assert table.everything() == before
    return answer


def test_pages_are_shown(damaged: Table) -> None:
    for path in ("/", "/games/new", damaged.path, f"{damaged.path}.csv", "/history", "/table"):
        assert damaged.get(path).status_code == 200
    assert damaged.get(f"{damaged.path}/phone.json").status_code == 200


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("{game}/rounds/1", {"original": "open,3,,,,,,,", "bid-2": 3}),
        ("{game}/undo", {}),
        ("{game}/rounds/1/sent", fields(SCORED)),
        ("/phone/games", {**NEW, **{f"player-{n}": f"Ana {n}" for n in range(1, 5)}}),
        ("/table/links", {"label": "Ana"}),
        ("{game}/watching", {"on": "yes"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_save_is_refused_with_the_sentence_of_the_start(
    damaged: Table, path: str, sent: dict[str, Any]
) -> None:
    answer = refused(damaged, path.format(game=damaged.path), sent)
    assert " ".join(damaged.store.file_check.sentence.split()) in page_of(answer).alerts


def test_a_program_is_told_the_same(damaged: Table) -> None:
    answer = damaged.client.put(
        f"/api{damaged.path}/rounds/1",
        json={"bids": [3, 2, "nil", 4], "tricks": None},
        headers={
            "Authorization": f"Bearer {damaged.key}",
            "If-Match": f'"{damaged.game.version}"',
        },
    )
    assert answer.status_code == 503
    assert answer.json["detail"] == damaged.store.file_check.sentence
    assert answer.content_type == "application/problem+json"


def test_whoever_watches_over_the_server_is_told_without_a_path(damaged: Table, data: Path) -> None:
    answer = damaged.app.test_client().get("/healthz")
    assert answer.status_code == 503
    assert "The database is damaged" in answer.text
    assert str(data) not in answer.text
