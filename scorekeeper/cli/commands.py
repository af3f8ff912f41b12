"""The commands of `scorekeeper`, their options and help texts.

What a command needs is imported when it runs, so that `scorekeeper score` starts quickly. Help
texts are translated on import: set the language before.
"""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

import click

from scorekeeper import i18n
from scorekeeper.cli.deploy import deploy
from scorekeeper.cli.group import Commands, Day, NamedPath, parse_house_rule, parse_port
from scorekeeper.cli.output import (
    Failure,
    StatusLine,
    data_folder,
    errors_as_failures,
    standard_output,
    used_data_folder,
)
from scorekeeper.i18n import gettext as _
from scorekeeper.version import __version__

FILE = NamedPath(path_type=Path, readable=False)
MAY_BE_MISSING: dict[str, Any] = {"type": FILE, "required": False, "metavar": f"[{_('FILE')}]"}

SINCE = click.option(
    "--since",
    type=Day(),
    metavar=_("DATE"),
    help=_("Games of this day or later, such as 2026-01-31."),
)
UNTIL = click.option(
    "--until", type=Day(), metavar=_("DATE"), help=_("Games of this day or earlier.")
)


@click.group(
    cls=Commands,
    default="serve",
    default_if_no_args=True,
    subcommand_metavar=_("command") + " ...",
    context_settings={"help_option_names": ["-h", "--help"]},
    help=_("Keep score of Spades on the phones around the table."),
)
@click.version_option(__version__)
def scorekeeper() -> None:
    """Offer the commands."""


scorekeeper.add_command(deploy)


HOST = click.option(
    "--host",
    default="0.0.0.0",
    metavar="HOST",
    help=_("Address to listen on (default: %(default)s).") % {"default": "0.0.0.0"},
)
PORT = click.option(
    "--port",
    type=parse_port,
    envvar="PORT",
    default="8000",
    metavar="PORT",
    help=_("Port of the server (default: %(default)s).")
    % {"default": os.environ.get("PORT") or "8000"},
)
LOG = click.option("--log", is_flag=True, help=_("Log each request, without secrets."))


@scorekeeper.command(help=_("Start the server (default)."))
@HOST
@PORT
@LOG
def serve(host: str, port: int, log: bool) -> int:
    """Serve the pages until SIGTERM or Ctrl-C."""
    # The first process of a container ignores signals that nothing handles, also while it starts.
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(0))
    with _garbage_collection_paused():
        from scorekeeper import create_app
        from scorekeeper.cli.serve import open_port, serve_store

    with open_port(host, port) as listener, data_folder() as folder:
        with _garbage_collection_paused():
            app = create_app(LOG_REQUESTS=log)
        where = "PostgreSQL" if app.config["DATABASE"] else folder
        note = _("Games are stored in {folder}.").format(folder=where)
        return serve_store(app, listener, note, _output())


@scorekeeper.command(help=_("Try it with example games, deleted when you stop."))
@HOST
@PORT
@LOG
def demo(host: str, port: int, log: bool) -> int:
    """Serve example games from a temporary folder until SIGTERM or Ctrl-C."""
    from scorekeeper.cli.demo import serve_demo

    with errors_as_failures():
        return serve_demo(host, port, log, _output())


def _output() -> TextIO:
    """Return the standard output, or the null device where it is closed."""
    return sys.stdout or open(os.devnull, "w")


def _warn(sentence: str) -> None:
    print(sentence, file=sys.stderr)


@contextmanager
def _garbage_collection_paused() -> Iterator[None]:
    """Run the block without garbage collection, which would take a tenth of the start time."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()  # what is loaded stays to the end and need not be looked through again
        gc.enable()


FORMAT = click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json"]),
    help=_("Default: a table in a terminal, else CSV."),
)


def _usual_format(out: TextIO) -> str:
    """Return what is read best: by a person, or by the program that reads the output."""
    return "table" if out.isatty() else "csv"


@scorekeeper.command(help=_("Score bids and tricks in a CSV file."))
@click.argument(
    "file", type=FILE, metavar=_("FILE"), help=_("CSV file of rounds, one row per seat.")
)
@click.option("--rules", metavar=_("KEY"), help=_("Rules, such as partnership."))
@click.option(
    "--set",
    "changes",
    type=parse_house_rule,
    multiple=True,
    metavar=_("NAME=VALUE"),
    help=_("House rule, such as target=200 (repeatable)."),
)
@FORMAT
def score(file: Path, rules: str | None, changes: tuple[tuple[str, str], ...], form: str) -> None:
    """Write every part of every score of a sheet."""
    from scorekeeper.cli.tables import scores
    from scorekeeper.files.csv_columns import SheetError
    from scorekeeper.files.exports import scored_file, write_whole

    out = standard_output()
    try:
        rounds = scored_file(file, rules, dict(changes), _warn)
        write_whole(scores(rounds, form or _usual_format(out)), out.buffer)
    except SheetError as error:
        raise Failure(error, 2) from error
    except OSError as error:
        sentence = _("Can’t write the scores: {reason}.")
        raise Failure(sentence.format(reason=error.strerror or error), 2) from error


def _rules_key(rules: str | None) -> str | None:
    """Return the key of a rule book, if one is named; an unknown one fails with status 2."""
    from scorekeeper.files.csv_columns import SheetError
    from scorekeeper.files.csv_reader import rule_book

    try:
        return rule_book(rules).key if rules else None
    except SheetError as error:
        raise Failure(error, 2) from error


@scorekeeper.command(help=_("Show the statistics of the players."))
@click.option("--table", metavar=_("ID"), help=_("Table ID (default: the server’s own table)."))
@click.option(
    "--rules", metavar=_("KEY"), help=_("Games of these rules only, or “alone” or “partners”.")
)
@click.option("--sides", type=click.IntRange(1), metavar="N", help=_("Games of so many sides."))
@SINCE
@UNTIL
@FORMAT
def stats(table: str | None, rules: str | None, form: str, **chosen: Any) -> None:
    """Write what the page of players compares, or all its numbers."""
    from scorekeeper.cli.games import Counted, player_statistics

    out = standard_output()
    key = rules if rules in ("alone", "partners") else _rules_key(rules) or "all"
    with used_data_folder() as folder:
        wanted = Counted(table, key, **chosen)
        player_statistics(folder, out.buffer, wanted, form or _usual_format(out))


@scorekeeper.command(
    short_help=_("Print a new join link for the running server."),
    help=_(
        "Print a new join link for the running server. Earlier links no longer work, except those "
        "made on a phone."
    ),
)
@PORT
def link(port: int) -> None:
    """Print a join link for phones on the network; the one before it is removed."""
    from scorekeeper.cli.serve import running_server
    from scorekeeper.store.opening import open_store
    from scorekeeper.store.tables import new_server_link

    out = standard_output()
    with used_data_folder() as folder:
        base, warning = running_server(port)
        with open_store(folder) as store:
            new_server_link(store, lambda key: print(f"{base}/join/{key}", file=out, flush=True))
    if warning:
        print(warning, file=sys.stderr)


@scorekeeper.command(
    short_help=_("Verify saved games."),
    help=_("Check for damage, and report the game and round."),
)
@click.option("--rebuild", is_flag=True, help=_("Rebuild results that don’t match."))
def check(rebuild: bool) -> int:
    """Check the database file, the journal and the results."""
    from scorekeeper.store.check import check

    with used_data_folder() as folder, StatusLine() as line:
        return check(folder, line.above(sys.stdout), line.show, rebuild=rebuild)


@scorekeeper.command(help=_("Back up all games, even during play."))
@click.argument(
    "file",
    **MAY_BE_MISSING,
    help=_("Target file or folder (default: “backups” beside the database)."),
)
def backup(file: Path | None) -> None:
    """Back up the database and print the path of the copy."""
    from scorekeeper.cli.games import make_backup

    with used_data_folder() as folder:
        print(make_backup(folder, file))


@scorekeeper.command(help=_("Restore games from a backup."))
@click.argument("file", type=FILE, metavar=_("FILE"), help=_("Backup file or folder."))
def restore(file: Path) -> None:
    """Restore a backup and print what was done."""
    from scorekeeper.cli.games import restore_backup

    with data_folder() as folder:
        print(restore_backup(folder, file))


@scorekeeper.command(
    short_help=_("Move all games to another database."),
    help=_(
        "Move all games, phones and links to an empty PostgreSQL database or folder. Stop the "
        "server first."
    ),
)
@click.argument(
    "target",
    type=NamedPath(readable=False),
    metavar=_("TARGET"),
    help=_("A folder, or postgresql://…, which is empty."),
)
def move(target: str) -> None:
    """Move the games and print how many they were."""
    from scorekeeper.cli.games import move_games

    with used_data_folder() as folder:
        print(move_games(folder, target))


@scorekeeper.command(help=_("Export all games to a file."))
@click.argument("file", **MAY_BE_MISSING, help=_("Default: the standard output."))
@click.option("--csv", is_flag=True, help=_("CSV with one row for each player and round."))
@click.option("--excel", is_flag=True, help=_("CSV that Excel opens with a double click."))
@click.option(
    "--json", is_flag=True, help=_("Everything about the games, as JSON for another Scorekeeper.")
)
@click.option("--games", is_flag=True, help=_("CSV with one row for each player and game."))
@SINCE
@UNTIL
@click.option("--rules", metavar=_("KEY"), help=_("Games of these rules only."))
def export(
    file: Path | None,
    since: datetime | None,
    until: datetime | None,
    rules: str | None,
    **form: bool,
) -> None:
    """Write every game as CSV or JSON; where neither is asked for, the file's name decides.

    `-` is the standard output.
    """
    from scorekeeper.cli.games import chosen_games, export_games

    of_csv = [f"--{name}" for name in ("csv", "excel", "games") if form[name]]
    if form["json"] and of_csv:
        raise click.UsageError(f"--json: not allowed with {of_csv[0]}")
    if file == Path("-"):
        file = None
    as_json = form["json"] or (not of_csv and file is not None and file.suffix == ".json")
    wanted = chosen_games(since, until, _rules_key(rules) or "")
    target = file or standard_output().buffer
    separator = i18n.list_separator(i18n.terminal_locale()) if form["excel"] else ""
    with used_data_folder() as folder:
        export_games(
            folder,
            target,
            wanted,
            "json" if as_json else "games" if form["games"] else "csv",
            separator,
        )
    if file:
        print(file, file=sys.stderr)


@scorekeeper.command("import", help=_("Import games from CSV or JSON."))
@click.argument(
    "file", type=FILE, metavar=_("FILE"), help=_("A CSV or JSON file; - reads the standard input.")
)
@click.option("--table", metavar=_("ID"), help=_("Table ID (default: the server’s own table)."))
@click.option("--rules", metavar=_("KEY"), help=_("Rules for a CSV file that doesn’t name any."))
def import_(file: Path, table: str | None, rules: str | None) -> None:
    """Add the games of a file and print how many are new."""
    from scorekeeper.cli.games import import_games

    try:
        source = open(0 if str(file) == "-" else file, "rb")  # noqa: SIM115 - closed below
    except OSError as error:
        sentence = _("Can’t read {path}: {reason}.")
        raise Failure(sentence.format(path=file, reason=error.strerror or error), 2) from error
    with source:
        print(import_games(source, table, rules, _warn))
