"""This phone's table, and what a stranger sees of it."""

from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask

from scorekeeper.clock import now, stamp
from scorekeeper.store.connection import scalar
from scorekeeper.web.text import wording
from tests.web.page import text_of
from tests.web.play import CENTRE, EAST, NORTH, SOUTH, WEST, Table, page_of


def test_a_stranger_reads_how_to_join(stranger: Table) -> None:
    answer = stranger.get("/", base_url="http://192.168.1.7:8000")
    assert answer.status_code == 200
    assert "Scan the code in the terminal where Scorekeeper runs" in page_of(answer).text
    assert [form.action for form in page_of(answer).forms()] == ["/join"]


def test_a_stranger_sees_no_game_and_no_name(game: Table) -> None:
    text = Table(game.app).get("/").get_data(as_text=True)
    assert not [name for name in (NORTH, EAST, game.game_id) if name in text]


def test_a_stranger_may_read_the_rules(stranger: Table) -> None:
    links = [link.get("href") for link in stranger.page("/").all("a[@href]")]
    assert "/rules" in links
    assert stranger.get("/rules").status_code == 200


def test_an_empty_table_offers_a_new_game(table: Table) -> None:
    assert "No games yet" in table.page("/").text


def test_the_last_game_can_be_played_on(game: Table) -> None:
    page = game.page("/")
    (play_on,) = [a for a in page.all("a") if "".join(a.itertext()).startswith("Continue")]
    assert play_on.get("href") == game.path


def test_a_closed_browser_comes_back_to_the_half_entered_round(game: Table) -> None:
    game.bid(3)
    cookie = game.client.get_cookie("s")
    assert cookie is not None
    reopened = Table(game.app, game.id)
    reopened.client.set_cookie("s", cookie.value)
    reopened.game_id = game.game_id
    assert reopened.page("/").all(f"a[@href='{game.path}']")
    assert reopened.round_form().fields["bid-1"] == "3"


def test_the_game_played_last_stands_first_and_the_others_below(table: Table) -> None:
    table.new_game()
    first = table.path
    table.new_game(players=(NORTH, EAST, SOUTH, CENTRE))
    second = table.path
    assert shown(table) == [second, first]
    table.game_id = first.rpartition("/")[2]
    table.bid(3)
    assert shown(table) == [first, second]


def shown(table: Table) -> list[str | None]:
    """Return the paths of the game that can be continued and of those in the list."""
    page = table.page("/")
    links = [*page.all("section[@class='felt']/a"), *page.all("li/a[@class]")]
    return [link.get("href") for link in links]


STANDINGS = {
    "nothing is scored": ([], "The first to reach 125 wins."),
    "one leads": ([((3, 2, 1, 4), (3, 2, 1, 4))], f"{WEST} leads by 10, 85 short of 125."),
    "two are tied": (
        [((3, 3, 1, 2), (3, 3, 1, 3))],
        f"{NORTH} and {EAST} are tied at 30.",
    ),
    "all are behind": (
        [((5, 5, 6, 7), (2, 2, 3, 3))],
        f"{NORTH} and {EAST} are tied at \N{MINUS SIGN}50.",
    ),
}


@pytest.mark.parametrize(("rounds", "sentence"), STANDINGS.values(), ids=STANDINGS.keys())
def test_who_leads_is_said_in_one_sentence(
    table: Table, rounds: list[tuple[tuple[int, ...], tuple[int, ...]]], sentence: str
) -> None:
    table.new_game()
    for bids, tricks in rounds:
        table.play_round(bids, tricks)
    assert table.page("/").texts("p[@class='felt-line']") == [sentence]


def test_partners_lead_together(table: Table) -> None:
    table.new_game("partnership")
    table.play_round((3, 2, 4, 3), (3, 2, 4, 4))
    assert table.page("/").texts("p[@class='felt-line']") == [
        f"{NORTH} and {SOUTH} lead by 19, 430 short of 500."
    ]


def test_nothing_is_said_about_the_target_where_players_have_it(table: Table) -> None:
    table.new_game("forty-one")
    table.play_round((3, 3, 3, 3), (3, 3, 4, 3))
    table.play_round((3, 3, 3, 3), (2, 3, 5, 3))
    assert table.page("/").texts("p[@class='felt-line']") == [f"{EAST} and {WEST} lead by 6."]


def test_partners_lead_together_where_rounds_end_the_game(table: Table) -> None:
    table.new_game("convention")
    table.play_round((3, 2, 4, 3), (3, 2, 4, 4))
    assert table.page("/").texts("p[@class='felt-line']") == [f"{NORTH} and {SOUTH} lead by 19."]


def test_a_rematch_of_the_last_finished_game_is_one_tap(table: Table) -> None:
    table.new_game(target=30)
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    over = table.game_id
    table.send(table.page("/").form("/again"))
    assert scalar(table.store.db, "SELECT count(*) FROM games") == 2
    assert table.page("/").form("/again").action == f"/games/{over}/again"


def test_games_that_go_on_come_before_those_that_are_over(table: Table) -> None:
    table.new_game(target=30)
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    over = table.path
    table.new_game("cutthroat", (NORTH, EAST, SOUTH))
    table.play_round((3, 2, 4), (3, 2, 8))
    scored = table.path
    table.new_game(players=(NORTH, SOUTH, EAST))
    fresh = table.path
    assert shown(table) == [scored, fresh, over]
    headings = table.page("/").texts("h2")
    assert headings == ["Cutthroat Spades", "In progress", "Recent games"]


def test_a_rematch_says_with_whom_and_a_new_game_by_which_rules(table: Table) -> None:
    table.new_game(target=30)
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    table.new_game("cutthroat", (NORTH, EAST, SOUTH))
    page = table.page("/")
    assert page.texts("div[@class='home-actions']//small") == ["Cutthroat Spades"]
    (finished,) = page.all("ul[@class='results']/li")
    assert text_of(finished.find("form")) == f"Rematch {NORTH}, {EAST}, {SOUTH} and {WEST}"


def test_a_rematch_stands_on_the_card_of_its_game(table: Table) -> None:
    table.new_game(target=30)
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    (felt,) = table.page("/").all("section[@class='felt']")
    assert text_of(felt.find("p")).startswith(f"{WEST} wins · 40 points")
    assert text_of(felt.find("form")) == f"Rematch {NORTH}, {EAST}, {SOUTH} and {WEST}"
    assert not table.page("/").all("ul[@class='results']/li")


def test_games_that_nobody_touched_for_a_day_are_folded(table: Table) -> None:
    table.new_game("cutthroat", (NORTH, EAST, SOUTH))
    table.play_round((3, 2, 4), (3, 2, 8))
    scored = table.path
    table.new_game(players=(NORTH, SOUTH, EAST))
    fresh = table.path
    table.new_game(players=(NORTH, WEST, EAST))
    table.play_round((3, 2, 4), (3, 2, 5))
    assert not table.page("/").all("details[@id='idle']")
    with table.store.write() as db:
        ago = [stamp(now() - timedelta(hours=25)), *(path[-10:] for path in (scored, fresh))]
        db.execute("UPDATE games SET changed = ? WHERE id IN (?, ?)", ago)
    (idle,) = table.page("/").all("details[@id='idle']")
    assert text_of(idle.find("summary")) == "2 games untouched for a day"
    links = [link.get("href") for link in idle.iter("a")]
    assert sorted(link for link in links if link not in (scored, fresh)) == sorted(
        [f"{scored}/rounds/2/end", f"{scored}/removal", f"{fresh}/removal"]
    )
    for link in links:
        assert table.get(link).status_code == 200


LED = "Won 4 of 6 games. Luck would give 1.5."
LEADS = {
    "too few games": (4, "4 games · The year 2026"),
    "ahead of luck": (6, f"6 games · {WEST} leads the year {LED}"),
}


@pytest.mark.parametrize(("games", "line"), LEADS.values(), ids=LEADS.keys())
def test_a_line_says_who_leads_the_year_against_luck_and_leads_to_it(
    table: Table, games: int, line: str
) -> None:
    assert not table.page("/").all("a[@class='home-year']")
    for bids in [(3, 2, 1, 4), (2, 4, 1, 3), (3, 2, 1, 4)] * (games // 3 + 1):
        if games:
            table.new_game(target=30)
            table.play_round(bids, bids)
            games -= 1
    year = table.page("/").one("a[@class='home-year']")
    assert (text_of(year), year.get("href")) == (line, "/year")
    assert table.page("/year").text.count(WEST) > 0


DAYS = {
    "now": (0, "Today, "),
    "a day ago": (1, "Yesterday, "),
    "two days ago": (2, "Sunday"),
    "six days ago": (6, "Wednesday"),
    "a week ago": (7, "13 Jan 2026"),
}


@pytest.mark.parametrize(("days", "said"), DAYS.values(), ids=DAYS.keys())
def test_a_game_says_when_it_was_played(
    monkeypatch: pytest.MonkeyPatch, days: int, said: str
) -> None:
    noon = datetime(2026, 1, 20, 12, tzinfo=UTC)
    monkeypatch.setattr(wording, "now", lambda: noon)
    moment = stamp(noon - timedelta(days=days))
    assert said in wording.when(moment)


def test_all_games_are_counted_that_were_not_deleted(table: Table) -> None:
    deleted, _second, _third = (table.new_game(target=to).location for to in (30, 40, 50))
    assert "All 3 games" in table.page("/").text
    table.send(table.page(f"{deleted}/removal").form("/removal"))
    assert "All 2 games" in table.page("/").text


def test_a_finished_game_shows_its_totals_and_that_it_is_over(table: Table) -> None:
    table.new_game(target=30)
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    sides = table.page("/").texts("ul[@class='felt-sides']/li")
    assert sides == [f"{NORTH} 30", f"{EAST} 20", f"{SOUTH} 10", f"{WEST} 40"]
    table.new_game()
    (line,) = table.page("/").texts("ul[@class='results']/li/a")
    for part in (f"{NORTH} 30", f"{EAST} 20", f"{SOUTH} 10", f"{WEST} won with 40"):
        assert part in line


def test_games_of_other_tables_are_not_shown(game: Table) -> None:
    guest = Table(game.app)
    guest.join()
    assert game.game_id not in guest.get("/").get_data(as_text=True)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_nothing_can_be_sent_to_it(table: Table, method: str) -> None:
    before = table.everything()
    fields = {"csrf_token": table.token()}
    assert table.client.open("/", method=method, data=fields).status_code == 405
    assert table.everything() == before


# A server that is open to all


@pytest.fixture
def open_app(app: Flask) -> Flask:
    """A server on which anybody may start a table."""
    app.config["OPEN"] = True
    return app


@pytest.mark.usefixtures("open_app")
def test_a_stranger_starts_a_table_and_deals(stranger: Table) -> None:
    answer = stranger.send(stranger.page("/").form("/tables"))
    assert (answer.status_code, answer.location) == (303, "/games/new")
    stranger.new_game()
    with stranger.store.write() as db:
        (own,) = db.query("SELECT table_id FROM phones WHERE id = ?", [stranger.session["phone"]])
    assert own["table_id"] != stranger.id


@pytest.mark.usefixtures("open_app")
def test_a_public_server_shows_an_example_game_round_by_round(stranger: Table) -> None:
    (figure,) = stranger.page("/").all("figure")
    steps = [text_of(step) for step in figure.findall("div")]
    assert [step for step in steps if "Round 1" in step] == steps[:1]
    assert "Maya 141 Maya wins · 141 points, 70 ahead of June" in steps[-1]
    assert [step.get("hidden") is None for step in figure.findall("div")] == [False] * 4 + [True]


def test_a_house_shows_none(stranger: Table) -> None:
    assert not stranger.page("/").all("figure")


@pytest.mark.usefixtures("open_app")
def test_the_same_form_sent_again_starts_no_second_table(stranger: Table) -> None:
    form = stranger.page("/").form("/tables")
    stranger.send(form)
    before = stranger.everything()
    stranger.send(form)
    assert stranger.everything() == before


@pytest.mark.usefixtures("open_app")
def test_starting_a_table_needs_the_token_and_a_post(stranger: Table) -> None:
    before = stranger.everything()
    assert stranger.post("/tables", {}).status_code == 400
    assert stranger.get("/tables").status_code == 405
    assert stranger.everything() == before


def test_a_house_is_not_open_to_all(stranger: Table) -> None:
    before = stranger.everything()
    answer = stranger.post("/tables", {"csrf_token": stranger.token()})
    assert answer.status_code == 404
    assert stranger.everything() == before
