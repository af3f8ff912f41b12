"""The pages: one small module for each resource, wired together here."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import Flask

from scorekeeper import i18n
from scorekeeper.config import ConfigError, data_folder, secret_key
from scorekeeper.i18n import gettext as _
from scorekeeper.live import Live
from scorekeeper.rules.awards import awards
from scorekeeper.store.abandoned_imports import CleanUp
from scorekeeper.store.database.store import Store
from scorekeeper.web import errors
from scorekeeper.web.api import views as api
from scorekeeper.web.game import (
    charts,
    live,
    new_game,
    page,
    result,
    rounds,
    rule_change,
    scoreboard,
    summary,
)
from scorekeeper.web.history import history, import_export
from scorekeeper.web.http import (
    addresses,
    compression,
    current,
    fragment_cache,
    health,
    language,
    logs,
    mount,
    rate_limits,
    response_cache,
    security,
    static_files,
    template_cache,
)
from scorekeeper.web.offline import pwa, sync
from scorekeeper.web.players import pages as players
from scorekeeper.web.rules import own_rules
from scorekeeper.web.rules import pages as rules
from scorekeeper.web.table import home, join_links, settings
from scorekeeper.web.text.rule_values import VALUE_WORDS
from scorekeeper.web.text.wording import TEMPLATE_WORDS

STREAMS = 112  # each takes a thread of the server in the box
STREAMS_PER_LINK = 100
STREAMS_PER_ADDRESS = 200  # a club of twenty tables: five phones and a big screen each, and more


class Pages(Flask):
    """The application."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function as it is: each tap calls eleven, and none of ours is a coroutine."""
        return func


def make_app(**config: Any) -> Flask:
    """Return the application with its pages, settings and store."""
    app = Pages(
        "scorekeeper", template_folder=str(static_files.folder("templates")), static_folder=None
    )
    app.url_rule_class = addresses.Address
    folder = Path(config.pop("DATA", None) or data_folder())
    app.config.update(
        SECRET_KEY=config.get("SECRET_KEY") or secret_key(folder),
        BASE_URL=os.environ.get("SCOREKEEPER_URL", "").rstrip("/"),
        STREAMS=os.environ.get("SCOREKEEPER_STREAMS") or STREAMS,
        STREAMS_PER_LINK=os.environ.get("SCOREKEEPER_STREAMS_PER_LINK") or STREAMS_PER_LINK,
        STREAMS_PER_ADDRESS=(
            os.environ.get("SCOREKEEPER_STREAMS_PER_ADDRESS") or STREAMS_PER_ADDRESS
        ),
        OPEN=os.environ.get("SCOREKEEPER_OPEN", "") == "1",
        PROXIES=os.environ.get("SCOREKEEPER_PROXIES") or 0,
        SCRIPT_NAME=os.environ.get("SCRIPT_NAME", ""),  # the name that gunicorn has for it
    )
    app.config.update(config)
    if app.config["BASE_URL"] and not app.config["BASE_URL"].startswith(("http://", "https://")):
        raise ConfigError(
            _("SCOREKEEPER_URL is {url}: it must begin with http:// or https://.").format(
                url=app.config["BASE_URL"]
            )
        )
    caps = live.caps(app.config)
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]  # the extension adds it
        i18n.gettext, i18n.ngettext, newstyle=False
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(TEMPLATE_WORDS, **VALUE_WORDS)
    app.jinja_env.globals.update(
        race=fragment_cache.by_rounds(charts.race),
        bags_chart=charts.bags,
        awards=awards,
        explained=scoreboard.explained,
        turn_lines=summary.turn_lines,
    )
    for part in (
        current,
        logs,
        language,
        static_files,
        security,
        rate_limits,
        compression,
        errors,
        pwa,
    ):
        part.init_app(app)
    template_cache.init_app(app, folder)
    # Only now, as settings that are refused must not leave it open.
    app.extensions["store"] = Store(folder, check_later=True)
    app.extensions["live"] = Live(app.extensions["store"].path, caps)
    app.extensions["on_stop"] = [
        app.extensions["live"].end,
        app.extensions["store"].backups.end,
        CleanUp(app.extensions["store"]).end,
    ]
    fragment_cache.init_app(app)
    response_cache.init_app(app)
    mount.init_app(app)
    app.url_map.converters["round"] = rounds.RoundNumber
    for room in (
        language,
        home,
        health,
        new_game,
        page,
        rounds,
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
    return app
