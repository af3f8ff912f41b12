"""The seats of a rematch, as they are offered, chosen and started, and what is asked before."""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from markupsafe import Markup, escape

from scorekeeper.clock import now, stamp
from scorekeeper.free_text import name_key
from scorekeeper.rules.bidding import bidding_order
from scorekeeper.rules.result import rematch_dealer, rematch_dealers
from scorekeeper.store.connection import Database
from scorekeeper.store.games import Game, games_tonight, recent_games
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.wording import bdi, fill, listed, minus, series, when

WAYS = ("same", "winner", "draw")


class Seating(NamedTuple):
    """The seats of the last game in their new order, and the place of the first dealer.

    `dealer` is None where the rules let chance choose.
    """

    seats: tuple[int, ...]
    dealer: int | None


def seating(last: Game, way: str, order: Sequence[int] = ()) -> Seating:
    """Return the seats of the next game of those who sit there.

    `way` is one of `WAYS`: the seats stay and the rules say who deals; or the winner deals; or
    the seats are drawn, unless a page has drawn their `order`, and the last of them deals.
    """
    seats = last.state.seats.taken
    if way == "draw":
        drawn = list(order or seats)
        if not order:
            secrets.SystemRandom().shuffle(drawn)
        return Seating(tuple(drawn), len(drawn) - 1)
    if way == "winner":
        return Seating(seats, seats.index(_winner(last)))
    dealer = rematch_dealer(last.rules, last.state)
    return Seating(seats, None if dealer is None else seats.index(dealer))


def _winner(last: Game) -> int:
    """Return the winner's seat, of partners or several winners who would have dealt first.

    Where nobody has won yet it is the seat that would have dealt next.
    """
    state = last.state
    turns = rematch_dealers(last.rules, state)
    return next((seat for seat in turns if seat in state.winning_seats), turns[0])


def read_order(last: Game, text: str) -> tuple[int, ...] | None:
    """Return the seats that a page has drawn, as "3 1 2", or none for an empty text.

    It is None for anything else than all seats of the game on which somebody sits.
    """
    words = text.split()
    if not all(word.isascii() and word.isdigit() and len(word) < 3 for word in words):
        return None
    order = tuple(int(word) - 1 for word in words)
    return order if not order or sorted(order) == list(last.state.seats.taken) else None


class RematchSeat(NamedTuple):
    """A player on the felt above *Rematch*, in the order of the bids."""

    shape: int
    color: int
    name: str
    begins: bool
    deals: bool


class Rematch(NamedTuple):
    """What is offered below a game that is over; a phone draws other seats and sends their order.

    `same_deals` is empty where chance chooses the dealer.
    """

    game_id: str
    same: list[RematchSeat]
    same_deals: Markup | None
    winner: list[RematchSeat]
    winner_name: Markup
    is_same: bool = True
    is_winner: bool = False
    is_draw: bool = False
    order: str = ""
    drawn: tuple[RematchSeat, ...] = ()
    drawn_deals: Markup | None = None
    undrawn: bool = True


def offered(last: Game) -> Rematch:
    """Return the seats that each way of a rematch makes."""
    same, by_winner = seating(last, "same"), seating(last, "winner")
    return Rematch(
        last.id,
        _seats(last, same),
        _deals(last, same),
        _seats(last, by_winner),
        bdi(_dealer(last, by_winner)),
    )


def _seats(last: Game, chosen: Seating) -> list[RematchSeat]:
    seats, dealer = chosen
    turns = tuple(range(len(seats)))
    if dealer is not None:
        turns = bidding_order(len(seats), dealer, clockwise=last.rules.clockwise)
    return [
        RematchSeat(
            *last.shown_faces[seats[at]],
            last.names[seats[at]],
            begins=turn == 0 and dealer is not None,
            deals=at == dealer,
        )
        for turn, at in enumerate(turns)
    ]


def _dealer(last: Game, chosen: Seating) -> str:
    seats, dealer = chosen
    return "" if dealer is None else last.names[seats[dealer]]


def _deals(last: Game, chosen: Seating) -> Markup | None:
    name = _dealer(last, chosen)
    return fill(say("deals"), name=bdi(name)) if name else None


class Asked(NamedTuple):
    """What is asked before a rematch where the same players have another game running.

    `how` says which seats the rematch makes.
    """

    game_id: str
    way: str
    order: str
    running: str
    number: int
    line: Markup
    how: Markup


def asked(last: Game, running: Game, way: str, order: Sequence[int]) -> Asked:
    """Return what is asked before the rematch of a game."""
    totals, shown_as = running.state.standing.totals, running.rules.shown_as
    scores = [
        Markup("{} {}").format(listed(running.side_names(side)), minus(total, shown_as))
        for side, total in enumerate(totals)
    ]
    number = running.state.number
    parts = [escape(when(running.started)), fill(say("round"), n=number), series(scores)]
    return Asked(
        last.id,
        way,
        " ".join(str(seat + 1) for seat in order),
        running.id,
        number,
        Markup(" · ").join(parts),
        _how(last, way, order),
    )


def _how(last: Game, way: str, order: Sequence[int]) -> Markup:
    parts = [escape(say(f"rematch_{way}"))]
    if way == "winner":
        parts.append(bdi(_dealer(last, seating(last, way))))
    elif (way == "same" or order) and (deals := _deals(last, seating(last, way, order))):
        parts.append(deals)
    return Markup(" · ").join([*parts, escape(say("other_stays_open"))])


GAMES_SEARCHED = 8  # for one of the same players
RUNS = timedelta(days=1)  # that a game which nobody touches counts as running


def running_game(db: Database, table_id: str, last: Game) -> Game | None:
    """Return the newest other game that the same players play: within a day, and not over.

    One of a club night that goes on is none: it is the evening's, whoever plays it.
    """
    players, since = _players(last), stamp(now() - RUNS)
    tonight = games_tonight(db, table_id)
    return next(
        (
            game
            for game in recent_games(db, table_id, GAMES_SEARCHED)
            if game.id not in (last.id, *tonight)
            and game.rounds
            and game.state.phase != "over"
            and game.changed >= since
            and _players(game) == players
        ),
        None,
    )


def _players(game: Game) -> set[str]:
    return {name_key(game.names[seat]) for seat in game.state.seats.taken}
