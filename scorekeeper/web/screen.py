"""What the page of an evening shows, worked out from a game so that the template only draws."""

from dataclasses import dataclass

from markupsafe import Markup, escape
from sqlite_utils import Database

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext, say
from scorekeeper.rules.bidding import Bid, Nil, calls, contract, refusal
from scorekeeper.rules.entry import Tally, filled_in
from scorekeeper.rules.explain import explain
from scorekeeper.rules.game import RoundScore
from scorekeeper.rules.outlook import Notice, warnings
from scorekeeper.rules.pack import preparation
from scorekeeper.rules.scoring import SideScore, scorer
from scorekeeper.rules.sentence import Sentence, minus, signed
from scorekeeper.store import journal
from scorekeeper.store.games import Game
from scorekeeper.web.wording import bdi, bid_word, fill, listed, tie_line

ROUNDS_EXPLAINED = 3


@dataclass(frozen=True)
class Why:
    """One side's points in a round, and the sentences that lead to them."""

    round: int
    points: str
    total: str
    lines: list[Sentence]


@dataclass(frozen=True)
class Standing:
    """A side's line in the strip of standings."""

    side: int
    seats: tuple[int, ...]
    names: Markup
    total: str
    share: int
    bags: int
    limit: int | None
    deals: bool
    delta: str
    warnings: list[Notice]
    why: list[Why]


@dataclass(frozen=True)
class Seat:
    """A seat's line where bids and tricks are entered."""

    seat: int
    name: str
    bid: str
    count: int | None
    filled: bool
    one_more: int | None
    active: bool
    points: str
    note: Sentence | None


@dataclass(frozen=True)
class Key:
    """A key of the pad; `why_not` tells why it is struck out."""

    value: str
    label: str
    wide: bool
    why_not: str


@dataclass(frozen=True)
class Screen:
    """The whole page."""

    game: Game
    title: Markup
    who: Markup
    said: Markup
    message: str
    tie: Markup | None
    standings: list[Standing]
    seats: list[Seat]
    keys: list[Key]
    active: int | None
    chosen: int | None
    waits: Markup | None
    counted: Markup
    complete: bool
    counts: Tally
    pack: list[Sentence]
    can_undo: bool
    can_redo: bool


def draw(
    db: Database,
    game: Game,
    *,
    message: str = "",
    chosen: int | None = None,
    own: int | None = None,
) -> Screen:
    """Return the page of a game, with a message of what went wrong and a seat tapped, if any.

    A phone with an `own` seat shows the pad when that seat's turn has come.
    """
    board = game.board
    counts = filled_in(board.open.tally, board.players, game.rules.tricks)
    active = _active(game, chosen, own)
    waits = _waits(game, active, own)
    complete = board.phase == "playing" and sum(c or 0 for c in counts) == game.rules.tricks
    complete = complete and None not in counts
    return Screen(
        game=game,
        title=_title(game),
        who=_who(game, active),
        said=_said(game, active),
        message=message,
        tie=tie_line(game),
        standings=_standings(game),
        seats=[] if board.phase == "over" else _seats(game, counts, active, complete),
        keys=[] if active is None or waits else _keys(game, active),
        active=active,
        chosen=None if chosen is None else chosen + 1,
        waits=waits,
        counted=_counted(game, counts),
        complete=complete,
        counts=counts,
        pack=_pack(game),
        can_undo=journal.can_undo(db, game),
        can_redo=journal.can_redo(db, game),
    )


def explain_round(game: Game, number: int) -> list[tuple[Markup, Why]]:
    """Return each side's names and why it got its points in a round that counts."""
    if number > len(game.board.rounds):
        return []
    round_ = game.board.rounds[number - 1]
    return [
        (listed(game.side_names(side)), _why(game, round_, side))
        for side in range(len(game.board.sides))
    ]


@dataclass(frozen=True)
class TwoEntries:
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
            TwoEntries(seat, _both(bid_word(round_.bids[seat]), recorded), _both(bid, count))
        )
    return rows


def _both(bid: str, count: str) -> str:
    if bid and count:
        return _("bid {bid}, took {n}").format(bid=bid, n=count)
    if count:
        return _("took {n}").format(n=count)
    return _("bid {bid}").format(bid=bid) if bid else "–"


def _active(game: Game, chosen: int | None, own: int | None) -> int | None:
    board = game.board
    if board.phase == "over":
        return None
    if chosen is not None:
        return chosen
    entered = board.open.bids if board.phase == "bidding" else board.open.tally
    waiting = [seat for seat in board.order if entered is None or entered[seat] is None]
    if board.phase == "playing" and own in waiting:
        return own
    return waiting[0] if waiting else board.order[-1]


def _waits(game: Game, active: int | None, own: int | None) -> Markup | None:
    """Return whom a phone with a seat of its own waits for, unless its turn has come."""
    if own is None or active is None or active == own:
        return None
    if game.board.phase == "bidding":
        return fill(
            _("{name} bids now; this phone is for {own}."),
            name=bdi(game.names[active]),
            own=bdi(game.names[own]),
        )
    return fill(_("This phone is for {own}."), own=bdi(game.names[own]))


def _title(game: Game) -> Markup:
    board = game.board
    if board.phase == "over" and board.outcome and board.outcome.winner is not None:
        names = game.side_names(board.outcome.winner)
        return fill(ngettext("{names} wins", "{names} win", len(names)), names=listed(names))
    return fill(_("Round {n}"), n=board.number)


def _who(game: Game, active: int | None) -> Markup:
    if game.board.phase == "bidding":
        return fill(_("{name} deals"), name=bdi(game.names[game.board.dealer]))
    return escape(_("tricks"))


def _said(game: Game, active: int | None) -> Markup:
    """Return what a screen reader is told after each change."""
    board = game.board
    if active is None:
        return _title(game)
    name = bdi(game.names[active])
    if board.phase == "playing":
        return fill(_("Round {n}: how many tricks did {name} take?"), n=board.number, name=name)
    if board.rounds and not any(board.open.bids):
        totals = Markup(", ").join(
            Markup("{} {}").format(listed(game.side_names(side)), minus(total))
            for side, total in enumerate(board.standing.totals)
        )
        return fill(
            _("Round {n} is scored: {totals}. {dealer} deals, {name} bids first."),
            n=board.number - 1,
            totals=totals,
            dealer=bdi(game.names[board.dealer]),
            name=name,
        )
    return fill(_("Round {n}: {name} bids."), n=board.number, name=name)


def _standings(game: Game) -> list[Standing]:
    board, rules = game.board, game.rules
    sides = range(len(board.sides))
    over = board.phase == "over"
    just_scored = bool(board.rounds) and (over or not any(board.open.bids))
    rows = [
        Standing(
            side=side,
            seats=board.sides[side],
            names=listed(game.side_names(side)),
            total=minus(board.standing.totals[side]),
            share=max(0, min(100, 100 * board.standing.totals[side] // rules.target)),
            bags=board.standing.bags[side],
            limit=rules.bag_limit,
            deals=not over and board.dealer in board.sides[side],
            delta=signed(board.rounds[-1].scores[side].points) if just_scored else "",
            warnings=[*(_penalty(game, side) if just_scored else []), *warnings(board, side)][:2],
            why=[_why(game, round_, side) for round_ in board.rounds[: -ROUNDS_EXPLAINED - 1 : -1]],
        )
        for side in sides
    ]
    return sorted(rows, key=lambda row: board.places[row.side]) if over else rows


def _penalty(game: Game, side: int) -> list[Notice]:
    """Return the bag penalty a side has just paid, told once more where its total changed."""
    last = game.board.rounds[-1]
    if not last.scores[side].bag_penalty:
        return []
    return [Notice("danger", _why(game, last, side).lines[-1])]


def _why(game: Game, round_: RoundScore, side: int) -> Why:
    seats = game.board.sides[side]
    score = round_.scores[side]
    bids = tuple(round_.bids[seat] for seat in seats)
    tricks = tuple(round_.tricks[seat] for seat in seats)
    lines = explain(game.rules, bids, tricks, score, round_.before.bags[side])
    return Why(round_.number, signed(score.points), minus(round_.after.totals[side]), lines)


def _seats(game: Game, counts: Tally, active: int | None, complete: bool) -> list[Seat]:
    board = game.board
    played = board.phase == "playing"
    taken = sum(count or 0 for count in board.open.tally or ())
    rows = []
    for seat in board.order:
        count = counts[seat]
        raw = board.open.tally[seat] if board.open.tally else None
        preview = _preview(game, seat, counts) if complete else None
        rows.append(
            Seat(
                seat=seat,
                name=game.names[seat],
                bid=bid_word(board.open.bids[seat]),
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
    """Return what a side would score, shown on its last seat, with the penalty it would pay."""
    board = game.board
    side = board.side_of(seat)
    seats = board.sides[side]
    if seat != seats[-1]:
        return None
    bids = tuple(board.open.bids[mate] for mate in seats)
    tricks = tuple(counts[mate] or 0 for mate in seats)
    bags = board.standing.bags[side]
    score = scorer(game.rules)(bids, tricks, bags)
    lines = explain(game.rules, bids, tricks, score, bags)
    return score, lines[-1] if score.bag_penalty else None


def _keys(game: Game, active: int) -> list[Key]:
    if game.board.phase == "bidding":
        return [_bid_key(game, active, bid) for bid in calls(game.rules)]
    tally = game.board.open.tally or ()
    left = game.rules.tricks - sum(count or 0 for seat, count in enumerate(tally) if seat != active)
    too_many = ngettext("Only {n} trick is left.", "Only {n} tricks are left.", left)
    return [
        Key(str(count), str(count), False, too_many.format(n=left) if count > left else "")
        for count in range(game.rules.tricks + 1)
    ]


def _bid_key(game: Game, seat: int, bid: Bid) -> Key:
    board = game.board
    wrong = refusal(game.rules, board.open.bids, seat, bid, board.standing.totals)
    return Key(str(bid), bid_word(bid), isinstance(bid, Nil), say(wrong.sentence) if wrong else "")


def _counted(game: Game, counts: Tally) -> Markup:
    board, tricks = game.board, game.rules.tricks
    if board.phase == "bidding":
        return fill(_("{n} of {tricks} bid"), n=contract(board.open.bids), tricks=tricks)
    text = fill(_("{n} of {tricks} tricks"), n=sum(c or 0 for c in counts), tricks=tricks)
    raw = board.open.tally or counts
    for seat, count in enumerate(counts):
        if raw[seat] is None and count is not None:
            name = bdi(game.names[seat])
            return fill(_("{counted} · filled in for {name}"), counted=text, name=name)
    return text


def _pack(game: Game) -> list[Sentence]:
    """Return how to prepare the pack, until the first bid of a game."""
    if game.rounds:
        return []
    return preparation(game.rules, len(game.names))
