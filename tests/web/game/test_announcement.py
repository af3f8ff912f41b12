"""What the page tells a screen reader after each change, and what the phone's voice then says.

Which sentence it is stands in the table that phone and server share, in tests/web/offline.
"""

from tests.web.page import text_of
from tests.web.play import Table


def said(table: Table) -> tuple[str, str | None]:
    """Return what the page says, and the kind of sound for it."""
    element = table.page().one("*[@id='said']")
    return text_of(element), element.get("data-news")


def test_the_page_says_what_has_happened_and_names_what_is_heard(table: Table) -> None:
    table.new_game(target=60)
    table.bid(3)
    assert said(table) == ("North bid 3. East bids.", None)
    table.play_round((1, 1, 1, 1), (7, 1, 1, 1))
    text, kind = said(table)
    assert "Bags cost North 10 points." in text
    assert kind == "penalty"
    table.play_round((7, 1, 1, 1), (7, 1, 1, 1))
    text, kind = said(table)
    assert text.startswith("North wins with 75.")
    assert kind == "winner"


def test_what_it_takes_to_win_is_heard_after_the_last_bid(table: Table) -> None:
    table.new_game(target=60)
    table.play_round((1, 1, 1, 4), (1, 1, 1, 7))
    table.bid_round("nil", 1, 2, 1)
    sentence = "North wins with Nil · Bids total 4 of 10. How many tricks did East take?"
    assert said(table) == (sentence, None)
    table.take(0)
    assert said(table)[0].startswith("East took 0 · ")
