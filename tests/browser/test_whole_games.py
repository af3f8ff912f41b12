"""Whole games played by touch to the winner, checked against the fold after every round."""

import pytest
from playwright.sync_api import expect

from scorekeeper.rules.game import GameState, Round, fold
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.sentence import minus
from tests.browser.app_server import CAST
from tests.browser.complaints import Complaints
from tests.browser.luck import Luck
from tests.browser.player import Player

REASONS = {
    "target": "First to {target}, highest score wins.",
    "mercy": "The game ends at {mercy}, highest score wins.",
}
MAX_ROUNDS = 40
GAMES = [  # with seeds that bring failed Nils, kept ones and bag penalties in a few rounds
    ("cutthroat-lite", 3, 1),
    ("cutthroat-lite", 4, 64),
    ("cutthroat-lite", 5, 4),
    ("cutthroat", 4, 93),
    ("partnership", 4, 142),
    ("partnership-sandbags", 4, 126),
    ("partnership-500", 4, 36),
    ("partnership-250", 4, 13),
]


@pytest.mark.parametrize(("key", "players", "seed"), GAMES, ids=lambda value: str(value))
def test_a_game_to_its_winner(
    player: Player, complaints: Complaints, key: str, players: int, seed: int
) -> None:
    names, rules, luck = CAST[:players], PRESETS[key], Luck(players, seed)
    player.begin(names, key, first_dealer=str(players))
    rounds: list[Round] = []
    state = fold(rules, players, players - 1, rounds)
    while state.phase != "over" and len(rounds) < MAX_ROUNDS:
        assert player.seats() == [names[seat] for seat in state.order]
        rounds.append(luck.deal(state))
        player.play(state, rounds[-1])
        state = fold(rules, players, players - 1, rounds)
        shows(player, state)
    announces_the_winner(player, state, names)
    assert complaints.all == []


def shows(player: Player, state: GameState) -> None:
    """The totals and the bags on the screen are those of the fold."""
    assert player.totals() == list(state.standing.totals)
    if state.rules.bag_limit is not None:
        assert player.bags() == list(state.standing.bags)


def announces_the_winner(player: Player, state: GameState, names: tuple[str, ...]) -> None:
    """The page names the winner, the score and the reason, and leaves no bid to make."""
    assert state.outcome is not None
    assert state.outcome.winner is not None
    winners = [names[seat] for seat in state.sides[state.outcome.winner]]
    said = f"{' and '.join(winners)} {'win' if len(winners) > 1 else 'wins'}"
    expect(player.page.locator("h1")).to_have_text(said)
    best = max(state.standing.totals)
    second = sorted(state.standing.totals)[-2]
    winner = player.page.locator(".winner")
    expect(winner).to_contain_text(f"{minus(best)} {best - second} ahead of")
    reason = REASONS[state.outcome.reason]
    expect(winner).to_contain_text(
        reason.format(target=state.rules.target, mercy=state.rules.mercy)
    )
    expect(player.page.locator("#pad")).to_have_count(0)
