"""The keypad and the seats above it: entries so far, keys, and why a key is disabled."""

from dataclasses import dataclass
from typing import NamedTuple

from scorekeeper.i18n import ngettext, translate
from scorekeeper.rules.bidding import Bid, Nil, possible_bids, refusal
from scorekeeper.rules.entry import Tally
from scorekeeper.rules.score_reasons import score_reasons
from scorekeeper.rules.scoring import SideScore, score_side
from scorekeeper.rules.sentence import Sentence, signed
from scorekeeper.store.games import Game
from scorekeeper.web.text.wording import bid_word


@dataclass(frozen=True)
class Seat:
    """The row of a seat above the keypad."""

    seat: int
    name: str
    bid: str
    count: int | None
    filled: bool
    one_more: int | None
    active: bool
    points: str
    note: Sentence | None


class Key(NamedTuple):
    """A key of the keypad; `why_not` says why it is disabled."""

    value: str
    label: str
    wide: bool
    why_not: str


def seats(game: Game, counts: Tally, active: int | None, complete: bool) -> list[Seat]:
    state = game.state
    played = state.phase == "playing"
    taken = sum(count or 0 for count in state.open.tally or ())
    rows = []
    for seat in state.order:
        count = counts[seat]
        raw = state.open.tally[seat] if state.open.tally else None
        preview = _preview(game, seat, counts) if complete else None
        rows.append(
            Seat(
                seat=seat,
                name=game.names[seat],
                bid=bid_word(state.open.bids[seat]),
                count=count if played else None,
                filled=raw is None and count is not None,
                one_more=(raw or 0) + 1 if played and taken < game.rules.tricks else None,
                active=seat == active,
                points=signed(preview[0].points) if preview else "",
                note=preview[1] if preview else None,
            )
        )
    return rows


def _preview(game: Game, seat: int, counts: Tally) -> tuple[SideScore, Sentence | None] | None:
    """Return what a side would score and its bag penalty, on the row of its last seat."""
    state = game.state
    side = state.side_of(seat)
    seats = state.sides[side]
    if seat != seats[-1]:
        return None
    bids = tuple(state.open.bids[mate] for mate in seats)
    tricks = tuple(counts[mate] or 0 for mate in seats)
    bags = state.standing.bags[side]
    score = score_side(game.rules, bids, tricks, bags)
    lines = score_reasons(game.rules, bids, tricks, score, bags)
    return score, lines[-1] if score.bag_penalty else None


def keys(game: Game, active: int) -> list[Key]:
    if game.state.phase == "bidding":
        return [_bid_key(game, active, bid) for bid in possible_bids(game.rules)]
    tally = game.state.open.tally or ()
    left = game.rules.tricks - sum(count or 0 for seat, count in enumerate(tally) if seat != active)
    too_many = ngettext("Only {n} trick is left.", "Only {n} tricks are left.", left)
    return [
        Key(str(count), str(count), False, too_many.format(n=left) if count > left else "")
        for count in range(game.rules.tricks + 1)
    ]


def _bid_key(game: Game, seat: int, bid: Bid) -> Key:
    state = game.state
    wrong = refusal(game.rules, state.open.bids, seat, bid, state.standing.totals)
    return Key(
        str(bid), bid_word(bid), isinstance(bid, Nil), translate(wrong.sentence) if wrong else ""
    )
