"""The form by which players take and leave seats."""

from collections.abc import Sequence
from typing import NamedTuple

from werkzeug.datastructures import MultiDict

from scorekeeper.i18n import gettext as _
from scorekeeper.player_names import NameRefused, normalize_name
from scorekeeper.rules.seating import Seats
from scorekeeper.store.database.connection import Database
from scorekeeper.store.games import Game, known_names
from scorekeeper.store.player_ids import first_spelling
from scorekeeper.web.game.penalties import PenaltyPlayer
from scorekeeper.web.http.current import database
from scorekeeper.web.http.form_fields import Malformed, seat_of

MOST_SHOWN = 12  # names to tap


class PlayersForm(NamedTuple):
    """What the form lets choose: the seat, by its number, and the names of the table.

    Players who have left are among those to choose from, as long as their seat is empty. Where one
    is, either `joins_at_zero` or `joins_at_lowest` says with which total somebody new begins there.
    """

    game_id: str
    number: int
    revision: str
    players: list[PenaltyPlayer]
    known: list[str]
    can_leave: bool
    joins_at_zero: bool
    joins_at_lowest: bool


def known_players(game: Game) -> list[str]:
    """Return the names of the table to choose from, most recent first."""
    return known_names(database(), game.table_id, MOST_SHOWN + len(game.names))


def players_form(game: Game, known: Sequence[str]) -> PlayersForm:
    """Return the form for the round that is played, with the known names of the table."""
    seats = game.state.seats
    seated = [seats.names[seat] for seat in seats.taken]
    return PlayersForm(
        game_id=game.id,
        number=game.state.number,
        revision=game.revision,
        players=[PenaltyPlayer(seat + 1, _name(seats, seat)) for seat in range(len(seats.names))],
        known=[name for name in known if name not in seated][:MOST_SHOWN],
        can_leave=len(game.state.seats.taken) - 1 in game.rules.table_sizes,
        joins_at_zero=bool(seats.empty) and game.rules.joins_at == "zero",
        joins_at_lowest=bool(seats.empty) and game.rules.joins_at == "lowest",
    )


def _name(seats: Seats, seat: int) -> str:
    name = seats.names[seat]
    return _("{name} (left)").format(name=name) if seat in seats.empty else name


def replacement_of(form: "MultiDict[str, str]", game: Game) -> tuple[int, str | None]:
    """Return the seat in a form, and the name of who takes it, or None. Raises `Malformed`."""
    seat = seat_of(form, len(game.names))
    if form.get("leaves") == "yes":
        return seat, None
    return seat, known_spelling(database(), game.table_id, form.get("player") or form.get("name"))


def known_spelling(db: Database, table_id: str, name: str | None) -> str:
    """Return the name of a player as the table spells it. Raises `Malformed` for no valid name."""
    try:
        return first_spelling(db, table_id, normalize_name(name or ""))
    except NameRefused as refused:
        raise Malformed(str(refused)) from None
