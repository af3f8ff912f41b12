"""The phone in the cellar: a game goes on without the server, and nothing of it is lost."""

from collections.abc import Iterator, Sequence

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import Bids, Nil
from scorekeeper.rules.game import Round, fold
from tests.browser.bad_line import BadLine, bad_line
from tests.browser.complaints import Complaints
from tests.browser.house import Evening, House, Table
from tests.browser.offline import Cellar
from tests.browser.player import MINUS

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
def cellar(phone: Page) -> Cellar:
    """Somebody with that phone, who goes down to the cellar."""
    return Cellar(phone)


@pytest.fixture
def line(house: House, table: Table, complaints: Complaints) -> Iterator[BadLine]:
    """A line to the house, which the phone knows by the address of the line."""
    with bad_line(house.address) as line:
        complaints.address = line.address
        yield line


def play(cellar: Cellar, rounds: Sequence[tuple[Bids, tuple[int, ...]]], begin: int = 1) -> None:
    """Record rounds on the phone's own page, the first of them being round `begin`."""
    for number, (bids, tricks) in enumerate(rounds, begin):
        first = number - 1  # the last seat deals the first round
        order = [(first + step) % 4 for step in range(4)]
        cellar.play_alone(bids, tricks, order)


def totals_of(table: Table, rounds: Sequence[tuple[Bids, tuple[int, ...]]]) -> list[int]:
    """Return what the rules of the server say to these rounds."""
    rules = table.begin(target=TARGET).game.rules
    return list(fold(rules, 4, 3, [Round(*facts) for facts in rounds]).standing.totals)


def record_five(cellar: Cellar, begin: int = 1) -> None:
    """Record five rounds, with one correction, and one tap that is taken back."""
    play(cellar, ROUNDS[begin - 1 : 3], begin)
    cellar.correct_alone(2, {f"tricks-{n}": took for n, took in enumerate(CORRECTED, 1)})
    cellar.tap_alone(7)
    cellar.undo_alone()
    play(cellar, ROUNDS[3:], 4)


RECORDED = [ROUNDS[0], (ROUNDS[1][0], CORRECTED), *ROUNDS[2:]]


def test_five_rounds_wait_and_are_sent_in_order_and_once(table: Table, cellar: Cellar) -> None:
    evening = table.begin(target=TARGET)
    cellar.load(evening.path)
    cellar.cut()
    cellar.page.reload()
    record_five(cellar)
    expect(cellar.line()).to_contain_text("5 rounds wait to be sent")
    shown = cellar.totals()
    assert shown == totals_of(table, RECORDED)

    cellar.page.close()
    page = cellar.page.context.new_page()
    again = Cellar(page).open(evening.path)
    expect(again.line()).to_contain_text("5 rounds wait to be sent")
    assert again.totals() == shown
    assert evening.game.rounds == ()

    again.mend()
    again.back_at_the_server()
    assert again.totals() == shown
    assert [round_[:2] for round_ in evening.game.rounds] == RECORDED
    assert evening.journal() == [("scored", n) for n in range(1, 6)]


def other_phone_meanwhile(table: Table, cellar: Cellar) -> Evening:
    """Record rounds 2 to 5 in the cellar, while upstairs another phone records round 2."""
    evening = table.begin(target=TARGET).play(*ROUNDS[0])
    cellar.load(evening.path)
    cellar.cut()
    cellar.page.reload()
    record_five(cellar, begin=2)
    evening.play(*OTHERS)
    cellar.mend()
    cellar.ask_until(cellar.page.get_by_role("heading", name="Round 2: two entries"))
    theirs = totals_of(table, [ROUNDS[0], OTHERS, *ROUNDS[2:]])
    ours = totals_of(table, RECORDED)
    rows = cellar.page.locator(".pick tbody tr").all_inner_texts()
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
    assert len(evening.game.rounds) == 2
    return evening


def test_the_table_may_keep_what_the_other_phone_recorded(table: Table, cellar: Cellar) -> None:
    evening = other_phone_meanwhile(table, cellar)
    cellar.button("Keep what is recorded").tap()
    cellar.back_at_the_server()
    expected = [ROUNDS[0], OTHERS, *ROUNDS[2:]]
    assert [round_[:2] for round_ in evening.game.rounds] == expected
    assert cellar.totals() == totals_of(table, expected)
    note = cellar.page.get_by_role("region", name="Not taken from this phone")
    had = "North bid 1, took 1 · East bid 3, took 4 · South bid 4, took 4 · West bid 2, took 1"
    expect(note).to_contain_text(f"Round 2, as this phone had it: {had}")
    cellar.load(evening.path)
    cellar.key(3).tap()
    expect(cellar.page.locator(".seat-bid").first).to_have_text("3")
    note.get_by_role("button", name="Remove this note").tap()
    expect(note).to_have_count(0)
    cellar.load(evening.path)
    expect(note).to_have_count(0)


def test_the_table_may_take_what_this_phone_recorded(table: Table, cellar: Cellar) -> None:
    evening = other_phone_meanwhile(table, cellar)
    cellar.button("Record this phone's instead").tap()
    cellar.back_at_the_server()
    assert [round_[:2] for round_ in evening.game.rounds] == RECORDED
    assert ("corrected", 2) in evening.journal()  # what the other phone said stays in there


def test_the_same_round_from_both_phones_is_no_question(table: Table, cellar: Cellar) -> None:
    evening = table.begin(target=TARGET)
    cellar.load(evening.path)
    cellar.cut()
    cellar.page.reload()
    play(cellar, ROUNDS[:2])
    evening.play(*ROUNDS[0])
    cellar.mend()
    cellar.back_at_the_server()
    assert [round_[:2] for round_ in evening.game.rounds] == ROUNDS[:2]


@pytest.mark.parametrize("seed", [1, 4])
def test_answers_that_get_lost_record_nothing_twice(
    table: Table, cellar: Cellar, line: BadLine, seed: int
) -> None:
    evening = table.begin(target=TARGET)
    cellar.load(line.address + evening.path)
    cellar.cut()
    cellar.page.reload()
    record_five(cellar)
    line.swallow(0.3, seed)
    cellar.mend()
    cellar.back_at_the_server()
    assert line.lost > 0
    assert [round_[:2] for round_ in evening.game.rounds] == RECORDED
    assert evening.journal() == [("scored", n) for n in range(1, 6)]


def test_a_table_plays_on_over_a_line_that_loses_answers(
    table: Table, cellar: Cellar, line: BadLine
) -> None:
    evening = table.begin(target=TARGET)
    cellar.load(line.address + evening.path)
    line.swallow(1.0)
    cellar.key(3).tap()
    expect(cellar.line()).to_be_visible()
    cellar.tap_alone(2, "nil", 4, 3, 4, 0)
    cellar.confirm_alone()
    line.swallow(0.3, seed=1)
    cellar.back_at_the_server()
    assert [round_[:2] for round_ in evening.game.rounds] == ROUNDS[:1]


def test_a_login_page_is_no_answer(table: Table, cellar: Cellar, line: BadLine) -> None:
    evening = table.begin(target=TARGET)
    cellar.load(line.address + evening.path)
    line.login = True
    cellar.page.reload()
    record_five(cellar)
    expect(cellar.line()).to_contain_text("No connection")
    assert evening.game.rounds == ()
    line.login = False
    cellar.back_at_the_server()
    assert [round_[:2] for round_ in evening.game.rounds] == RECORDED


def test_a_tap_that_meets_a_login_page_is_not_lost(
    table: Table, cellar: Cellar, line: BadLine
) -> None:
    evening = table.begin(target=TARGET)
    cellar.load(line.address + evening.path)
    cellar.bid(3)
    line.login = True
    cellar.key(2).tap()
    expect(cellar.line()).to_contain_text("1 round waits to be sent")
    assert cellar.page.locator(".seat-bid").all_inner_texts()[:2] == ["3", "2"]
    line.login = False
    cellar.back_at_the_server()
    assert evening.game.board.open.bids == (3, 2, None, None)


def test_a_server_that_is_only_slow_is_waited_for(
    table: Table, cellar: Cellar, line: BadLine
) -> None:
    evening = table.begin(target=TARGET)
    cellar.load(line.address + evening.path)
    line.delay = 3.5  # more than the worker waits, less than a page does that knows it
    cellar.page.reload()
    expect(cellar.alone).to_be_visible()
    expect(cellar.page.locator("#game")).to_be_visible(timeout=30_000)


def test_a_game_that_the_phone_does_not_keep_is_waited_for(
    table: Table, cellar: Cellar, line: BadLine
) -> None:
    cellar.load(line.address + "/")
    evening = table.begin(target=TARGET)
    line.delay = 3.5
    cellar.open(line.address + evening.path)
    expect(cellar.page.locator("#game")).to_be_visible()


def test_over_plain_http_a_page_that_is_open_goes_on(
    table: Table, phone: Page, house: House, complaints: Complaints
) -> None:
    with bad_line(house.address, "0.0.0.0") as line:  # which no browser takes for this computer
        complaints.address = line.address
        phone.context.add_cookies([{**table.cookie, "url": line.address}])
        evening = table.begin(target=TARGET)
        cellar = Cellar(phone).load(line.address + evening.path)
        assert not phone.evaluate("isSecureContext")
        cellar.bid(3, 2)
        cellar.cut()
        cellar.key("nil").tap()
        expect(cellar.line()).to_contain_text("1 round waits to be sent")
        cellar.tap_alone(4, 3, 4, 0)
        cellar.confirm_alone()
        play(cellar, ROUNDS[1:2], 2)
        assert evening.game.version == 3
        cellar.mend()
        cellar.back_at_the_server()
        assert [round_[:2] for round_ in evening.game.rounds] == ROUNDS[:2]
