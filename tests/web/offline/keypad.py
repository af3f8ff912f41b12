"""The keypad that the phone draws: what its parts say after some rounds of a game.

West deals the first round, so that North bids first.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from flask import Flask, render_template

from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store.games import Game
from scorekeeper.store.tables import OwnSeat
from tests.web.offline.conftest import Ask
from tests.web.offline.facts import page_facts
from tests.web.page import EMPTY, Page, text_of
from tests.web.play import PLAYERS

AT = "2026-01-03T20:15:00Z"
NIL, OPEN = Nil.NIL, (None,) * 4
LITE, PARTNERS, FORTY_ONE = (PRESETS[key] for key in ("cutthroat-lite", "partnership", "forty-one"))
CALL_BREAK = PRESETS["call-break"]
SIDES = replace(PARTNERS, bid_by="side", tricks_by="side", double_nil_points=None)
SCORED = Round((3, 2, NIL, 4), (3, 4, 0, 3))
TOO_LOW = Round((2, 2, 3, 3))
NORTH, EAST, SOUTH, WEST = range(4)


NUMBERS = [*map(str, range(1, 11))]


def bid(*bids: Any) -> Round:
    """Return a round that is being bid."""
    return Round((*bids, *OPEN)[:4])


def counted(*tally: int | None, bids: tuple[Any, ...] = (3, 2, NIL, 4)) -> Round:
    """Return a round whose tricks are being counted."""
    return Round(bids, None, (*tally, *OPEN)[:4])


class Keypad:
    """The parts of the keypad on a page."""

    def __init__(self, html: str) -> None:
        self.page = Page(re.sub(f"</({'|'.join(EMPTY)})>", "", html))

    def keys(self) -> list[str]:
        """What the keys say, each with what is written below it."""
        return [text_of(key) for key in self._keys()]

    def labels(self) -> list[str]:
        """What the keys enter."""
        return [key.get("value", "") for key in self._keys()]

    def places(self) -> str:
        """The places of the keypad: which have a key, and the one that was tapped."""
        (pad,) = self.page.all("div[@id='pad']")
        signs = [
            ("●" if key.get("aria-pressed") else "○") if key.tag == "button" else "·" for key in pad
        ]
        return "".join(signs)

    def disabled(self) -> dict[str, str]:
        """Why keys are disabled."""
        off = [key for key in self._keys() if key.get("aria-disabled") == "true"]
        assert all("disabled" in key.get("class", "") for key in off)
        return {key.get("value", ""): key.get("title", "") for key in off}

    def asked(self) -> int:
        """The seat that the keys fill, from 1; 0 for none."""
        seat = self.page.one("form[@id='entry']/input[@name='seat']").get("value", "")
        active = [row.get("id") for row in self.page.all("li") if "active" in _classes(row)]
        assert active == ([f"seat-row-{int(seat) - 1}"] if seat != "0" else [])
        return int(seat)

    def pad(self) -> str:
        """What a screen reader calls the keypad."""
        return self.page.one("div[@id='pad']").get("aria-label", "")

    def one_more(self) -> list[str]:
        """The buttons beside the seats, each a seat with its next count."""
        return [button.get("value", "") for button in self.page.all("button[@name='one']")]

    def score(self) -> str:
        """What the button that scores the round says, or in brackets why it cannot yet."""
        (button,) = self.page.all("form[@id='score']/button")
        off = button.get("aria-disabled") == "true"
        said = text_of(button.find(f"span[@class='counted']/{'small' if off else 'b'}"))
        return f"({said})" if off else said

    def slots(self) -> str:
        """The cards where the round stands, with the number of the seat that bid or took each."""
        stands = [part for part in self.page.all("*[@class]") if "stand" in _classes(part)]
        cards = [card for stand in stands for card in stand.findall("span[@class='cards']/i")]
        return "".join(card.get("class", "·")[-1] for card in cards)

    def marks(self) -> list[str]:
        """The marks at each seat: bid, taken, overtrick, or a Nil that failed."""
        signs = {"": "○", "on": "●", "bag": "+", "miss": "×"}
        rows = self.page.all("span[@class='seat-notes']")
        cards = [row.findall("span[@class='cards']/i") for row in rows]
        return ["".join(signs[card.get("class", "")] for card in row) for row in cards]

    def done(self) -> list[str]:
        """The seats that are finished with."""
        return [_name(row) for row in self.page.all("li") if "done" in _classes(row)]

    def filled(self) -> list[str]:
        """The counts that nobody entered."""
        return self.page.texts("b[@class='seat-count filled']")

    def blind(self) -> str:
        """The button for blind bids, in brackets while it is pressed."""
        return " ".join(
            f"({text_of(link)})" if link.get("aria-current") == "true" else text_of(link)
            for link in self.page.all("a[@id='blind']")
        )

    def notes(self) -> list[str]:
        """What stands below the names: what the round has brought, and hints, in short."""
        rows = self.page.all("span[@class='seat-notes']")
        return [
            " · ".join(_shown(note) for note in row if note.get("class") != "cards") for row in rows
        ]

    def error(self) -> list[str]:
        return self.page.texts("p[@id='message']")

    def deck(self) -> str:
        return " ".join(self.page.texts("div[@class='deck']"))

    def again(self) -> list[str]:
        return self.page.texts("form[@id='again']/button")

    def counts(self) -> list[str]:
        rows = [row for row in self.page.all("b[@class]") if "seat-count" in _classes(row)]
        return [text_of(row) for row in rows]

    def __getattr__(self, part: str) -> Callable[[], list[str]]:
        """Return what the elements of a class say, such as `seat_bid`."""
        return lambda: self.page.texts(f"*[@class='{part.replace('_', '-')}']")

    def _keys(self) -> list[Element]:
        return self.page.all("button[@form='entry']")


def _classes(element: Element) -> list[str]:
    return element.get("class", "").split()


def _name(row: Element) -> str:
    return text_of(row.findall(".//span[@class='seat-name']")[0])


class Row(NamedTuple):
    """The rounds of a game, and what the parts of the keypad then say."""

    rounds: list[Round]
    shown: Mapping[str, Any]
    rules: RuleSet = LITE
    chosen: int | None = None
    own: OwnSeat | None = None
    blind: bool = False
    error: str = ""
    names: tuple[str, ...] = PLAYERS[:4]


def game_of(row: Row) -> Game:
    rounds, rest = tuple(row.rounds), (WEST, None, AT, 7, AT)
    return Game("g", "t", row.rules, row.names, *rest, rounds, "ab12" * 10)


def drawn(app: Flask, ask: Ask, rows: Mapping[str, Row]) -> dict[str, Keypad]:
    """Return the keypads that the phone draws, by the sentences of the rows."""
    with app.test_request_context():
        pieces = render_template("offline/shell.html")
    questions = []
    for row in rows.values():
        facts = page_facts(game_of(row), row.own)
        view = {"chosen": row.chosen, "error": row.error, "known": [], "blind": row.blind, "at": 0}
        questions.append([pieces, facts, {**view, "everyRound": False}])
    return dict(zip(rows, map(Keypad, ask("gamePageOf", questions)), strict=True))


def _shown(note: Element) -> str:
    """Return a note without what is there for screen readers alone."""
    short = note.find("span[@aria-hidden='true']")
    return text_of(note if short is None else short)
