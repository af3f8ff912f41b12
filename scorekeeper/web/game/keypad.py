"""The keypad and the seats above it: entries so far, keys, and why a key is disabled."""

from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext, translate
from scorekeeper.rules.bidding import Bid, Nil, contract, possible_bids, refusal
from scorekeeper.rules.deck import preparation
from scorekeeper.rules.entry import Tally, fill_last_count
from scorekeeper.rules.score_reasons import score_reasons
from scorekeeper.rules.scoring import SideScore, score_side
from scorekeeper.store.games import Game
from scorekeeper.web.text.numbers import signed
from scorekeeper.web.text.wording import bdi, bid_word, bold, fill, money, points_kind


class SeatRow(NamedTuple):
    """The row of a seat above the keypad.

    `points` and `note` are what a side would score, on the row of its last seat; `one_more` is the
    count after one more trick.
    """

    game_id: str
    seat: int
    name: str
    phase: str
    active: bool
    bid: str
    tricks: int | None
    filled: bool
    complete: bool
    one_more: int | None
    points: str
    note: str

    @property
    def n(self) -> int:
        return self.seat + 1

    @property
    def waits(self) -> bool:
        return not self.bid and not self.active

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
    def bid_shown(self) -> str:
        return self.bid or ("?" if self.active else "")

    @property
    def contract(self) -> Markup:
        return fill(_("bid {bid}"), bid=bold(self.bid)) if self.bid else Markup()

    @property
    def tricks_shown(self) -> str:
        if self.tricks is None:
            return "?" if self.active else ""
        return str(self.tricks)

    @property
    def points_kind(self) -> str:
        return points_kind(self.points)


class Key(NamedTuple):
    """A key of the keypad; `why_not` says why it is disabled."""

    n: int
    field: str
    value: str
    label: str
    wide: bool
    why_not: str


class ScoreField(NamedTuple):
    """A hidden field of the form that scores the round."""

    n: int
    tricks: int


class Entry(NamedTuple):
    """The part of the page that takes bids and tricks.

    `active` is the seat that the keypad fills; `waits` says whom a phone that has claimed another
    seat waits for, and takes the place of the keypad.
    """

    game: Game
    active: int
    deck: list[str]
    seats: list[SeatRow]
    counted: Markup
    complete: bool
    waits: Markup | None
    pad_keys: list[Key]
    score_fields: list[ScoreField]
    can_undo: bool

    @property
    def game_id(self) -> str:
        return self.game.id

    @property
    def revision(self) -> str:
        return self.game.revision

    @property
    def number(self) -> int:
        return self.game.state.number

    @property
    def tricks(self) -> int:
        return self.game.rules.tricks

    @property
    def what(self) -> str:
        return "bids" if self.game.state.phase == "bidding" else "tally"

    @property
    def active_seat(self) -> int:
        return self.active + 1

    @property
    def incomplete(self) -> bool:
        return not self.complete

    @property
    def pad_label(self) -> str:
        name = self.game.names[self.active]
        if self.game.state.phase == "bidding":
            return _("{name}’s bid").format(name=name)
        return _("{name}’s tricks").format(name=name)

    @property
    def struck(self) -> list[str]:
        """The reasons why bids are disabled, each once."""
        if self.game.state.phase != "bidding":
            return []
        return list(dict.fromkeys(key.why_not for key in self.pad_keys if key.why_not))


def entry(game: Game, chosen: int | None, own: int | None, *, can_undo: bool) -> Entry | None:
    """Return what the page of a game takes bids and tricks with; None once the game is over.

    `chosen` is the seat that was tapped, `own` the seat that the phone has claimed.
    """
    state = game.state
    if state.phase == "over":
        return None
    active = active_seat(game, chosen, own)
    waits = _waits(game, active, own)
    counts = fill_last_count(state.open.tally, state.players, game.rules.tricks)
    complete = _is_complete(game, counts)
    return Entry(
        game=game,
        active=active,
        deck=_deck(game),
        seats=_seats(game, counts, active, complete),
        counted=_counted(game, counts),
        complete=complete,
        waits=waits,
        pad_keys=[] if waits else _keys(game, active),
        score_fields=[
            ScoreField(seat + 1, count or 0)
            for seat, count in enumerate(counts)
            if state.phase == "playing"
        ],
        can_undo=can_undo,
    )


def active_seat(game: Game, chosen: int | None, own: int | None) -> int:
    """Return the seat that the keypad fills: the chosen one, else the next without an entry."""
    state = game.state
    if chosen is not None:
        return chosen
    entered = state.open.bids if state.phase == "bidding" else state.open.tally
    waiting = [seat for seat in state.order if entered is None or entered[seat] is None]
    if state.phase == "playing" and own in waiting:
        return own
    return waiting[0] if waiting else state.order[-1]


def _waits(game: Game, active: int, own: int | None) -> Markup | None:
    """Return whom a phone that has claimed a seat waits for, unless its turn has come."""
    if own is None or active == own:
        return None
    if game.state.phase == "bidding":
        return fill(
            _("{name} is bidding. This phone plays for {own}."),
            name=bdi(game.names[active]),
            own=bdi(game.names[own]),
        )
    return fill(_("This phone plays for {own}."), own=bdi(game.names[own]))


def _is_complete(game: Game, counts: Tally) -> bool:
    total = sum(count or 0 for count in counts)
    is_playing = game.state.phase == "playing"
    return is_playing and None not in counts and total == game.rules.tricks


def _counted(game: Game, counts: Tally) -> Markup:
    state, tricks = game.state, game.rules.tricks
    if state.phase == "bidding":
        return fill(_("{n} of {tricks} bid"), n=contract(state.open.bids), tricks=tricks)
    text = fill(
        ngettext("{taken} of {n} trick", "{taken} of {n} tricks", tricks),
        taken=sum(c or 0 for c in counts),
        n=tricks,
    )
    raw = state.open.tally or counts
    for seat, count in enumerate(counts):
        if raw[seat] is None and count is not None:
            name = bdi(game.names[seat])
            return fill(_("{counted} · {name} gets the rest"), counted=text, name=name)
    return text


def _deck(game: Game) -> list[str]:
    """Return how to prepare the deck, and the pot, until the first bid of a game."""
    if game.rounds:
        return []
    lines = [translate(line) for line in preparation(game.rules, len(game.names))]
    if game.stake:
        lines.append(fill(_("Pot: {pot}."), pot=money(game.stake * len(game.names))))
    return lines


def _seats(game: Game, counts: Tally, active: int, complete: bool) -> list[SeatRow]:
    state = game.state
    tally = state.open.tally or (None,) * state.players
    is_open = state.phase == "playing" and not complete
    can_count = is_open and sum(count or 0 for count in tally) < game.rules.tricks
    rows = []
    for seat in state.order:
        score, note = _preview(game, seat, counts) if complete else (None, "")
        rows.append(
            SeatRow(
                game_id=game.id,
                seat=seat,
                name=game.names[seat],
                phase=state.phase,
                active=seat == active,
                bid=bid_word(state.open.bids[seat]),
                tricks=counts[seat],
                filled=tally[seat] is None and counts[seat] is not None,
                complete=complete,
                one_more=(tally[seat] or 0) + 1 if can_count else None,
                points=signed(score.points) if score else "",
                note=note,
            )
        )
    return rows


def _preview(game: Game, seat: int, counts: Tally) -> tuple[SideScore | None, str]:
    """Return what a side would score and its bag penalty, on the row of its last seat."""
    state = game.state
    side = state.side_of(seat)
    seats = state.sides[side]
    if seat != seats[-1]:
        return None, ""
    bids = tuple(state.open.bids[mate] for mate in seats)
    tricks = tuple(counts[mate] or 0 for mate in seats)
    bags = state.standing.bags[side]
    score = score_side(game.rules, bids, tricks, bags)
    lines = score_reasons(game.rules, bids, tricks, score, bags)
    return score, translate(lines[-1]) if score.bag_penalty else ""


def _keys(game: Game, active: int) -> list[Key]:
    if game.state.phase == "bidding":
        bids = enumerate(possible_bids(game.rules), 1)
        return [_bid_key(game, n, active, bid) for n, bid in bids]
    tally = game.state.open.tally or ()
    left = game.rules.tricks - sum(count or 0 for seat, count in enumerate(tally) if seat != active)
    too_many = ngettext("Only {n} trick is left.", "Only {n} tricks are left.", left)
    why_not = too_many.format(n=left)
    return [
        Key(count + 1, "tricks", str(count), str(count), False, why_not if count > left else "")
        for count in range(game.rules.tricks + 1)
    ]


def _bid_key(game: Game, n: int, seat: int, bid: Bid) -> Key:
    state = game.state
    wrong = refusal(game.rules, state.open.bids, seat, bid, state.standing.totals)
    why_not = translate(wrong.sentence) if wrong else ""
    return Key(n, "bid", str(bid), bid_word(bid), isinstance(bid, Nil), why_not)
