"""Random games of every rule book, with whatever can happen to them, taken to another store.

Each game is played with corrections, misdeals, undo, redo and rules changed in the middle of it.
All go out as JSON and into an empty store, where nothing may differ and `check` finds nothing;
and as CSV, which tells the rounds that count.

    python -m tests.store.many_games 2000    plays so many games of every rule book
"""

import io
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from sqlite_utils import Database

from scorekeeper.files.exports import csv_pieces, json_pieces
from scorekeeper.files.imports import games_of_file
from scorekeeper.free_text import one_line
from scorekeeper.rules.bidding import Bids, Table, calls, check_bids, possible_bids, sides_of
from scorekeeper.rules.entry import (
    Refused,
    deal_cards,
    no_counts,
    swap_seats,
    take_seat,
    totals_before,
)
from scorekeeper.rules.game import fold
from scorekeeper.rules.penalties import Penalty, check_stored_penalties
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, RulesRefused, with_house_rules
from scorekeeper.rules.seating import Substitute
from scorekeeper.store import journal
from scorekeeper.store.changes import changes_of, next_step
from scorekeeper.store.check import faults
from scorekeeper.store.database import Store
from scorekeeper.store.entry import Entry, GameSetup, create_game
from scorekeeper.store.games import Game, load_game
from scorekeeper.store.imports import add_new
from scorekeeper.store.journal import Who
from scorekeeper.store.tables import join, make_table
from tests.conftest import prepare
from tests.rules.house_values import sample_texts
from tests.store.play import put_round
from tests.web.play import AT

NAMES = (
    *("=1+1", "Björn", "@South", '"West", Jr', "-Centre", "+49 North", "🂡 East"),
    *("Ana", "عمر", "O’Hara", "Zoë"),
)
IN_ONE_STORE = 50  # games; the statistics of all their players are counted anew after each lot
NUMBERS = {  # with which games last some rounds, and limits are met in them
    "target": (40, 60, 125, 300, 500),
    "mercy": (-20, -100),
    "tricks": (9, 10, 13),
    "minimum_bid": (1, 2),
    "trick_points": (5, 10, 11),
    "set_points": (0, 10, 15),
    "blind_nil_deficit": (100,),
    "double_nil_points": (200,),
    "overtrick_points": (-1, 0, 1, 2),
    "overtrick_cap": (0, 5),
    "bag_limit": (3, 10),
    "bag_penalty": (10, 50),
    "board": (2, 4),
    "ten_for": (20,),
}
VALUES = {name: sample_texts(name, NUMBERS.get(name, ())) for name in HOUSE_RULES}
# What a game can have had for as long as there are penalties, with and without partners.
FAULTS = {
    False: [
        Penalty(0, "points", 30, "nobody", "renege"),
        Penalty(1, "books", 1, "nobody", "other"),
    ],
    True: [Penalty(2, "books", 3, "others", "renege"), Penalty(1, "points", 9, "nobody", "other")],
}
BY_HAND = (Penalty(2, "bonus", -20, "nobody", "Lost wager"), Penalty(0, "bonus", 50, "nobody", ""))
PENALTIES = {partners: [*faults, *BY_HAND] for partners, faults in FAULTS.items()}
WAYS = ("score",) * 6 + (
    "bid",
    "tally",
    "misdeal",
    "penalty",
    "last",
    "substitute",
    "substitute",
    "correct",
    "cards",
    "cards",
    "note",
    "trump",
    "swap",
    "rules",
    "rules",
    "undo",
    "redo",
)
REMARKS = ("", "=1+1", 'Björn’s «last»; "deal"', "🂡 " * 250)


@contextmanager
def a_store() -> Iterator[tuple[Store, str]]:
    """Give an empty folder's store, and its table."""
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        store = Store(Path(folder))
        store.backups.end()
        store.db.execute("PRAGMA synchronous = OFF")
        with store.write() as db:
            table_id = make_table(db, AT)
        try:
            yield store, table_id
        finally:
            store.close()


def some_bids(luck: random.Random, game: Game, number: int) -> Bids:
    """Return bids that the rules allow, mostly small ones."""
    if game.rules.first_round_bids_itself and number == 1:
        return (None,) * len(game.names)
    rules = game.state.rules_in(number, game.round(number))
    known = possible_bids(rules)
    table = Table(rules, totals_before(game.state, number))
    callers = calls(rules, len(game.names))
    for _try in range(500):
        made = [luck.choice(known[: luck.choice((3, 5, 16))]) for _seat in range(callers)]
        bids = (*made, *(None,) * (len(game.names) - callers))
        if not check_bids(table, bids):
            return bids
    raise AssertionError(f"no bids for {rules}")


def some_tricks(luck: random.Random, game: Game, number: int) -> tuple[int, ...]:
    """Return how the tricks of a round fell."""
    rules = game.state.rules_in(number, game.round(number))
    counts = [0] * len(game.names)
    counted = [seat for seat, n in enumerate(no_counts(rules, len(counts))) if n is None]
    for _trick in range(rules.tricks):
        counts[luck.choice(counted)] += 1
    return tuple(counts)


def other_rules(luck: random.Random, rules: RuleSet) -> RuleSet:
    """Return rules with up to four values changed, or as they are where those cannot be."""
    names = luck.sample(sorted(VALUES), luck.randrange(5))
    try:
        return with_house_rules(rules, {name: luck.choice(VALUES[name]) for name in names})
    except RulesRefused:
        return rules


def play(luck: random.Random, store: Store, table_id: str, rules: RuleSet, day: int = 0) -> str:
    """Play a game at random and return its id; now and then walk all the way back and forth."""
    rules = other_rules(luck, rules)
    names = luck.sample(NAMES, luck.choice(rules.table_sizes))
    at = AT + timedelta(days=day, milliseconds=luck.randrange(10**6))
    with store.write() as db:
        start = _start(luck, rules, len(names))
        setup = GameSetup(
            rules, names, luck.randrange(len(names)), luck.choice((None, 250)), *start
        )
        phone = join(db, table_id, "Kim's phone", AT).id
        game_id = create_game(db, table_id, setup, Who(phone, at))
        for _step in range(luck.randrange(40)):
            at += timedelta(seconds=luck.randrange(300))
            _do_something(luck, _load(db, table_id, game_id), db, luck.choice((phone, None)), at)
        if luck.random() < 0.2:
            _there_and_back(db, _load(db, table_id, game_id), at)
    return game_id


def _start(luck: random.Random, rules: RuleSet, players: int) -> tuple[tuple[int, ...], ...]:
    """Return the totals and bags of a game from paper, or none for most games."""
    sides = len(sides_of(rules, players))
    if luck.random() < 0.8:
        return (), ()
    totals = [
        luck.choice((0, 5, -30)) for _one in range(players if rules.totals_by == "seat" else sides)
    ]
    bags = [luck.randrange(rules.bag_limit or 1) for _side in range(sides)]
    if not any([*totals, *bags]):
        return (), ()
    return tuple(totals), tuple(bags) if any(bags) else ()


def taken_in(store: Store, table_id: str, file: bytes) -> dict[str, int]:
    """Bring a file's games into a store; return how many were new, and what the others are."""
    source = io.BufferedReader(io.BytesIO(file))
    return dict(add_new(store, table_id, games_of_file(source), Who(None, AT)))


def exported(store: Store, pieces: Callable[[Store], Iterator[bytes]]) -> bytes:
    """Return every game of a store as a file."""
    return b"".join(pieces(store))


def play_and_take_away(luck: random.Random, rules: RuleSet, games: int) -> Counter[str]:
    """Play games, take them to an empty store, and return how often each kind of change was made.

    Raises `AssertionError` where anything differs, there or on the way.
    """
    made: Counter[str] = Counter()
    with a_store() as (store, table_id), a_store() as (other, other_table):
        ids = [play(luck, store, table_id, rules, day) for day in range(games)]
        file = exported(store, json_pieces)
        assert taken_in(other, other_table, file) == {"new": games}
        assert exported(other, json_pieces) == file
        for one in (store, other):
            assert [str(fault) for fault in faults(one)] == []
        for game_id in ids:
            here, there = _load(store.db, table_id, game_id), _load(other.db, other_table, game_id)
            assert (here.rules, here.rounds, here.state) == (there.rules, there.rounds, there.state)
            for db in (store.db, other.db):
                assert _totals(db, game_id) == _folded(here)
            changes = changes_of(store.db, here)
            made.update(change.kind for change in changes)
            made["rounds"] += len(here.state.rounds)
            made["over"] += here.state.phase == "over"
            made["uncounted"] += here.state.uncounted > 0
            made["games with other rules"] += any(change.kind == "rules" for change in changes)
        if made["rounds"]:
            _take_away_as_sheet(exported(store, csv_pieces))
    return made


def _take_away_as_sheet(sheet: bytes) -> None:
    with a_store() as (other, table_id):
        assert set(taken_in(other, table_id, sheet)) == {"new"}
        assert exported(other, csv_pieces) == sheet
        assert [str(fault) for fault in faults(other)] == []


def _do_something(
    luck: random.Random, game: Game, db: Database, phone: str | None, at: datetime
) -> None:
    way, seen = luck.choice(WAYS), game.version
    now, over = game.state.number, game.state.phase == "over"
    nobody = (None,) * len(game.names)
    if way in ("undo", "redo"):
        for _step in range(luck.choice((1, 1, 4))):
            game = journal.undo_or_redo(db, game, way, game.version, journal.Who(phone, at))
    elif way == "rules":
        try:
            journal.change_rules(
                db, game, other_rules(luck, game.rules), seen, journal.Who(phone, at)
            )
        except RulesRefused:
            return
    elif way == "correct" and game.state.rounds:
        number = luck.randint(1, len(game.state.rounds))
        bids = luck.choice((some_bids(luck, game, number), game.rounds[number - 1].bids))
        tricks = some_tricks(luck, game, number)
        round_ = game.round(number)._replace(bids=bids, tricks=tricks, tally=None)
        put_round(db, game, Entry(number, round_, "corrected"), journal.Who(phone, at))
    elif over or game.round(now).tricks is not None:
        return
    elif way == "score":
        bids, tricks = some_bids(luck, game, now), some_tricks(luck, game, now)
        round_ = game.round(now)._replace(bids=bids, tricks=tricks, tally=None)
        put_round(db, game, Entry(now, round_, "scored"), journal.Who(phone, at))
    elif way == "bid" and not game.state.bids_itself:
        bids = some_bids(luck, game, now)
        half = luck.randrange(len(bids))
        round_ = Round((*bids[:half], *nobody[half:])).noted(cards=game.round(now).notes.cards)
        put_round(db, game, Entry(now, round_, "bid"), journal.Who(phone, at))
    elif way == "tally":
        bids, tally = some_bids(luck, game, now), (1, *nobody[1:])
        round_ = Round(bids, None, tally).noted(cards=game.round(now).notes.cards)
        put_round(db, game, Entry(now, round_, "tally"), journal.Who(phone, at))
    elif way == "penalty":
        number = luck.randint(1, now)
        before = game.round(number)
        known = [one for one in PENALTIES[game.rules.partnerships] if one.seat < len(nobody)]
        given = sorted((*before.notes.penalties, luck.choice(known)))
        if check_stored_penalties(game.state.rules_in(number), given):
            return
        put_round(
            db,
            game,
            Entry(number, before.noted(penalties=tuple(given)), "penalty"),
            journal.Who(phone, at),
        )
    elif way == "last" and luck.random() < 0.2:
        round_ = game.round(now).noted(last_round=True)
        put_round(db, game, Entry(now, round_, "last_round"), journal.Who(phone, at))
    elif way == "substitute":
        seat, player = luck.randrange(len(nobody)), luck.choice(NAMES)
        earlier = [one.notes.substitutes for one in game.rounds[: now - 1]]
        try:
            new = Substitute(seat, player)
            round_ = take_seat(game.rules, game.starters, earlier, game.round(now), new)
        except Refused:
            return
        put_round(db, game, Entry(now, round_, "substitute"), journal.Who(phone, at))
    elif way == "cards" and game.rules.cards:
        low, high = game.rules.cards_range(len(nobody))
        round_ = deal_cards(game.state, now, game.round(now), luck.randint(low, high))
        put_round(db, game, Entry(now, round_, "cards"), journal.Who(phone, at))
    elif way == "note":
        number, about = luck.choice(((now, "remark"), (1, "remark"), (1, "game_remark")))
        round_ = game.round(number).noted(**{about: one_line(luck.choice(REMARKS))})
        put_round(db, game, Entry(number, round_, "note"), journal.Who(phone, at))
    elif way == "trump" and game.rules.trump == "turned":
        round_ = game.round(now).noted(trump=luck.choice((None, *"shdcn")))
        put_round(db, game, Entry(now, round_, "note"), journal.Who(phone, at))
    elif way == "swap":
        earlier = [one.notes.substitutes for one in game.rounds[: now - 1]]
        try:
            seats = luck.sample(range(len(nobody)), 2)
            round_ = swap_seats(game.rules, game.starters, earlier, game.round(now), seats)
        except Refused:
            return
        put_round(db, game, Entry(now, round_, "substitute"), journal.Who(phone, at))
    elif way == "misdeal":
        put_round(db, game, Entry(now, Round(nobody), "misdeal"), journal.Who(phone, at))


def _there_and_back(db: Database, game: Game, at: datetime) -> None:
    """Take every change back, bring them all again, and compare."""
    end, steps = game, 0
    while next_step(db, game, "undo"):
        game, steps = (
            journal.undo_or_redo(db, game, "undo", game.version, journal.Who(None, at)),
            steps + 1,
        )
    assert game.rounds == ()
    for _step in range(steps):
        game = journal.undo_or_redo(db, game, "redo", game.version, journal.Who(None, at))
    assert (game.rules, game.rounds, game.state) == (end.rules, end.rounds, end.state)


def _totals(db: Database, game_id: str) -> list[tuple[int, ...]]:
    """Return every seat's total and bags after each round, as they are derived."""
    rows = db.execute(
        "SELECT round, seat, total, bags FROM results WHERE game_id = ? ORDER BY round, seat",
        [game_id],
    )
    return [tuple(row) for row in rows.fetchall()]


def _folded(game: Game) -> list[tuple[int, ...]]:
    """Return the same as it follows from the facts alone."""
    rounds = game.rounds
    state = fold(game.rules, len(game.names), game.first_dealer, rounds, starters=game.starters)
    return [
        (round_.number, seat, round_.after.totals[side], round_.after.bags[side])
        for round_ in state.rounds
        for seat in range(state.players)
        for side in [state.side_of(seat)]
    ]


def _load(db: Database, table_id: str, game_id: str) -> Game:
    game = load_game(db, table_id, game_id)
    assert game is not None
    return game


def main(games: int, seed: int) -> None:
    """Play so many games of every rule book and print what happened in them."""
    for key, rules in PRESETS.items():
        luck, made, begun = random.Random(f"{seed} {key}"), Counter[str](), time.monotonic()
        for start in range(0, games, IN_ONE_STORE):
            made += play_and_take_away(luck, rules, min(IN_ONE_STORE, games - start))
        counts = ", ".join(f"{made[what]} {what}" for what in sorted(made))
        print(f"{key}: {games} games, no difference ({time.monotonic() - begun:.0f} s): {counts}")


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    main(numbers[0] if numbers else 2000, numbers[1] if numbers[1:] else 1)
