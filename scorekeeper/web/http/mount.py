"""The path in front of every address: the configured one, whatever a request says."""

from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask

Environ = dict[str, Any]


class Mount:
    """The application under one path, `""` for the whole host.

    gunicorn takes SCRIPT_NAME from a `Script_Name` header of any peer on the same computer. A
    proxy there passes on the headers of strangers, and all links of a page begin with SCRIPT_NAME.
    """

    def __init__(self, inner: Callable[..., Iterable[bytes]], path: str):
        self._inner = inner
        self._path = path.rstrip("/")

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        asked = environ.get("SCRIPT_NAME", "") + environ["PATH_INFO"]
        environ["SCRIPT_NAME"] = self._path
        inside = asked == self._path or asked.startswith(f"{self._path}/")
        environ["PATH_INFO"] = asked[len(self._path) :] if inside else asked
        return self._inner(environ, start_response)


def init_app(app: Flask) -> None:
    """Mount the application under SCRIPT_NAME of the settings, before anything reads the path."""
    app.wsgi_app = Mount(app.wsgi_app, app.config["SCRIPT_NAME"])  # type: ignore[method-assign]  # Flask says so
