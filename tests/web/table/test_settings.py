"""Settings of a phone and of its table."""

from urllib.parse import urlsplit

import pytest

from scorekeeper.i18n import language, set_language, speaking, use_words, words
from scorekeeper.store.backup import back_up_dated
from scorekeeper.web.settings import zones_called
from tests.web.page import text_of
from tests.web.play import Table, page_of


def groups(table: Table) -> dict[str, list[str]]:
    """Return the rows of each group by its heading."""
    sections = table.page("/settings").all("section")
    return {
        text_of(section.find("h2")): [text_of(row) for row in section.findall("ul/li")]
        for section in sections
    }


def test_they_are_of_this_phone_of_this_table_and_about_the_program(table: Table) -> None:
    found = groups(table)
    assert list(found) == ["This phone", "This table", "About"]
    assert found["This phone"][0] == "Name Kim's phone"
    assert [row.split(" ")[0] for row in found["This table"]] == [
        "Name",
        "Devices",
        "Language",
        "Time",
        "Export",
    ]
    assert "MIT license" in found["About"][-1]
    assert "Another phone joins by the code in Settings → Devices." in table.page("/settings").text


def test_a_stranger_has_those_of_the_phone(stranger: Table) -> None:
    assert list(groups(stranger)) == ["This phone", "About"]
    assert stranger.get("/settings/table").status_code == 404


def test_the_seat_in_the_game_that_is_played_is_named(game: Table) -> None:
    assert "Seat Enters for everyone" in groups(game)["This phone"]
    game.post(f"{game.path}/seat", {**game.fresh(), "seat": "2"})
    assert "Seat East" in groups(game)["This phone"]


@pytest.mark.sqlite
def test_the_last_backup_is_told(table: Table) -> None:
    assert "Last backup" not in table.page("/settings").text
    back_up_dated(table.store.path)
    assert any(row.startswith("Last backup Today, ") for row in groups(table)["This table"])
    table.app.config["OPEN"] = True
    assert "Last backup" not in table.page("/settings").text, "which is the host's affair"


# The name of the table


def test_the_table_has_a_name_on_the_home_page(table: Table) -> None:
    assert text_of(table.page("/").one("h1")) == "Scorekeeper"
    form = table.page("/settings/table").form("table-name")
    assert table.send(form, name=" Friday table ").status_code == 303
    assert text_of(table.page("/").one("h1")) == "Friday table"
    assert "Name of the table Friday table" in groups(table)["This table"]
    assert table.send(form, name="").status_code == 303
    assert text_of(table.page("/").one("h1")) == "Scorekeeper"


def test_a_bad_name_is_refused_beside_the_field(table: Table) -> None:
    before = table.everything()
    answer = table.send(table.page("/settings/table").form("table-name"), name="x" * 41)
    assert answer.status_code == 422
    assert "at most 40 characters" in page_of(answer).error_of("name")
    assert page_of(answer).form("table-name").fields["name"] == "x" * 41
    assert table.everything() == before


# Colors


@pytest.mark.parametrize(
    ("scheme", "media"), [("dark", "@media all{"), ("light", "@media not all{")]
)
def test_pages_come_in_the_colors_that_were_chosen(
    stranger: Table, scheme: str, media: str
) -> None:
    assert "prefers-color-scheme" in stranger.get("/").get_data(as_text=True)
    fields = {"csrf_token": stranger.token(), "scheme": scheme}
    answer = stranger.post("/settings/display", fields)
    assert (answer.status_code, answer.location) == (303, "/settings")
    html = stranger.get("/").get_data(as_text=True)
    assert "prefers-color-scheme" not in html
    assert media in html
    assert f"color-scheme:{scheme}" in html
    fields["scheme"] = "automatic"
    stranger.post("/settings/display", fields)
    assert "prefers-color-scheme" in stranger.get("/").get_data(as_text=True)


def test_pages_that_are_the_same_for_everybody_stay_so(stranger: Table) -> None:
    before = stranger.get("/settings/sound").data
    stranger.post("/settings/display", {"csrf_token": stranger.token(), "scheme": "dark"})
    assert stranger.get("/settings/sound").data == before


def test_other_colors_there_are_none(stranger: Table) -> None:
    fields = {"csrf_token": stranger.token(), "scheme": "pink"}
    assert stranger.post("/settings/display", fields).status_code == 400
    stranger.client.set_cookie("scheme", "pink")
    assert "prefers-color-scheme" in stranger.get("/").get_data(as_text=True)


# The language of results


def share_in(table: Table, language: str) -> None:
    """Choose the language of what a table shares."""
    form = table.page("/settings/language").form("shared-language")
    assert table.send(form, language=language).status_code == 303


def test_what_is_shared_is_in_the_language_of_the_table(table: Table) -> None:
    table.new_game(target=30)
    table.play_round((5, 2, 2, 1), (5, 2, 2, 1))
    table.send(table.page(f"{table.path}/share").form("/watching"), on="yes")
    (link,) = table.page(f"{table.path}/share").all("p[@class='link-shown']/a")
    live = urlsplit(link.get("href") or "").path
    before = table.page("/year").one("textarea").text or ""
    assert "North wins" in (table.page(f"{table.path}/result").one("textarea").text or "")
    share_in(table, "de")
    assert "Language of results Deutsch" in groups(table)["This table"]
    result = table.page(f"{table.path}/result")
    assert (result.one("textarea").text or "").startswith("North gewinnt")
    assert (result.one("textarea").get("lang"), result.one("html").get("lang")) == ("de", "en")
    assert text_of(result.one("h1")) == "Share result"
    assert "1 Runde" in table.get(f"{table.path}/picture.svg").get_data(as_text=True)
    for path in ("/evening", "/year"):
        page = table.page(path)
        assert "North" in (page.one("textarea").text or "")
        assert page.one("textarea").get("lang") == "de"
        assert text_of(page.one("section/h2[@id]"))
        assert table.get(f"{path}/picture.svg").status_code == 200
    assert table.page("/year").one("textarea").text != before
    watcher = Table(table.app).page(f"{live}?preview=names")
    (told,) = watcher.all("meta[@property='og:title']")
    assert (told.get("content"), watcher.one("html").get("lang")) == ("North gewinnt", "en")
    share_in(table, "")
    assert "Language of results Each phone’s own" in groups(table)["This table"]
    assert table.page("/year").one("textarea").text == before
    assert table.page("/year").one("textarea").get("lang") is None


def test_another_language_keeps_the_word_for_a_bid() -> None:
    use_words("call")
    with speaking("hi"):
        assert (language(), words()) == ("hi", "call")
    assert (language(), words()) == ("en", "call")
    set_language("en")


def test_other_languages_of_results_there_are_none(table: Table) -> None:
    fields = {"csrf_token": table.token(), "language": "it"}
    assert table.post("/settings/language", fields).status_code == 400
    assert "Language of results Each phone’s own" in groups(table)["This table"]


# The time zone


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("Europe/Berlin", ["Europe/Berlin"]),
        ("berlin", ["Europe/Berlin"]),
        ("Buenos_Aires", ["America/Argentina/Buenos_Aires", "America/Buenos_Aires"]),
        ("kathm", ["Asia/Kathmandu"]),
        ("utc", ["UTC"]),
        ("", []),
        ("nowhere", []),
    ],
)
def test_a_city_finds_its_zone(typed: str, found: list[str]) -> None:
    assert zones_called(typed) == found


def test_a_city_is_enough_on_the_page(table: Table) -> None:
    form = table.page("/settings/zone").form("other-zone")
    assert table.send(form, zone="Berlin").status_code == 303
    assert "Europe/Berlin" in table.page("/settings").text
    refused = table.send(form, zone="Louisville")
    assert refused.status_code == 422
    assert "America/Kentucky/Louisville" in page_of(refused).error_of("zone")
