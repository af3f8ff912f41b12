"""`check`: what is wrong with a database, its games, journals and derived rows.

It finds damage to the file, games that cannot be read or do not follow from their journals, and
results that do not follow from their games. It does not tell who edited a database by hand.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.store.backup import open_to_read
from scorekeeper.store.changes import SETUP, Replayed, Row, replay
from scorekeeper.store.club import wrong_nights
from scorekeeper.store.connection import Database, StoreError, errors_of_sqlite
from scorekeeper.store.database import Store, StoreRefused, in_steps, snapshot
from scorekeeper.store.games import (
    MEMBER,
    UNREADABLE,
    Game,
    game_of_row,
    load_game,
    players_of_rows,
    searchable,
    split_rounds,
)
from scorekeeper.store.imports import unfinished
from scorekeeper.store.opening import open_store
from scorekeeper.store.player_games import (
    COLUMNS,
    derive,
    expected,
    expected_outcome,
    player_rows,
    seating_of,
)
from scorekeeper.store.sqlite import Connection, SQLiteDatabase

OF_GAME = "WHERE table_id = ? AND game_id = ?"
LINES = f"SELECT version, at, kind, round, after FROM changes {OF_GAME} ORDER BY version"
RESULTS = f"SELECT * FROM results {OF_GAME} ORDER BY round, seat"
# Without the day, which is another one where the time zone of the computer decides.
OUTCOME = f"SELECT table_id, game_id, round, reason, side FROM outcomes {OF_GAME}"
PLAYERS = f"SELECT {', '.join(COLUMNS)} FROM player_games {OF_GAME} ORDER BY player_id"
MERGED = "SELECT id, merged_into FROM players WHERE table_id = ? AND merged_into IS NOT NULL"
PlayerNow = Callable[[int], int]  # the player into whom one was merged, or else that one
Tell = Callable[[Callable[[], str]], None]  # is given how far work is, as often as it goes on


class Out(Protocol):
    """Where faults are printed."""

    def write(self, text: str, /) -> object:
        """Write a text."""


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
        found = [*_faults_of_journal(row["id"], lines)]
        found += _faults_of_facts(row, replay(lines), lambda one: merged.get(one, one))
        game = game_of_row(row, players_of_rows(db, row["table_id"], [row]))
        found += _faults_of_sums(game)
        if row["remarks"] != searchable(game.rounds):
            sentence = _("its searchable notes don’t match its rounds.")
            found.append(Fault(game.id, None, sentence, derived=True))
        found += _faults_of_results(db, game, removed=removed)
        found += _faults_of_players(db, game, removed=removed)
    except (*UNREADABLE, StoreError):
        return [Fault(row["id"], None, _("Its data can’t be read as a game."))]
    return found


def _faults_of_journal(game_id: str, lines: Sequence[Row]) -> Iterator[Fault]:
    """Yield a fault for the first line that is missing."""
    for version, line in enumerate(lines, 1):
        if line["version"] != version:
            sentence = _("entry {version} of its change log is missing.")
            yield Fault(game_id, None, sentence.format(version=version))
            break


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
        if round_.tricks is not None
        and not game.state.rules_in(number, round_).may_total(sum(round_.tricks))
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


GAMES_AT_A_TIME = 100


def check(
    folder: Path, out: Out, tell: Tell = lambda _sentence: None, *, rebuild: bool = False
) -> int:
    """Check every game, print a line for each fault, and return the exit status.

    `tell` is given how many games were checked. With `rebuild`, results that do not follow from
    the facts are derived again. The status is 1 where a fault remains, or the database cannot be
    used.
    """
    try:
        with open_store(folder) as store:
            return _check(store, out, tell, rebuild=rebuild)
    except StoreRefused as refused:
        print(refused, file=out)
        return 1


def _check(store: Store, out: Out, tell: Tell, *, rebuild: bool) -> int:
    games = 0
    wrong: set[str] = set()
    derived: set[str] = set()
    for fault in store_faults(store):
        if isinstance(fault, int):
            games += fault
            tell(partial(checked, games))
            continue
        print(fault, file=out)
        (derived if fault.derived else wrong).add(fault.game_id)
    sentence = ngettext(
        "Checked {n} game, {wrong} with errors.", "Checked {n} games, {wrong} with errors.", games
    )
    print(sentence.format(n=games, wrong=len((wrong | derived) - {""})), file=out)
    if derived and rebuild:
        in_steps(store, _derive(store.db, sorted(derived - wrong)))
        print(_("Results that didn’t match have been rebuilt."), file=out)
    for one in unfinished(store.db):
        print(one, file=out)
    if not (wrong or derived):
        print(_("No damage found."), file=out)
    return 1 if wrong or (derived and not rebuild) else 0


def faults(store: Store) -> Iterator[Fault]:
    """Yield the faults of a database."""
    return (fault for fault in store_faults(store) if isinstance(fault, Fault))


def checked(games: int) -> str:
    """Return how many games were checked, in words."""
    return ngettext("{n} game checked", "{n} games checked", games).format(n=f"{games:,}")


def faults_of_path(path: Path, tell: Tell = lambda _sentence: None) -> Iterator[Fault]:
    """Yield the faults of the database in a file; `tell` is given how many games were checked."""
    db, games = _reader(path), 0
    try:
        for one in chain(_damage(faults_of_file(db)), _every_fault(db)):
            if isinstance(one, Fault):
                yield one
            else:
                games += one
                tell(partial(checked, games))
    finally:
        db.close()


def store_faults(store: Store) -> Iterator[Fault | int]:
    """Yield the faults of a database and, as numbers, how many games were read since the last.

    Each batch of games is read in one transaction, so that others can write meanwhile.
    """
    if not store.is_file:
        with store.borrow() as db:
            yield from _every_fault(db)
        return
    reader = _reader(store.path)
    try:
        yield from _damage(faults_of_file(reader))
        yield from _every_fault(reader)
    finally:
        reader.close()


def _damage(found: Iterator[Fault | int]) -> Iterator[Fault | int]:
    """Yield faults; an error while they are looked for is one too."""
    try:
        yield from found
    except (StoreError, ValueError, LookupError) as error:
        sentence = _("The file is damaged: {what}").format(what=error)
        yield Fault("", None, sentence)


def _every_fault(db: Database) -> Iterator[Fault | int]:
    return _damage(_faults_of_rows(db))


def _faults_of_rows(db: Database) -> Iterator[Fault | int]:
    last = ("", "")
    while True:
        with snapshot(db):
            query = (
                "SELECT * FROM games WHERE (table_id, id) > (?, ?) ORDER BY table_id, id LIMIT ?"
            )
            rows = list(db.query(query, [*last, GAMES_AT_A_TIME]))
            found = faults_of_games(db, rows)
        yield from found
        yield len(rows)
        if len(rows) < GAMES_AT_A_TIME:
            break
        last = (rows[-1]["table_id"], rows[-1]["id"])
    with snapshot(db):
        nights = list(_faults_of_nights(db))
    yield from nights


def _faults_of_nights(db: Database) -> Iterator[Fault]:
    for night_id, is_readable in wrong_nights(db):
        sentence = _("Club night {id}: its change log can’t be read.")
        if is_readable:
            sentence = _("Club night {id}: its teams or matches don’t match its change log.")
        yield Fault("", None, sentence.format(id=_printable(night_id)))


def _reader(path: Path) -> SQLiteDatabase:
    with errors_of_sqlite():
        connection = open_to_read(path, Connection)
    # Damaged text must be reported, not end the check.
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    return SQLiteDatabase(connection)


def _derive(db: Database, game_ids: list[str]) -> Iterator[None]:
    for game_id in filter(None, game_ids):
        (table_id,) = db.execute("SELECT table_id FROM games WHERE id = ?", [game_id]).fetchone()
        db.lock_table(table_id)
        if game := load_game(db, table_id, game_id):
            derive(db, game)
            db.execute(
                "UPDATE games SET remarks = ? WHERE table_id = ? AND id = ?",
                [searchable(game.rounds), table_id, game_id],
            )
        yield
