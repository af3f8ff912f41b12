"""A club night as its director runs it, by the forms of its pages."""

from collections.abc import Sequence
from typing import Any

from werkzeug.test import TestResponse

from scorekeeper.clock import now
from scorekeeper.club.events import Entered, Plan
from scorekeeper.club.match import Match
from scorekeeper.club.next_match import pair_next
from scorekeeper.rules.game import GameState
from scorekeeper.store.club import ClubNight, create_night, load_night, record
from scorekeeper.store.connection import Database
from scorekeeper.store.entry import Entry
from scorekeeper.store.games import Game, load_game
from scorekeeper.store.journal import Who
from tests.store.play import put_round
from tests.web.page import Page
from tests.web.play import Table, page_of

TEAMS = ("Ana & Ben", "Cy & Dee", "Eve & Finn", "Gil & Ida")
WON, LOST = ((4, 3, 4, 2), (4, 3, 4, 2)), ((4, 3, 4, 2), (2, 6, 2, 3))


Played = tuple[tuple[int, ...], tuple[int, ...]]  # bids and tricks of a round, by seats


def begin_night(
    db: Database, table_id: str, who: Who, teams: Sequence[str] = TEAMS, **plan: Any
) -> ClubNight:
    """Store an evening without any page: its teams have entered, its first match is paired."""
    club = create_night(db, table_id, Plan(**{"format": "swiss", "seed": 51, **plan}), who)
    for number, team in enumerate(teams, 1):
        club = record(db, club, Entered(number, tuple(team.split(" & "))), who)
    return record(db, club, pair_next(club.night), who)


def play_rounds(db: Database, table_id: str, game_id: str, *rounds: Played) -> Game:
    """Play rounds of a game without any page."""
    for bids, tricks in rounds:
        game = load_game(db, table_id, game_id)
        assert game is not None
        round_ = game.round(game.state.number)._replace(bids=bids, tricks=tricks)
        put_round(db, game, Entry(game.state.number, round_, "scored"), Who(None, now()))
    found = load_game(db, table_id, game_id)
    assert found is not None
    return found


class Director(Table):
    """A phone of the table that runs one evening."""

    path = ""

    def set_up(self, teams: str = "\n".join(TEAMS), **fields: object) -> TestResponse:
        """Set an evening up and enter who plays; the answer is that to the entries."""
        answer = self.send(self.page("/club/new").form("/club/new"), **fields)
        self.path = answer.location.removesuffix("/entries")
        return self.enter(teams)

    def enter(self, typed: str, **fields: object) -> TestResponse:
        form = self.page(f"{self.path}/entries").form("/entries")
        return self.send(form, typed=typed, **fields)

    def act(self, name: str, **fields: object) -> TestResponse:
        """Press a button of the desk."""
        return self.send(self.desk.form("acts"), act=name, **fields)

    def refusal(self, name: str, **fields: object) -> str:
        """Press a button of the desk that refuses, and return what it says."""
        answer = self.act(name, **fields)
        assert answer.status_code in (409, 422)
        return page_of(answer).alerts

    def report(self, number: int, *points: object, what: str = "result") -> TestResponse:
        """Enter the result of a table by hand."""
        path = f"{self.path}/matches/{self.match.number}/tables/{number}"
        fields = {f"points-{side}": one for side, one in enumerate(points, 1)}
        return self.send(self.page(path).form(path), what=what, **fields)

    def play(self, number: int, *rounds: Played) -> GameState:
        """Play rounds at a table."""
        with self.store.write(self.id) as db:
            game = play_rounds(db, self.id, self.match.games[number], *rounds)
        self.store.release()
        return game.state

    @property
    def desk(self) -> Page:
        """What the desk shows."""
        return self.page(self.path)

    @property
    def club(self) -> ClubNight:
        """The evening as it is stored."""
        club = load_night(self.store.db, self.id, self.path.rpartition("/")[2])
        self.store.release()
        assert club is not None
        return club

    @property
    def match(self) -> Match:
        """The newest match."""
        return self.club.night.matches[-1]
