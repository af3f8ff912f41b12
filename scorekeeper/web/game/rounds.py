"""Views of a round: the form that enters or corrects it, misdeals, penalties, notes, seats.

What a correction would change is shown before it is saved.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from flask import Blueprint, abort, flash, g, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.routing import IntegerConverter

from scorekeeper.clock import now
from scorekeeper.i18n import by_number, translate
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.entry import (
    LONGEST_TYPED_REMARK,
    Refused,
    call_last_round,
    end_now,
    ending_now,
    misdeal,
    remove_penalty,
)
from scorekeeper.rules.faces import Face
from scorekeeper.rules.game import GameState, fold
from scorekeeper.rules.round import Round
from scorekeeper.store import entry as round_entry
from scorekeeper.store import journal
from scorekeeper.store.changes import newest_changes
from scorekeeper.store.entry import (
    Entry,
    EntryMade,
    RoundClosed,
    check_open,
    is_entered,
    why_closed,
)
from scorekeeper.store.games import Game
from scorekeeper.store.tables import OwnSeat, own_seat
from scorekeeper.web.game.conflict import two_entries
from scorekeeper.web.game.note_forms import (
    CardsForm,
    FormBeside,
    NoteForm,
    PenaltyForm,
    PointsForm,
    SeatsForm,
    StartForm,
    SwapForm,
    forms_beside,
)
from scorekeeper.web.game.open_round import open_round
from scorekeeper.web.game.page import answer, not_recorded, seen_version
from scorekeeper.web.game.round_form import (
    Errors,
    WrongFields,
    beside_fields,
    entered_round,
    first_blank,
    form_rows,
    is_contradicted,
    original_of,
    rebase,
)
from scorekeeper.web.game.round_notes import given_penalties, penalty_from
from scorekeeper.web.game.scoreboard import receipts, score_rows
from scorekeeper.web.game.screen import end_asked
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.forms import Malformed, text_limits
from scorekeeper.web.http.metrics import kind_of_tap
from scorekeeper.web.http.requests import (
    Answer,
    database,
    error_page,
    find_game_or_404,
    find_in,
    require_phone,
    store,
)
from scorekeeper.web.text.wording import fill, listed, minus, points_kind, signed, winner_names

Edit = Callable[[Game, Round], Round]  # from a round as it is stored to a new one
pages = Blueprint("rounds", __name__, url_prefix="/games/<game_id>/rounds/<round:number>")


class RoundNumber(IntegerConverter):
    """The number of a round in a URL: ASCII digits without leading zeros."""

    regex = "[1-9][0-9]{0,3}"


@pages.post("/misdeal")
def call_off(game_id: str, number: int) -> Answer:
    """Cancel the deal: its bids are removed, and the same dealer deals again."""
    return _enter(game_id, number, "misdeal", lambda _game, round_: misdeal(round_))


@pages.post("/penalties")
def penalize(game_id: str, number: int) -> Answer:
    """Give the side of a player a penalty in a round, which may be scored already, or points."""
    is_bonus = request.form.get("what", "").startswith("bonus")
    return _send(game_id, number, "penalty", PointsForm if is_bonus else PenaltyForm)


@pages.post("/penalties/remove")
def take_back_penalty(game_id: str, number: int) -> Answer:
    """Remove one penalty of a round; one that is gone already changes nothing."""

    def edit(game: Game, round_: Round) -> Round:
        penalty = penalty_from(request.form.get("penalty", ""), len(game.names))
        return remove_penalty(round_, penalty)

    return _enter(game_id, number, "penalty", edit)


@pages.post("/note")
@text_limits(remark=LONGEST_TYPED_REMARK, game_remark=LONGEST_TYPED_REMARK)
def write_note(game_id: str, number: int) -> Answer:
    """Replace the note on a round, or in the first round the one on the game; blank removes it."""
    return _send(game_id, number, "note", NoteForm)


@pages.post("/start")
def change_start(game_id: str, number: int) -> Answer:
    """Replace the totals and bags that a game from paper begins with, which are of round 1."""
    return _send(game_id, number, None, StartForm)


@pages.post("/cards")
def deal(game_id: str, number: int) -> Answer:
    """Deal a round other cards than the list of the rules says."""
    return _send(game_id, number, "cards", CardsForm)


@pages.post("/last")
def call_last(game_id: str, number: int) -> Answer:
    """Call the round the last of the game: time is up."""
    return _enter(game_id, number, "last_round", lambda _game, round_: call_last_round(round_))


@pages.get("/end")
def ask_to_end(game_id: str, number: int) -> Answer:
    """Show how the game ends if the round is not played, and ask."""
    game = find_game_or_404(game_id)
    asked = end_asked(game)
    if asked is None or number != game.state.number:
        return redirect(url_for("game.show", game_id=game_id), 303)
    return render_template("game/end.html", game=game, asked=asked)


@pages.post("/end")
def end(game_id: str, number: int) -> Answer:
    """End the game without this round: the one before it becomes the last."""
    newest = max(number - 1, 1)
    return _enter(game_id, newest, "end", lambda game, one: end_now(game.state, newest, one))


@pages.post("/seats")
def replace_player(game_id: str, number: int) -> Answer:
    """Seat another player from this round on, or leave the seat empty."""
    return _send(game_id, number, "substitute", SeatsForm)


@pages.post("/swap")
def swap_players(game_id: str, number: int) -> Answer:
    """Let two players change seats from this round on."""
    return _send(game_id, number, "substitute", SwapForm)


@pages.get("")
def show(game_id: str, number: int) -> Answer:
    """Show the form that enters the open round or corrects a scored one, and how it was scored."""
    return _round_page(find_game_or_404(game_id), number)


@pages.get("/preview")
def preview(game_id: str, number: int) -> str:
    """Show what the correction in the query would change, or what is wrong with it."""
    game = find_game_or_404(game_id)
    corrected = game.round(number)
    if why_closed(game, number) or corrected.tricks is None:
        abort(404)
    errors: Errors = {}
    try:
        corrected = entered_round(game, number, rebase(request.args.to_dict(), game, number))
    except Refused as refused:
        errors = beside_fields(refused)
    except WrongFields as wrong:
        errors = wrong.messages
    return render_template(
        "game/correction.html",
        correction=preview_correction(game, number, corrected),
        problem=problem(errors),
    )


@pages.post("")
def enter(game_id: str, number: int) -> Answer:
    """Store the open round as far as it is known, or correct one; later ones are scored again."""
    fields = request.form.to_dict()
    corrected = ""

    def sent(game: Game, _before: Round) -> Round:
        return entered_round(game, number, rebase(fields, game, number), _own_seat(game))

    def edit(game: Game, before: Round) -> Round:
        nonlocal corrected
        round_ = sent(game, before)
        if round_ != before and before.tricks is not None:
            corrected = toast(game, number, round_)
        if round_ != before and is_contradicted(fields, game, number):
            raise journal.EditConflict(game)
        g.taps = [kind_of_tap(before, round_)]
        return round_

    try:
        game = _store(game_id, number, None, edit, sent)
    except Refused as refused:
        return _round_page(find_game_or_404(game_id), number, beside_fields(refused))
    except WrongFields as wrong:
        return _round_page(find_game_or_404(game_id), number, wrong.messages)
    except Malformed as wrong:
        game = find_game_or_404(game_id)
        if why_closed(game, number):
            return answer(game, 400, str(wrong))
        return _round_page(game, number, {"": [str(wrong)]}, 400)
    except journal.EditConflict as conflict:
        rebased = rebase(fields, conflict.game, number)
        original = original_of(conflict.game.round(number))
        return _conflict_page(conflict, number, sent, **{**rebased, "original": original})
    if game.round(number).tricks is None:
        return redirect(url_for("rounds.show", game_id=game_id, number=number), 303)
    if corrected:
        flash(corrected, "undo")
    return redirect(url_for("game.show", game_id=game_id), 303)


def _own_seat(game: Game) -> OwnSeat | None:
    return own_seat(database(), game, require_phone().id)


def _send(game_id: str, number: int, kind: str | None, form: type[FormBeside]) -> Answer:
    """Make the entry that was typed in a form beside bids and tricks."""

    def edit(game: Game, round_: Round) -> Round:
        return form(game, number, request.form).edited(round_)

    return _enter(game_id, number, kind, edit, form)


def _enter(
    game_id: str, number: int, kind: str | None, edit: Edit, form: type[FormBeside] | None = None
) -> Answer:
    """Make an entry beside bids and tricks, and answer with the page of the game after it.

    Where it is refused, the page of the round shows the form in which it was typed, if it was.
    """
    try:
        game = _store(game_id, number, kind, edit)
    except (Refused, Malformed) as wrong:
        game, status = find_game_or_404(game_id), 422
        if isinstance(wrong, Malformed) and not isinstance(wrong, WrongFields):
            status = 400
        if form is None or why_closed(game, number):
            return answer(game, status, sentences_of(wrong))
        typed = form(game, number, request.form)
        typed.refuse(wrong)
        return _round_page(game, number, {"": [sentences_of(wrong)]}, status, typed)
    except journal.EditConflict as conflict:
        return _conflict_page(conflict, number, edit)
    return answer(game)


def sentences_of(wrong: Refused | Malformed) -> str:
    """Return why an entry is refused, in one text."""
    if isinstance(wrong, Refused):
        return " ".join(translate(one.sentence) for one in wrong.refusals)
    return str(wrong)


def _store(
    game_id: str, number: int, kind: str | None, edit: Edit, sent: Edit | None = None
) -> Game:
    """Make an entry on the game as it is stored now, in one transaction; return the game after it.

    A form that was sent twice, and stored the first time, changes nothing; `sent` is an `edit`
    without effects. Raises `Malformed` or 404 for a round that is closed, what `edit` raises, and
    as `enter` does.
    """
    phone = require_phone()
    with store().write(phone.table_id) as db:
        game = find_in(db, phone.table_id, game_id) or abort(404)
        seen = seen_version(db, game)
        with suppress(Refused, Malformed, WrongFields):  # which it says below, of the game of now
            if is_entered(db, game, EntryMade(number, kind, sent or edit), seen):
                return game
        try:
            check_open(game, number, seen)
        except RoundClosed as closed:
            if closed.why == "not reached":
                abort(404)
            sentence = _("The game ended after round {n}. Undo the last round to continue.")
            raise Malformed(sentence.format(n=len(game.state.rounds))) from None
        rate_limits.another_round(number)
        entry = Entry(number, edit(game, game.round(number)), kind)
        return round_entry.enter(db, game, entry, seen, journal.Who(phone.id, now()))


def _conflict_page(
    conflict: journal.EditConflict, number: int, edit: Edit, **fields: str
) -> Answer:
    """Answer 409: with both entries for a choice, or with the page if there is nothing to choose.

    `fields` are values of the form that take the place of those that were sent.
    """
    game = conflict.game
    if isinstance(conflict, journal.UnknownRevision):
        return answer(game, 409, not_recorded())
    if why_closed(game, number):
        sentence = _(
            "Round {n} is already closed, so nothing was saved. Check the game, then tap again."
        )
        return answer(game, 409, sentence.format(n=number))
    sent = request.form.to_dict() | fields
    sent.pop("csrf_token", None)
    sent.pop("version", None)
    page = render_template(
        "game/conflict.html",
        game=game,
        state=game.state,
        screen={"score_rows": score_rows(game)},
        number=number,
        entries=two_entries(database(), game, number, edit(game, game.round(number))),
        sent=sent,
    )
    return page, 409


def _not_scored(number: int) -> Answer:
    sentence = _(
        "This game has no scored round {n}. It may have been undone, or the server was reset to "
        "an earlier state, probably from a backup."
    )
    return error_page(404, sentence.format(n=number))


def _round_page(
    game: Game,
    number: int,
    errors: Errors | None = None,
    status: int = 422,
    typed: FormBeside | None = None,
) -> Answer:
    """Return the page of a round; with errors, what was typed stays in its form, or in `typed`."""
    if why_closed(game, number):
        return _not_scored(number)
    is_open, own = game.round(number).tricks is None, _own_seat(game)
    shown = open_round(game, own) if is_open else None
    forms, errors = forms_beside(game, number), errors or {}
    if typed is not None and typed.key in forms:
        forms[typed.key], errors = typed, {}
    entered = rebase(request.form, game, number) if errors and typed is None else {}
    rows = form_rows(game, number, entered, shown, own)
    how = {} if is_open else _how_it_was_scored(game, number)
    page = render_template(
        "game/round.html",
        game=game,
        number=number,
        open=shown,
        rows=rows,
        focus=first_blank(rows, errors) if typed is None and (is_open or errors) else "",
        original=entered.get("original", original_of(game.round(number))),
        errors=errors,
        forms=forms,
        penalties=given_penalties(game, number),
        ends_now=is_open and ending_now(game.state) is not None,
        **how,
    )
    return (page, status) if errors or typed is not None else page


def _how_it_was_scored(game: Game, number: int) -> dict[str, Any]:
    changes, older = newest_changes(database(), game, number)
    return {
        "receipts": receipts(game, number),
        "correction": preview_correction(game, number, game.round(number)),
        "changes": changes,
        "older": older,
    }


class SideStep(NamedTuple):
    """A side and its total after a correction; `delta` is empty where that stays."""

    faces: tuple[Face, ...]
    names: Markup
    total: str
    delta: str
    delta_kind: str


class Correction(NamedTuple):
    """The sides after a correction, and its effect in words: first an end that changes."""

    sides: list[SideStep]
    lines: list[Markup]


def preview_correction(game: Game, number: int, corrected: Round) -> Correction:
    """Return what changes where a scored round of a game is replaced."""
    before, after = game.state, _after(game, number, corrected)
    if corrected == game.round(number):
        return Correction(_sides(game, before, after), [])
    changed = _totals(game, before, after)
    lines = [*_end(game, before, after), *changed]
    if not changed:
        lines.append(fill(_("Nobody’s total changes.")))
    elif len(changed) < len(after.sides):
        lines.append(fill(_("Everyone else unchanged.")))
    return Correction(_sides(game, before, after), lines)


def _after(game: Game, number: int, corrected: Round) -> GameState:
    rounds = [*game.rounds[: number - 1], corrected, *game.rounds[number:]]
    players = len(game.starters)
    return fold(game.rules, players, game.first_dealer, rounds, game.state, game.starters)


def _sides(game: Game, before: GameState, after: GameState) -> list[SideStep]:
    kind = game.rules.shown_as
    steps = []
    for side, seats in enumerate(after.sides):
        was, now = before.standing.totals[side], after.standing.totals[side]
        delta = signed(now - was, kind) if now != was else ""
        names = listed(game.side_names(side))
        faces = game.faces_of(seats)
        steps.append(SideStep(faces, names, minus(now, kind), delta, points_kind(delta)))
    return steps


def _totals(game: Game, before: GameState, after: GameState) -> list[Markup]:
    """Return each total that changes."""
    kind = game.rules.shown_as
    totals = zip(before.standing.totals, after.standing.totals, strict=True)
    return [
        fill(
            _("{names} {old} → {new}"),
            names=listed(game.side_names(side)),
            old=minus(was, kind),
            new=minus(now, kind),
        )
        for side, (was, now) in enumerate(totals)
        if was != now
    ]


def _end(game: Game, before: GameState, after: GameState) -> list[Markup]:
    """Return how the game ends instead, if it does not end as it did."""
    was, now = winner_names(game, before), winner_names(game, after)
    if (was, before.number) == (now, after.number) or not (was or now):
        return []
    if not now:
        return [fill(_("The game isn’t over then. It continues with round {n}."), n=after.number)]
    text = by_number("{names} would have won in round {n}.", len(now))
    return [fill(text, names=listed(now), n=after.number)]


def problem(errors: Mapping[str, Sequence[str]]) -> str:
    """Return what is wrong with a correction, in one text."""
    return " ".join(sentence for sentences in errors.values() for sentence in sentences)


def toast(game: Game, number: int, corrected: Round) -> Markup:
    """Return the message after a correction: the round, and each total that has changed."""
    sentence = fill(_("Round {n} corrected."), n=number)
    changed = _totals(game, game.state, _after(game, number, corrected))
    return Markup(" ").join([sentence, *changed[:2]])
