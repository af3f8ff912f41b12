"""The history: games found again, page by page; removed, and brought back."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.store import history, journal, statistics
from scorekeeper.store.entry import Entry, GameSetup, create_game
from scorekeeper.store.games import load_game
from scorekeeper.store.journal import Who
from tests.store.play import put_round
from tests.web.checklist import Checklist
from tests.web.play import EAST, NORTH, SOUTH, WEST, Table, page_of

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
FOUR = (NORTH, EAST, SOUTH, WEST)


def game_of(
    table: Table,
    players: Sequence[str] = FOUR,
    rules: str = "cutthroat-lite",
    day: float = 0,
    rounds: int = 0,
) -> str:
    """Record a game that began some days after the first; South wins it after three rounds."""
    at = NOON + timedelta(days=day)
    with table.store.write() as db:
        game_id = create_game(db, table.id, GameSetup(PRESETS[rules], players, 0), Who(None, at))
        for number in range(1, rounds + 1):
            game = load_game(db, table.id, game_id)
            assert game is not None
            round_ = Round((3, 2, Nil.NIL, 4), (3, 4, 0, 3))
            put_round(db, game, Entry(number, round_, "scored"), journal.Who(None, at))
    return game_id


def shown(table: Table, path: str = "/history") -> list[str]:
    """Return the ids of the games on a page."""
    return [str(link.get("href"))[-10:] for link in table.page(path).all("div[@id='found']//li/a")]


def walk(table: Table, path: str = "/history") -> list[list[str]]:
    """Return the ids on each page, from the first to the last."""
    pages = []
    while path:
        pages.append(shown(table, path))
        following = table.page(path).all("a[@rel='next']")
        path = str(following[0].get("href")) if following else ""
    return pages


def test_a_stranger_sees_no_history(stranger: Table) -> None:
    assert stranger.get("/history").status_code == 404
    assert stranger.get("/history/removed").status_code == 404


def test_the_home_page_leads_to_it(table: Table) -> None:
    links = [link.get("href") for link in table.page("/").all("a")]
    assert "/history" in links


def test_an_entry_tells_day_rule_book_sides_totals_winner_and_state(table: Table) -> None:
    game_of(table, rounds=3)
    page = table.page("/history")
    assert page.texts("h2[@class='evening']/a") == ["Thursday, 1 Jan 2026"]
    entry = page.texts("div[@id='found']//li")[0]
    for what in (
        "Cutthroat Spades LITE",
        "North 90",
        "South won with 150",
        "3 rounds",
    ):
        assert what in entry
    assert entry.count("won") == 1


def test_an_evening_tells_who_was_ahead_of_luck(table: Table) -> None:
    game_of(table, rounds=3)
    game_of(table, (SOUTH, "Centre", NORTH, EAST), rounds=3)  # Centre’s seat is not the winner’s
    game_of(table, rounds=3, day=7)
    page = table.page("/history")
    titles = page.texts("h2[@class='evening']/a")
    assert titles == [
        "Thursday, 8 Jan 2026",
        f"Thursday, 1 Jan 2026 {NORTH} and {SOUTH}’s evening · 2 games",
    ]
    assert page.all("h2[@class='evening']/a")[0].get("href").endswith("/evening?day=2026-01-08")


def test_games_after_midnight_belong_to_the_evening_before(table: Table) -> None:
    with table.store.write() as db:
        db.execute("UPDATE tables SET zone = 'UTC'")
    for hours in (9, 17, 18):  # from noon: 21:00, 05:00, 06:00
        game_of(table, rounds=3, day=hours / 24)
    told = table.page("/history").texts("h2[@class='evening']/a")
    assert [one.partition("2026")[0] for one in told] == ["Friday, 2 Jan ", "Thursday, 1 Jan "]
    assert "2 games" in told[1]


@pytest.mark.parametrize("wins", [(), (0, 1), (0, 1, 1)])
def test_a_level_evening_has_no_winner(table: Table, wins: tuple[int, ...]) -> None:
    for first in wins:
        game_of(table, (NORTH, SOUTH) if first else (SOUTH, NORTH), rounds=0)
    with table.store.write() as db:
        for n, first in enumerate(wins):
            db.execute(
                "UPDATE player_games SET place = CASE player_id WHEN ? THEN 2 ELSE 1 END, "
                "sides = 2, side = 0 "
                "WHERE game_id = (SELECT id FROM games ORDER BY id LIMIT 1 OFFSET ?)",
                [first + 1, n],
            )
    ahead = statistics.most_ahead(table.store.db, table.id)
    assert len(ahead) == (1 if len(wins) == 3 else 0)


def test_an_empty_history_says_what_will_stand_there(table: Table) -> None:
    guest = Table(table.app)
    guest.join()
    page = guest.page("/history")
    assert "Your games will stand here" in page.text
    hrefs = [link.get("href") for link in page.all("section//a")]
    assert hrefs == ["/games/new", "/import"]
    assert not page.all("form")
    assert "/export" not in guest.get("/history").text
    assert "Your games" not in guest.page("/history?player=x").text


def test_winner_and_partners_are_chosen_from_lists(table: Table) -> None:
    alone = game_of(table, rounds=3)
    partners = game_of(table, rules="partnership-250", day=1, rounds=3)
    page = table.page("/history?rules=partnership-250")
    chips = {one.get("href"): one.text for one in page.all("nav[@class='history-chips scroll']/a")}
    assert chips["/history/winners?rules=partnership-250"] == "Winner"
    winner = table.page("/history/winners").all("ul[@id='choices']/li/a")[0]
    assert shown(table, str(winner.get("href"))) == [alone]
    with table.store.write() as db:
        db.execute(
            "UPDATE player_games SET side = (player_id + 1) % 2, place = 1 WHERE game_id = ?",
            [partners],
        )
    (pair, other) = table.page("/history/partners").all("ul[@id='choices']/li/a")
    assert pair.get("href") == f"/history?partners={NORTH},+{SOUTH}"
    for one in (pair, other):
        assert shown(table, str(one.get("href"))) == [partners]
    assert shown(table, f"/history?partners={NORTH},{EAST}") == []
    assert shown(table, f"/history?partners={NORTH},{SOUTH}&winner={WEST}") == [partners]
    answer = table.get(f"/history?partners={NORTH}")
    assert "Enter two names" in answer.text


def test_an_unfinished_game_leads_back_to_it(table: Table) -> None:
    game_id = game_of(table, rounds=1)
    assert shown(table) == [game_id]
    assert "Round 2 in progress" in table.page("/history").text


def test_games_of_other_tables_are_not_among_them(table: Table) -> None:
    game_of(table)
    guest = Table(table.app)
    guest.join()
    assert shown(guest) == []
    assert guest.get(f"/history?after={shown(table)[0]}").status_code == 404


def test_pages_are_complete_and_hold_nothing_twice(table: Table) -> None:
    made = [game_of(table, day=day // 3) for day in range(45)]
    pages = walk(table)
    assert [len(page) for page in pages] == [20, 20, 5]
    flat = [game_id for page in pages for game_id in page]
    assert sorted(flat) == sorted(made)
    started = [made.index(game_id) // 3 for game_id in flat]
    assert started == sorted(started, reverse=True)


def test_exactly_one_page_has_no_next_one(table: Table) -> None:
    for day in range(20):
        game_of(table, day=day)
    assert [len(page) for page in walk(table)] == [20]


def test_a_page_goes_on_where_it_ended_although_that_game_was_removed(table: Table) -> None:
    made = [game_of(table, day=day) for day in range(22)]
    second = str(table.page("/history").one("a[@rel='next']").get("href"))
    game = load_game(table.store.db, table.id, made[2])
    assert game is not None
    with table.store.write() as db:
        history.remove_game(db, game, None, NOON)
    assert shown(table, second) == [made[1], made[0]]


def test_it_is_found_by_player_rule_book_winner_and_day(table: Table) -> None:
    won = game_of(table, rounds=3, day=1)
    begun = game_of(table, [SOUTH, "Centre", NORTH], day=2)
    partners = game_of(table, rules="partnership-500", day=3)
    for query, found in {
        "player=centre": [begun],
        "player=south": [partners, begun, won],
        "player=south,centre": [begun],
        "player=south، centre": [begun],
        "player=south、centre": [begun],
        "player=west,centre": [],
        "winner=south": [won],
        "winner=north": [],
        "player=west&winner=south": [won],
        "rules=partnership-500": [partners],
        "player=west&rules=partnership-500": [partners],
        "from=2026-01-03": [partners, begun],
        "to=2026-01-02": [won],
        "from=2026-01-03&to=2026-01-03": [begun],
        "player=south&from=2026-01-03&to=2026-01-03": [begun],
    }.items():
        assert shown(table, f"/history?{query}") == found, query


def test_a_part_of_a_name_finds_everybody_who_has_it_once(table: Table) -> None:
    both = game_of(table, ["Ana", "Diana", "Ben"], day=1)
    other = game_of(table, ["Diana", "Ben", "Cy"], day=2)
    assert shown(table, "/history?player=an") == [other, both]
    assert shown(table, "/history?player=ANA") == [both]


@pytest.mark.parametrize(
    ("asked", "offered"),
    [
        ("Dianna", ["Diana", "Ana"]),
        ("diena, ben", ["Diana, ben"]),
        ("Beñ", ["Ben"]),
        ("Zoltán", []),
        ("D" * 500, []),
        ("<b>", []),
    ],
)
def test_a_name_that_nobody_has_is_said_with_the_nearest(
    table: Table, asked: str, offered: list[str]
) -> None:
    game_of(table, ["Ana", "Diana", "Ben"], day=1)
    page = page_of(table.get("/history", query_string={"player": asked, "from": "2026-01-01"}))
    name = asked.partition(",")[0]
    said = f"“{name[:20]}…”" if len(name) > 20 else f"“{name}”"
    assert page.texts("p[@id='player-error']") == [f"No games with {said}."]
    links = {one.get("href"): "".join(one.itertext()) for one in page.all("a[@class='button']")}
    links.pop("/history")  # all games
    assert links.pop(next(href for href in links if "note=" in str(href))).endswith(asked)
    assert [*links.values()] == [f"Search for {one}" for one in offered]
    for href in links:
        assert len(shown(table, str(href))) == 1


def test_filters_stay_while_paging(table: Table) -> None:
    made = [game_of(table, FOUR if day % 2 else ["Ana", "Ben", "Cy"], day=day) for day in range(50)]
    pages = walk(table, "/history?player=west&rules=cutthroat-lite")
    assert [game_id for page in pages for game_id in page] == made[::-1][::2]
    assert len(pages) == 2


def test_the_fields_show_what_was_asked(table: Table) -> None:
    game_of(table)
    page = table.page("/history?player=west&rules=cutthroat&from=2026-01-01")
    assert page.one("input[@id='player']").get("value") == "west"
    assert page.one("input[@id='from']").get("value") == "2026-01-01"
    assert "No games found" in page.text


@pytest.mark.parametrize(
    ("query", "field"),
    [("rules=whist", "rules"), ("from=yesterday", "from"), ("to=0001-01-01", "to"),
     ("from=2026-02-01&to=2026-01-01", "to"), ("to=9999-12-31", "to")],
)  # fmt: skip
def test_what_cannot_be_asked_is_said_beside_the_field(
    table: Table, query: str, field: str
) -> None:
    game_of(table)
    answer = table.get(f"/history?{query}")
    assert answer.status_code == 422
    assert page_of(answer).error_of(field)
    assert not page_of(answer).all("div[@id='found']")


@pytest.mark.parametrize(
    "text",
    ["%", "_", "'", '"', "\\", "<script>", "%00", "x" * 200, "\u202e", "🂡", ",,,", "a,b,c,d,e,f,g",
     "' OR 1=1 --", "%ED%A0%80", "‍"],
)  # fmt: skip
def test_a_hostile_search_finds_nothing_and_breaks_nothing(table: Table, text: str) -> None:
    game_of(table)
    for field in ("player", "winner"):
        answer = table.client.get("/history", query_string={field: text})
        assert answer.status_code == 200
        assert "<script>" not in page_of(answer).html.replace("<script ", "")


def test_hostile_names_are_shown_as_they_are(table: Table) -> None:
    names = ["<b>Ana</b>", "=1+1", 'O\'Brien "x"']
    game_of(table, names)
    assert table.page("/history").texts("bdi") == [*names, "Cutthroat Spades LITE"]
    answer = table.client.get("/history", query_string={"player": names[0]})
    assert page_of(answer).all("div[@id='found']")


def test_a_rare_game_is_looked_for_in_steps(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MAX_EXAMINED", 10)
    rare = game_of(table, rounds=3)
    for day in range(1, 15):
        game_of(table, day=day)
    pages = walk(table, "/history?winner=south")
    assert pages == [[], [rare]]
    assert "Search further back" in table.page("/history?winner=south").text


# Removing and bringing back


class TestRemoval(Checklist):
    """A game is removed after a question."""

    __test__ = True

    def address(self, table: Table) -> str:
        return f"{table.path}/removal"

    def test_asking_changes_nothing(self, ready: Table) -> None:
        before = ready.everything()
        assert "Delete this game?" in ready.page(self.address(ready)).text
        assert ready.everything() == before


@pytest.fixture
def removed(game: Table) -> Table:
    """A game of one round that was removed."""
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    assert game.send(game.page(f"{game.path}/removal").form("/removal")).status_code == 303
    return game


def back(table: Table) -> Any:
    return table.send(table.page("/history/removed").form(table.game_id))


def test_a_removed_game_is_gone_everywhere_but_among_the_removed(removed: Table) -> None:
    for path in ("", "/share", "/changes", "/rounds/1", ".csv", "/rules", "/removal"):
        assert removed.get(removed.path + path).status_code == 404, path
    assert removed.game_id not in removed.page("/").html
    assert shown(removed) == []
    assert "Kim's phone" in removed.page("/history/removed").text
    assert "Your players will stand here" in removed.page("/players").text


def test_nothing_can_be_recorded_in_it(game: Table) -> None:
    form = game.round_form()
    game.send(game.page(f"{game.path}/removal").form("/removal"))
    before = game.everything()
    assert game.send(form, **{"bid-1": 3}).status_code == 404
    assert game.everything() == before


def test_brought_back_it_is_as_it_was(game: Table) -> None:
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    rounds, totals = game.game.rounds, game.page("/players").texts("td")
    game.send(game.page(f"{game.path}/removal").form("/removal"))
    assert back(game).location.endswith(game.path)
    assert game.game.rounds == rounds
    assert game.page("/players").texts("td") == totals
    assert game.undo().status_code == 303
    assert game.game.rounds != rounds


def test_the_journal_tells_who_removed_it(removed: Table) -> None:
    back(removed)
    text = removed.page(f"{removed.path}/changes").text
    assert "game deleted Kim's phone" in text
    assert "game restored" in text


def test_bringing_back_twice_changes_nothing_more(removed: Table) -> None:
    form = removed.page("/history/removed").form(removed.game_id)
    removed.send(form)
    before = removed.everything()
    assert removed.send(form).status_code == 303
    assert removed.everything() == before


def test_only_its_table_brings_it_back(removed: Table) -> None:
    guest, stranger = Table(removed.app), Table(removed.app)
    guest.join()
    before = removed.everything()
    for phone in (guest, stranger):
        answer = phone.post(f"/history/removed/{removed.game_id}", {"csrf_token": phone.token()})
        assert answer.status_code == 404
    assert removed.post(f"/history/removed/{removed.game_id}", {}).status_code == 400
    assert [row for row in removed.everything() if row[0] == "games"] == [
        row for row in before if row[0] == "games"
    ]


def test_removed_games_are_paged_too(table: Table) -> None:
    for day in range(25):
        game = load_game(table.store.db, table.id, game_of(table, day=day))
        assert game is not None
        with table.store.write() as db:
            history.remove_game(db, game, None, NOON + timedelta(days=day // 2))
    first = table.page("/history/removed")
    second = table.page(str(first.one("a[@rel='next']").get("href")))
    forms = [form.action for page in (first, second) for form in page.forms()]
    assert (len(first.forms()), len(second.forms())) == (20, 5)
    assert len(set(forms)) == 25
    assert table.get("/history/removed?after=0000000000").status_code == 404


def test_a_look_on_link_of_a_removed_game_shows_nothing(game: Table) -> None:
    game.send(game.page(f"{game.path}/share").form("/watching"), on="yes")
    links = [link.get("href") or "" for link in game.page(f"{game.path}/share").all("a")]
    watch = min({link[link.index("/watch/") :] for link in links if "/watch/" in link}, key=len)
    assert game.get(watch).status_code == 200
    game.send(game.page(f"{game.path}/removal").form("/removal"))
    assert game.get(watch).status_code == 404


def test_an_evening_is_settled_with_the_fewest_payments(table: Table) -> None:
    for winner in (NORTH, SOUTH):
        table.new_game(target=30, stake="5")
        bids = [4 if one == winner else 2 for one in FOUR]
        table.play_round(bids, bids)
    page = table.page("/history")
    assert "pays" not in page.text
    today = page.all("nav//a[.='Today']")
    (section,) = table.page(str(today[0].get("href"))).texts("section[@id='payments']")
    assert section.split("Who pays whom")[1].split(".")[:2] == [
        f" {EAST} pays {NORTH} 10",
        f" {WEST} pays {SOUTH} 10",
    ]


def test_the_end_of_a_game_leads_to_the_other_games_of_the_evening(table: Table) -> None:
    link = "a[.='Today’s games']"
    found = []
    for _game in range(2):
        table.new_game(target=30)
        table.play_round((4, 2, 2, 2), (4, 2, 2, 2))
        found.append([one.get("href") for one in table.page().all(link)])
    (today,) = table.page("/history").all("nav//a[.='Today']")
    assert found == [[], [today.get("href")]]
    assert table.page(f"{table.path}/result").one(link).get("href") == today.get("href")


def test_a_game_of_another_evening_leads_to_no_others(table: Table) -> None:
    paths = [f"/games/{game_of(table, rounds=3)}" for _game in range(2)]
    assert "Today’s games" not in table.page(paths[0]).text
