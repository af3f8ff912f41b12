"""Pages are in the time zone that the phone tells; files and shared results in the table's."""

import csv
import io
import re
from datetime import datetime

import pytest
from flask import Flask

from scorekeeper import clock
from scorekeeper.clock import find_zone, now, set_zone
from scorekeeper.rules.presets import CUTTHROAT_LITE
from scorekeeper.rules.round import Round
from scorekeeper.store.entry import Entry, GameSetup, create_game, enter
from scorekeeper.store.games import load_game
from scorekeeper.store.journal import Who
from scorekeeper.store.tables import zone_of_table
from scorekeeper.web.text import wording
from tests.web.history.test_import_export import confirm, upload
from tests.web.play import PLAYERS, Table, page_of

LOS_ANGELES, KOLKATA, AUCKLAND = ZONES = (
    "America/Los_Angeles",
    "Asia/Kolkata",
    "Pacific/Auckland",
)
EVENING = "2025-11-24T07:30:00.000+00:00"  # in Los Angeles 23:30 of the day before


def read_in(zone: str | None, moment: str) -> str:
    """Return a stored time as it is read in a zone."""
    set_zone(find_zone(zone))
    try:
        return f"{wording.day(moment)} {wording.clock(moment)}"
    finally:
        set_zone(None)


@pytest.mark.parametrize(
    ("moment", "zone", "read"),
    [
        (EVENING, LOS_ANGELES, "23 Nov 2025 23:30"),
        (EVENING, KOLKATA, "24 Nov 2025 13:00"),
        (EVENING, AUCKLAND, "24 Nov 2025 20:30"),
        (EVENING, "UTC", "24 Nov 2025 07:30"),
        ("2025-11-24T08:30:00+00:00", LOS_ANGELES, "24 Nov 2025 00:30"),
        ("2025-11-24T18:00:00+00:00", KOLKATA, "24 Nov 2025 23:30"),
        ("2025-11-24T19:00:00+00:00", KOLKATA, "25 Nov 2025 00:30"),
        ("2025-11-24T10:30:00+00:00", AUCKLAND, "24 Nov 2025 23:30"),
        ("2025-11-24T11:30:00+00:00", AUCKLAND, "25 Nov 2025 00:30"),
        ("2026-12-31T23:30:00+00:00", "UTC", "31 Dec 2026 23:30"),
        ("2026-12-31T23:30:00+00:00", AUCKLAND, "1 Jan 2027 12:30"),
        # Summer time begins and ends.
        ("2026-03-29T00:30:00+00:00", "Europe/Berlin", "29 Mar 2026 01:30"),
        ("2026-03-29T01:30:00+00:00", "Europe/Berlin", "29 Mar 2026 03:30"),
        ("2026-10-25T00:30:00+00:00", "Europe/Berlin", "25 Oct 2026 02:30"),
        ("2026-10-25T01:30:00+00:00", "Europe/Berlin", "25 Oct 2026 02:30"),
        ("2026-03-28T21:59:00+00:00", "Asia/Beirut", "28 Mar 2026 23:59"),
        ("2026-03-28T22:00:00+00:00", "Asia/Beirut", "29 Mar 2026 01:00"),
        # The first and the last that an import takes.
        ("1900-01-01T00:00:00+00:00", LOS_ANGELES, "31 Dec 1899 16:00"),
        ("2999-12-31T23:59:59+00:00", AUCKLAND, "1 Jan 3000 12:59"),
    ],
)
def test_a_time_is_read_in_a_zone(moment: str, zone: str, read: str) -> None:
    assert read_in(zone, moment) == read


@pytest.mark.parametrize(
    ("moment", "zone", "said"),
    [
        ("2025-11-23T08:00:00+00:00", LOS_ANGELES, "Today, 00:00"),
        ("2025-11-23T07:59:00+00:00", LOS_ANGELES, "Yesterday, 23:59"),
        ("2025-11-23T18:30:00+00:00", KOLKATA, "Today, 00:00"),
        ("2025-11-23T18:29:00+00:00", KOLKATA, "Yesterday, 23:59"),
        ("2025-11-23T11:00:00+00:00", AUCKLAND, "Today, 00:00"),
        ("2025-11-22T11:00:00+00:00", AUCKLAND, "Yesterday, 00:00"),
        ("2025-11-22T10:59:00+00:00", AUCKLAND, "Saturday"),
        ("2025-11-22T10:59:00+00:00", KOLKATA, "Saturday"),
        ("2025-11-22T10:59:00+00:00", LOS_ANGELES, "Yesterday, 02:59"),
    ],
)
def test_today_and_yesterday_are_those_of_the_zone(
    monkeypatch: pytest.MonkeyPatch, moment: str, zone: str, said: str
) -> None:
    monkeypatch.setattr(wording, "now", lambda: datetime.fromisoformat(EVENING))
    set_zone(find_zone(zone))
    try:
        assert wording.when(moment) == said
    finally:
        set_zone(None)


def game_at(table: Table, moment: str) -> str:
    """Store a game that began then, and return its path."""
    at = datetime.fromisoformat(moment)
    with table.store.write() as db:
        setup = GameSetup(CUTTHROAT_LITE, PLAYERS[:4], 3)
        table.game_id = create_game(db, table.id, setup, Who(None, at))
        game = load_game(db, table.id, table.game_id)
        assert game
        entry = Entry(1, Round((3, 2, 1, 4), (3, 2, 1, 4)))
        enter(db, game, entry, game.version, Who(None, at))
    return table.path


def tell(table: Table, zone: str) -> None:
    """Let the phone tell its zone, as its script does."""
    table.client.set_cookie("zone", zone)


def choose(table: Table, zone: str) -> None:
    answer = table.send(table.page("/settings/zone").form("other-zone"), zone=zone)
    assert answer.status_code == 303


@pytest.mark.parametrize(
    ("zone", "day"), [(LOS_ANGELES, "23 Nov"), (KOLKATA, "24 Nov"), (AUCKLAND, "24 Nov")]
)
def test_pages_follow_the_phone_and_shared_results_the_table(
    table: Table, zone: str, day: str
) -> None:
    path = game_at(table, EVENING)
    choose(table, LOS_ANGELES)
    tell(table, zone)
    assert f"{day} 2025" in table.get("/history").text
    for shared in ("/sheet", "/result", "/picture.svg"):
        page = table.get(path + shared).text
        assert "23 Nov 2025" in page, shared
        assert "24 Nov 2025" not in page, shared
    assert f"-2025-11-23-{table.game_id}" in table.get(path + "/result").text
    for name in (".csv", ".json"):
        assert "-2025-11-23-" in table.get(path + name).headers["Content-Disposition"]
    assert table.get(path + "/phone.json").get_json()["game"]["day"] == "2025-11-23"
    for file in (f"{path}.csv", "/history.csv"):
        rows = csv.DictReader(io.StringIO(table.get(file).text.lstrip("\ufeff")))
        assert [row["date"] for row in rows] == ["2025-11-23"] * 4
        assert all(EVENING in row for row in rows)
    assert clock.zone() is None, "it ends with the request"


def test_without_a_script_pages_follow_the_table(table: Table) -> None:
    game_at(table, EVENING)
    assert "24 Nov 2025" in table.get("/history").text
    choose(table, LOS_ANGELES)
    assert "23 Nov 2025" in table.get("/history").text


@pytest.mark.parametrize(
    ("moment", "zone", "days", "is_found"),
    [
        (EVENING, LOS_ANGELES, "from=2025-11-23&to=2025-11-23", True),
        (EVENING, LOS_ANGELES, "from=2025-11-24", False),
        (EVENING, KOLKATA, "from=2025-11-24&to=2025-11-24", True),
        (EVENING, AUCKLAND, "to=2025-11-23", False),
        ("2025-11-24T18:30:00+00:00", KOLKATA, "from=2025-11-25", True),
        ("2025-11-24T18:29:59+00:00", KOLKATA, "from=2025-11-25", False),
        # Midnight is left out, or comes twice.
        ("2026-03-28T22:00:00+00:00", "Asia/Beirut", "from=2026-03-29", True),
        ("2026-03-28T21:59:00+00:00", "Asia/Beirut", "from=2026-03-29", False),
        ("2026-11-01T04:10:00+00:00", "America/Havana", "from=2026-11-01", True),
        ("2026-11-01T05:10:00+00:00", "America/Havana", "to=2026-11-01", True),
        ("2026-11-01T03:59:00+00:00", "America/Havana", "from=2026-11-01", False),
    ],
)
def test_days_of_a_search_are_those_of_the_reader(
    table: Table, moment: str, zone: str, days: str, is_found: bool
) -> None:
    game_at(table, moment)
    tell(table, zone)
    assert (table.game_id in table.get(f"/history?{days}").text) is is_found
    assert (table.game_id in table.get(f"/history.csv?{days}").text) is is_found


HOSTILE = [
    "../../etc/passwd", "/etc/passwd", "Europe/../Europe/Berlin", "europe/berlin", "Europe/Berlin ",
    "Europe", "posixrules", "localtime", "x" * 41, "x" * 3000, "Europe/Berlin\0", "\0", "", "é",
    "٣", "Mars/Base", "+05:30", "'; DROP TABLE tables", "\r\nSet-Cookie: a=b", "tzdata.zones", ".",
]  # fmt: skip


@pytest.mark.parametrize("zone", HOSTILE)
def test_what_names_no_zone_is_none(zone: str) -> None:
    assert find_zone(zone) is None


@pytest.mark.parametrize("zone", ["../../etc/passwd", "x" * 3000, "\0"])
def test_a_spoilt_cookie_tells_no_zone(stranger: Table, zone: str) -> None:
    tell(stranger, zone)
    assert stranger.join().status_code == 303
    assert zone_of_table(stranger.store.db, stranger.id) is None
    path = game_at(stranger, EVENING)
    assert "24 Nov 2025" in stranger.get("/history").text
    for page in ("/", "/settings", "/settings/zone", "/players", "/table", path, path + ".csv"):
        assert stranger.get(page).status_code == 200


def test_the_first_phone_that_tells_a_zone_sets_that_of_its_table(
    app: Flask, stranger: Table
) -> None:
    found = []
    for zone in ("", KOLKATA, AUCKLAND):
        phone = Table(app, stranger.id)
        tell(phone, zone)
        phone.join()
        found.append(zone_of_table(phone.store.db, phone.id))
    assert found == [None, KOLKATA, KOLKATA]


@pytest.mark.parametrize(("path", "is_open"), [("/this-computer", False), ("/tables", True)])
def test_so_does_a_phone_that_opens_a_table(
    app: Flask, stranger: Table, path: str, is_open: bool
) -> None:
    app.config["OPEN"] = is_open
    tell(stranger, AUCKLAND)
    assert stranger.post(path, {"csrf_token": stranger.token()}).status_code == 303
    assert f'<bdi translate="no">{AUCKLAND}</bdi>' in stranger.get("/settings").text


def test_settings_tell_the_zone_and_offer_that_of_the_phone(table: Table) -> None:
    assert table.page("/settings").texts("a[@href='/settings/zone']") == ["Time zone The server’s"]
    tell(table, AUCKLAND)
    form = table.page("/settings/zone").form("own-zone")
    assert table.send(form, zone=AUCKLAND).status_code == 303
    assert table.page("/settings").texts("a[@href='/settings/zone']") == [f"Time zone {AUCKLAND}"]
    assert not table.page("/settings/zone").all("form[@id='own-zone']")


@pytest.mark.parametrize("typed", [KOLKATA, "asia/kolkata", " Asia/Kolkata "])
def test_a_zone_is_typed_as_people_type(table: Table, typed: str) -> None:
    choose(table, typed)
    assert zone_of_table(table.store.db, table.id) == KOLKATA


def test_blanks_may_stand_for_underscores(table: Table) -> None:
    choose(table, "America/Los Angeles")
    assert zone_of_table(table.store.db, table.id) == LOS_ANGELES


@pytest.mark.parametrize("typed", ["", "Mars/Base", "../../etc/passwd", "Europe", "x" * 100])
def test_an_unknown_zone_is_refused_beside_the_field(table: Table, typed: str) -> None:
    form = table.page("/settings/zone").form("other-zone")
    answer = table.send(form, zone=typed)
    assert answer.status_code == 422
    assert page_of(answer).texts("p[@id='zone-error']") == [
        "Unknown time zone. Choose one like Europe/Berlin."
    ]
    assert zone_of_table(table.store.db, table.id) is None


def test_a_phone_is_told_that_its_table_has_another_zone(table: Table) -> None:
    game_at(table, EVENING)
    choose(table, KOLKATA)
    seen = {path: table.get(path) for path in ("/phone.json", f"{table.path}/phone.json")}
    choose(table, LOS_ANGELES)
    for path, before in seen.items():
        answer = table.get(path, headers={"If-None-Match": before.headers["ETag"]})
        assert answer.status_code == 200, path
        assert '"2025-11-23"' in answer.text


def test_a_day_in_an_imported_file_is_one_of_the_reader(table: Table) -> None:
    tell(table, KOLKATA)
    rows = "".join(
        f"2025-11-24T00:10,1,{name},3,{n}\n" for n, name in zip((3, 2, 5), "ABC", strict=True)
    )
    answer = upload(table, f"started,round,player,bid,tricks\n{rows}")
    assert "24 Nov 2025" in answer.text
    assert confirm(table, answer).status_code == 303
    assert table.get("/history.csv").text.count("2025-11-23T18:40:00.000+00:00") == 3


def test_programs_read_utc(table: Table) -> None:
    game_at(table, EVENING)
    tell(table, KOLKATA)
    assert EVENING in table.get("/history.csv").text
    assert EVENING in table.get("/history.json").text


def test_a_stranger_tells_the_zone_before_joining(stranger: Table) -> None:
    for path in ("/", f"/join/{stranger.key}"):
        scripts = [one.get("src") for one in stranger.page(path).all("script[@src]")]
        assert [src.endswith("/js/offline/start.js") for src in scripts] == [True]
        assert "data-app" not in stranger.get(path).text


def test_the_names_are_those_of_the_time_zone_database() -> None:
    names = clock.zone_names()
    assert {"UTC", "Asia/Calcutta", "Asia/Katmandu", *ZONES} <= names, "browsers use old ones too"
    assert max(map(len, names)) <= 40
    assert all(re.fullmatch("[A-Za-z0-9_+/-]+", name) for name in names), "safe in a cookie"
    assert now().tzinfo is not None
