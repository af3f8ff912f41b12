"""Games played by touch to the winner, checked against the fold after every round.

A game of each kind: of players and of partners, in points and in tenths, with totals of sides and
of seats. Other books and seeds are played in tests/rules and tests/web.
"""

from collections.abc import Sequence
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import thrown_in
from scorekeeper.rules.game import GameState, fold
from scorekeeper.rules.presets import PRESETS, at_table
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.sentence import minus
from tests.browser.app_server import CAST, StoredGame, Table
from tests.browser.complaints import Complaints
from tests.browser.luck import Luck
from tests.browser.offline import OfflinePlayer
from tests.browser.player import Player

MAX_ROUNDS = 60
TAPPED = 2  # rounds of a game; what a longer one has before them is stored
# Why each game ends; its seed brings failed Nils, kept ones and bag penalties in a few rounds.
GAMES = [
    ("cutthroat-lite", 5, 4, "First to 125, highest score wins."),
    ("partnership-sandbags", 4, 126, "First to 500, highest score wins."),
    ("forty-one", 4, 2, ""),
    ("call-break", 3, 8, "The game ends after round 5, highest score wins."),
    ("spades-pair", 2, 3, "First to 500, highest score wins."),
    ("spades-six", 6, 5, "First to 500, highest score wins."),
    ("cutthroat", 7, 2, "First to 500, highest score wins."),
]
NAMES = (*CAST, "Sixth", "Seventh")


@pytest.mark.parametrize("game", GAMES, ids=[f"{key}-{n}" for key, n, *_ in GAMES])
def test_a_game_to_its_winner(
    table: Table, player: Player, complaints: Complaints, game: tuple[str, int, int, str]
) -> None:
    key, players, seed, reason = game
    names, rules = NAMES[:players], at_table(PRESETS[key], players)
    player.begin(names, key, first_dealer=str(players))
    rounds = whole_game(rules, players, seed)
    stored, tapped = rounds[:-TAPPED], rounds[-TAPPED:]
    if stored:
        store(table, player, stored)
    for number, round_ in enumerate(tapped, len(stored)):
        state = fold(rules, players, players - 1, rounds[:number])
        assert player.seats() == [names[seat] for seat in state.order]
        player.play(state, round_)
        state = fold(rules, players, players - 1, rounds[: number + 1])
        shows(player, state)
    announces_the_winner(player, state, reason)
    assert complaints.all == []


def whole_game(rules: RuleSet, players: int, seed: int) -> list[Round]:
    """Return the rounds of a game up to its end; the last seat deals first."""
    luck, rounds = Luck(players, seed), list[Round]()
    state = fold(rules, players, players - 1, rounds)
    while state.phase != "over" and len(rounds) < MAX_ROUNDS:
        rounds.append(deal(luck, state))
        state = fold(rules, players, players - 1, rounds)
    return rounds


def store(table: Table, player: Player, rounds: Sequence[Round]) -> None:
    """Play these rounds of the game on the screen behind its back, and open it again."""
    path = urlsplit(player.page.url).path
    stored_game = StoredGame(table, path.rpartition("/")[2])
    for round_ in rounds:
        stored_game.play(round_.bids, round_.tricks or ())
    player.open(path)


def deal(luck: Luck, state: GameState) -> Round:
    """Return a round whose bids are played, as bids that are too low are dealt again."""
    while True:
        round_ = luck.deal(state)
        if thrown_in(state.table, round_.bids) is None:
            return round_


def shows(player: Player, state: GameState) -> None:
    """The totals and the bags on the screen are those of the fold, of sides and of seats."""
    shown_as = state.rules.shown_as
    for side, total in enumerate(state.standing.totals):
        strip = player.page.locator(f"#side-{side}")
        expect(strip.locator(".total")).to_have_text(minus(total, shown_as))
        for seat in state.sides[side] if state.standing.seat_totals else ():
            own = minus(state.standing.seat_totals[seat], shown_as)
            expect(strip).to_contain_text(f"{CAST[seat]} {own}")
    if state.rules.bag_limit is not None:
        assert player.bags() == list(state.standing.bags)


def announces_the_winner(player: Player, state: GameState, reason: str) -> None:
    """The page names the winner, the score and the reason, and leaves no bid to make."""
    assert state.outcome is not None
    assert state.outcome.winner is not None
    winners = [CAST[seat] for seat in state.sides[state.outcome.winner]]
    said = f"{' and '.join(winners)} {'win' if len(winners) > 1 else 'wins'}"
    expect(player.page.locator("h1")).to_have_text(said)
    winner = player.page.locator(".winner")
    if reason:
        best, second = sorted(state.standing.totals, reverse=True)[:2]
        shown, ahead = (minus(n, state.rules.shown_as) for n in (best, best - second))
        expect(winner).to_contain_text(f"{shown} {ahead} ahead of")
    else:
        pair = [state.standing.seat_totals[seat] for seat in state.sides[state.outcome.winner]]
        assert max(pair) >= 41
        assert min(pair) >= 0
    expect(winner).to_contain_text(reason)
    expect(player.page.locator("#pad")).to_have_count(0)


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
