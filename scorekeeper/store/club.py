"""Club nights: their journal, and the rows of teams and matches that follow from it.

What happens is a line of the journal. Undo and redo are lines too, so nothing is ever lost: an
evening is folded from the events of the acts that nobody has undone.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from scorekeeper.clock import stamp
from scorekeeper.club.events import Event, GameBegun, Plan, SetUp, from_json, to_json
from scorekeeper.club.games import names_at
from scorekeeper.club.next_match import with_what_follows
from scorekeeper.club.night import Night, after, fold, games_of, without_games
from scorekeeper.store.connection import Database, scalar
from scorekeeper.store.games import GAME_ID_LENGTH, OWN_ID, LRUCache, load_games
from scorekeeper.store.journal import Who
from scorekeeper.store.tables import random_word

UNREADABLE = (ValueError, TypeError, LookupError)  # what lines that were damaged raise
_folded: LRUCache[tuple[Any, ...], "ClubNight"] = LRUCache(100)
OF_NIGHT = "WHERE table_id = ? AND night_id = ?"
LINES = f"SELECT version, act, at, event, undoes FROM club_changes {OF_NIGHT} ORDER BY version"
TEAMS = f"SELECT entry, names, has_left FROM club_teams {OF_NIGHT} ORDER BY entry"
MATCHES = (
    f"SELECT match, number, sides, state, game_id FROM club_matches {OF_NIGHT} "
    "ORDER BY match, number"
)


class Line(NamedTuple):
    """A line of the journal: an event, or the act that it undoes. `act` is its first version."""

    version: int
    act: int
    at: str
    event: str | None
    undoes: int | None


class ClubNight(NamedTuple):
    """A stored evening at a version, with the lines of the acts in force."""

    table_id: str
    id: str
    version: int
    lines: tuple[Line, ...]
    night: Night

    @property
    def key(self) -> tuple[str, str]:
        """The ids by which its rows are found."""
        return self.table_id, self.id

    @property
    def undoes(self) -> list[int]:
        """The act that undo takes back, if there is one: the newest, but for the set-up."""
        return sorted({line.act for line in self.lines if line.event and line.act > 1})[-1:]

    @property
    def redoes(self) -> list[int]:
        """The undo that redo takes back, if there is one: unless something has happened since."""
        return [line.act for line in self.lines[-1:] if line.undoes]


class NightConflict(Exception):
    """A change made on an outdated view of an evening; `club` is the evening as it is now."""

    def __init__(self, club: ClubNight):
        super().__init__("the evening has changed meanwhile")
        self.club = club


def create_night(db: Database, table_id: str, plan: Plan, who: Who) -> ClubNight:
    """Store a new evening at version 1. Raises `NightRefused` for a plan that nobody can play."""
    return _add(db, (table_id, random_word(GAME_ID_LENGTH)), [(SetUp(plan), who)])


def _add(db: Database, key: tuple[str, str], acts: Sequence[tuple[Event, Who]]) -> ClubNight:
    """Store an evening with its events, each an act of its own."""
    night = fold(event for event, _who in acts)
    started = stamp(acts[0][1].at)
    values = [*key, night.plan.name, started, 0]
    db.execute("INSERT INTO club_nights VALUES (?, ?, ?, ?, ?)", values)
    for number, (event, who) in enumerate(acts, 1):
        _write(db, key, Line(number, number, stamp(who.at), _text(event), None), who)
    return _reloaded(db, key, None)


def _text(event: Event) -> str:
    return json.dumps(to_json(event), ensure_ascii=False, separators=(",", ":"))


def _write(db: Database, key: tuple[str, str], line: Line, who: Who) -> Line:
    db.execute(
        "INSERT INTO club_changes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [*key, line.version, line.act, line.at, who.phone_id, who.label, line.event, line.undoes],
    )
    return line


def load_night(db: Database, table_id: str, night_id: str) -> ClubNight | None:
    """Return an evening of a table, or None where it has none of this id.

    It is folded once for its newest line, as every phone of an evening asks for it, and the 700
    events of 80 teams take some 50 ms.
    """
    key = (table_id, night_id)
    newest = db.execute(f"{LINES} DESC LIMIT 1", key).fetchone()
    found = _folded.get((*key, *newest)) if newest else None
    if newest and found is None:
        lines = [Line(*row) for row in db.execute(LINES, key).fetchall()]
        found = _folded[(*key, *newest)] = _of_lines(key, lines)
    return found


def as_it_is_now(db: Database, club: ClubNight) -> ClubNight | None:
    """Return an evening as it is stored, which is not read again where nothing has happened."""
    query = "SELECT version FROM club_nights WHERE table_id = ? AND id = ?"
    is_newest = scalar(db, query, club.key) == club.version
    return club if is_newest else load_night(db, *club.key)


def _of_lines(key: tuple[str, str], lines: Sequence[Line]) -> ClubNight:
    kept = tuple(in_force(lines))
    events = [from_json(json.loads(line.event)) for line in kept if line.event]
    return ClubNight(*key, lines[-1].version, kept, fold(events))


def in_force(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of the acts that nobody has undone; an undo and its redo leave none."""
    happened = {line.act for line in lines if line.event}
    kept: list[Line] = []
    undone: set[int] = set()
    for line in reversed(lines):
        if line.act in undone:
            continue
        if line.undoes:
            undone.add(line.undoes)
        if line.event or line.undoes in happened:
            kept.append(line)
    return kept[::-1]


def night_ids(db: Database, table_id: str) -> list[str]:
    """Return the ids of the evenings of a table, newest first."""
    query = "SELECT id FROM club_nights WHERE table_id = ? ORDER BY started DESC, id"
    return [night_id for (night_id,) in db.execute(query, [table_id]).fetchall()]


def begun_lately(db: Database, at: datetime) -> list[tuple[str, str]]:
    """Return table and id of all evenings that began within a day, newest first."""
    query = "SELECT table_id, id FROM club_nights WHERE started > ? ORDER BY started DESC"
    return [*map(tuple, db.execute(query, [stamp(at - timedelta(days=1))]).fetchall())]


def going_on(db: Database, table_id: str, at: datetime) -> list[ClubNight]:
    """Return the evenings of a table that began within a day and go on; no damaged ones."""
    query = "SELECT id FROM club_nights WHERE table_id = ? AND started > ? ORDER BY started DESC"
    found = []
    for (night_id,) in db.execute(query, [table_id, stamp(at - timedelta(days=1))]).fetchall():
        with suppress(*UNREADABLE):
            found.append(load_night(db, table_id, night_id))
    return [club for club in found if club and not club.night.is_over]


def find_night(db: Database, night_id: str) -> list[str]:
    """Return the tables that have an evening of this id: one, but for a copy of its file."""
    query = "SELECT table_id FROM club_nights WHERE id = ?"
    return [table_id for (table_id,) in db.execute(query, [night_id]).fetchall()]


def record(
    db: Database, club: ClubNight, event: Event, who: Who, seen: int | None = None
) -> ClubNight:
    """Store what happens and what follows from it as one act, and return the evening after it.

    Raises `NightRefused` for what cannot happen now, and `NightConflict` where the evening is no
    longer at the version seen; None is for what two phones may do at once, as a result.
    """
    _check(club, seen)
    events = with_what_follows(club.night, event)
    return _append(db, club, events, club.version + 1, who)


def follow(
    db: Database, club: ClubNight, events: Iterable[Event], who: Who, of: Event | None = None
) -> ClubNight:
    """Store what follows from an act as a part of it, and return the evening after it.

    It is the newest act, or that of an event in force.
    """
    lines = [line for line in club.lines if of is None or line.event == _text(of)]
    return _append(db, club, events, lines[-1].act, who)


def _append(
    db: Database, club: ClubNight, events: Iterable[Event], act: int, who: Who
) -> ClubNight:
    night, lines = club.night, list(club.lines)
    for version, one in enumerate(events, club.version + 1):
        line = Line(version, act, stamp(who.at), _text(one), None)
        lines.append(_write(db, club.key, line, who))
        night = after(night, one)
    now = ClubNight(*club.key, lines[-1].version, tuple(lines), night)
    _derive(db, club.night, now)
    return now


def has_happened(club: ClubNight, events: Iterable[Event], seen: int) -> bool:
    """Return whether all of some events have happened since an evening was at the version seen."""
    since = {line.event for line in club.lines if line.version > seen}
    return since.issuperset(map(_text, events))


def ever_happened(db: Database, club: ClubNight, event: Event) -> bool:
    """Return whether an event has happened in an evening, also where it was undone."""
    query = f"SELECT 1 FROM club_changes {OF_NIGHT} AND event = ?"
    return scalar(db, query, [*club.key, _text(event)]) is not None


def _check(club: ClubNight, seen: int | None) -> None:
    if seen is not None and seen != club.version:
        raise NightConflict(club)


def delete_night(db: Database, club: ClubNight, at: datetime) -> None:
    """Delete an evening; its games stay. Phones that kept score at its tables cannot return."""
    keepers = f"SELECT phone_id FROM club_keepers {OF_NIGHT}"
    long_ago = stamp(at - timedelta(days=1))  # so that nobody can restore them
    db.execute(
        f"UPDATE phones SET removed = ? WHERE table_id = ? AND id IN ({keepers})",
        [long_ago, club.table_id, *club.key],
    )
    for table in ("club_keepers", "club_matches", "club_teams", "club_changes"):
        db.execute(f"DELETE FROM {table} {OF_NIGHT}", club.key)
    db.execute("DELETE FROM club_nights WHERE table_id = ? AND id = ?", club.key)


def undo(db: Database, club: ClubNight, who: Who, seen: int) -> ClubNight:
    """Take the newest act back, but for the set-up, and return the evening after it."""
    return _take_back(db, club, club.undoes, who, seen)


def redo(db: Database, club: ClubNight, who: Who, seen: int) -> ClubNight:
    """Take the newest undo back, unless something has happened since, and return the evening."""
    return _take_back(db, club, club.redoes, who, seen)


def _take_back(
    db: Database, club: ClubNight, acts: Sequence[int], who: Who, seen: int
) -> ClubNight:
    _check(club, seen)
    for act in acts:
        version = club.version + 1
        _write(db, club.key, Line(version, version, stamp(who.at), None, act), who)
    return _reloaded(db, club.key, club.night)


def _reloaded(db: Database, key: tuple[str, str], before: Night | None) -> ClubNight:
    """Return an evening whose journal has grown, and derive its rows from it."""
    club = load_night(db, *key)
    assert club is not None
    _derive(db, before, club)
    return club


def _derive(db: Database, before: Night | None, club: ClubNight) -> None:
    """Bring the rows of an evening from what it was before to what it is now."""
    db.execute(
        "UPDATE club_nights SET name = ?, version = ? WHERE table_id = ? AND id = ?",
        [club.night.plan.name, club.version, *club.key],
    )
    for table, keys, rows in DERIVED:
        due, stored = rows(club.night), set(rows(before)) if before else set()
        gone = [[*club.key, *row[: keys.count("?")]] for row in stored - {*due}]
        if gone:
            db.executemany(f"DELETE FROM {table} {OF_NIGHT} AND {keys}", gone)
        new = [[*club.key, *row] for row in due if row not in stored]
        if new:
            marks = ", ".join("?" * len(new[0]))
            db.executemany(f"INSERT INTO {table} VALUES ({marks})", new)


def team_rows(night: Night) -> list[tuple[Any, ...]]:
    """Return the rows of an evening's entries."""
    return [
        (number, json.dumps(entry.names, ensure_ascii=False), int(entry.has_left))
        for number, entry in sorted(night.entries.items())
    ]


def match_rows(night: Night) -> list[tuple[Any, ...]]:
    """Return a row for each table number of each match."""
    return [
        (match.number, number, json.dumps(table), match.state, match.games.get(number))
        for match in night.matches
        for number, table in enumerate(match.seating.tables, 1)
    ]


DERIVED = (
    ("club_teams", "entry = ?", team_rows),
    ("club_matches", "match = ? AND number = ?", match_rows),
)  # each with the columns of its key


def wrong_nights(db: Database) -> Iterator[tuple[str, bool]]:
    """Yield the id of each evening that is wrong, and whether its journal can be read.

    In one that can be read lines are missing, or its rows do not follow from them.
    """
    query = "SELECT table_id, id, name, version FROM club_nights ORDER BY table_id, id"
    for table_id, night_id, name, version in db.execute(query).fetchall():
        key = (table_id, night_id)
        lines = [Line(*row) for row in db.execute(LINES, key).fetchall()]
        try:
            night = _of_lines(key, lines).night
        except UNREADABLE:
            yield night_id, False
            continue
        stored = [db.execute(query, key).fetchall() for query in (TEAMS, MATCHES)]
        numbers = [line.version for line in lines]
        is_right = numbers == [*range(1, version + 1)] and name == night.plan.name
        if not is_right or stored != [team_rows(night), match_rows(night)]:
            yield night_id, True


def night_document(club: ClubNight) -> dict[str, Any]:
    """Return an evening as a JSON document: what happened, without what was undone."""
    return {
        "club_night": club.id,
        "events": [{"at": line.at, **json.loads(line.event)} for line in club.lines if line.event],
    }


def add_night(db: Database, table_id: str, document: Mapping[str, Any], who: Who) -> ClubNight:
    """Store the evening of a document, and return it; one that the table has is left as it is.

    Its id is another one where the table has another evening of this id. Games that the table does
    not have are left out; results stay. An evening that was added before some of its games is added
    anew in its place. Raises `ValueError`, `TypeError` or `LookupError` for a document of no
    evening.
    """
    night_id = document["club_night"]
    if not OWN_ID.fullmatch(night_id):
        raise ValueError(night_id)
    acts = [*_with_games(db, table_id, _acts(document["events"], who))]
    night, ids = fold(event for event, _who in acts), night_ids(db, table_id)
    for known in filter(None, (load_night(db, table_id, one) for one in ids)):
        if without_games(known.night) == without_games(night):
            if games_of(night) <= games_of(known.night):
                return known
            delete_night(db, known, who.at)
            return _add(db, known.key, acts)
    return _add(db, (table_id, random_word(GAME_ID_LENGTH) if night_id in ids else night_id), acts)


Act = tuple[Event, Who]


def _acts(facts: Iterable[Mapping[str, Any]], who: Who) -> Iterator[Act]:
    for one in facts:
        event = from_json({name: value for name, value in one.items() if name != "at"})
        yield event, who._replace(at=datetime.fromisoformat(one["at"]))


def _with_games(db: Database, table_id: str, acts: Iterable[Act]) -> Iterator[Act]:
    """Yield acts with the games that a table has, which an import may have given another id.

    Such a game began when the table of its match did, with the same names.
    """
    night: Night | None = None
    begun: dict[str, dict[tuple[str, ...], str]] = {}  # ids of games, by moment and names
    for event, who in acts:
        if night and isinstance(event, GameBegun):
            names, at = names_at(night, night.matches[event.match - 1], event.table), stamp(who.at)
            if at not in begun:
                begun[at] = _begun_at(db, table_id, at)
            has_id = scalar(db, f"{GAMES} AND id = ?", [table_id, event.game])
            game = has_id or begun[at].get(names)
            if game is None:
                continue
            event = replace(event, game=game)
        night = after(night, event)
        yield event, who


GAMES = "SELECT id FROM games WHERE table_id = ?"


def _begun_at(db: Database, table_id: str, at: str) -> dict[tuple[str, ...], str]:
    found = db.execute(f"{GAMES} AND started = ?", [table_id, at]).fetchall()
    games = load_games(db, table_id, [game_id for (game_id,) in found])
    return {game.starters: game.id for game in games}
