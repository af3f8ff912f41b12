"""Two entries for one round: what is recorded, and what a page out of date wanted to record."""

from typing import NamedTuple

from scorekeeper.i18n import gettext as _
from scorekeeper.rules.bidding import parse_bid
from scorekeeper.store.games import Game
from scorekeeper.web.wording import bid_word


class TwoEntries(NamedTuple):
    """What is recorded for a seat, and what a page that was out of date wanted to record."""

    seat: int
    recorded: str
    sent: str


def two_entries(game: Game, number: int, sent: dict[str, str]) -> list[TwoEntries]:
    """Return both entries seat by seat, where a form that came too late was of two minds."""
    round_ = game.round(number)
    counts = round_.tricks or round_.tally or (None,) * len(game.names)
    one_seat, _colon, one_count = sent.get("one", "").partition(":")
    rows = []
    for seat in range(len(game.names)):
        n = str(seat + 1)
        at_seat = n == (one_seat or sent.get("seat"))
        bid = sent.get(f"bid-{n}") or (sent.get("bid", "") if at_seat else "")
        count = sent.get(f"tricks-{n}") or (
            (one_count or sent.get("tricks", "")) if at_seat else ""
        )
        recorded = "" if counts[seat] is None else str(counts[seat])
        rows.append(
            TwoEntries(seat, _both(bid_word(round_.bids[seat]), recorded), _both(_said(bid), count))
        )
    return rows


def _said(bid: str) -> str:
    """Return a bid that was sent as it is shown elsewhere."""
    try:
        return bid_word(parse_bid(bid))
    except ValueError:
        return bid


def _both(bid: str, count: str) -> str:
    if bid and count:
        return _("bid {bid}, took {n}").format(bid=bid, n=count)
    if count:
        return _("took {n}").format(n=count)
    return _("bid {bid}").format(bid=bid) if bid else "–"
