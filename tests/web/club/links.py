"""A club night for tests of its pages: stored, played, and looked at by its links."""

from typing import Any

from flask import Flask

from scorekeeper.clock import now
from scorekeeper.club.events import Closed, Entered, Event, Plan, Reported
from scorekeeper.club.match import Match, Result
from scorekeeper.club.next_match import pair_next
from scorekeeper.store import club
from scorekeeper.store.club_games import heard
from scorekeeper.store.club_links import Kind, link_key
from scorekeeper.store.entry import Entry
from scorekeeper.store.games import Game, load_game
from scorekeeper.store.journal import Who
from tests.store.play import put_round, start_match
from tests.web.page import Page
from tests.web.play import Table, page_of

TEAMS = (("Ana", "Ben"), ("Cy", "Dee"), ("Eve", "Finn"), ("Gil", "Ida"))
SINGLES = tuple((name,) for team in TEAMS for name in team)
PATHS = {"wall": "wall", "poster": "players", "slip": "tables/1"}


class Evening:
    """A club night of a table, its director's phone, and a stranger's."""

    def __init__(self, app: Flask, cast: Any = TEAMS, **plan: Any) -> None:
        self.table, self.stranger = Table(app), Table(app)
        self.table.sit_down("the director")
        plan = {"format": "swiss", "seed": 51, "rules": "partnership", **plan}
        with self.table.store.write() as db:
            self.id = club.create_night(db, self.table.id, Plan(**plan), self.who).id
        self.do(*(Entered(entry, names) for entry, names in enumerate(cast)))

    @property
    def who(self) -> Who:
        return Who(self.table.session["phone"], now())

    @property
    def now(self) -> club.ClubNight:
        """The evening as it is stored."""
        found = club.load_night(self.table.store.db, self.table.id, self.id)
        assert found is not None
        self.table.store.release()
        return found

    @property
    def match(self) -> Match:
        return self.now.night.matches[-1]

    def do(self, *events: Event) -> "Evening":
        """Let something happen."""
        with self.table.store.write(self.table.id) as db:
            night = self.now
            for event in events:
                night = club.record(db, night, event, self.who)
        return self

    def pair(self) -> "Evening":
        return self.do(pair_next(self.now.night))

    def start(self) -> "Evening":
        """Pair and start the next match."""
        self.pair()
        with self.table.store.write(self.table.id) as db:
            start_match(db, self.now, self.match.number, self.who)
        return self

    def play(self, number: int, bids: tuple[int, ...], tricks: tuple[int, ...]) -> Game:
        """Let a table score a round."""
        with self.table.store.write(self.table.id) as db:
            game = load_game(db, self.table.id, self.match.games[number])
            assert game
            round_ = game.round(game.state.number)._replace(bids=bids, tricks=tricks)
            return put_round(db, game, Entry(game.state.number, round_, "scored"), self.who)

    def close(self, *scores: tuple[int, ...]) -> "Evening":
        """Enter a result at each table, and close the match; others are of their games."""
        with self.table.store.write(self.table.id) as db:
            club.follow(db, self.now, heard(db, self.now, self.match), self.who)
        number = self.match.number
        results = [Reported(number, at, Result(one), True) for at, one in enumerate(scores, 1)]
        return self.do(*results, Closed(number))

    def path(self, kind: Kind, more: str = "") -> str:
        """Return the address of a link, and of what is below it."""
        where = (kind, 1 if kind == "slip" else 0)
        key = link_key(self.now, where, str(self.table.app.config["SECRET_KEY"]))
        return f"/club/{self.id}/{PATHS[kind]}/{key}{more}"

    def seen(self, kind: Kind, more: str = "") -> Page:
        """Return what a stranger sees by a link."""
        answer = self.stranger.get(self.path(kind, more))
        assert answer.status_code == 200
        return page_of(answer)
