"""Games in and out: files of the history, one game as JSON, the page that takes files in."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.exceptions import TooManyRequests, UnprocessableEntity
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.clock import now
from scorekeeper.files.exports import csv_pieces, import_failure, import_summary, json_pieces
from scorekeeper.files.json.format import json_of
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.presets import DEFAULT, PRESETS
from scorekeeper.store.duplicates import MATCHES, Match, classify
from scorekeeper.store.game_record import game_record
from scorekeeper.store.history import Search
from scorekeeper.store.imports import DoesNotFollow, add_new
from scorekeeper.store.staging import ChangedMeanwhile, ImportRunning
from scorekeeper.web.history.search import Asked
from scorekeeper.web.history.upload import (
    LARGEST_UPLOAD,
    Preview,
    names_typed,
    packed,
    renamed,
    unpacked,
)
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.current import database, find_game_or_404, require_phone, store

if TYPE_CHECKING:
    from scorekeeper.files.imports import Upload

pages = Blueprint("import_export", __name__)
PATIENCE = 10.0  # seconds to wait for another import
Answer = str | AnyResponse | tuple[str, int]


@pages.url_value_preprocessor
def _allow_uploads(endpoint: str | None, _values: object) -> None:
    """Let only these addresses take a file, before anything reads the body."""
    if endpoint in ("import_export.preview", "import_export.take_in"):
        request.max_content_length = 2 * LARGEST_UPLOAD  # base 64 makes a file longer
        request.max_form_memory_size = 2 * LARGEST_UPLOAD


@pages.get("/games/<game_id>.json")
def game_file(game_id: str) -> Response:
    """Send everything about a game."""
    game = find_game_or_404(game_id)
    data = b"".join(json_of([game_record(database(), game)]))
    return _file(data, f"{game.rules.key}-{game.started[:10]}-{game.id}.json")


@pages.get("/history.csv")
def history_csv() -> Response:
    """Send the games of a selection as CSV, piece by piece."""
    table_id, wanted = _selection()
    return _file(csv_pieces(store(), table_id, wanted), f"spades-{now():%Y-%m-%d}.csv")


@pages.get("/history.json")
def history_json() -> Response:
    """Send everything about the games of a selection, piece by piece."""
    table_id, wanted = _selection()
    return _file(json_pieces(store(), table_id, wanted), f"spades-{now():%Y-%m-%d}.json")


@pages.get("/import")
def choose() -> str:
    """Ask for a file; nothing changes before it was looked through."""
    require_phone()
    return _choose()


@pages.post("/import")
def preview() -> Answer:
    """Show what a file would add, what is here already, and what is wrong with which line."""
    phone = require_phone()
    rate_limits.import_file(phone.table_id)
    file = request.files.get("file")
    data = file.read(LARGEST_UPLOAD + 1) if file else _kept(phone.table_id)
    if not data:
        return _ask_again(_("Choose a file first."))
    if len(data) > LARGEST_UPLOAD:
        sentence = _("That file is larger than {limit} kB: take it in on the server.")
        return _ask_again(sentence.format(limit=LARGEST_UPLOAD // 1024))
    return _show(data)


@pages.post("/import/all")
def take_in() -> Answer:
    """Add every game of the file that was looked through, or none of them."""
    phone = require_phone()
    rate_limits.import_file(phone.table_id)
    data = _kept(phone.table_id)
    if data is None:
        return _ask_again(_("That was too long ago: choose the file again."))
    upload = _read(data)
    games, wrong = renamed(upload.games, names_typed(request.form))
    if upload.faults or wrong:
        return _show(data)
    try:
        counts = add_new(
            store(), phone.table_id, games, phone.id, now(), patience=PATIENCE,
            allow=lambda db, new: rate_limits.another_game(db, phone.table_id, new),
        )  # fmt: skip
    except (DoesNotFollow, ChangedMeanwhile) as error:
        return _ask_again(" ".join([import_failure(error), _("Nothing was taken in.")]))
    except ImportRunning as error:
        raise TooManyRequests(import_failure(error), retry_after=60) from None
    told_later: dict[str, Any] = {str(kind): str(n) for kind, n in counts.items()}
    return redirect(url_for("import_export.done", **told_later), 303)


@pages.get("/import/done")
def done() -> str:
    """Say what was added."""
    require_phone()
    counts = {kind: request.args.get(kind, "0") for kind in MATCHES}
    plain: dict[Match, int] = {
        kind: int(n) for kind, n in counts.items() if re.fullmatch("[0-9]{1,4}", n, re.ASCII)
    }
    return render_template("history/import_done.html", said=import_summary(Counter(plain)))


def _read(data: bytes) -> "Upload":
    # Imported here, since few ever take a file in: it would cost every start 2 ms and 0.2 MB.
    from scorekeeper.files.imports import read_upload

    return read_upload(data, _rules_chosen())


def _show(data: bytes) -> Answer:
    phone, upload = require_phone(), _read(data)
    games, wrong = renamed(upload.games, names_typed(request.form))
    sorted_out = list(classify(database(), phone.table_id, games))
    shown = Preview(
        games=sorted_out,
        counts=Counter(known for _game, known in sorted_out),
        faults=[str(fault) for fault in upload.faults],
        names=[] if upload.names_rules else sorted({n for g in upload.games for n in g.names}),
        typed=names_typed(request.form),
        wrong=wrong,
        rules="" if upload.names_rules else _rules_chosen(),
        kept=packed(data, phone.table_id),
    )
    page = render_template("history/import_preview.html", shown=shown, presets=PRESETS)
    return page, 422 if upload.faults or wrong else 200


def _selection() -> tuple[str, Search]:
    phone, asked = require_phone(), Asked.read(request.args)
    if not asked.check(database(), phone.table_id):
        raise UnprocessableEntity(" ".join(asked.errors.values()))
    return phone.table_id, asked.search


def _kept(table_id: str) -> bytes | None:
    return unpacked(request.form.get("kept", ""), table_id)


def _rules_chosen() -> str:
    chosen = request.form.get("rules", "")
    return chosen if chosen in PRESETS else DEFAULT.key


def _ask_again(error: str) -> Answer:
    return _choose(error), 422


def _choose(error: str = "") -> str:
    return render_template(
        "history/import_choose.html", presets=PRESETS, rules=_rules_chosen(), error=error
    )


def _file(data: bytes | Iterator[bytes], name: str) -> Response:
    kind = "text/csv; charset=utf-8" if name.endswith(".csv") else "application/json"
    response = Response(data, content_type=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
