"""The history of a table: searching its games, newest first, removing and restoring them.

A page is read from an index, beginning where the last page ended, so that its cost does not grow
with the number of games. A search that finds few games stops after `MAX_EXAMINED` of them and
says where to go on.
"""

import hashlib
import heapq
from collections.abc import Sequence
from datetime import datetime
from itertools import chain, islice
from typing import Any, NamedTuple

from scorekeeper.clock import midnight, stamp, this_evening
from scorekeeper.store import journal
from scorekeeper.store.connection import Database, scalar
from scorekeeper.store.games import Game, load_games
from scorekeeper.store.player_games import derive, exclude
from scorekeeper.store.players import Player, find_player
from scorekeeper.store.tables import zone_of_table

PAGE = 20
MAX_EXAMINED = 2000
END = "~"  # sorts after every moment
Ids = list[int]
HAS_NOTE = (
    "EXISTS (SELECT 1 FROM games WHERE games.table_id = own.table_id AND games.id = own.game_id "
    "AND instr(remarks, ?) > 0)"
)


class Search(NamedTuple):
    """The criteria of a search.

    One player of each group of `players` took part, one of the `winners` won, and of the two
    groups of `partners` one of each were on the same side at the end, if there are any. Games began
    at `since` or later and before `until`. A note on the game or one of its rounds has the text
    `note`, which is as `search_key` returns it.
    """

    players: tuple[Ids, ...] = ()
    winners: Ids | None = None
    rules: str = ""
    since: str = ""
    until: str = END
    note: str = ""
    partners: tuple[Ids, Ids] | None = None


class Found(NamedTuple):
    """A page of games; the next page begins `after` the game of this id, if there is one.

    `unfinished` means that the search has not looked at older games. `damaged` are the ids of games
    that cannot be read.
    """

    games: list[Game]
    after: str | None
    unfinished: bool = False
    damaged: Sequence[str] = ()


class Removed(NamedTuple):
    """A removed game, when it was removed, and the label of the phone that did so."""

    game: Game
    at: str
    phone: str | None


def search(db: Database, table_id: str, wanted: Search, after: str = "") -> Found | None:
    """Return the next page of games after a game; None where the table has no such game."""
    place = (wanted.until, "")
    if after:
        # A removed game counts too: it may be the last one of a page.
        query = "SELECT started FROM games WHERE table_id = ? AND id = ?"
        begun = scalar(db, query, [table_id, after])
        if begun is None:
            return None
        place = min(place, (begun, after))
    streams = _streams(db, table_id, wanted, place)
    ids, looked, last = [], 0, ""
    for _started, game_id, fits in islice(heapq.merge(*streams, reverse=True), MAX_EXAMINED):
        looked += 1
        if fits and game_id != last:
            ids.append(game_id)
        last = game_id
        if len(ids) > PAGE:
            break
    for stream in streams:
        stream.close()
    games = load_games(db, table_id, ids[:PAGE])
    readable = {game.id for game in games}
    damaged = [game_id for game_id in ids[:PAGE] if game_id not in readable]
    if len(ids) > PAGE:
        return Found(games, ids[PAGE - 1], damaged=damaged)
    unfinished = looked == MAX_EXAMINED
    return Found(games, last if unfinished else None, unfinished, damaged)


def games_by_start(
    db: Database, table_id: str, wanted: Search, limit: int, after: Game | None = None
) -> list[Game]:
    """Return the newest games by their start that a search finds, or those before the game `after`.

    Winners and notes are not searched for.
    """
    place = min((wanted.until, ""), (after.started, after.id) if after else (END, ""))
    rules = [wanted.rules] if wanted.rules else []
    rows = db.execute(
        "SELECT id FROM games WHERE table_id = ? AND removed IS NULL AND (started, id) < (?, ?) "
        f"AND started >= ? {'AND rules = ?' if rules else ''} "
        f"{' '.join(map(_has_player, wanted.players))} ORDER BY started DESC, id DESC LIMIT ?",
        [
            table_id, *place, wanted.since, *rules,
            *(one for group in wanted.players for one in group), limit,
        ],
    ).fetchall()  # fmt: skip
    return load_games(db, table_id, [game_id for (game_id,) in rows])


def tag_of_games(db: Database, table_id: str) -> str:
    """Return a text that is another one after each change of a table's games, players or zone."""
    parts = [
        ("games", "count(*), sum(version), max(changed), count(removed)"),
        ("players", "count(*), count(merged_into), max(id), 0"),
    ]
    counted = [
        db.execute(f"SELECT {what} FROM {where} WHERE table_id = ?", [table_id]).fetchone()
        for where, what in parts
    ]
    names = db.execute(
        "SELECT id, name FROM players WHERE table_id = ? ORDER BY id", [table_id]
    ).fetchall()
    whole = [*map(str, chain(*counted)), str(names), str(zone_of_table(db, table_id))]
    return hashlib.sha256("\0".join(whole).encode()).hexdigest()[:32]


def _has_player(group: Ids) -> str:
    places = ", ".join("?" * len(group))
    return (
        "AND EXISTS (SELECT 1 FROM player_games AS own WHERE own.table_id = games.table_id "
        f"AND own.game_id = games.id AND own.player_id IN ({places}))"
    )


def evening_of(db: Database, game: Game) -> str:
    """Return the day of this evening, such as 2026-01-31, if the table began several games in it.

    It is empty for a game of another evening.
    """
    today = this_evening()
    since = midnight(today)
    if game.started < since:
        return ""
    query = "SELECT count(*) FROM games WHERE table_id = ? AND removed IS NULL AND started >= ?"
    begun = scalar(db, query, [game.table_id, since]) or 0
    return today.isoformat() if begun > 1 else ""


MOST_PAIRS = 50


def pairs_by_games(db: Database, table_id: str) -> list[tuple[Player, Player, int]]:
    """Return the pairs of partners who finished most games together, with the number of these."""
    rows = db.execute(
        "SELECT one.player_id, two.player_id, count(*) FROM player_games AS one "
        "CROSS JOIN player_games AS two WHERE one.table_id = ? AND two.table_id = one.table_id "
        # The difference keeps SQLite from reading all players of a later number.
        "AND two.game_id = one.game_id AND two.side = one.side "
        "AND two.player_id - one.player_id > 0 "
        "GROUP BY one.player_id, two.player_id "
        "ORDER BY count(*) DESC, one.player_id, two.player_id LIMIT ?",
        [table_id, MOST_PAIRS],
    ).fetchall()
    people = {one: find_player(db, table_id, one) for row in rows for one in row[:2]}
    pairs = ((people[one], people[two], games) for one, two, games in rows)
    return [(one, two, games) for one, two, games in pairs if one and two]


def removed_games(
    db: Database, table_id: str, after: str = ""
) -> tuple[list[Removed], str | None] | None:
    """Return a page of removed games, last removed first, and the id that the next page follows.

    None where the table has no removed game `after`.
    """
    place = (END, "")
    if after:
        query = "SELECT removed FROM games WHERE table_id = ? AND id = ?"
        removed = scalar(db, query, [table_id, after])
        if removed is None:
            return None
        place = (removed, after)
    rows = db.execute(
        "SELECT id, removed FROM games WHERE table_id = ? AND removed IS NOT NULL "
        "AND (removed, id) < (?, ?) ORDER BY removed DESC, id DESC LIMIT ?",
        [table_id, *place, PAGE + 1],
    ).fetchall()
    games = load_games(db, table_id, [row[0] for row in rows[:PAGE]], removed=True)
    moments = dict(rows)
    found = [Removed(game, moments[game.id], _who_removed(db, game)) for game in games]
    return found, rows[PAGE - 1][0] if len(rows) > PAGE else None


def remove_game(db: Database, game: Game, phone_id: str | None, at: datetime) -> None:
    """Remove a game; only the list of removed games shows it."""
    exclude(db, game)
    journal.record_event(db, game, "deleted", phone_id, at)
    _set_removed(db, game, stamp(at))


def bring_back(db: Database, game: Game, phone_id: str | None, at: datetime) -> None:
    """Restore a removed game."""
    journal.record_event(db, game, "restored", phone_id, at)
    _set_removed(db, game, None)
    derive(db, game)


def _set_removed(db: Database, game: Game, at: str | None) -> None:
    db.execute(
        "UPDATE games SET removed = ? WHERE table_id = ? AND id = ?", [at, game.table_id, game.id]
    )


def _streams(db: Database, table_id: str, wanted: Search, place: tuple[str, str]) -> list[Any]:
    """Return a stream of the games of each player who may be meant, or one of the whole table."""
    groups = list(wanted.players)
    drivers = wanted.winners
    if drivers is None and wanted.partners:
        drivers = wanted.partners[0]
    elif drivers is None and groups:
        drivers = groups.pop(0)
    rules, rules_value = ("AND rules = ?", [wanted.rules]) if wanted.rules else ("", [])
    note = [wanted.note] if wanted.note else []
    if drivers is None:
        fits = "CASE WHEN instr(remarks, ?) > 0 THEN 1 ELSE 0 END" if note else "1"
        return [
            db.execute(
                f"SELECT started, id, {fits} FROM games "
                f"WHERE table_id = ? AND removed IS NULL {rules} "
                "AND (started, id) < (?, ?) AND started >= ? "
                f"ORDER BY started DESC, id DESC LIMIT {MAX_EXAMINED}",
                [*note, table_id, *rules_value, *place, wanted.since],
            )
        ]
    all_fit = ["place = 1" if wanted.winners is not None else "1 = 1"]
    all_fit += [_sat_there(len(group)) for group in groups]
    all_fit += [HAS_NOTE] * len(note)
    pair = wanted.partners or ()
    all_fit += [_were_partners(*map(len, pair))] if pair else []
    return [
        db.execute(
            f"SELECT started, game_id, CASE WHEN {' AND '.join(all_fit)} THEN 1 ELSE 0 END "
            "FROM player_games AS own "
            f"WHERE table_id = ? AND player_id = ? {rules} AND (started, game_id) < (?, ?) "
            f"AND started >= ? ORDER BY started DESC, game_id DESC LIMIT {MAX_EXAMINED}",
            [*(one for group in groups for one in group), *note,
             *(one for group in pair for one in group), table_id, player_id,
             *rules_value, *place, wanted.since],
        )
        for player_id in drivers
    ]  # fmt: skip


def _sat_there(people: int) -> str:
    places = ", ".join("?" * people)
    return (
        "EXISTS (SELECT 1 FROM player_games AS other WHERE other.table_id = own.table_id "
        f"AND other.player_id IN ({places}) AND other.started = own.started "
        "AND other.game_id = own.game_id)"
    )


def _were_partners(first: int, second: int) -> str:
    of_game = (
        "{0}.table_id = own.table_id AND {0}.started = own.started AND {0}.game_id = own.game_id"
    )
    return (
        "EXISTS (SELECT 1 FROM player_games AS one CROSS JOIN player_games AS two "
        f"WHERE {of_game.format('one')} AND {of_game.format('two')} AND two.side = one.side "
        f"AND one.player_id IN ({', '.join('?' * first)}) "
        f"AND two.player_id IN ({', '.join('?' * second)}) AND two.player_id <> one.player_id)"
    )


def _who_removed(db: Database, game: Game) -> str | None:
    return scalar(
        db,
        "SELECT coalesce(changes.label, phones.label) FROM changes "
        "LEFT JOIN phones ON phones.table_id = changes.table_id AND phones.id = phone_id "
        "WHERE changes.table_id = ? AND game_id = ? ORDER BY version DESC LIMIT 1",
        [game.table_id, game.id],
    )
