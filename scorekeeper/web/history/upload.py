"""A file that was sent, between its preview and the button that takes it in.

The page carries it, packed and signed for its table; nothing of it stays on the server.
"""

import base64
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from flask import current_app
from itsdangerous import BadData, TimestampSigner

from scorekeeper.i18n import gettext as _
from scorekeeper.player_names import NameRefused, name_key, normalize_name
from scorekeeper.store.duplicates import Match
from scorekeeper.store.game_record import GameRecord

LARGEST_UPLOAD = 1 << 20  # bytes
KEPT_FOR = 3600  # seconds
MOST_NAMES = 20


class Preview(NamedTuple):
    """What a page shows of a file before anything is added.

    `names` are those that may still be changed, because the file is a sheet without rules, with
    what was typed for each; `wrong` is what is wrong with that.
    """

    games: list[tuple[GameRecord, Match]]
    counts: Counter[Match]
    faults: list[str]
    names: list[str]
    typed: Mapping[str, str]
    wrong: Mapping[str, str]
    rules: str
    kept: str


def packed(data: bytes, table_id: str) -> str:
    """Return a file as text that only this server can have made, for this table."""
    return _signer(table_id).sign(base64.urlsafe_b64encode(zlib.compress(data))).decode()


def unpacked(text: str, table_id: str) -> bytes | None:
    """Return the file again; None for a text not made here, for another table, or an hour old."""
    try:
        kept = _signer(table_id).unsign(text.encode("ascii", "replace"), max_age=KEPT_FOR)
    except BadData:
        return None
    return zlib.decompress(base64.urlsafe_b64decode(kept))


def names_typed(form: Mapping[str, str]) -> dict[str, str]:
    """Return the names that were typed in place of those of a sheet."""
    pairs = ((form.get(f"was-{n}", ""), form.get(f"name-{n}", "")) for n in range(1, MOST_NAMES))
    return {was: name for was, name in pairs if was and name.strip()}


def renamed(
    games: Iterable[GameRecord], typed: Mapping[str, str]
) -> tuple[list[GameRecord], dict[str, str]]:
    """Return the games with other names for the players, and what is wrong with which name."""
    names: dict[str, str] = {}
    wrong: dict[str, str] = {}
    for was, name in typed.items():
        try:
            names[was] = normalize_name(name)
        except NameRefused as refused:
            wrong[was] = str(refused)
    changed = []
    for game in games:
        now = tuple(names.get(name, name) for name in game.names)
        for seat, name in enumerate(now):
            if name_key(name) in map(name_key, now[:seat]):
                wrong[game.names[seat]] = _("Two players of one game cannot have the same name.")
        changed.append(game._replace(names=now))
    return changed, wrong


def _signer(table_id: str) -> TimestampSigner:
    return TimestampSigner(str(current_app.secret_key), salt=f"import {table_id}")
