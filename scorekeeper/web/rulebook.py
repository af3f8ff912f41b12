"""The rules as they are played here, printed from the very values that score."""

from flask import Blueprint, abort, render_template

from scorekeeper.rules.pack import preparation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.readings import readings
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet
from scorekeeper.store.games import Game
from scorekeeper.web.games import find

pages = Blueprint("rulebook", __name__)


@pages.get("/rules")
def index() -> str:
    """List the rule books."""
    return render_template("rules/index.html", presets=PRESETS.values())


@pages.get("/rules/<key>")
def show(key: str) -> str:
    """Print a rule book."""
    return _print(PRESETS.get(key) or abort(404))


@pages.get("/games/<game_id>/rules")
def of_game(game_id: str) -> str:
    """Print the rules of one game, house rules included."""
    game = find(game_id)
    return _print(game.rules, game)


def _print(rules: RuleSet, game: Game | None = None) -> str:
    preset = PRESETS[rules.key]
    return render_template(
        "rules/show.html",
        rules=rules,
        values=[(name, getattr(rules, name), getattr(preset, name)) for name in HOUSE_RULES],
        readings=readings(rules),
        packs=[(n, preparation(rules, n)) for n in rules.table_sizes],
        game=game,
    )
