"""Snapshot of a table that a phone needs to keep scoring offline."""

from collections.abc import Iterable

from scorekeeper.rules.presets import DEFAULT, PRESETS
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store.database.connection import Database
from scorekeeper.store.games import Game, known_names, recent_games, recent_rules
from scorekeeper.store.saved_rules import list_saved_rules
from scorekeeper.store.tables import Phone
from scorekeeper.web.game.facts import Json, game_facts, house_of, owner_of
from scorekeeper.web.offline.phrases import rules_text_of
from scorekeeper.web.text.rule_books import group_of

GAMES_SENT = 5  # the phone keeps others that it has shown
GAMES_KEPT = 20  # MAX_GAMES of snapshot.js


def table_facts(db: Database, phone: Phone) -> Json:
    """Return the players of a table, its rule books, and the games that were played last.

    `texts` are those of house rules; the texts of the rule books are among the phrases.
    """
    games = recent_games(db, phone.table_id, GAMES_SENT)
    ours = [saved.rules for saved in list_saved_rules(db, phone.table_id)]
    return {
        "owner": owner_of(phone),
        "names": known_names(db, phone.table_id),
        "last": list(games[0].names) if games else [],
        "stake": games[0].stake if games else None,
        "books": _books(games, ours),
        "texts": _texts([*ours, *recent_rules(db, phone.table_id, GAMES_KEPT)]),
        "games": [game_facts(db, game, phone.zone) for game in games],
    }


def _books(games: list[Game], ours: list[RuleSet]) -> list[Json]:
    """Return the rules that the table saved, then those played last, then the presets."""
    own = [game.rules for game in games if game.rules != PRESETS.get(game.rules.key)]
    books = dict.fromkeys([*ours, *own, *PRESETS.values()])
    last = games[0].rules if games else DEFAULT
    return [
        {
            **rules.values,
            "sizes": list(rules.table_sizes),
            "house": house_of(rules),
            "named": rules.name != PRESETS[rules.key].name,
            "last": rules == last,
            "group": group_of(rules.key),
        }
        for rules in books
        if rules.key in PRESETS
    ]


def _texts(found: Iterable[RuleSet]) -> list[Json]:
    """Return the texts of rules that differ from their book, each once."""
    return [
        {"key": rules.key, "house": house, "text": rules_text_of(rules)}
        for rules in dict.fromkeys(found)
        if (house := house_of(rules))
    ]
