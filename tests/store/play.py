"""Games recorded directly in the store, without pages."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from scorekeeper.club.events import Started
from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.game import bids_itself
from scorekeeper.rules.presets import CUTTHROAT_LITE
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store import journal
from scorekeeper.store.changes import Way
from scorekeeper.store.club import ClubNight, load_night, record
from scorekeeper.store.club_games import begin_games
from scorekeeper.store.connection import Database
from scorekeeper.store.database import Store
from scorekeeper.store.entry import Entry, GameSetup, create_game
from scorekeeper.store.games import Game, load_game
from scorekeeper.store.journal import Who
from scorekeeper.store.migrations import TABLES
from scorekeeper.store.tables import Phone, find_phone, join, make_table
from tests.rules.test_properties import every_bid, splits

PLAYERS = ("North", "East", "South", "West", "Centre")
CROWD = (*PLAYERS, "Sixth", "Seventh", "Eighth", "Ninth", "Tenth")
START = datetime(2026, 1, 3, 20, 15, tzinfo=UTC)


def everything(db: Database) -> dict[str, list[Any]]:
    """Return every row of a database, in an order of its own."""
    return {
        name: sorted(db.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for name in TABLES
    }


class Keeper:
    """A phone of a table of its own that writes into a store; every moment is a second later."""

    def __init__(self, store: Store, label: str = "Kim's phone", table_id: str = "") -> None:
        self.store, self.moment = store, START
        with store.write() as db:
            self.table_id = table_id or make_table(db, self.now())
            self.phone: Phone = join(db, self.table_id, label, self.now())

    def now(self) -> datetime:
        self.moment += timedelta(seconds=1)
        return self.moment

    @property
    def db(self) -> Database:
        return self.store.db

    def begin(
        self,
        rules: RuleSet = CUTTHROAT_LITE,
        names: Sequence[str] = PLAYERS[:4],
        first_dealer: int = 3,
        stake: int | None = None,
    ) -> Game:
        """Begin a game."""
        with self.store.write(self.table_id) as db:
            setup = GameSetup(rules, names, first_dealer, stake)
            game_id = create_game(db, self.table_id, setup, Who(self.phone.id, self.now()))
        return self.load(game_id)

    def load(self, game_id: str) -> Game:
        game = load_game(self.db, self.table_id, game_id)
        assert game is not None
        return game

    def put(
        self, game: Game, number: int, round_: Round, kind: str = "scored", seen: int | None = None
    ) -> Game:
        """Put a round's facts in place, on the page of version `seen` or of now."""
        return self._record(game, lambda _now: (number, round_), kind, seen)

    def bid(self, game: Game, seat: int, bid: Bid, seen: int | None = None) -> Game:
        """Note a bid of the round being played."""

        def with_bid(now: Game) -> tuple[int, Round]:
            number = now.state.number
            round_ = now.round(number)
            bids = (*round_.bids[:seat], bid, *round_.bids[seat + 1 :])
            return number, round_._replace(bids=bids)

        return self._record(game, with_bid, "bid", seen)

    def tap(self, game: Game, number: int, round_: Round, kind: str) -> Game:
        """Put a round's facts in place as a request does, with a connection of its own."""
        phone = find_phone(self.db, self.phone.id)
        assert phone is not None
        with self.store.write(phone.table_id) as db:
            now = load_game(db, phone.table_id, game.id)
            assert now is not None
            changed = put_round(
                db, now, Entry(number, round_, kind), journal.Who(phone.id, self.now())
            )
        self.store.release()
        return changed

    def _record(
        self,
        game: Game,
        entry: Callable[[Game], tuple[int, Round]],
        kind: str,
        seen: int | None,
    ) -> Game:
        with self.store.write(self.table_id) as db:
            now = load_game(db, self.table_id, game.id)
            assert now is not None
            version = now.version if seen is None else seen
            number, round_ = entry(now)
            return put_round(
                db,
                now,
                Entry(number, round_, kind),
                journal.Who(self.phone.id, self.now()),
                version,
            )

    def change_rules(self, game: Game, rules: RuleSet, seen: int | None = None) -> Game:
        """Play by other house rules, on the page of version `seen` or of now."""
        with self.store.write(self.table_id) as db:
            now = load_game(db, self.table_id, game.id)
            assert now is not None
            version = now.version if seen is None else seen
            return journal.change_rules(
                db, now, rules, version, journal.Who(self.phone.id, self.now())
            )

    def undo(self, game: Game) -> Game:
        return self._walk("undo", game)

    def redo(self, game: Game) -> Game:
        return self._walk("redo", game)

    def _walk(self, way: Way, game: Game) -> Game:
        with self.store.write(self.table_id) as db:
            now = load_game(db, self.table_id, game.id)
            assert now is not None
            return journal.undo_or_redo(
                db, now, way, now.version, journal.Who(self.phone.id, self.now())
            )


def put_round(
    db: Database, game: Game, entry: Entry, who: journal.Who, seen: int | None = None
) -> Game:
    """Store a round whether or not the rules allow it, on the page of version `seen` or of now."""
    number, round_, kind = entry[:3]
    if round_ == game.round(number):
        return game
    journal.check_cells(db, game, number, round_, game.version if seen is None else seen)
    return journal.replace_round(db, game, number, round_, journal.Action(kind or "", who))


def start_match(db: Database, club: ClubNight, number: int, who: journal.Who) -> ClubNight:
    """Start a match of an evening with all its games, and return the evening after that."""
    club = record(db, club, Started(number), who)
    for _begun in begin_games(db, club, number, who):
        pass
    found = load_night(db, *club.key)
    assert found is not None
    return found


@st.composite
def next_round(draw: Any, game: Game) -> tuple[int, Round, str] | None:
    """Any change that people can make to a game: a round's number, its new facts, the kind."""
    state, players = game.state, len(game.names)
    scored = [n for n, round_ in enumerate(game.rounds, 1) if round_.tricks is not None]
    kinds = ["corrected"] if scored else []
    if state.phase == "bidding":
        kinds += ["bid", "bid", "misdeal", "scored"]
    elif state.phase == "playing":
        kinds += ["tally", "tally", "scored", "scored", "misdeal"]
    if not kinds:
        return None
    kind = draw(st.sampled_from(kinds))
    number = draw(st.sampled_from(scored)) if kind == "corrected" else state.number
    round_, rules = game.round(number), state.rules_in(number)
    seat = draw(st.integers(0, players - 1))
    if kind == "bid":
        bids = (*round_.bids[:seat], draw(any_bid(rules)), *round_.bids[seat + 1 :])
        return number, round_._replace(bids=bids), kind
    if kind == "tally":
        tally = round_.tally or (None,) * players
        count = draw(st.integers(0, rules.tricks))
        return number, round_._replace(tally=(*tally[:seat], count, *tally[seat + 1 :])), kind
    if kind == "misdeal":
        return number, Round((None,) * players), kind
    bids = (None,) * players
    if not bids_itself(rules, number):
        bids = tuple(draw(any_bid(rules)) for _ in range(players))
    return number, Round(bids, draw(any_tricks(rules, players))), kind


def any_bid(rules: RuleSet) -> st.SearchStrategy[Bid]:
    """Any bid at all: whether it is legal is no matter of the store's."""
    return st.sampled_from(every_bid(rules))


def any_tricks(rules: RuleSet, players: int) -> st.SearchStrategy[tuple[int, ...]]:
    return splits(rules.tricks, players)
