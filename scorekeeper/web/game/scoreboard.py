"""The scoreboard of a page: totals, bags, hints, the clock, how rounds were scored."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from math import ceil
from typing import NamedTuple

from markupsafe import Markup, escape

from scorekeeper.rules.bidding import Bid, Nil, contract, highest_total
from scorekeeper.rules.entry import fill_last_count
from scorekeeper.rules.explain import round_reasons
from scorekeeper.rules.faces import Face
from scorekeeper.rules.game import GameState, RoundScore, advance
from scorekeeper.rules.hints import Hint, hints
from scorekeeper.rules.outcome import Standing
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.scoring import SideScore
from scorekeeper.rules.sentence import Sentence
from scorekeeper.rules.what_it_takes import Condition, what_it_takes
from scorekeeper.store.games import Game
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.wording import bdi, bid_word, fill, listed, minus, points_kind, signed

WARNING = 5  # minutes left when it warns
PAUSED = 60  # minutes after the end, when the game was paused and the clock says nothing more


class Clock(NamedTuple):
    """When the time of a game is up, and the minutes left, the one that has begun included.

    `end` counts milliseconds from 1970, as scripts do.
    """

    end: int
    left: int

    @property
    def is_up(self) -> bool:
        """Whether to propose the last round: time is up, and the game was not paused."""
        return -PAUSED < self.left <= 0

    @property
    def is_short(self) -> bool:
        """Whether the clock warns that little time is left."""
        return -PAUSED < self.left <= WARNING

    @property
    def shown(self) -> Markup:
        """The time left in short; empty for a game that was paused."""
        if self.left > 0:
            return fill(say("minutes_left"), n=self.left)
        return escape(say("time_up")) if self.is_up else Markup()

    @property
    def warning(self) -> Markup:
        """What is announced when it warns."""
        return fill(say("minutes_warning", WARNING), n=WARNING)


def clock_of(game: Game, at: datetime) -> Clock | None:
    """Return the clock of a game at a time; None where none runs, and once the game is over."""
    if game.rules.minutes is None or game.state.phase == "over":
        return None
    # A game of the future began before the computer's clock was set back.
    began = min(datetime.fromisoformat(game.started), at)
    end = began + timedelta(minutes=game.rules.minutes)
    return Clock(round(end.timestamp() * 1000), ceil((end - at) / timedelta(minutes=1)))


MOST_PIPS = 10  # more bags are written as a number
# Totals of columns of usual width, and of five columns; beside any other all are written smaller.
USUAL_TOTALS, TOTALS_OF_FIVE = range(-999, 10_000), range(-99, 1000)
Sides = tuple[tuple[int, ...], ...]


class ScoreExplanation(NamedTuple):
    """One side's points in a round, and the sentences that explain them.

    `game_id` is empty where the round is not linked to, as for watchers.
    """

    game_id: str
    number: int
    points: str
    total: str
    lines: list[Sentence]


class TrickMarks(NamedTuple):
    """A seat's cards in a round, in its color: see `trick_marks`."""

    color: int
    cards: list[str]


class Receipt(NamedTuple):
    """How a side's points in a round add up."""

    faces: tuple[Face, ...]
    names: Markup
    points: str
    total: str
    lines: list[Sentence]
    hands: list[TrickMarks]

    @property
    def color(self) -> int:
        """The color of the side, which is that of its first seat."""
        return self.faces[0].color


class ScoreRow(NamedTuple):
    """A side's column of the scoreboard; `left` where nobody sits there any more.

    Partners have a `line`: the points that they have just made, or what they bid.
    """

    side: int
    faces: tuple[Face, ...]
    names: Markup
    total: str
    share: int
    bags: int
    limit: int | None
    leads: bool
    is_long: bool
    left: bool = False
    line: str = ""
    line_kind: str = ""
    pair: bool = False

    @property
    def color(self) -> int:
        """The color of the side, which is that of its first seat."""
        return self.faces[0].color

    @property
    def pips(self) -> list[bool]:
        """Whether each bag up to the limit is there; empty where they are too many to draw."""
        limit = self.limit or 0
        return [n < self.bags for n in range(limit)] if limit <= MOST_PIPS else []

    @property
    def bag_count(self) -> str:
        return f"{self.bags}/{self.limit}" if (self.limit or 0) > MOST_PIPS else ""

    @property
    def is_last_bag(self) -> bool:
        return self.limit is not None and self.limit - self.bags == 1


def strip_kind(rows: Sequence[ScoreRow]) -> str:
    """Return how the columns are drawn, for as many sides with as many players and figures."""
    pairs = " pairs" if len(rows[0].faces) > 1 else ""
    return f"of-{min(len(rows), 6)}{pairs}{' long' if any(row.is_long for row in rows) else ''}"


class SideNews(NamedTuple):
    """A side's points in the round just scored, if its cards are not bid on yet, and its hints."""

    delta: str
    hints: list[Hint]


class PlayerHead(NamedTuple):
    """The head of a player's column in the table of rounds."""

    shape: int
    color: int
    name: str


class Cell(NamedTuple):
    """A player's bid and tricks in a round, and the side's total at its first seat."""

    bid: str
    took: int | str
    total: str


class RoundRow(NamedTuple):
    """A row of the table of rounds; `game_id` is empty where the round is not linked to."""

    game_id: str
    number: int
    cells: list[Cell]


def score_rows(game: Game) -> list[ScoreRow]:
    state, rules = game.state, game.rules
    sides = range(len(state.sides))
    totals = [state.standing.totals[side] for side in state.standing.playing]
    best = max(totals) if state.rounds else None
    full = rules.target or max(1, *state.standing.totals)
    usual = TOTALS_OF_FIVE if len(sides) == 5 else USUAL_TOTALS
    rows = [
        ScoreRow(
            side=side,
            faces=game.faces_of(state.sides[side]),
            names=_names(game, side),
            total=minus(state.standing.totals[side], rules.shown_as),
            share=max(0, min(100, 100 * state.standing.totals[side] // full)),
            bags=state.standing.bags[side],
            limit=rules.bag_limit,
            leads=side in state.standing.playing and state.standing.totals[side] == best,
            is_long=state.standing.totals[side] not in usual,
            left=side not in state.standing.playing,
            line=(line := _side_line(game, side))[0],
            line_kind=line[1],
            pair=len(state.sides[side]) > 1 and state.phase != "over",
        )
        for side in sides
    ]
    if state.phase == "over":
        return sorted(rows, key=lambda row: state.places[row.side])
    return sorted(rows, key=lambda row: row.left)


def _side_line(game: Game, side: int) -> tuple[str, str]:
    """Return what stands below the total of partners in an open round, and the class of its points.

    Both are empty for single players.
    """
    state, shown_as = game.state, game.rules.shown_as
    if len(state.sides[side]) < 2 or state.phase == "over":
        return "", ""
    if state.just_scored:
        points = signed(state.rounds[-1].scores[side].points, shown_as)
        return points, points_kind(points)
    if scores := _counted(state):
        points = signed(scores[side].points, shown_as)
        total = minus(state.standing.totals[side] + scores[side].points, shown_as)
        return f"{points} → {total}", points_kind(points)
    bids = [bid for seat in state.sides[side] if (bid := state.open.bids[seat]) is not None]
    numbers = [bid for bid in bids if not isinstance(bid, Nil)]
    words = [str(contract(numbers))] if numbers else []
    words += [bid_word(bid) for bid in bids if isinstance(bid, Nil)]
    return say("bid").format(bid=" + ".join(words)) if words else "", ""


def _counted(state: GameState) -> tuple[SideScore, ...]:
    """Return what the counts of an open round make by side, once all tricks are counted."""
    rules = state.round_rules
    tally = fill_last_count(state.open.tally, rules, state.players, state.seats.empty)
    counts = [count for count in tally if count is not None]
    if state.phase != "playing" or len(counts) < len(tally) or not rules.may_total(sum(counts)):
        return ()
    return advance(rules, state.standing, state.open._replace(tricks=tuple(counts)))[0]


def _names(game: Game, side: int) -> Markup:
    """Return the names of a side, with each player's total where those are kept."""
    totals = game.state.standing.seat_totals
    if not totals:
        return listed(game.side_names(side))
    shown_as = game.rules.shown_as
    return Markup(" · ").join(
        Markup("{} {}").format(bdi(game.names[seat]), minus(totals[seat], shown_as))
        for seat in game.state.sides[side]
    )


def side_news(game: Game, side: int) -> SideNews:
    """Return what stands beside the names of a side in an open round: two hints at most.

    Plain hints are there only where there is no other; the points of partners stand at their total.
    """
    state = game.state
    delta = ""
    if state.just_scored and len(state.sides[side]) == 1:
        delta = signed(state.rounds[-1].scores[side].points, game.rules.shown_as)
    found = hints(state, side)
    pressing = [hint for hint in found if hint.kind != "plain"]
    return SideNews(delta, (pressing or found)[:2])


def lead_change(game: Game) -> Markup | None:
    """Return who has taken the lead in the newest round; None where nobody has, or could."""
    rounds = game.state.as_seated.rounds
    if len(rounds) < 2:
        return None
    before, after = _leaders(rounds[-1].before), _leaders(rounds[-1].after)
    if before == after:
        return None
    names = [name for side in after for name in game.side_names(side)]
    sentence = say("takes_lead", len(names))
    if len(after) > 1:
        sentence = say("share_lead")
    return fill(sentence, names=listed(names))


def takes_line(game: Game) -> Markup | None:
    """Return what it takes to win with the round that is played; None where there is no saying."""
    told = what_it_takes(game.state)
    if told is None:
        return None
    names = game.side_names(told.side)
    is_nil = told.code == "unless" and told.how_other and told.how_other.code == "nil"
    return fill(
        say(f"takes_{told.code}_nil" if is_nil else f"takes_{told.code}", len(names)),
        names=listed(names),
        how=_how(told.how),
        others=Markup() if told.other is None else listed(game.side_names(told.other)),
        how_others=_how(told.how_other),
    )


def _how(how: Condition | None) -> str:
    return say(f"with_{how.code}").format(low=how.low, high=how.high) if how else ""


def _leaders(standing: Standing) -> list[int]:
    best = highest_total(standing.totals, standing.seats.empty)
    return [side for side in standing.playing if standing.totals[side] == best]


def seat_delta(game: Game, seat: int) -> str:
    """Return a player's points in the round just scored, where every player has a total."""
    state = game.state
    if not state.just_scored:
        return ""
    totals = [one.seat_totals[seat] for one in (state.rounds[-1].before, state.rounds[-1].after)]
    return signed(totals[1] - totals[0], game.rules.shown_as)


def receipts(game: Game, number: int) -> list[Receipt]:
    """Return how each side's points in a round add up, if the round counts."""
    if number > len(game.state.rounds):
        return []
    round_ = game.state.rounds[number - 1]
    found, faces = [], game.faces_in(number)
    for side in round_.after.playing:
        seats = game.state.sides[side]
        why = explain_score(game.rules, side, round_)
        hands = [
            TrickMarks(faces[n].color, trick_marks(round_.bids[n], round_.tricks[n])) for n in seats
        ]
        names = listed(game.side_names(side, number))
        own = tuple(faces[n] for n in seats)
        found.append(Receipt(own, names, why.points, why.total, why.lines, hands))
    return found


def trick_marks(bid: Bid | None, taken: int) -> list[str]:
    """Return a mark for each trick bid: `on` where it is taken.

    Overtricks are `bag`, tricks taken in spite of a Nil `miss`.
    """
    if isinstance(bid, Nil):
        return ["miss"] * taken
    wanted = taken if bid is None else contract([bid])
    return ["on"] * min(wanted, taken) + [""] * (wanted - taken) + ["bag"] * (taken - wanted)


def explain_score(
    rules: RuleSet, side: int, round_: RoundScore, game_id: str = ""
) -> ScoreExplanation:
    """Return the explanation of a side's points in a round."""
    lines = round_reasons(rules, round_, side)
    points = signed(round_.scores[side].points, rules.shown_as)
    total = minus(round_.after.totals[side], rules.shown_as)
    return ScoreExplanation(game_id, round_.number, points, total, lines)


def round_row(rules: RuleSet, sides: Sides, round_: RoundScore, game_id: str) -> RoundRow:
    """Return a scored round as a row of the table of rounds."""
    if round_.after.seat_totals:
        totals = dict(enumerate(minus(one, rules.shown_as) for one in round_.after.seat_totals))
    else:
        totals = {
            seats[0]: minus(round_.after.totals[side], rules.shown_as)
            for side, seats in enumerate(sides)
        }
    cells = [
        Cell("–", "–", totals.get(seat, ""))
        if seat in round_.after.seats.empty
        else Cell(bid_word(bid) or "·", took, totals.get(seat, ""))
        for seat, (bid, took) in enumerate(zip(round_.bids, round_.tricks, strict=True))
    ]
    return RoundRow(game_id, round_.number, cells)


def players(game: Game) -> list[PlayerHead]:
    """Return the heads of the columns of the table of rounds."""
    return [
        PlayerHead(*face, name) for face, name in zip(game.shown_faces, game.names, strict=True)
    ]
