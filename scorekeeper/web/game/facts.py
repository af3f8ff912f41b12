"""The facts of a game as JSON, from which a phone scores and draws it by itself."""

import json
from typing import Any

from markupsafe import Markup

from scorekeeper.clock import day_in
from scorekeeper.rules.game import Round
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import RuleSet, house_rules
from scorekeeper.store.changes import newest_entries
from scorekeeper.store.database.connection import Database
from scorekeeper.store.games import Game
from scorekeeper.store.round_entry import conflicts_of
from scorekeeper.store.tables import SHORT, Phone, hash_of
from scorekeeper.store.undo_for_phones import PhoneStep, undo_steps
from scorekeeper.store.watch_links import is_shared, own_seat

Json = dict[str, Any]


def owner_of(phone: Phone) -> str:
    """Return the id of a phone's table for use on the phone, from which no key can be derived."""
    return hash_of(f"table:{phone.table_id}")[:SHORT]


def facts_for(db: Database, phone: Phone, game: Game) -> Json:
    """Return the facts of a game for a phone, with its table and the seat that it has claimed.

    `taken_by` is the label of the phone that plays for that seat now. `conflicts` are the entries
    with which phones wait for a choice, among them its own.
    """
    own = own_seat(db, game, phone.id)
    claimed = {"own_seat": own and own.seat, "taken_by": own and own.taken_by}
    conflicts = [
        {
            "phone": one.label,
            "own": one.phone_id == phone.id,
            "n": one.number,
            "round": round_facts(one.entry),
        }
        for one in conflicts_of(db, game)
    ]
    of_phone = {**game_facts(db, game, phone.zone), **claimed, "conflicts": conflicts}
    return {"owner": owner_of(phone), "game": of_phone}


def game_facts(db: Database, game: Game, zone: str | None) -> Json:
    """Return the facts of a game; seats are counted from 0.

    `day` is when it started in the time zone of the table, for names of files.

    `entries` holds, by the number of a round, the phone that entered it last, and when. `undo` and
    `redo` are the steps that the phone can take, the next one last, each with its line of the
    journal; `can_undo` and `can_redo` say whether the server knows others beyond these. `shared`
    says whether there is a live link.
    """
    steps = undo_steps(db, game)
    return {
        "id": game.id,
        "version": game.version,
        "revision": game.revision,
        "rules": game.rules.values,
        "house": house_of(game.rules),
        "starters": list(game.starters),
        "names": list(game.names),
        "first_dealer": game.first_dealer,
        "stake": game.stake,
        "started": game.started,
        "day": day_in(zone, game.started),
        "changed": game.changed,
        "rounds": [round_facts(round_) for round_ in game.rounds],
        "entries": newest_entries(db, game),
        "undo": [_step_facts(step) for step in steps.undo],
        "redo": [_step_facts(step) for step in steps.redo],
        "can_undo": steps.can_undo,
        "can_redo": steps.can_redo,
        "shared": is_shared(db, game),
    }


def house_of(rules: RuleSet) -> dict[str, str]:
    """Return the values in which rules differ from their preset, as a form sends them."""
    return house_rules(PRESETS.get(rules.key, rules), rules)


def round_facts(round_: Round) -> Json:
    """Return the facts of a round, with its notes if it has any."""
    entered = {"bids": round_.bids, "tricks": round_.tricks, "tally": round_.tally}
    return entered | round_.notes


def json_text(content: Json) -> str:
    """Return JSON without blanks, members in their order."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def script_json(content: Json) -> Markup:
    """Return JSON for a script element of a page, which no text in it can end."""
    return Markup(json_text(content).replace("<", "\\u003c"))


def _step_facts(step: PhoneStep) -> list[Any]:
    return [step.round, step.facts and round_facts(step.facts), step.line]
