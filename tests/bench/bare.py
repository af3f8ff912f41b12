"""The yardstick: a plain Flask application under plain waitress, with nothing of ours in it.

python -m tests.bench.bare FOLDER
"""

import socket
import sqlite3
import sys
import threading
from pathlib import Path

from flask import Flask, Response, request
from waitress import serve

EMPTY = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Empty</title><p>Empty</p>'

app = Flask(__name__, static_folder=None)
local = threading.local()


@app.get("/")
def page() -> str:
    return EMPTY


@app.post("/row")
def row() -> Response:
    """Store the form as one row, durably: the least that a tap costs."""
    database().execute("INSERT INTO forms VALUES (?)", [str(request.form.to_dict())])
    return Response('{"revision": "1"}', content_type="application/json")


def database() -> sqlite3.Connection:
    """Return this thread's connection."""
    if not hasattr(local, "db"):
        local.db = sqlite3.connect(Path(sys.argv[1]) / "forms.db", isolation_level=None)
        local.db.execute("PRAGMA journal_mode = WAL")
        local.db.execute("PRAGMA synchronous = FULL")
        local.db.execute("CREATE TABLE IF NOT EXISTS forms (form TEXT NOT NULL)")
    found: sqlite3.Connection = local.db
    return found


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/join/none", flush=True)
    serve(app, sockets=[listener], threads=4)
