"""The game page, from the first deal to the winner."""

import random

import pytest

from scorekeeper.rules.bidding import Bid, Nil, possible_bids, refusal
from scorekeeper.rules.round import Round
from scorekeeper.rules.sentence import minus
from scorekeeper.store import journal
from tests.web.page import Page, text_of
from tests.web.play import AT, EAST, NORTH, PLAYERS, SOUTH, WEST, Table


def totals_shown(table: Table) -> dict[str, str]:
    """Return the totals on the page by the names beside them."""
    page = table.page()
    names = page.texts("*[@class='side-name']")
    totals = page.texts("b[@class='total']")
    return dict(zip(names, totals, strict=True))


def totals_folded(table: Table) -> dict[str, str]:
    """Return the totals of the fold by the names of the sides, with seat totals beside names."""
    game, standing = table.game, table.state.standing
    return {
        " · ".join(f"{game.names[seat]} {minus(standing.seat_totals[seat])}" for seat in seats)
        if game.rules.totals_by == "seat"
        else " and ".join(game.side_names(side)): minus(standing.totals[side], game.rules.shown_as)
        for side, seats in enumerate(table.state.sides)
    }


def any_round(table: Table, luck: random.Random) -> None:
    """Play a round of legal bids, and of tricks that mostly make them."""
    state, rules = table.state, table.game.rules
    for least in (2, 3, 4):  # where bids total too little, the round is dealt again
        bids: list[Bid | None] = [None] * state.players
        for seat in state.order:
            made = tuple(bids)
            legal = [c for c in possible_bids(rules) if not refusal(state.table, made, seat, c)]
            fair = [call for call in legal if call in (least, least + 1, Nil.NIL)] or legal
            bids[seat] = luck.choice(fair)
        table.bid_round(*bids)
        if table.state.phase == "playing":
            break
        assert table.misdeal().status_code == 303
    counts = [0] * state.players
    wanted = [seat for seat, bid in enumerate(bids) if type(bid) is int]
    for _ in range(rules.tricks):
        counts[luck.choice(wanted or range(state.players))] += 1
    assert table.score(*counts).status_code == 303


# Each rule book is played in tests/rules and begun by test_new_game.py; here one of each kind.
GAMES = [("cutthroat-lite", 3), ("cutthroat-lite", 5), ("partnership", 4), ("call-break", 4)]


@pytest.mark.parametrize(("rules", "players"), GAMES, ids=[f"{k}-{n}" for k, n in GAMES])
def test_a_game_is_played_to_its_winner_and_every_total_is_the_fold_s(
    table: Table, rules: str, players: int
) -> None:
    luck = random.Random(players)
    table.new_game(rules, PLAYERS[:players], first_dealer=players)
    while table.state.phase != "over":
        any_round(table, luck)
        assert totals_shown(table) == totals_folded(table)
    outcome = table.state.outcome
    assert outcome is not None
    assert outcome.winner is not None
    winners = " and ".join(table.game.side_names(outcome.winner))
    verb = "win" if table.game.rules.partnerships else "wins"
    assert table.page().texts("h1") == [f"{winners} {verb}"]


def test_before_the_first_bid_the_page_tells_which_cards_to_take_out(game: Table) -> None:
    told = "Remove all 2s, 3s and 4s. 40 cards, 10 each."
    assert told in game.page().text
    game.bid(3)
    assert told not in game.page().text
    game.misdeal()
    assert told in game.page().text


def test_the_dealer_is_named(game: Table) -> None:
    assert game.page().texts("h1") == [f"Round 1 · {WEST} deals"]


def test_bags_are_shown_for_whoever_cannot_see_them(game: Table) -> None:
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    labels = [e.get("aria-label") for e in game.page().all("*[@role='img']")]
    assert [label for label in labels if label and "bags" in label] == [
        "0 of 6 bags",
        "2 of 6 bags",
        "0 of 6 bags",
        "0 of 6 bags",
    ]


def test_the_last_rounds_explain_themselves(game: Table) -> None:
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    (line,) = [text for text in game.page().texts("div[@class='why']") if "overtricks" in text]
    assert "bid 2, took 4: +20" in line
    assert "+22 → 22" in line


def test_the_winner_is_announced_with_the_reason(game: Table) -> None:
    for _ in range(2):
        game.play_round((1, 1, "nil", 1), (4, 3, 0, 3))
    game.play_round((1, 1, "nil", 1), (4, 3, 0, 3))
    page = game.page()
    assert page.texts("h1") == [f"{SOUTH} wins"]
    text = page.text
    assert "150 " in text
    assert "First to 125, highest score wins." in text


def test_the_winner_takes_the_pot(table: Table) -> None:
    table.new_game(target=30, stake="2.50")
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    assert f"The pot of 10 goes to {WEST}." in table.page().text


def test_the_losers_pay_the_winner(table: Table) -> None:
    table.new_game(target=30, stake="2.50")
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    due = [f"{name} pays {WEST} 2.50." for name in (NORTH, EAST, SOUTH)]
    page = table.page()
    assert all(line in page.text for line in due)
    result = table.page(f"/games/{table.game.id}/result")
    assert all(line in result.text for line in due)


def test_points_are_paid_from_everybody_to_everybody(table: Table) -> None:
    table.new_game(target=30, stake="0.10", stake_by="points")
    assert "pot" not in table.page().text
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))  # 30, 20, 10 and 40 points
    text = table.page().text
    assert f"Stakes: {NORTH} +2, {EAST} −2, {SOUTH} −6, {WEST} +6." in text
    assert f"{EAST} pays {NORTH} 2." in text
    assert f"{SOUTH} pays {WEST} 6." in text


def test_nobody_pays_where_nothing_is_staked(table: Table) -> None:
    table.new_game(target=30)
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    assert "Who pays whom" not in table.page().text


def test_a_tie_at_the_top_plays_on_and_says_so(table: Table) -> None:
    table.new_game(target=30)
    table.play_round((3, 3, 1, 3), (3, 3, 1, 3))
    assert table.state.phase == "bidding"
    assert f"{NORTH}, {EAST} and {WEST} are tied at 30. Play another round." in table.page().text
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    assert table.page().texts("h1") == [f"{WEST} wins"]


def test_mercy_ends_a_game_with_its_own_reason(table: Table) -> None:
    table.new_game("partnership-500", mercy=-100, first_dealer=4)
    table.play_round((6, 4, 5, 3), (6, 0, 6, 1))
    table.play_round((6, 4, 5, 3), (6, 0, 6, 1))
    page = table.page()
    assert page.texts("h1") == [f"{NORTH} and {SOUTH} win"]
    assert "The game ends at −100" in page.text


def test_partners_share_a_total(table: Table) -> None:
    table.new_game("partnership", first_dealer=4)
    table.play_round((3, 2, 2, 4), (4, 2, 3, 4))
    assert totals_shown(table) == {f"{NORTH} and {SOUTH}": "52", f"{EAST} and {WEST}": "60"}


def test_the_game_goes_on_where_a_second_phone_left_it(game: Table) -> None:
    other = game.second_phone()
    other.bid(3)
    assert game.bid(2).status_code == 303
    assert game.state.open.bids == (3, 2, None, None)


def test_whoever_looks_for_the_winner_finds_play_again(table: Table) -> None:
    table.new_game(target=30)
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    page = table.page()
    assert page.form("/again")
    assert page.form("/undo")
    assert page.all(f"a[@href='{table.path}.csv']")


def test_a_long_game_shows_its_newest_rounds_and_leads_to_all(table: Table) -> None:
    table.new_game(target="100000")
    for number in range(1, 22):
        if number == 21:
            assert rounds_shown(table.page()) == [str(n) for n in range(20, 0, -1)]
        with table.store.write() as db:
            round_ = Round((3, 2, 3, 1), (3, 4, 2, 1))
            journal.replace_round(
                db, table.game, number, round_, journal.Action("scored", journal.Who(None, AT))
            )
    page = table.page()
    assert rounds_shown(page) == [str(n) for n in range(21, 1, -1)]
    older = page.one("section[@id='rounds']/p/a")
    assert text_of(older) == "Rounds 1–1"
    page = table.page(older.get("href", "").partition("#")[0])
    assert rounds_shown(page) == [str(n) for n in range(21, 0, -1)]


def rounds_shown(page: Page) -> list[str]:
    return page.texts("tbody/tr/th")
