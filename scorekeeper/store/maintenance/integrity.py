"""Faults of stored games: their journals, facts and results compared with one another."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from scorekeeper.i18n import gettext as _
from scorekeeper.player_names import name_key
from scorekeeper.store.database.batches import snapshot
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.errors import StoreError
from scorekeeper.store.games import Game, load_game
from scorekeeper.store.hash_chain import SETUP, Replayed, Row, broken_links, replay
from scorekeeper.store.maintenance.row_faults import UNREADABLE, odd_rows
from scorekeeper.store.player_ids import MEMBER
from scorekeeper.store.stats import totals_check
from scorekeeper.store.stats.players import player_now, players_now
from scorekeeper.store.stats.result_rows import expected, expected_outcome

NOTES = ("penalties", "last_round", MEMBER)  # of a round, among its facts in the journal
Rounds = dict[int, dict[int, tuple[Any, ...]]]


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


def faults_of_game(db: Database, row: dict[str, Any]) -> list[Fault]:
    """Return the faults of a game, given its row."""
    table_id, game_id = row["table_id"], row["id"]
    try:
        query = "SELECT * FROM changes WHERE table_id = ? AND game_id = ? ORDER BY version"
        lines = list(db.query(query, [table_id, game_id]))
        found = [
            Fault(game_id, line["round"], _journal_sentence(line)) for line in broken_links(lines)
        ]
        found += _faults_of_facts(db, row, replay(lines))
        removed = row["removed"] is not None
        game = load_game(db, table_id, game_id, removed=removed)
        assert game is not None
        found += _faults_of_sums(game) + _faults_of_results(db, game, removed=removed)
    except (*UNREADABLE, StoreError):
        found = [Fault(game_id, None, _("Its data can’t be read as a game."))]
    return found


def faults_of_totals(db: Database) -> Iterator[Fault]:
    """Yield a fault where the totals of players are not the sums of their results."""
    with snapshot(db):
        mismatches = totals_check.mismatches(db)
    if mismatches:
        sentence = _("Player statistics don’t match the results.")
        yield Fault("", None, sentence, derived=True)


def _journal_sentence(line: Row) -> str:
    sentence = _("entry {version} of its change log was altered, or an earlier one is missing.")
    return sentence.format(version=line["version"])


def _faults_of_facts(db: Database, row: dict[str, Any], due: Replayed) -> Iterator[Fault]:
    table_id, game_id = row["table_id"], row["id"]
    setup = due.setup | {"rule_values": json.dumps(due.setup.get("rule_values"))}
    wrong = [name for name in SETUP if row[name] != setup.get(name)]
    wrong += ["version"] * (row["version"] != due.version)
    wrong += ["changed"] * (row["changed"] != due.changed)
    wrong += ["removed"] * (row["removed"] != due.removed)
    players = players_now(db, table_id, setup.get("players", []))
    seats = db.execute(
        "SELECT seat, player_id FROM seats WHERE table_id = ? AND game_id = ? ORDER BY seat",
        [table_id, game_id],
    )
    if seats.fetchall() != list(enumerate(players)):
        wrong.append("seats")
    if wrong:
        sentence = _("{columns} doesn’t match its change log.")
        yield Fault(game_id, None, sentence.format(columns=", ".join(wrong)))
    stored, of_rounds = _stored_rounds(db, table_id, game_id)
    for number in sorted(stored.keys() | of_rounds.keys() | due.rounds.keys()):
        facts, at = due.rounds.get(number, ({}, None))
        missing = number not in of_rounds or number not in due.rounds
        noted = {name: facts[name] for name in NOTES if name in facts}
        if seated := noted.get(MEMBER):
            noted[MEMBER] = [
                one | {"player": one["player"] and player_now(db, table_id, one["player"])}
                for one in seated
            ]
        whole = (at, noted)
        if missing or stored.get(number) != _cells(facts) or of_rounds[number] != whole:
            sentence = _("its bids and tricks don’t match the change log.")
            yield Fault(game_id, number, sentence)


def _stored_rounds(
    db: Database, table_id: str, game_id: str
) -> tuple[Rounds, dict[int, tuple[str | None, dict[str, Any]]]]:
    """Return the cells of each round, and when it was scored with its notes."""
    stored: Rounds = {}
    which = "WHERE table_id = ? AND game_id = ?"
    for number, seat, *cells in db.execute(
        f"SELECT round, seat, bid, tricks, tally FROM bids {which}", [table_id, game_id]
    ):
        stored.setdefault(number, {})[seat] = tuple(cells)
    rows = db.execute(f"SELECT round, scored, notes FROM rounds {which}", [table_id, game_id])
    of_rounds = {
        number: (scored, json.loads(notes) if notes else {}) for number, scored, notes in rows
    }
    substitutes = db.execute(
        f"SELECT round, seat, player_id FROM substitutes {which} ORDER BY round, seat",
        [table_id, game_id],
    )
    for number, seat, player_id in substitutes:
        noted = of_rounds[number][1].setdefault(MEMBER, [])
        noted.append({"seat": seat, "player": player_id})
    return stored, of_rounds


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


def _faults_of_results(db: Database, game: Game, *, removed: bool) -> list[Fault]:
    """Return faults where results do not follow from the facts; a removed game has none."""
    key, which = [game.table_id, game.id], "WHERE table_id = ? AND game_id = ?"
    rows = db.execute(f"SELECT * FROM results {which} ORDER BY round, seat", key)
    stored = _by_round(rows.fetchall())
    due = _by_round([] if removed else expected(game))
    sentence = _("its results don’t match the bids and tricks.")
    found = [
        Fault(game.id, number, sentence, derived=True)
        for number in sorted(due.keys() | stored.keys())
        if due.get(number) != stored.get(number)
    ]
    outcome = db.execute(f"SELECT * FROM outcomes {which}", key).fetchone()
    if outcome != (None if removed else expected_outcome(game)):
        sentence = _("its outcome doesn’t match its rounds.")
        found.append(Fault(game.id, None, sentence, derived=True))
    return found


def _by_round(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    found: dict[int, list[tuple[Any, ...]]] = {}
    for row in rows:
        found.setdefault(row[2], []).append(row)
    return found


def _printable(text: object) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(text))[:200]
