"""A server with example games in a temporary folder, to try Scorekeeper with."""

import signal
import tempfile
from pathlib import Path
from typing import TextIO

from scorekeeper import create_app
from scorekeeper.cli.demo_games import add_example_games
from scorekeeper.cli.serve import STOPPING, open_port, serve_store
from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _


def serve_demo(host: str, port: int, log: bool, out: TextIO) -> int:
    """Serve example games until a signal, remove them, and return the exit status."""
    for number in STOPPING:
        if signal.getsignal(number) == signal.SIG_DFL:  # nohup ignores SIGHUP
            # As Ctrl-C does, it raises KeyboardInterrupt, so that the folder is removed.
            signal.signal(number, signal.default_int_handler)
    # A backup or a check may still be ending in the folder.
    with (
        open_port(host, port) as listener,
        tempfile.TemporaryDirectory(
            prefix="scorekeeper-demo-", ignore_cleanup_errors=True
        ) as folder,
    ):
        app = create_app(DATA=Path(folder), LOG_REQUESTS=log)
        # Browsers share cookies between ports, and must stay joined to a table on another one.
        app.config["SESSION_COOKIE_NAME"] += "-demo"
        try:
            add_example_games(app.extensions["store"], now())
            note = _("The games here are examples and go away when you stop.")
            return serve_store(app, listener, note, out)
        finally:
            for number in STOPPING:  # another one must not end the removal halfway
                signal.signal(number, signal.SIG_IGN)
            for end in app.extensions["on_stop"]:
                end()
            app.extensions["store"].close()
