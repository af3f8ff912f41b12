"""Servers with a planted fault, which the fault tests must detect.

Each is a program that runs the server after putting something worse in a place of it.
"""

import sys

_HEAD = """
import threading
from contextlib import contextmanager
from scorekeeper.cli.main import main
from scorekeeper.store.database import Store
from scorekeeper.store.sqlite import connect
"""
_TAIL = """
raise SystemExit(main())
"""

# A change is acknowledged at once, and committed a moment later together with others.
EARLY = """
one = threading.RLock()
kept = []

def shared(self):
    if not kept:
        kept.append(connect(self.path))
    return kept[0]

def commit(db):
    with one:
        db.execute("COMMIT")

@contextmanager
def write(self, table_id=None):
    with one:
        if not self.db.conn.in_transaction:
            self.db.execute("BEGIN IMMEDIATE")
            threading.Timer(0.05, commit, [self.db]).start()
        yield self.db

Store.db, Store.write = property(shared), write
"""

# Nobody waits in turn: whoever reads before writing finds that somebody else has written.
UNLOCKED = """
@contextmanager
def write(self, table_id=None):
    db = self.db
    db.execute("PRAGMA busy_timeout = 0")
    db.execute("BEGIN")
    try:
        yield db
        db.execute("COMMIT")
    except BaseException:
        db.rollback()
        raise

Store.write = write
"""

# Nothing waits until it is on the disk.
UNSYNCED = """
own = Store.db.fget

def hasty(self):
    db = own(self)
    db.execute("PRAGMA synchronous = OFF")
    return db

Store.db = property(hasty)
"""

# The end does not wait for what was begun.
ABRUPT = """
import os
from scorekeeper.cli import serve
serve.shut_down = lambda *_: os._exit(0)
"""


def server(fault: str) -> list[str]:
    """Return the command that starts a server with a fault."""
    return [sys.executable, "-c", _HEAD + fault + _TAIL]
