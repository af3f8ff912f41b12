"""A phone that goes on while its requests and their answers are lost on the way."""

import json
import random
from itertools import groupby
from typing import Any
from urllib.parse import parse_qsl

from scorekeeper.store.change_events import events_since
from scorekeeper.store.changes import changes_of
from tests.properties import counts
from tests.web.offline.conftest import Ask
from tests.web.play import Table
from tests.web.taps import send

OWN = (0, 1, 2)  # the seats whose bids the phone enters; another phone enters that of the last one
STEPS = 30
LOST = 0.3  # of all requests, and of all answers


class Line:
    """A phone of a table, and the requests and answers that it exchanges with the server."""

    def __init__(self, table: Table, ask: Ask, seed: int) -> None:
        self.table, self.ask, self.chance = table, ask, random.Random(seed)
        self.other, self.has_bid_elsewhere = table.second_phone(), False
        self.is_good = False
        ask("begin", [table.get(f"{table.path}/phone.json").get_json()])
        self.seen = [self.shown["bids"][:3]]  # the phone's own bids after each of its taps

    @property
    def shown(self) -> dict[str, Any]:
        """What the phone shows of the round, and what it has not sent."""
        found: dict[str, Any] = self.ask("shown", [self.table.game_id])[0]
        return found

    def tap(self) -> None:
        """Enter a bid, or take a tap back, or bring it back."""
        what = self.chance.choice(("enter", "enter", "enter", "undo", "redo"))
        bid = [self.chance.choice(OWN), self.chance.randint(1, 4)] if what == "enter" else []
        self.ask("tap", [[self.table.game_id, what, *bid]])
        self.seen.append(self.shown["bids"][:3])

    def send(self) -> None:
        """Send what is unsent, until nothing is or something is lost; meanwhile taps go on."""
        request = self.ask("send", [self.table.game_id])[0]
        while request:
            answer = None if self._is_lost() else self._answer(*request)
            for _ in range(0 if self.is_good else self.chance.choice((0, 0, 1, 2))):
                self.tap()
            if answer and self.chance.random() < LOST:
                self.hear()
            request = self.ask("carry", [None if self._is_lost() else answer])[0]

    def hear(self) -> None:
        """Tell the phone the changes that it has not seen, as its stream does."""
        game = self.table.game
        seen = int(self.shown["revision"].partition("-")[0])
        for event in events_since(self.table.store.db, game.table_id, game.id, seen):
            self.ask("hear", [[game.id, {"version": event.version, **json.loads(event.content)}]])

    def bid_elsewhere(self) -> None:
        """Let the other phone bid for its seat, once."""
        if not self.has_bid_elsewhere:
            bids = ["" if bid is None else bid for bid in self.table.game.round(1).bids]
            assert send(self.other, 1, bids=(*bids[:3], 2)).status_code == 200
            self.has_bid_elsewhere = True

    def _is_lost(self) -> bool:
        return not self.is_good and self.chance.random() < LOST

    def _answer(self, path: str, body: str | None, headers: dict[str, str]) -> dict[str, Any]:
        if body is None:
            answer = self.table.get(path, headers=headers)
        else:
            answer = self.table.post(path, dict(parse_qsl(body, keep_blank_values=True)))
        text, kept = answer.get_data(as_text=True), dict(answer.headers)
        return {"status": answer.status_code, "headers": kept, "body": text}


@counts("times", 20, 400)
def test_each_tap_arrives_once_and_nothing_is_lost(table: Table, ask: Ask, times: int) -> None:
    for seed in range(times):
        table.begin()
        line = Line(table, ask, seed)
        steps = [line.tap, line.tap, line.tap, line.send, line.send, line.hear, line.bid_elsewhere]
        for _ in range(STEPS):
            line.chance.choice(steps)()
        line.is_good = True
        line.send()
        shown, stored = line.shown, [*table.game.round(1).bids]
        assert (shown["unsent"], shown["conflicts"], shown["refused"]) == (0, [], None), seed
        assert shown["bids"] == stored, seed
        assert shown["bids"][:3] == line.seen[-1], seed
        assert is_part(recorded(table), line.seen), seed


def recorded(table: Table) -> list[list[Any]]:
    """Return the bids of the phone's own seats after each line of the journal that changed them."""
    rounds = [change.after for change in changes_of(table.store.db, table.game, 1)]
    bids = [[*round_.bids[:3]] if round_ else [None] * 3 for round_ in rounds]
    return [bids for bids, _same in groupby([[None] * 3, *bids])]


def is_part(some: list[Any], whole: list[Any]) -> bool:
    """Return whether a list is left of another one if some of that are taken away."""
    rest = iter(whole)
    return all(one in rest for one in some)
