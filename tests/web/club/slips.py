"""An evening of a club as its director runs it, and phones that keep score by their slips."""

from collections.abc import Callable
from functools import partial

from flask import Flask

from scorekeeper.clock import now
from scorekeeper.club.events import Closed, Ended, Event, Reported
from scorekeeper.club.match import Match, Result
from scorekeeper.club.next_match import pair_next
from scorekeeper.store.club import ClubNight, load_night, record, undo
from scorekeeper.store.club_links import link_key
from scorekeeper.store.connection import Database
from scorekeeper.store.journal import Who
from tests.store.play import start_match
from tests.web.club.evening import begin_night
from tests.web.play import Table

WON, LOST = Result((100, 0)), Result((0, 100))


def _record(event: Event, db: Database, now: ClubNight, who: Who) -> ClubNight:
    return record(db, now, event, who)


class Evening:
    """An evening whose director acts without any page; of a club of its own unless one is given."""

    def __init__(self, app: Flask, director: Table | None = None) -> None:
        self.app, self.director = app, director or Table(app)
        if director is None:
            self.director.sit_down("the director")
        with self.director.store.write() as db:
            who = Who(self.director.session["phone"], now())
            self.id = begin_night(db, self.director.id, who).id
        self.director.store.release()

    @property
    def now(self) -> ClubNight:
        """The evening as it is stored."""
        found = load_night(self.director.store.db, self.director.id, self.id)
        assert found is not None
        return found

    @property
    def match(self) -> Match:
        """The newest match."""
        return self.now.night.matches[-1]

    def do(self, *events: Event) -> None:
        """Let something happen."""
        for event in events:
            self._write(partial(_record, event))

    def start(self, match: int) -> None:
        """Start a match that is paired."""
        self._write(lambda db, now, who: start_match(db, now, match, who))

    def close(self) -> None:
        """Close the match that runs with results by hand, and pair the next."""
        results = [Reported(self.match.number, n, WON, by_hand=True) for n in self.match.numbers]
        self.do(*results, Closed(self.match.number))
        self.do(pair_next(self.now.night))

    def end(self) -> None:
        """End the evening."""
        self.close()
        self.do(Ended())

    def undo(self) -> None:
        """Take the newest act back."""
        self._write(lambda db, now, who: undo(db, now, who, now.version))

    def game(self, number: int) -> str:
        """Return the id of the game at a table number."""
        return self.match.games[number]

    def slip(self, number: int) -> str:
        """Return the address of the slip of a table number."""
        key = link_key(self.now, ("slip", number), str(self.app.config["SECRET_KEY"]))
        return f"/club/{self.id}/tables/{number}/{key}"

    def keeper(self, number: int, phone: Table | None = None) -> Table:
        """Return a phone that has scanned the slip of a table, before the game that is on there.

        It is a phone that has joined no table, unless one is given.
        """
        phone = phone or Table(self.app)
        answer = phone.send(phone.page(self.slip(number)).form(self.slip(number)))
        assert answer.status_code == 303
        phone.id = self.director.id
        phone.game_id = self.match.games.get(number, "")
        return phone

    def _write(self, act: Callable[[Database, ClubNight, Who], object]) -> None:
        with self.director.store.write(self.director.id) as db:
            act(db, self.now, Who(self.director.session["phone"], now()))
        self.director.store.release()
