"""Tables, the keys that open them, and the phones that joined."""

import pytest

from scorekeeper.store.database import Store
from scorekeeper.store.games import ALPHABET
from scorekeeper.store.tables import (
    KEY_LENGTH,
    find_phone,
    join,
    make_join_key,
    make_table,
    new_server_link,
    table_of_join_key,
)
from tests.store.play import START, everything


@pytest.fixture
def table_id(store: Store) -> str:
    with store.write() as db:
        return make_table(db, START)


def test_a_key_opens_its_table(store: Store, table_id: str) -> None:
    with store.write() as db:
        key = make_join_key(db, table_id, "a link", START)
    assert table_of_join_key(store.db, key) == table_id


def test_keys_hold_130_bits_and_can_be_read_out(store: Store, table_id: str) -> None:
    with store.write() as db:
        keys = [make_join_key(db, table_id, "a link", START) for _ in range(200)]
    assert len(set(keys)) == 200
    assert {len(key) for key in keys} == {KEY_LENGTH}
    assert set("".join(keys)) == set(ALPHABET)
    assert KEY_LENGTH * 5 >= 128
    assert len(ALPHABET) == 32
    assert not set("ilou") & set(ALPHABET)


def test_only_the_hash_of_a_key_is_kept(store: Store, table_id: str) -> None:
    with store.write() as db:
        key = make_join_key(db, table_id, "a link", START)
    assert key not in str(everything(store.db))


@pytest.mark.parametrize(
    "key",
    ["", "x", "{key}0", "{KEY}", " {key}", "{key}\n", "\ud800", "%", "' OR 1=1 --"],
    ids=ascii,
)
def test_no_other_key_opens_it(store: Store, table_id: str, key: str) -> None:
    with store.write() as db:
        made = make_join_key(db, table_id, "a link", START)
    assert table_of_join_key(store.db, key.format(key=made, KEY=made.upper())) is None


def test_a_phone_that_joined_is_found_again(store: Store, table_id: str) -> None:
    with store.write() as db:
        phone = join(db, table_id, "Kim's phone", START)
    assert find_phone(store.db, phone.id) == phone
    assert find_phone(store.db, phone.id[:-1]) is None


def test_every_start_prints_a_link_to_the_same_table_and_ends_the_last(store: Store) -> None:
    first = new_server_link(store)
    table_id = table_of_join_key(store.db, first)
    second = new_server_link(store)
    assert table_id is not None
    assert table_of_join_key(store.db, second) == table_id
    assert table_of_join_key(store.db, first) is None


def test_a_fresh_link_of_the_house_ends_no_other_link(store: Store) -> None:
    table_id = table_of_join_key(store.db, new_server_link(store))
    assert table_id is not None
    with store.write() as db:
        key = make_join_key(db, table_id, "a link", START)
    new_server_link(store)
    assert table_of_join_key(store.db, key) == table_id
