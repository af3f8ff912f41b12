"""Exports, and the import page: first a preview, then all or nothing."""

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from werkzeug.datastructures import FileStorage
from werkzeug.test import TestResponse, encode_multipart

from scorekeeper.files import imports
from scorekeeper.files.csv_columns import COLUMNS
from scorekeeper.files.imports import LARGEST_OF_PAGE, LINES_A_ROW, ROWS_OF_PAGE
from scorekeeper.i18n import LANGUAGES
from scorekeeper.store.check import faults
from scorekeeper.store.journal import GameRecord
from scorekeeper.web.http.security import LARGEST_BODY
from tests.web.page import Page
from tests.web.play import EAST, NORTH, SOUTH, WEST, Table, page_of

SHEET = """round,player,bid,tricks
1,Ana,3,3
1,Ben,2,4
1,Cy,nil,0
1,Dana,4,3
"""


MOST_LINES = LINES_A_ROW * ROWS_OF_PAGE


@pytest.fixture
def other(game: Table) -> Table:
    """A phone of another table on the same server."""
    other = Table(game.app)
    other.join()
    return other


@pytest.fixture
def played(game: Table) -> Table:
    """A game with two rounds, one of them corrected."""
    game.play_round((3, 3, 2, 1), (4, 5, 1, 0))
    game.play_round((1, 3, "nil", 1), (4, 5, 0, 1))
    game.correct(1, tricks_1=5, tricks_2=4)
    return game


def upload(table: Table, data: str | bytes, **fields: object) -> TestResponse:
    raw = data.encode() if isinstance(data, str) else data
    form = table.page("/import").form("choose")
    return send_file(table, raw, form.fields | fields)


def send_file(table: Table, raw: bytes, fields: dict[str, Any]) -> TestResponse:
    file = FileStorage(io.BytesIO(raw), "games.csv")
    boundary, body = encode_multipart(fields | {"file": file})
    kind = f"multipart/form-data; boundary={boundary}"
    return table.client.post("/import", data=body, content_type=kind)


def confirm(table: Table, answer: TestResponse, **fields: object) -> TestResponse:
    return table.send(page_of(answer).form("import"), **fields)


def said(table: Table, answer: TestResponse) -> str:
    assert answer.status_code == 303, page_of(answer).text
    return table.page(answer.location).text


def faults_of(answer: TestResponse) -> list[str]:
    assert answer.status_code == 422
    page = page_of(answer)
    assert page.all("form[@id='import']/button[@class='button strong']") == []
    return page.texts("ul[@id='faults']/li")


def games_of(table: Table) -> int:
    rows = table.store.db.execute("SELECT count(*) FROM games WHERE table_id = ?", [table.id])
    return int(rows.fetchone()[0])


# In, with a word on who left


def test_the_preview_tells_of_a_forgotten_row_and_of_a_misspelt_name(table: Table) -> None:
    rows = ("2,1,Ana,3,3", "2,2,Benn,2,4", "2,3,Cy,3,3")
    first = [f"1,{at},{row[2:]}" for at, row in enumerate(SHEET.splitlines()[1:], 1)]
    sheet = "\n".join(["round,seat,player,bid,tricks", *first, *rows])
    answer = upload(table, sheet)
    assert answer.status_code == 200
    assert page_of(answer).texts("ul[@id='notices']/li") == [
        "line 7: Round 2: Benn takes Ben’s seat. If that’s right, write left=yes in the notes of "
        "Ben’s row in round 1.",
        "line 6: Round 2 has no row for Dana. If Dana left, write left=yes in the notes of Dana’s "
        "row in round 1.",
    ]
    assert said(table, confirm(table, answer))
    exported = table.get("/history.csv").get_data()
    assert b",left=yes" in exported
    assert page_of(upload(table, exported)).texts("ul[@id='notices']/li") == []


# A title and a total, other words, a day, merged cells, digits, and cells that were left out.
EDITED = """Spades evening,,,,,,
Datum,Runde,Spieler,Gebot,Stiche,notes
24.11.2026,1,Ana,3,3
,,Ben,2,4,
,,Cy,nil,०,,
,,Dana,4,3
,Total,,,10
"""


def test_the_preview_tells_what_is_read_otherwise_than_it_stands(table: Table) -> None:
    answer = upload(table, EDITED)
    assert answer.status_code == 200
    notices = page_of(answer).texts("ul[@id='notices']/li")
    assert [one for one in notices if "24.11.2026" not in one] == [
        "line 1: This row is skipped: “Spades evening”.",
        "line 2: Column “Datum” is read as started.",
        "line 2: Column “Runde” is read as round.",
        "line 2: Column “Spieler” is read as player.",
        "line 2: Column “Gebot” is read as bid.",
        "line 2: Column “Stiche” is read as tricks.",
        "line 4: From here on, an empty “round” is read as the one above it.",
        "line 7: This row is skipped: “Total”.",
    ]
    assert "Imported 1 game." in said(table, confirm(table, answer))
    exported = table.get("/history.csv").get_data()
    assert page_of(upload(table, exported)).texts("ul[@id='notices']/li") == []


def test_a_fault_in_an_edited_sheet_is_named_with_its_line_alone(table: Table) -> None:
    assert faults_of(upload(table, EDITED.replace("Dana,4,3", "Dana,4,x"))) == [
        "line 6: “x” isn’t a number of tricks. Use 0 to 10."
    ]
    plain = SHEET.replace("Dana,4,3", "Dana,4,x") + "Total,,,10\n"
    assert faults_of(upload(table, plain)) == ["line 5: “x” isn’t a number of tricks. Use 0 to 10."]


def test_a_title_above_a_sheet_with_rules_does_not_hide_them(table: Table) -> None:
    head, *rows = SHEET.splitlines()
    sheet = "\n".join(["Our evening", f"rules;{head.replace(',', ';')}"])
    sheet += "".join(f"\ncutthroat-lite;{row.replace(',', ';')}" for row in rows)
    page = page_of(upload(table, sheet))
    assert page.texts("ul[@id='notices']/li") == ["line 1: This row is skipped: “Our evening”."]
    assert not page.all("input[@name='name-1']")


# Out


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_the_history_is_sent_whole(played: Table, kind: str) -> None:
    first = played.game_id
    played.new_game("partnership")
    played.play_round((3, 3, 2, 1), (4, 5, 2, 2))
    answer = played.get(f"/history.{kind}")
    text = answer.get_data(as_text=True)
    assert answer.status_code == 200
    assert first in text
    assert played.game_id in text
    assert f".{kind}" in answer.headers["Content-Disposition"]


def test_a_selection_is_sent_alone(played: Table) -> None:
    first = played.game_id
    played.new_game("partnership")
    text = played.get("/history.json?rules=partnership").get_data(as_text=True)
    assert [game["id"] for game in json.loads(text)["games"]] == [played.game_id]
    text = played.get("/history.csv?player=West&rules=cutthroat-lite").get_data(as_text=True)
    assert first in text
    assert played.get("/history.csv?from=tomorrow").status_code == 422


def test_the_file_of_a_game_holds_everything_but_secrets(played: Table) -> None:
    text = played.get(f"{played.path}.json").get_data(as_text=True)
    (game,) = json.loads(text)["games"]
    assert game["players"] == [NORTH, EAST, SOUTH, WEST]
    assert game["rules"]["target"] == 125
    assert game["rounds"][0]["tricks"] == [5, 4, 1, 0]
    assert game["changes"][-1]["kind"] == "corrected"
    assert {line["phone"] for line in game["changes"]} == {"Kim's phone"}
    phones = played.store.db.execute("SELECT id FROM phones").fetchall()
    assert not [phone for (phone,) in phones if phone in text]


@pytest.mark.parametrize("path", ["/history.csv", "/history.json", "/import", "/games/{id}.json"])
def test_strangers_see_nothing(played: Table, path: str) -> None:
    address = path.format(id=played.game_id)
    assert Table(played.app).get(address).status_code == 404


def test_another_table_sees_nothing(played: Table, other: Table) -> None:
    assert other.get(f"{played.path}.json").status_code == 404
    assert played.game_id not in other.get("/history.json").get_data(as_text=True)


# In


def test_a_sheet_is_looked_through_then_added(table: Table) -> None:
    answer = upload(table, SHEET)
    assert answer.status_code == 200
    assert "1 new game." in page_of(answer).text
    assert games_of(table) == 0
    assert "Imported 1 game." in said(table, confirm(table, answer))
    assert games_of(table) == 1
    assert list(faults(table.store)) == []


def test_the_same_sheet_adds_nothing_again(table: Table) -> None:
    answer = upload(table, SHEET)
    confirm(table, answer)
    before = table.everything()
    assert "Imported 1 game." in said(table, confirm(table, answer)), "the same import"
    again = upload(table, SHEET)
    assert "0 new games, 1 already here." in page_of(again).text
    assert table.everything() == before


def test_an_added_game_can_be_played_on_and_taken_back(table: Table) -> None:
    confirm(table, upload(table, SHEET))
    (table.game_id,) = table.store.db.execute("SELECT id FROM games").fetchone()
    assert table.state.number == 2
    assert table.undo().status_code == 303
    assert table.state.number == 1
    assert list(faults(table.store)) == []


def test_rule_book_and_names_of_a_sheet_can_be_chosen(table: Table) -> None:
    answer = upload(table, SHEET.replace("nil", "1"))
    form = page_of(answer).form("import")
    form.fields |= {"rules": "cutthroat", "name-1": "Anastasia"}
    again = table.post("/import", form.fields)
    assert (
        faults_of(again)
        == ["line 2: Round 1: 10 tricks were counted, but a round has 13: count again."]
        or "13" in faults_of(again)[0]
    )
    form.fields |= {"rules": "cutthroat-lite"}
    said(table, table.post("/import/all", form.fields))
    names = [row[0] for row in table.store.db.execute("SELECT name FROM players ORDER BY id")]
    assert names == ["Anastasia", "Ben", "Cy", "Dana"]


def test_every_name_of_a_long_sheet_can_be_changed(table: Table) -> None:
    rows = [
        f"g{game},1,{name} {game},{bid},{bid}\n"
        for game in range(8)
        for name, bid in (("Ana", 3), ("Ben", 3), ("Cy", 4))
    ]
    answer = upload(table, "game,round,player,bid,tricks\n" + "".join(rows))
    form = page_of(answer).form("import")
    form.fields |= {"name-24": "Zoe"}
    said(table, table.post("/import/all", form.fields))
    names = [row[0] for row in table.store.db.execute("SELECT name FROM players ORDER BY name")]
    assert len(names) == 24
    assert names[-1] == "Zoe"


def test_a_game_that_went_on_after_its_end_names_the_column_for_another_target(
    table: Table,
) -> None:
    rounds = [f"{n},Ana,5,5\n{n},Ben,3,3\n{n},Cy,2,2\n" for n in range(1, 5)]
    sheet = "round,player,bid,tricks\n" + "".join(rounds)
    assert faults_of(upload(table, sheet)) == [
        "line 11: The game ended after round 3: Ana had 150. If play continued, raise the winning "
        "score with “target=...” in a “house_rules” column."
    ]
    header, *rows = sheet.splitlines()
    longer = "\n".join([f"{header},house_rules", *(f"{row},target=250" for row in rows)])
    assert "Imported 1 game." in said(table, confirm(table, upload(table, longer)))


def test_two_players_of_one_name_are_refused_beside_it(table: Table) -> None:
    form = page_of(upload(table, SHEET)).form("import")
    answer = table.post("/import/all", form.fields | {"name-1": "Ben"})
    assert answer.status_code == 422
    assert "can’t have the same name" in page_of(answer).text
    assert games_of(table) == 0


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_what_one_table_saved_another_takes_in(played: Table, other: Table, kind: str) -> None:
    file = played.get(f"/history.{kind}").get_data()
    answer = upload(other, file)
    assert "Imported 1 game." in said(other, confirm(other, answer))
    (other.game_id,) = other.store.db.execute(
        "SELECT id FROM games WHERE table_id = ?", [other.id]
    ).fetchone()
    assert other.game_id != played.game_id
    assert other.totals == played.totals
    assert other.game.started == played.game.started
    assert "0 new games, 1 already here." in page_of(upload(other, file)).text
    assert "0 new games, 1 already here." in page_of(upload(played, file)).text
    assert list(faults(played.store)) == []


SEPARATORS = {
    "es-ES": ";",
    "es-AR": ";",
    "es-MX": ",",
    "es-419": ",",
    "en, es-US": ",",
    "de-CH": ";",
    "fr-CA": ";",
    "ar-MA": ";",
    "hi-IN": ",",
    "fr, es-MX": ";",
}


@pytest.mark.parametrize("accepted", SEPARATORS)
def test_the_country_tells_the_separator_that_excel_expects(played: Table, accepted: str) -> None:
    headers = {"Accept-Language": accepted}
    for path in ("/history.csv", f"{played.path}.csv"):
        file = played.get(path, headers=headers).get_data(as_text=True)
        assert file.startswith(f"\ufeffgame{SEPARATORS[accepted]}started")


@pytest.mark.parametrize("language", LANGUAGES)
def test_excel_opens_a_download_and_an_import_reads_it_in_each_language(
    played: Table, other: Table, language: str
) -> None:
    played.new_game(target=200, bag_limit="off", players=("=1+1", "Ben;Cy", 'D,"E"', "Ana"))
    played.play_round((3, 2, 1, 3), (3, 2, 1, 4))
    headers = {"Accept-Language": language}
    file = played.get("/history.csv", headers=headers).get_data()
    assert file.startswith(b"\xef\xbb\xbf")
    separator = ";" if language in ("de", "es", "fr", "ar") else ","
    assert file.decode("utf-8-sig").partition("\r\n")[0].split(separator) == [*COLUMNS]
    alone = played.get(f"{played.path}.csv", headers=headers).get_data()
    assert alone.partition(b"\r\n")[0] == file.partition(b"\r\n")[0]
    answer = upload(other, file)
    assert "2 new games" in page_of(answer).text
    assert not page_of(answer).all("*[@id='notices']")
    assert "Imported 2 games." in said(other, confirm(other, answer))
    assert "0 new games, 2 already here." in page_of(upload(other, file)).text
    assert "0 new games, 2 already here." in page_of(upload(played, file)).text
    # Only the ids differ, as a server has a game but once.
    assert _without_ids(other) == _without_ids(played)
    assert list(faults(played.store)) == []


def _without_ids(table: Table) -> list[bytes]:
    lines = table.get("/history.csv").get_data().splitlines()
    return sorted(line.partition(b",")[2] for line in lines)


def test_a_game_that_was_played_on_since_stays(played: Table) -> None:
    file = played.get("/history.csv").get_data()
    played.correct(2, tricks_1=3, tricks_2=6)
    answer = upload(played, file)
    assert "Already here with different rounds, kept" in page_of(answer).text
    before = played.everything()
    assert "left unchanged" in said(played, confirm(played, answer))
    changed = [one for one, then in zip(played.everything(), before, strict=True) if one != then]
    assert [name for name, _rows in changed] == ["imports"]


# What is wrong


@pytest.mark.parametrize(
    ("file", "sentences"),
    [
        ("", ["Choose a file first."]),
        ("Dear North,\nhow are you?\n", ["line 1: The header must name"]),
        (SHEET.replace("1,Ben,2,4", "1,Ben,many,4").replace("Dana,4,3", "Dana,4,x"),
         ["line 3: “many” isn’t a bid", "line 5: “x” isn’t a number of tricks"]),
        (SHEET.replace("Ben,2,4", "Ben,2,").replace("4,3", "4,") + "2,Ana,x,3\n2,Ben,1,y\n",
         ["line 3: “” isn’t a number of tricks", "line 5: “” isn’t a number of tricks",
          "line 6: “x” isn’t a bid", "line 7: “y” isn’t a number of tricks"]),
        ("game," + "".join(f"a,{row}\n" for row in SHEET.splitlines())[2:]
         + "b,1,Ana,3,3,3\nb,1,Ben,2,4\nc,first,Ana,3,3\nc,1,Ben,x,3\nd,1,Ana,3,3\n",
         ["line 6: This row has 6 cells", "line 8: “first” isn’t a round",
          "line 10: Cutthroat Spades LITE is for 2 to 7 players"]),
        (SHEET.replace("Dana,4,3", "Dana,4,4") + "2,Ana,x,3\n",
         ["line 2: Round 1", "line 6: “x” isn’t a bid"]),
        (SHEET.replace("Dana,4,3", "Dana,4,4"), ["line 2: Round 1"]),
        (SHEET + "2,Ana,3", ["line 6: Round 2 has no row for Ben, Cy, Dana"]),
        (SHEET + "2,Ana,3,3,3", ["line 6: This row has 5 cells"]),
        (SHEET.encode("utf-16"), ["line 1: This isn’t"]),
        (SHEET.replace("Ben", "BjÃ¶rn"), ["line 3: “BjÃ¶rn” was encoded twice"]),
        ("started," + SHEET.replace("\n1,", "\n9999-12-31T23:59:59-14:00,1,"),
         ["line 2: “9999-12-31T23:59:59-14:00” isn’t a valid time"]),
        (SHEET * 2, ["line 7:"]),
        ("game," + SHEET.replace("\n1,", "\na,1,").rstrip("\n")
         + "\nb,1,Ana,3,3\nb,1,Ben,2,4\nb,1,Cy,nil,1\nb,1,Dana,4,3\nc,2,Ana,1,1\n",
         ["line 6: Round 1", "line 10:"]),
        ('{"scorekeeper":1,"games":[\n', ["line 1: The file is incomplete"]),
        ('{"scorekeeper":1,"games":[\n{"id":"x"}\n]}', ["line 2: Member “started” is missing"]),
        ('{"scorekeeper":1,"games":[\n{"id":1,"id":2}\n]}', ["line 2: Member “id” appears twice"]),
        ('{"scorekeeper":2,"games":[]}', ["isn’t a Scorekeeper file"]),
        ('"{\\"scorekeeper\\":1}"', ["encoded twice"]),
        ("[" * 100_000, ["Brackets"]),
        ('{"scorekeeper":1,"games":[\n{"id":"\\ud800"}\n]}', ["line 2: A text contains half"]),
        ('{"scorekeeper":1,"games":[\n{"id":1e999}\n]}', ["line 2: 1e999 isn’t a whole number"]),
        (b'{"scorekeeper":1,"games":[\n\xff\n]}', ["line 2: This isn’t UTF-8."]),
    ],
)  # fmt: skip
def test_each_line_at_fault_is_named_and_nothing_stored(
    table: Table, file: str | bytes, sentences: list[str]
) -> None:
    before = table.everything()
    answer = upload(table, file)
    assert answer.status_code == 422
    text = page_of(answer).text
    for sentence in sentences:
        assert sentence in text, text
    assert table.everything() == before


def _forged(game: dict[str, Any], **changes: Any) -> str:
    return json.dumps({"scorekeeper": 1, "games": [game | changes]})


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"players": ["A", "a", "b", "c"]}, "same name"),
        ({"players": ["A", "B", "C", "=D\u202e"]}, "invisible characters"),
        ({"players": ["A"]}, "players"),
        ({"first_dealer": 5}, "from 1 to 4"),
        ({"stake": 2.5}, "a whole number"),
        ({"stake": True}, "“stake” must be a whole number"),
        ({"started": "2026-01-03"}, "a valid time"),
        ({"started": "1066-10-14T09:00:00+00:00"}, "a valid time"),
        ({"started": "3000-01-01T00:00:00+00:00"}, "a valid time"),
        ({"rounds": [{"bids": [3, 3, 3, 3], "tricks": [1, 1, 1, 1], "tally": None}]}, "Round 1"),
        ({"rounds": []}, "doesn’t match its rounds"),
        ({"rules": {"key": "poker"}}, "“rules” must contain"),
        ({"extra": 1}, "Unknown member “extra”"),
    ],
)
def test_a_forged_game_is_refused(
    played: Table, other: Table, changes: dict[str, Any], sentence: str
) -> None:
    (game,) = json.loads(played.get(f"{played.path}.json").get_data())["games"]
    answer = upload(other, _forged(game, **changes))
    if answer.status_code == 200:
        answer = confirm(other, answer)
    assert answer.status_code == 422
    assert sentence in page_of(answer).text
    assert games_of(other) == 0


def test_a_file_is_kept_for_its_table_alone(table: Table, other: Table) -> None:
    form = page_of(upload(table, SHEET)).form("import")
    kept = form.fields["kept"]
    for forged in ("", "x", kept[:-1], f"{kept}x", "é"):
        answer = table.send(form, kept=forged)
        assert answer.status_code == 422
        assert "Choose the file again" in page_of(answer).text
    theirs = other.page("/import").form("choose").fields["csrf_token"]
    assert other.post("/import/all", {"csrf_token": theirs, "kept": kept}).status_code == 422
    assert (games_of(table), games_of(other)) == (1, 0)  # `table` began one before
    said(table, table.send(form))
    assert other.get(f"/import/done?import={kept}").status_code == 404
    assert other.post("/import/undo", {"csrf_token": theirs, "kept": kept}).status_code == 404


def test_a_large_file_is_taken_here_and_a_huge_one_refused(table: Table) -> None:
    long = (SHEET + (" " * 200 + "\n") * 24_000)[:LARGEST_OF_PAGE]
    assert upload(table, long).status_code == 200
    answer = upload(table, long + "\n")
    assert answer.status_code == 422
    assert "larger than 4096 kB" in page_of(answer).text
    answer = send_file(table, bytes(6 << 20), {})
    assert answer.status_code == 413
    assert "more than 5120 kB" in Page(answer.get_data(as_text=True)).text


def test_too_many_rows_are_for_the_command_line(table: Table) -> None:
    rows = "".join(f"g{n},{SHEET.splitlines()[k]}\n" for n in range(5001) for k in range(1, 5))
    answer = upload(table, "game," + SHEET.splitlines()[0] + "\n" + rows)
    assert answer.status_code == 422
    assert "scorekeeper import FILE" in page_of(answer).text


@pytest.mark.parametrize(
    ("rest", "sentence"),
    [
        ("\n" * MOST_LINES, "more than 20000 rows"),
        ("\r" * (MOST_LINES + 1), "more than 20000 rows"),
        (",,,\n" * MOST_LINES, "more than 20000 rows"),
        ("Total,,,\n" * MOST_LINES, "more than 20000 rows"),
        (SHEET[23:] * (MOST_LINES // 2), "more than 20000 rows"),
        ("," * imports.MAX_LINE + ",", "line 6: This line is far too long."),
        ("x" * imports.MAX_LINE + "x", "line 6: This line is far too long."),
    ],
)
def test_lines_that_a_page_takes_no_time_for_are_not_read(
    monkeypatch: pytest.MonkeyPatch, table: Table, rest: str, sentence: str
) -> None:
    reads = counted_reads(monkeypatch)
    (fault,) = faults_of(upload(table, SHEET + rest))
    assert sentence in fault
    assert reads == []


def test_no_more_rows_are_read_than_a_page_takes(
    monkeypatch: pytest.MonkeyPatch, table: Table
) -> None:
    read = []
    games_of_file = imports.games_of_file

    def counted(*given: Any) -> Iterator[GameRecord]:
        for game in games_of_file(*given):
            read.append(game)
            yield game

    monkeypatch.setattr(imports, "games_of_file", counted)
    rows = "".join(f"g{n},{SHEET.splitlines()[k]}\n" for n in range(5400) for k in range(1, 5))
    answer = upload(table, "game," + SHEET.splitlines()[0] + "\n" + rows)
    assert answer.status_code == 422
    assert len(read) == 5001


def counted_reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the bytes that are read as games."""
    reads: list[int] = []
    games_of_file = imports.games_of_file

    def counted(source: io.BufferedReader, rules_key: str, *more: Any) -> Iterator[GameRecord]:
        reads.append(source.seek(0, io.SEEK_END))
        source.seek(0)
        return games_of_file(source, rules_key, *more)

    monkeypatch.setattr(imports, "games_of_file", counted)
    return reads


def test_a_sheet_full_of_faults_is_read_once_and_fifty_are_told(
    monkeypatch: pytest.MonkeyPatch, table: Table
) -> None:
    reads = counted_reads(monkeypatch)
    sheet = "game,round,player,bid,tricks\n" + "".join(f"g{n},1,A,3,3\n" for n in range(1990))
    faults = faults_of(upload(table, sheet, rules="partnership-500"))
    assert len(faults) == imports.MAX_FAULTS == 50
    assert faults[0].startswith("line 2:")
    assert faults[-1].startswith("line 51:")
    assert len(reads) == 1


def test_each_line_is_read_once_to_find_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, table: Table
) -> None:
    reads = counted_reads(monkeypatch)
    rows = SHEET.splitlines()[1:]
    games = "".join(f"g{n},{row}\n" for n in range(400) for row in rows)
    sheet = f"game,{SHEET.splitlines()[0]}\n{games}last,1,Ana,3,3\n"
    (fault,) = faults_of(upload(table, sheet))
    assert fault.startswith("line 1602: ")
    assert sum(reads) == len(sheet)


def test_each_game_whose_rows_are_mixed_with_others_is_told_to_be_sorted(table: Table) -> None:
    header, *rows = SHEET.splitlines()
    mixed = [f"{game},{row}" for row in rows for game in ("a", "b")]
    told = faults_of(upload(table, "\n".join([f"game,{header}", "", *mixed, ""])))
    assert [fault.partition(":")[0] for fault in told] == ["line 3", "line 4"]
    assert all("sort the sheet by game and round" in fault for fault in told)


def test_a_game_that_was_changed_too_often_is_for_the_command_line(
    monkeypatch: pytest.MonkeyPatch, played: Table, other: Table
) -> None:
    file = played.get(f"{played.path}.json").get_data()
    changes = len(json.loads(file)["games"][0]["changes"])
    monkeypatch.setattr(imports, "MAX_CHANGES", changes - 1)
    (fault,) = faults_of(upload(other, file))
    assert fault.startswith(f"line 2: Game “{played.game_id}” has more than {changes - 1}")
    monkeypatch.setattr(imports, "MAX_CHANGES", changes)
    assert upload(other, file).status_code == 200


def test_no_other_address_takes_a_large_body(table: Table) -> None:
    answer = table.client.post("/games/new", data={"player-1": "x" * (LARGEST_BODY + 1)})
    assert answer.status_code == 413
    answer = table.client.post("/import/done", data={"player-1": "x" * (LARGEST_BODY + 1)})
    assert answer.status_code in (405, 413)


@pytest.mark.parametrize("path", ["/import", "/import/all", "/import/undo"])
def test_a_missing_token_is_refused(table: Table, path: str) -> None:
    kept = page_of(upload(table, SHEET)).form("import").fields["kept"]
    answer = table.post(path, {"kept": kept})
    assert answer.status_code == 400
    assert games_of(table) == 0


@pytest.mark.parametrize("path", ["/import", "/import/all"])
def test_strangers_take_nothing_in(table: Table, stranger: Table, path: str) -> None:
    guest = Table(table.app)
    answer = guest.post(path, {"csrf_token": guest.token()})
    assert answer.status_code == 404


def test_formulas_come_back_unchanged(table: Table, other: Table) -> None:
    names = ("=1+1", "+49", "@home", "-Dana")
    table.new_game(players=names)
    table.play_round((3, 3, 2, 1), (4, 5, 1, 0))
    confirm(other, upload(other, table.get(f"{table.path}.csv").get_data()))
    stored = other.store.db.execute(
        "SELECT name FROM players WHERE table_id = ? ORDER BY id", [other.id]
    )
    assert tuple(row[0] for row in stored.fetchall()) == names
