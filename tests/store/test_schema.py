"""The schema as it stands: every table, index, trigger and view, known to whoever changes it.

`python -m tests.store.test_schema` writes it anew.
"""

import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlite_utils import Database
from sqlite_utils.cli import cli

from scorekeeper.rules.round import Round
from scorekeeper.store.connection import StoreError
from scorekeeper.store.database import Store
from tests.store.play import Keeper

pytestmark = pytest.mark.sqlite

KNOWN = Path(__file__).with_name("schema.sql")
VIEWS = (
    "seats", "rounds", "bids", "substitutes", "score_sheet", "game_results", "player_stats",
)  # fmt: skip
THEIRS = "_sqlite_migrations"  # made by the library; how it looks is its own affair
SHEET = (
    "table_id", "game_id", "started", "rules", "house_rules", "round", "dealer", "seat", "player",
    "side", "bid", "tricks", "nil_points", "contract_points", "overtrick_points", "bag_penalty",
    "penalty_points", "points", "bags", "total", "outcome", "notes",
    "bonus_points", "remark", "game_remark",
)  # fmt: skip


def schema_of(db: Database) -> str:
    """Return the statements that make a database, in the order of their names."""
    rows = db.query(
        "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name <> ? "
        "ORDER BY type DESC, name",
        [THEIRS],
    )
    return "".join(f"{row['sql']};\n\n" for row in rows)


def test_the_schema_is_the_known_one(store: Store) -> None:
    assert schema_of(store.db) == KNOWN.read_text("utf-8")


@pytest.fixture
def played(keeper: Keeper) -> Keeper:
    """A store with one round of one game."""
    keeper.put(keeper.begin(), 1, Round((3, 2, 1, 4), (3, 4, 0, 3)))
    return keeper


def our_tables(db: Database) -> list[str]:
    return [name for name in db.table_names() if name != THEIRS]


def test_playing_makes_no_table_of_its_own(played: Keeper, tmp_path: Path) -> None:
    assert schema_of(played.db) == KNOWN.read_text("utf-8")


def test_every_table_is_strict(store: Store) -> None:
    assert [name for name in our_tables(store.db) if not store.db.table(name).strict] == []


def test_every_id_of_something_else_is_a_foreign_key(store: Store) -> None:
    loose = []
    for name in our_tables(store.db):
        table = store.db.table(name)
        keys = {row["from"] for row in store.db.query(f"PRAGMA foreign_key_list([{name}])")}
        loose += [
            f"{name}.{column.name}"
            for column in table.columns
            if column.name.endswith("_id") and column.name not in keys
        ]
    assert loose == []


def test_every_key_begins_with_the_table(store: Store) -> None:
    wrong = []
    for name in our_tables(store.db):
        keys = {
            tuple(row["name"] for row in store.db.query(f"PRAGMA index_info([{index['name']}])"))
            for index in store.db.query(f"PRAGMA index_list([{name}])")
            if index["unique"]
        }
        wrong += [(name, key) for key in keys if key[0] != "table_id"]
    assert wrong == [("tables", ("id",))]


def test_nothing_is_kept_that_belongs_to_nothing(played: Keeper) -> None:
    assert list(played.db.query("PRAGMA foreign_key_check")) == []
    with pytest.raises(StoreError, match="FOREIGN KEY"), played.store.write() as db:
        db.execute("INSERT INTO outcomes VALUES ('0000000000', '0000000000', 1, 'target', 0, '')")


def test_a_fresh_connection_of_anybody_can_read_it(played: Keeper) -> None:
    db = Database(played.store.path)
    assert {"games", "changes", "results", "player_games"} <= set(db.table_names())
    assert {*db.view_names()} == {*VIEWS}
    assert tuple(column.name for column in db.view("score_sheet").columns) == SHEET
    first = next(db.view("score_sheet").rows)
    assert (first["player"], first["seat"], first["dealer"], first["total"]) == ("North", 1, 4, 30)
    assert [row["outcome"] for row in db.view("score_sheet").rows] == [""] * 4
    db.close()


def test_the_score_sheet_says_who_won(keeper: Keeper) -> None:
    game = keeper.put(keeper.begin(), 1, Round((10, 1, 1, 1), (10, 0, 0, 0)))
    keeper.put(game, 2, Round((10, 1, 1, 1), (10, 0, 0, 0)))
    outcomes = [row["outcome"] for row in keeper.db.view("score_sheet").rows]
    assert outcomes == ["", "", "", "", "won", "lost", "lost", "lost"]


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("tables", "{path}"), '"games"'),
        (("views", "{path}"), '"score_sheet"'),
        (("rows", "{path}", "score_sheet", "--csv"), ",North,1,3,3,0,30,"),
        (("query", "{path}", "SELECT kind FROM changes"), '"scored"'),
        (("schema", "{path}"), "CREATE TABLE games"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_the_command_of_sqlite_utils_reads_it(
    played: Keeper, words: tuple[str, ...], shown: str
) -> None:
    path = str(played.store.path)
    asked = CliRunner().invoke(cli, [word.format(path=path) for word in words])
    assert asked.exit_code == 0, asked.output
    assert shown in asked.output


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        KNOWN.write_text(schema_of(Store(Path(folder)).db), "utf-8")
