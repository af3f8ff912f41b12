"""The yardstick of many tables: a tap is one durable row, told to the streams of its game.

gunicorn runs it as the unit runs ours. It knows no rules, no phones and no journal, and answers the
three requests of the load maker (`load.py`): the facts, a tap, a stream of events.
"""

import json
import os
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import gevent
from flask import Flask, Response, request
from gevent.queue import Empty, SimpleQueue

LOOKS, BEATS = 0.01, 15.0  # seconds between two looks for new taps, and of silence on a stream
SCHEMA = """
    CREATE TABLE IF NOT EXISTS taps (
        id INTEGER PRIMARY KEY, game TEXT NOT NULL, version INTEGER NOT NULL, form TEXT NOT NULL
    );
    CREATE INDEX IF NOT EXISTS taps_by_game ON taps (game, version);
"""
FACTS = {"names": ["North", "East", "South", "West"], "rounds": [], "rules": {"tricks": 10}}

app = Flask(__name__, static_folder=None)
streams: defaultdict[str, set[SimpleQueue[str]]] = defaultdict(set)


def connect() -> sqlite3.Connection:
    """Return a connection whose commits are on the disk."""
    db = sqlite3.connect(Path(os.environ["SCOREKEEPER_DATA"]) / "taps.db", isolation_level=None)
    db.executescript(SCHEMA)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA busy_timeout = 5000")
    return db


@app.get("/games/<game>/phone.json")
def facts(game: str) -> Response:
    answer = {"token": "none", "game": {**FACTS, "revision": f"{version(connect(), game)}-0"}}
    return Response(json.dumps(answer), content_type="application/json")


@app.post("/games/<game>/rounds/<int:_number>/sent")
def tap(game: str, _number: int) -> Response:
    """Store each round of the form as a row, all in one commit."""
    form = request.form.to_dict()
    forms = [str(one) for one in json.loads(form["rounds"])]
    database.execute("BEGIN IMMEDIATE")
    began = version(database, game)
    rows = [(game, began + n, one) for n, one in enumerate(forms, 1)]
    database.executemany("INSERT INTO taps (game, version, form) VALUES (?, ?, ?)", rows)
    database.execute("COMMIT")
    answer = {"revision": f"{began + len(forms)}-0", "round": form}
    return Response(json.dumps(answer), content_type="application/json")


@app.get("/games/<game>/events")
def events(game: str) -> Response:
    return Response(told(game), content_type="text/event-stream")


def told(game: str) -> Iterator[str]:
    """Yield what is told of a game, as events."""
    queue: SimpleQueue[str] = SimpleQueue()
    streams[game].add(queue)
    try:
        yield ":\n\n"
        while True:
            try:
                yield queue.get(timeout=BEATS)
            except Empty:
                yield ":\n\n"
    finally:
        streams[game].discard(queue)


def version(db: sqlite3.Connection, game: str) -> int:
    """Return how many taps a game has."""
    asked = "SELECT coalesce(max(version), 0) FROM taps WHERE game = ?"
    found: int = db.execute(asked, [game]).fetchone()[0]
    return found


def tell() -> NoReturn:
    """Tell the streams of this process, for ever, what either process has stored."""
    db = connect()
    last = db.execute("SELECT coalesce(max(id), 0) FROM taps").fetchone()[0]
    asked = "SELECT id, game, version, form FROM taps WHERE id > ? ORDER BY id"
    while True:
        for row, game, number, form in db.execute(asked, [last]).fetchall():
            last = row
            for queue in streams.get(game, ()):
                queue.put(f"id: {number}\ndata: {json.dumps(form)}\n\n")
        gevent.sleep(LOOKS)


database = connect()
gevent.spawn(tell)
