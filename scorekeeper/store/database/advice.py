"""Error messages for a database that cannot be used, with advice to its owner."""

import os
import shlex
from pathlib import Path

from scorekeeper.i18n import gettext as _
from scorekeeper.store.database.errors import StoreUnavailable
from scorekeeper.store.database.rotation import newest_good


def advice(database: Path, error: Exception) -> str:
    """Return why a database cannot be used and what to do about it."""
    if "readonly" in str(error) or "unable to open" in str(error):
        sentence = _(
            "Can’t write to {path}. Give this user write access to it and its folder, or choose "
            "another folder with SCOREKEEPER_DATA."
        )
        return sentence.format(path=database)
    if isinstance(error, StoreUnavailable):
        sentence = _("Can’t store games in {folder}: {reason}.")
        what_to_do = _("Free up space on that disk, then start again. Nothing was changed.")
        return f"{sentence.format(folder=database.parent, reason=error)} {what_to_do}"
    if "locked" in str(error):
        sentence = _("{path} is locked by another program. Close it and start again.")
        return sentence.format(path=database)
    return f"{damaged_sentence(database)} {restore_advice(newest_good(database.parent))}"


def damaged_sentence(database: Path) -> str:
    """Return the sentence that a database is damaged, without advice."""
    return _("{path} is damaged.").format(path=database)


def restore_advice(backup: Path | None) -> str:
    """Return how to restore the newest good backup, or what to do without one."""
    if backup is None:
        return _(
            "Put a copy of the file back, or move the folder away to start over. Nothing was "
            "changed."
        )
    command = f"scorekeeper restore {shlex.quote(str(backup))}"
    if chosen := os.environ.get("SCOREKEEPER_DATA"):
        command = f"SCOREKEEPER_DATA={shlex.quote(chosen)} {command}"
    return _(
        "Nothing was changed. This command restores the latest good backup and sets the current "
        "files aside:\n{command}"
    ).format(command=command)
