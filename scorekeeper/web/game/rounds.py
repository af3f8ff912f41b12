"""Rounds: bids, trick counts, the score, a misdeal, and a past round's correction."""

from collections.abc import Callable

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.routing import IntegerConverter

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import say
from scorekeeper.rules.bidding import Bids, calls
from scorekeeper.rules.entry import (
    Refused,
    count_tricks,
    misdeal,
    place_bid,
    score_round,
)
from scorekeeper.rules.game import Round
from scorekeeper.rules.refusals import Refusal
from scorekeeper.rules.sentence import N_
from scorekeeper.store import journal
from scorekeeper.store.changes import newest_changes
from scorekeeper.store.game_cache import cached_game
from scorekeeper.store.games import Game
from scorekeeper.web.game.conflict import two_entries
from scorekeeper.web.game.page import Answer, answer
from scorekeeper.web.game.scoreboard import explain_round, standings
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.current import database, find_game_or_404, require_phone, store
from scorekeeper.web.http.error_page import error_page
from scorekeeper.web.http.form_fields import Malformed, bid_of, seat_of, whole_number
from scorekeeper.web.http.restored import not_recorded, seen_version
from scorekeeper.web.text.wording import bid_word

pages = Blueprint("rounds", __name__, url_prefix="/games/<game_id>/rounds/<round:number>")
Entry = Callable[[Game, Round], Round]


class NotOn(Exception):
    """An entry for a round that was on when its page was drawn; `game` is what is there now."""

    def __init__(self, game: Game, number: int):
        sentence = _("Round {n} is not on any more, so nothing was recorded. Look, then tap again.")
        super().__init__(sentence.format(n=number))
        self.game = game


class RoundNumber(IntegerConverter):
    """A round in an address: ASCII digits, written in one way only."""

    regex = "[1-9][0-9]{0,3}"


@pages.post("/bids")
def bid(game_id: str, number: int) -> Answer:
    """Note one seat's bid."""

    def entry(game: Game, round_: Round) -> Round:
        seat = seat_of(request.form, len(game.names))
        return place_bid(game.board, number, round_, seat, bid_of(request.form.get("bid", "")))

    return _enter(game_id, number, "bid", entry)


@pages.post("/tally")
def tally(game_id: str, number: int) -> Answer:
    """Note one seat's tricks so far, or in the end; nothing is scored yet.

    `one` is a seat and its new count, `2:5`, tapped while the cards are played.
    """

    def entry(game: Game, round_: Round) -> Round:
        fields = request.form.copy()
        one_by_one = ":" in fields.get("one", "")
        if one_by_one:
            fields["seat"], _colon, fields["tricks"] = fields["one"].partition(":")
        seat = seat_of(fields, len(game.names))
        count = whole_number(fields, "tricks")
        if round_.tricks is not None:
            return _as_scored(number, round_, seat, count)
        return count_tricks(game.board, number, round_, seat, count, one_by_one=one_by_one)

    return _enter(game_id, number, "tally", entry)


@pages.post("/tricks")
def tricks(game_id: str, number: int) -> Answer:
    """Score the round with every seat's tricks."""

    def entry(game: Game, round_: Round) -> Round:
        counts = _counts(len(game.names))
        return score_round(game.board, number, round_._replace(tricks=counts), round_)

    return _enter(game_id, number, "scored", entry)


@pages.post("/misdeal")
def call_off(game_id: str, number: int) -> Answer:
    """Call the deal off: the bids go, the same dealer deals again."""
    return _enter(game_id, number, "misdeal", lambda _game, round_: misdeal(round_))


@pages.get("")
def show(game_id: str, number: int) -> Answer:
    """Show a past round: why each number, what was changed, and the form to correct it."""
    game = find_game_or_404(game_id)
    if game.round(number).tricks is None:
        return _not_scored(number)
    return _round_page(game, number)


@pages.post("")
def correct(game_id: str, number: int) -> Answer:
    """Correct a past round; every round after it is scored again."""
    game = find_game_or_404(game_id)
    if game.round(number).tricks is None:
        return _not_scored(number)

    def corrected(game: Game, before: Round) -> Round:
        players = len(game.names)
        bids: Bids = (None,) * players
        if not (number == 1 and game.rules.first_round_bids_itself):
            bids = tuple(bid_of(request.form.get(f"bid-{n}", "")) for n in range(1, players + 1))
        return score_round(game.board, number, Round(bids, _counts(players)), before)

    def entry(game: Game, before: Round) -> Round:
        round_ = corrected(game, before)
        if round_ != before and request.form.get("original") != _cells(before):
            raise journal.EditConflict(game)
        return round_

    try:
        _record(game_id, number, "corrected", entry)
    except Refused as refused:
        return _round_page(game, number, _beside_seats(refused)), 422
    except Malformed as wrong:
        return _round_page(game, number, {None: [str(wrong)]}), 400
    except journal.UnknownRevision as restored:
        return answer(restored.game, 409, not_recorded())
    except journal.EditConflict as stale:
        original = _cells(stale.game.round(number))
        return _conflict(stale.game, number, corrected, original=original)
    return redirect(url_for("game.show", game_id=game_id, _anchor="rounds"), 303)


def _enter(game_id: str, number: int, kind: str, entry: Entry) -> Answer:
    """Make one entry on the game's page, and answer with the page as it is then."""
    try:
        game = _record(game_id, number, kind, entry)
    except Refused as refused:
        return answer(find_game_or_404(game_id), 422, _sentences(refused), refused.refusals[0].seat)
    except Malformed as wrong:
        return answer(find_game_or_404(game_id), 400, str(wrong))
    except NotOn as gone:
        return answer(gone.game, 409, str(gone))
    except journal.UnknownRevision as restored:
        return answer(restored.game, 409, not_recorded())
    except journal.EditConflict as stale:
        return _conflict(stale.game, number, entry)
    return answer(game)


def _record(game_id: str, number: int, kind: str, entry: Entry) -> Game:
    """Check an entry against what is stored now and keep it, in one transaction."""
    phone = require_phone()
    with store().write() as db:
        game = cached_game(db, phone.table_id, game_id) or abort(404)
        seen = seen_version(db, game)
        _must_be_on(game, number, seen)
        rate_limits.another_round(number)
        round_ = entry(game, game.round(number))
        return journal.record(db, game, number, round_, kind, seen, phone.id, now())


def _must_be_on(game: Game, number: int, seen: int) -> None:
    """Refuse a round that cannot be played: one after the end, or one not reached yet.

    Raises `NotOn` where the page is of an older state, in which the round may have been on.
    """
    last, counted = len(game.rounds), len(game.board.rounds)
    if number > max(last, game.board.number) and seen < game.version:
        raise NotOn(game, number)
    if number > last + 1:
        abort(404)
    if game.board.phase == "over" and number > counted and game.round(number).tricks is None:
        raise Malformed(
            _("The game is over after round {n}. Undo the last round to play on.").format(n=counted)
        )
    if number > max(last, game.board.number):
        abort(404)


def _not_scored(number: int) -> Answer:
    return error_page(
        404,
        _(
            "There is no scored round {n} in this game. It may have been taken back, or the server "
            "went back to an earlier state, perhaps a backup."
        ).format(n=number),
    )


def _as_scored(number: int, round_: Round, seat: int, count: int) -> Round:
    """Leave a scored round as it is; raises `Refused` for a count that comes late and differs."""
    assert round_.tricks is not None
    if round_.tricks[seat] != count:
        sentence = N_("Round {n} is scored already: tap its number below to correct it.", n=number)
        raise Refused([Refusal(seat, "scored", sentence)])
    return round_


def _cells(round_: Round) -> str:
    """Return the bids and tricks that a correction form is drawn with, as it sends them back.

    The version alone does not tell: a browser may put old values into a page that it fetched anew.
    """
    counts = round_.tricks or (None,) * len(round_.bids)
    return " ".join(f"{bid}/{count}" for bid, count in zip(round_.bids, counts, strict=True))


def _counts(players: int) -> tuple[int, ...]:
    return tuple(whole_number(request.form, f"tricks-{n}") for n in range(1, players + 1))


def _sentences(refused: Refused) -> str:
    return " ".join(say(one.sentence) for one in refused.refusals)


def _beside_seats(refused: Refused) -> dict[int | None, list[str]]:
    found: dict[int | None, list[str]] = {}
    for one in refused.refusals:
        found.setdefault(one.seat, []).append(say(one.sentence))
    return found


def _round_page(game: Game, number: int, errors: dict[int | None, list[str]] | None = None) -> str:
    rules, round_ = game.rules, game.rounds[number - 1]
    changes, older = newest_changes(database(), game.id, number)
    typed = request.form if errors else {"original": _cells(round_)}
    return render_template(
        "game/round.html",
        game=game,
        number=number,
        round=round_,
        sides=explain_round(game, number),
        changes=changes,
        older=older,
        bids=[(str(bid), bid_word(bid)) for bid in calls(rules)],
        tricks=[str(count) for count in range(rules.tricks + 1)],
        typed=typed,
        errors=errors or {},
    )


def _conflict(game: Game, number: int, entry: Entry, **drawn: str) -> Answer:
    """Answer that something else was recorded meanwhile: both shown, the table chooses.

    `drawn` are fields that say what the page now shows, whatever was sent.
    """
    sent = request.form.to_dict() | drawn
    sent.pop("csrf_token", None)
    sent.pop("version", None)
    part = "HX-Request" in request.headers
    page = render_template(
        "game/_conflict.html" if part else "game/conflict.html",
        game=game,
        board=game.board,
        screen={"standings": standings(game)},
        number=number,
        entries=two_entries(database(), game, number, entry(game, game.round(number))),
        sent=sent,
    )
    return page, 409
