"""The data folder, and the secret key that signs cookies."""

import os
import secrets
import stat
import tempfile
from pathlib import Path

from scorekeeper.i18n import gettext as _

MIN_KEY_LENGTH = 32


class ConfigError(Exception):
    """The data folder or the secret key cannot be used; the message says what to do."""


def data_folder() -> Path:
    """Return the data folder, created for its owner only where it is missing.

    Raises `ConfigError` where it cannot be created or written to.
    """
    folder = chosen_folder()
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


def chosen_folder() -> Path:
    """Return the data folder, which may not exist."""
    if named := os.environ.get("SCOREKEEPER_DATA"):
        return Path(os.path.expanduser(named)).absolute()
    checkout = Path(__file__).resolve().parent.parent
    if _is_checkout(checkout):
        return checkout / "instance"
    from platformdirs import user_data_path

    return user_data_path("scorekeeper", appauthor=False)


def secret_key(folder: Path) -> str:
    """Return the key in SCOREKEEPER_SECRET, else that in the folder, created on first use.

    Raises `ConfigError` where the key is too short, or where other users can read it, and where
    SCOREKEEPER_DATABASE is set but no key, as all machines need the same.
    """
    given = os.environ.get("SCOREKEEPER_SECRET")
    if given is not None:
        if len(given) < MIN_KEY_LENGTH:
            sentence = _("{name} is too short. Use at least 32 characters.")
            raise ConfigError(sentence.format(name="SCOREKEEPER_SECRET"))
        return given
    if os.environ.get("SCOREKEEPER_DATABASE"):
        raise ConfigError(
            _(
                "Set SCOREKEEPER_SECRET too: every server of SCOREKEEPER_DATABASE needs the same "
                "key of at least 32 characters."
            )
        )
    path = folder / "secret_key"
    try:
        if not path.exists():
            _make_key(path)
        return _read_key(path)
    except (OSError, UnicodeDecodeError) as error:
        sentence = _(
            "Can’t create or read the secret key {path} ({reason}). Fix that, or set "
            "SCOREKEEPER_SECRET to a key of at least 32 characters."
        )
        raise ConfigError(sentence.format(path=path, reason=error)) from error


def _is_checkout(folder: Path) -> bool:
    import tomllib  # only here, as a server whose folder is named does not need it

    try:
        project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8")).get("project", {})
    except (OSError, ValueError):
        return False
    return bool(project.get("name") == "spades-scorekeeper")


def _make_key(path: Path) -> None:
    # The file gets its name only when it is complete, so that two processes that start at the
    # same time both read the same whole key.
    handle, draft = tempfile.mkstemp(prefix=".secret_key-", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32) + "\n")
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
