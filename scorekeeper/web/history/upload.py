"""The form of an import, and the file between its preview and its confirmation.

The preview page carries the file, compressed and signed; the server stores nothing of it.
"""

import base64
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import count, takewhile
from typing import NamedTuple

from flask import current_app
from flask_wtf.file import FileField
from itsdangerous import BadData, Signer
from wtforms import Field, ValidationError

from scorekeeper.i18n import gettext as _
from scorekeeper.player_names import NameRefused, name_key, normalize_name
from scorekeeper.rules.game import Round
from scorekeeper.rules.presets import DEFAULT, PRESETS
from scorekeeper.store.duplicates import Match
from scorekeeper.store.game_record import GameRecord
from scorekeeper.web.http.current import require_phone
from scorekeeper.web.http.form_fields import Form, TextField

LARGEST_UPLOAD = 1 << 20  # bytes


class UploadForm(Form):
    """A file, or `kept`: the one that the preview page carries. `rules` are for sheets without."""

    file = FileField()
    kept = TextField()
    rules = TextField(filters=[lambda key: key if key in PRESETS else DEFAULT.key])
    content: bytes | None = None  # of the file that is new, once the form is valid

    def validate_file(self, field: Field) -> None:
        """Read the file; without one, the file that the page carries."""
        self.content = field.data.read(LARGEST_UPLOAD + 1) if field.data else self.kept_content()
        if not self.content:
            raise ValidationError(_("Choose a file first."))
        if len(self.content) > LARGEST_UPLOAD:
            sentence = _("This file is larger than {limit} kB. Import it on the server.")
            raise ValidationError(sentence.format(limit=LARGEST_UPLOAD // 1024))

    def kept_content(self) -> bytes | None:
        """Return the file that the page carries, unless it is not for this table."""
        return unpack(self.kept.data, require_phone().table_id)


class Preview(NamedTuple):
    """The contents of a file as the preview page shows them.

    `names` are the players that can be renamed, as the file is a sheet without rules; `typed` are
    their new names and `wrong` the error messages, both by the name in the file.
    """

    games: list[tuple[GameRecord, Match]]
    counts: Counter[Match]
    faults: list[str]
    notices: list[str]
    names: list[str]
    typed: Mapping[str, str]
    wrong: Mapping[str, str]
    rules: str
    kept: str


def pack(data: bytes, table_id: str) -> str:
    """Return a file compressed, as text signed for this table."""
    return _signer(table_id).sign(base64.urlsafe_b64encode(zlib.compress(data))).decode()


def unpack(text: str, table_id: str) -> bytes | None:
    """Return the file in a packed text, or None if the signature is wrong."""
    try:
        kept = _signer(table_id).unsign(text.encode("ascii", "replace"))
    except BadData:
        return None
    return zlib.decompress(base64.urlsafe_b64decode(kept))


def typed_names(form: Mapping[str, str]) -> dict[str, str]:
    """Return the new names in a form, each under the name in the file."""
    numbers = takewhile(lambda n: f"was-{n}" in form, count(1))
    pairs = ((form[f"was-{n}"], form.get(f"name-{n}", "")) for n in numbers)
    return {was: name for was, name in pairs if was and name.strip()}


def rename_players(
    games: Iterable[GameRecord], typed: Mapping[str, str]
) -> tuple[list[GameRecord], dict[str, str]]:
    """Return the games with new names of players, and error messages by the name in the file."""
    if not typed:
        return list(games), {}
    names: dict[str, str] = {}
    wrong: dict[str, str] = {}
    for was, name in typed.items():
        try:
            names[was] = normalize_name(name)
        except NameRefused as refused:
            wrong[was] = str(refused)
    changed = []
    for game in games:
        now = [names.get(name, name) for name in game.people]
        for at, name in enumerate(now):
            if name_key(name) in map(name_key, now[:at]):
                wrong[game.people[at]] = _("Two players in a game can’t have the same name.")
        starters = tuple(now[: len(game.starters)])
        rounds = tuple(_renamed(round_, names) for round_ in game.rounds)
        changed.append(game._replace(starters=starters, rounds=rounds))
    return changed, wrong


def _renamed(round_: Round, names: Mapping[str, str]) -> Round:
    seats = round_.substitutes
    renamed = tuple(
        one._replace(player=one.player and names.get(one.player, one.player)) for one in seats
    )
    return round_._replace(substitutes=renamed)


def _signer(table_id: str) -> Signer:
    return Signer(str(current_app.secret_key), salt=f"import {table_id}")
