"""A client that a generator makes of the document plays a game to its winner, and exports it."""

import importlib
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.program import Program
from tests.web.api.document import DOCUMENT, OPERATIONS

pytestmark = pytest.mark.slow

GENERATOR = "openapi_python_client"
NAMES = ["North", "East", "South", "West"]

pytest.importorskip(
    GENERATOR, reason="openapi-python-client is not installed: pip install .[contract]"
)


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the package `generated_client`, made of the whole document."""
    folder = tmp_path_factory.mktemp("generated")
    (folder / "config.yml").write_text("post_hooks: []")  # how it is formatted does not matter
    (folder / "openapi.json").write_text(json.dumps(DOCUMENT), "utf-8")
    command = [sys.executable, "-m", GENERATOR, "generate", "--meta", "none", "--fail-on-warning"]
    command += ["--path", "openapi.json", "--config", "config.yml"]
    command += ["--output-path", "generated_client"]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield folder


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Program]:
    with Program.from_checkout(SCOREKEEPER_DATA=str(tmp_path / "games")) as server:
        yield server


def part(name: str) -> ModuleType:
    """Return a module of the generated client."""
    return importlib.import_module(f"generated_client.{name}")


def answer(operation: str, status: int, **sent: Any) -> Any:
    """Call an operation of the client and return what its answer holds."""
    tags = {one["operationId"]: one["tags"][0] for _path, _method, one in OPERATIONS}
    response = part(f"api.{tags[operation]}.{operation}").sync_detailed(**sent)
    assert response.status_code == status, response.content
    return response.parsed


@pytest.mark.usefixtures("generated")
def test_it_plays_a_game_to_its_winner(live: Program) -> None:
    models, client = part("models"), part("client")
    at = client.AuthenticatedClient(
        base_url=live.address,
        token=live.join_link.rpartition("/")[2],
        httpx_args={"trust_env": False},
    )
    rules = models.RuleValues(target=60, bids_may_equal_tricks=False, bag_limit=None)
    wanted = models.NewGame(
        rules=models.NewGameRules.CUTTHROAT_LITE, players=NAMES, house_rules=rules, first_dealer=4
    )
    with at:
        game = answer("start_game", 201, client=at, body=wanted)
        values = game.rules.values
        assert (values.target, values.bids_may_equal_tricks) == (60, False)
        entry = models.Entry([3, models.BidType1.NIL, 2, 4], [3, 0, 3, 4])
        while game.outcome is None:
            assert len(game.rounds) < 10
            tag = f'"{game.version}"'
            number = len(game.rounds) + 1
            sent = {"game_id": game.id, "if_match": tag, "client": at}
            game = answer("put_round", 200, number=number, body=entry, **sent)
        shown = answer("show_game", 200, client=at, game_id=game.id)
        listed = answer("list_games", 200, client=at)
        exported = answer("games_csv", 200, client=at)
        sheet = part("types").File(payload=io.BytesIO(exported.encode()))
        imported = answer("import_games", 200, client=at, body=sheet)
        friday = models.RulesToSave("Friday", models.RulesToSaveRules.CUTTHROAT_LITE, rules)
        saved = answer("add_rules", 201, client=at, body=friday)
    assert game.phase == models.GamePhase.OVER
    assert game.outcome.winner is not None
    assert game.totals[game.outcome.winner - 1] == max(game.totals) >= 60
    assert shown == game
    assert (imported.imported, imported.present) == (0, 1)
    assert (saved.name, saved.house_rules.target) == ("Friday", 60)
    assert [one.id for one in listed.games] == [game.id]
