"""Error messages for a database that cannot be used, with advice to its owner."""

import os
import shlex
from pathlib import Path

from scorekeeper.i18n import gettext as _
from scorekeeper.sqlite import sqlite3
from scorekeeper.store.database.rotation import newest_good

NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)


def advice(database: Path, error: Exception) -> str:
    """Return why a database cannot be used and what to do about it."""
    if getattr(error, "sqlite_errorcode", 0) & 0xFF in NO_ROOM:
        sentence = _("Games cannot be kept in {folder}: {reason}.")
        what_to_do = _("Make room on that disk, then start again; nothing was changed.")
        return f"{sentence.format(folder=database.parent, reason=error)} {what_to_do}"
    if "readonly" in str(error) or "unable to open" in str(error):
        sentence = _(
            "{path} cannot be written. Give this user the right to write it and its folder, or "
            "choose another folder with SCOREKEEPER_DATA."
        )
        return sentence.format(path=database)
    if "locked" in str(error):
        sentence = _("{path} is locked by another program. Close that program and start again.")
        return sentence.format(path=database)
    return f"{is_damaged(database)} {restore_advice(newest_good(database.parent))}"


def is_damaged(database: Path) -> str:
    """Return the sentence that a database is damaged, without advice."""
    return _("{path} is damaged.").format(path=database)


def restore_advice(backup: Path | None) -> str:
    """Return how to restore the newest good backup, or what to do without one."""
    if backup is None:
        return _(
            "Put a copy of the file back in its place, or move the whole folder away to begin "
            "anew. Nothing was changed."
        )
    command = f"scorekeeper restore {shlex.quote(str(backup))}"
    if chosen := os.environ.get("SCOREKEEPER_DATA"):
        command = f"SCOREKEEPER_DATA={shlex.quote(chosen)} {command}"
    return _(
        "Nothing was changed. This brings the newest good backup back, and keeps aside what is "
        "there now:\n{command}"
    ).format(command=command)
