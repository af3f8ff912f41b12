"""Games move between SQLite and PostgreSQL, with phones and links, and back."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from scorekeeper.cli.commands import scorekeeper
from scorekeeper.files.exports import json_pieces
from scorekeeper.rules.round import Round
from scorekeeper.store.check import faults
from scorekeeper.store.database import Store
from scorekeeper.store.opening import open_postgresql
from scorekeeper.store.restore import MoveRefused, move
from scorekeeper.store.tables import (
    claim_seat,
    find_phone,
    make_join_key,
    make_watch_link,
    table_of_join_key,
    watched_game,
)
from tests import postgresql
from tests.program import CHECKOUT, Program, clean_environment
from tests.store.many_games import exported
from tests.store.play import Keeper, everything

pytestmark = [pytest.mark.postgresql]
WIN = Round((10, 1, 1, 1), (10, 0, 0, 0))


@pytest.fixture
def on_sqlite(tmp_path: Path) -> Iterator[Keeper]:
    """A table with a finished game, one that goes on, a phone, and links."""
    (tmp_path / "here").mkdir()
    with Store(tmp_path / "here") as store:
        keeper = Keeper(store)
        keeper.put(keeper.put(keeper.begin(), 1, WIN), 2, WIN)
        keeper.bid(keeper.begin(), 0, 3)
        yield keeper


@pytest.fixture
def target(tmp_path: Path, postgresql_server: Path) -> Iterator[Store]:
    with (
        postgresql.schema(postgresql_server) as url,
        open_postgresql(url, tmp_path) as store,
    ):
        yield store


def test_everything_arrives_and_comes_back(
    on_sqlite: Keeper, target: Store, tmp_path: Path
) -> None:
    game = on_sqlite.begin()
    with on_sqlite.store.write() as db:
        key = make_join_key(db, on_sqlite.table_id, "Kim", on_sqlite.now())
        watch = make_watch_link(db, game, "secret", on_sqlite.now())
        claim_seat(db, game, 2, on_sqlite.phone.id)
    before, file = everything(on_sqlite.db), exported(on_sqlite.store, json_pieces)
    assert move(on_sqlite.store, target) == "Moved 3 games."
    assert everything(target.db) == before
    assert exported(target, json_pieces) == file
    assert find_phone(target.db, on_sqlite.phone.id) == on_sqlite.phone
    assert table_of_join_key(target.db, key) == on_sqlite.table_id
    assert watched_game(target.db, watch) == (on_sqlite.table_id, game.id)
    there = Keeper(target, table_id=on_sqlite.table_id)
    there.put(there.load(game.id), 1, WIN)
    assert list(faults(target)) == []
    (tmp_path / "back").mkdir()
    with Store(tmp_path / "back") as back:
        move(target, back)
        assert everything(back.db) == everything(target.db)
        assert exported(back, json_pieces) == exported(target, json_pieces)


def test_nothing_is_moved_onto_other_games(on_sqlite: Keeper, target: Store) -> None:
    other = Keeper(target)
    with pytest.raises(MoveRefused, match="already has tables"):
        move(on_sqlite.store, target)
    assert [row[0] for row in everything(target.db)["tables"]] == [other.table_id]


def test_damaged_games_stay_where_they_are(on_sqlite: Keeper, target: Store) -> None:
    on_sqlite.db.execute("UPDATE games SET rounds = json_set(rounds, '$[0].tricks[0]', 3)")
    with pytest.raises(MoveRefused, match="don’t match"):
        move(on_sqlite.store, target)
    assert everything(target.db)["tables"] == []


def test_nothing_is_moved_where_a_row_arrives_changed(on_sqlite: Keeper, target: Store) -> None:
    target.db.execute(
        "CREATE FUNCTION rename() RETURNS trigger LANGUAGE plpgsql AS "
        "'BEGIN NEW.label := NEW.label || 1; RETURN NEW; END'"
    )
    target.db.execute(
        "CREATE TRIGGER renamed BEFORE INSERT ON phones FOR EACH ROW EXECUTE FUNCTION rename()"
    )
    with pytest.raises(MoveRefused, match="Not all rows of “phones” were copied"):
        move(on_sqlite.store, target)
    assert everything(target.db)["tables"] == []


def game_in(folder: Path) -> bytes:
    """Play a game into a folder, and return its export."""
    with Store(folder) as store:
        Keeper(store).begin()
        return exported(store, json_pieces)


def test_the_command_moves_them(
    tmp_path: Path, postgresql_server: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = game_in(tmp_path)
    monkeypatch.setenv("SCOREKEEPER_DATA", str(tmp_path))
    with postgresql.schema(postgresql_server) as url:
        moved = CliRunner().invoke(scorekeeper, ["move", url])
        assert moved.output == "Moved 1 game.\n"
        monkeypatch.setenv("SCOREKEEPER_DATABASE", url)
        told = CliRunner().invoke(scorekeeper, ["export", "--json"])
        assert json.loads(told.stdout) == json.loads(file)
        assert CliRunner().invoke(scorekeeper, ["check"]).exit_code == 0
        refused = CliRunner().invoke(scorekeeper, ["backup"])
        assert refused.exit_code == 1
        assert "pg_dump" in refused.output


def test_a_server_says_that_postgresql_has_the_games(
    tmp_path: Path, postgresql_server: Path
) -> None:
    with postgresql.schema(postgresql_server) as url:
        database = {"SCOREKEEPER_DATABASE": url, "SCOREKEEPER_SECRET": "x" * 32}
        with Program.from_checkout(SCOREKEEPER_DATA=str(tmp_path), **database) as server:
            assert server.stop() == 0
    assert "Games are stored in PostgreSQL." in server.said


JOIN = """
from scorekeeper import create_app
from scorekeeper.clock import now
from scorekeeper.store.tables import join, make_table
app = create_app()
with app.extensions["store"].write() as db:
    phone = join(db, make_table(db, now()), "a phone", now())
print(app.session_interface.get_signing_serializer(app).dumps({"phone": phone.id}))
"""
HISTORY = """
import sys
from scorekeeper import create_app
app = create_app()
client = app.test_client()
client.set_cookie(app.config["SESSION_COOKIE_NAME"], sys.argv[1])
print(client.get("/history").status_code)
"""


def run(code: str, *arguments: str, **environment: str) -> str:
    """Return what a server in a process of its own prints."""
    ended = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=CHECKOUT,
        env=clean_environment(**environment, PYTHONPATH=str(CHECKOUT)),
        capture_output=True,
        encoding="utf-8",
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


def test_phones_stay_joined_in_every_direction(
    tmp_path: Path, postgresql_server: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new, back = (str(tmp_path / name) for name in ("old", "new", "back"))
    for name in ("DATABASE", "SECRET"):
        monkeypatch.delenv(f"SCOREKEEPER_{name}", raising=False)
    monkeypatch.setenv("SCOREKEEPER_DATA", old)
    cookie = run(JOIN, SCOREKEEPER_DATA=old)
    assert run(HISTORY, cookie, SCOREKEEPER_DATA=old) == "200"
    assert moved(new) == "Moved 0 games."
    assert run(HISTORY, cookie, SCOREKEEPER_DATA=new) == "200"
    with postgresql.schema(postgresql_server) as url:
        (printed,) = re.findall(r"SCOREKEEPER_SECRET=(\S.*)$", moved(url), re.MULTILINE)
        command = ["sh", "-c", f"printf %s {printed}"]
        key = subprocess.run(command, capture_output=True, check=True, encoding="ascii").stdout
        database = {"SCOREKEEPER_DATABASE": url, "SCOREKEEPER_SECRET": key}
        there = {"SCOREKEEPER_DATA": str(tmp_path / "empty")} | database
        assert run(HISTORY, cookie, **there) == "200"
        for name, value in there.items():
            monkeypatch.setenv(name, value)
        assert moved(back) == "Moved 0 games."
    assert run(HISTORY, cookie, SCOREKEEPER_DATA=back) == "200"


def moved(target: Path | str) -> str:
    """Return what the command says that moves the games."""
    ended = CliRunner().invoke(scorekeeper, ["move", str(target)])
    assert ended.exit_code == 0, ended.output
    return ended.output.rstrip()
