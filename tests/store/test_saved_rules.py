"""Rules that a table keeps: by their names, with the values that differ from their book."""

import json
from dataclasses import replace

import pytest

from scorekeeper.clock import now
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store import tables
from scorekeeper.store.database import Store
from scorekeeper.store.tables import (
    NameTaken,
    TooMany,
    change_saved_rules,
    find_saved_rules,
    list_saved_rules,
    make_table,
    remove_saved_rules,
    save_rules,
)

LITE = PRESETS["cutthroat-lite"]
FRIDAY = replace(LITE, name="Friday rules", target=99, overtrick_cap=None)


@pytest.fixture
def table(store: Store) -> str:
    with store.write() as db:
        return make_table(db, now())


def save(store: Store, table: str, rules: RuleSet = FRIDAY) -> str:
    with store.write() as db:
        return save_rules(db, table, rules)


def test_rules_come_back_as_they_were_kept(store: Store, table: str) -> None:
    saved = find_saved_rules(store.db, table, save(store, table))
    assert saved is not None
    assert (saved.rules, saved.version) == (FRIDAY, 1)


def test_only_the_values_that_differ_are_stored(store: Store, table: str) -> None:
    save(store, table)
    (row,) = store.db.query("SELECT * FROM rule_sets")
    assert (row["rules"], row["name"]) == ("cutthroat-lite", "Friday rules")
    assert json.loads(row["house_rules"]) == {"target": "99", "overtrick_cap": "off"}


def test_the_very_same_is_kept_once(store: Store, table: str) -> None:
    assert save(store, table) == save(store, table)
    assert len(list_saved_rules(store.db, table)) == 1


def test_a_name_is_given_once_at_a_table(store: Store, table: str) -> None:
    made = save(store, table)
    with pytest.raises(NameTaken) as taken:
        save(store, table, replace(FRIDAY, name="FRIDAY RULES"))
    assert taken.value.saved.id == made
    with store.write() as db:
        other = make_table(db, now())
    assert save(store, other) != made


def test_a_change_grows_the_version_and_keeps_the_id(store: Store, table: str) -> None:
    made = save(store, table)
    with store.write() as db:
        saved = find_saved_rules(db, table, made)
        assert saved is not None
        change_saved_rules(db, table, saved, replace(PRESETS["partnership"], name="Sunday rules"))
    (changed,) = list_saved_rules(store.db, table)
    assert (changed.id, changed.version) == (made, 2)
    assert changed.rules == replace(PRESETS["partnership"], name="Sunday rules")


def test_rules_are_listed_by_name(store: Store, table: str) -> None:
    for name in ("sunday", "Friday", "Monday"):
        save(store, table, replace(FRIDAY, name=name))
    assert [saved.rules.name for saved in list_saved_rules(store.db, table)] == [
        "Friday",
        "Monday",
        "sunday",
    ]


def test_removed_rules_are_gone(store: Store, table: str) -> None:
    made = save(store, table)
    with store.write() as db:
        remove_saved_rules(db, "another", made)
    assert find_saved_rules(store.db, table, made)
    with store.write() as db:
        remove_saved_rules(db, table, made)
    assert find_saved_rules(store.db, table, made) is None


def test_a_table_keeps_so_many(store: Store, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MAX_SAVED_RULES", 2)
    for name in ("one", "two"):
        save(store, table, replace(FRIDAY, name=name))
    with pytest.raises(TooMany):
        save(store, table, replace(FRIDAY, name="three"))


def test_a_value_that_is_known_no_more_spoils_no_other(store: Store, table: str) -> None:
    made = save(store, table)
    with store.write() as db:
        db.execute('UPDATE rule_sets SET house_rules = \'{"target": "99", "jokers": "2"}\'')
    saved = find_saved_rules(store.db, table, made)
    assert saved is not None
    assert saved.rules == replace(LITE, name="Friday rules", target=99)
