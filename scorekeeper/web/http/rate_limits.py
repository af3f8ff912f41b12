"""Rate limits and quotas of an open server.

Counts are in memory: each process counts for itself and starts from zero.
"""

import ipaddress
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from flask import Flask, current_app, request
from werkzeug.exceptions import ServiceUnavailable, TooManyRequests, UnprocessableEntity
from werkzeug.middleware.proxy_fix import ProxyFix

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.live import Live
from scorekeeper.rules.entry import Refused
from scorekeeper.rules.sentence import N_, Refusal
from scorekeeper.store.connection import Database
from scorekeeper.store.games import MAX_ROUNDS
from scorekeeper.store.tables import count_games
from scorekeeper.web.http.metrics import count_refused
from scorekeeper.web.http.requests import counted_as, this_phone

MAX_GAMES = 5000  # a table of an open server
MAX_BUCKETS = 10_000  # visitors or tables, each some hundred bytes
FULL_SECONDS = 60  # until a stranger whose table was refused may try again
MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0


class ServerFull(ServiceUnavailable):
    """A new table is refused for now."""


class Limit:
    """Token bucket for each visitor: `most` times in `seconds`, at most `burst` of them at once.

    Beyond `MAX_BUCKETS` the least recently used bucket is dropped, so that it is full again.
    """

    def __init__(
        self,
        most: int,
        seconds: float,
        burst: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ):
        self.each = seconds / most  # until there is a new token
        self.burst = float(burst or most)
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, who: str = "") -> int:
        """Take one token and return 0, or return in how many seconds to try again."""
        with self._lock:
            now = self._clock()
            left, then = self._buckets.pop(who, (self.burst, now))
            left = min(self.burst, left + (now - then) / self.each)
            wait = 0 if left >= 1 else math.ceil((1 - left) * self.each)
            self._buckets[who] = (left if wait else left - 1, now)
            if len(self._buckets) > MAX_BUCKETS:
                self._buckets.popitem(last=False)
        return wait


@dataclass
class Limits:
    """The rate limits of an open server; others do not apply them."""

    wrong_keys: Limit = field(default_factory=lambda: Limit(20, MINUTE))
    new_tables: Limit = field(default_factory=lambda: Limit(10, HOUR))
    tables_in_all: Limit = field(default_factory=lambda: Limit(2000, DAY))
    # A table makes eight changes a round; a phone that was offline sends all of its own at once.
    changes: Limit = field(default_factory=lambda: Limit(240, MINUTE, burst=60))
    # Reading the largest file takes about a second of CPU time.
    imports: Limit = field(default_factory=lambda: Limit(60, HOUR, burst=10))
    # Drawing a picture holds up its process for up to a quarter of a second.
    pictures: Limit = field(default_factory=lambda: Limit(120, HOUR, burst=20))
    # Spreadsheets ask every hour; many of them ask from the addresses of one company.
    feeds: Limit = field(default_factory=lambda: Limit(600, HOUR, burst=60))


def init_app(app: Flask) -> None:
    """Count the changes of each table, and trust as many proxies as are configured."""
    if app.config["PROXIES"]:
        # Only the address: host and scheme of our links follow SCOREKEEPER_URL.
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]  # Flask says so
            app.wsgi_app, x_for=app.config["PROXIES"], x_proto=0
        )
    app.extensions["limits"] = Limits()
    app.before_request(_count_change)


def wrong_key() -> None:
    """Count an invalid key. Raises 429 for a visitor who tries too many."""
    _take(_limits().wrong_keys, visitor(), _("Too many invalid links."))


def new_table() -> None:
    """Count a new table.

    Raises `ServerFull` where this process has no stream left for it, which is not counted, and 429
    where a visitor, or all, made too many.
    """
    live = current_app.extensions["live"]
    assert isinstance(live, Live)
    if live.is_full:
        count_refused("new_tables")
        sentence = _("The server is full right now. Try again in a few minutes.")
        raise ServerFull(sentence, retry_after=FULL_SECONDS)
    sentence = _("Too many tables started from here.")
    _take(_limits().new_tables, visitor(), sentence)
    _take(_limits().tables_in_all, "", _("Too many tables started today."))


def change(who: str) -> None:
    """Count a change of a table or, at a club night, of a game. Raises 429 for too many."""
    _take(_limits().changes, who, _("Too many changes at once."))


def import_file(table_id: str) -> None:
    """Count an uploaded file of a table. Raises 429 for too many."""
    _take(_limits().imports, table_id, _("Too many files at once."))


def picture(table_id: str) -> None:
    """Count a picture of a table's game. Raises 429 for too many."""
    _take(_limits().pictures, table_id, _("Too many pictures at once."))


def feed() -> None:
    """Count a file that a spreadsheet fetches. Raises 429 for a visitor who fetches too many."""
    _take(_limits().feeds, visitor(), _("Too many files at once."))


def another_game(db: Database, table_id: str, how_many: int = 1) -> None:
    """Raise 422 where a table of an open server would exceed `MAX_GAMES`."""
    if not current_app.config["OPEN"]:
        return
    if count_games(db, table_id, MAX_GAMES) + how_many > MAX_GAMES:
        sentence = _("A table can have at most {most} games. Start another table.")
        raise UnprocessableEntity(sentence.format(most=MAX_GAMES))


def another_round(number: int) -> None:
    """Raise `Refused` for a round beyond `MAX_ROUNDS`."""
    if number > MAX_ROUNDS:
        sentence = N_("A game can have at most {most} rounds. Start a new one.", most=MAX_ROUNDS)
        raise Refused([Refusal(None, "rounds", sentence)])


def _count_change() -> None:
    """Count every unsafe request of a joined phone, whether it succeeds or not."""
    if request.method in ("GET", "HEAD", "OPTIONS") or request.path.startswith("/api/"):
        return  # API requests are counted where their key is read
    phone = this_phone()
    if phone is not None:
        change(counted_as(phone))


def _limits() -> Limits:
    limits: Limits = current_app.extensions["limits"]
    return limits


def _take(limit: Limit, who: str, sentence: str) -> None:
    wait = limit.take(who) if current_app.config["OPEN"] else 0
    if wait:
        count_refused("rate_limit")
        again = ngettext("Try again in {n} second.", "Try again in {n} seconds.", wait)
        raise TooManyRequests(f"{sentence} {again.format(n=wait)}", retry_after=wait)


def visitor() -> str:
    """Return the client's IPv4 address, or its IPv6 /64 network, which one household has."""
    try:
        address = ipaddress.ip_address(request.remote_addr or "")
    except ValueError:
        return ""  # hidden by a proxy: all of its clients count as one
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            return str(ipaddress.ip_network((int(address) >> 64 << 64, 64)))
        address = address.ipv4_mapped
    return str(address)
