"""The application factory: settings, extensions and blueprints wired together."""

import atexit
import os
import weakref
from pathlib import Path
from typing import Any

from flask import Flask

from scorekeeper import i18n
from scorekeeper.clock import now, stamp
from scorekeeper.config import ConfigError, data_folder, secret_key
from scorekeeper.i18n import gettext as _
from scorekeeper.live.streams import Caps, Live
from scorekeeper.store.abandoned_imports import CleanUp
from scorekeeper.store.opening import open_store
from scorekeeper.web import errors
from scorekeeper.web.api import views as api
from scorekeeper.web.game import (
    bags,
    charts,
    live,
    new_game,
    page,
    result,
    rounds,
    rule_change,
    scoreboard,
    summary,
    taps,
)
from scorekeeper.web.history import history, import_export
from scorekeeper.web.http import (
    blank,
    compression,
    current,
    fragment_cache,
    health,
    language,
    logs,
    metrics,
    mount,
    overload,
    rate_limits,
    security,
    static_files,
    template_cache,
)
from scorekeeper.web.offline import pwa, sync
from scorekeeper.web.players import pages as players
from scorekeeper.web.rules import own_rules
from scorekeeper.web.rules import pages as rules
from scorekeeper.web.table import home, join_links, settings
from scorekeeper.web.text.change_lines import change_line, seat_changes
from scorekeeper.web.text.rule_values import VALUE_WORDS
from scorekeeper.web.text.wording import TEMPLATE_WORDS

STREAMS = 112  # each takes a thread of the built-in server
STREAMS_PER_LINK = 100
STREAMS_PER_ADDRESS = 200  # a club of twenty tables: five phones and a big screen each, and more


def make_app(**config: Any) -> Flask:
    """Return the application with its pages, settings and store.

    `config` overrides the settings, and `DATA` names the data folder. Raises `ConfigError` for a
    bad setting and `StoreRefused` for a database that cannot be used.
    """
    app = Flask(
        "scorekeeper", template_folder=str(static_files.folder("templates")), static_folder=None
    )
    folder = Path(config.pop("DATA", None) or data_folder())
    _configure(app, folder, config)
    caps = live.caps(app.config)
    _set_up_templates(app)
    for part in (
        metrics,
        logs,
        language,
        static_files,
        security,
        current,
        rate_limits,
        compression,
        errors,
        pwa,
        fragment_cache,
        blank,
    ):
        part.init_app(app)
    template_cache.init_app(app, folder)
    # Opened after all settings were checked, as a refused setting must not leave it open.
    _open_store(app, folder, caps)
    overload.init_app(app)
    mount.init_app(app)
    _register_blueprints(app)
    return app


def _configure(app: Flask, folder: Path, config: dict[str, Any]) -> None:
    """Take settings from the environment, overridden by `config`."""
    app.config.update(
        SECRET_KEY=config.get("SECRET_KEY") or secret_key(folder),
        BASE_URL=os.environ.get("SCOREKEEPER_URL", "").rstrip("/"),
        STREAMS=os.environ.get("SCOREKEEPER_STREAMS") or STREAMS,
        STREAMS_PER_LINK=os.environ.get("SCOREKEEPER_STREAMS_PER_LINK") or STREAMS_PER_LINK,
        STREAMS_PER_ADDRESS=(
            os.environ.get("SCOREKEEPER_STREAMS_PER_ADDRESS") or STREAMS_PER_ADDRESS
        ),
        OPEN=os.environ.get("SCOREKEEPER_OPEN", "") == "1",
        METRICS_KEY=os.environ.get("SCOREKEEPER_METRICS_KEY", ""),
        PROXIES=os.environ.get("SCOREKEEPER_PROXIES") or 0,
        SCRIPT_NAME=os.environ.get("SCRIPT_NAME", ""),  # as gunicorn calls it
    )
    app.config.update(config)
    if app.config["BASE_URL"] and not app.config["BASE_URL"].startswith(("http://", "https://")):
        sentence = _("SCOREKEEPER_URL is {url}. It must start with http:// or https://.")
        raise ConfigError(sentence.format(url=app.config["BASE_URL"]))


def _set_up_templates(app: Flask) -> None:
    """Add translations and the functions that templates call."""
    env = app.jinja_env
    env.add_extension("jinja2.ext.i18n")
    env.install_gettext_callables(  # type: ignore[attr-defined]  # the extension adds it
        i18n.gettext, i18n.ngettext, newstyle=False
    )
    env.trim_blocks = env.lstrip_blocks = True
    env.globals.update(
        TEMPLATE_WORDS,
        **VALUE_WORDS,
        change_line=change_line,
        seat_changes=seat_changes,
        race=charts.race,
        bags_taken=bags.bags_taken,
        awards_given=summary.awards_given,
        explain_score=scoreboard.explain_score,
        players=scoreboard.players,
        server_time=lambda: stamp(now()),
        row_of_round=scoreboard.round_row,
        turn_lines=summary.turn_lines,
    )


def _open_store(app: Flask, folder: Path, caps: Caps) -> None:
    """Open the database and what runs beside it; `on_stop` lists what ends that again."""
    store = open_store(folder, check_later=True)
    streams = Live(store, caps)
    app.extensions["store"] = store
    app.extensions["live"] = streams
    app.extensions["on_stop"] = [streams.end, store.backups.end, CleanUp(store).end]
    atexit.register(_stop, weakref.ref(app))


def _stop(reference: "weakref.ref[Flask]") -> None:
    """End what runs beside an application when its process exits, as gunicorn tells it nothing."""
    if app := reference():
        for end in app.extensions["on_stop"]:
            end()
        app.extensions["store"].close()


def _register_blueprints(app: Flask) -> None:
    app.url_map.converters.update(round=rounds.RoundNumber, line=taps.LineNumber)
    for room in (
        language,
        home,
        health,
        metrics,
        new_game,
        page,
        rounds,
        taps,
        rules,
        own_rules,
        rule_change,
        live,
        join_links,
        history,
        players,
        import_export,
        sync,
        pwa,
        result,
        settings,
        api,
    ):
        app.register_blueprint(room.pages)
