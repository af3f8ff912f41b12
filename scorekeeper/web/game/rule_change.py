"""Changing the house rules of a game: the form, a preview of the scores, the confirmation."""

from flask import Blueprint, abort, redirect, render_template, request, url_for

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.rule_change import check_rule_change
from scorekeeper.rules.ruleset import HOUSE_RULES, RulesRefused, house_rules
from scorekeeper.store import journal
from scorekeeper.store.games import Game, load_game
from scorekeeper.web.game.page import Answer
from scorekeeper.web.game.rule_change_preview import preview_rule_change
from scorekeeper.web.http.current import find_game_or_404, require_phone, store
from scorekeeper.web.http.form_fields import Malformed
from scorekeeper.web.http.restored import seen_version
from scorekeeper.web.rules.form import HouseRulesForm
from scorekeeper.web.text.rule_values import refusal_shown

pages = Blueprint("rule_change", __name__, url_prefix="/games/<game_id>/rules/change")
NOT_FOR_THIS_GAME = "first_dealer"  # the first deal is over


@pages.get("")
def ask(game_id: str) -> str:
    """Show the form with the present house rules of the game."""
    game = find_game_or_404(game_id)
    return _form_page(game, HouseRulesForm(None, PRESETS[game.rules.key], game.rules))


@pages.post("")
def change(game_id: str) -> Answer:
    """Show what other rules would change, or change them once that is confirmed."""
    game = find_game_or_404(game_id)
    form = HouseRulesForm(request.form, PRESETS[game.rules.key], game.rules)
    if form.values == house_rules(PRESETS[game.rules.key], game.rules):
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
