"""A phone that has scanned the slip of a table keeps score of what is played there tonight."""

import json
import re
import string
from typing import Any

import pytest
from flask import Flask

from scorekeeper.clock import now
from scorekeeper.club.events import Ended
from scorekeeper.store.sqlite import SQLiteDatabase
from scorekeeper.store.tables import SHORT, remove_phone
from scorekeeper.web.http.rate_limits import Limit
from scorekeeper.web.http.requests import MOST_KEPT
from tests.web.club.slips import Evening
from tests.web.play import Table
from tests.web.taps import report, send, undo_or_redo

BIDS = (3, 2, 4, 3)


def reaches(phone: Table, game_id: str) -> bool:
    """Return whether a phone sees a game and may enter a bid; it sees all or nothing.

    Where it has kept score of that before, its page leads away.
    """
    phone.game_id = game_id
    seen = {phone.get(phone.path + part).status_code for part in ("", "/phone.json", "/rules")}
    sent = phone.post(f"{phone.path}/rounds/1/sent", {"csrf_token": phone.token()}).status_code
    assert (seen, sent) in (({200}, 400), ({404}, 404), ({303, 404}, 404))
    return seen == {200}


def facts(phone: Table, path: str) -> dict[str, Any]:
    """Return what a phone keeps."""
    found: dict[str, Any] = json.loads(phone.get(path).data)
    return found


def test_a_slip_says_what_it_is_for_and_changes_nothing(evening: Evening, stranger: Table) -> None:
    before = stranger.everything()
    page = stranger.page(evening.slip(1))
    assert page.texts("h1") == ["Table 1"]
    assert "Match 1: being played" in page.text
    assert set(page.texts("li")) == set(stranger_names(evening, 1))
    assert "This phone will keep score here tonight." in page.text
    assert stranger.everything() == before
    assert not reaches(stranger, evening.game(1))


def stranger_names(evening: Evening, number: int) -> list[str]:
    table = evening.match.seating.tables[number - 1]
    entries = evening.now.night.entries
    return [name for side in table for entry in side for name in entries[entry].names]


def test_a_slip_leads_to_the_game_of_its_table_and_to_no_other(evening: Evening) -> None:
    keeper = evening.keeper(1)
    assert keeper.get(evening.slip(1)).location == f"/games/{evening.game(1)}"
    assert reaches(keeper, evening.game(1))
    assert not reaches(keeper, evening.game(2))


def test_what_a_keeper_enters_is_told_as_of_its_table(evening: Evening) -> None:
    keeper = evening.keeper(1)
    assert send(keeper, 1, bids=BIDS).status_code == 200
    assert keeper.game.rounds[0].bids == BIDS
    assert "Table 1" in keeper.page(f"{keeper.path}/changes").text


def test_two_keepers_of_a_table_see_the_same_game(evening: Evening) -> None:
    one, two = evening.keeper(1), evening.keeper(1)
    assert send(one, 1, bids=(3, "", "", "")).status_code == 200
    assert send(two, 1, bids=(3, 2, "", "")).status_code == 200
    games = [facts(phone, f"{phone.path}/phone.json")["game"] for phone in (one, two)]
    assert games[0] == games[1]


def test_a_phone_stays_in_its_own_table(evening: Evening, table: Table) -> None:
    table.begin()
    own, mine = table.id, table.game_id
    before = table.session["phone"]
    evening.keeper(1, table)
    assert table.session["phone"] == before
    assert reaches(table, mine)
    assert reaches(table, evening.game(1))
    assert "To your table at the club night" in table.page("/").text
    assert facts(table, "/phone.json")["games"][0]["id"] == mine
    table.id = own


def test_a_phone_that_keeps_score_may_join_a_table_of_its_own(
    evening: Evening, stranger: Table
) -> None:
    own = stranger.id
    evening.keeper(1, stranger)
    stranger.id = own
    assert stranger.join().status_code == 303
    assert reaches(stranger, evening.game(1))


def test_a_phone_that_leaves_its_own_table_goes_on_at_the_club(
    evening: Evening, table: Table
) -> None:
    evening.keeper(1, table)
    own = table.session["phone"][:SHORT]
    fields = {"csrf_token": table.token()}
    assert table.post(f"/table/phones/{own}/remove", fields).status_code == 303
    assert "phone" not in table.session
    assert reaches(table, evening.game(1))


def test_who_has_no_table_goes_from_home_to_the_slip(evening: Evening) -> None:
    keeper = evening.keeper(1)
    assert keeper.get("/").location == "/club/tonight"
    assert keeper.get("/club/tonight").location == evening.slip(1)


def test_between_matches_a_phone_with_a_table_of_its_own_gets_home(
    evening: Evening, table: Table
) -> None:
    waiting = evening.keeper(1), evening.keeper(2, table)
    evening.close()
    for number, phone, ways in ((1, waiting[0], []), (2, waiting[1], ["Home"])):
        assert phone.page(evening.slip(number)).texts("main//a") == ways
    assert table.get("/").status_code == 200


def test_between_matches_the_slip_says_what_comes(evening: Evening) -> None:
    keeper = evening.keeper(1)
    evening.close()
    page = keeper.page(evening.slip(1))
    assert "Match 2: not begun" in page.text
    assert "The game opens here as soon as the match begins." in page.text
    assert set(page.texts("li")) == set(stranger_names(evening, 1))
    evening.start(2)
    assert keeper.get(evening.slip(1)).location == f"/games/{evening.game(1)}"
    assert reaches(keeper, evening.game(1))


def test_a_match_that_is_over_at_a_table_shows_its_game(evening: Evening) -> None:
    keeper = evening.keeper(1)
    keeper.get(keeper.path)
    for number in range(1, 30):
        if keeper.state.phase == "over":
            break
        send(keeper, number, bids=BIDS, tricks=(3, 3, 4, 3))
    assert keeper.state.phase == "over"
    page = keeper.page(evening.slip(1))
    assert "Match 1: done at this table" in page.text
    assert f"/games/{keeper.game_id}" in [one.get("href") for one in page.all("a")]


def play_out(keeper: Table) -> None:
    """Play the game that a phone keeps to its end."""
    for number in range(1, 30):
        if keeper.state.phase == "over":
            return
        send(keeper, number, bids=BIDS, tricks=(3, 3, 4, 3))


def test_a_game_of_a_closed_match_leads_to_the_table(evening: Evening) -> None:
    keeper = evening.keeper(1)
    keeper.get(keeper.path)
    play_out(keeper)
    assert keeper.get(keeper.path).status_code == 200
    evening.close()
    answer = keeper.get(keeper.path)
    assert answer.location == "/club/tonight?number=1"
    assert keeper.get(answer.location).location == evening.slip(1)
    assert keeper.get(f"{keeper.path}/phone.json").status_code == 404
    assert keeper.get(f"/games/{evening.now.night.matches[0].games[2]}").status_code == 404
    evening.start(2)
    assert keeper.get(evening.slip(1)).location == f"/games/{evening.game(1)}"


def test_a_tap_whose_answer_was_lost_is_sent_again_and_changes_nothing(evening: Evening) -> None:
    keeper = evening.keeper(1)
    keeper.get(keeper.path)
    evening.close()
    last, seen = 0, ""
    while keeper.state.phase != "over":
        last, seen = last + 1, keeper.game.revision
        assert send(keeper, last, bids=BIDS, tricks=(3, 3, 4, 3)).status_code == 200
    version = keeper.game.version
    again = send(keeper, last, seen, bids=BIDS, tricks=(3, 3, 4, 3))
    assert again.status_code == 200
    assert again.get_json()["game"]["version"] == version
    changed = send(keeper, last, keeper.game.revision, bids=BIDS, tricks=(4, 3, 3, 3))
    assert changed.status_code == 404
    assert undo_or_redo(keeper, "undo", version, keeper.game.revision).status_code == 404
    assert report(keeper, last, bids=BIDS, tricks=(4, 3, 3, 3)).status_code == 404
    assert keeper.game.version == version


def leads(phone: Table, path: str) -> set[str]:
    """Return where the links and forms of a page lead."""
    page = phone.page(path)
    return {one.get("href") for one in page.all("a")} | {
        one.get("action") for one in page.all("form")
    }


def test_a_keeper_is_offered_only_what_it_may_do(evening: Evening) -> None:
    keeper = evening.keeper(1)
    parts = ("", "/rules", "/sheet", "/changes", "/rounds/1", "/result")
    seen = {path for part in parts[:-1] for path in leads(keeper, keeper.path + part)}
    assert {f"{keeper.path}/rules", f"{keeper.path}/sheet"} < seen
    play_out(keeper)
    at_end = {path for part in parts for path in leads(keeper, keeper.path + part)}
    assert {"/club/tonight?number=1", f"{keeper.path}/result"} < at_end
    assert f"{keeper.path}/again" not in at_end
    for path in seen | at_end:
        if path and path.startswith("/"):
            assert keeper.get(path.partition("#")[0]).status_code != 404, path


def test_a_phone_of_the_club_is_offered_all_of_it(evening: Evening) -> None:
    director, keeper = evening.director, evening.keeper(1)
    play_out(keeper)
    path = keeper.path
    due = {f"{path}/share", f"{path}/rules/change", f"{path}/removal"}
    assert facts(director, f"{path}/phone.json")["game"]["kept"] is False
    assert facts(keeper, f"{path}/phone.json")["game"]["kept"] is True
    assert not leads(keeper, path) & due
    assert leads(director, path) >= due


def test_a_match_has_no_rematch_until_the_evening_is_over(evening: Evening) -> None:
    director, keeper = evening.director, evening.keeper(1)
    play_out(keeper)
    path = keeper.path
    back = "/club/tonight?number=1"
    assert facts(director, f"{path}/phone.json")["game"]["match"] == 1
    assert back in leads(director, path)
    assert f"{path}/again" not in leads(director, path) | leads(director, "/")
    assert director.get(back).location == evening.slip(1)
    token, before = {"csrf_token": director.token()}, director.everything()
    assert director.post(f"{path}/again", token).location == back
    assert director.everything() == before
    evening.end()
    assert "match" not in facts(director, f"{path}/phone.json")["game"]
    assert f"{path}/again" in leads(director, path) & leads(director, "/")
    assert back not in leads(director, path)


def test_a_match_is_no_other_game_of_the_same_players(evening: Evening) -> None:
    director, match = evening.director, evening.keeper(1)
    names = match.game.names
    assert director.new_game(players=names, target=30).status_code == 303
    director.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    assert director.state.phase == "over"
    send(match, 1, bids=BIDS, tricks=(3, 3, 4, 3))
    answer = director.send(director.page().form("/again"))
    assert answer.status_code == 303


def test_the_way_back_leads_to_the_table_of_the_game(evening: Evening) -> None:
    phone = evening.keeper(2, evening.keeper(1))
    for number in (1, 2):
        assert phone.get(f"/club/tonight?number={number}").location == evening.slip(number)
    assert phone.get("/club/tonight?number=x").location == evening.slip(2)


def test_at_a_number_where_nobody_sits_the_slip_says_so(evening: Evening) -> None:
    keeper = evening.keeper(3)
    assert "Nobody plays at this table in this match." in keeper.page(evening.slip(3)).text
    assert not reaches(keeper, evening.game(1))


def test_rights_end_with_the_match(evening: Evening) -> None:
    keeper, first = evening.keeper(1), evening.game(1)
    evening.close()
    evening.start(2)
    assert reaches(keeper, evening.game(1))
    assert not reaches(keeper, evening.game(2))
    assert keeper.post(f"/games/{first}/again", keeper.fresh()).status_code == 404


def test_what_was_played_without_the_server_arrives_after_a_result_by_hand(
    evening: Evening,
) -> None:
    keeper, first = evening.keeper(1), evening.game(1)
    evening.close()
    assert reaches(keeper, first)
    assert send(keeper, 1, bids=BIDS).status_code == 200
    evening.do(Ended())
    assert not reaches(keeper, first)


def test_rights_end_with_the_evening_and_return_if_that_is_undone(evening: Evening) -> None:
    keeper, first = evening.keeper(1), evening.game(1)
    evening.end()
    assert not reaches(keeper, first)
    assert "This evening has ended." in keeper.page(evening.slip(1)).text
    assert keeper.get("/club/tonight").location == "/"
    assert keeper.get("/").status_code == 200  # as a stranger
    late = Table(evening.app)
    late.post(evening.slip(1), {"csrf_token": late.token()})
    assert "keepers" not in late.session
    evening.undo()
    assert reaches(evening.keeper(1), first)


def end_slip(evening: Evening, phone: Table) -> int:
    """Let a phone end the slip of table 1, and return the status."""
    fields = {"csrf_token": phone.token(), "version": evening.now.version, "number": 1}
    return phone.post(f"/club/{evening.id}/links", fields).status_code


def test_a_slip_that_the_director_ends_ends_what_came_by_it(evening: Evening) -> None:
    keeper, other, old = evening.keeper(1), evening.keeper(2), evening.slip(1)
    assert end_slip(evening, evening.director) == 303
    assert not reaches(keeper, evening.game(1))
    assert reaches(other, evening.game(2))
    assert keeper.get(old).status_code == 404
    assert "This link no longer works" in keeper.page(old).text
    assert evening.slip(1) != old
    assert reaches(evening.keeper(1, keeper), evening.game(1))


def test_nobody_but_a_director_ends_a_slip(evening: Evening, table: Table) -> None:
    for phone in (table, evening.keeper(1), Table(evening.app)):
        assert end_slip(evening, phone) == 404
    assert not evening.now.night.links


def test_after_the_evening_no_slip_is_ended(evening: Evening) -> None:
    evening.end()
    assert end_slip(evening, evening.director) == 422


def test_a_keeper_is_listed_and_removed_among_the_devices(evening: Evening) -> None:
    keeper, director = evening.keeper(1), evening.director
    page = director.page("/table")
    assert [text.split(" seen")[0] for text in page.texts("ul[@id='keepers']/li/span")] == [
        "Table 1"
    ]
    assert len(page.all("ul[@id='phones']/li")) == 1
    assert director.send(page.form("/remove")).status_code == 303
    assert not reaches(keeper, evening.game(1))
    assert director.send(director.page("/table").form("/restore")).status_code == 303
    assert reaches(keeper, evening.game(1))


def test_the_phones_of_the_club_need_no_slip(evening: Evening) -> None:
    director = evening.director
    assert director.get(evening.slip(2)).location == f"/games/{evening.game(2)}"
    before = director.count("phones")
    director.post(evening.slip(2), {"csrf_token": director.token()})
    assert director.count("phones") == before
    assert "keepers" not in director.session


def test_a_second_tap_joins_no_second_phone(evening: Evening) -> None:
    keeper = evening.keeper(1)
    before, kept = keeper.count("phones"), keeper.session["keepers"]
    keeper.post(evening.slip(1), {"csrf_token": keeper.token()})
    assert (keeper.count("phones"), keeper.session["keepers"]) == (before, kept)


def test_a_cookie_keeps_the_last_tables(evening: Evening, stranger: Table) -> None:
    for number in range(1, MOST_KEPT + 3):
        evening.keeper(number, stranger)
    assert len(stranger.session["keepers"]) == MOST_KEPT
    assert not reaches(stranger, evening.game(1))
    assert reaches(evening.keeper(2, stranger), evening.game(2))


def test_a_form_without_its_token_joins_nobody(evening: Evening, stranger: Table) -> None:
    before = stranger.everything()
    assert stranger.post(evening.slip(1), {}).status_code == 400
    assert stranger.post(evening.slip(1), {"csrf_token": "x" * 91}).status_code == 400
    assert stranger.everything() == before


def tampered(key: str) -> list[str]:
    """Return a key with one sign changed in each place, cut, lengthened, and of other kinds."""
    signs = string.ascii_lowercase + "234567"
    changed = [
        key[:at] + signs[(signs.index(one) + 1) % 32] + key[at + 1 :] for at, one in enumerate(key)
    ]
    swapped = [key[1:] + key[0], key[::-1], key[13:] + key[:13]]
    cut = [key[:-1], key[1:], key[:13], key[0], key + "a", "a" + key, key * 2, "a" * 26, "0" * 26]
    return [*changed, *swapped, *cut, "null", "none", "%00", "é" * 26, "a" * 3000, "26"]


def test_44_tampered_keys_open_nothing(evening: Evening, app: Flask) -> None:
    path, _slash, key = evening.slip(1).rpartition("/")
    keys = tampered(key)
    assert len(keys) == len(set(keys)) == 44
    phone = Table(app)
    before = phone.everything()
    for wrong in keys:
        assert phone.get(f"{path}/{wrong}").status_code == 404, wrong
        fields = {"csrf_token": phone.token()}
        assert phone.post(f"{path}/{wrong}", fields).status_code == 404, wrong
    assert not reaches(phone, evening.game(1))
    assert phone.everything() == before


def test_a_slip_opens_its_own_table_and_evening_alone(evening: Evening, app: Flask) -> None:
    other, key = Evening(app), evening.slip(1).rpartition("/")[2]
    other.start(1)
    wrong = [
        f"/club/{evening.id}/tables/2/{key}",
        f"/club/{evening.id}/tables/11/{key}",
        f"/club/{other.id}/tables/1/{key}",
        f"/club/{'0' * 10}/tables/1/{key}",
        f"/club/{evening.id}/wall/{key}",
        f"/join/{key}",
        f"/watch/{key}",
    ]
    keeper = evening.keeper(1)
    for path in wrong:
        assert keeper.get(path).status_code == 404, path
    assert not reaches(keeper, other.game(1))
    again = Evening(app, evening.director)
    again.start(1)
    assert not reaches(keeper, again.game(1))


def test_a_slip_counts_by_the_phone_that_was_removed(evening: Evening) -> None:
    keeper = evening.keeper(1)
    with evening.director.store.write() as db:
        remove_phone(db, evening.director.id, keeper.session["keepers"][0][:SHORT], now())
    assert not reaches(keeper, evening.game(1))
    page = keeper.page(evening.slip(1))
    assert "Keep score here" in page.text  # the card is good: the director ends that apart


@pytest.mark.sqlite
def test_a_tap_at_a_home_table_asks_nothing_of_club_nights(evening: Evening, game: Table) -> None:
    db, asked = game.store.db, list[str]()
    assert isinstance(db, SQLiteDatabase)
    send(game, 1, bids=(3, "", "", ""))
    db.conn.set_trace_callback(asked.append)
    send(game, 1, bids=(3, 2, "", ""))
    db.conn.set_trace_callback(None)
    about = [" ".join(one.split()) for one in asked if "club_" in one]
    assert len(about) == 1, about  # whose phone it is, which is none that keeps score elsewhere
    assert about[0].startswith("SELECT phones.id")


def test_changes_are_counted_by_game(evening: Evening) -> None:
    evening.app.config["OPEN"] = True
    limits = evening.app.extensions["limits"]
    limits.changes = Limit(2, 3600)
    one, other = evening.keeper(1), evening.keeper(2)
    taps = [(3, "", "", ""), (3, 2, "", ""), (3, 2, 4, "")]
    assert [send(one, 1, bids=bids).status_code for bids in taps] == [200, 200, 429]
    assert [send(other, 1, bids=bids).status_code for bids in taps] == [200, 200, 429]


def test_pages_are_counted_by_game(evening: Evening) -> None:
    budgets = evening.app.extensions["budgets"]
    keepers = [evening.keeper(number) for number in (1, 2)]
    for keeper in keepers:
        keeper.get(keeper.path)
        account = f"phone {keeper.session['keepers'][0]}"
        assert budgets.table_of.get(account) == f"{keeper.id} {keeper.game_id}"


def test_the_page_of_a_game_loads_nothing_of_club_nights(evening: Evening) -> None:
    path = f"/games/{evening.match.games[1]}"
    loaded = [
        one
        for phone in (evening.director, evening.keeper(1))
        for one in re.findall(r"/static/[^\"]+", phone.get(path).text)
    ]
    assert any("js/game/" in one for one in loaded)
    assert [one for one in loaded if "club" in one] == []
