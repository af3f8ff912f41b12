"""A phone that keeps score and remembers what was acknowledged, to compare it later."""

import json
import random
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorekeeper.files.round_json import round_json
from scorekeeper.rules.entry import count_tricks, score_round
from scorekeeper.rules.game import GameState, fold
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet
from tests.browser.luck import Luck
from tests.faults.phone import Answer, Phone
from tests.rules.tables import with_bid

SEATS = ("North", "East", "South", "West")
LAST_DEALS = 3  # the seat that deals first
UNDO_CHANCE = 0.1  # of a tap that is taken back, and then brought back
WAIT_CHANCE = 0.2  # of a tap that is sent together with the next one


class Line(NamedTuple):
    """What the journal must say of a change that was acknowledged."""

    version: int
    kind: str
    round: int | None
    after: Round | None


class Sent(NamedTuple):
    """A form on its way, and the lines that it leads to, one for each tap."""

    path: str
    fields: dict[str, object]
    lines: list[Line]


class Played(NamedTuple):
    """A game as the phone that keeps it remembers it; `acknowledged` is when each line was."""

    id: str
    rules: RuleSet
    rounds: list[Round]
    lines: list[Line]
    acknowledged: list[float]
    dealer: int = LAST_DEALS

    @property
    def state(self) -> GameState:
        """The state that follows from what the phone was told."""
        return fold(self.rules, len(SEATS), self.dealer, self.rounds)

    def keep(self, line: Line) -> None:
        """Remember a change of the newest round, which was acknowledged."""
        assert line.round is not None
        self.lines.append(line)
        self.acknowledged.append(time.time())
        self.rounds[line.round - 1 :] = [line.after] if line.after else []


class Keeper:
    """Plays one game after the other, tap by tap, and retries what was not answered.

    `pending` is what is on its way: nobody knows yet whether it stands.
    """

    def __init__(self, phone: Phone, seed: int, rules: str = "cutthroat-lite") -> None:
        self.phone, self.number = phone, seed
        self.names = [f"{seat} {seed}" for seat in SEATS]
        self.rules = PRESETS[rules]
        self.dice = random.Random(seed)
        self.luck = Luck(len(SEATS), seed)
        self.games: list[Played] = []
        self.pending: Sent | None = None
        self.answers: list[Answer] = []
        self._taps: Iterator[Sent] = iter(())

    @property
    def acknowledged(self) -> int:
        """How many changes the server said it has kept."""
        return sum(len(game.lines) for game in self.games)

    @property
    def game(self) -> Played:
        """The game being played."""
        return self.games[-1]

    def begin(self) -> None:
        """Start a game; what was not answered is sent again just so."""
        players = {f"player-{seat}": name for seat, name in enumerate(self.names, 1)}
        fields = {"rules": self.rules.key, "first_dealer": LAST_DEALS + 1, **players}
        answer = self.phone.post("/games/new", **fields)
        assert answer.status == 303, answer.said
        self.sit(answer.location.rpartition("/")[2], LAST_DEALS)

    def sit(self, game_id: str, dealer: int) -> None:
        """Keep score of a game that has begun."""
        begun = Line(1, "begin", None, None)
        self.games.append(Played(game_id, self.rules, [], [begun], [time.time()], dealer))
        self._taps = self._of_a_game()

    def tap(self) -> None:
        """Make the next tap, with those that waited for it, or send what was not answered again."""
        sent = self.pending or next(self._taps, None)
        if sent is None:
            return self.begin()
        is_again, self.pending = sent is self.pending, sent
        answer = self.phone.post(f"/games/{self.game.id}/{sent.path}", **sent.fields)
        self.answers.append(answer)
        # The first of several that stand already is not the round as it is: the answer is the game.
        is_told = answer.status == 409 and is_again and len(sent.lines) > 1
        assert answer.status == 200 or is_told, f"{answer.said} after {sent}"
        assert answer.version == sent.lines[-1].version, f"{sent} led to {answer.version}"
        for line in sent.lines:
            self.game.keep(line)
        self.pending = None

    @property
    def is_over(self) -> bool:
        """Whether the game being played has been won."""
        return self.pending is None and self.game.state.phase == "over"

    def _of_a_game(self) -> Iterator[Sent]:
        game = self.game
        while (state := game.state).phase != "over":
            dealt, number = self.luck.deal(state), state.number
            steps = [("bids", seat) for seat in state.order]
            steps += [("tally", seat) for seat in state.order[:-1]]
            after = self._round(number)
            taps: list[tuple[str, Round]] = []  # the kind of each, and the round after it
            for what, seat in [*steps, ("tricks", 0)]:
                before = after if taps else self._round(number)  # in which others may have noted
                if what == "bids":
                    bid = dealt.bids[seat]
                    assert bid is not None
                    after = with_bid(before, seat, bid)
                else:
                    assert dealt.tricks is not None
                    if what == "tally":
                        count = dealt.tricks[seat]
                        after = count_tricks(state, number, before, seat, count)
                    else:
                        after = score_round(state, number, before._replace(tricks=dealt.tricks))
                taps.append(({"bids": "bid", "tricks": "scored"}.get(what, what), after))
                if what != "tricks" and self.dice.random() < WAIT_CHANCE:
                    continue
                rounds = rounds_text(*[round_ for _kind, round_ in taps])
                sent = self._sent(f"rounds/{number}/sent", number, taps, {"rounds": rounds})
                yield sent
                taps = []
                if self.dice.random() < UNDO_CHANCE and self.game.lines[-1] == sent.lines[-1]:
                    line = f"lines/{self.game.lines[-1].version}"
                    earlier = before if before != Round((None,) * len(SEATS)) else None
                    yield self._sent(f"{line}/undo", number, [("undo", earlier)], {})
                    yield self._sent(f"{line}/redo", number, [("redo", after)], {})

    def _sent(
        self,
        path: str,
        number: int,
        taps: Sequence[tuple[str, Round | None]],
        fields: dict[str, object],
    ) -> Sent:
        version = self.game.lines[-1].version
        lines = [
            Line(version + nth, kind, number, after) for nth, (kind, after) in enumerate(taps, 1)
        ]
        return Sent(path, {"seen" if fields else "version": version, **fields}, lines)

    def _round(self, number: int) -> Round:
        rounds = self.game.rounds
        return rounds[number - 1] if number <= len(rounds) else Round((None,) * len(SEATS))


def rounds_text(*rounds: Round) -> str:
    """Return the round after each of some taps, as a phone sends them."""
    return json.dumps([round_json(one) for one in rounds])
