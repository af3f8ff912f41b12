"""Rounds as JSON: their notes, and their facts in the form of the journal.

The notes of a round hold its penalties, whether it is the last, and who takes a seat from it on.
"""

import json
from typing import Any

from scorekeeper.rules.bidding import parse_bid
from scorekeeper.rules.game import Round
from scorekeeper.rules.penalties import Penalty
from scorekeeper.rules.seating import Substitute
from scorekeeper.store.player_ids import MEMBER


def notes_of(round_: Round) -> dict[str, Any]:
    """Return the notes of a round, empty for most."""
    notes: dict[str, Any] = {}
    if round_.penalties:
        notes["penalties"] = [one._asdict() for one in round_.penalties]
    if round_.last_round:
        notes["last_round"] = True
    if round_.substitutes:
        notes[MEMBER] = [one._asdict() for one in round_.substitutes]
    return notes


def with_notes(round_: Round, notes: dict[str, Any]) -> Round:
    """Return a round with the notes that are among some facts."""
    penalties = tuple(Penalty(**one) for one in notes.get("penalties", ()))
    substitutes = tuple(Substitute(**one) for one in notes.get(MEMBER, ()))
    last_round = notes.get("last_round", False)
    return round_._replace(penalties=penalties, last_round=last_round, substitutes=substitutes)


def write_round(round_: Round | None) -> str | None:
    """Return the facts of a round in the form of the journal, but with names for ids of players."""
    if round_ is None:
        return None
    facts = {"bids": round_.bids, "tricks": round_.tricks, "tally": round_.tally}
    entered = {name: value for name, value in facts.items() if value is not None}
    return json.dumps(entered | notes_of(round_))


def read_round(text: str | None) -> Round | None:
    """Return the facts of a round that are as `write_round` returns them."""
    if text is None:
        return None
    facts = json.loads(text)
    round_ = Round(
        tuple(None if bid is None else parse_bid(str(bid)) for bid in facts["bids"]),
        tuple(facts["tricks"]) if "tricks" in facts else None,
        tuple(facts["tally"]) if "tally" in facts else None,
    )
    return with_notes(round_, facts)
