"""A phone that goes on while its requests and their answers are lost on the way."""

import json
import random
from itertools import groupby
from typing import Any
from urllib.parse import parse_qsl

from scorekeeper.rules.round import Round
from scorekeeper.store.change_events import events_since
from scorekeeper.store.changes import changes_of
from tests.properties import counts
from tests.web.offline.conftest import Ask
from tests.web.play import Table
from tests.web.taps import send, undo_or_redo

OWN = (0, 1, 2)  # the seats whose bids only this phone enters
LOST = 0.3  # of all requests, and of all answers
ARRIVED = {"unsent": 0, "conflicts": [], "refused": None}
TAPS = {"next": 24, "undo": 4, "redo": 2, "correct": 1, "misdeal": 1}  # how often each is made
TRIES = 8  # by then everything must have arrived on a good line


class Line:
    """A phone of a table, and what it exchanges with the server; another phone plays too."""

    def __init__(self, table: Table, ask: Ask, seed: int) -> None:
        self.table, self.chance, self._ask = table, random.Random(seed), ask
        self.other, self.is_good = table.second_phone(), False
        ask("begin", [table.get(f"{table.path}/phone.json").get_json()])

    @property
    def shown(self) -> dict[str, Any]:
        """The rounds that the phone shows, and what of them has not arrived."""
        return self.ask("shown")

    def ask(self, what: str, *more: object) -> Any:
        """Let the phone do something with the game."""
        game_id = self.table.game_id
        return self._ask(what, [[game_id, *more] if more else game_id])[0]

    def tap(self) -> None:
        """Make a tap, or take one back."""
        raise NotImplementedError

    def send(self) -> None:
        """Send what is unsent, until nothing is or something is lost; meanwhile taps go on."""
        request = self.ask("send")
        while request:
            answer = None if self._is_lost() else self._answer(*request)
            for _ in range(0 if self.is_good else self.chance.choice((0, 0, 1, 2))):
                self.tap()
            if answer and self.chance.random() < LOST:
                self.hear()
            request = self._ask("carry", [None if self._is_lost() else answer])[0]

    def hear(self) -> None:
        """Tell the phone the changes that it has not seen, as its stream does."""
        game, seen = self.table.game, int(self.shown["revision"].partition("-")[0])
        for event in events_since(self.table.store.db, game.table_id, game.id, seen):
            content = json.loads(event.content)
            if "after" in content:
                self.ask("hear", {"version": event.version, **content})

    def choose(self) -> None:
        """Let the table choose, where both phones have recorded a round differently."""
        self.ask("choose", self.chance.random() < 0.5)

    def arrive(self) -> None:
        """Send on a good line until everything has arrived."""
        self.is_good = True
        for _ in range(TRIES):
            self.choose()
            self.send()
            if self.shown["waits"] == ARRIVED:
                break
        shown, stored = self.shown, [as_shown(round_) for round_ in self.table.game.rounds]
        assert (shown["waits"], shown["rounds"]) == (ARRIVED, stored)

    def _is_lost(self) -> bool:
        return not self.is_good and self.chance.random() < LOST

    def _answer(self, path: str, body: str | None, headers: dict[str, str]) -> dict[str, Any]:
        if body is None:
            answer = self.table.get(path, headers=headers)
        else:
            answer = self.table.post(path, dict(parse_qsl(body, keep_blank_values=True)))
        text, kept = answer.get_data(as_text=True), dict(answer.headers)
        return {"status": answer.status_code, "headers": kept, "body": text}


class Bidding(Line):
    """This phone bids for three seats, the other one once for the last seat."""

    def __init__(self, table: Table, ask: Ask, seed: int) -> None:
        super().__init__(table, ask, seed)
        self.has_bid_elsewhere = False
        self.seen = [self.bids]  # the phone's own after each of its taps

    @property
    def bids(self) -> list[Any]:
        """What the phone shows for its own seats."""
        rounds = self.shown["rounds"]
        return rounds[0][0][:3] if rounds else [None] * 3

    def tap(self) -> None:
        what = self.chance.choice(("enter", "enter", "enter", "undo", "redo"))
        bid = [self.chance.choice(OWN), self.chance.randint(1, 4)] if what == "enter" else []
        self.ask("tap", what, *bid)
        self.seen.append(self.bids)

    def go_on_elsewhere(self) -> None:
        """Let the other phone bid, unless it has."""
        if not self.has_bid_elsewhere:
            bids = ["" if bid is None else bid for bid in self.table.game.round(1).bids]
            assert send(self.other, 1, bids=(*bids[:3], 2)).status_code == 200
            self.has_bid_elsewhere = True

    def recorded(self) -> list[list[Any]]:
        """Return the phone's own bids after each line of the journal that changed them."""
        changes = changes_of(self.table.store.db, self.table.game, 1)
        bids = [[*one.after.bids[:3]] if one.after else [None] * 3 for one in changes]
        return [bids for bids, _same in groupby([[None] * 3, *bids])]


class Playing(Line):
    """Both phones play the whole game, and take back and correct what either has entered."""

    def tap(self) -> None:
        (what,) = self.chance.choices([*TAPS], [*TAPS.values()])
        taken = [self.chance.randrange(4) for _ in range(10)]
        counts = [taken.count(seat) for seat in range(4)]
        self.ask("play", what, self.chance.randint(1, 4), counts)

    def go_on_elsewhere(self) -> None:
        """Let the other phone undo what is newest, correct a round, or bid."""
        game, number = self.table.game, self.table.state.number
        scored = [n for n, round_ in enumerate(game.rounds, 1) if round_.tricks]
        if self.chance.random() < 0.4:
            undo_or_redo(self.other, "undo", game.head)
        elif scored:
            n = self.chance.choice(scored)
            bids, tricks = game.round(n)[:2]
            assert tricks is not None
            send(self.other, n, bids=bids, tricks=self.chance.sample(tricks, len(tricks)))
        else:
            bids = tuple("" if bid is None else bid for bid in game.round(number).bids)
            send(self.other, number, bids=(*bids[:3], self.chance.randint(1, 4)))


@counts("times", 10, 30)
def test_the_journal_has_what_a_phone_showed_in_order(table: Table, ask: Ask, times: int) -> None:
    for seed in range(times):
        table.begin()
        line = Bidding(table, ask, seed)
        steps = [*[line.tap] * 3, *[line.send] * 2, line.hear, line.go_on_elsewhere]
        for _ in range(30):
            line.chance.choice(steps)()
        line.arrive()
        assert line.bids == line.seen[-1]
        assert is_part(line.recorded(), line.seen)


@counts("times", 5, 10)
def test_two_phones_that_play_come_to_the_same_game(table: Table, ask: Ask, times: int) -> None:
    for seed in range(times):
        table.new_game(target=900)
        line = Playing(table, ask, seed)
        steps = [*[line.tap] * 8, *[line.send] * 3, *[line.choose] * 2, line.hear]
        for _ in range(90):
            line.chance.choice([*steps, line.go_on_elsewhere])()
        line.arrive()


def as_shown(round_: Round) -> list[Any]:
    """Return a round as the phone tells it."""
    return [cells and [*cells] for cells in round_[:3]]


def is_part(some: list[Any], whole: list[Any]) -> bool:
    """Return whether a list is left of another one if some of that are taken away."""
    rest = iter(whole)
    return all(one in rest for one in some)
