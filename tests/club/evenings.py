"""Random club nights, played event by event, in which every match is looked at as it starts."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from scorekeeper.club.events import (
    SINGLES,
    Closed,
    Ended,
    Entered,
    Event,
    Format,
    KnockOutFollows,
    Left,
    Paired,
    Penalised,
    Plan,
    PlayedOff,
    Reopened,
    Replaced,
    Reported,
    Returned,
    SetUp,
    Started,
)
from scorekeeper.club.match import Match, Result
from scorekeeper.club.next_match import pair_next, planned, with_what_follows
from scorekeeper.club.night import Night, NightRefused, after
from scorekeeper.club.standings import CRITERIA, Criterion, Penalty, Scoring

FEWEST, MOST = 4, 160  # entries
MOST_MATCHES = 7
Look = Callable[[Night], None]  # at an evening whose match has just started


@dataclass
class Evening:
    """An evening that a program plays: what has happened, and the state after it."""

    seed: int
    format: Format
    most: int = MOST
    look: Look = lambda _night: None
    events: list[Event] = field(default_factory=list)
    happened: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.dice = random.Random(f"{self.format} {self.seed}")
        self.state: Night | None = None
        self.people = 0

    @property
    def night(self) -> Night:
        """The evening as it is now."""
        assert self.state is not None
        return self.state

    @cached_property
    def plan(self) -> Plan:
        """The plan, of which most values are often the usual ones."""
        dice = self.dice
        criteria = dice.sample(CRITERIA, dice.randint(0, len(CRITERIA)))
        usual: tuple[Criterion, ...] = ("wins", "points")
        scoring = Scoring(
            bye=dice.choice([2, 2, 1]),
            bye_score=dice.choice([None, None, 250]),
            criteria=dice.choice([usual, tuple(criteria)]),
        )
        is_alone = self.format in SINGLES and dice.random() < 0.2
        matches = dice.choice([None, dice.randint(2, MOST_MATCHES)])
        return Plan(
            format=self.format, seed=self.seed, matches=matches, alone=is_alone, scoring=scoring
        )

    def do(self, event: Event) -> None:
        """Let something happen, with what follows from it."""
        for one in with_what_follows(self.state, event):
            self.state = after(self.state, one)
            self.events.append(one)
            self.happened[type(one).__name__] += 1

    def is_refused(self, event: Event, code: str) -> bool:
        """Return whether an event is refused with this code."""
        try:
            after(self.state, event)
        except NightRefused as refused:
            return refused.code == code
        return False

    def chance(self, of: float) -> bool:
        """Return whether something happens that does in so many of 1 evenings."""
        return self.dice.random() < of

    def play(self) -> "Evening":
        """Play from the set-up to the end."""
        self.do(SetUp(self.plan))
        size = round(FEWEST * (self.most / FEWEST) ** (self.dice.random() ** 2))  # most are small
        for _entry in range(size):
            self.enter()
        self.matches(min(planned(self.night), MOST_MATCHES))
        if self.format not in (*SINGLES, "knock_out") and self.chance(0.3):
            best = self.dice.choice([2, 4, 8])
            if best <= len(self.night.present):
                self.do(KnockOutFollows(best))
                self.matches(planned(self.night))
        if self.chance(0.2):
            group = self.dice.sample(sorted(self.night.entries), 3)
            self.do(PlayedOff(tuple(group)))
        self.do(Ended())
        return self

    def enter(self) -> None:
        """Let an entry join."""
        self.do(Entered(len(self.night.entries), self.names()))

    def names(self) -> tuple[str, ...]:
        """Return names that nobody has yet."""
        size = 1 if self.format in SINGLES else self.dice.choice([2, 2, 2, 3])
        self.people += size
        return tuple([f"Player {self.people - n}" for n in range(size)])

    def matches(self, last: int) -> None:
        """Play matches up to this one, or until a knock-out has its winner."""
        while self.night.next_number <= last:
            self.come_and_go()
            try:
                self.do(pair_next(self.night))
            except NightRefused as refused:
                if refused.code not in ("few", "knock_out_over"):
                    raise
                return
            if self.chance(0.2):
                self.come_and_go()  # it is paired anew
            if self.is_refused(Started(self.night.next_number), "stale"):
                return  # too few are left
            self.do(Started(self.night.next_number))
            self.look(self.night)
            self.results()

    def come_and_go(self) -> None:
        """Let somebody come late, go home, return or be replaced."""
        night = self.night
        has_seeds = night.knock_out and night.knock_out.seeds
        if self.chance(0.2) and not has_seeds:
            self.enter()
        if self.chance(0.2) and len(night.present) > FEWEST:
            self.do(Left(self.dice.choice(night.present)))
        gone = [number for number, entry in night.entries.items() if entry.has_left]
        if gone and self.chance(0.2):
            self.do(Returned(self.dice.choice(gone)))
        if self.chance(0.1):
            self.do(Replaced(self.dice.choice(night.present), self.names()))

    def results(self) -> None:
        """Let the tables finish in any order, with mistakes, and close the match."""
        match = self.night.begun[-1]
        if not match.numbers or self.chance(0.9):
            for number in self.dice.sample(match.numbers, len(match.numbers)):
                self.report(match, number)
        else:
            assert self.is_refused(Closed(match.number), "open")
            for number in match.numbers:
                self.report(match, number)
        if self.chance(0.1):
            self.penalise(match)
        self.do(Closed(match.number))
        if self.chance(0.2):
            self.do(Reopened(match.number))
            if match.numbers:
                self.report(match, self.dice.choice(match.numbers))
            self.do(Closed(match.number))
        if self.chance(0.2):
            self.do_if_allowed(pair_next)
        if self.chance(0.2):
            self.correct()

    def do_if_allowed(self, make: Callable[[Night], Paired]) -> None:
        """Pair the next match, unless nobody is left to pair."""
        try:
            self.do(make(self.night))
        except NightRefused:
            return

    def correct(self) -> None:
        """Correct a result of a match that is closed."""
        match = self.dice.choice(self.night.begun)
        if match.numbers:
            number = self.dice.choice(match.numbers)
            self.do(Reported(match.number, number, self.result(match, number), by_hand=True))
            self.happened["corrected"] += 1

    def report(self, match: Match, number: int) -> None:
        """Report a table's result by its game, by hand or by both, which may differ."""
        result = self.result(match, number)
        source = self.dice.random()
        if source < 0.1:
            self.do(Reported(match.number, number, result, by_hand=True))
            said = self.dice.choice([result, self.result(match, number), None])
            if said:
                self.do(Reported(match.number, number, said))
        else:
            self.do(Reported(match.number, number, result))
        now = self.night.matches[match.number - 1].at(number)
        if now.status == "question":
            assert self.is_refused(Closed(match.number), "question") or not self.all_in(match)
            self.do(Reported(match.number, number, result, by_hand=True))
            self.happened["question"] += 1

    def all_in(self, match: Match) -> bool:
        """Return whether all tables of a match have a result."""
        now = self.night.matches[match.number - 1]
        return all(self.night.ranks(now, number) for number in now.numbers)

    def result(self, match: Match, number: int) -> Result:
        """Return a random result; a winner where somebody goes on."""
        sides = len(match.seating.tables[number - 1])
        bags = tuple(self.dice.randrange(15) for _side in range(sides))
        needs_winner = self.night.knock_out or self.format == "progressive"
        while True:
            scores = tuple(self.dice.randint(-20, 50) * 10 for _side in range(sides))
            if not needs_winner or scores.count(max(scores)) == 1:
                return Result(scores, bags if self.chance(0.7) else ())

    def penalise(self, match: Match) -> None:
        """Give a penalty of any kind."""
        entry = self.dice.choice(match.seating.entries)
        penalty = self.dice.choice(
            [
                Penalty(entry, match.number, "match", reason="late"),
                Penalty(entry, match.number, "points", self.dice.choice([50, 100])),
                Penalty(entry, match.number, "match_points", self.dice.choice([1, 2])),
            ]
        )
        self.do(Penalised(penalty))
