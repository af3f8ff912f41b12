"""A whole game of chance at a phone: what is entered in forms, or what its script sends.

Nothing of the rules is known here but how many tricks a round has. A refused bid is recorded
like any other, and the next one is tried.
"""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from werkzeug.test import TestResponse

from tests.recording.recorder import Phone

PLAYERS = ("North", "East", "South", "West", "Centre", "Above", "Below")
MOST_ROUNDS = 12  # then the next one is called the last
MOST_DEALS = 20  # of a round until it is scored
Facts = dict[str, Any]


class Game:
    """A game before a phone, and a program that is asked for the scores after each round."""

    def __init__(self, phone: Phone, rules: str, players: int = 4, **fields: Any) -> None:
        self.phone, self.players = phone, players
        self.luck = random.Random(phone.server.evening.name)
        names = {f"player_{n}": name for n, name in enumerate(PLAYERS[:players], 1)}
        phone.get(f"/games/new?rules={rules}")
        empty = {f"player_{n}": "" for n in range(players + 1, len(PLAYERS) + 1)}
        chosen = {"rules": rules, "seats": players, **names, **empty, **fields}
        started = phone.post("/games/new", **chosen)
        assert started.status_code == 303, (rules, players, started.get_data(as_text=True)[-3000:])
        phone.path = self.path = started.location
        self.program = phone.server.program()
        self.number = 1
        facts = self.facts()
        self.rules, self._first_dealer = facts["rules"], facts["first_dealer"]

    def facts(self) -> Facts:
        """Fetch what the phone keeps of the game."""
        facts: Facts = self.phone.get(f"{self.path}/phone.json").get_json()["game"]
        return facts

    def round(self, what: str = "", number: int | None = None) -> str:
        """Return an address under a round, the one being played unless another is named."""
        return f"{self.path}/rounds/{number or self.number}{what}"

    def is_over(self) -> bool:
        """Ask the API how the game stands; it says which round is played."""
        shown = self.program.get(f"/api{self.path}").get_json()
        self.number = shown["round"]
        return bool(shown["phase"] == "over")

    def order(self) -> list[int]:
        """Return the seats, counted from 1, in the order in which they bid."""
        step = 1 if self.rules["clockwise"] else -1
        dealer = self._first_dealer + step * (self.number - 1)
        return [(dealer + step * n) % self.players + 1 for n in range(1, self.players + 1)]

    @property
    def tricks(self) -> int:
        """How many tricks the round has, by the list of the rules as far as the pack goes."""
        most = min(self.rules["tricks"], self.rules.get("pack", 52) // self.players)
        plan: list[int] = []
        for walk in (self.rules.get("cards") or f"{most}").split(","):
            first, _, last = walk.partition("-")
            low, high = int(first), int(last or first)
            step = 1 if low <= high else -1
            plan += [cards for cards in range(low, high + step, step) if cards <= most]
        return plan[(self.number - 1) % len(plan)]

    def bids_to_try(self) -> Iterator[object]:
        """Yield bids until one is accepted: now and then a bad one, else from a fair one on."""
        chance = self.luck.random()
        if chance < 0.03:
            yield self.luck.choice(["zz", "", "99", "-1", "1.5", "٣"])
        elif chance < 0.15:
            yield "nil"
        elif chance < 0.2:
            yield "blind nil"
        elif chance < 0.23:
            yield 0
        fair = self.tricks // self.players
        first = max(1, fair + self.luck.choice((-2, -1, -1, 0, 0, 0, 1, 1, 2)))
        yield from range(first, self.tricks + 1)
        yield from range(first)

    def deal_tricks(self, bids: list[object]) -> list[int]:
        """Return how many tricks each of some seats takes, about what it has bid."""
        wanted = [int(bid) if str(bid).isdecimal() else 0 for bid in bids]
        taken = [0] * len(bids)
        for _ in range(self.tricks):
            weights = [
                0.15 + 3 * max(0, want - own) for want, own in zip(wanted, taken, strict=True)
            ]
            taken[self.luck.choices(range(len(bids)), weights)[0]] += 1
        return taken

    # By the form of a round, as without scripts

    def enter(self, /, **cells: Any) -> int:
        """Fill some cells of the round's form in, and return the status of the answer."""
        return self.phone.fill("round", self.round(), **cells).status_code

    def asked(self, what: str) -> list[int]:
        """Return the seats, in the order in which they bid, for which the form has such cells."""
        fields = self.phone.form("round", self.round()).fields
        return [seat for seat in self.order() if f"{what}-{seat}" in fields]

    def enter_bids(self) -> list[object]:
        """Enter a bid for each seat in turn."""
        bids: list[object] = [None] * self.players
        for seat in self.asked("bid"):
            for bid in self.bids_to_try():
                if bid != "" and self.enter(**{f"bid_{seat}": bid}) == 303:
                    bids[seat - 1] = bid
                    break
        return bids

    def enter_tricks(self, bids: list[object]) -> None:
        """Enter how many tricks each seat took: all, or all but the last, which is filled in."""
        seats = self.asked("tricks")
        taken = self.deal_tricks([bids[seat - 1] for seat in seats])
        counts = {f"tricks_{seat}": count for seat, count in zip(seats, taken, strict=True)}
        last = f"tricks_{seats[-1]}"
        if self.luck.random() < 0.15:
            self.enter(**counts | {last: 14})
        if self.luck.random() < 0.3:
            self.enter(**counts | {last: ""})
            self.enter(score="yes")
        else:
            self.enter(**counts)

    def enter_round(self) -> bool:
        """Enter a round from its first bid to its score, and return whether the game is over."""
        self.is_over()  # a round may have been undone
        return self._deal_until_scored(lambda: self.enter_tricks(self.enter_bids()))

    # As the phone's script sends them

    def send(self, version: str = "", number: int | None = None, /, *taps: Facts) -> int:
        """Send a round as it is after some taps, and return the status of the answer."""
        seen = version or self.phone.revision
        return self.post_taps(self.phone, seen, number, *taps).status_code

    def post_taps(
        self, phone: Phone, seen: str, number: int | None = None, /, *taps: Facts
    ) -> TestResponse:
        """Send a round as it is after some taps from any phone."""
        rounds = json.dumps([{"tricks": None, **one} for one in taps])
        return phone.post(self.round("/sent", number), seen=seen, rounds=rounds)

    def bids_of(self, bids: dict[int, object] | None = None) -> Facts:
        """Return a round with the bids of some seats, as a phone sends it."""
        found = bids or {}
        return {"bids": [found.get(seat) for seat in range(1, self.players + 1)]}

    def send_bids(self) -> Facts:
        """Send a round after each bid, and return its bids."""
        bids: dict[int, object] = {}
        for seat in self.order():
            for bid in self.bids_to_try():
                if self.send("", None, self.bids_of({**bids, seat: bid})) == 200:
                    bids[seat] = bid
                    break
        return self.bids_of(bids)

    def send_tricks(self, bids: Facts) -> None:
        """Send a round after each count of tricks in one request, and then its score."""
        taken = self.deal_tricks(bids["bids"])
        tally: list[int | None] = [None] * self.players
        states = []
        for seat in self.order()[:-1]:
            tally[seat - 1] = taken[seat - 1]
            states.append({**bids, "tally": [*tally]})
        self.send("", None, *states)
        if self.luck.random() < 0.15:
            self.send("", None, {**bids, "tricks": [taken[0] + 1, *taken[1:]]})
        self.send("", None, {**bids, "tricks": taken})

    def send_round(self) -> bool:
        """Send a round from its first bid to its score, and return whether the game is over."""
        return self._deal_until_scored(lambda: self.send_tricks(self.send_bids()))

    def _deal_until_scored(self, play: Callable[[], None]) -> bool:
        """Play a round, again where its bids were too low, and return whether the game is over."""
        if self.number > MOST_ROUNDS:
            self.phone.post(self.round("/last"))
        number = self.number
        for _ in range(MOST_DEALS):
            play()
            is_over = self.is_over()
            if is_over or self.number > number:
                return is_over
            self.phone.post(self.round("/misdeal"))
        raise AssertionError(f"round {number} was never scored")

    # Looking

    def look_at_all(self) -> None:
        """Ask for every page and file of the game."""
        phone = self.phone
        for what in (
            "", "/rules", "/result", "/sheet", "/changes", "/share", "/removal", "/rules/change",
            "/picture.svg", "/phone.json", ".csv", ".json",
        ):  # fmt: skip
            phone.get(self.path + what)
        for number in range(1, self.number + 2):
            phone.get(self.round(number=number))
