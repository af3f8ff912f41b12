"""Reading the journal: what was changed, and what undo and redo would do."""

import json
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from scorekeeper.rules.bidding import parse_bid
from scorekeeper.rules.game import Round
from scorekeeper.rules.presets import restore
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.rows import scalar
from scorekeeper.store.games import Game
from scorekeeper.store.player_ids import with_names
from scorekeeper.store.rounds import notes_of, with_notes

PAGE = 100  # changes
CHANGES = """
SELECT version, at, coalesce(changes.label, phones.label) AS phone, kind, round, before, after
FROM changes LEFT JOIN phones ON phones.table_id = changes.table_id AND phones.id = phone_id
WHERE changes.table_id = :table AND game_id = :game
"""
Way = Literal["undo", "redo"]
Cell = tuple[str, int]  # "bid", "tricks" or "tally", and the seat; or "notes" and 0


class Change(NamedTuple):
    """One line of the journal; `phone` is the label of the phone or program that made it.

    A change of a round has the facts before and after it, one of the rules has the old and the new.
    """

    version: int
    at: str
    phone: str | None
    kind: str
    round: int | None
    before: Round | None
    after: Round | None
    rules: tuple[RuleSet, RuleSet] | None = None

    @property
    def cells(self) -> set[Cell]:
        """The cells of the round that were changed."""
        round_ = self.before or self.after
        if round_ is None:
            return set()
        empty = Round((None,) * len(round_.bids))
        return cells_that_differ(self.before or empty, self.after or empty)


class Step(NamedTuple):
    """What undo or redo changes: a round or, where `round` is None, the rules.

    `before` and `after` are in the form of the journal, `stands` is the change in force afterwards.
    """

    round: int | None
    before: Any
    after: Any
    stands: int


def changes_of(
    db: Database, game: Game, number: int | None = None, after_version: int = 0
) -> list[Change]:
    """Return the journal of a game, or of one of its rounds, oldest first."""
    of_round = "" if number is None else "AND round = :number"
    rows = db.query(
        f"{CHANGES} {of_round} AND version > :seen ORDER BY version",
        {"table": game.table_id, "game": game.id, "number": number, "seen": after_version},
    )
    return [_change(db, game, row) for row in rows]


def newest_changes(
    db: Database, game: Game, number: int | None = None, before: int | None = None
) -> tuple[list[Change], int | None]:
    """Return one page of the journal of a game, or of one of its rounds, newest first.

    The page begins below the version `before`; with it comes the `before` of the next page, or
    None where the journal ends.
    """
    of_round = "" if number is None else "AND round = :number"
    below = "" if before is None else "AND version < :before"
    rows = db.query(
        f"{CHANGES} {of_round} {below} ORDER BY version DESC LIMIT {PAGE + 1}",
        {"table": game.table_id, "game": game.id, "number": number, "before": before},
    )
    changes = [_change(db, game, row) for row in rows]
    return changes[:PAGE], changes[PAGE - 1].version if len(changes) > PAGE else None


def newest_entries(db: Database, game: Game) -> dict[int, dict[str, str | None]]:
    """Return when, and by whose `phone`, each round of a game was changed last, by its number.

    Rounds that were undone or removed are included.
    """
    rows = db.query(
        """
        SELECT round, at, coalesce(changes.label, phones.label) AS phone
        FROM changes LEFT JOIN phones ON phones.table_id = changes.table_id AND phones.id = phone_id
        WHERE changes.table_id = :table AND game_id = :game AND version IN (
            SELECT max(version) FROM changes
            WHERE table_id = :table AND game_id = :game AND round IS NOT NULL GROUP BY round
        ) ORDER BY round
        """,
        {"table": game.table_id, "game": game.id},
    )
    return {row.pop("round"): row for row in rows}


def last_entry(db: Database, game: Game, number: int, cells: set[Cell]) -> Change | None:
    """Return the newest change of a round that touched one of these cells."""
    changes = reversed(changes_of(db, game, number))
    return next((change for change in changes if cells & change.cells), None)


def can_undo(db: Database, game: Game) -> bool:
    """Return whether there is a change to undo."""
    return game.stands > 1


def can_redo(db: Database, game: Game) -> bool:
    """Return whether a change was undone and nothing new was recorded since."""
    return redo_line(db, game, game.stands) is not None


def redo_line(db: Database, game: Game, current: int) -> int | None:
    """Return the version of the change that redo would repeat, or None where nothing was undone."""
    # Only a later line can follow, which spares most games the search of a long journal.
    newest = db.execute(
        "SELECT max(version) FROM changes "
        "WHERE table_id = ? AND game_id = ? AND version > ? AND follows = ?",
        [game.table_id, game.id, current, current],
    )
    version: int | None = newest.fetchone()[0]
    return version


def next_step(db: Database, game: Game, way: Way) -> Step | None:
    """Return what undo or redo would change, or None where there is nothing to undo or redo."""
    if way == "undo":
        return undo_of(_line(db, game, game.stands))
    return redo_of(_line(db, game, redo_line(db, game, game.stands)))


def step_of_line(db: Database, game: Game, way: Way, version: int) -> Step | None:
    """Return what undoing or redoing a line would change, or None for one that is no change."""
    line = _line(db, game, version)
    is_change = line is not None and line["follows"] is not None
    return (undo_of if way == "undo" else redo_of)(line) if is_change else None


def stands(db: Database, game: Game, version: int) -> bool:
    """Return whether a change is in force, or others were made on it that are."""
    # Changes made on it have later versions, so a state without it is one of an earlier change.
    newest = db.execute(
        "SELECT stands FROM changes WHERE table_id = ? AND game_id = ? AND version >= ? "
        "AND stands <= ? ORDER BY version DESC LIMIT 1",
        [game.table_id, game.id, version, version],
    ).fetchone()
    return newest is not None and newest[0] == version


def was_repeated(db: Database, game: Game, way: Way, step: Step, seen: int, phone_id: str) -> bool:
    """Return whether a phone has taken a step of undo or redo after a version."""
    rows = db.execute(
        "SELECT 1 FROM changes WHERE table_id = ? AND game_id = ? AND version > ? AND kind = ? "
        "AND stands = ? AND phone_id = ? LIMIT 1",
        [game.table_id, game.id, seen, way, step.stands, phone_id],
    )
    return rows.fetchone() is not None


def undo_of(line: Mapping[str, Any] | None) -> Step | None:
    """Return the step that undoes a line of the journal; the first line cannot be undone."""
    if line is None or line["follows"] is None:
        return None
    return Step(line["round"], line["after"], line["before"], line["follows"])


def redo_of(line: Mapping[str, Any] | None) -> Step | None:
    """Return the step that repeats a line of the journal, which was undone."""
    if line is None:
        return None
    return Step(line["round"], line["before"], line["after"], line["version"])


def is_in_history(db: Database, game: Game, version: int, hash_: str) -> bool:
    """Return whether the journal has the line that a page was rendered from.

    `hash_` is the start of that line's hash, or empty where only the version is known. Lines are
    never removed: one that is missing was written after a backup that has been restored since.
    """
    if version >= game.version:
        return version == game.version and game.hash.startswith(hash_)
    query = "SELECT hash FROM changes WHERE table_id = ? AND game_id = ? AND version = ?"
    found: str | None = scalar(db, query, [game.table_id, game.id, version])
    return found is not None and found.startswith(hash_)


def _line(db: Database, game: Game, version: int | None) -> dict[str, Any] | None:
    """Return a line of a game's journal as it is stored."""
    query = "SELECT * FROM changes WHERE table_id = ? AND game_id = ? AND version = ?"
    rows = db.query(query, [game.table_id, game.id, version])
    return next(rows, None)


def newest_line(db: Database) -> int:
    """Return the sequence number of the newest line of any journal."""
    return int(db.execute("SELECT coalesce(max(sequence), 0) FROM changes").fetchone()[0])


def changed_since(db: Database, table_id: str, line: int) -> list[str]:
    """Return the games of a table that have changed after the line with a sequence number."""
    rows = db.execute(
        # The coalesce keeps SQLite from reading the journal in the order of its index by game.
        "SELECT DISTINCT game_id FROM changes WHERE sequence > ? AND coalesce(table_id, '') = ?",
        [line, table_id],
    )
    return [row[0] for row in rows.fetchall()]


def cells_that_differ(one: Round, other: Round) -> set[Cell]:
    """Return the cells in which two states of a round differ."""
    seats = range(len(one.bids))
    nothing = (None,) * len(one.bids)
    notes = {("notes", 0)} if notes_of(one) != notes_of(other) else set()
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


def _change(db: Database, game: Game, row: dict[str, Any]) -> Change:
    before, after = row.pop("before"), row.pop("after")
    if row["round"] is not None:
        old, new = (read_round(with_names(db, game.table_id, one)) for one in (before, after))
        return Change(**row, before=old, after=new)
    rules = None
    if before and after:
        old_rules, new_rules = (
            restore(json.loads(setup)["rule_values"]) for setup in (before, after)
        )
        rules = old_rules, new_rules
    return Change(**row, before=None, after=None, rules=rules)
