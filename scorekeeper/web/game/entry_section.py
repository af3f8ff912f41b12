"""The part of the page of a game that takes bids and tricks."""

from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from markupsafe import Markup, escape

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext, translate
from scorekeeper.rules.bidding import contract
from scorekeeper.rules.deck import preparation
from scorekeeper.rules.entry import Tally, fill_last_count
from scorekeeper.store.games import Game
from scorekeeper.store.watch_links import OwnSeat
from scorekeeper.web.game.game_part import GamePart
from scorekeeper.web.game.keypad import Key, SeatRow, asked_name, may_bid_blind, pad_keys, seat_rows
from scorekeeper.web.text.wording import bdi, fill

NOBODY = -1  # the seat for which a phone enters whose own was taken over


class ScoreField(NamedTuple):
    """A hidden field of the form that scores the round."""

    n: int
    tricks: int


@dataclass(frozen=True, kw_only=True)
class Entry(GamePart):
    """The part of the page that takes bids and tricks.

    `active` is the seat that the keypad fills; None where the deal is thrown in, until a seat is
    tapped: a button to deal again takes the place of the keypad. `waits` says whom a phone that has
    claimed another seat waits for. Where the seat `may_bid_blind` a number, the keys do so when it
    `bids_blind`. `slots` has a small card for each trick of the round, with the number of the seat
    that bid or took it, or 0.
    """

    active: int | None
    deck: list[str]
    seats: list[SeatRow]
    slots: list[int]
    counts: Tally
    counted: Markup
    complete: bool
    waits: Markup | None
    pad_keys: list[Key]
    score_fields: list[ScoreField]
    can_undo: bool
    may_bid_blind: bool
    bids_blind: bool

    @property
    def bids_open(self) -> bool:
        """Whether a seat that may bid blind does not, and its keys are the usual ones."""
        return self.may_bid_blind and not self.bids_blind

    @property
    def tricks(self) -> int:
        return self.game.rules.tricks

    @property
    def what(self) -> str:
        return "bids" if self.game.state.phase == "bidding" else "tally"

    @property
    def active_seat(self) -> int:
        return 0 if self.active is None else self.active + 1

    @property
    def deals_again(self) -> bool:
        return self.active is None

    @property
    def incomplete(self) -> bool:
        return not self.complete

    @property
    def score_label(self) -> str:
        """What scores the round, or why it cannot be scored yet."""
        state, counts = self.game.state, self.counts
        left = self.tricks - sum(count or 0 for count in counts)
        least = min(left, *(count or 0 for count in counts))  # that filled in may be below 0
        if least < 0:
            n, text = -least, ngettext("{n} trick too many", "{n} tricks too many", -least)
        elif uncounted := [seat for seat in state.asked if counts[seat] is None]:
            n = len(uncounted) * len(state.order) // len(state.asked)
            text = ngettext("Count {n} more player", "Count {n} more players", n)
        elif left:
            n, text = left, ngettext("{n} trick missing", "{n} tricks missing", left)
        else:
            n, text = self.number, _("Score round {n}")
        return text.format(n=n)

    @property
    def pad_label(self) -> str:
        if self.active is None:
            return ""
        name = asked_name(self.game, self.active)
        if self.game.state.phase == "bidding":
            return _("{name}’s bid").format(name=name)
        return _("{name}’s tricks").format(name=name)


def entry(
    game: Game, chosen: int | None, own: OwnSeat | None, *, can_undo: bool, blind: bool = False
) -> Entry | None:
    """Return what the page of a game takes bids and tricks with; None once the game is over.

    `chosen` is the seat that was tapped, `own` the seat that the phone has claimed: it enters
    for nobody else, also once its player has left or another phone has taken it over. With `blind`
    the keys bid a number blind, where that is allowed.
    """
    state = game.state
    if state.phase == "over":
        return None
    seat = own and (NOBODY if own.taken_by else state.asked_for(own.seat))
    active = active_seat(game, None if chosen is None else state.asked_for(chosen), seat)
    counts = fill_last_count(state.open.tally, game.rules, state.players, state.seats.empty)
    complete = _is_complete(game, counts)
    asked = active if seat in (None, active) else None  # by the keypad of this phone
    may_be_blind = asked is not None and may_bid_blind(game, asked)
    return Entry(
        game=game,
        active=active,
        deck=_deck(game),
        seats=seat_rows(game, counts, active, seat, complete),
        slots=[] if complete or state.thrown_in else _slots(game, counts),
        counts=counts,
        counted=_counted(game, counts),
        complete=complete,
        waits=_waits(game, active, own) if own and seat != active else None,
        pad_keys=[] if asked is None else pad_keys(game, asked, blind=blind and may_be_blind),
        score_fields=[
            ScoreField(seat + 1, count or 0)
            for seat, count in enumerate(counts)
            if state.phase == "playing"
        ],
        can_undo=can_undo,
        may_bid_blind=may_be_blind,
        bids_blind=may_be_blind and blind,
    )


def active_seat(game: Game, chosen: int | None, own: int | None) -> int | None:
    """Return the seat that the keypad fills: the chosen one, else the next without an entry.

    None where the deal is thrown in.
    """
    state = game.state
    if chosen is not None and chosen in state.order:
        return chosen
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
        return fill(_("{phone} plays for {own} now."), phone=bdi(own.taken_by), own=name)
    if game.state.phase == "bidding" and active is not None:
        return fill(
            _("{name} is bidding. This phone plays for {own}."),
            name=bdi(asked_name(game, active)),
            own=name,
        )
    return fill(_("This phone plays for {own}."), own=name)


def _is_complete(game: Game, counts: Tally) -> bool:
    taken = [count for count in counts if count is not None and count >= 0]
    is_whole = len(taken) == len(counts) and sum(taken) == game.rules.tricks
    return is_whole and game.state.phase == "playing"


def _slots(game: Game, counts: Tally) -> list[int]:
    state, tricks = game.state, game.rules.tricks
    figures = counts if state.phase == "playing" else state.open.bids
    seats = [[seat + 1] * contract([figures[seat]]) for seat in state.order]
    return [*chain(*seats), *[0] * tricks][:tricks]


def _counted(game: Game, counts: Tally) -> Markup:
    state, tricks = game.state, game.rules.tricks
    if again := state.thrown_in:
        return Markup(escape(translate(again.sentence)))
    if state.phase == "bidding":
        return fill(_("{n} of {tricks} bid"), n=contract(state.open.bids), tricks=tricks)
    taken = sum(count or 0 for count in counts)
    if None in counts or taken != tricks:
        text = ngettext("{taken} of {n} trick", "{taken} of {n} tricks", tricks)
        return fill(text, taken=taken, n=tricks)
    all_in = fill(ngettext("{n} trick in", "All {n} tricks in", tricks), n=tricks)
    raw = state.open.tally or counts
    for seat, count in enumerate(counts):
        if raw[seat] is None and seat in state.order:
            name = bdi(asked_name(game, seat))
            return fill(_gets(count or 0), counted=all_in, name=name, n=count)
    return all_in


def _gets(left: int) -> str:
    """Return the sentence about who gets the tricks that are left."""
    if not left:
        return _("{counted} · none for {name}")
    return ngettext(
        "{counted} · {name} gets the last {n}", "{counted} · {name} gets the last {n}", left
    )


def _deck(game: Game) -> list[str]:
    """Return how to prepare the deck, until the first entry, also of another number of players."""
    state, players = game.state, len(game.state.seats.taken)
    is_prepared = state.rounds and len(state.rounds[-1].after.seats.taken) == players
    if is_prepared or state.open.tally or any(bid is not None for bid in state.open.bids):
        return []
    return [translate(line) for line in preparation(game.rules, players)]
