"""Games go out and come in again, and are the same games."""

import io
import random
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.gamefile.incoming import games_of_file
from scorekeeper.gamefile.outgoing import csv_pieces, json_pieces
from scorekeeper.rules.bidding import Bids, calls, check_bids
from scorekeeper.rules.entry import totals_before
from scorekeeper.rules.game import Round
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import RuleSet, with_house_rules
from scorekeeper.store import journal
from scorekeeper.store.check import faults
from scorekeeper.store.connection import Store
from scorekeeper.store.games import Game, create_game, load_game
from scorekeeper.store.tables import join, make_table
from scorekeeper.store.transfer import add_new
from tests.web.play import AT

NAMES = ("=1+1", "Björn", "@South", '"West", Jr', "-Centre", "+49 North", "🂡 East")
quick = settings(deadline=None, max_examples=12, database=None)
lucky = given(st.randoms(use_true_random=False))


@contextmanager
def a_store() -> Iterator[tuple[Store, str]]:
    """An empty folder's store, and its table."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        with store.write() as db:
            table_id = make_table(db, AT)
        try:
            yield store, table_id
        finally:
            store.close()
            store.backups.end()


def some_bids(luck: random.Random, game: Game, number: int) -> Bids:
    """Return bids that the rules allow, mostly small ones."""
    if game.rules.first_round_bids_itself and number == 1:
        return (None,) * len(game.names)
    known, totals = calls(game.rules), totals_before(game.board, number)
    for _try in range(200):
        bids = tuple(luck.choice(known[: luck.choice((3, 5, 16))]) for _name in game.names)
        if not check_bids(game.rules, bids, totals):
            return bids
    raise AssertionError(f"no bids for {game.rules}")


def some_tricks(luck: random.Random, game: Game) -> tuple[int, ...]:
    counts = [0] * len(game.names)
    for _trick in range(game.rules.tricks):
        counts[luck.randrange(len(counts))] += 1
    return tuple(counts)


def house_rules_of(luck: random.Random, rules: RuleSet) -> RuleSet:
    changes = {
        "target": str(luck.choice((60, 125, 300))),
        "mercy": luck.choice(("off", "-100")),
        "first_round_bids_itself": luck.choice(("yes", "no")),
        "failed_nil_tricks": luck.choice(("overtricks", "contract", "ignored")),
    }
    return with_house_rules(rules, dict(luck.sample(sorted(changes.items()), luck.randrange(4))))


def play(luck: random.Random, store: Store, table_id: str, rules: RuleSet, day: int = 0) -> None:
    """Play a game at random, with corrections, counts, misdeals, undo and redo."""
    rules = house_rules_of(luck, rules)
    names = luck.sample(NAMES, luck.choice(rules.table_sizes))
    at = AT + timedelta(days=day, milliseconds=luck.randrange(10**6))
    with store.write() as db:
        dealer, stake = luck.randrange(len(names)), luck.choice((None, 250))
        game_id = create_game(db, table_id, rules, names, dealer, stake, at)
        phone = join(db, table_id, "Kim's phone", AT).id
        journal.begin(db, game_id, phone, at)
        for _step in range(luck.randrange(40)):
            at += timedelta(seconds=luck.randrange(300))
            game = load_game(db, table_id, game_id)
            assert game is not None
            _do_something(luck, game, *(db, luck.choice((phone, None)), at))


def _do_something(luck, game, db, phone, at) -> None:  # type: ignore[no-untyped-def]
    way = luck.choice(("score",) * 4 + ("bid", "tally", "misdeal", "correct", "undo", "redo"))
    now, over = game.board.number, game.board.phase == "over"
    if way in ("undo", "redo"):
        step = journal.undo if way == "undo" else journal.redo
        step(db, game, game.version, phone, at)
    elif way == "correct" and game.board.rounds:
        number = luck.randint(1, len(game.board.rounds))
        round_ = Round(some_bids(luck, game, number), some_tricks(luck, game))
        journal.record(db, game, number, round_, "corrected", game.version, phone, at)
    elif over or game.round(now).tricks is not None:
        return
    elif way == "score":
        round_ = Round(some_bids(luck, game, now), some_tricks(luck, game))
        journal.record(db, game, now, round_, "scored", game.version, phone, at)
    elif way == "bid":
        bids = some_bids(luck, game, now)
        half = luck.randrange(len(bids))
        round_ = Round((*bids[:half], *(None,) * (len(bids) - half)))
        journal.record(db, game, now, round_, "bid", game.version, phone, at)
    elif way == "tally":
        tally = (1, *(None,) * (len(game.names) - 1))
        round_ = Round(some_bids(luck, game, now), None, tally)
        journal.record(db, game, now, round_, "tally", game.version, phone, at)
    elif way == "misdeal":
        round_ = Round((None,) * len(game.names))
        journal.record(db, game, now, round_, "misdeal", game.version, phone, at)


def exported(store: Store, pieces: Callable[[Store], Iterator[bytes]]) -> bytes:
    return b"".join(pieces(store))


def taken_in(store: Store, table_id: str, file: bytes) -> dict[str, int]:
    source = io.BufferedReader(io.BytesIO(file))
    with store.write() as db:
        return dict(add_new(db, table_id, games_of_file(source), None, AT))


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
