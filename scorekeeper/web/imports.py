"""Import of files with games.

The preview page carries the file, compressed and signed; the server stores nothing of it.
"""

import base64
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import count, takewhile
from typing import Any, NamedTuple

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from flask_wtf.file import FileField
from itsdangerous import BadData, Signer
from wtforms import Field, ValidationError

from scorekeeper.clock import now
from scorekeeper.files.imports import (
    LARGEST_UPLOAD,
    import_failure,
    import_summary,
    read_upload,
)
from scorekeeper.free_text import LONGEST_TYPED, NameRefused, key_for, normalize_name
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.presets import DEFAULT, PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.store.imports import MATCHES, InvalidJournal, Match, add_new, classify
from scorekeeper.store.journal import GameRecord
from scorekeeper.store.locks import in_slices
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.forms import MAX_FIELDS, Form, TextField, text_limits
from scorekeeper.web.http.requests import (
    Answer,
    database,
    require_phone,
    store,
)
from scorekeeper.web.text.wording import listed

pages = Blueprint("imports", __name__)


LARGEST_FORM = 2 * LARGEST_UPLOAD  # bytes, as Base64 is longer than the file
MAX_PLAYERS = 2000  # of a file, each with two fields of a form: one in each row
_large_form = text_limits(2 * MAX_PLAYERS + MAX_FIELDS, packed=LARGEST_FORM)


@pages.url_value_preprocessor
def _allow_uploads(endpoint: str | None, _values: object) -> None:
    """Raise the limits of the body where a file is sent; they must be set before it is read."""
    if endpoint in ("imports.preview", "imports.add_games"):
        request.max_content_length = LARGEST_FORM
        request.max_form_memory_size = LARGEST_FORM


class UploadForm(Form):
    """A file, or the one that the preview page carries as `packed`; `rules` for sheets without."""

    file = FileField()
    packed = TextField()
    rules = TextField(filters=[lambda key: key if key in PRESETS else DEFAULT.key])
    content: bytes | None = None  # of the file that is new, once the form is valid

    def validate_file(self, field: Field) -> None:
        """Read the file; without one, the file that the page carries."""
        self.content = field.data.read(LARGEST_UPLOAD + 1) if field.data else self.packed_content()
        if not self.content:
            raise ValidationError(_("Choose a file first."))
        if len(self.content) > LARGEST_UPLOAD:
            sentence = _("This file is larger than {limit} kB. Import it on the server.")
            raise ValidationError(sentence.format(limit=LARGEST_UPLOAD // 1024))

    def packed_content(self) -> bytes | None:
        """Return the file that the page carries, unless it is not for this table."""
        return unpack(self.packed.data, require_phone().table_id)


@pages.get("/import")
def choose() -> str:
    require_phone()
    return _choose_page(UploadForm(None))


@pages.post("/import")
@_large_form
def preview() -> Answer:
    """Show what a file would add, what is stored already, and the errors by line."""
    phone = require_phone()
    rate_limits.import_file(phone.table_id)
    form = _sent_form()
    if not form.validate() or form.content is None:
        return _choose_page(form), 422
    return _preview_page(form, form.content)


@pages.post("/import/all")
@_large_form
def add_games() -> Answer:
    """Add every game of the file in the preview, or none of them."""
    phone = require_phone()
    rate_limits.import_file(phone.table_id)
    form = _sent_form()
    data = form.packed_content()
    if data is None:
        return _choose_again(form, _("The preview has expired. Choose the file again."))
    upload = read_upload(data, form.rules.data)
    games, wrong = rename_players(upload.games, names_in(request.form))
    if upload.faults or wrong:
        return _preview_page(form, data)
    try:
        counts = add_new(
            store(), phone.table_id, games, phone.id, now(),
            allow=lambda db, new: rate_limits.another_game(db, phone.table_id, new),
        )  # fmt: skip
    except InvalidJournal:
        return _choose_again(form, import_failure())
    query: dict[str, Any] = {str(kind): str(n) for kind, n in counts.items()}
    return redirect(url_for("imports.done", **query), 303)


@pages.get("/import/done")
def done() -> str:
    """Show how many games were added, from the counts in the query."""
    require_phone()
    texts = {kind: request.args.get(kind, "0") for kind in MATCHES}
    counts: dict[Match, int] = {
        kind: int(n) for kind, n in texts.items() if re.fullmatch("[0-9]{1,4}", n, re.ASCII)
    }
    return render_template("history/import_done.html", summary=import_summary(Counter(counts)))


def _sent_form() -> UploadForm:
    return UploadForm(request.form, file=request.files.get("file"))


class Preview(NamedTuple):
    """The contents of a file as the preview page shows them.

    `names` are the players that can be renamed, as the file is a sheet without rules; `new_names`
    are their new ones and `wrong` the error messages, both by the name in the file.
    """

    games: list[tuple[GameRecord, Match]]
    counts: Counter[Match]
    faults: list[str]
    notices: list[str]
    names: list[str]
    new_names: Mapping[str, str]
    wrong: Mapping[str, str]
    rules: str
    packed: str


def _preview_page(form: UploadForm, data: bytes) -> Answer:
    phone, upload = require_phone(), read_upload(data, form.rules.data)
    new_names = names_in(request.form)
    games, wrong = rename_players(upload.games, new_names)
    classified = list(classify(database(), phone.table_id, games))
    shown = Preview(
        games=classified,
        counts=Counter(match for _game, match in classified),
        faults=[str(fault) for fault in upload.faults],
        notices=[] if upload.faults else upload.notices,
        names=[] if upload.names_rules else sorted({n for g in upload.games for n in g.people}),
        new_names={was: name[:LONGEST_TYPED] for was, name in new_names.items()},
        wrong=wrong,
        rules="" if upload.names_rules else form.rules.data,
        packed=pack(data, phone.table_id),
    )
    page = render_template(
        "history/import_preview.html",
        shown=shown,
        presets=PRESETS,
        games=in_slices(classified),
        people={people: listed(people) for people in {game.people for game in games}},
    )
    return page, 422 if upload.faults or wrong else 200


def _choose_again(form: UploadForm, error: str) -> Answer:
    form.file.errors = [error]
    return _choose_page(form), 422


def _choose_page(form: UploadForm) -> str:
    return render_template("history/import_choose.html", presets=PRESETS, form=form)


def pack(data: bytes, table_id: str) -> str:
    """Return a file compressed, as text signed for this table."""
    return _signer(table_id).sign(base64.urlsafe_b64encode(zlib.compress(data))).decode()


def unpack(text: str, table_id: str) -> bytes | None:
    """Return the file in a packed text, or None if the signature is wrong."""
    try:
        packed = _signer(table_id).unsign(text.encode("ascii", "replace"))
    except BadData:
        return None
    return zlib.decompress(base64.urlsafe_b64decode(packed))


def _signer(table_id: str) -> Signer:
    return Signer(str(current_app.secret_key), salt=f"import {table_id}")


def names_in(form: Mapping[str, str]) -> dict[str, str]:
    """Return the new names in a form, each under the name in the file."""
    numbers = takewhile(lambda n: f"was-{n}" in form, count(1))
    pairs = ((form[f"was-{n}"], form.get(f"name-{n}", "")) for n in numbers)
    return {was: name for was, name in pairs if was and name.strip()}


def rename_players(
    games: Iterable[GameRecord], new_names: Mapping[str, str]
) -> tuple[list[GameRecord], dict[str, str]]:
    """Return the games with new names of players, and error messages by the name in the file."""
    if not new_names:
        return list(games), {}
    names: dict[str, str] = {}
    wrong: dict[str, str] = {}
    for was, name in new_names.items():
        try:
            names[was] = normalize_name(name)
        except NameRefused as refused:
            wrong[was] = str(refused)
    changed = []
    for game in games:
        now = [names.get(name, name) for name in game.people]
        key = key_for(game.people)
        for at, name in enumerate(now):
            if key(name) in map(key, now[:at]):
                wrong[game.people[at]] = _("Two players in a game can’t have the same name.")
        starters = tuple(now[: len(game.starters)])
        rounds = tuple(_renamed(round_, names) for round_ in game.rounds)
        changed.append(game._replace(starters=starters, rounds=rounds))
    return changed, wrong


def _renamed(round_: Round, names: Mapping[str, str]) -> Round:
    seats = round_.notes.substitutes
    renamed = tuple(
        one._replace(player=one.player and names.get(one.player, one.player)) for one in seats
    )
    return round_.noted(substitutes=renamed)
