"""Every player keeps a shape and a color."""

import pytest

from scorekeeper.files.exports import json_pieces
from scorekeeper.rules.faces import COLORS, FACES, SHAPES, free_face
from scorekeeper.store.players import (
    Player,
    faces_taken,
    find_player,
    find_player_id,
    give_face,
    merge,
    next_faces,
)
from tests.store.many_games import a_store, exported, taken_in
from tests.store.play import Keeper


def player(keeper: Keeper, name: str) -> Player:
    player_id = find_player_id(keeper.db, keeper.table_id, name.casefold())
    assert player_id is not None
    found = find_player(keeper.db, keeper.table_id, player_id)
    assert found is not None
    return found


def test_each_face_is_another_one() -> None:
    assert len({*FACES}) == SHAPES * COLORS
    assert free_face(dict.fromkeys(FACES, 2) | {FACES[12]: 1}) == FACES[12]


def test_players_get_the_next_face_that_is_free(keeper: Keeper) -> None:
    keeper.begin(names=("Ana", "Ben", "Cy", "Dana"))
    with keeper.store.write() as db:
        give_face(db, keeper.table_id, player(keeper, "Ben"), FACES[4])
    coming = next_faces(keeper.db, keeper.table_id, 2)
    game = keeper.begin(names=("Ana", "Ben", "Eve", "Finn"))
    assert [game.faces[name] for name in ("Eve", "Finn")] == coming
    assert [game.faces[name] for name in game.names] == [FACES[n] for n in (0, 4, 1, 5)]
    assert keeper.begin(names=("Eve", "Ben", "Ana", "Finn")).faces == game.faces


@pytest.mark.parametrize(("games", "kept"), [(1, "Ana"), (2, "Ben")])
def test_a_merge_keeps_the_face_of_who_played_more(keeper: Keeper, games: int, kept: str) -> None:
    keeper.begin(names=("Ana", "Cy", "Dana", "Eve"))
    for _game in range(games):
        keeper.begin(names=("Ben", "Cy", "Dana", "Eve"))
    face = player(keeper, kept).face
    with keeper.store.write() as db:
        merge(db, keeper.table_id, player(keeper, "Ben"), player(keeper, "Ana"), "Ana")
    assert player(keeper, "Ana").face == face
    assert faces_taken(keeper.db, keeper.table_id)[face] == 1


def test_json_brings_the_faces_of_new_players(keeper: Keeper) -> None:
    keeper.begin(names=("Ana", "Ben", "Cy", "Dana"))
    with keeper.store.write() as db:
        for name, face in (("Ana", 30), ("Ben", 2), ("Cy", 40)):
            give_face(db, keeper.table_id, player(keeper, name), FACES[face])
    file = exported(keeper.store, json_pieces)
    with a_store() as (store, table_id):
        other = Keeper(store, table_id=table_id)
        other.begin(names=("Eve", "Ana", "Finn", "Gus"))
        assert taken_in(store, table_id, file) == {"new": 1}
        # Ana has hers, and that of Ben is Finn's.
        faces = [player(other, name).face for name in ("Ana", "Ben", "Cy", "Dana")]
        assert faces == [FACES[n] for n in (1, 4, 40, 5)]
