"""Snapshot of a table that a phone needs to keep scoring offline."""

from typing import Any

from sqlite_utils import Database

from scorekeeper.rules.game import Round
from scorekeeper.rules.presets import DEFAULT, PRESETS
from scorekeeper.rules.ruleset import RuleSet, house_rules
from scorekeeper.store.changes import newest_entries
from scorekeeper.store.games import Game, known_names, recent_games
from scorekeeper.store.saved_rules import list_saved_rules
from scorekeeper.store.tables import SHORT, Phone, hash_of
from scorekeeper.store.undo_steps import Step, undo_steps
from scorekeeper.web.text.dates import local_date

GAMES_SENT = 5  # the phone keeps others that it has shown
Json = dict[str, Any]


def owner_of(phone: Phone) -> str:
    """Return the id of a phone's table for use on the phone, from which no key can be derived."""
    return hash_of(f"table:{phone.table_id}")[:SHORT]


def table_facts(db: Database, phone: Phone) -> Json:
    """Return the players of a table, its rule books, and the games that were played last."""
    games = recent_games(db, phone.table_id, GAMES_SENT)
    return {
        "owner": owner_of(phone),
        "names": known_names(db, phone.table_id),
        "last": list(games[0].names) if games else [],
        "stake": games[0].stake if games else None,
        "books": _books(games, [saved.rules for saved in list_saved_rules(db, phone.table_id)]),
        "games": [game_facts(db, game) for game in games],
    }


def game_facts(db: Database, game: Game) -> Json:
    """Return the facts of a game; seats are counted from 0.

    `entries` holds, by the number of a round, the phone that entered it last, and when. `undo` and
    `redo` are the steps that the phone can take offline, the next one last.
    """
    undo, redo = undo_steps(db, game)
    return {
        "id": game.id,
        "version": game.version,
        "revision": game.revision,
        "rules": game.rules.values,
        "house": house_of(game.rules),
        "names": list(game.names),
        "first_dealer": game.first_dealer,
        "stake": game.stake,
        "started": game.started,
        "day": local_date(game.started).isoformat(),
        "changed": game.changed,
        "rounds": [round_facts(round_) for round_ in game.rounds],
        "entries": newest_entries(db, game.id),
        "undo": [_step_facts(step) for step in undo],
        "redo": [_step_facts(step) for step in redo],
    }


def house_of(rules: RuleSet) -> dict[str, str]:
    """Return the values in which rules differ from their preset, as a form sends them."""
    return house_rules(PRESETS.get(rules.key, rules), rules)


def _step_facts(step: Step) -> list[Any]:
    return [step.round, step.facts and round_facts(step.facts)]


def round_facts(round_: Round) -> Json:
    """Return the facts of a round."""
    return {"bids": round_.bids, "tricks": round_.tricks, "tally": round_.tally}


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
        }
        for rules in books
        if rules.key in PRESETS
    ]
