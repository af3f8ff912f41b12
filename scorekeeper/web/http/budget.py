"""Budget of processor time: how long the requests of one visitor may keep a process busy.

While a process answers one request, those of other tables wait. So each visitor may spend `BURST`
seconds of its processor at once, and then `SHARE` of it; beyond that, pages are answered 429 until
some is left. Joined phones and keys count by themselves, as a club has one address, and all of one
table together, and apart from them all watchers of its games, and all who see a club night by its
links; all others count by address. Answers that take less than `FREE` cost nothing: those are what
many read at once. Taps, joining and health checks are never refused.

Budgets are in memory: each process counts for itself and starts from zero.
"""

import math
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from flask import Flask, current_app, g, request
from werkzeug.exceptions import TooManyRequests

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.store.club import find_night
from scorekeeper.store.games import LRUCache
from scorekeeper.store.tables import hash_of, table_of_join_key, watched_game
from scorekeeper.web.http.metrics import count_refused
from scorekeeper.web.http.rate_limits import MAX_BUCKETS, visitor
from scorekeeper.web.http.requests import counted_as, database, device

BURST = 1.0  # seconds of processor time
SHARE = 0.2  # seconds of it in each second
OF_MANY = 3  # times as much, for all phones and keys of a table, and for all its watchers
FREE = 0.003  # seconds; a health check takes 0.0004 on the same machine
REFUSED = 0.01  # seconds for a refusal, so that whoever goes on asking stays refused
# Small, or the same for all, and asked for by many; joining comes before a phone has a budget.
NOT_COUNTED = {
    *("static", "robots.txt", "favicon.ico", "apple-touch-icon.png", "security_txt"),
    *("metrics.healthz", "metrics.show", "live.events", "live.watch_events", "api.events"),
    *("table.invitation", "table.accept"),
    # Shown after a file that has cost more than its phone had left.
    "imports.progress",
}
# Forms that take long to answer. What others send is limited as changes, and taps come first.
COUNTED_FORMS = {"rules", "imports", "api_table"}
WATCHED = {"live.watch", "live.overlay", "live.compact"}
CLUB_LINKS = {"club_wall", "club_player"}
WATCHERS = "watchers "


class Budget:
    """Seconds of processor time that each visitor has left, at most `burst`, `share` more a second.

    Debts are limited too, to `burst`. Beyond `MAX_BUCKETS` the visitor that asked least recently is
    forgotten, so that it has all of its budget again.
    """

    def __init__(
        self,
        burst: float = BURST,
        share: float = SHARE,
        clock: Callable[[], float] = time.monotonic,
    ):
        self.burst, self.share = burst, share
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, who: str) -> int:
        """Return in how many seconds a visitor may ask again, 0 for now."""
        with self._lock:
            left = self._now(who)
        return max(0, math.ceil(round(-left / self.share, 6)))

    def spend(self, who: str, seconds: float) -> None:
        """Take processor time from what a visitor has left."""
        with self._lock:
            left = max(self._now(who) - seconds, -self.burst)
            self._left[who] = left, self._clock()
            self._left.move_to_end(who)
            if len(self._left) > MAX_BUCKETS:
                self._left.popitem(last=False)

    def _now(self, who: str) -> float:
        now = self._clock()
        left, then = self._left.get(who, (self.burst, now))
        return min(self.burst, left + (now - then) * self.share)


class ThreadStopwatch:
    """Counts the processor time of the thread that answers a request."""

    def __init__(self) -> None:
        self._threads = threading.local()

    def begin(self) -> None:
        """Count from now on."""
        self._threads.begun = time.thread_time()

    def end(self) -> float:
        """Return the seconds of processor time since `begin`."""
        began: float = self._threads.begun
        return time.thread_time() - began


class GreenletStopwatch:
    """Counts the processor time of each greenlet between its switches, as all share a thread."""

    def __init__(self, greenlet: Any) -> None:
        self._current: Callable[[], object] = greenlet.getcurrent
        self._counted: dict[object, float] = {}  # seconds of greenlets until their last switch
        self._since = 0.0  # when the greenlet that runs was begun or switched to
        self._next_tracer = greenlet.settrace(self._switched)

    def begin(self) -> None:
        """Count from now on, for the current greenlet."""
        self._counted[self._current()] = 0.0
        self._since = time.thread_time()

    def end(self) -> float:
        """Return the seconds of processor time that the current greenlet took since `begin`."""
        return self._counted.pop(self._current(), 0.0) + time.thread_time() - self._since

    def _switched(self, event: str, greenlets: tuple[object, object]) -> None:
        # Streams switch too, a thousand after a tap, so the clock is read only for those counted.
        left, entered = greenlets
        if left in self._counted:
            self._counted[left] += time.thread_time() - self._since
        if entered in self._counted:
            self._since = time.thread_time()
        if self._next_tracer:
            self._next_tracer(event, greenlets)


@cache
def stopwatch() -> ThreadStopwatch | GreenletStopwatch:
    """Return the stopwatch of this process: by greenlet where gevent has replaced threads."""
    monkey = sys.modules.get("gevent.monkey")
    if monkey is None or not monkey.is_module_patched("threading"):
        return ThreadStopwatch()
    return GreenletStopwatch(sys.modules["greenlet"])


def _of_many() -> Budget:
    return Budget(OF_MANY * BURST, OF_MANY * SHARE)


@dataclass
class Budgets:
    """The budgets of an application, and the tables of the phones that spent of it."""

    visitors: Budget = field(default_factory=Budget)
    tables: Budget = field(default_factory=_of_many)
    watchers: Budget = field(default_factory=_of_many)
    table_of: LRUCache[str, str] = field(default_factory=lambda: LRUCache(MAX_BUCKETS))

    def wait(self, who: str) -> int:
        """Return in how many seconds a visitor may ask again, 0 for now."""
        return max(budget.wait(account) for budget, account in self._budgets(who))

    def spend(self, who: str, seconds: float) -> None:
        """Take processor time from what a visitor has left, and its table if it has one."""
        for budget, account in self._budgets(who):
            budget.spend(account, seconds)

    def _budgets(self, who: str) -> list[tuple[Budget, str]]:
        if who.startswith(WATCHERS):
            return [(self.watchers, who)]
        table = self.table_of.get(who)
        return [(self.visitors, who), *([(self.tables, table)] if table else [])]


def init_app(app: Flask) -> None:
    """Measure the requests of each visitor, and refuse pages to those who have spent too much."""
    app.extensions["budgets"] = Budgets()
    app.before_request(_begin)
    app.teardown_request(_end)


def _begin() -> None:
    if not _is_counted():
        return
    g.stopwatch = stopwatch()
    g.stopwatch.begin()
    g.account = _account()
    wait = _budgets().wait(g.account)
    if wait:
        g.is_over_budget = True
        count_refused("budget")
        sentence = _("Too many pages at once.")
        again = ngettext("Try again in {n} second.", "Try again in {n} seconds.", wait)
        raise TooManyRequests(f"{sentence} {again.format(n=wait)}", retry_after=wait)


def _end(_error: BaseException | None) -> None:
    if "stopwatch" not in g:
        return
    seconds = g.stopwatch.end()
    if "account" not in g:  # its key could not be looked up
        return
    if phone := g.get("phone"):
        _budgets().table_of[g.account] = counted_as(phone)
    if "is_over_budget" in g:
        seconds = max(seconds, REFUSED)
    if seconds > FREE:
        _budgets().spend(g.account, seconds)


def _is_counted() -> bool:
    if request.endpoint in NOT_COUNTED:
        return False
    return request.method in ("GET", "HEAD") or request.blueprint in COUNTED_FORMS


def _account() -> str:
    """Return what a request counts by: its live link or key if valid, its phone or its address.

    Phones are not looked up, as some pages are sent while the database is away.
    """
    if request.endpoint in WATCHED:
        # By table, as a table has as many links as games.
        found = watched_game(database(), (request.view_args or {})["key"])
        return f"{WATCHERS}{found[0]}" if found else visitor()
    if request.blueprint in CLUB_LINKS:  # by evening, as a club has one address
        night_id = (request.view_args or {})["night_id"]
        return f"{WATCHERS}{night_id}" if find_night(database(), night_id) else visitor()
    if request.path.startswith("/api/"):
        _scheme, _blank, key = request.headers.get("Authorization", "").partition(" ")
        table = table_of_join_key(database(), key.strip()) if key.strip() else None
        if table is None:
            return visitor()
        account = f"key {hash_of(key.strip())}"
        _budgets().table_of[account] = table
        return account
    phone_id = device()  # signed, so that nobody can claim another
    return f"phone {phone_id}" if phone_id else visitor()


def _budgets() -> Budgets:
    found: Budgets = current_app.extensions["budgets"]
    return found
