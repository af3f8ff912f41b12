"""The tables cover the rule books, and each row can be found by its sentence."""

from collections import Counter

import pytest

from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import HOUSE_RULES
from tests.rules.tables import TABLES, pairs, rows

EVERY_ROW = [row for table in TABLES for row in rows(table)]


def test_there_are_enough_examples() -> None:
    assert len(EVERY_ROW) >= 180


@pytest.mark.parametrize("table", ["scoring", "bidding", "tricks", "games", "rulesets", "presets"])
def test_a_table_shows_every_rule_book(table: str) -> None:
    assert {row["rules"] for row in rows(table)} == set(PRESETS)


def test_every_house_rule_has_examples() -> None:
    shown = {name for row in EVERY_ROW for name in pairs(row.get("house_rules", ""))}
    missing = sorted(set(HOUSE_RULES) - shown)
    assert not missing, f"add rows with {missing} to tests/rules/scoring.csv or bidding.csv"


@pytest.mark.parametrize("table", TABLES)
def test_a_sentence_names_one_row_of_its_table(table: str) -> None:
    counted = Counter(row["sentence"] for row in rows(table))
    assert [sentence for sentence, times in counted.items() if times > 1] == []


@pytest.mark.parametrize("table", TABLES)
def test_every_row_has_a_sentence_a_source_and_all_its_cells(table: str) -> None:
    for row in rows(table):
        assert row["source"]
        assert row["sentence"]
        assert None not in row
        assert None not in row.values()
