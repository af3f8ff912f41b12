"""Random games, legal and not, reproducible by their seed."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorekeeper.rules.bidding import (
    Bid,
    Bids,
    Nil,
    blind_bid,
    blind_bids,
    calls,
    number_bid,
    possible_bids,
    refusal,
)
from scorekeeper.rules.entry import Tally
from scorekeeper.rules.game import fold, sides_of
from scorekeeper.rules.penalties import (
    MAX_BONUS,
    REASONS,
    RECEIVERS,
    UNSIZED,
    Penalty,
    check_penalties,
)
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Notes, Round
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, RulesRefused
from scorekeeper.rules.seating import Substitute, Substitutes, check_seating, seats_after
from scorekeeper.rules.value_kinds import Number, Sizes, Steps, Switch
from scorekeeper.rules.values import LARGEST

STARTERS = ("Ana", "Ben", "Cy", "Dana", "Gus", "Hal", "Ida", "Jo", "Kit", "Lou")
SIZES = [(2,), (2, 3, 4), (4, 6), (6,), (5, 6, 7), (2, 3, 4, 5, 6, 7, 8, 9, 10)]
MAX_ROUNDS = 20
EARLY = 4  # rounds
NEAR = (20, 90, 200)  # points to the target
MOST_CHANGES = 16  # of a rule book; with more of them few games would last
SCALES = (3, 10, 40, 150, 600)  # points or tricks: small values meet often, large ones end games
STEPS = {
    "call_values": [None, "1-6:1,7-13:2", "2-4:1,5-8:2,9-10:3,11-13:4,5-6:1@30", "3-3:9@1"],
    "minimum_by_total": [None, "10:2", "30:3,40:4,50:5"],
    "cards": [None, "10-1,2-10", "1-13", "3,1,2", "5-1"],
    "trump_order": [None, "s,d,c,h", "h,n"],
    "worth": [None, "0:5,10-13:40/40", "0:10c/10c,3:7/=", "1-3:50/50=,b2:9c", "b4-6:100/100"],
    "bids_at_least_by_total": [None, "30:12,40:13,50:14", "1:4"],
}
Entry = tuple[Any, ...]


@dataclass(frozen=True)
class Case:
    """A game, and what is tried on top of it: entries, and trick counts to look ahead from."""

    rules: RuleSet
    players: int
    first_dealer: int
    rounds: list[Round]
    entries: list[Entry]
    tally: Tally


class Luck:
    """Draws games from a seed."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)

    def maybe(self, chance: float) -> bool:
        return self.dice.random() < chance

    def case(self) -> Case:
        rules = self.rules()
        players = self.dice.choice(rules.table_sizes)
        dealer = self.dice.randrange(players)
        rounds = self.rounds(rules, players, dealer)
        entries = [self.entry(rules, players, rounds) for _ in range(8)]
        last = rounds[-1].notes.cards if rounds else None
        tally = self.tally(rules.in_round(max(1, len(rounds)), players, last), players)
        if rounds and self.maybe(0.4):
            rules, rounds = self.near_the_target(rules, players, dealer, rounds)
        return Case(rules, players, dealer, rounds, entries, tally)

    def near_the_target(
        self, rules: RuleSet, players: int, dealer: int, rounds: list[Round]
    ) -> tuple[RuleSet, list[Round]]:
        """The same game in an early round that is bid and may reach the target."""
        *scored, last = rounds[: self.dice.randint(1, EARLY)]
        state = fold(replace(rules, target=None, rounds=MAX_ROUNDS), players, dealer, scored)
        target = self.dice.choice(state.standing.totals) + self.dice.randint(
            0, self.dice.choice(NEAR)
        )
        open_ = last._replace(tricks=None, tally=None)
        return replace(rules, target=min(max(1, target), LARGEST)), [*scored, open_]

    def rules(self) -> RuleSet:
        """A rule book as it is, or with any of its values changed; often one to come and go in."""
        rules = PRESETS[self.dice.choice([*sorted(PRESETS), *["cutthroat-lite"] * 4])]
        if self.maybe(0.2):
            return rules
        names = self.dice.sample(sorted(HOUSE_RULES), self.dice.randint(1, MOST_CHANGES))
        for name in names:
            try:
                rules = replace(rules, **{name: self.value(name)})
            except RulesRefused:
                continue
        return rules

    def value(self, name: str) -> Any:
        kind = HOUSE_RULES[name]
        if isinstance(kind, Switch):
            return self.maybe(0.5)
        if isinstance(kind, Steps):
            return self.dice.choice(STEPS[name])
        if isinstance(kind, Sizes):
            return self.dice.choice(SIZES)
        if not isinstance(kind, Number):
            return self.dice.choice(kind.words)
        if kind.off and self.maybe(0.3):
            return None
        scale = self.dice.choice(SCALES)
        value = self.dice.randint(max(kind.low, -scale), min(kind.high, max(scale, kind.low)))
        # Limits in tens are often met to the point.
        return value - value % 10 if value > 10 and self.maybe(0.5) else value

    def rounds(self, rules: RuleSet, players: int, dealer: int) -> list[Round]:
        """Rounds that go on past the end of the game at times; the last may be unfinished."""
        legal = self.maybe(0.5)
        restless = self.maybe(0.5)
        rounds: list[Round] = []
        for number in range(1, self.dice.randint(0, MAX_ROUNDS) + 1):
            seats = self.seats(rules, players, rounds) if restless else ()
            cards = self.cards(rules, players) if restless else None
            coming = Round((None,) * players).noted(substitutes=seats, cards=cards)
            bids = self.legal_bids(rules, players, dealer, rounds, coming) if legal else None
            if rules.first_round_bids_itself and number == 1:
                bids = (None,) * players
            own = rules.in_round(number, players, cards)
            bids = bids or self.bids(own, players)
            penalties = self.penalties(rules, players) if self.maybe(0.2) else ()
            last = self.maybe(0.03)
            empty = self.empty_after(players, rounds, seats)
            bids = tuple(None if seat in empty else bid for seat, bid in enumerate(bids))
            tricks = self.tricks(own, bids, empty)
            remark = self.dice.choice(["", "", "At the lake"])
            start, bags = self.start(rules, players) if number == 1 else ((), ())
            notes = Notes(
                penalties=penalties,
                last_round=last,
                substitutes=seats,
                remark=remark,
                cards=cards,
                start=start,
                start_bags=bags,
                trump=self.dice.choice([None, None, "s", "n"]),
            )
            rounds.append(Round(bids, tricks, None, notes))
        if rounds and self.maybe(0.5):
            notes = replace(rounds[-1].notes, remark="")
            own = rules.in_round(len(rounds), players, notes.cards)
            rounds[-1] = self.unfinished(own, rounds[-1].bids)._replace(notes=notes)
        return rounds

    def start(self, rules: RuleSet, players: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Totals and bags that a game begins with, now and then."""
        if self.maybe(0.8):
            return (), ()
        sides = len(sides_of(rules, players))
        own = players if rules.totals_by == "seat" else sides
        most = (rules.target or 100) - 1
        bags = [self.dice.randrange(rules.bag_limit or 1) for _ in range(sides)]
        return (
            tuple(self.dice.randint(-most, most) for _ in range(own)),
            tuple(bags) if any(bags) else (),
        )

    def cards(self, rules: RuleSet, players: int) -> int | None:
        """Other cards for a round than those of the list, now and then."""
        if rules.cards is None or self.maybe(0.7):
            return None
        return self.dice.randint(*rules.cards_range(players))

    def seats(self, rules: RuleSet, players: int, rounds: Sequence[Round]) -> Substitutes:
        """Who takes or leaves a seat, if the rules let somebody."""
        seat = self.dice.randrange(players)
        if self.maybe(0.2):
            return self.swap(players, rounds)
        one = Substitute(seat, self.dice.choice([None, None, STARTERS[seat], "Eve", "Fay"]))
        seated = [*(round_.notes.substitutes for round_ in rounds), (one,)]
        if self.maybe(0.7) or check_seating(rules, STARTERS[:players], seated):
            return ()
        return (one,)

    def swap(self, players: int, rounds: Sequence[Round]) -> Substitutes:
        """Two players who change seats."""
        now = seats_after(STARTERS[:players], (round_.notes.substitutes for round_ in rounds))
        one, other = sorted(self.dice.choices(now.taken, k=2))
        if one == other:
            return ()
        return Substitute(one, now.names[other]), Substitute(other, now.names[one])

    def empty_after(
        self, players: int, rounds: Sequence[Round], seats: Substitutes
    ) -> tuple[int, ...]:
        """The seats that are empty in the next round."""
        seated = [*(round_.notes.substitutes for round_ in rounds), seats]
        return seats_after(STARTERS[:players], seated).empty

    def penalties(self, rules: RuleSet, players: int) -> tuple[Penalty, ...]:
        """Penalties that can be given, one to three."""
        wishes = [self.penalty(rules, players) for _ in range(3)]
        return tuple(one for one in wishes if not check_penalties(rules, [one]))

    def penalty(self, rules: RuleSet, players: int) -> Penalty:
        """A penalty that need not be possible."""
        if self.maybe(0.3):
            points = self.dice.choice([0, -1, 5, 20, -200, 1000, MAX_BONUS, MAX_BONUS + 1])
            words = self.dice.choice(["", "Handicap", "शर्त हारी: 5", "x" * 61])
            return Penalty(self.dice.randrange(players), "bonus", points, "nobody", words)
        return Penalty(
            self.dice.randrange(players),
            kind := "lost" if self.maybe(0.05) else self.dice.choice(("books", "points", "set")),
            1
            if kind in UNSIZED
            else self.dice.choice([0, 1, 2, 3, 3, rules.tricks + self.maybe(0.1), 30, 1001]),
            self.dice.choice(RECEIVERS) if kind == "books" or self.maybe(0.1) else "nobody",
            self.dice.choice(REASONS),
        )

    def unfinished(self, rules: RuleSet, bids: Bids) -> Round:
        if self.maybe(0.5):
            return Round(tuple(bid if self.maybe(0.6) else None for bid in bids))
        return Round(bids, None, self.tally(rules, len(bids)) if self.maybe(0.7) else None)

    def legal_bids(
        self,
        rules: RuleSet,
        players: int,
        dealer: int,
        rounds: Sequence[Round],
        coming: Round,
    ) -> Bids | None:
        state = fold(rules, players, dealer, [*rounds, coming], starters=STARTERS[:players])
        if state.phase == "over" and self.maybe(0.7):
            return None
        rules = state.round_rules
        every = [*possible_bids(rules), *blind_bids(rules)]
        bids: Bids = (None,) * players
        for seat in state.bidders:
            wishes = self.dice.sample(every, len(every))
            legal = (bid for bid in wishes if not refusal(state.table, bids, seat, bid))
            bid = next(legal, wishes[0])
            bids = (*bids[:seat], bid, *bids[seat + 1 :])
        return bids

    def bids(self, rules: RuleSet, players: int) -> Bids:
        """Bids that need not be legal; often all the same, so that sides tie."""
        callers = players if self.maybe(0.1) else calls(rules, players)
        nobody: Bids = (None,) * (players - callers)
        if self.maybe(0.15):
            return (self.call(rules),) * callers + nobody
        return tuple(self.call(rules) for _ in range(callers)) + nobody

    def call(self, rules: RuleSet) -> Bid:
        if self.maybe(0.25):
            return self.dice.choice([Nil.NIL, Nil.BLIND])
        if self.maybe(0.3 if rules.blind_bid_from else 0.02):
            return blind_bid(self.dice.randint(1, rules.tricks + 1))
        return self.dice.randint(0, rules.tricks + 1)

    def tricks(self, rules: RuleSet, bids: Bids, empty: Sequence[int] = ()) -> tuple[int, ...]:
        """All the tricks of a round that go to somebody, mostly to those who bid them."""
        counts = [0] * len(bids)
        lost = self.dice.randint(0, rules.lost_tricks)
        for seat, bid in enumerate(bids):
            if (number := number_bid(bid)) is not None and self.maybe(0.7):
                counts[seat] = min(number, rules.tricks - sum(counts))
        while (left := rules.tricks - lost - sum(counts)) > 0:
            takers = [seat for seat in range(len(bids)) if seat not in empty]
            counts[self.dice.choice(takers)] += self.dice.randint(1, left)
        return tuple(counts)

    def tally(self, rules: RuleSet, players: int) -> Tally:
        """Counts on their way: complete, with one or more open, or too many."""
        counts = self.tricks(rules, self.bids(rules, players))
        open_seats = self.dice.sample(range(players), self.dice.choice([0, 1, 1, 2, players]))
        tally: list[int | None] = [
            None if seat in open_seats else n for seat, n in enumerate(counts)
        ]
        if self.maybe(0.1):
            tally[self.dice.randrange(players)] = self.dice.randint(0, rules.tricks)
        return tuple(tally)

    def entry(self, rules: RuleSet, players: int, rounds: Sequence[Round]) -> Entry:
        """A step of entering a round, now or as a correction; most are refused."""
        number = self.dice.randint(1, len(rounds) + 1)
        known = rounds[number - 1].notes.cards if number <= len(rounds) else None
        cards = self.dice.randint(0, (rules.pack // players) + 1)
        rules = rules.in_round(number, players, known)
        round_ = rounds[number - 1] if number <= len(rounds) else Round(self.bids(rules, players))
        if self.maybe(0.2):
            round_ = round_._replace(
                bids=tuple(b if self.maybe(0.7) else None for b in round_.bids)
            )
        seat = self.dice.randrange(players)
        match self.dice.choice(
            ["bid", "bid", "count", "score", "misdeal", "penalty", "last", "cards"]
        ):
            case "bid":
                return "placeBid", number, round_, seat, self.call(rules)
            case "count":
                count = self.dice.randint(-1, rules.tricks + 1)
                round_ = round_._replace(tally=self.dice.choice([None, self.tally(rules, players)]))
                return "countTricks", number, round_, seat, count, self.maybe(0.5)
            case "score":
                before = self.dice.choice([None, round_, self.changed(rules, round_)])
                return "scoreRound", number, self.wrong_now_and_then(rules, round_), before
            case "penalty":
                given = (self.penalty(rules, players),) * self.dice.choice([0, 0, 0, 1, 12])
                round_ = round_.noted(penalties=given)
                return "givePenalty", number, round_, self.penalty(rules, players)
            case "last":
                return "callLastRound", number, round_
            case "cards":
                return "dealCards", number, round_, cards
        return "misdeal", number, round_

    def changed(self, rules: RuleSet, round_: Round) -> Round:
        seat = self.dice.randrange(len(round_.bids))
        bids = (*round_.bids[:seat], self.call(rules), *round_.bids[seat + 1 :])
        return round_._replace(bids=bids)

    def wrong_now_and_then(self, rules: RuleSet, round_: Round) -> Round:
        tricks = list(round_.tricks or self.tricks(rules, round_.bids))
        if self.maybe(0.4):
            tricks[self.dice.randrange(len(tricks))] += self.dice.choice([-2, -1, 1, 30])
        return round_._replace(tricks=tuple(tricks) if self.maybe(0.9) else None)
