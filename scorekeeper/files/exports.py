"""Games as CSV and JSON files in pieces to be sent one by one, and the summary of an import."""

from collections import Counter
from collections.abc import Iterator

from scorekeeper.files.csv.sheet import Sheet
from scorekeeper.files.csv.writer import csv_of
from scorekeeper.files.json.format import json_of
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.database.advice import restore_advice
from scorekeeper.store.database.connection import Database
from scorekeeper.store.database.rotation import newest_good
from scorekeeper.store.database.store import Store, StoreRefused
from scorekeeper.store.duplicates import Match
from scorekeeper.store.game_record import every_game, game_record
from scorekeeper.store.games import UNREADABLE, DamagedGame, Game
from scorekeeper.store.history import Search
from scorekeeper.store.maintenance.check import faults
from scorekeeper.store.tables import zone_of_table


def csv_pieces(
    store: Store,
    table_id: str | None = None,
    wanted: Search | None = None,
    excel: str = "",
    *,
    skips_damaged: bool = False,
) -> Iterator[bytes]:
    """Yield the games of a selection as a CSV file, all or but those that are damaged.

    `excel` is as in `csv_of`.
    """
    sheets = every_game(store, sheet_of, table_id, wanted, skips_damaged=skips_damaged)
    return _pieces(store, csv_of(sheets, excel))


def json_pieces(
    store: Store,
    table_id: str | None = None,
    wanted: Search | None = None,
    *,
    skips_damaged: bool = False,
) -> Iterator[bytes]:
    """Yield the games of a selection as a JSON file that holds everything, as `csv_pieces` does."""
    records = every_game(store, game_record, table_id, wanted, skips_damaged=skips_damaged)
    return _pieces(store, json_of(records))


def sheet_of(db: Database, game: Game) -> Sheet:
    """Return the facts of a game for a CSV file."""
    return Sheet(
        game=game.id,
        started=game.started,
        rules=game.rules,
        base=PRESETS[game.rules.key],
        names=game.starters,
        first_dealer=game.first_dealer,
        rounds=game.rounds,
        zone=zone_of_table(db, game.table_id),
    )


def import_summary(counts: Counter[Match]) -> str:
    """Return in words how many games were imported."""
    n, here, gone, other = (counts[kind] for kind in ("new", "same", "removed", "other"))
    said = [ngettext("Imported {n} game.", "Imported {n} games.", n).format(n=n)]
    if here:
        sentence = ngettext("{n} was already here.", "{n} were already here.", here)
        said.append(sentence.format(n=here))
    if gone:
        sentence = ngettext("{n} is in Deleted games.", "{n} are in Deleted games.", gone)
        said.append(sentence.format(n=gone))
    if other:
        sentence = _("{n} already here with different rounds, left unchanged.")
        said.append(sentence.format(n=other))
    return " ".join(said)


def import_failure() -> str:
    """Return in words why nothing was imported, where a journal is invalid."""
    return " ".join(
        [_("A game’s change log doesn’t match its rounds."), _("Nothing was imported.")]
    )


def _pieces(store: Store, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield pieces of a file; raises `StoreRefused` at a game that is damaged in the database."""
    try:
        yield from pieces
    except (DamagedGame, *UNREADABLE) as error:
        fault = next(faults(store), None)
        if fault is None:
            raise
        advice = restore_advice(newest_good(store.path.parent))
        raise StoreRefused(f"{fault} {advice}") from error
