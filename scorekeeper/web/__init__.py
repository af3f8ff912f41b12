"""The application factory: settings, extensions and blueprints wired together."""

import atexit
import logging
import weakref
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from flask import Flask

from scorekeeper import i18n
from scorekeeper.clock import now, stamp
from scorekeeper.config import chosen_folder, data_folder, load_settings, secret_key
from scorekeeper.live import Caps, Live
from scorekeeper.store.background import Background
from scorekeeper.store.club import begun_lately
from scorekeeper.store.club_clock import LastRounds
from scorekeeper.store.connection import StoreError
from scorekeeper.store.database import Store
from scorekeeper.store.imports import unfinished
from scorekeeper.store.opening import open_store
from scorekeeper.web import (
    devices,
    errors,
    export,
    feed,
    history,
    imports,
    offline,
    rules,
    settings,
    table,
)
from scorekeeper.web.api import table as api_table
from scorekeeper.web.api import views as api
from scorekeeper.web.club import desk as club_desk
from scorekeeper.web.club import keeper as club_keeper
from scorekeeper.web.club import player as club_player
from scorekeeper.web.club import results as club_results
from scorekeeper.web.club import setup as club_setup
from scorekeeper.web.club import wall as club_wall
from scorekeeper.web.game import (
    charts,
    evening,
    new_game,
    page,
    result,
    rounds,
    rule_change,
    scoreboard,
    taps,
    watch,
    year,
)
from scorekeeper.web.http import (
    budget,
    crowds,
    fragments,
    language,
    links,
    metrics,
    rate_limits,
    requests,
    security,
    static_files,
    streams,
    templates,
)
from scorekeeper.web.players import names as player_names
from scorekeeper.web.players import pages as player_pages
from scorekeeper.web.players import records
from scorekeeper.web.text import books, rule_books, wording
from scorekeeper.web.text.change_lines import change_line, remarks_shown, seat_changes
from scorekeeper.web.text.sentences import say

log = logging.getLogger(__name__)


def make_app(given: Mapping[str, Any]) -> Flask:
    """Return the application with its pages, settings and store.

    `given` settings override those of the environment. Raises `ConfigError` for a bad one, which
    leaves no file behind, and `StoreRefused` for a database that cannot be used.
    """
    app = Flask(
        "scorekeeper",
        template_folder=str(static_files.folder("templates")),
        static_folder=None,
        instance_path=str(chosen_folder(given.get("DATA"))),
    )
    load_settings(app.config, given)
    folder = data_folder(app.instance_path)
    app.config["SECRET_KEY"] = given.get("SECRET_KEY") or secret_key(folder, app.config["DATABASE"])
    caps = streams.caps(app.config)
    _set_up_templates(app)
    metrics.init_app(app)
    requests.init_app(app)
    static_files.init_app(app)
    security.init_app(app)
    crowds.init_app(app)
    budget.init_app(app)
    links.init_app(app)
    app.before_request(requests.check_texts)  # once the body is known to be whole
    rate_limits.init_app(app)
    errors.init_app(app)
    offline.init_app(app)
    templates.init_app(app, folder)
    fragments.init_app(app)
    # Opened after all settings were checked, as a refused setting must not leave it open.
    _open_store(app, folder, caps)
    _register_blueprints(app)
    return app


def _set_up_templates(app: Flask) -> None:
    """Add translations and the functions that templates call."""
    env = app.jinja_env
    env.add_extension("jinja2.ext.i18n")
    env.install_gettext_callables(  # type: ignore[attr-defined]  # the extension adds it
        i18n.gettext, i18n.ngettext, newstyle=False
    )
    env.trim_blocks = env.lstrip_blocks = True
    env.globals.update(
        wording.TEMPLATE_WORDS,
        **rule_books.TEMPLATE_WORDS,
        **books.TEMPLATE_WORDS,
        change_line=change_line,
        say=say,
        seat_changes=seat_changes,
        remarks_shown=remarks_shown,
        race=charts.race,
        bags_taken=charts.bags_taken,
        awards_given=result.awards_given,
        praise_given=result.praise_given,
        turning_round=result.turning_round,
        payments_due=result.payments_due,
        explain_score=scoreboard.explain_score,
        strip_kind=scoreboard.strip_kind,
        players=scoreboard.players,
        server_time=lambda: stamp(now()),
        row_of_round=scoreboard.round_row,
        turn_lines=result.turn_lines,
    )


def _open_store(app: Flask, folder: Path, caps: Caps) -> None:
    """Open the database and what runs beside it; `on_stop` lists what ends that again."""
    url, direct_url = app.config["DATABASE"], app.config["DATABASE_DIRECT"]
    store = open_store(folder, check_later=True, url=url, direct_url=direct_url)
    live = Live(store, caps)
    app.extensions["store"] = store
    app.extensions["live"] = live
    app.extensions["background"] = behind = Background(store)
    app.extensions["last_rounds"] = clocks = LastRounds(store)
    app.extensions["on_stop"] = [behind.end, clocks.end, live.end, store.backups.end]
    with suppress(StoreError):  # the check of the file reports what is wrong with it
        _go_on(store, clocks)
    store.release()
    atexit.register(_stop, weakref.ref(app))


def _go_on(store: Store, clocks: LastRounds) -> None:
    """Log which imports were interrupted before this start, and wait for clocks that run."""
    for one in unfinished(store.db):
        log.warning("%s", one)
    clocks.watch(begun_lately(store.db, now()))


def _stop(reference: "weakref.ref[Flask]") -> None:
    """End what runs beside an application when its process exits, as gunicorn tells it nothing."""
    if app := reference():
        for end in app.extensions["on_stop"]:
            end()
        app.extensions["store"].close()


def _register_blueprints(app: Flask) -> None:
    app.url_map.converters.update(round=rounds.RoundNumber, line=taps.LineNumber)
    app.register_blueprint(language.language_pages)
    for room in (
        table,
        devices,
        settings,
        metrics,
        new_game,
        page,
        rounds,
        taps,
        rules,
        rule_change,
        watch,
        export,
        feed,
        history,
        player_names,
        player_pages,
        records,
        evening,
        year,
        imports,
        offline,
        result,
        club_setup,
        club_desk,
        club_keeper,
        club_player,
        club_results,
        club_wall,
        api,
        api_table,
    ):
        app.register_blueprint(room.pages)
