"""Rounds as text: one JSON value each, the same in the journal and in the row of a game.

Players are in it by their ids, see `player_ids`.
"""

import json
from collections.abc import Sequence

from scorekeeper.rules.game import Round

MAX_ROUNDS = 200  # of a game, whether played or imported
MEMBER = "substitutes"  # of a round in which players take or leave seats
Cell = tuple[str, int]  # "bid", "tricks" or "tally", and the seat; or "notes" and 0


def write_round(round_: Round | None) -> str | None:
    """Return a round as text, but with names for ids of players; None for no round."""
    return None if round_ is None else json.dumps(round_.to_json())


def read_round(text: str | None) -> Round | None:
    """Return a round that is as `write_round` returns it."""
    return None if text is None else Round.from_json(json.loads(text))


def join_rounds(texts: Sequence[str]) -> str:
    """Return the rounds of a game as its row has them: a JSON list with a line for each."""
    return "[\n{}\n]".format(",\n".join(texts)) if texts else "[]"


def split_rounds(text: str) -> tuple[str, ...]:
    """Return each of the rounds in the row of a game. Raises `ValueError` for text of no list."""
    if text.count("\n") == text.count("\n{") + 1 and text.startswith("["):
        return tuple(text[2:-2].split(",\n"))
    return tuple([json.dumps(one) for one in json.loads(text)])  # none, or laid out by others


def cells_that_differ(one: Round, other: Round) -> set[Cell]:
    """Return the cells in which two states of a round differ."""
    seats = range(len(one.bids))
    nothing = (None,) * len(one.bids)
    notes = {("notes", 0)} if one.notes != other.notes else set()
    return notes | {
        (what, seat)
        for what, here, there in (
            ("bid", one.bids, other.bids),
            ("tricks", one.tricks or nothing, other.tricks or nothing),
            ("tally", one.tally or nothing, other.tally or nothing),
        )
        for seat in seats
        if here[seat] != there[seat]
    }
