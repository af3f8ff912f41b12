"""Pages that show rules, written from the same values that the scoring uses."""

from flask import Blueprint, Response, abort, render_template, session

from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet
from scorekeeper.store.games import Game
from scorekeeper.store.saved_rules import SavedRules, find_saved_rules, list_saved_rules
from scorekeeper.web.http.current import (
    database,
    find_game_or_404,
    require_phone,
    this_phone,
    use_words_of,
)
from scorekeeper.web.http.qr_codes import shared_link
from scorekeeper.web.http.static_files import send_drawn
from scorekeeper.web.rules.rule_link import link_to, to_query
from scorekeeper.web.text.rule_books import book_groups, rules_text

pages = Blueprint("rules", __name__)


@pages.get("/rules")
def index() -> str | Response:
    """List the rule books, and the stored rules of this phone's table."""
    return _index() if "phone" in session else send_drawn(_index)


def _index() -> str:
    phone = this_phone()
    ours = list_saved_rules(database(), phone.table_id) if phone else []
    groups = book_groups({}, "")
    return render_template(
        "rules/index.html", presets=PRESETS, groups=groups, ours=ours, phone=phone
    )


@pages.get("/rules/<key>")
def show(key: str) -> str | Response:
    """Show a rule book, or stored rules of this phone's table."""
    if key in PRESETS and "phone" not in session:
        return send_drawn(lambda: rules_page(PRESETS[key]))
    if key in PRESETS:
        return rules_page(PRESETS[key])
    saved = find_saved_rules(database(), require_phone().table_id, key) or abort(404)
    return rules_page(saved.rules, saved=saved, with_code=True)


@pages.get("/games/<game_id>/rules")
def of_game(game_id: str) -> str:
    """Show the rules of one game, house rules included."""
    game = find_game_or_404(game_id)
    return rules_page(game.rules, game=game)


def rules_page(
    rules: RuleSet,
    *,
    game: Game | None = None,
    saved: SavedRules | None = None,
    with_code: bool = False,
) -> str:
    """Return the page of some rules: sentences, worked examples, values and a link.

    Where they belong to a `game` or are `saved` by the table, the page says so; `with_code` adds
    the QR code of the link.
    """
    use_words_of(rules)
    preset = PRESETS[rules.key]
    values = [(name, getattr(rules, name), getattr(preset, name)) for name in HOUSE_RULES]
    return render_template(
        "rules/show.html",
        rules=rules,
        preset=preset,
        values=values,
        changed=sum(value != usual for _name, value, usual in values),
        text=rules_text(rules),
        game=game,
        saved=saved,
        phone=this_phone(),
        query=to_query(rules),
        link=shared_link(link_to(rules)) if with_code else None,
    )
