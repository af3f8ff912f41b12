"""`scorekeeper`: serves the table, scores a file, checks the games.

What a subcommand needs is imported inside it, so that `scorekeeper score` starts at once.
"""

import argparse
import gc
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from scorekeeper import i18n
from scorekeeper.i18n import gettext as _


def main(argv: Sequence[str] | None = None) -> int:
    """Does what the command line asks and gives the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or (words[0].startswith("-") and words[0] not in {"-h", "--help"}):
        words.insert(0, "serve")
    i18n.speak(i18n.of_terminal())
    options = _parser().parse_args(words)
    try:
        status: int = options.run(options)
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader, as in `| head`, has seen enough.
        _drop_output()
        return 141
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scorekeeper", description=_("Keeps score of Spades on the phones around the table.")
    )
    commands = parser.add_subparsers(required=True, metavar=_("command"))

    serve = commands.add_parser("serve", help=_("let phones join and keep score (the default)"))
    serve.add_argument("--host", default="0.0.0.0", help=_("listen on this address (%(default)s)"))
    serve.add_argument(
        "--port",
        type=_port,
        default=os.environ.get("PORT") or "8000",
        help=_("listen on this port (%(default)s)"),
    )
    serve.add_argument(
        "--log", action="store_true", help=_("print a line for each request, without secrets")
    )
    serve.set_defaults(run=_serve)

    score = commands.add_parser("score", help=_("score a CSV file of bids and tricks"))
    score.add_argument("file", type=Path, metavar=_("FILE"), help=_("rounds, one row per seat"))
    score.add_argument("--rules", metavar=_("KEY"), help=_("the rule book, such as partnership"))
    score.add_argument(
        "--set",
        action="append",
        default=[],
        dest="changes",
        type=_change,
        metavar=_("NAME=VALUE"),
        help=_("a house rule, such as target=200; may be given more than once"),
    )
    score.set_defaults(run=_score)

    link = commands.add_parser("link", help=_("print a fresh join link for a server that runs"))
    link.set_defaults(run=_link)

    check = commands.add_parser(
        "check",
        help=_("look for damage and for edits made by hand"),
        description=_(
            "Looks for damage and for edits made by hand, and names the game and the round. It "
            "proves nothing against somebody who can write the file and hides an edit."
        ),
    )
    check.add_argument(
        "--rebuild", action="store_true", help=_("derive results that do not agree anew")
    )
    check.set_defaults(run=_check)

    backup = commands.add_parser("backup", help=_("copy the games while they go on"))
    backup.add_argument(
        "file",
        type=Path,
        nargs="?",
        metavar=_("FILE"),
        help=_("a file or a folder (else “backups” beside the games)"),
    )
    backup.set_defaults(run=_backup)

    restore = commands.add_parser("restore", help=_("put a backup in the place of the games"))
    restore.add_argument("file", type=Path, metavar=_("FILE"), help=_("what “backup” has made"))
    restore.set_defaults(run=_restore)

    export = commands.add_parser("export", help=_("write every game to a file"))
    kind = export.add_mutually_exclusive_group()
    for name in ("csv", "json"):
        kind.add_argument(f"--{name}", dest="kind", action="store_const", const=name)
    export.add_argument(
        "file", type=Path, nargs="?", metavar=_("FILE"), help=_("else the standard output")
    )
    export.set_defaults(run=_export)

    take_in = commands.add_parser("import", help=_("take in games from CSV or JSON, all or none"))
    take_in.add_argument("file", type=Path, metavar=_("FILE"), help=_("- is the standard input"))
    take_in.add_argument(
        "--table", metavar=_("ID"), help=_("the table they belong to (else that of the house)")
    )
    take_in.add_argument(
        "--rules", metavar=_("KEY"), help=_("the rule book of a sheet that names none")
    )
    take_in.set_defaults(run=_import)
    return parser


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= 65535):
        raise argparse.ArgumentTypeError(_("{text} is no port from 0 to 65535").format(text=text))
    return int(text)


def _change(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(_("{text} is not name=value").format(text=text))
    return name, value


def _serve(options: argparse.Namespace) -> int:
    with _nothing_thrown_away():
        from scorekeeper import create_app
        from scorekeeper.cli.serve import serve
        from scorekeeper.config import ConfigError
        from scorekeeper.store.database.store import StoreRefused
        from scorekeeper.store.tables import fresh_house_link

    def join_path() -> str:
        store = app.extensions["store"]
        try:
            path = f"/join/{fresh_house_link(store)}"
        except StoreRefused:
            if not store.file_check.sentence:
                raise
            path = "/"  # the file is damaged, so no link can be made, but pages are shown
        store.release()  # from here on only the server's threads work with it
        return path

    output = sys.stdout or open(os.devnull, "w")  # noqa: SIM115 - it is open until the end
    try:
        with _nothing_thrown_away():
            app = create_app(LOG_REQUESTS=options.log)
        status = serve(app, options.host, options.port, join_path, output)
        app.extensions["store"].close()  # so that the games lie in one file, which may be copied
        return status
    except (ConfigError, StoreRefused) as error:
        print(error, file=sys.stderr)
        return 1


@contextmanager
def _nothing_thrown_away() -> Iterator[None]:
    """Start without looking for garbage: there is nearly none yet, and it takes a tenth of it."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()  # what is there now stays to the end, and is never looked through again
        gc.enable()


def _is_closed(output: TextIO | None) -> bool:
    """Return whether there is no standard output, after a sentence that says so."""
    if output is None:
        print(_("There is no standard output to write to: it is closed."), file=sys.stderr)
    return output is None


def _drop_output() -> None:
    """Let what is not written yet go nowhere, so that the last flush does not complain again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _score(options: argparse.Namespace) -> int:
    from scorekeeper.files.csv.columns import SheetError
    from scorekeeper.files.csv.score import score_file

    if _is_closed(sys.stdout):
        return 2
    try:
        return score_file(options.file, sys.stdout.buffer, options.rules, dict(options.changes))
    except BrokenPipeError:
        raise
    except SheetError as error:
        print(error, file=sys.stderr)
    except OSError as error:
        sentence = _("The scores cannot be written: {reason}.")
        print(sentence.format(reason=error.strerror or error), file=sys.stderr)
        _drop_output()
    return 2


def _link(_options: argparse.Namespace) -> int:
    from scorekeeper.config import ConfigError, data_folder
    from scorekeeper.store.database.store import Store, StoreRefused
    from scorekeeper.store.tables import fresh_house_link

    if _is_closed(sys.stdout):
        return 2
    try:
        with Store(data_folder()) as store:
            key = fresh_house_link(store)
    except (ConfigError, StoreRefused) as error:
        print(error, file=sys.stderr)
        return 1
    base = os.environ.get("SCOREKEEPER_URL", "").rstrip("/")
    print(f"{base}/join/{key}")
    return 0


def _check(options: argparse.Namespace) -> int:
    from scorekeeper.config import ConfigError, data_folder
    from scorekeeper.store.maintenance.check import check

    try:
        return check(data_folder(), sys.stdout, rebuild=options.rebuild)
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 1


def _backup(options: argparse.Namespace) -> int:
    from scorekeeper.cli.commands import make_backup

    return _in_the_folder(lambda folder: make_backup(folder, options.file, sys.stdout))


def _restore(options: argparse.Namespace) -> int:
    from scorekeeper.cli.commands import bring_back

    return _in_the_folder(lambda folder: bring_back(folder, options.file, sys.stdout))


def _export(options: argparse.Namespace) -> int:
    from scorekeeper.cli.commands import export_games

    if options.file is None and _is_closed(sys.stdout):
        return 2
    return _in_the_folder(
        lambda folder: export_games(folder, options.file, options.kind, sys.stdout.buffer)
    )


def _import(options: argparse.Namespace) -> int:
    from scorekeeper.cli.commands import import_games

    try:
        source = open(0 if str(options.file) == "-" else options.file, "rb")  # noqa: SIM115 - closed below
    except (OSError, ValueError) as error:
        sentence = _("{path} cannot be read: {reason}.")
        reason = getattr(error, "strerror", None) or error
        print(sentence.format(path=options.file, reason=reason), file=sys.stderr)
        return 2
    with source:
        return _in_the_folder(
            lambda folder: import_games(folder, source, options.table, options.rules, sys.stdout)
        )


def _in_the_folder(run: Callable[[Path], int]) -> int:
    from scorekeeper.config import ConfigError, data_folder
    from scorekeeper.sqlite import sqlite3
    from scorekeeper.store.database.store import StoreRefused

    try:
        return run(data_folder())
    except (ConfigError, StoreRefused) as error:
        print(error, file=sys.stderr)
    except sqlite3.Error as error:
        sentence = _("The games cannot be read or written: {reason}. Nothing was changed.")
        print(sentence.format(reason=error), file=sys.stderr)
    return 1
