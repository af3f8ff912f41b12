"""The round that is played, as its form, watchers and boards show it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from markupsafe import Markup, escape

from scorekeeper.i18n import translate
from scorekeeper.rules.bidding import Bid, contract
from scorekeeper.rules.deck import preparation
from scorekeeper.rules.entry import Tally, fill_last_count
from scorekeeper.rules.faces import Face
from scorekeeper.rules.game import GameState, advance
from scorekeeper.rules.hints import Hint
from scorekeeper.store.games import Game
from scorekeeper.store.tables import OwnSeat
from scorekeeper.web.game.charts import stairs
from scorekeeper.web.game.scoreboard import (
    SideNews,
    seat_delta,
    side_news,
    takes_line,
    trick_marks,
)
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.wording import (
    bdi,
    bid_word,
    bold,
    fill,
    listed,
    minus,
    points_kind,
    signed,
    trump_line,
)


@dataclass(frozen=True, kw_only=True)
class GamePart:
    """A part of the page of a game, whose forms name the game, its revision and the round."""

    game: Game

    @property
    def game_id(self) -> str:
        return self.game.id

    @property
    def revision(self) -> str:
        return self.game.revision

    @property
    def number(self) -> int:
        return self.game.state.number


NOBODY = -1  # the seat for which a phone enters whose own was taken over


class SeatRow(NamedTuple):
    """The row of a seat: what is bid and counted.

    What concerns a whole side, its `hints` and where players have no totals its `delta`, stands on
    its first row. `cards` has a mark for each trick bid and each overtrick.
    """

    seat: int
    face: Face
    name: str
    phase: str
    active: bool
    deals: bool
    bid: str
    tricks: int | None
    cards: list[str]
    delta: str
    hints: list[Hint]

    @property
    def done(self) -> bool:
        """Whether this seat has its entry and is not the one that is asked."""
        entered = self.bid if self.bidding else self.tricks_shown
        return bool(entered) and not self.active

    @property
    def bidding(self) -> bool:
        return self.phase == "bidding"

    @property
    def playing(self) -> bool:
        return self.phase == "playing"

    @property
    def bids(self) -> bool:
        """Whether this seat bids now."""
        return self.active and self.bidding

    @property
    def contract(self) -> Markup:
        return fill(say("bid"), bid=bold(self.bid)) if self.bid else Markup()

    @property
    def tricks_shown(self) -> str:
        return "" if self.tricks is None else str(self.tricks)

    @property
    def delta_kind(self) -> str:
        return points_kind(self.delta)


@dataclass(frozen=True, kw_only=True)
class OpenRound(GamePart):
    """The round that is played.

    `active` is the seat that is asked, None where the deal is thrown in. `counts` has the last
    count filled in. `waits` says whom a phone that has claimed another seat waits for.
    """

    active: int | None
    counts: Tally
    waits: Markup | None

    @property
    def what(self) -> str:
        return "bids" if self.game.state.phase == "bidding" else "tally"

    @property
    def most_cards(self) -> int:
        """The most cards of any round, for which phones have keys."""
        state = self.game.state
        return max(state.round_rules.tricks, *state.rules.plan(state.players))

    @property
    def columns(self) -> int:
        """How many keys stand in the lower rows."""
        return 5 if self.most_cards <= 10 else 4 if self.most_cards <= 13 else 6

    @property
    def deals_again(self) -> bool:
        return self.active is None

    @property
    def complete(self) -> bool:
        """Whether every trick is counted that has to be, so that the round can be scored."""
        state = self.game.state
        taken = [count for count in self.counts if count is not None and count >= 0]
        is_whole = len(taken) == len(self.counts) and state.round_rules.may_total(sum(taken))
        return is_whole and state.phase == "playing"

    @cached_property
    def takes(self) -> Markup | None:
        """What it takes to win, from the last bid until every trick is counted."""
        return None if self.complete else takes_line(self.game)

    @property
    def score_label(self) -> Markup:
        """What scores the round, or why it cannot be scored yet: who is to be counted, by name."""
        state, counts = self.game.state, self.counts
        left = state.round_rules.tricks - sum(count or 0 for count in counts)
        least = min(left, *(count or 0 for count in counts))  # that filled in may be below 0
        if least < 0:
            return fill(say("tricks_over", -least), n=-least)
        names = [asked_name(self.game, seat) for seat in state.asked if counts[seat] is None]
        if names:
            return fill(say("to_count", len(names)), names=listed(names))
        missing = left - state.rules.lost_tricks
        if missing > 0:
            return fill(say("tricks_missing", missing), n=missing)
        return fill(say("score_round"), n=self.number)

    @property
    def counted(self) -> Markup:
        """How many tricks are bid or counted, and who gets those that are left."""
        state, tricks, counts = self.game.state, self.game.state.round_rules.tricks, self.counts
        if again := state.thrown_in:
            return Markup(escape(translate(again.sentence)))
        if state.phase == "bidding":
            return fill(say("of_bid"), n=contract(state.open.bids), tricks=tricks)
        taken = sum(count or 0 for count in counts)
        if None in counts or taken != tricks:
            return fill(say("of_tricks", tricks), taken=taken, n=tricks)
        all_in = fill(say("all_in", tricks), n=tricks)
        raw = state.open.tally or counts
        for seat, count in enumerate(counts):
            if raw[seat] is None and seat in state.order:
                name = bdi(asked_name(self.game, seat))
                return fill(_gets(count or 0), counted=all_in, name=name, n=count)
        return all_in

    @property
    def deck(self) -> Sequence[str]:
        """How to prepare the deck, until the first entry, also of another number of players.

        Where the cards change from round to round it is how many are dealt now, with the list as
        a staircase.
        """
        state, players = self.game.state, len(self.game.state.seats.taken)
        is_begun = state.open.tally or any(bid is not None for bid in state.open.bids)
        if state.rules.cards and not is_begun:
            return [stairs(state), *_dealt(state)]
        is_prepared = state.rounds and len(state.rounds[-1].after.seats.taken) == players
        if is_prepared or is_begun:
            return []
        return [translate(line) for line in preparation(self.game.rules, players)]

    @property
    def seats(self) -> list[SeatRow]:
        """The rows of all seats in bidding order."""
        return [_seat_row(self.game, seat, self) for seat in self.game.state.asked]


def _dealt(state: GameState) -> list[str]:
    """Return how many cards to deal, and which suit is trump where the suits take turns."""
    tricks, order = state.round_rules.tricks, state.rules.trump_order
    lines = [say("deal_each", tricks).format(n=tricks)]
    if order:
        suits = order.split(",")
        lines.append(trump_line(suits[(state.number - 1) % len(suits)]))
    return lines


def bids_over(state: GameState) -> str:
    """Return how far the bids are over or under the cards; nothing before all have bid."""
    if state.bids_itself or state.phase != "playing":
        return ""
    over = contract(state.open.bids) - state.round_rules.tricks
    if over == 0:
        return say("bids_even")
    return (say("bids_over") if over > 0 else say("bids_under")).format(n=abs(over))


def open_round(game: Game, own: OwnSeat | None) -> OpenRound | None:
    """Return the round that is played; None once the game is over.

    `own` is the seat that the phone has claimed: it enters for nobody else, also once its player
    has left or another phone has taken it over.
    """
    state = game.state
    if state.phase == "over":
        return None
    seat = own and (NOBODY if own.taken_by else state.asked_for(own.seat))
    active = _active_seat(game, seat)
    return OpenRound(
        game=game,
        active=active,
        counts=fill_last_count(
            state.open.tally, state.round_rules, state.players, state.seats.empty
        ),
        waits=_waits(game, active, own) if own and seat != active else None,
    )


def asked_name(game: Game, seat: int) -> str:
    """Return the name of a seat that is asked, or both names where it stands for its side."""
    by = game.rules.bid_by if game.state.phase == "bidding" else game.rules.tricks_by
    return name_by(game, seat, by)


def name_by(game: Game, seat: int, by: str) -> str:
    """Return the name of a seat, or both names of its side where that bids or is counted as one."""
    side = game.state.side_of(seat)
    return " & ".join(game.side_names(side)) if by == "side" else game.names[seat]


def asked_bid(state: GameState, seat: int) -> Bid | None:
    """Return the bid of a seat, or of both partners where only their tricks are counted as one."""
    bids = state.open.bids
    if state.phase == "playing" and state.rules.tricks_by == "side" and state.rules.partners_bid:
        return contract(bids[seat :: len(state.sides)]) if bids[seat] is not None else None
    return bids[seat]


def preview(game: Game, seat: int, counts: Tally) -> tuple[str, str]:
    """Return the points and the total that a complete count makes.

    They are a player's own, or on the row of a side's last seat those of the side.
    """
    state = game.state
    side, before = state.side_of(seat), state.standing
    if not before.seat_totals and seat != max(s for s in state.asked if state.side_of(s) == side):
        return "", ""
    played = state.open._replace(tricks=tuple(count or 0 for count in counts))
    scores, after = advance(state.round_rules, before, played)
    if before.seat_totals and after.seat_totals:
        points, total = after.seat_totals[seat] - before.seat_totals[seat], after.seat_totals[seat]
    else:
        points = scores[side].points
        total = before.totals[side] + points
    return signed(points, game.rules.shown_as), minus(total, game.rules.shown_as)


def _seat_row(game: Game, seat: int, shown: OpenRound) -> SeatRow:
    state = game.state
    side, bid, tricks = state.side_of(seat), asked_bid(state, seat), shown.counts[seat]
    mates = [one for one in state.asked if state.side_of(one) == side]
    hinted = next((one for one in mates if state.open.bids[one] is None), mates[0])
    news = side_news(game, side) if seat in (mates[0], hinted) else SideNews("", [])
    return SeatRow(
        seat=seat,
        face=game.shown_faces[seat],
        name=asked_name(game, seat),
        phase=state.phase,
        active=seat == shown.active,
        deals=seat == state.asked_for(state.dealer),
        bid=bid_word(bid),
        tricks=tricks,
        cards=[] if state.phase == "bidding" else trick_marks(bid, tricks or 0),
        delta=_delta(game, seat, news if seat == mates[0] else None),
        hints=news.hints if seat == hinted else [],
    )


def _delta(game: Game, seat: int, news: SideNews | None) -> str:
    if game.state.standing.seat_totals:
        return seat_delta(game, seat)
    return news.delta if news else ""


def _active_seat(game: Game, own: int | None) -> int | None:
    """Return the seat that is asked: the next without an entry.

    None where the deal is thrown in.
    """
    state = game.state
    entered = state.open.bids if state.phase == "bidding" else state.open.tally
    waiting = [seat for seat in state.asked if entered is None or entered[seat] is None]
    if state.phase == "playing" and own in waiting:
        return own
    if waiting:
        return waiting[0]
    return None if state.thrown_in else state.asked[-1]


def _waits(game: Game, active: int | None, own: OwnSeat) -> Markup:
    """Return whom a phone that has claimed a seat waits for, until its turn has come."""
    name = bdi(asked_name(game, game.state.asked_for(own.seat)))
    if own.taken_by:
        return fill(say("taken_over"), phone=bdi(own.taken_by), own=name)
    if game.state.phase == "bidding" and active is not None:
        return fill(
            say("waits_for_bid"),
            name=bdi(asked_name(game, active)),
            own=name,
        )
    return fill(say("waits_for_tricks"), own=name)


def _gets(left: int) -> str:
    """Return the sentence about who gets the tricks that are left."""
    if not left:
        return say("gets_none")
    return say("gets_last", left)
