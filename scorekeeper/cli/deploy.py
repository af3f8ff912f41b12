"""`scorekeeper deploy`: ready files for a public server, filled in."""

import json
import secrets
import shlex
import sys
from pathlib import Path

import click

from scorekeeper.cli.group import A_PORT, HostAndPort, Word
from scorekeeper.cli.output import Failure
from scorekeeper.config import PREFIX, ConfigError, key_in_use

FILES = {
    "systemd": "scorekeeper.service",
    "nginx": "nginx.conf",
    "caddy": "Caddyfile",
    "container": "Containerfile",
    "compose": "compose.yaml",
    "environment": "environment",
    "pgbouncer": "pgbouncer.ini",
    "standby": "standby.txt",
    "alerts": "alerts.yml",
    "dashboard": "dashboard.json",
}
STREAMS = 3000  # of each worker: two carry 1,200 tables of four phones, and more
CONNECTIONS = 4 * STREAMS  # of each worker: every stream holds one, and taps must find one free
OPEN_FILES = 2 * CONNECTIONS
BACKLOG = 4096  # after a restart all phones connect again at once
# Seconds, longer than nginx (60) and Caddy (120) keep an idle connection: a tap sent on one that
# has just been closed would fail, and with gunicorn's default of 2 each tap opens a new one.
KEEP_ALIVE = 150
HERE = Path(__file__).parent / "deploy_files"


# Without characters that mean something in one of the files, where these texts are not quoted.
NAME = "[A-Za-z0-9_][A-Za-z0-9_.-]*"
HOST = Word("host", NAME, "a host name")
USER = Word("user", NAME, "a user name")
FOLDER = Word(
    "folder",
    r"/(?!.*(?<![^/])\.\.(?![^/]))[\w./@+=~-]*",
    "an absolute path of letters, digits and ./@+=~-, without ..",
)
PATH = Word("path", f"({PREFIX.pattern})/?", "a path such as /scores")
MACHINE = HostAndPort("host:port", rf"({NAME}|\[[0-9A-Fa-f:.]+\]):[0-9]+", "of the form HOST:PORT")


@click.command(
    context_settings={"show_default": True},
    short_help="Print a ready file for a public server.",
    help="Print a ready file for a public server: a systemd unit, the configuration of a proxy "
    "in front (nginx or caddy), a Containerfile, or services for compose. For several machines on "
    "one PostgreSQL, name each with --app; environment has the settings that all share, pgbouncer "
    "the configuration of a pooler, and standby how to keep a second database server. alerts are "
    "rules for Prometheus, and dashboard is one for Grafana.",
)
@click.argument("kind", type=click.Choice(list(FILES)))
@click.option("--domain", default="spades.example.org", type=HOST, help="The public name.")
@click.option(
    "--path", default="", type=PATH, help="The path below which its pages are, such as /scores."
)
@click.option(
    "--port",
    type=A_PORT,
    default=8000,
    help="The port on this computer that the proxy asks.",
)
@click.option("--user", default="scorekeeper", type=USER, help="Who runs the server.")
@click.option(
    "--data", type=FOLDER, default="/var/lib/scorekeeper", help="The folder of the games."
)
@click.option(
    "--venv",
    type=click.Path(),
    default=sys.prefix,
    help="The virtual environment with gunicorn and gevent (the extra “host”), for systemd.",
)
@click.option(
    "--app",
    "apps",
    multiple=True,
    type=MACHINE,
    help="A machine that runs the server, if there are several (repeatable).",
)
@click.option(
    "--db",
    "databases",
    multiple=True,
    type=HOST,
    default=["db1", "db2"],
    help="A machine that runs PostgreSQL or its standby (repeatable).",
)
def deploy(
    kind: str,
    domain: str,
    path: str,
    port: int,
    user: str,
    data: str,
    venv: str,
    apps: tuple[str, ...],
    databases: tuple[str, ...],
) -> None:
    """Print one of the files."""
    if kind == "standby" and len(databases) < 2:
        raise click.UsageError("A standby needs a second --db.")
    if kind == "systemd":  # in the other files the default, which may be any path, does not stand
        FOLDER.convert(venv, None, None)
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(HERE),
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    # systemd reads % as its own sign, so that it is written twice.
    address = f"0.0.0.0:{port}" if apps else f"127.0.0.1:{port}"
    command = shlex.join(gunicorn_command(address)).replace("%", "%%")
    text = environment.get_template(FILES[kind]).render(
        domain=domain,
        path=path.rstrip("/"),
        port=port,
        user=user,
        data=data,
        venv=venv,
        streams=STREAMS,
        open_files=OPEN_FILES,
        unit_command=command,
        apps=apps or [f"127.0.0.1:{port}"],
        several=bool(apps),
        databases=databases,
        secret=_secret(Path(data)) if kind == "environment" else "",
        container_command=json.dumps(gunicorn_command("0.0.0.0:8000")),
    )
    click.echo(text, nl=False)


def _secret(data: Path) -> str:
    """Return the secret key of the games in a folder, so that phones stay joined, or a new one."""
    try:
        return key_in_use(data) or secrets.token_hex(32)
    except (ConfigError, OSError) as error:
        raise Failure(error) from error


def gunicorn_command(address: str) -> list[str]:
    """Return the words that start the server behind a proxy, listening on an address."""
    return [
        *("gunicorn", "-k", "gevent", "-w", "2", "-b", address),
        *("--worker-connections", str(CONNECTIONS), "--backlog", str(BACKLOG)),
        *("--keep-alive", str(KEEP_ALIVE)),
        # Otherwise a stranger's header could name the path in front of all addresses.
        *("--forwarder-headers", ""),
        *("--graceful-timeout", "5", "--no-control-socket"),
        # For `--access-logfile`, which is left out as it takes a tenth of the work of a tap: the
        # path without the query, which may hold secrets.
        *("--access-logformat", "%(m)s %(U)s %(s)s %(M)s ms"),
        "scorekeeper:create_app()",
    ]
