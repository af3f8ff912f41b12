"""Games go out and come in again, and are the same games."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.files.exports import csv_pieces, json_pieces
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.maintenance.check import faults
from tests.properties import examples
from tests.store.many_games import a_store, exported, play, taken_in

quick = examples(12)
lucky = given(st.randoms(use_true_random=False))


@pytest.mark.parametrize("key", sorted(PRESETS))
@quick
@lucky
def test_json_brings_everything_again(key: str, luck: random.Random) -> None:
    with a_store() as (store, table_id), a_store() as (other, other_table):
        for day in range(3):
            play(luck, store, table_id, PRESETS[key], day)
        file = exported(store, json_pieces)
        assert taken_in(other, other_table, file) == {"new": 3}
        assert exported(other, json_pieces) == file
        assert list(faults(other.path)) == []
        assert taken_in(other, other_table, file) == {"same": 3}
        assert exported(other, json_pieces) == file


@pytest.mark.parametrize("key", sorted(PRESETS))
@quick
@lucky
def test_csv_brings_what_counts_again(key: str, luck: random.Random) -> None:
    with a_store() as (store, table_id), a_store() as (other, other_table):
        for day in range(3):
            play(luck, store, table_id, PRESETS[key], day)
        file = exported(store, csv_pieces)
        if file.count(b"\n") == 1:
            return  # nothing was scored
        added = taken_in(other, other_table, file)
        assert set(added) == {"new"}
        assert exported(other, csv_pieces) == file
        assert list(faults(other.path)) == []
        assert taken_in(other, other_table, file) == {"same": added["new"]}
        assert taken_in(store, table_id, file) == {"same": added["new"]}
