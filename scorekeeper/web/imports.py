"""Import of files with games: a preview, the import beside other requests, and its undo."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import count, groupby, takewhile
from typing import Any, NamedTuple

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from flask_wtf.file import FileField
from werkzeug.wrappers import Response
from wtforms import Field, ValidationError

from scorekeeper.clock import now, stamp
from scorekeeper.files.imports import (
    LARGEST_OF_PAGE,
    ROWS_OF_PAGE,
    Upload,
    import_failure,
    import_summary,
    read_upload,
)
from scorekeeper.free_text import LONGEST_TYPED, NameRefused, key_for, normalize_name
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.presets import DEFAULT, PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.store import import_log
from scorekeeper.store.background import Background
from scorekeeper.store.games import Game
from scorekeeper.store.import_log import Import, find_import
from scorekeeper.store.imports import InvalidJournal, Match, check_journal, classify
from scorekeeper.store.journal import GameRecord
from scorekeeper.store.locks import in_slices
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.forms import MAX_FIELDS, Form, TextField, text_limits
from scorekeeper.web.http.requests import Answer, database, require_phone, store
from scorekeeper.web.text.wording import listed, month

pages = Blueprint("imports", __name__)
MAX_PLAYERS = 2000  # of a file, each with two fields of a form
SOON = 3.0  # seconds; an import that takes longer shows its progress
LARGEST_FIELDS = 1 << 20  # bytes, of the names of so many
LISTED = 30  # games of a month
_many_fields = text_limits(2 * MAX_PLAYERS + MAX_FIELDS)


@pages.url_value_preprocessor
def _allow_uploads(endpoint: str | None, _values: object) -> None:
    """Raise the limits of the body where a file is sent; they must be set before it is read."""
    if endpoint in ("imports.preview", "imports.add_games"):
        request.max_content_length = LARGEST_OF_PAGE + LARGEST_FIELDS
        request.max_form_memory_size = LARGEST_FIELDS


class UploadForm(Form):
    """A file, or the id of the one that is `kept`; `rules` for sheets without."""

    file = FileField()
    kept = TextField()
    rules = TextField(filters=[lambda key: key if key in PRESETS else DEFAULT.key])
    content: bytes | None = None  # of the file, once the form is valid

    def validate_file(self, field: Field) -> None:
        """Read the file; without one, the file that is kept."""
        self.content = field.data.read(LARGEST_OF_PAGE + 1) if field.data else self.kept_content()
        if not self.content:
            raise ValidationError(_("Choose a file first."))
        if len(self.content) > LARGEST_OF_PAGE:
            sentence = _("This file is larger than {limit} kB. Import it on the server.")
            raise ValidationError(sentence.format(limit=LARGEST_OF_PAGE // 1024))

    def kept_content(self) -> bytes | None:
        """Return the file that is kept, unless it is not for this table."""
        return import_log.upload_of(database(), require_phone().table_id, self.kept.data)


@pages.get("/import")
def choose() -> str:
    require_phone()
    return _choose_page(UploadForm(None))


@pages.post("/import")
@_many_fields
def preview() -> Answer:
    """Show what a file would add, what is stored already, and the errors by line."""
    phone = require_phone()
    rate_limits.import_file(phone.table_id)
    form = _sent_form()
    if not form.validate() or form.content is None:
        return _choose_page(form), 422
    found = _found(form, form.content)
    if form.file.data:
        with store().write(phone.table_id) as db:
            kept = import_log.keep_upload(db, phone.table_id, form.content, now())
        form.kept.data = kept
    return _preview_page(form, found)


@pages.post("/import/all")
@_many_fields
def add_games() -> Answer:
    """Add the games of the file in the preview; once more shows what was added."""
    phone = require_phone()
    rate_limits.import_file(phone.table_id)
    form = _sent_form()
    begun = find_import(database(), phone.table_id, form.kept.data)
    if begun and not begun.has_stopped:
        return _to(begun.id)
    data = form.kept_content()
    if data is None:
        return _choose_again(form, _("The preview has expired. Choose the file again."))
    found = _found(form, data)
    if found.faults or found.wrong:
        return _preview_page(form, found)
    _start(form.kept.data, found)
    return _to(form.kept.data)


@pages.get("/import/progress")
def progress() -> Answer:
    """Show how far an import or its undo is; once it is done, go to what it has added."""
    one = _asked_for()
    if one.state in ("done", "undone"):
        return _to(one.id)
    left = import_log.left_by(database(), one)
    return render_template("history/import_progress.html", one=one, left=left)


@pages.get("/import/done")
def done() -> Answer:
    """Show what an import has added, or that it was undone."""
    one = _asked_for()
    return _import_page(one) if one.state in ("done", "undone") else _to(one.id)


def _asked_for() -> Import:
    found = find_import(database(), require_phone().table_id, request.args.get("import", ""))
    return found or abort(404)


@pages.post("/import/undo")
def undo() -> Answer:
    """Remove all games of an import, unless one was changed since; once more changes nothing."""
    phone = require_phone()
    one = find_import(database(), phone.table_id, request.form.get("kept", "")) or abort(404)
    with store().write(phone.table_id) as db:
        changed = import_log.begin_undo(db, one)
    if changed:
        return _import_page(one, changed)
    if changed is None:
        behind, store_ = _background(), store()
        games = behind.until_the_end(import_log.games_of(database(), one))
        behind.run(lambda: import_log.remove_games(store_, one, games, phone.id, now()), SOON)
    return _to(one.id)


def _start(import_id: str, found: "Found") -> None:
    """Add games beside the requests, unless that is done or being done."""
    phone, at, behind, store_ = require_phone(), now(), _background(), store()
    new = sum(match == "new" for _game, match in found.games)
    rate_limits.another_game(database(), phone.table_id, new)
    with store_.write(phone.table_id) as db:
        may = import_log.begin_import(db, phone.table_id, import_id, new, at)
        begun = find_import(db, phone.table_id, import_id)
    if may and begun:
        games = behind.until_the_end([game for game, _match in found.games])
        one = begun
        behind.run(lambda: import_log.add_games(store_, one, games, phone.id, at), SOON)


def _background() -> Background:
    found = current_app.extensions["background"]
    assert isinstance(found, Background)
    return found


def _to(import_id: str) -> Response:
    """Go to what an import has added, or first to its progress."""
    one = find_import(database(), require_phone().table_id, import_id)
    is_done = one is None or one.state in ("done", "undone")
    query: dict[str, Any] = {"import": import_id}
    return redirect(url_for(f"imports.{'done' if is_done else 'progress'}", **query), 303)


def _import_page(one: Import, changed: Sequence[Game] = ()) -> Answer:
    added = import_log.added_by(database(), one)
    page = render_template(
        "history/import_done.html",
        one=one,
        added=added,
        left=import_log.left_by(database(), one),
        changed=changed,
        summary=import_summary(one.counts),
        months=_by_month(added.started),
    )
    return page, 409 if changed else 200


def _by_month(moments: Iterable[str]) -> list[tuple[str, int]]:
    """Return the months in which games began, which are sorted, each with their number."""
    return [(title, len([*games])) for title, games in groupby(moments, month)]


def _sent_form() -> UploadForm:
    return UploadForm(request.form, file=request.files.get("file"))


class Found(NamedTuple):
    """What a file holds: its games as they are to be added, and how they match those of the table.

    `faults` forbid the import; `wrong` are error messages of new names, by the name in the file.
    """

    upload: Upload
    faults: list[str]
    games: list[tuple[GameRecord, Match]]
    wrong: Mapping[str, str]


def _found(form: UploadForm, data: bytes) -> Found:
    upload = read_upload(data, form.rules.data, ROWS_OF_PAGE)
    games, wrong = rename_players(upload.games, names_in(request.form))
    faults = [*map(str, upload.faults)] or _faults_of_journals(games)
    known = list(classify(database(), require_phone().table_id, [] if faults else games))
    return Found(upload, faults, known, wrong)


def _faults_of_journals(games: Iterable[GameRecord]) -> list[str]:
    """Return what is wrong with the journals of games."""
    try:
        for game in in_slices(games):
            check_journal(game)
    except InvalidJournal:
        return [import_failure()]
    return []


class Preview(NamedTuple):
    """The contents of a file as the preview page shows them.

    `names` are the players that can be renamed, as the file is a sheet without rules; `new_names`
    are their new ones and `wrong` the error messages, both by the name in the file.
    """

    counts: Counter[Match]
    faults: list[str]
    notices: list[str]
    names: list[str]
    new_names: Mapping[str, str]
    wrong: Mapping[str, str]
    rules: str
    kept: str


def _preview_page(form: UploadForm, found: Found) -> Answer:
    upload, games = found.upload, found.games
    new_names = names_in(request.form)
    names = sorted({name for game, _match in games for name in game.people})
    can_rename = not upload.names_rules and len(names) <= MAX_PLAYERS
    shown = Preview(
        counts=Counter(match for _game, match in games),
        faults=found.faults,
        notices=[] if found.faults else upload.notices,
        names=names if can_rename else [],
        new_names={was: name[:LONGEST_TYPED] for was, name in new_names.items()},
        wrong=found.wrong,
        rules="" if upload.names_rules else form.rules.data,
        kept=form.kept.data,
    )
    page = render_template(
        "history/import_preview.html",
        shown=shown,
        presets=PRESETS,
        whole=len(games),
        months=[*_games_by_month(games)],
        listed=listed,
    )
    return page, 422 if found.faults or found.wrong else 200


class Month(NamedTuple):
    """The games of a file that began in a month, or at no known time; the first are listed."""

    title: str
    games: list[tuple[GameRecord, Match]]
    more: int


def _games_by_month(games: Sequence[tuple[GameRecord, Match]]) -> Iterator[Month]:
    def title_of(one: tuple[GameRecord, Match]) -> str:
        return month(one[0].started) if one[0].started else _("Without a date")

    for title, group in groupby(sorted(games, key=lambda one: _began(one[0])), title_of):
        found = [*group]
        yield Month(title, found[:LISTED], len(found[LISTED:]))


def _began(game: GameRecord) -> str:
    return stamp(datetime.fromisoformat(game.started)) if game.started else ""


def _choose_again(form: UploadForm, error: str) -> Answer:
    form.file.errors = [error]
    return _choose_page(form), 422


def _choose_page(form: UploadForm) -> str:
    return render_template("history/import_choose.html", presets=PRESETS, form=form)


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
