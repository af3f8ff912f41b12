"""The path below which the application is served."""

from collections.abc import Callable, Iterable
from typing import Any

Environ = dict[str, Any]


class Mount:
    """WSGI middleware that serves the application under a prefix, `""` for the whole host.

    gunicorn takes SCRIPT_NAME from a `Script_Name` header of any client on the same computer, and a
    proxy there passes on headers of its clients. All links begin with SCRIPT_NAME, so a stranger
    could change them.
    """

    def __init__(self, wsgi_app: Callable[..., Iterable[bytes]], prefix: str):
        self._wsgi_app = wsgi_app
        self._prefix = prefix.rstrip("/")

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        path = environ.get("SCRIPT_NAME", "") + environ["PATH_INFO"]
        environ["SCRIPT_NAME"] = self._prefix
        inside = path == self._prefix or path.startswith(f"{self._prefix}/")
        environ["PATH_INFO"] = path[len(self._prefix) :] if inside else path
        return self._wsgi_app(environ, start_response)
