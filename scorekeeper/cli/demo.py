"""A server with example games in a temporary folder, to try Scorekeeper with.

They are the same each time but for their dates, which are counted back from today.
"""

import random
import signal
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from itertools import cycle
from pathlib import Path
from typing import NamedTuple, TextIO

from scorekeeper.cli.serve import STOPPING, open_port, serve_store
from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.bidding import Bids, Nil, check_bids
from scorekeeper.rules.presets import DEFAULT, PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet, with_house_rules
from scorekeeper.store.connection import Database
from scorekeeper.store.database import Store
from scorekeeper.store.entry import Entry, GameSetup, create_game, enter
from scorekeeper.store.games import ALPHABET, GAME_ID_LENGTH, Game, load_game
from scorekeeper.store.journal import Who
from scorekeeper.store.tables import join, save_rules, server_table
from scorekeeper.web import make_app

EVENINGS_PLAYED = 20
FRIDAY = 4  # as date.weekday() counts
FIRST_DEAL = time(19, 30)
BREAK = timedelta(minutes=20)  # between two games of an evening
BID_TIME, ROUND_TIME = timedelta(minutes=1), timedelta(minutes=5)
ROUNDS_NOW = 3  # scored in the game that is going on
PHONES = ("Maya’s phone", "Theo’s phone")
# Who wins more tricks than others, and who fewer.
PLAYERS = {"Maya": 1.1, "Theo": 0.95, "Nora": 1.05, "Sam": 0.95, "June": 1.0, "Felix": 0.9}
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
    fridays, luck = fridays_before(at), random.Random(58)
    with store.write(backs_up=False) as db:
        table_id = server_table(db, fridays[0])
        for rules in own.values():
            save_rules(db, table_id, rules)
        phones = [join(db, table_id, label, fridays[0]).id for label in PHONES]
        table = _Table(db, table_id, phones, luck)
        for begins, evening in zip(fridays, cycle(EVENINGS), strict=False):
            for key, seats in evening:
                game = table.begin((PRESETS | own)[key], luck.sample(list(PLAYERS), seats), begins)
                while game.state.phase != "over":
                    game = table.play_round(game)
                begins = datetime.fromisoformat(game.changed) + BREAK
        game = table.begin(DEFAULT, list(PLAYERS)[:4], at - (ROUNDS_NOW + 1) * ROUND_TIME)
        for _round in range(ROUNDS_NOW):
            game = table.play_round(game)
        first = game.state.asked[0]
        bids = [3 if seat == first else None for seat in range(len(game.names))]
        table.record(game, Round(tuple(bids)), BID_TIME)


def fridays_before(at: datetime) -> list[datetime]:
    """Return when the evenings began, the first one first, by the clock of this computer."""
    today = at.astimezone().date()
    last = today - timedelta(days=(today.weekday() - FRIDAY) % 7 or 7)
    dates = [last - timedelta(weeks=weeks) for weeks in reversed(range(EVENINGS_PLAYED))]
    return [datetime.combine(date, FIRST_DEAL).astimezone() for date in dates]


class _Table(NamedTuple):
    """The table in the database, the phones that record its games, and the luck of the cards."""

    db: Database
    table_id: str
    phones: Sequence[str]
    luck: random.Random

    def begin(self, rules: RuleSet, names: Sequence[str], at: datetime) -> Game:
        """Begin a game."""
        seats = len(names)
        dealer = seats - 1 if rules.first_dealer == "last" else self.luck.randrange(seats)
        game_id = "".join(self.luck.choices(ALPHABET, k=GAME_ID_LENGTH))
        setup = GameSetup(rules, names, dealer)
        create_game(self.db, self.table_id, setup, Who(self.phones[0], at), game_id)
        game = load_game(self.db, self.table_id, game_id)
        assert game is not None
        return game

    def play_round(self, game: Game) -> Game:
        """Deal until everybody likes to bid what the rules allow; record bids, then tricks."""
        table = game.state.table
        while True:
            cards = [self.luck.gammavariate(4, PLAYERS[name]) for name in game.names]
            worth = [table.rules.tricks * one / sum(cards) for one in cards]
            bids: Bids = tuple(Nil.NIL if one < 0.9 else max(1, round(one - 0.3)) for one in worth)
            if not check_bids(table, bids):
                break
        game = self.record(game, Round(bids), BID_TIME)
        return self.record(game, Round(bids, self.tricks(bids, worth)), ROUND_TIME - BID_TIME)

    def tricks(self, bids: Bids, worth: Sequence[float]) -> tuple[int, ...]:
        """Return the tricks taken, between what the cards are worth and what was bid."""
        aims = [
            self.luck.gauss(-0.8 if bid == Nil.NIL else (cards + int(bid or 0)) / 2, 1.0)
            for bid, cards in zip(bids, worth, strict=True)
        ]
        taken = [0] * len(bids)
        for _trick in range(round(sum(worth))):
            seat = max(range(len(bids)), key=lambda seat: aims[seat] - taken[seat])
            taken[seat] += 1
        return tuple(taken)

    def record(self, game: Game, round_: Round, after: timedelta) -> Game:
        """Store the round that is played, so long after the last change."""
        number = game.state.number
        who = Who(self.phones[number % 2], datetime.fromisoformat(game.changed) + after)
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
        app = make_app({"DATA": Path(folder), "LOG_REQUESTS": log})
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
