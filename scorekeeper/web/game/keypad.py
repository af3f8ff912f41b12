"""The seats of the entry section and the keys below them, with why a key is disabled."""

from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext, translate
from scorekeeper.rules.bidding import (
    Bid,
    BlindBid,
    Nil,
    blind_bids,
    contract,
    possible_bids,
    refusal,
)
from scorekeeper.rules.entry import Tally, no_counts
from scorekeeper.rules.game import GameState
from scorekeeper.rules.hints import Hint
from scorekeeper.rules.rounds import advance
from scorekeeper.store.games import Game
from scorekeeper.web.game.scoreboard import SideNews, seat_delta, side_news, trick_marks
from scorekeeper.web.text.numbers import minus, signed
from scorekeeper.web.text.wording import bid_word, bold, fill, points_kind

LIKELY, LIKELY_WITH_BLIND_NIL = 6, 8  # keys: two rows of three, or of four


class SeatRow(NamedTuple):
    """The row of a seat above the keypad.

    What concerns a whole side stands on one of its rows: on the first its `delta` and `hints`, on
    the last the `points` and the `total` that it would have. Where every player has a total, all
    but the hints stand at each. `cards` has a mark for each trick bid and each overtrick;
    `one_more` is the count after one more trick. `standing` is the score before the round.
    """

    game_id: str
    seat: int
    name: str
    phase: str
    active: bool
    deals: bool
    bid: str
    tricks: int | None
    filled: bool
    complete: bool
    one_more: int | None
    cards: list[str]
    delta: str
    hints: list[Hint]
    points: str
    total: str
    standing: str

    @property
    def n(self) -> int:
        return self.seat + 1

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
    def delta_kind(self) -> str:
        return points_kind(self.delta)

    @property
    def points_kind(self) -> str:
        return points_kind(self.points)


class Key(NamedTuple):
    """A key of the keypad; `why_not` says why it is disabled.

    Likely keys are larger. `note` is written below the label: the points that a count makes, or
    what a bid would make of the sum.
    """

    n: int
    field: str
    value: str
    label: str
    wide: bool = False
    likely: bool = False
    why_not: str = ""
    note: str = ""

    @property
    def note_kind(self) -> str:
        return points_kind(self.note) if self.field == "tricks" else ""


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


def seat_rows(
    game: Game, counts: Tally, active: int | None, own: int | None, complete: bool
) -> list[SeatRow]:
    """Return the rows of all seats in bidding order; `counts` has the last count filled in.

    A phone that has claimed the seat `own` adds tricks to that seat alone.
    """
    state = game.state
    tally = state.open.tally or no_counts(game.rules, state.players)
    is_open = state.phase == "playing" and not complete
    can_count = is_open and sum(count or 0 for count in tally) < game.rules.tricks
    rows = []
    for seat in state.asked:
        side = state.side_of(seat)
        first = next(one for one in state.asked if state.side_of(one) == side)
        news = side_news(game, side) if seat == first else SideNews("", [])
        delta = seat_delta(game, seat) if state.standing.seat_totals else news.delta
        points, total = _preview(game, seat, counts) if complete else ("", "")
        rows.append(
            SeatRow(
                game_id=game.id,
                seat=seat,
                name=asked_name(game, seat),
                phase=state.phase,
                active=seat == active,
                deals=seat == state.asked_for(state.dealer),
                bid=bid_word(asked_bid(state, seat)),
                tricks=counts[seat],
                filled=tally[seat] is None and counts[seat] is not None,
                complete=complete,
                one_more=(tally[seat] or 0) + 1 if can_count and own in (None, seat) else None,
                cards=_cards(game, seat, counts),
                delta=delta,
                hints=news.hints,
                points=points,
                total=total,
                standing=_standing(game, seat),
            )
        )
    return rows


def _cards(game: Game, seat: int, counts: Tally) -> list[str]:
    """Return the marks of a seat's tricks, once all have bid."""
    if game.state.phase == "bidding":
        return []
    return trick_marks(asked_bid(game.state, seat), counts[seat] or 0)


def _standing(game: Game, seat: int) -> str:
    standing = game.state.standing
    totals = standing.seat_totals
    total = totals[seat] if totals else standing.totals[game.state.side_of(seat)]
    return minus(total, game.rules.shown_as)


def _preview(game: Game, seat: int, counts: Tally) -> tuple[str, str]:
    """Return the points and the total that there would be.

    They are a player's own, or on the row of a side's last seat those of the side.
    """
    state = game.state
    side, own = state.side_of(seat), state.standing.seat_totals
    if not own and seat != max(one for one in state.asked if state.side_of(one) == side):
        return "", ""
    points = _points(game, seat, counts)
    total = points + (own[seat] if own else state.standing.totals[side])
    return signed(points, game.rules.shown_as), minus(total, game.rules.shown_as)


def _points(game: Game, seat: int, counts: Tally) -> int:
    """Return the points of a seat, its own where every player has a total, or of its side."""
    tricks = tuple(count or 0 for count in counts)
    played = game.state.open._replace(tricks=tricks)
    scores, after = advance(game.rules, game.state.standing, played)
    if after.seat_totals:
        return after.seat_totals[seat] - game.state.standing.seat_totals[seat]
    return scores[game.state.side_of(seat)].points


def may_bid_blind(game: Game, active: int) -> bool:
    """Return whether the active seat can make a blind bid of a number."""
    state = game.state
    return state.phase == "bidding" and any(
        refusal(game.rules, state.open.bids, active, bid, state.standing.kept, state.seats.empty)
        is None
        for bid in blind_bids(game.rules)
    )


def pad_keys(game: Game, active: int, *, blind: bool = False) -> list[Key]:
    """Return the keys for the active seat: its possible bids, or counts of tricks.

    With `blind` they are its blind bids of a number.
    """
    if game.state.phase == "bidding":
        bids = blind_bids(game.rules) if blind else possible_bids(game.rules)
        likely = LIKELY_WITH_BLIND_NIL if Nil.BLIND in bids else LIKELY
        return [_bid_key(game, n, active, bid, n <= likely) for n, bid in enumerate(bids, 1)]
    tally = game.state.open.tally or no_counts(game.rules, game.state.players)
    left = game.rules.tricks - sum(count or 0 for seat, count in enumerate(tally) if seat != active)
    too_many = ngettext("Only {n} trick is left.", "Only {n} tricks are left.", left)
    why_not = too_many.format(n=left)
    keys = [Key(n + 1, "tricks", str(n), str(n)) for n in range(game.rules.tricks + 1)]
    return [
        key._replace(why_not=why_not)
        if count > left
        else key._replace(note=_made(game, active, tally, count))
        for count, key in enumerate(keys)
    ]


def _made(game: Game, seat: int, tally: Tally, count: int) -> str:
    """Return the points that a count makes, for a side once the partner is counted.

    Where books are moved, all have to be counted.
    """
    state, counts = game.state, (*tally[:seat], count, *tally[seat + 1 :])
    apart = len(state.standing.kept)  # mates, whose points are one, sit so many seats apart
    needed = counts if state.open.penalties else counts[seat % apart :: apart]
    if None in needed:
        return ""
    return signed(_points(game, seat, counts), game.rules.shown_as)


def _bid_key(game: Game, n: int, seat: int, bid: Bid, likely: bool) -> Key:
    state = game.state
    wrong = refusal(game.rules, state.open.bids, seat, bid, state.standing.kept, state.seats.empty)
    why_not = translate(wrong.sentence) if wrong else ""
    is_hook = wrong is not None and wrong.code == "hook"
    note = _("makes {n}").format(n=game.rules.tricks) if is_hook else ""
    label = str(bid.number) if isinstance(bid, BlindBid) else bid_word(bid)
    return Key(n, "bid", str(bid), label, isinstance(bid, Nil), likely, why_not, note)
