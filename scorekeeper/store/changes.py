"""Lines of the journal, their hashes, what was changed, when, and by whom; undo and redo.

A line with a round holds the facts of the round before and after it. A line without one holds the
setup of the game: rules, stake, first dealer, and the seats by the ids of their players, so that
players can be renamed. The facts of a game follow from the lines of its journal, and so does what
undo and redo would change.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from scorekeeper.rules.presets import restore
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.seating import Seats, Substitutes, seats_after
from scorekeeper.store.connection import Database, scalar
from scorekeeper.store.games import MEMBER, Cell, Game, cells_that_differ, read_round
from scorekeeper.store.players import with_names

LINE = (
    "game_id", "version", "at", "phone_id", "label", "kind", "round", "before", "after",
    "head", "parent",
)  # fmt: skip
INSERT = f"INSERT INTO changes (table_id, {', '.join(LINE)}, hash) VALUES (?, {'?, ' * len(LINE)}?)"
SETUP = ("table_id", "rules", "house_rules", "rule_values", "first_dealer", "stake", "started")
REMOVALS = {"deleted": True, "restored": False}  # kinds of lines: whether the game is removed
Row = Mapping[str, Any]


class Replayed(NamedTuple):
    """The facts that follow from the lines of a journal."""

    setup: dict[str, Any]
    rounds: dict[int, dict[str, Any]]
    version: int
    changed: str
    removed: str | None  # when the game was removed, unless it was restored


def add_line(db: Database, line: dict[str, Any], previous: str = "") -> str:
    """Append a line, given by column, to the journal of its game and return its hash.

    `previous` is the hash of the line before it. So a hash tells which of the histories of a game
    a phone has seen, as after a restored backup there are two with the same versions.
    """
    whole = dict.fromkeys(LINE) | line
    columns = [whole["table_id"], *(whole[name] for name in LINE)]
    hash_ = hash_after(previous, columns)
    db.execute(INSERT, [*columns, hash_])
    return hash_


def hash_after(previous: str, columns: list[Any]) -> str:
    """Return the hash of a line, given by its columns, after the line with the `previous` hash."""
    return hashlib.sha256(json.dumps([previous, *columns]).encode()).hexdigest()


def setup_of(db: Database, table_id: str, game_id: str) -> dict[str, Any]:
    """Return the setup of a game in the form of the journal."""
    game = [table_id, game_id]
    row = next(iter(db.query("SELECT * FROM games WHERE table_id = ? AND id = ?", game)))
    setup = {name: row[name] for name in SETUP} | {"players": json.loads(row["seats"])}
    return setup | {"rule_values": json.loads(row["rule_values"])}


def replay(lines: Iterable[Row]) -> Replayed:
    """Return the facts that follow from the lines of a game's journal.

    Raises `ValueError` for states that are not JSON.
    """
    setup: dict[str, Any] = {}
    rounds: dict[int, dict[str, Any]] = {}
    version, changed, removed = 0, "", None
    for line in lines:
        version = line["version"]
        after = None if line["after"] is None else json.loads(line["after"])
        if line["kind"] in REMOVALS:
            removed = line["at"] if REMOVALS[line["kind"]] else None
            continue
        changed = line["at"]
        if line["round"] is None:
            setup |= after or {}
        elif after is None:
            rounds.pop(line["round"], None)
        else:
            rounds[line["round"]] = after
    return Replayed(setup, rounds, version, changed, removed)


PAGE = 100  # changes
CHANGES = """
SELECT version, at, coalesce(changes.label, phones.label) AS phone, kind, round, before, after
FROM changes LEFT JOIN phones ON phones.table_id = changes.table_id AND phones.id = phone_id
WHERE changes.table_id = :table AND game_id = :game
"""


class Change(NamedTuple):
    """One line of the journal; `phone` is the label of the phone or program that made it.

    A change of a round has the facts before and after it, one of the rules has the old and the new.
    `seats` are those of the round before it, as they were then; only `newest_changes` tells them.
    """

    version: int
    at: str
    phone: str | None
    kind: str
    round: int | None
    before: Round | None
    after: Round | None
    rules: tuple[RuleSet, RuleSet] | None = None
    seats: Seats | None = None

    @property
    def cells(self) -> set[Cell]:
        """The cells of the round that were changed."""
        round_ = self.before or self.after
        if round_ is None:
            return set()
        empty = Round((None,) * len(round_.bids))
        return cells_that_differ(self.before or empty, self.after or empty)


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
    substitutions = _substitutions(db, game)
    changes = [
        change._replace(seats=_seats_before(game, change, substitutions))
        for change in (_change(db, game, row) for row in rows)
    ]
    return changes[:PAGE], changes[PAGE - 1].version if len(changes) > PAGE else None


def _substitutions(db: Database, game: Game) -> list[tuple[int, int, Substitutes]]:
    """Return the lines that changed who plays in a round: version, round, and its substitutes."""
    rows = db.query(
        """
        SELECT version, round, after FROM changes
        WHERE table_id = :table AND game_id = :game AND round IS NOT NULL
            AND (before LIKE :member OR after LIKE :member)
        ORDER BY version
        """,
        {"table": game.table_id, "game": game.id, "member": f'%"{MEMBER}"%'},
    )
    found = []
    for version, number, after in (row.values() for row in rows):
        round_ = read_round(with_names(db, game.table_id, after))
        found.append((version, number, round_.notes.substitutes if round_ else ()))
    return found


def _seats_before(
    game: Game, change: Change, substitutions: list[tuple[int, int, Substitutes]]
) -> Seats:
    """Return the seats of the round before that of a change, as they were at the time."""
    then: dict[int, Substitutes] = {}
    for version, number, substitutes in substitutions:
        if version < change.version and number < (change.round or 0):
            then[number] = substitutes
    return seats_after(game.starters, (then[number] for number in sorted(then)))


def newest_entries(db: Database, game: Game) -> dict[int, dict[str, str | None]]:
    """Return for each round of a game, by number, when and by which phone it was last changed.

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


Way = Literal["undo", "redo"]


class Step(NamedTuple):
    """What a change, undo or redo changes: a round or, where `round` is None, the rules.

    `before` and `after` are in the form of the journal, `head` is the change in force afterwards,
    None for this one.
    """

    round: int | None
    before: Any
    after: Any
    head: int | None


def redo_line(db: Database, game: Game, current: int) -> int | None:
    """Return the version of the change that redo would repeat, or None where nothing was undone."""
    # Only a later line can follow, which spares most games the search of a long journal.
    newest = db.execute(
        "SELECT max(version) FROM changes "
        "WHERE table_id = ? AND game_id = ? AND version > ? AND parent = ?",
        [game.table_id, game.id, current, current],
    )
    version: int | None = newest.fetchone()[0]
    return version


def next_step(db: Database, game: Game, way: Way) -> Step | None:
    """Return what undo or redo would change, or None where there is nothing to undo or redo.

    Of an act of several lines this is the last of them, which all see.
    """
    steps = next_steps(db, game, way)
    return steps[0 if way == "undo" else -1] if steps else None


ACTS = ("end",)  # kinds of lines of which one act may write several, one on the other


def next_steps(db: Database, game: Game, way: Way) -> list[Step]:
    """Return all that undo or redo would change, in order: the lines of one act, mostly one."""
    step_of = undo_of if way == "undo" else redo_of
    at: int | None = game.head
    lines: list[dict[str, Any]] = []
    while line := _line(db, game, at if way == "undo" else redo_line(db, game, at or 0)):
        if lines and not (line["kind"] == lines[0]["kind"] in ACTS):
            break
        lines.append(line)
        at = line["parent" if way == "undo" else "version"]
        if line["kind"] not in ACTS:
            break
    return [step for line in lines if (step := step_of(line))]


def step_of_line(db: Database, game: Game, way: Way, version: int) -> Step | None:
    """Return what undoing or redoing a line would change, or None for one that is no change."""
    line = _line(db, game, version)
    is_change = line is not None and line["parent"] is not None
    return (undo_of if way == "undo" else redo_of)(line) if is_change else None


def is_in_force(db: Database, game: Game, version: int) -> bool:
    """Return whether a change is in force, or others were made on it that are."""
    # Changes made on it have later versions, so a state without it is one of an earlier change.
    newest = db.execute(
        "SELECT head FROM changes WHERE table_id = ? AND game_id = ? AND version >= ? "
        "AND head <= ? ORDER BY version DESC LIMIT 1",
        [game.table_id, game.id, version, version],
    ).fetchone()
    return newest is not None and newest[0] == version


class Taken(NamedTuple):
    """A step that a phone takes, and which way."""

    way: Way
    step: Step
    phone_id: str | None


def was_taken(db: Database, game: Game, taken: Taken, seen: int) -> bool:
    """Return whether a phone has taken a step of undo or redo after a version."""
    way, step, phone_id = taken
    rows = db.execute(
        "SELECT 1 FROM changes WHERE table_id = ? AND game_id = ? AND version > ? AND kind = ? "
        "AND head = ? AND phone_id = ? LIMIT 1",
        [game.table_id, game.id, seen, way, step.head, phone_id],
    )
    return rows.fetchone() is not None


def undo_of(line: Mapping[str, Any] | None) -> Step | None:
    """Return the step that undoes a line of the journal; the first line cannot be undone."""
    if line is None or line["parent"] is None:
        return None
    return Step(line["round"], line["after"], line["before"], line["parent"])


def redo_of(line: Mapping[str, Any] | None) -> Step | None:
    """Return the step that repeats a line of the journal, which was undone."""
    if line is None:
        return None
    return Step(line["round"], line["before"], line["after"], line["version"])


def _line(db: Database, game: Game, version: int | None) -> dict[str, Any] | None:
    """Return a line of a game's journal as it is stored."""
    query = "SELECT * FROM changes WHERE table_id = ? AND game_id = ? AND version = ?"
    rows = db.query(query, [game.table_id, game.id, version])
    return next(rows, None)


MAX_STEPS = 60  # six rounds of four players, tap by tap


class PhoneStep(NamedTuple):
    """A step to other facts of a round, or None where it removes the round.

    `line` is the version of the journal's line that it undoes or redoes.
    """

    round: int
    facts: Round | None
    line: int


class PhoneSteps(NamedTuple):
    """The steps of undo and of redo, the next one last, and whether more follow these."""

    undo: list[PhoneStep]
    redo: list[PhoneStep]
    can_undo: bool
    can_redo: bool


def undo_steps(db: Database, game: Game) -> PhoneSteps:
    """Return the steps that undo and redo would take.

    They are found in the newest lines of the journal, and end at a change of the rules or an act of
    several lines, which a phone leaves to the server.
    """
    rows = db.query(
        "SELECT version, kind, round, before, after, head, parent FROM changes "
        "WHERE table_id = ? AND game_id = ? AND version <= ? ORDER BY version DESC LIMIT ?",
        [game.table_id, game.id, game.version, MAX_STEPS],
    )
    sides = ("before", "after")
    lines = {
        row["version"]: row | {side: with_names(db, game.table_id, row[side]) for side in sides}
        for row in list(rows)
    }
    for version, line in lines.items():
        first = lines.get(line["parent"])
        if line["kind"] in ACTS and first and first["kind"] == line["kind"]:
            lines[version] = line | {"round": None}
            lines[line["parent"]] = first | {"round": None}
    head = next(iter(lines.values()))["head"]
    earlier = {version: line["parent"] or 0 for version, line in lines.items()}
    later: dict[int, int] = {}
    for version, parent in earlier.items():
        later.setdefault(parent, version)  # of several that follow one, the newest
    undo, before = _steps(lines, head, "before", earlier)
    redo, after = _steps(lines, later.get(head, 0), "after", later)
    newest = redo[0].line if redo else head
    return PhoneSteps(undo, redo, before > 1, bool(after or redo_line(db, game, newest)))


def _steps(
    lines: dict[int, dict[str, Any]], version: int, side: str, following: dict[int, int]
) -> tuple[list[PhoneStep], int]:
    """Return the steps from a version on, and the version at which they end, or 0."""
    found = []
    while (line := lines.get(version)) and line["round"] is not None:
        found.append(PhoneStep(line["round"], read_round(line[side]), version))
        version = following.get(version, 0)
    return found[::-1], version
