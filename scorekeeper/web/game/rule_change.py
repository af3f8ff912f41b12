"""Changing the house rules of a game: the form, a preview of the scores, the confirmation."""

from typing import NamedTuple

from flask import Blueprint, abort, redirect, render_template, request, url_for
from markupsafe import Markup

from scorekeeper.clock import now
from scorekeeper.i18n import by_number
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.faces import Face
from scorekeeper.rules.game import GameState, fold
from scorekeeper.rules.presets import PRESETS, tables
from scorekeeper.rules.rule_change import RoundDifference, check_rule_change, compare_scores
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, RulesRefused, house_rules
from scorekeeper.store import journal
from scorekeeper.store.games import Game, load_game
from scorekeeper.web.game.page import seen_version
from scorekeeper.web.http.forms import Malformed
from scorekeeper.web.http.requests import Answer, find_game_or_404, require_phone, store
from scorekeeper.web.rules import HouseRulesForm
from scorekeeper.web.text.change_lines import rule_steps
from scorekeeper.web.text.rule_books import refusal_shown
from scorekeeper.web.text.wording import fill, listed, minus, series, signed, winner_names

pages = Blueprint("rule_change", __name__, url_prefix="/games/<game_id>/rules/change")
NOT_FOR_THIS_GAME = "first_dealer"  # the first deal is over


@pages.get("")
def ask(game_id: str) -> str:
    """Show the form with the present house rules of the game."""
    game = find_game_or_404(game_id)
    return _form_page(game, HouseRulesForm(None, _book(game), game.rules))


@pages.post("")
def change(game_id: str) -> Answer:
    """Show what other rules would change, or change them once that is confirmed."""
    game = find_game_or_404(game_id)
    form = HouseRulesForm(request.form, _book(game), game.rules)
    if form.values == house_rules(form.preset, game.rules):
        form.rules = game.rules  # with the name that the table has given them
    if not form.errors:
        _check(game, form)
    if form.errors:
        return _form_page(game, form), 422
    step = request.form.get("step")
    if step == "confirm":
        return _confirm(game, form)
    if step == "edit" or form.rules == game.rules:
        return _form_page(game, form, same=step != "edit")
    return _preview(game, form)


def _book(game: Game) -> RuleSet:
    """Return the rule book of a game, with the cards that so many players get."""
    book = PRESETS[game.rules.key]
    return tables(book).get(len(game.names), book)


def _confirm(game: Game, form: HouseRulesForm) -> Answer:
    """Change the rules, unless the game has changed since the preview."""
    phone = require_phone()
    try:
        with store().write(phone.table_id) as db:
            game = load_game(db, phone.table_id, game.id) or abort(404)
            seen = seen_version(db, game)
            journal.change_rules(db, game, form.rules, seen, journal.Who(phone.id, now()))
    except Malformed as wrong:
        return _preview(game, form, str(wrong)), 400
    except journal.EditConflict as conflict:
        _check(conflict.game, form)
        if form.errors:
            return _form_page(conflict.game, form), 422
        sentence = _("The game has changed, so nothing was saved. Check it again, then confirm.")
        return _preview(conflict.game, form, sentence), 409
    return redirect(url_for("game.show", game_id=game.id), 303)


def _check(game: Game, form: HouseRulesForm) -> None:
    """Add an error to the field whose value contradicts the rounds of the game."""
    try:
        check_rule_change(game.rules, form.rules, len(game.names), game.rounds)
    except RulesRefused as refused:
        form[refused.field].errors = [refusal_shown(refused)]


def _form_page(game: Game, form: HouseRulesForm, *, same: bool = False) -> str:
    return render_template(
        "game/rule_change.html", game=game, form=form, same=same, skip=[NOT_FOR_THIS_GAME]
    )


def _preview(game: Game, form: HouseRulesForm, message: str = "") -> str:
    fields = {name: form[name].data for name in HOUSE_RULES if name != NOT_FOR_THIS_GAME}
    return render_template(
        "game/rule_change_preview.html",
        game=game,
        fields=fields,
        preview=preview_rule_change(game, form.rules),
        blind_nil_kept=form.blind_nil_kept,
        message=message,
    )


Step = tuple[str, str]


class SideRow(NamedTuple):
    """A side with its total and bags before and after."""

    faces: tuple[Face, ...]
    names: Markup
    total: Step
    bags: Step


class RuleChangePreview(NamedTuple):
    """Everything that the preview shows."""

    values: list[Markup]
    end: list[Markup]
    rows: list[SideRow]
    rounds: list[Markup]


def preview_rule_change(game: Game, rules: RuleSet) -> RuleChangePreview:
    """Return what changes where a game is scored by other rules."""
    before = game.state
    players = len(game.starters)
    after = fold(rules, players, game.first_dealer, game.rounds, starters=game.starters)
    difference = compare_scores(before, after)
    return RuleChangePreview(
        values=rule_steps(game.rules, rules),
        end=_end(game, before, after),
        rows=[
            SideRow(
                game.faces_of(after.sides[side]),
                listed(game.side_names(side)),
                (minus(one.total[0], rules.shown_as), minus(one.total[1], rules.shown_as)),
                (str(one.bags[0]), str(one.bags[1])),
            )
            for side, one in enumerate(difference.sides)
        ],
        rounds=[_round(game, one) for one in difference.rounds if one.number <= len(after.rounds)],
    )


def _end(game: Game, before: GameState, after: GameState) -> list[Markup]:
    """Return where the game ends by the new rules, unless it goes on either way."""
    was, now = winner_names(game, before), winner_names(game, after)
    lines = []
    text = ""
    if now and was and (now, len(after.rounds)) == (was, len(before.rounds)):
        text = by_number("{names} won in round {n}, as before.", len(now))
    elif now and now == was:
        text = by_number("With these rules {names} won in round {n}, not in round {m}.", len(now))
    elif now and was:
        text = by_number(
            "With these rules {names} won in round {n}, not {others} in round {m}.", len(now)
        )
    elif now:
        text = by_number(
            "With these rules {names} won in round {n} and the game is over.", len(now)
        )
    elif was:
        text = _("With these rules the game isn’t over. It continues with round {n}.")
    if text:
        numbers = {"n": after.number, "m": before.number}
        lines.append(fill(text, names=now and listed(now), others=was and listed(was), **numbers))
    if after.uncounted:
        text = _("Round {first} came after the end, so it doesn’t count.")
        if after.uncounted > 1:
            text = by_number(
                "Rounds {first} to {last} came after the end, so they don’t count.",
                after.uncounted,
            )
        lines.append(fill(text, first=after.number + 1, last=len(game.rounds)))
    return lines


def _round(game: Game, one: RoundDifference) -> Markup:
    if None in one.points[0]:
        points = series(
            Markup("{} {}").format(
                listed(game.side_names(side)), signed(new or 0, game.rules.shown_as)
            )
            for side, (_old, new) in enumerate(one.points)
        )
        return fill(_("Round {n} now counts: {points}"), n=one.number, points=points)
    steps = series(
        fill(
            _("{names} {old} → {new}"),
            names=listed(game.side_names(side)),
            old=signed(old or 0, game.rules.shown_as),
            new=signed(new or 0, game.rules.shown_as),
        )
        for side, (old, new) in enumerate(one.points)
        if old != new
    )
    return fill(_("Round {n}: {what}"), n=one.number, what=steps)
