"""The rules as they are played here, printed from the very values that score."""

from flask import Blueprint, abort, render_template

from scorekeeper.rules.deck import preparation
from scorekeeper.rules.examples import worked_examples
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.rule_text import readings
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet
from scorekeeper.store.games import Game
from scorekeeper.store.rulesets import Kept, find_rules, kept_rules
from scorekeeper.web.http.current import database, find_game_or_404, require_phone, this_phone
from scorekeeper.web.http.qr_codes import absolute, opens_here_only, svg
from scorekeeper.web.rules.rule_link import link_to, to_query

pages = Blueprint("rules", __name__)


@pages.get("/rules")
def index() -> str:
    """List the rule books, and to a phone of a table those of its own."""
    phone = this_phone()
    ours = kept_rules(database(), phone.table_id) if phone else []
    return render_template("rules/index.html", presets=PRESETS, ours=ours, phone=phone)


@pages.get("/rules/<key>")
def show(key: str) -> str:
    """Print a rule book, or rules of this phone's table."""
    if key in PRESETS:
        return print_rules(PRESETS[key])
    kept = find_rules(database(), require_phone().table_id, key) or abort(404)
    return print_rules(kept.rules, kept=kept, with_code=True)


@pages.get("/games/<game_id>/rules")
def of_game(game_id: str) -> str:
    """Print the rules of one game, house rules included."""
    game = find_game_or_404(game_id)
    return print_rules(game.rules, game=game)


def print_rules(
    rules: RuleSet,
    *,
    game: Game | None = None,
    kept: Kept | None = None,
    with_code: bool = False,
) -> str:
    """Return rules as a page: in sentences, in worked examples, in values, and as a link."""
    preset = PRESETS[rules.key]
    values = [(name, getattr(rules, name), getattr(preset, name)) for name in HOUSE_RULES]
    link = absolute(link_to(rules))
    return render_template(
        "rules/show.html",
        rules=rules,
        preset=preset,
        values=values,
        changed=sum(value != usual for _name, value, usual in values),
        readings=readings(rules),
        examples=worked_examples(rules),
        packs=[(n, preparation(rules, n)) for n in rules.table_sizes],
        game=game,
        kept=kept,
        phone=this_phone(),
        carried=to_query(rules),
        link=link,
        code=svg(link) if with_code else None,
        here_only=opens_here_only(link),
    )
