"""Faults of stored games: their journals, facts and results compared with one another."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from scorekeeper.i18n import gettext as _
from scorekeeper.player_names import name_key
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.errors import StoreError
from scorekeeper.store.games import Game, game_of_rows
from scorekeeper.store.hash_chain import SETUP, Replayed, Row, broken_links, replay
from scorekeeper.store.maintenance.row_faults import UNREADABLE, odd_rows
from scorekeeper.store.maintenance.stored_games import StoredGame, StoredGames
from scorekeeper.store.player_ids import MEMBER
from scorekeeper.store.rounds import GameKey, RoundRows, rounds_of
from scorekeeper.store.stats.player_games import player_rows, seating
from scorekeeper.store.stats.result_rows import expected, expected_outcome

NOTES = ("penalties", "last_round", MEMBER)  # of a round, among its facts in the journal


class Fault(NamedTuple):
    """A fault of a game or of one of its rounds; a `derived` one can be repaired from the facts."""

    game_id: str
    round: int | None
    sentence: str
    derived: bool = False

    def __str__(self) -> str:
        values = {"id": _printable(self.game_id), "round": self.round, "what": self.sentence}
        if not self.game_id:
            return self.sentence
        if self.round is None:
            return _("Game {id}: {what}").format(**values)
        return _("Game {id}, round {round}: {what}").format(**values)


def faults_of_file(db: Database) -> Iterator[Fault]:
    """Yield what SQLite finds wrong with a file."""
    for (line,) in db.execute("PRAGMA integrity_check(20)").fetchall():
        if line != "ok":
            yield Fault("", None, _("The file is damaged: {what}").format(what=_printable(line)))
    for table, row, parent, _key in db.execute("PRAGMA foreign_key_check").fetchall()[:20]:
        sentence = _("A row of “{table}” ({row}) has no match in “{parent}”.")
        yield Fault("", None, sentence.format(table=table, row=row, parent=parent))


def faults_outside_games(db: Database) -> Iterator[Fault]:
    """Yield the faults of rows that belong to no game."""
    for player in db.query("SELECT id, name, same_name FROM players"):
        if name_key(player["name"]) != player["same_name"]:
            sentence = _("Player {id}: the name doesn’t match its normalized form.")
            yield Fault("", None, sentence.format(id=player["id"]))
    for table, row, columns in odd_rows(db):
        sentence = _(
            "A row of “{table}” ({row}) has values that Scorekeeper never writes: {columns}."
        )
        where = {"table": table, "row": _printable(row), "columns": ", ".join(columns)}
        yield Fault("", None, sentence.format(**where))


def faults_of_games(db: Database, rows: list[dict[str, Any]]) -> list[Fault]:
    """Return the faults of games, given their rows in the order of their keys.

    Where damage keeps them from being read together, each is read alone.
    """
    if not rows:
        return []
    keys = [(row["table_id"], row["id"]) for row in rows]
    try:
        stored = StoredGames(db, keys[0], keys[-1])
    except (*UNREADABLE, StoreError):
        if len(rows) == 1:
            return [_unreadable(rows[0])]
        return [fault for row in rows for fault in faults_of_games(db, [row])]
    return [
        fault
        for row, key in zip(rows, keys, strict=True)
        for fault in _faults_of_game(row, stored, key)
    ]


def _faults_of_game(row: dict[str, Any], games: StoredGames, key: GameKey) -> list[Fault]:
    try:
        stored = games.game(key)
        found = [
            Fault(row["id"], line["round"], _journal_sentence(line))
            for line in broken_links(stored.lines)
        ]
        found += _faults_of_facts(row, stored, replay(stored.lines))
        game = game_of_rows(row, stored.seats, rounds_of(stored.rounds).values())
        removed = row["removed"] is not None
        found += _faults_of_sums(game)
        found += _faults_of_results(game, stored.results, stored.outcome, removed=removed)
        found += _faults_of_players(game, stored, removed=removed)
    except UNREADABLE:
        found = [_unreadable(row)]
    return found


def _unreadable(row: dict[str, Any]) -> Fault:
    return Fault(row["id"], None, _("Its data can’t be read as a game."))


def _journal_sentence(line: Row) -> str:
    sentence = _("entry {version} of its change log was altered, or an earlier one is missing.")
    return sentence.format(version=line["version"])


def _faults_of_facts(row: dict[str, Any], stored: StoredGame, due: Replayed) -> Iterator[Fault]:
    game_id, rounds = row["id"], stored.rounds
    setup = due.setup | {"rule_values": json.dumps(due.setup.get("rule_values"))}
    wrong = [name for name in SETUP if row[name] != setup.get(name)]
    wrong += ["version"] * (row["version"] != due.version)
    wrong += ["changed"] * (row["changed"] != due.changed)
    wrong += ["removed"] * (row["removed"] != due.removed)
    players = map(stored.player_now, setup.get("players", []))
    if [one[:2] for one in stored.seats] != list(enumerate(players)):
        wrong.append("seats")
    if wrong:
        sentence = _("{columns} doesn’t match its change log.")
        yield Fault(game_id, None, sentence.format(columns=", ".join(wrong)))
    known = rounds.cells.keys() | rounds.notes.keys() | rounds.substitutes.keys()
    for number in sorted(known | due.rounds.keys()):
        facts, at = due.rounds.get(number, ({}, None))
        noted = {name: facts[name] for name in NOTES if name in facts}
        if seated := noted.get(MEMBER):
            noted[MEMBER] = [
                one | {"player": one["player"] and stored.player_now(one["player"])}
                for one in seated
            ]
        missing = number not in rounds.notes or number not in due.rounds
        wrong_cells = rounds.cells.get(number) != _cells(facts)
        if missing or wrong_cells or _noted(rounds, number) != (at, noted):
            sentence = _("its bids and tricks don’t match the change log.")
            yield Fault(game_id, number, sentence)


def _noted(stored: RoundRows, number: int) -> tuple[str | None, dict[str, Any]]:
    """Return when a round was scored, and its notes in the form of the journal."""
    scored, text = stored.notes[number]
    notes = json.loads(text) if text else {}
    if seated := stored.substitutes.get(number):
        notes[MEMBER] = [{"seat": seat, "player": player} for seat, player, _name in seated]
    return scored, notes


def _cells(facts: dict[str, Any]) -> dict[int, tuple[Any, ...]]:
    bids = facts.get("bids", [])
    nothing = [None] * len(bids)
    tricks, tally = facts.get("tricks") or nothing, facts.get("tally") or nothing
    return {
        seat: (None if bids[seat] is None else str(bids[seat]), tricks[seat], tally[seat])
        for seat in range(len(bids))
    }


def _faults_of_sums(game: Game) -> list[Fault]:
    return [
        Fault(game.id, number, _("its tricks don’t total the cards dealt."))
        for number, round_ in enumerate(game.rounds, 1)
        if round_.tricks is not None and sum(round_.tricks) != game.rules.tricks
    ]


def _faults_of_results(
    game: Game,
    results: Iterable[tuple[Any, ...]],
    outcome: tuple[Any, ...] | None,
    *,
    removed: bool,
) -> list[Fault]:
    """Return faults where results do not follow from the facts; a removed game has none."""
    stored = _by_round(results)
    due = _by_round([] if removed else expected(game))
    sentence = _("its results don’t match the bids and tricks.")
    found = [
        Fault(game.id, number, sentence, derived=True)
        for number in sorted(due.keys() | stored.keys())
        if due.get(number) != stored.get(number)
    ]
    if outcome != (None if removed else expected_outcome(game)):
        sentence = _("its outcome doesn’t match its rounds.")
        found.append(Fault(game.id, None, sentence, derived=True))
    return found


def _faults_of_players(game: Game, stored: StoredGame, *, removed: bool) -> list[Fault]:
    """Return a fault where the rows of players do not follow; a removed game has none."""
    taken = [
        (number, seat, player_id)
        for number, seated in sorted(stored.rounds.substitutes.items())
        for seat, player_id, _name in seated
    ]
    due = [] if removed else list(player_rows(game, seating(game, taken)))
    if sorted(due) == stored.players:
        return []
    sentence = _("its player statistics don’t match its rounds.")
    return [Fault(game.id, None, sentence, derived=True)]


def _by_round(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    found: dict[int, list[tuple[Any, ...]]] = {}
    for row in rows:
        found.setdefault(row[2], []).append(row)
    return found


def _printable(text: object) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(text))[:200]
