"""What a visitor's pages may cost: the accounting, the clocks, and who is refused what."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorekeeper.store.tables import make_join_key, make_watch_link
from scorekeeper.web.http import budget
from scorekeeper.web.http.budget import (
    BURST,
    OF_MANY,
    REFUSED,
    SHARE,
    Budget,
    Budgets,
    GreenletStopwatch,
    ThreadStopwatch,
)
from tests.web.http.test_metrics import value
from tests.web.http.test_rate_limits import Clock
from tests.web.play import AT, Table, page_of
from tests.web.taps import fields as sent_taps


def bid_of(game: Table) -> dict[str, Any]:
    """Return the first bid as a phone sends it."""
    return game.fresh(**sent_taps({"bids": (3, "", "", "")}, seen=game.game.version))


DEAR = "/rules/new"  # for phones
FOR_STRANGERS = "/rules/link?rules=cutthroat-lite"
WATCHER = {"REMOTE_ADDR": "192.0.2.7"}

# The accounting by itself


def test_a_visitor_spends_a_burst_and_then_its_share() -> None:
    clock = Clock()
    budget = Budget(burst=1.0, share=0.2, clock=clock)
    budget.spend("North", 0.9)
    assert budget.wait("North") == 0, "some of it is left"
    budget.spend("North", 0.5)
    assert budget.wait("North") == 2, "0.4 seconds of debt"
    clock.now += 1
    assert budget.wait("North") == 1
    clock.now += 1.01
    assert budget.wait("North") == 0


def test_waiting_as_long_as_it_says_is_enough() -> None:
    clock = Clock()
    budget = Budget(clock=clock)
    for spent in (0.3, 5.0, 1.1, 0.2001, 2.0):
        budget.spend("North", spent)
        clock.now += budget.wait("North")
        assert budget.wait("North") == 0


def test_a_debt_has_an_end_and_so_has_what_is_saved_up() -> None:
    clock = Clock()
    budget = Budget(burst=1.0, share=0.2, clock=clock)
    budget.spend("North", 1000)
    assert budget.wait("North") == 5
    clock.now += 1000
    budget.spend("North", 1.1)
    assert budget.wait("North") == 1


def test_visitors_do_not_pay_for_one_another() -> None:
    budget = Budget(clock=Clock())
    budget.spend("North", 10)
    assert budget.wait("North") > 0
    assert budget.wait("East") == 0


def test_asking_alone_remembers_nobody_and_the_last_to_spend_are_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(budget, "MAX_BUCKETS", 2)
    budgets = Budget(clock=Clock())
    for who in ("North", "East", "North", "South"):
        budgets.spend(who, 10)
    assert [budgets.wait(who) > 0 for who in ("North", "East", "South")] == [True, False, True]


@pytest.mark.parametrize(
    ("reader", "each", "a_minute"),
    [
        ("a phone that opens the app and its last games", 0.010, 60),
        ("somebody who types house rules and looks at each", 0.040, 60),
        ("a club's screen that shows the page anew after each tap of twenty tables", 0.010, 240),
        ("the same phone on a computer of a fifth of the speed", 0.050, 60),
    ],
)
def test_ordinary_reading_never_meets_it(reader: str, each: float, a_minute: int) -> None:
    clock = Clock()
    budget = Budget(clock=clock)
    for _ in range(20):  # all of a second at once, then the others evenly
        budget.spend(reader, each)
    for _ in range(10 * a_minute):
        assert budget.wait(reader) == 0
        budget.spend(reader, each)
        clock.now += 60 / a_minute


def test_whoever_asks_as_fast_as_it_can_stays_refused() -> None:
    clock = Clock()
    budget = Budget(clock=clock)
    budget.spend("North", BURST)
    answered = 0
    for _ in range(60 * 50):  # a minute of what nginx lets one address ask of one of two workers
        clock.now += 1 / 50
        is_refused = budget.wait("North") > 0
        answered += not is_refused
        budget.spend("North", REFUSED if is_refused else 0.1)
    assert answered <= 1
    clock.now += 2 * BURST / SHARE
    assert budget.wait("North") == 0


# The clocks


def test_time_in_which_a_request_waits_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    spent = Clock()
    monkeypatch.setattr("time.thread_time", spent)
    stopwatch = ThreadStopwatch()
    stopwatch.begin()
    spent.now += 0.25
    assert stopwatch.end() == 0.25


class Greenlets:
    """Stands in for the module `greenlet`: tests switch, and say how long each runs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.spent, self.running = Clock(), "hub"
        self.tracer: Callable[[str, tuple[object, object]], None] | None = None
        monkeypatch.setattr("time.thread_time", self.spent)

    def getcurrent(self) -> str:
        return self.running

    def settrace(
        self, tracer: Callable[[str, tuple[object, object]], None]
    ) -> Callable[[str, tuple[object, object]], None] | None:
        before, self.tracer = self.tracer, tracer
        return before

    def run(self, name: str, seconds: float = 0.0) -> None:
        left, self.running = self.running, name
        assert self.tracer
        self.tracer("switch", (left, name))
        self.spent.now += seconds


def test_what_others_take_while_a_request_waits_is_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    greenlets = Greenlets(monkeypatch)
    stopwatch = GreenletStopwatch(greenlets)
    greenlets.run("North")
    stopwatch.begin()
    greenlets.spent.now += 1
    greenlets.run("East")
    stopwatch.begin()
    greenlets.spent.now += 10
    greenlets.run("a stream", 1000)
    greenlets.run("North", 2)
    assert stopwatch.end() == 3
    greenlets.run("East", 20)
    assert stopwatch.end() == 30
    greenlets.run("North")
    stopwatch.begin()
    greenlets.spent.now += 5
    assert stopwatch.end() == 5, "of a second request on the same connection alone"


def test_a_tracer_that_was_there_before_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    greenlets, seen = Greenlets(monkeypatch), []
    greenlets.settrace(lambda event, _pair: seen.append(event))
    GreenletStopwatch(greenlets)
    greenlets.run("North")
    assert seen == ["switch"]


# Who is refused what


class Spending:
    """Makes every request that is counted take so many seconds of the processor."""

    seconds = 0.0

    def begin(self) -> None:
        """Do nothing."""

    def end(self) -> float:
        """Return the seconds."""
        return self.seconds


@pytest.fixture
def spending(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Spending:
    """What each request takes, from now on, of budgets that never grow again."""
    spending, clock = Spending(), Clock()
    monkeypatch.setattr(budget, "FREE", 0.003)
    monkeypatch.setattr(budget, "stopwatch", lambda: spending)
    tables = Budget(OF_MANY * BURST, OF_MANY * SHARE, clock)
    links = Budget(OF_MANY * BURST, OF_MANY * SHARE, clock)
    app.extensions["budgets"] = Budgets(Budget(clock=clock), tables, links)
    return spending


def wear_out(table: Table, path: str = DEAR) -> TestResponse:
    """Ask for a page that takes more than there is, and then again."""
    assert table.get(path).status_code == 200
    return table.get(path)


def test_a_phone_that_has_spent_its_budget_is_told_when_to_ask_again(
    game: Table, spending: Spending
) -> None:
    spending.seconds = 1.5
    answer = wear_out(game)
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "3"
    assert page_of(answer).alerts == "Too many pages at once. Try again in 3 seconds."
    assert f'href="{DEAR}?"' in answer.text or f'href="{DEAR}"' in answer.text
    assert value(game.app, "refused_total", reason="budget") == 1


@pytest.mark.parametrize("is_open", [False, True])
def test_it_does_not_matter_whether_the_server_is_open(
    app: Flask, game: Table, spending: Spending, is_open: bool
) -> None:
    app.config["OPEN"] = is_open
    spending.seconds = 1.5
    assert wear_out(game).status_code == 429


def test_taps_joining_and_health_are_never_refused(game: Table, spending: Spending) -> None:
    stranger, fields = (
        Table(game.app, game.id),
        bid_of(game),
    )
    spending.seconds = 1.5
    assert wear_out(game).status_code == 429
    assert stranger.get(FOR_STRANGERS).status_code == 200
    assert stranger.get(FOR_STRANGERS).status_code == 429
    assert game.post(game.round_path("sent"), fields).status_code == 200
    assert game.post(f"{game.path}/undo", game.fresh()).status_code == 303
    assert game.get("/healthz").status_code == 200
    assert game.get("/static/icon.svg").status_code == 200
    assert stranger.get(f"/join/{stranger.key}").status_code == 200
    assert stranger.get(FOR_STRANGERS).status_code == 429


@pytest.mark.parametrize(
    "path",
    [
        DEAR,
        "/rules/new?part=1&nil_points=90",
        "/games/new",
        "{game}/sheet",
        "{game}/changes",
        "{game}/result",
        "{game}/picture.svg",
        "/history",
    ],
)
def test_every_page_is_counted(game: Table, spending: Spending, path: str) -> None:
    game.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    spending.seconds = 1.5
    assert wear_out(game, path.format(game=game.path)).status_code == 429


def test_a_form_that_only_looks_is_counted_like_a_page(table: Table, spending: Spending) -> None:
    form = table.page(DEAR).form("/rules/new")
    spending.seconds = 1.5
    assert table.send(form, show="yes").status_code == 200
    assert table.send(form, show="yes").status_code == 429


def test_cheap_answers_cost_nothing(game: Table, spending: Spending) -> None:
    spending.seconds = 0.002
    assert {game.get(game.path).status_code for _ in range(600)} == {200}


def test_phones_do_not_pay_for_strangers_at_their_address_nor_for_one_another(
    game: Table, spending: Spending
) -> None:
    other = game.second_phone()
    stranger, elsewhere = Table(game.app), Table(game.app)
    spending.seconds = 1.5
    assert wear_out(stranger, FOR_STRANGERS).status_code == 429
    assert wear_out(game).status_code == 429
    assert other.get(DEAR).status_code == 200
    asked = elsewhere.client.get(FOR_STRANGERS, environ_overrides=WATCHER)
    assert asked.status_code == 200


def test_a_table_cannot_multiply_its_budget_by_phones(game: Table, spending: Spending) -> None:
    phones = [game.second_phone() for _ in range(5)]
    spending.seconds = 0.9
    codes = [phone.get(DEAR).status_code for phone in phones]
    assert codes == [200] * 5, "each has more than it spent"
    codes = [phone.get(DEAR).status_code for phone in phones]
    assert codes == [429] * 5, "together they have spent that of their table"


def test_watchers_count_by_the_table_they_follow_and_not_by_their_address(
    game: Table, spending: Spending
) -> None:
    secret, games = game.app.config["SECRET_KEY"], [game.game]
    game.begin()
    games.append(game.game)
    with game.store.write() as db:
        link, another = (make_watch_link(db, one, secret, AT) for one in games)
    stranger, spending.seconds = Table(game.app), 1.5
    assert wear_out(stranger, FOR_STRANGERS).status_code == 429
    assert stranger.get("/watch/nothing").status_code == 429, "a link that is none is no account"
    paths = (f"{link}/overlay", f"{link}/compact", f"{link}?part=1", another)
    codes = [stranger.get(f"/watch/{path}").status_code for path in paths]
    assert codes == [200, 200, 200, 429]
    assert game.get(DEAR).status_code == 200


def test_a_program_counts_by_its_key_and_is_answered_with_a_problem(
    game: Table, spending: Spending
) -> None:
    with game.store.write() as db:
        keys = [make_join_key(db, game.id, "a program", AT) for _ in range(2)]
    spending.seconds = 1.4

    def ask(key: str) -> TestResponse:
        return game.app.test_client().get("/api/games", headers={"Authorization": f"Bearer {key}"})

    assert ask(keys[0]).status_code == 200
    answer = ask(keys[0])
    assert answer.status_code == 429
    assert answer.mimetype == "application/problem+json"
    assert answer.headers["Retry-After"] == "2"
    spending.seconds = 0.9
    assert ask(keys[1]).status_code == 200
    spending.seconds = 1.5
    assert ask("a" * 26).status_code == 401
    assert ask("b" * 26).status_code == 429, "wrong keys count by address"


def test_the_tests_have_no_budget_of_their_own() -> None:
    assert math.isinf(budget.FREE), "a busy machine must not refuse their pages"
