"""The seats of the entry section and the keys below them, with why a key is disabled."""

from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext, translate
from scorekeeper.rules.bidding import Bid, Nil, possible_bids, refusal
from scorekeeper.rules.entry import Tally
from scorekeeper.rules.rounds import asked
from scorekeeper.rules.score_reasons import score_reasons
from scorekeeper.rules.scoring import SideScore, score_side
from scorekeeper.store.games import Game
from scorekeeper.web.text.numbers import signed
from scorekeeper.web.text.wording import bid_word, bold, fill, points_kind


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


def seat_rows(game: Game, counts: Tally, active: int, complete: bool) -> list[SeatRow]:
    """Return the rows of all seats in bidding order; `counts` has the last count filled in."""
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
    bags, totals = state.standing.bags[side], asked(game.rules, state.standing, side)
    score = score_side(game.rules, bids, tricks, bags, totals)
    lines = score_reasons(game.rules, bids, tricks, score, bags, totals)
    return score, translate(lines[-1]) if score.bag_penalty else ""


def pad_keys(game: Game, active: int) -> list[Key]:
    """Return the keys for the active seat: its possible bids, or counts of tricks."""
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
    wrong = refusal(game.rules, state.open.bids, seat, bid, state.standing.kept)
    why_not = translate(wrong.sentence) if wrong else ""
    return Key(n, "bid", str(bid), bid_word(bid), isinstance(bid, Nil), why_not)
