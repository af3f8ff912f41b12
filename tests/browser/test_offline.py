"""A game goes on offline, and nothing of it is lost."""

from collections.abc import Iterator, Sequence

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import Bids, Nil
from scorekeeper.rules.game import fold
from scorekeeper.rules.round import Round
from tests.browser.app_server import AppServer, Table
from tests.browser.bad_line import BadLine, bad_line
from tests.browser.complaints import Complaints
from tests.browser.offline import OfflinePlayer
from tests.browser.player import MINUS

SIGN_IN = "Something in front of the server wants you to sign in."
TARGET = "300"  # so that nobody wins too soon
ROUNDS: list[tuple[Bids, tuple[int, ...]]] = [
    ((3, 2, Nil.NIL, 4), (3, 4, 0, 3)),
    ((1, 3, 4, 2), (1, 5, 4, 0)),
    ((2, 2, 2, 2), (4, 2, 2, 2)),
    ((4, Nil.NIL, 3, 1), (5, 1, 3, 1)),
    ((2, 3, 3, 2), (2, 3, 3, 2)),
]
CORRECTED = (1, 4, 4, 1)  # the tricks of round 2, as they really were
OTHERS = ((1, 3, 4, 2), (2, 4, 4, 0))  # round 2, as another phone saw it


@pytest.fixture
def offline(phone: Page) -> OfflinePlayer:
    """A player with that phone, who can go offline."""
    return OfflinePlayer(phone)


@pytest.fixture
def line(server: AppServer, table: Table, complaints: Complaints) -> Iterator[BadLine]:
    """A proxy to the server; the phone uses the address of the proxy."""
    with bad_line(server.address) as line:
        complaints.address = line.address
        yield line


def play(
    offline: OfflinePlayer, rounds: Sequence[tuple[Bids, tuple[int, ...]]], begin: int = 1
) -> None:
    """Record rounds on the phone's own page, the first of them being round `begin`."""
    for number, (bids, tricks) in enumerate(rounds, begin):
        first = number - 1  # the last seat deals the first round
        order = [(first + step) % 4 for step in range(4)]
        offline.play_offline(bids, tricks, order)


def totals_of(table: Table, rounds: Sequence[tuple[Bids, tuple[int, ...]]]) -> list[int]:
    """Return what the rules of the server say to these rounds."""
    rules = table.begin(target=TARGET).game.rules
    return list(fold(rules, 4, 3, [Round(*facts) for facts in rounds]).standing.totals)


def record_five(offline: OfflinePlayer, begin: int = 1) -> None:
    """Record five rounds, with one correction, and one tap that is taken back."""
    play(offline, ROUNDS[begin - 1 : 3], begin)
    offline.correct_offline(2, {f"tricks-{n}": took for n, took in enumerate(CORRECTED, 1)})
    offline.tap_offline(7)
    offline.undo_offline()
    play(offline, ROUNDS[3:], 4)


RECORDED = [ROUNDS[0], (ROUNDS[1][0], CORRECTED), *ROUNDS[2:]]


def test_five_rounds_wait_and_are_sent_in_order_and_once(
    table: Table, offline: OfflinePlayer
) -> None:
    stored_game = table.begin(target=TARGET)
    offline.load(stored_game.path)
    offline.cut()
    offline.page.reload()
    record_five(offline)
    expect(offline.line()).to_contain_text("5 rounds will be sent later")
    shown = offline.totals()
    assert shown == totals_of(table, RECORDED)

    offline.page.close()
    page = offline.page.context.new_page()
    again = OfflinePlayer(page).open(stored_game.path)
    expect(again.line()).to_contain_text("5 rounds will be sent later")
    assert again.totals() == shown
    assert stored_game.game.rounds == ()

    again.mend()
    again.wait_until_saved()
    assert again.totals() == shown
    assert [round_[:2] for round_ in stored_game.game.rounds] == RECORDED
    assert stored_game.journal() == [("scored", n) for n in range(1, 6)]


def test_the_scores_are_in_sight_after_a_tap(table: Table, offline: OfflinePlayer) -> None:
    stored_game = table.begin(target=TARGET).play(*ROUNDS[0])
    page = offline.load(stored_game.path).page
    offline.cut()
    offline.tap_offline(1)
    expect(offline.line()).to_contain_text("1 round will be sent later")
    page.evaluate("scrollTo(0, 300)")
    place = offline.key(3).bounding_box()
    assert place is not None
    page.touchscreen.tap(place["x"] + 9, place["y"] + 9)
    expect(page.locator(".seat-bid")).to_have_text(["1", "3", "?", ""])
    for seen in ("h1", "#side-0", "#line", ".seat.active", "#pad .key >> nth=-1"):
        expect(page.locator(seen)).to_be_in_viewport(ratio=1)


def test_later_rounds_stay_where_the_table_keeps_what_the_other_phone_recorded(
    table: Table, offline: OfflinePlayer
) -> None:
    stored_game = table.begin(target=TARGET).play(*ROUNDS[0])
    offline.load(stored_game.path)
    offline.cut()
    offline.page.reload()
    record_five(offline, begin=2)
    stored_game.play(*OTHERS)
    offline.mend()
    offline.ask_until(offline.page.get_by_role("heading", name="Round 2: two entries"))
    theirs = totals_of(table, [ROUNDS[0], OTHERS, *ROUNDS[2:]])
    ours = totals_of(table, RECORDED)
    rows = offline.page.locator(".conflict tbody tr").all_inner_texts()
    entries = [
        ("North", "bid 1, took 2", "bid 1, took 1"),
        ("East", "bid 3, took 4", "bid 3, took 4"),
        ("South", "bid 4, took 4", "bid 4, took 4"),
        ("West", "bid 2, took 0", "bid 2, took 1"),
    ]
    assert [" ".join(row.split()).replace(MINUS, "-") for row in rows] == [
        f"{name} {one} total {theirs[seat]} {other} total {ours[seat]}"
        for seat, (name, one, other) in enumerate(entries)
    ]
    assert len(stored_game.game.rounds) == 2
    offline.page.get_by_role("button", name="Keep the saved entry").tap()
    offline.wait_until_saved()
    expected = [ROUNDS[0], OTHERS, *ROUNDS[2:]]
    assert [round_[:2] for round_ in stored_game.game.rounds] == expected
    assert offline.totals() == totals_of(table, expected)
    note = offline.page.get_by_role("region", name="Replaced entries from this phone")
    had = "North bid 1, took 1 · East bid 3, took 4 · South bid 4, took 4 · West bid 2, took 1"
    expect(note).to_contain_text(f"Round 2 on this phone: {had}")
    offline.load(stored_game.path)
    offline.key(3).tap()
    expect(offline.page.locator(".seat-bid").first).to_have_text("3")
    note.get_by_role("button", name="Dismiss").tap()
    expect(note).to_have_count(0)
    offline.load(stored_game.path)
    expect(note).to_have_count(0)


def test_the_same_round_from_both_phones_is_no_question(
    table: Table, offline: OfflinePlayer
) -> None:
    stored_game = table.begin(target=TARGET)
    offline.load(stored_game.path)
    offline.cut()
    offline.page.reload()
    play(offline, ROUNDS[:2])
    stored_game.play(*ROUNDS[0])
    offline.mend()
    offline.wait_until_saved()
    assert [round_[:2] for round_ in stored_game.game.rounds] == ROUNDS[:2]


def test_answers_that_get_lost_record_nothing_twice(
    table: Table, offline: OfflinePlayer, line: BadLine
) -> None:
    stored_game = table.begin(target=TARGET)
    offline.load(line.address + stored_game.path)
    offline.cut()
    offline.page.reload()
    record_five(offline)
    line.swallow(0.3, seed=1)
    offline.mend()
    offline.wait_until_saved()
    assert line.lost > 0
    assert [round_[:2] for round_ in stored_game.game.rounds] == RECORDED
    assert stored_game.journal() == [("scored", n) for n in range(1, 6)]


def test_a_table_plays_on_over_a_line_that_loses_answers(
    table: Table, offline: OfflinePlayer, line: BadLine
) -> None:
    stored_game = table.begin(target=TARGET)
    offline.load(line.address + stored_game.path)
    line.swallow(1.0)
    offline.key(3).tap()
    expect(offline.line()).to_be_visible()
    offline.tap_offline(2, "nil", 4, 3, 4, 0)
    offline.confirm_offline()
    line.swallow(0.3, seed=1)
    offline.wait_until_saved()
    assert [round_[:2] for round_ in stored_game.game.rounds] == ROUNDS[:1]


@pytest.mark.parametrize("status", [200, 401, 403, 302, 502])
def test_a_login_page_is_no_answer(
    table: Table, offline: OfflinePlayer, line: BadLine, complaints: Complaints, status: int
) -> None:
    stored_game = table.begin(target=TARGET)
    offline.load(line.address + stored_game.path)
    line.login = status
    if status != 302:  # which leads to the login at once
        offline.page.reload()
    offline.tap_offline(3)
    is_login = status < 500
    expect(offline.line()).to_contain_text(SIGN_IN if is_login else "Offline.")
    expect(offline.line().get_by_role("link", name="Sign in")).to_have_count(int(is_login))
    assert stored_game.game.version == 1
    line.login = 0
    offline.wait_until_saved()
    expect(offline.line()).to_have_count(0)
    complaints.all.clear()  # requests that were led elsewhere
    assert stored_game.game.state.open.bids == (3, None, None, None)


def test_the_way_to_the_login_leads_past_the_service_worker_and_back(
    table: Table, offline: OfflinePlayer, line: BadLine
) -> None:
    stored_game = table.begin(target=TARGET)
    page = offline.load(line.address + stored_game.path).page
    line.login = 403
    page.reload()
    offline.tap_offline(3)
    expect(offline.line()).to_contain_text(SIGN_IN)
    offline.line().get_by_role("link", name="Sign in").tap()
    expect(page.get_by_role("heading", name="Hotel network")).to_be_visible()
    line.login = 0
    page.reload()
    expect(page).to_have_url(line.address + stored_game.path)
    offline.wait_until_saved()
    assert stored_game.game.state.open.bids == (3, None, None, None)


def test_a_tap_that_meets_a_login_page_is_not_lost(
    table: Table, offline: OfflinePlayer, line: BadLine
) -> None:
    stored_game = table.begin(target=TARGET)
    offline.load(line.address + stored_game.path)
    offline.bid(3)
    line.login = 200
    offline.key(2).tap()
    expect(offline.line()).to_contain_text("1 round will be sent later")
    assert offline.page.locator(".seat-bid").all_inner_texts()[:2] == ["3", "2"]
    line.login = 0
    offline.wait_until_saved()
    assert stored_game.game.state.open.bids == (3, 2, None, None)


def test_a_server_that_is_only_slow_is_waited_for(
    table: Table, offline: OfflinePlayer, line: BadLine
) -> None:
    stored_game = table.begin(target=TARGET)
    offline.load(line.address + stored_game.path)
    line.delay = 3.5  # more than the worker waits, less than a page does that knows it
    offline.page.reload()
    expect(offline.main).to_be_visible()
    expect(offline.page.locator("#game")).to_be_visible(timeout=30_000)


def test_a_game_that_the_phone_does_not_keep_is_waited_for(
    table: Table, offline: OfflinePlayer, line: BadLine
) -> None:
    offline.load(line.address + "/")
    stored_game = table.begin(target=TARGET)
    line.delay = 3.5
    offline.open(line.address + stored_game.path)
    expect(offline.page.locator("#game")).to_be_visible()


def test_over_plain_http_a_page_that_is_open_goes_on(
    table: Table, phone: Page, server: AppServer, complaints: Complaints
) -> None:
    with bad_line(server.address, "0.0.0.0") as line:  # which no browser takes for this computer
        complaints.address = line.address
        phone.context.add_cookies([{**table.cookie, "url": line.address}])
        stored_game = table.begin(target=TARGET)
        offline = OfflinePlayer(phone).load(line.address + stored_game.path)
        assert not phone.evaluate("isSecureContext")
        offline.bid(3, 2)
        offline.cut()
        offline.key("nil").tap()
        expect(offline.line()).to_contain_text("1 round will be sent later")
        offline.tap_offline(4, 3, 4, 0)
        offline.confirm_offline()
        play(offline, ROUNDS[1:2], 2)
        assert stored_game.game.version == 3
        offline.mend()
        offline.wait_until_saved()
        assert [round_[:2] for round_ in stored_game.game.rounds] == ROUNDS[:2]


def test_a_game_opened_offline_says_call_where_its_players_do(
    offline: OfflinePlayer, table: Table, complaints: Complaints
) -> None:
    bidding, calling = table.begin(), table.begin(rules="call-break")
    offline.load(bidding.path)
    offline.load(calling.path).cut()
    offline.tap_offline(3)
    offline.page.locator("#menu > summary").tap()
    expect(offline.main).to_contain_text("called 3")
    offline.rules_offline()
    expect(offline.main).to_contain_text("Maximum call")
    for game, word in ((bidding, "Maximum bid"), (calling, "Maximum call")):
        offline.open(f"{game.path}/rules")
        expect(offline.main).to_contain_text(word)
    assert complaints.serious == []


def test_the_page_without_the_server_plays_a_game_without_the_styles_of_home(
    offline: OfflinePlayer, table: Table
) -> None:
    path = table.begin(target=TARGET).path
    offline.load(path).cut()
    page = offline.page
    page.goto(path)
    style = page.locator("#start-style")  # of its list of games and of a new one
    expect(page.locator("#pad")).to_be_visible()
    expect(style).to_have_attribute("media", "not all")
    page.goto("/")
    expect(page.locator("#game a").first).to_be_visible()
    expect(style).not_to_have_attribute("media", "not all")
