"""Moving all of a database to another one: from SQLite to PostgreSQL, or back."""

from itertools import islice

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.store.database.migrations import TABLES
from scorekeeper.store.database.rows import scalar
from scorekeeper.store.database.store import Store
from scorekeeper.store.maintenance.check import faults

MAX_FAULTS = 10


class MoveRefused(Exception):
    """Nothing was moved; the message says why."""


def move(source: Store, target: Store) -> str:
    """Copy every row to an empty database in one transaction, and return a message about it.

    Ids and hashes stay, so phones and links work on. Raises `MoveRefused` where the target is not
    empty, the source has faults, or the rows that arrive differ from those sent: a database that is
    equal to one without faults has none, so it is not checked again.
    """
    if scalar(target.db, "SELECT 1 FROM tables LIMIT 1"):
        raise MoveRefused(_("The target already has tables. Nothing was changed."))
    _check(source)
    with source.write() as read, target.write(backs_up=False) as written:
        read.lock_everything()
        for name in TABLES:
            query = f"SELECT * FROM {name}"
            rows = read.execute(query).fetchall()
            written.copy_rows(name, rows)
            if set(written.execute(query).fetchall()) != set(rows):
                raise MoveRefused(_("Not all of “{table}” arrived.").format(table=name))
        games = scalar(read, "SELECT count(*) FROM games") or 0
    return ngettext("Moved {n} game.", "Moved {n} games.", games).format(n=games)


def _check(store: Store) -> None:
    if found := list(islice(faults(store), MAX_FAULTS)):
        sentence = _("These errors were found, so the games stay where they are:")
        raise MoveRefused("\n".join([sentence, *map(str, found)]))
