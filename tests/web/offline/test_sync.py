"""Snapshots for offline use, and what a phone sends when it is online again."""

import json
import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from scorekeeper import i18n
from scorekeeper.rules.presets import CUTTHROAT_LITE, PRESETS
from scorekeeper.store.backup import back_up
from scorekeeper.store.connection import sqlite3
from scorekeeper.store.tables import save_rules
from scorekeeper.web import offline
from scorekeeper.web.offline import GAMES_KEPT
from tests.web.http.test_translated import Brackets
from tests.web.play import EAST, NORTH, PLAYERS, SOUTH, WEST, Table, page_of
from tests.web.taps import SCORED, fields, send

NEW = {"rules": "cutthroat-lite", "first_dealer": "2", "request_key": "one"}


def begin(table: Table, **changes: Any) -> TestResponse:
    """Send a game that was started offline."""
    names = {f"player-{n}": name for n, name in enumerate((NORTH, EAST, SOUTH, WEST), 1)}
    return table.post("/phone/games", {"csrf_token": table.token(), **NEW, **names, **changes})


# Facts to go on with


def test_a_phone_is_told_who_plays_here_by_which_rules(game: Table) -> None:
    game.new_game("partnership", target=300, stake="2.50")
    table_facts = game.get("/phone.json").get_json()
    assert set(table_facts["names"]) == set(PLAYERS[:4])
    shapes = dict(zip(table_facts["names"], table_facts["faces"], strict=True))
    assert shapes[PLAYERS[0]] == [1, 1]
    assert table_facts["games"][0]["faces"] == shapes
    assert table_facts["last"] == list(PLAYERS[:4])
    assert table_facts["stake"] == 250
    assert table_facts["games"][0]["id"] == game.game_id
    (last,) = [book for book in table_facts["books"] if book["last"]]
    assert (last["key"], last["house"]) == ("partnership", {"target": "300"})
    assert {book["key"] for book in table_facts["books"]} >= {"cutthroat-lite", "partnership-250"}


@pytest.mark.parametrize("path", ["/phone.json", "{game}/phone.json"])
def test_facts_that_a_phone_has_already_are_not_sent_again(game: Table, path: str) -> None:
    path = path.format(game=game.path)
    tag = game.get(path).headers["ETag"]
    assert game.get(path, headers={"If-None-Match": tag}).status_code == 304
    game.bid(3)
    assert game.get(path, headers={"If-None-Match": tag}).status_code == 200


def test_the_token_of_the_facts_is_good_for_sending(game: Table) -> None:
    token = game.get("/phone.json").get_json()["token"]
    sent = fields(SCORED, csrf_token=token, seen=1)
    assert game.post(f"{game.path}/rounds/1/sent", sent).status_code == 200


def test_two_phones_of_a_table_know_it_by_one_mark_and_another_table_by_another(
    game: Table, stranger: Table
) -> None:
    guest = Table(game.app)
    guest.join()
    marks = [
        one.get("/phone.json").get_json()["owner"] for one in (game, game.second_phone(), guest)
    ]
    assert marks[0] == marks[1] != marks[2]
    assert game.id not in marks[0]


def test_the_shell_names_nobody(game: Table) -> None:
    html = game.get("/phone").get_data(as_text=True)
    assert not [name for name in PLAYERS if name in html]
    assert game.game_id not in html
    assert not re.search('name="csrf_token" value="[^"]', html)


def test_everything_the_phone_says_goes_through_the_translations(
    game: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(i18n, "translations", lambda *_: Brackets())
    (data,) = game.page("/phone").all("script[@id='phone-words']")
    page_facts = json.loads(data.text or "")
    said = [*page_facts["words"].values(), *page_facts["phrases"].values()]
    said += [*dict(page_facts["value_names"]).values(), *page_facts["value_words"].values()]
    forms = [form for one in said for form in (one.values() if isinstance(one, dict) else [one])]
    assert len(forms) > len(said) > 50
    assert {form[0] + form[-1] for form in forms} == {"⟦⟧"}


# Games that were begun on the phone


def test_a_game_begun_on_the_phone_is_begun_here(table: Table) -> None:
    answer = begin(table, target="300")
    assert answer.status_code == 200
    table.game_id = answer.get_json()["game"]["id"]
    assert table.game.names == PLAYERS[:4]
    assert table.game.first_dealer == 1
    assert table.game.rules.target == 300


def test_a_game_begun_on_the_phone_has_its_stake(table: Table) -> None:
    table.game_id = begin(table, stake="2.50").get_json()["game"]["id"]
    assert table.game.stake == 250


@pytest.mark.parametrize(
    ("age", "seconds"),
    [
        ("1800", 1800),
        ("604801", 604_800),
        ("999999999", 604_800),
        *[(text, 0) for text in ("", "0", "-5", "1.5", "٣٠", "9999999999")],
    ],
)
def test_a_game_begun_on_the_phone_was_started_then(
    table: Table, age: str, seconds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    present = datetime(2026, 1, 3, 20, 15, tzinfo=UTC)
    monkeypatch.setattr(offline, "now", lambda: present)
    table.game_id = begin(table, age=age).get_json()["game"]["id"]
    started = datetime.fromisoformat(table.game.started)
    assert present - started == timedelta(seconds=seconds)


@pytest.mark.parametrize("rule", ["last", "random"])
def test_who_deals_first_is_a_house_rule_beside_the_dealer_of_this_game(
    table: Table, rule: str
) -> None:
    answer = begin(table, rules="cutthroat", first_dealer_rule=rule)
    table.game_id = answer.get_json()["game"]["id"]
    assert table.game.rules.first_dealer == rule
    assert table.game.first_dealer == 1


@pytest.mark.parametrize(
    ("sent", "kept"),
    [("Friday", "Friday"), ("  Friday ", "Friday"), ("", None), ("\u202eFriday", None)],
)
def test_its_rules_keep_the_name_that_the_phone_knew(
    table: Table, sent: str, kept: str | None
) -> None:
    answer = begin(table, target="300", rules_name=sent)
    table.game_id = answer.get_json()["game"]["id"]
    assert table.game.rules.name == (kept or PRESETS["cutthroat-lite"].name)


def test_a_phone_is_told_the_rules_that_the_table_named(table: Table) -> None:
    with table.store.write() as db:
        save_rules(db, table.id, replace(CUTTHROAT_LITE, name="Friday", target=300))
    books = table.get("/phone.json").get_json()["books"]
    (named,) = [book for book in books if book["named"]]
    assert (named["name"], named["house"]) == ("Friday", {"target": "300"})


def texts_of(table: Table, language: str = "en") -> dict[str, Any]:
    """Return the texts of house rules that a phone is told, by book and house rules."""
    answer = table.get("/phone.json", headers={"Accept-Language": language})
    return {
        " ".join([one["key"], *map("=".join, one["house"].items())]): one["text"]
        for one in answer.get_json()["texts"]
    }


def sentences_of(text: Any) -> list[str]:
    """Return every sentence of a text of rules."""
    return [sentence for topic in text["topics"] for sentence in topic["sentences"]]


def test_a_phone_is_told_the_texts_of_house_rules(table: Table) -> None:
    table.new_game("partnership")
    assert texts_of(table) == {}
    with table.store.write() as db:
        save_rules(db, table.id, replace(CUTTHROAT_LITE, name="Friday", target=300))
    table.new_game("call-break", rounds=9)
    texts = texts_of(table)
    assert set(texts) == {"cutthroat-lite target=300", "call-break rounds=9"}
    friday, nine = texts.values()
    assert "The game ends when a player reaches 300." in sentences_of(friday)
    assert "The game ends after 9 rounds." in sentences_of(nine)
    assert nine["examples"][0]["lines"][0].startswith("called ")  # the word of this book


def test_a_phone_is_told_the_texts_of_every_game_that_it_may_keep(table: Table) -> None:
    targets = range(200, 201 + GAMES_KEPT)
    for target in targets:
        table.new_game(target=target)
    assert set(texts_of(table)) == {f"cutthroat-lite target={n}" for n in targets[1:]}


def test_a_phone_is_told_texts_in_its_language(table: Table) -> None:
    table.new_game(target=200)
    english, german = (texts_of(table, language) for language in ("en", "de"))
    assert "Spades are trump." in sentences_of(english["cutthroat-lite target=200"])
    assert "Pik ist Trumpf." in sentences_of(german["cutthroat-lite target=200"])


def test_sent_again_it_is_the_same_game_also_when_it_is_over(table: Table) -> None:
    table.game_id = begin(table, target="20").get_json()["game"]["id"]
    send(table, 1, **SCORED)
    before = table.everything()
    assert begin(table, target="20").get_json()["game"]["id"] == table.game_id
    assert table.everything() == before


def test_a_key_that_came_with_another_game_is_422(table: Table) -> None:
    begin(table)
    before = table.everything()
    assert begin(table, target="300").status_code == 422
    assert table.everything() == before


def test_another_key_begins_another_game(table: Table) -> None:
    first = begin(table).get_json()["game"]["id"]
    assert begin(table, request_key="two").get_json()["game"]["id"] != first


@pytest.mark.parametrize(
    "changes",
    [
        {"rules": "nothing"},
        {"player-4": ""},
        {"player-4": "north"},
        {"first_dealer": "draw"},
        {"first_dealer": "9"},
        {"request_key": ""},
        {"target": "x"},
        {"stake": "x"},
        {"stake": "-1"},
        {"first_dealer_rule": "x"},
    ],
    ids=str,
)
def test_a_game_that_cannot_be_is_422_with_a_sentence(still: Table, changes: Any) -> None:
    before = still.everything()
    if changes.get("player-4") == "":
        changes = {**changes, "rules": "partnership"}
    answer = begin(still, **changes)
    assert answer.status_code == 422
    assert answer.get_json()["sentence"].endswith((".", "!"))
    assert still.everything() == before


# A server whose history went back


@pytest.fixture
def restore(game: Table, tmp_path: Path) -> Callable[[], None]:
    """Restore the game from before the first bid."""
    path, file = game.store.path, tmp_path / "backup.db"
    back_up(path, file)

    def restore() -> None:
        with closing(sqlite3.connect(file)) as old, closing(sqlite3.connect(path)) as there:
            old.backup(there)

    return restore


def seen_again(game: Table, revision: str) -> bool:
    facts = game.get(f"{game.path}/phone.json?seen={revision}").get_json()["game"]
    return bool(facts.get("restored", False))


@pytest.mark.sqlite
def test_a_phone_is_told_when_what_it_saw_is_gone(game: Table, restore: Callable[[], None]) -> None:
    game.bid(3)
    revision = game.game.revision
    game.bid(2)
    assert not seen_again(game, revision)
    game.undo()
    assert not seen_again(game, revision)
    restore()
    assert seen_again(game, revision)  # a lower version
    game.bid(4)
    assert seen_again(game, revision)  # the same version of another history
    game.bid(5)
    assert seen_again(game, revision)  # a higher one
    assert not seen_again(game, game.game.revision)
    assert seen_again(game, "7")  # a phone that only knew versions


@pytest.mark.parametrize("revision", ["", "x", "-", "٣", "9" * 400])
def test_a_revision_that_is_none_says_nothing(still: Table, revision: str) -> None:
    assert not seen_again(still, revision)


@pytest.mark.sqlite
def test_a_round_from_a_history_that_is_gone_is_409_and_says_so(
    game: Table, restore: Callable[[], None]
) -> None:
    game.bid(3)
    revision = game.game.revision
    restore()
    path = f"{game.path}/rounds/1/sent"
    sent = fields(SCORED, csrf_token=game.token(), seen=revision)
    answer = game.post(path, sent)
    assert answer.status_code == 409
    assert answer.get_json()["game"]["restored"] is True
    assert game.game.rounds == ()


@pytest.mark.sqlite
@pytest.mark.parametrize("step", ["round", "undo"])
def test_a_tap_from_a_history_that_is_gone_is_409_and_changes_nothing(
    game: Table, restore: Callable[[], None], step: str
) -> None:
    game.bid(3)
    game.bid(2)
    path = {"round": game.round_path(), "undo": f"{game.path}/undo"}[step]
    tap = {**game.round_form().fields, "bid-3": 4}
    restore()
    game.bid(5)
    before = game.everything()
    answer = game.post(path, tap)
    assert answer.status_code == 409
    assert "reset to an earlier state" in page_of(answer).alerts
    assert game.everything() == before


def test_a_game_that_a_table_never_had_is_lost_and_one_that_was_removed_is_not(
    game: Table,
) -> None:
    answer = game.get("/games/0000000000/phone.json")
    assert (answer.status_code, answer.get_json()["lost"]) == (404, True)
    assert game.get("/games/short/phone.json").get_json()["lost"] is False
    game.post(f"{game.path}/removal", game.fresh())
    assert game.get(f"{game.path}/phone.json").get_json()["lost"] is False
    guest = Table(game.app)
    guest.join()
    assert guest.get(f"{game.path}/phone.json").get_json()["lost"] is True


def test_a_lost_game_is_begun_again_under_its_address_and_once(table: Table) -> None:
    sent = [begin(one, game_id="abcdefghj2", stake="2.50") for one in (table, table.second_phone())]
    assert [answer.get_json()["game"]["id"] for answer in sent] == ["abcdefghj2"] * 2
    table.game_id = "abcdefghj2"
    assert (table.game.names, table.game.stake) == (PLAYERS[:4], 250)
    assert table.game.version == 1


@pytest.mark.parametrize("rule", ["last", "random"])
def test_a_lost_game_is_begun_again_with_who_deals_first(table: Table, rule: str) -> None:
    begin(table, game_id="abcdefghj2", rules="cutthroat", first_dealer_rule=rule)
    facts = table.get("/games/abcdefghj2/phone.json").get_json()["game"]
    assert (facts["rules"]["first_dealer"], facts["first_dealer"]) == (rule, 1)
    table.game_id = "abcdefghj2"
    assert table.game.rules.first_dealer == rule


@pytest.mark.parametrize("game_id", ["", "abc", "../../etc", "ABCDEFGHJ2"])
def test_only_what_can_be_a_game_is_begun_again(table: Table, game_id: str) -> None:
    answer = begin(table, game_id=game_id)
    assert answer.status_code == (422 if game_id else 200)


def test_the_game_of_another_table_is_not_begun_again(game: Table) -> None:
    guest = Table(game.app)
    guest.join()
    assert begin(guest, game_id=game.game_id).status_code == 422


def test_a_phone_that_the_server_has_lost_is_told_so_and_one_that_was_removed_is_not(
    game: Table,
) -> None:
    other = game.second_phone()
    with game.store.write() as db:
        db.execute("UPDATE phones SET removed = joined WHERE id = ?", [other.session["phone"]])
    assert other.get("/phone.json").get_json() is None
    lost = game.second_phone()
    with game.store.write() as db:
        db.execute("DELETE FROM phones WHERE id = ?", [lost.session["phone"]])
    assert lost.get("/phone.json").get_json() == {"lost": True}


def test_a_stranger_learns_nothing_from_a_game_that_is_not_complete(stranger: Table) -> None:
    answer = stranger.post("/phone/games", {"csrf_token": stranger.token()})
    assert answer.status_code == 404
