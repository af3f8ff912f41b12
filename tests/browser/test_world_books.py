"""Call Break and 41 played by touch to their winners, each round checked against the fold."""

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import thrown_in
from scorekeeper.rules.game import GameState, Round, fold
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.sentence import minus
from tests.browser.app_server import CAST, Table
from tests.browser.complaints import Complaints
from tests.browser.luck import Luck
from tests.browser.offline import OfflinePlayer
from tests.browser.player import Player

PLAYERS = 4
MAX_ROUNDS = 60


def deal(luck: Luck, state: GameState) -> Round:
    """Return a round whose bids are played, as bids that are too low are dealt again."""
    while True:
        round_ = luck.deal(state)
        if thrown_in(state.rules, round_.bids, state.standing.kept) is None:
            return round_


def play_to_the_end(player: Player, key: str, seed: int) -> GameState:
    """Play a game by touch; every round the screen shows the seats and totals of the fold."""
    names, rules, luck = CAST[:PLAYERS], PRESETS[key], Luck(PLAYERS, seed)
    player.begin(names, key, first_dealer=str(PLAYERS))
    rounds: list[Round] = []
    state = fold(rules, PLAYERS, PLAYERS - 1, rounds)
    while state.phase != "over" and len(rounds) < MAX_ROUNDS:
        assert player.seats() == [names[seat] for seat in state.order]
        rounds.append(deal(luck, state))
        player.play(state, rounds[-1])
        state = fold(rules, PLAYERS, PLAYERS - 1, rounds)
        shows(player, state)
    assert state.phase == "over"
    return state


def shows(player: Player, state: GameState) -> None:
    """Every total stands on the screen: of sides, and of players where they have their own."""
    shown_as = state.rules.shown_as
    for side, total in enumerate(state.standing.totals):
        strip = player.page.locator(f"#side-{side}")
        expect(strip.locator(".total")).to_have_text(minus(total, shown_as))
        for seat in state.sides[side] if state.standing.seat_totals else ():
            own = minus(state.standing.seat_totals[seat], shown_as)
            expect(strip).to_contain_text(f"{CAST[seat]} {own}")


@pytest.mark.parametrize("seed", [7, 20])
def test_call_break_ends_after_five_rounds_in_tenths(
    player: Player, complaints: Complaints, seed: int
) -> None:
    state = play_to_the_end(player, "call-break", seed)
    assert len(state.rounds) == 5
    assert state.rounds[0].dealer == 3
    assert state.rounds[1].dealer == 2
    assert state.outcome is not None
    assert state.outcome.winner is not None
    winner, ranked = state.outcome.winner, sorted(state.standing.totals, reverse=True)
    expect(player.page.locator("h1")).to_have_text(f"{CAST[winner]} wins")
    lead = minus(ranked[0] - ranked[1], "tenths")
    shown = player.page.locator(".winner")
    expect(shown).to_contain_text(f"{minus(ranked[0], 'tenths')} {lead} ahead of")
    expect(shown).to_contain_text("The game ends after round 5.")
    assert complaints.all == []


def test_41_ends_with_a_player_and_a_partner_above_zero(
    player: Player, complaints: Complaints
) -> None:
    state = play_to_the_end(player, "forty-one", 2)
    assert state.outcome is not None
    assert state.outcome.winner is not None
    pair = [state.standing.seat_totals[seat] for seat in state.sides[state.outcome.winner]]
    assert max(pair) >= 41
    assert min(pair) >= 0
    names = " and ".join(CAST[seat] for seat in state.sides[state.outcome.winner])
    expect(player.page.locator("h1")).to_have_text(f"{names} win")
    assert complaints.all == []


def test_bids_of_41_that_are_too_low_are_dealt_again_with_one_tap(
    table: Table, player: Player
) -> None:
    stored_game = table.begin(rules="forty-one").bid(2, 2, 3)
    player.open(stored_game.path).bid(3)
    expect(player.page.locator(".counted")).to_contain_text("at least 11 are needed")
    expect(player.page.locator(".seat.active, #pad")).to_have_count(0)
    player.tap(player.button("Deal again"))
    expect(player.page.locator(".seat-bid")).to_have_text(["?", "", "", ""])
    assert stored_game.journal()[4:] == [("misdeal", 1)]
    player.tap(player.page.locator("#undo"))
    player.page.locator(".seat-who").nth(1).tap()
    player.bid(3)
    assert stored_game.game.state.phase == "playing"


def test_they_are_dealt_again_offline(table: Table, phone: Page) -> None:
    stored_game = table.begin(rules="forty-one")
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.cut()
    offline.tap_offline(2, 2, 3, 3)
    offline.button("Deal again").tap()
    expect(phone.locator(".seat-bid")).to_have_text(["?", "", "", ""])
    offline.mend()
    offline.wait_until_saved()
    assert stored_game.journal() == [*[("bid", 1)] * 4, ("misdeal", 1)]
