"""A server with example games in a temporary folder, to try Scorekeeper with.

They are the same each time but for their dates, which are counted back from today.
"""

import random
import signal
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from itertools import cycle
from pathlib import Path
from typing import NamedTuple, TextIO

from scorekeeper import create_app
from scorekeeper.cli.serve import STOPPING, open_port, serve_store
from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.bidding import Bid, Bids, Nil
from scorekeeper.rules.entry import Refused, place_bid
from scorekeeper.rules.game import Round
from scorekeeper.rules.presets import DEFAULT, PRESETS
from scorekeeper.rules.ruleset import RuleSet, with_house_rules
from scorekeeper.store.connection import Database
from scorekeeper.store.database import Store
from scorekeeper.store.entry import Entry, GameSetup, create_game, enter
from scorekeeper.store.games import GAME_ID_LENGTH, Game, load_game
from scorekeeper.store.journal import Who
from scorekeeper.store.tables import ALPHABET, join, save_rules, server_table

SEED = 58
EVENINGS_PLAYED = 20
FRIDAY = 4  # as date.weekday() counts
FIRST_DEAL = time(19, 30)
BREAK = timedelta(minutes=20)  # between two games of an evening
BID_TIME, ROUND_TIME = timedelta(seconds=10), timedelta(minutes=5)
ROUNDS_NOW = 3  # scored in the game that is going on
NIL_HAND = 0.9  # tricks; a player bids Nil with fewer
PHONES = ("Maya’s phone", "Theo’s phone")


class DemoPlayer(NamedTuple):
    """How somebody plays: `skill` wins tricks, `courage` is added to a bid, in tricks."""

    skill: float
    courage: float


PLAYERS = {
    "Maya": DemoPlayer(1.10, -0.5),
    "Theo": DemoPlayer(0.95, 0.3),
    "Nora": DemoPlayer(1.05, -0.3),
    "Sam": DemoPlayer(0.95, -0.1),
    "June": DemoPlayer(1.00, -0.8),
    "Felix": DemoPlayer(0.90, -0.2),
}
HOUSE_RULES = {
    "Friday rules": ("partnership-sandbags", {"target": "350", "board": "4"}),
    "Short cutthroat": ("cutthroat", {"target": "200"}),
}
# The games of one Friday after the other, each with the number of players.
EVENINGS = (
    (("Friday rules", 4), ("cutthroat-lite", 5)),
    (("partnership-250", 4), ("partnership-250", 4)),
    (("cutthroat-lite", 3), ("Friday rules", 4)),
    (("Short cutthroat", 4), ("cutthroat-lite", 4)),
    (("partnership-500", 4), ("cutthroat-lite", 5)),
)


def add_example_games(store: Store, at: datetime) -> None:
    """Add the games to the server's own table, the last one going on at this time."""
    own = {
        name: replace(with_house_rules(PRESETS[key], changes), name=name)
        for name, (key, changes) in HOUSE_RULES.items()
    }
    fridays = fridays_before(at)
    with store.write(backs_up=False) as db:
        table_id = server_table(db, fridays[0])
        for rules in own.values():
            save_rules(db, table_id, rules)
        phones = [join(db, table_id, label, fridays[0]).id for label in PHONES]
        table = _Table(db, table_id, phones, random.Random(SEED))
        for begins, evening in zip(fridays, cycle(EVENINGS), strict=False):
            for key, seats in evening:
                game = table.play((PRESETS | own)[key], table.seated(seats), begins)
                begins = datetime.fromisoformat(game.changed) + BREAK
        begun = at - (ROUNDS_NOW + 1) * ROUND_TIME
        table.begin_round(table.play(DEFAULT, list(PLAYERS)[:4], begun, ROUNDS_NOW))


def fridays_before(at: datetime) -> list[datetime]:
    """Return when the evenings began, the first one first, by the clock of this computer."""
    today = at.astimezone().date()
    last = today - timedelta(days=(today.weekday() - FRIDAY) % 7 or 7)
    dates = [last - timedelta(weeks=weeks) for weeks in reversed(range(EVENINGS_PLAYED))]
    return [datetime.combine(date, FIRST_DEAL).astimezone() for date in dates]


@dataclass(frozen=True)
class _Table:
    """The table in the database, the phones that record its games, and the luck of the cards."""

    db: Database
    table_id: str
    phones: list[str]
    chance: random.Random

    def seated(self, seats: int) -> list[str]:
        """Return so many of the players, in the order of their seats."""
        return self.chance.sample(list(PLAYERS), seats)

    def play(
        self, rules: RuleSet, names: Sequence[str], at: datetime, rounds: int | None = None
    ) -> Game:
        """Play a game to its end, or only some rounds of it."""
        seats = len(names)
        dealer = seats - 1 if rules.first_dealer == "last" else self.chance.randrange(seats)
        setup = GameSetup(rules, names, dealer)
        game_id = "".join(self.chance.choices(ALPHABET, k=GAME_ID_LENGTH))
        create_game(self.db, self.table_id, setup, at, self.phones[0], game_id=game_id)
        game = load_game(self.db, self.table_id, game_id)
        assert game is not None
        while game.state.phase != "over" and len(game.rounds) != rounds:
            game = self.play_round(game)
        return game

    def play_round(self, game: Game) -> Game:
        """Bid and score the next round."""
        number, hands = game.state.number, self.hands(game)
        for seat in game.state.asked:
            game = self.bid(game, number, seat, hands[seat])
        bids = game.round(number).bids
        tricks = self.tricks(game, bids, hands)
        return self.record(game, number, Round(bids, tricks), ROUND_TIME)

    def begin_round(self, game: Game) -> Game:
        """Record only the first bid of the next round."""
        seat = game.state.asked[0]
        return self.bid(game, game.state.number, seat, self.hands(game)[seat])

    def hands(self, game: Game) -> list[float]:
        """Return how many tricks each seat's cards are worth."""
        luck = [self.chance.gammavariate(4, PLAYERS[name].skill) for name in game.names]
        return [game.state.round_rules.tricks * share / sum(luck) for share in luck]

    def bid(self, game: Game, number: int, seat: int, worth: float) -> Game:
        """Record the bid that a player prefers among those that the rules allow."""
        round_ = game.round(number)
        wanted = worth + PLAYERS[game.names[seat]].courage
        numbers = sorted(range(1, game.state.round_rules.tricks + 1), key=lambda n: abs(n - wanted))
        bids: list[Bid] = [*([Nil.NIL] if worth < NIL_HAND else []), *numbers]
        for bid in bids:
            with suppress(Refused):
                bidden = place_bid(game.state, number, round_, seat, bid)
                return self.record(game, number, bidden, BID_TIME)
        raise AssertionError("some bid is always allowed")

    def tricks(self, game: Game, bids: Bids, hands: Sequence[float]) -> tuple[int, ...]:
        """Return the tricks taken, between what the cards are worth and what was bid."""
        aims = [
            self.chance.gauss(-0.8 if bid == Nil.NIL else (worth + int(bid or 0)) / 2, 1.0)
            for bid, worth in zip(bids, hands, strict=True)
        ]
        taken = [0] * len(bids)
        for _trick in range(game.state.round_rules.tricks):
            seat = max(range(len(bids)), key=lambda seat: aims[seat] - taken[seat])
            taken[seat] += 1
        return tuple(taken)

    def record(self, game: Game, number: int, round_: Round, after: timedelta) -> Game:
        """Store the round, so long after the last change."""
        at = datetime.fromisoformat(game.changed) + after
        who = Who(self.phones[number % len(self.phones)], at)
        return enter(self.db, game, Entry(number, round_), game.version, who)


def serve_demo(host: str, port: int, log: bool, out: TextIO) -> int:
    """Serve example games until a signal, remove them, and return the exit status."""
    for number in STOPPING:
        if signal.getsignal(number) == signal.SIG_DFL:  # nohup ignores SIGHUP
            # As Ctrl-C does, it raises KeyboardInterrupt, so that the folder is removed.
            signal.signal(number, signal.default_int_handler)
    # A backup or a check may still be ending in the folder.
    with (
        open_port(host, port) as listener,
        tempfile.TemporaryDirectory(
            prefix="scorekeeper-demo-", ignore_cleanup_errors=True
        ) as folder,
    ):
        app = create_app(DATA=Path(folder), LOG_REQUESTS=log)
        # Browsers share cookies between ports, and must stay joined to a table on another one.
        app.config["SESSION_COOKIE_NAME"] += "-demo"
        try:
            add_example_games(app.extensions["store"], now())
            note = _("The games here are examples and go away when you stop.")
            return serve_store(app, listener, note, out)
        finally:
            for number in STOPPING:  # another one must not end the removal halfway
                signal.signal(number, signal.SIG_IGN)
            for end in app.extensions["on_stop"]:
                end()
            app.extensions["store"].close()
