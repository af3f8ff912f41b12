"""Faults of stored games: their journals, facts and results compared with one another."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from scorekeeper.i18n import gettext as _
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.errors import StoreError
from scorekeeper.store.games import UNREADABLE, Game, game_of_row, players_of_rows
from scorekeeper.store.hash_chain import SETUP, STORED, Replayed, Row, broken_links, replay
from scorekeeper.store.rounds import MEMBER, split_rounds
from scorekeeper.store.stats.player_games import COLUMNS, player_rows, seating_of
from scorekeeper.store.stats.result_rows import expected, expected_outcome

OF_GAME = "WHERE table_id = ? AND game_id = ?"
LINES = f"SELECT {', '.join(STORED)} FROM changes {OF_GAME} ORDER BY version"
RESULTS = f"SELECT * FROM results {OF_GAME} ORDER BY round, seat"
OUTCOME = f"SELECT * FROM outcomes {OF_GAME}"
PLAYERS = f"SELECT {', '.join(COLUMNS)} FROM player_games {OF_GAME} ORDER BY player_id"
MERGED = "SELECT id, merged_into FROM players WHERE table_id = ? AND merged_into IS NOT NULL"
PlayerNow = Callable[[int], int]  # the player into whom one was merged, or else that one


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


def faults_of_games(db: Database, rows: Iterable[Row]) -> list[Fault]:
    """Return the faults of games, given their rows."""
    return [fault for row in rows for fault in _faults_of_game(db, row)]


def _faults_of_game(db: Database, row: Row) -> list[Fault]:
    key, removed = [row["table_id"], row["id"]], row["removed"] is not None
    try:
        lines = list(db.query(LINES, key))
        merged = dict(db.execute(MERGED, [row["table_id"]]).fetchall())
        found = [
            Fault(row["id"], line["round"], _journal_sentence(line)) for line in broken_links(lines)
        ]
        found += _faults_of_facts(row, replay(lines), lambda one: merged.get(one, one))
        game = game_of_row(row, players_of_rows(db, row["table_id"], [row]))
        found += _faults_of_sums(game)
        found += _faults_of_results(db, game, removed=removed)
        found += _faults_of_players(db, game, removed=removed)
    except (*UNREADABLE, StoreError):
        return [Fault(row["id"], None, _("Its data can’t be read as a game."))]
    return found


def _journal_sentence(line: Row) -> str:
    sentence = _("entry {version} of its change log was altered, or an earlier one is missing.")
    return sentence.format(version=line["version"])


def _faults_of_facts(row: Row, due: Replayed, player_now: PlayerNow) -> Iterator[Fault]:
    """Yield a fault for what does not follow from the journal, which the row repeats."""
    setup = due.setup | {"rule_values": json.dumps(due.setup.get("rule_values"))}
    wrong = [name for name in SETUP if row[name] != setup.get(name)]
    wrong += ["version"] * (row["version"] != due.version)
    wrong += ["changed"] * (row["changed"] != due.changed)
    wrong += ["removed"] * (row["removed"] != due.removed)
    seats, players = json.loads(row["seats"]), setup.get("players", [])
    if [*map(player_now, seats)] != [*map(player_now, players)]:
        wrong.append("seats")
    if wrong:
        sentence = _("{columns} doesn’t match its change log.")
        yield Fault(row["id"], None, sentence.format(columns=", ".join(wrong)))
    stored = dict(enumerate(map(json.loads, split_rounds(row["rounds"])), 1))
    for number in sorted(stored.keys() | due.rounds.keys()):
        here, there = (
            _with_players_now(one.get(number), player_now) for one in (stored, due.rounds)
        )
        if here != there:
            sentence = _("its bids and tricks don’t match the change log.")
            yield Fault(row["id"], number, sentence)


def _with_players_now(facts: Mapping[str, Any] | None, player_now: PlayerNow) -> Any:
    if facts is None or MEMBER not in facts:
        return facts
    seated = [
        one | {"player": one["player"] and player_now(one["player"])} for one in facts[MEMBER]
    ]
    return {**facts, MEMBER: seated}


def _faults_of_sums(game: Game) -> list[Fault]:
    return [
        Fault(game.id, number, _("its tricks don’t total the cards dealt."))
        for number, round_ in enumerate(game.rounds, 1)
        if round_.tricks is not None and sum(round_.tricks) != game.rules.tricks
    ]


def _faults_of_results(db: Database, game: Game, *, removed: bool) -> list[Fault]:
    """Return faults where results do not follow from the facts; a removed game has none."""
    key = [game.table_id, game.id]
    stored = _by_round(db.execute(RESULTS, key))
    due = _by_round([] if removed else expected(game))
    sentence = _("its results don’t match the bids and tricks.")
    found = [
        Fault(game.id, number, sentence, derived=True)
        for number in sorted(due.keys() | stored.keys())
        if due.get(number) != stored.get(number)
    ]
    if db.execute(OUTCOME, key).fetchone() != (None if removed else expected_outcome(game)):
        sentence = _("its outcome doesn’t match its rounds.")
        found.append(Fault(game.id, None, sentence, derived=True))
    return found


def _faults_of_players(db: Database, game: Game, *, removed: bool) -> list[Fault]:
    """Return a fault where the rows of players do not follow; a removed game has none."""
    due = [] if removed else sorted(player_rows(game, seating_of(db, game)))
    if db.execute(PLAYERS, [game.table_id, game.id]).fetchall() == due:
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
