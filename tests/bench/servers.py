"""The servers that are measured: the program itself, and a bare Flask application beside it.

    python -m tests.bench.servers ours | bare

Both run in processes of their own, in the same way: the server in the box.
"""

import gc
import os
import sys
from pathlib import Path
from typing import Any

from tests.bench.wire import Answer, Line, request
from tests.program import CHECKOUT, Program

MANY_ROUNDS = 10_000
LEVEL, GZIP = 5, 31  # as the program packs its pages; 31 is zlib's word for the format
EMPTY = b'<!doctype html><html lang="en"><meta charset="utf-8"><title>Empty</title><p>Empty</p>'


class Server(Program):
    """A server that was started, by its kind."""

    def __init__(self, kind: str, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "tests.bench.servers", kind]
        super().__init__(command, CHECKOUT, SCOREKEEPER_DATA=str(folder))

    def show(self, page: Answer, path: str = "/") -> None:
        """Let the bare server answer at a path with the bytes of this page."""
        body, encoding = page.body, page.header("Content-Encoding")
        sent = request(self.address, f"/keep{path}", {}, X_Encoding=encoding)
        sent = sent.replace(b"Content-Length: 0", b"Content-Length: %d" % len(body)) + body
        line = Line(self.address)
        assert line.ask(sent).status == 204
        line.close()


def ours() -> int:
    # Only the tests need Babel, so a server does not have it; Flask-WTF loads it where it is there.
    sys.modules["babel"] = None  # type: ignore[assignment]
    gc.disable()  # as main() does while it imports, which here the limits do first
    from scorekeeper.cli.main import main
    from scorekeeper.web.http import rate_limits

    # One row looks at games that are longer than any people play, and than are let in.
    rate_limits.MAX_ROUNDS = MANY_ROUNDS
    return main(["serve", "--host", "127.0.0.1", "--port", "0"])


def bare() -> int:
    import sqlite3
    import zlib
    from functools import cache
    from threading import Lock

    from flask import Flask, Response, redirect, request
    from werkzeug.wrappers import Response as AnyResponse

    from scorekeeper.cli.serve import serve

    app = Flask("bare", static_folder=None)
    kept = {"": (EMPTY, "")}
    lock = Lock()

    @app.post("/keep/")
    @app.post("/keep/<path>")
    def keep(path: str = "") -> AnyResponse:
        kept[path] = request.get_data(), request.headers["X-Encoding"]
        return Response(status=204)

    @app.get("/")
    @app.get("/<path>")
    def page(path: str = "") -> AnyResponse:
        body, encoding = kept[path]
        response = Response(body, content_type="text/html; charset=utf-8")
        if encoding:
            response.headers["Content-Encoding"] = encoding
        return response

    @app.get("/packing/<path>")
    def packing(path: str) -> AnyResponse:
        """Pack the same bytes anew, as a page must be that bears a phone's own token."""
        packed = zlib.compress(zlib.decompress(kept[path][0], GZIP), LEVEL, GZIP)
        response = Response(packed, content_type="text/html; charset=utf-8")
        response.headers["Content-Encoding"] = "gzip"
        return response

    @app.post("/form")
    def form() -> AnyResponse:
        return redirect(f"/?{len(request.form)}", 303)

    @cache
    def rows() -> Any:
        """Open a database of forms, as durable as games are kept."""
        path = Path(os.environ["SCOREKEEPER_DATA"]) / "forms.db"
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("CREATE TABLE forms (form TEXT NOT NULL)")
        return db

    @app.post("/row")
    def row() -> AnyResponse:
        """Commit the form as one row: the least that is kept when the power goes."""
        with lock:
            rows().execute("BEGIN IMMEDIATE")
            rows().execute("INSERT INTO forms VALUES (?)", [str(request.form.to_dict())])
            rows().execute("COMMIT")
        return redirect(f"/?{len(request.form)}", 303)

    return serve(app, "127.0.0.1", 0, lambda: "/join/none")


if __name__ == "__main__":
    sys.exit({"ours": ours, "bare": bare}[sys.argv[1]]())
