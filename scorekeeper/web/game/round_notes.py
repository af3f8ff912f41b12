"""Forms beside the bids and tricks of a round: penalties, seats, notes, cards, start totals."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape
from werkzeug.datastructures import MultiDict

from scorekeeper.free_text import NameRefused, normalize_name, one_line
from scorekeeper.i18n import MINUS, plain_digits
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.faces import Face
from scorekeeper.rules.penalties import (
    KINDS,
    REASONS,
    RECEIVERS,
    UNSIZED,
    Penalty,
    parse_penalty,
    penalty_text,
)
from scorekeeper.rules.round import Round
from scorekeeper.rules.seating import Seats
from scorekeeper.rules.sentence import minus
from scorekeeper.store.changes import Step
from scorekeeper.store.connection import Database
from scorekeeper.store.games import Game, known_names, read_round
from scorekeeper.store.players import first_spelling
from scorekeeper.web.http.forms import Malformed, parse_digits, quoted, seat_of, typed_start
from scorekeeper.web.http.requests import database
from scorekeeper.web.text.change_lines import note_lines, penalty_line
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.wording import bdi, fill, listed


class PenaltyPlayer(NamedTuple):
    """A player to choose: the number of the seat, and the name."""

    n: int
    name: str


class GivenPenalty(NamedTuple):
    """A penalty that was given: as `penalty_from` reads it, and as a sentence."""

    value: str
    line: Markup
    is_bonus: bool


class PenaltyForm(NamedTuple):
    """What the form of a round lets choose: whose fault it was, and which books can be moved."""

    game_id: str
    number: int
    revision: str
    players: list[PenaltyPlayer]
    to_others: bool
    takes_books: bool


def seated_players(game: Game, number: int) -> list[PenaltyPlayer]:
    """Return the players of a round, in the order of the seats."""
    seats = game.seats_in(number)
    return [PenaltyPlayer(seat + 1, seats.names[seat]) for seat in seats.taken]


def penalty_form(game: Game, number: int) -> PenaltyForm:
    """Return the form for a round of a game."""
    by_side = game.rules.totals_by == "side"
    return PenaltyForm(
        game_id=game.id,
        number=number,
        revision=game.revision,
        players=seated_players(game, number),
        to_others=by_side and game.rules.partnerships,
        takes_books=by_side,
    )


def penalty_of(form: "MultiDict[str, str]", game: Game) -> Penalty:
    """Return the penalty in a form. Raises `Malformed` for fields that make none.

    Points are typed as people see them.
    """
    kind, _colon, to = form.get("what", "").partition(":")
    reason = form.get("reason", "")
    if kind == "bonus":
        seat, size = seat_of(form, len(game.names)), _points_of(form, game.rules.shown_as)
        return Penalty(seat, kind, size, "nobody", one_line(reason))
    if kind not in KINDS or to not in RECEIVERS or reason not in REASONS:
        raise Malformed(_("Choose a penalty."))
    size_text = plain_digits(form.get("size", ""))
    size = 1 if kind in UNSIZED else parse_digits("size", size_text, most_digits=4)
    if kind == "points" and game.rules.shown_as == "tenths":
        size *= 10
    return Penalty(seat_of(form, len(game.names)), kind, size, to, reason)


def _points_of(form: "MultiDict[str, str]", shown_as: str) -> int:
    """Return the points in a form, as people see them; a select or their sign says which way."""
    typed = plain_digits(form.get("size", "").strip()).replace(MINUS, "-")
    pattern = "(-?)([0-9]{1,7})(?:[.,]([0-9]))?" if shown_as == "tenths" else "(-?)([0-9]{1,7})()"
    found = re.fullmatch(pattern, typed, re.ASCII)
    if not found:
        example = "2.5" if shown_as == "tenths" else "20"
        raise Malformed(_("Enter points such as {example}.").format(example=example))
    sign, whole, tenths = found.groups()
    size = int(whole) * 10 + int(tenths or 0) if shown_as == "tenths" else int(whole)
    return -size if sign or form.get("sign") == "-" else size


class NoteForm(NamedTuple):
    """The form of a note: what it is about, the field that has it, and its text so far."""

    game_id: str
    number: int
    revision: str
    label: Markup
    field: str
    text: str


def note_forms(game: Game, number: int) -> list[NoteForm]:
    """Return the form for the note on a round and, with the first one, for that on the game."""
    round_ = game.round(number)
    key = game.id, number, game.revision
    own = NoteForm(*key, fill(say("note_of_round"), n=number), "remark", round_.notes.remark)
    if number > 1:
        return [own]
    about_game = escape(say("note_of_game")), "game_remark", round_.notes.game_remark
    return [own, NoteForm(*key, *about_game)]


class CardsForm(NamedTuple):
    """The form for other cards than those of the list: the cards of a round, and the limits."""

    game_id: str
    number: int
    revision: str
    cards: int
    low: int
    high: int


def cards_form(game: Game, number: int) -> CardsForm | None:
    """Return the form for the cards of a round; None where every round has the same."""
    if not game.rules.cards:
        return None
    dealt = game.state.rules_in(number, game.round(number)).tricks
    limits = game.rules.cards_range(game.state.players)
    return CardsForm(game.id, number, game.revision, dealt, *limits)


class StartRow(NamedTuple):
    """The total and bags that a side or a player begins with; `n` counts the rows from 1."""

    n: int
    faces: list[Face]
    names: Markup
    total: str
    bags: str


class StartForm(NamedTuple):
    """The form for the totals and bags of a game that was continued from paper."""

    game_id: str
    revision: str
    rows: list[StartRow]
    has_bags: bool


def start_form(game: Game, number: int) -> StartForm | None:
    """Return the form for the start of a game, in round 1; None where it began with nothing."""
    first, kind = game.round(1), game.rules.shown_as
    if number > 1 or not first.notes.start:
        return None
    names, faces = game.names_in(1), game.faces_in(1)
    rows = [
        StartRow(
            n=n + 1,
            faces=[faces[seat] for seat in seats],
            names=listed([names[seat] for seat in seats]),
            total=minus(total, kind),
            bags=str(first.notes.start_bags[n]) if n < len(first.notes.start_bags) else "",
        )
        for n, (seats, total) in enumerate(zip(_start_groups(game), first.notes.start, strict=True))
    ]
    return StartForm(game.id, game.revision, rows, game.rules.bag_limit is not None)


def _start_groups(game: Game) -> Sequence[Sequence[int]]:
    """Return the seats of each start total: sides, or players where each has one."""
    sides = game.state.sides
    is_own = len(game.round(1).notes.start) > len(sides)
    return [(seat,) for seat in range(len(game.starters))] if is_own else sides


def with_start(game: Game, round_: Round, form: Mapping[str, str]) -> Round:
    """Return a round with the start totals and bags in a form. Raises `Malformed`."""
    totals = [form.get(f"start-{n}", "") for n, _seats in enumerate(_start_groups(game), 1)]
    bags = [form.get(f"bags-{n}", "") for n, _seats in enumerate(game.state.sides, 1)]
    start = typed_start(totals, bags, game.rules.shown_as)
    zeros = (0,) * len(totals)  # which stay, so that the form can be opened again
    if start is None:
        raise Malformed(say("start_numbers"))
    return round_.noted(start=start[0] or zeros, start_bags=start[1])


def with_remarks(round_: Round, form: Mapping[str, str]) -> Round:
    """Return a round with the notes in a form, on it, on the game, and its trump; others stay."""
    return round_.noted(
        remark=one_line(form.get("remark", round_.notes.remark)),
        game_remark=one_line(form.get("game_remark", round_.notes.game_remark)),
        trump=form.get("trump", round_.notes.trump) or None,
    )


def penalty_from(text: str, players: int) -> Penalty:
    """Return a penalty from text such as `0:books:3:others:renege`. Raises `Malformed`."""
    seat, _colon, penalty = text.partition(":")
    try:
        if seat not in map(str, range(players)):
            raise ValueError(seat)
        found = parse_penalty(int(seat), penalty)
        return found._replace(reason=one_line(found.reason))
    except ValueError:
        raise Malformed(_("{text} isn’t a penalty.").format(text=quoted(text))) from None


def given_penalties(game: Game, number: int) -> list[GivenPenalty]:
    """Return the penalties of a round, in the order of seats."""
    names, shown_as = game.names_in(number), game.rules.shown_as
    return [
        GivenPenalty(
            f"{one.seat}:{penalty_text(one)}",
            penalty_line(names, one, shown_as),
            is_bonus=one.kind == "bonus",
        )
        for one in game.rounds[number - 1].notes.penalties
    ]


def misdeal_line(game: Game, undo: Step | None) -> Markup | None:
    """Return, until the next bid, that the cards are dealt again and undo brings the bids back."""
    if undo is None or undo.round != game.state.number:
        return None
    nothing = Round((None,) * len(game.names))
    now, before = (read_round(one) or nothing for one in (undo.before, undo.after))
    is_misdeal = now.bids == nothing.bids != before.bids and now.notes == before.notes
    if not is_misdeal:
        return None
    sentence = say("misdealt")
    return fill(sentence, name=bdi(game.names[game.state.dealer]))


def notes_shown(game: Game) -> list[Markup]:
    """Return the notes of the round that is played, as sentences; after the end what lost it."""
    round_ = game.state.open
    if game.state.phase == "over":
        lost = [one for one in round_.notes.penalties if one.kind == "lost"]
        return [penalty_line(game.names, one, game.rules.shown_as) for one in lost]
    if game.state.asks_trump:  # by buttons, of which one shows what is noted
        round_ = round_.noted(trump=None)
    return note_lines(game, round_)


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


def players_form(game: Game) -> PlayersForm:
    """Return the form for the round that is played, with the known names of the table."""
    known = known_names(database(), game.table_id, MOST_SHOWN + len(game.names))
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
    return say("has_left").format(name=name) if seat in seats.empty else name


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
