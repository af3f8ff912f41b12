"""Settings, the data folder, and the secret key that signs cookies."""

import os
import re
import secrets
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scorekeeper.addresses import host_name, is_address, own_names
from scorekeeper.i18n import gettext as _

if TYPE_CHECKING:
    from flask import Config

KEY_FILE = "secret_key"
MIN_KEY_LENGTH = 32
MOST = 999_999  # of any number
ORIGIN = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?")
PREFIX = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*")  # without a slash at its end
# Our own first words: a proxy may take the prefix off or not, and both must be told apart.
OWN_PATHS = {
    *(".well-known", "api", "apple-touch-icon.png", "favicon.ico", "games", "healthz", "history"),
    *("evening", "export", "feed", "history.csv", "history.json", "import", "join", "language"),
    *("club", "statistics.csv"),
    *(
        "manifest.webmanifest",
        "metrics",
        "phone",
        "phone.json",
        "play-on",
        "players",
        "robots.txt",
        "rules",
        "settings",
    ),
    *("sign-in", "static", "sw.js", "table", "tables", "this-computer", "watch", "year"),
}
CONTACTS = re.compile(r"(mailto:|https://|tel:)\S+")
# The settings beside those of Flask, as `app.config` has them, and what they are by default. In the
# environment SCOREKEEPER_ stands before each name; docs/hosting.md says what they mean.
DEFAULTS: dict[str, Any] = {
    "CONTACT": "",
    "DATA": None,
    "DATABASE": "",
    "DATABASE_DIRECT": "",
    "FRAMED_BY": "",
    "HOSTS": "",
    "LOG_REQUESTS": False,  # as the option --log does
    "METRICS_KEY": "",
    "OPEN": False,
    "ORIGINS": "",
    "PROXIES": 0,
    "STREAMS": 112,  # each takes a thread of the built-in server
    "STREAMS_PER_ADDRESS": 200,  # a club of twenty tables: five phones and a big screen each
    "STREAMS_PER_LINK": 100,
}


class ConfigError(Exception):
    """A setting, the data folder or the secret key cannot be used; the message says what to do."""


def load_settings(config: "Config", given: Mapping[str, Any]) -> None:
    """Load the settings: `given` ones, else those of the environment, else the defaults.

    SCOREKEEPER_URL is called BASE_URL, and its path SCRIPT_NAME, which may also be set by that
    name, as gunicorn does.
    Raises `ConfigError` for a bad one.
    """
    config.from_mapping(DEFAULTS)
    config.from_prefixed_env("SCOREKEEPER", loads=str)  # a key of digits is a text too
    config["BASE_URL"] = config.pop("URL", "")
    config["SCRIPT_NAME"] = os.environ.get("SCRIPT_NAME", "")
    config.update(given)
    config.update({name: usual for name, usual in DEFAULTS.items() if config[name] == ""})
    config["BASE_URL"], config["SCRIPT_NAME"] = _address(config["BASE_URL"], config["SCRIPT_NAME"])
    for name in ("STREAMS", "STREAMS_PER_LINK", "STREAMS_PER_ADDRESS"):
        sentence = _("{name} is {text}. It must be a whole number from 0 to {most}.")
        config[name] = _number(config, name, MOST, sentence)
    sentence = _(
        "SCOREKEEPER_PROXIES is {text}. It must be the number of proxies in front of the server."
    )
    config["PROXIES"] = _number(config, "PROXIES", 99, sentence)
    config["OPEN"] = config["OPEN"] in (True, "1")
    if config["CONTACT"] and not CONTACTS.fullmatch(config["CONTACT"]):
        sentence = _("SCOREKEEPER_CONTACT is {text}. It must start with mailto:, https:// or tel:.")
        raise ConfigError(sentence.format(text=config["CONTACT"]))
    for name in ("ORIGINS", "FRAMED_BY"):
        config[name] = _origins(config[name], f"SCOREKEEPER_{name}")
    if config["METRICS_KEY"]:
        _check_length("SCOREKEEPER_METRICS_KEY", config["METRICS_KEY"])
    config["NAMES"] = _names_of_server(config)


def _number(config: "Config", name: str, most: int, sentence: str) -> int:
    text = str(config[name])
    if text.isascii() and text.isdigit() and len(text) <= len(str(most)):
        return int(text)
    raise ConfigError(sentence.format(name=f"SCOREKEEPER_{name}", text=text, most=most))


def _address(url: str, script_name: str) -> tuple[str, str]:
    """Return the origin of the configured address, and the path under which the pages are.

    Raises `ConfigError` for a bad one, and where both settings name a path, but not the same.
    """
    parts = urlsplit(url)
    if url and not (parts.scheme in ("http", "https") and parts.netloc):
        sentence = _("SCOREKEEPER_URL is {url}. It must start with http:// or https://.")
        raise ConfigError(sentence.format(url=url))
    path, named = parts.path.rstrip("/"), script_name.rstrip("/")
    if path and named and path != named:
        sentence = _("SCOREKEEPER_URL is {url}, but SCRIPT_NAME is {path}. Leave one of them out.")
        raise ConfigError(sentence.format(url=url, path=script_name))
    prefix = path or named
    if not PREFIX.fullmatch(prefix) or prefix[1:].partition("/")[0] in OWN_PATHS:
        sentence = _(
            "Scorekeeper can’t be under {path}. Use a path such as /scores, none of its own pages."
        )
        raise ConfigError(sentence.format(path=prefix))
    return f"{parts.scheme}://{parts.netloc}" if url else "", prefix


def _origins(listed: str, name: str) -> frozenset[str]:
    """Return the origins that a setting lists. Raises `ConfigError` for a bad one."""
    found = frozenset(filter(None, (text.strip().lower() for text in listed.split(","))))
    for text in sorted(found):
        if not ORIGIN.fullmatch(text):
            sentence = _(
                "{name} names {text}. Use origins such as https://example.org, separated by commas."
            )
            raise ConfigError(sentence.format(name=name, text=text))
    return found


def _check_length(name: str, key: str) -> None:
    if len(key) < MIN_KEY_LENGTH:
        raise ConfigError(_("{name} is too short. Use at least 32 characters.").format(name=name))


def _names_of_server(config: "Config") -> list[str]:
    """Return the names by which browsers may ask for this server, beside its IP addresses."""
    names = own_names()
    if public := host_name(urlsplit(config["BASE_URL"]).hostname or ""):
        names.append(public)
    for text in filter(None, map(str.strip, config["HOSTS"].split(","))):
        name = host_name(text)
        if not name and not is_address(re.sub(r"^\[(.*)\](:[0-9]*)?$", r"\1", text)):
            sentence = _(
                "SCOREKEEPER_HOSTS names {text}. Use host names such as nas.local, separated by "
                "commas."
            )
            raise ConfigError(sentence.format(text=text))
        names.append(name)
    return list(filter(None, names))


def data_folder(named: str | Path | None = None) -> Path:
    """Return the data folder, created for its owner only where it is missing.

    Raises `ConfigError` where it cannot be created or written to.
    """
    folder = chosen_folder(named)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        sentence = _(
            "Can’t store games in {folder}: {reason}. Make the folder writable, or choose "
            "another with SCOREKEEPER_DATA=/path/to/folder."
        )
        raise ConfigError(sentence.format(folder=folder, reason=error.strerror or error)) from error
    return folder


def chosen_folder(named: str | Path | None = None) -> Path:
    """Return the data folder that is named, else that of the settings; it may not exist."""
    if named := named or os.environ.get("SCOREKEEPER_DATA"):
        return Path(os.path.expanduser(named)).absolute()
    checkout = Path(__file__).resolve().parent.parent
    if _is_checkout(checkout):
        return checkout / "instance"
    from platformdirs import user_data_path

    return user_data_path("scorekeeper", appauthor=False)


def secret_key(folder: Path, database: str | None = None) -> str:
    """Return the key in SCOREKEEPER_SECRET, else that in the folder, created on first use.

    Raises `ConfigError` where the key is too short, or where other users can read it, and where a
    `database` is named, by default in SCOREKEEPER_DATABASE, but no key: all machines need the same.
    """
    given = os.environ.get("SCOREKEEPER_SECRET")
    if given is not None:
        _check_length("SCOREKEEPER_SECRET", given)
        return given
    if os.environ.get("SCOREKEEPER_DATABASE") if database is None else database:
        raise ConfigError(
            _(
                "Set SCOREKEEPER_SECRET too: every server of SCOREKEEPER_DATABASE needs the same "
                "key of at least 32 characters."
            )
        )
    path = folder / KEY_FILE
    try:
        if not path.exists():
            _write_key(path, secrets.token_hex(32))
        return _read_key(path)
    except (OSError, UnicodeDecodeError) as error:
        sentence = _(
            "Can’t create or read the secret key {path} ({reason}). Fix that, or set "
            "SCOREKEEPER_SECRET to a key of at least 32 characters."
        )
        raise ConfigError(sentence.format(path=path, reason=error)) from error


def key_in_use(folder: Path) -> str | None:
    """Return the key in SCOREKEEPER_SECRET, else that in the folder, None where there is none.

    Raises `ConfigError` as `secret_key` does.
    """
    if "SCOREKEEPER_SECRET" in os.environ or (folder / KEY_FILE).exists():
        return secret_key(folder, database="")
    return None


def keep_key(folder: Path, key: str) -> None:
    """Store a key in a folder that has none, so that phones which joined by it stay joined there.

    Raises `ConfigError` where it cannot be stored.
    """
    path = folder / KEY_FILE
    try:
        if not path.exists():
            _write_key(path, key)
    except (OSError, UnicodeError) as error:
        sentence = _("Can’t write {path}: {reason}.")
        raise ConfigError(sentence.format(path=path, reason=error)) from error


def check_key(folder: Path, key: str) -> None:
    """Raise `ConfigError` where a folder has another key."""
    path = folder / KEY_FILE
    if path.exists() and _read_key(path) != key:
        sentence = _(
            "{path} isn’t the secret key of these games. Delete it, or move the games to "
            "another folder."
        )
        raise ConfigError(sentence.format(path=path))


def _is_checkout(folder: Path) -> bool:
    import tomllib  # only here, as a server whose folder is named does not need it

    try:
        project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8")).get("project", {})
    except (OSError, ValueError):
        return False
    return bool(project.get("name") == "spades-scorekeeper")


def _write_key(path: Path, key: str) -> None:
    # The file gets its name only when it is complete, so that two processes that start at the
    # same time both read the same whole key.
    handle, draft = tempfile.mkstemp(prefix=".secret_key-", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(key + "\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            return
    finally:
        os.unlink(draft)
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _read_key(path: Path) -> str:
    with path.open(encoding="ascii") as file:
        mode = os.fstat(file.fileno()).st_mode
        key = file.read().strip()
    if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
        sentence = _(
            "Other users of this computer can read the secret key {path}. Run chmod 600 {path}, "
            "or delete it and let every phone join again."
        )
        raise ConfigError(sentence.format(path=path))
    if len(key) < MIN_KEY_LENGTH:
        sentence = _(
            "The secret key {path} is too short. Delete it to get a new one at the next start. "
            "Every phone must then join again."
        )
        raise ConfigError(sentence.format(path=path))
    return key
