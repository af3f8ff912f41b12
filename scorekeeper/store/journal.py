"""The journal: every change to a game, only ever appended to; what undo and redo walk.

Each change names the one that `stands` after it and the one that change `follows`. Undo makes the
followed change stand again, redo the newest that follows the standing one; both are changes too,
so nothing is ever lost.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlite_utils import Database

from scorekeeper.rules.bidding import parse_bid
from scorekeeper.rules.game import Round
from scorekeeper.store import summaries
from scorekeeper.store.chain import add_line, setup_of
from scorekeeper.store.games import Game, store_round
from scorekeeper.store.results import derive
from scorekeeper.store.times import stamp


class Stale(Exception):
    """A change made on a page that no longer shows what is stored; `game` is what is there now."""

    def __init__(self, game: Game):
        super().__init__("the game has changed meanwhile")
        self.game = game


class Change(NamedTuple):
    """One line of the journal; `phone` is the label of the phone that made it."""

    version: int
    at: str
    phone: str | None
    kind: str
    round: int | None
    before: Round | None
    after: Round | None


def begin(db: Database, game_id: str, phone_id: str | None, at: datetime) -> None:
    """Write the journal's first line, that the game was begun and how."""
    setup = json.dumps(setup_of(db, game_id))
    _append(db, game_id, 1, at, phone_id, "begin", None, None, setup, stands=1, follows=None)
    summaries.begin(db, game_id)


def note(db: Database, game: Game, kind: str, phone_id: str | None, at: datetime) -> None:
    """Journal what happens to a game as a whole and leaves its facts as they are."""
    version, stands = game.version + 1, _standing(db, game.id)
    _append(db, game.id, version, at, phone_id, kind, None, None, None, stands=stands, follows=None)
    db.execute("UPDATE games SET version = ? WHERE id = ?", [version, game.id])


def record(
    db: Database,
    game: Game,
    number: int,
    round_: Round,
    kind: str,
    seen: int,
    phone_id: str | None,
    at: datetime,
) -> Game:
    """Put a round's new facts in place, journal the change, and return the game after it.

    `seen` is the version the change was made on. What is already so changes nothing. Raises
    `Stale` where a cell about to change was changed by somebody else since then.
    """
    before = game.round(number)
    if round_ == before:
        return game
    cells = _cells_that_differ(before, round_)
    for change in changes_of(db, game.id, number, after_version=seen):
        old, new = (state or Round((None,) * len(game.names)) for state in change[-2:])
        if cells & _cells_that_differ(old, new):
            raise Stale(game)
    stored_before = before if number <= len(game.rounds) else None
    return _apply(db, game, number, stored_before, round_, kind, phone_id, at)


def replace_round(
    db: Database,
    game: Game,
    number: int,
    round_: Round | None,
    kind: str,
    phone_id: str | None,
    at: datetime,
) -> Game:
    """Put a whole round in place, or with None take it away; journal it, return the game after it.

    Unlike `record` it looks at no cells: the caller makes sure that the game is fresh.
    """
    before = game.rounds[number - 1] if number <= len(game.rounds) else None
    return _apply(db, game, number, before, round_, kind, phone_id, at)


def must_be_fresh(game: Game, seen: int) -> None:
    """Raise `Stale` where the game is not at the version seen."""
    if game.version != seen:
        raise Stale(game)


def undo(db: Database, game: Game, seen: int, phone_id: str | None, at: datetime) -> Game:
    """Take the last change that stands back and return the game as it was before it.

    Raises `Stale` when the game is not at the version seen. At the beginning nothing happens.
    """
    must_be_fresh(game, seen)
    change = _row(db, game.id, _standing(db, game.id))
    if change["follows"] is None:
        return game
    return _step(db, game, change, "undo", change["follows"], phone_id, at)


def redo(db: Database, game: Game, seen: int, phone_id: str | None, at: datetime) -> Game:
    """Bring the change that was last taken back into force again.

    Raises `Stale` when the game is not at the version seen. With nothing to redo nothing happens.
    """
    must_be_fresh(game, seen)
    following = _following(db, game.id)
    if following is None:
        return game
    return _step(db, game, _row(db, game.id, following), "redo", following, phone_id, at)


def can_undo(db: Database, game: Game) -> bool:
    """Return whether a change stands that can be taken back."""
    return _standing(db, game.id) > 1


def can_redo(db: Database, game: Game) -> bool:
    """Return whether a change was taken back and nothing new was recorded since."""
    return _following(db, game.id) is not None


def changes_of(
    db: Database, game_id: str, number: int | None = None, after_version: int = 0
) -> list[Change]:
    """Return the journal of a game, or of one of its rounds, oldest first."""
    rows = db.query(
        """
        SELECT version, at, coalesce(changes.label, phones.label) AS phone, kind, round,
            iif(round IS NULL, NULL, before) AS before, iif(round IS NULL, NULL, after) AS after
        FROM changes LEFT JOIN phones ON phones.id = phone_id
        WHERE game_id = ? AND (? IS NULL OR round = ?) AND version > ? ORDER BY version
        """,
        [game_id, number, number, after_version],
    )
    return [
        Change(**{**row, "before": read_round(row["before"]), "after": read_round(row["after"])})
        for row in rows
    ]


def _step(
    db: Database,
    game: Game,
    change: dict[str, Any],
    kind: str,
    stands: int,
    phone_id: str | None,
    at: datetime,
) -> Game:
    back = kind == "undo"
    before, after = (
        (change["after"], change["before"]) if back else (change["before"], change["after"])
    )
    return _apply(
        db,
        game,
        change["round"],
        read_round(before),
        read_round(after),
        kind,
        phone_id,
        at,
        stands=stands,
    )


def _apply(
    db: Database,
    game: Game,
    number: int,
    before: Round | None,
    after: Round | None,
    kind: str,
    phone_id: str | None,
    at: datetime,
    stands: int | None = None,
) -> Game:
    version = game.version + 1
    follows = _standing(db, game.id) if stands is None else None
    _append(
        db,
        game.id,
        version,
        at,
        phone_id,
        kind,
        number,
        write_round(before),
        write_round(after),
        stands=version if stands is None else stands,
        follows=follows,
    )
    db.execute(
        "UPDATE games SET version = ?, changed = ? WHERE id = ?", [version, stamp(at), game.id]
    )
    store_round(db, game.id, number, after, at)
    rounds = _with_round(game.rounds, number, after)
    changed = replace(game, version=version, changed=stamp(at), rounds=rounds)
    if (before and before.tricks) or (after and after.tricks):
        derive(db, changed, number)
    return changed


def _with_round(rounds: Sequence[Round], number: int, round_: Round | None) -> tuple[Round, ...]:
    return (*rounds[: number - 1], *([round_] if round_ else []), *rounds[number:])


def _append(
    db: Database,
    game_id: str,
    version: int,
    at: datetime,
    phone_id: str | None,
    kind: str,
    number: int | None,
    before: str | None,
    after: str | None,
    *,
    stands: int,
    follows: int | None,
) -> None:
    line = {
        "game_id": game_id,
        "version": version,
        "at": stamp(at),
        "phone_id": phone_id,
        "kind": kind,
        "round": number,
        "before": before,
        "after": after,
        "stands": stands,
        "follows": follows,
    }
    add_line(db, line)


def _standing(db: Database, game_id: str) -> int:
    rows = db.query(
        "SELECT stands FROM changes WHERE game_id = ? ORDER BY version DESC LIMIT 1", [game_id]
    )
    return int(next(iter(rows))["stands"])


def _following(db: Database, game_id: str) -> int | None:
    rows = db.query(
        "SELECT max(version) AS newest FROM changes WHERE game_id = ? AND follows = ?",
        [game_id, _standing(db, game_id)],
    )
    newest = next(iter(rows))["newest"]
    return None if newest is None else int(newest)


def _row(db: Database, game_id: str, version: int) -> dict[str, Any]:
    rows = db.query("SELECT * FROM changes WHERE game_id = ? AND version = ?", [game_id, version])
    return next(iter(rows))


def _cells_that_differ(one: Round, other: Round) -> set[tuple[str, int]]:
    """Return which seats' bids, tricks or counts differ; two phones may fill different cells."""
    seats = range(len(one.bids))
    nothing = (None,) * len(one.bids)
    return {
        (what, seat)
        for what, here, there in (
            ("bid", one.bids, other.bids),
            ("tricks", one.tricks or nothing, other.tricks or nothing),
            ("tally", one.tally or nothing, other.tally or nothing),
        )
        for seat in seats
        if here[seat] != there[seat]
    }


def write_round(round_: Round | None) -> str | None:
    """Return a round's facts as the journal keeps them."""
    if round_ is None:
        return None
    kept = {"bids": round_.bids, "tricks": round_.tricks, "tally": round_.tally}
    return json.dumps({name: value for name, value in kept.items() if value is not None})


def read_round(text: str | None) -> Round | None:
    """Return the facts of a round that the journal keeps."""
    if text is None:
        return None
    kept = json.loads(text)
    return Round(
        tuple(None if bid is None else parse_bid(str(bid)) for bid in kept["bids"]),
        tuple(kept["tricks"]) if "tricks" in kept else None,
        tuple(kept["tally"]) if "tally" in kept else None,
    )
