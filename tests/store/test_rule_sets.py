"""Rules that a table keeps: by their names, with the values that differ from their book."""

import json
from dataclasses import replace

import pytest

from scorekeeper.clock import now
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store import rulesets
from scorekeeper.store.database.store import Store
from scorekeeper.store.rulesets import (
    NameTaken,
    TooMany,
    change_rules,
    find_rules,
    keep_rules,
    kept_rules,
    remove_rules,
)
from scorekeeper.store.tables import make_table

LITE = PRESETS["cutthroat-lite"]
FRIDAY = replace(LITE, name="Friday rules", target=99, overtrick_cap=None)


@pytest.fixture
def table(store: Store) -> str:
    with store.write() as db:
        return make_table(db, now())


def keep(store: Store, table: str, rules: RuleSet = FRIDAY) -> str:
    with store.write() as db:
        return keep_rules(db, table, rules)


def test_rules_come_back_as_they_were_kept(store: Store, table: str) -> None:
    kept = find_rules(store.db, table, keep(store, table))
    assert kept is not None
    assert (kept.rules, kept.version) == (FRIDAY, 1)


def test_only_the_values_that_differ_are_stored(store: Store, table: str) -> None:
    keep(store, table)
    (row,) = store.db.table("rule_sets").rows
    assert (row["rules"], row["name"]) == ("cutthroat-lite", "Friday rules")
    assert json.loads(row["house_rules"]) == {"target": "99", "overtrick_cap": "off"}


def test_the_very_same_is_kept_once(store: Store, table: str) -> None:
    assert keep(store, table) == keep(store, table)
    assert len(kept_rules(store.db, table)) == 1


def test_a_name_is_given_once_at_a_table(store: Store, table: str) -> None:
    made = keep(store, table)
    with pytest.raises(NameTaken) as taken:
        keep(store, table, replace(FRIDAY, name="FRIDAY RULES"))
    assert taken.value.kept.id == made
    with store.write() as db:
        other = make_table(db, now())
    assert keep(store, other) != made


def test_a_change_grows_the_version_and_keeps_the_id(store: Store, table: str) -> None:
    made = keep(store, table)
    with store.write() as db:
        kept = find_rules(db, table, made)
        assert kept is not None
        change_rules(db, table, kept, replace(PRESETS["partnership"], name="Sunday rules"))
    (changed,) = kept_rules(store.db, table)
    assert (changed.id, changed.version) == (made, 2)
    assert changed.rules == replace(PRESETS["partnership"], name="Sunday rules")


def test_rules_are_listed_by_name(store: Store, table: str) -> None:
    for name in ("sunday", "Friday", "Monday"):
        keep(store, table, replace(FRIDAY, name=name))
    assert [kept.rules.name for kept in kept_rules(store.db, table)] == [
        "Friday",
        "Monday",
        "sunday",
    ]


def test_removed_rules_are_gone(store: Store, table: str) -> None:
    made = keep(store, table)
    with store.write() as db:
        remove_rules(db, "another", made)
    assert find_rules(store.db, table, made)
    with store.write() as db:
        remove_rules(db, table, made)
    assert find_rules(store.db, table, made) is None


def test_a_table_keeps_so_many(store: Store, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulesets, "MOST_KEPT", 2)
    for name in ("one", "two"):
        keep(store, table, replace(FRIDAY, name=name))
    with pytest.raises(TooMany):
        keep(store, table, replace(FRIDAY, name="three"))


def test_a_value_that_is_known_no_more_spoils_no_other(store: Store, table: str) -> None:
    made = keep(store, table)
    with store.write() as db:
        db.execute('UPDATE rule_sets SET house_rules = \'{"target": "99", "jokers": "2"}\'')
    kept = find_rules(store.db, table, made)
    assert kept is not None
    assert kept.rules == replace(LITE, name="Friday rules", target=99)
