"""Joining a table by its link."""

from datetime import timedelta

import pytest

from scorekeeper.store.tables import new_server_link
from tests.web.play import Table, page_of

ENDED = "Ask someone at the table for a new one."


def test_the_link_asks_and_changes_nothing(stranger: Table) -> None:
    before = stranger.everything()
    page = stranger.page(f"/join/{stranger.key}")
    assert "Join this table?" in page.text
    assert stranger.everything() == before
    assert "phone" not in stranger.session


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE"])
def test_only_a_post_joins(stranger: Table, method: str) -> None:
    before = stranger.everything()
    for _ in range(20):
        stranger.client.open(f"/join/{stranger.key}", method=method, data={"label": "a robot"})
    assert stranger.everything() == before
    assert "phone" not in stranger.session


def test_joining_leads_home_and_no_secret_stays_in_the_address(stranger: Table) -> None:
    answer = stranger.join()
    assert (answer.status_code, answer.location) == (303, "/")
    home = stranger.get("/")
    assert home.status_code == 200
    assert stranger.key not in home.get_data(as_text=True)


def test_a_missing_token_is_refused_with_a_sentence(stranger: Table) -> None:
    before = stranger.everything()
    answer = stranger.post(f"/join/{stranger.key}", {"label": "Kim"})
    assert answer.status_code == 400
    assert "reload it and try again" in page_of(answer).alerts
    assert stranger.everything() == before


def test_the_same_form_sent_again_joins_no_second_phone(stranger: Table) -> None:
    form = stranger.page(f"/join/{stranger.key}").form(stranger.key)
    stranger.send(form, label="Kim")
    before = stranger.everything()
    stranger.send(form, label="Kim")
    assert stranger.everything() == before


BAD_KEYS = {
    "of nothing": "x",
    "well formed": "0" * 26,
    "endless": "a" * 4000,
    "a nul": "%00",
    "no text": "%ff%fe",
    "a query": "'%20OR%201=1--",
    "a star": "*",
    "a percent sign": "%25",
    "an emoji": "%F0%9F%98%80",
}


@pytest.mark.parametrize("key", BAD_KEYS.values(), ids=BAD_KEYS.keys())
def test_an_unknown_key_is_404_with_a_sentence(still: Table, key: str) -> None:
    answer = still.get(f"/join/{key}")
    assert answer.status_code == 404
    assert ENDED in page_of(answer).alerts


@pytest.mark.parametrize("key", ["{key}0", "0{key}", "{key}%00"])
def test_a_key_that_is_nearly_right_is_404(still: Table, key: str) -> None:
    assert still.get(f"/join/{key.format(key=still.key)}").status_code == 404


def test_an_unknown_key_cannot_be_joined(stranger: Table) -> None:
    before = stranger.everything()
    fields = {"csrf_token": stranger.token(), "label": "Kim"}
    answer = stranger.post(f"/join/{'0' * 26}", fields)
    assert answer.status_code == 404
    assert ENDED in page_of(answer).alerts
    assert stranger.everything() == before


def test_an_unknown_key_with_a_bad_label_is_404_too(stranger: Table) -> None:
    fields = {"csrf_token": stranger.token(), "label": "x" * 41}
    assert stranger.post(f"/join/{'0' * 26}", fields).status_code == 404


def test_the_link_of_the_last_start_has_ended_and_phones_stay_joined(stranger: Table) -> None:
    first = new_server_link(stranger.store)
    stranger.key = first
    assert stranger.join().status_code == 303
    second = new_server_link(stranger.store)
    assert Table(stranger.app).get(f"/join/{first}").status_code == 404
    assert Table(stranger.app).get(f"/join/{second}").status_code == 200
    assert "No games yet" in stranger.page("/").text


def test_a_link_that_ends_while_the_page_is_open_joins_nobody(stranger: Table) -> None:
    stranger.key = new_server_link(stranger.store)
    form = stranger.page(f"/join/{stranger.key}").form(stranger.key)
    new_server_link(stranger.store)
    answer = stranger.send(form, label="Kim")
    assert answer.status_code == 404
    assert "phone" not in stranger.session


def test_a_phone_that_joined_already_goes_straight_home(table: Table) -> None:
    answer = table.get(f"/join/{table.key}")
    assert (answer.status_code, answer.location) == (303, "/")
    assert "You’re in" in table.page("/").text
    assert "You’re in" not in table.page("/").text


def test_a_phone_that_joined_already_goes_straight_to_the_game_going_on(table: Table) -> None:
    table.new_game()
    answer = table.get(f"/join/{table.key}")
    assert (answer.status_code, answer.location) == (303, table.path)
    assert "You’re in" in table.page(table.path).text


def test_the_link_tells_who_is_playing(stranger: Table) -> None:
    path = f"/join/{stranger.key}"
    assert "North" not in stranger.page(path).text
    stranger.join()
    stranger.new_game()
    other = Table(stranger.app)
    assert "North" in other.page(path).text


DEVICES = {
    "(iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1": "Safari on iPhone",
    "(iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/130.0 Safari/604.1": "Chrome on iPhone",
    "(Linux; Android 15; K) Chrome/130.0 Mobile Safari/537.36": "Chrome on Android",
    "(Linux; Android 15) SamsungBrowser/26.0 Chrome/122.0": "Samsung Internet on Android",
    "(Windows NT 10.0) Chrome/130.0 Safari/537.36 Edg/130.0": "Edge on Windows",
    "(X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0": "Firefox on Linux",
    "(Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15": "Safari on Mac",
    "curl/8.0": "Unnamed phone",
    "": "Unnamed phone",
}


@pytest.mark.parametrize(("header", "name"), DEVICES.items())
def test_a_phone_without_a_name_goes_by_that_of_its_browser(
    stranger: Table, header: str, name: str
) -> None:
    stranger.key = new_server_link(stranger.store)
    stranger.client.environ_base["HTTP_USER_AGENT"] = header
    assert f"as {name}" in stranger.page(f"/join/{stranger.key}").text
    stranger.join("")
    assert name in stranger.page("/table").text


@pytest.mark.parametrize("label", ["Kim's phone", "手机", "  Kim's   phone  ", "📱"])
def test_a_phone_may_have_a_name(stranger: Table, label: str) -> None:
    assert stranger.join(label).status_code == 303
    stranger.new_game()
    assert " ".join(label.split()) in stranger.page(f"{stranger.path}/changes").text


@pytest.mark.parametrize("label", ["", "   ", None])
def test_a_phone_without_a_name_goes_by_the_name_of_its_link(
    stranger: Table, label: str | None
) -> None:
    assert stranger.join(label).status_code == 303
    stranger.new_game()
    assert stranger.page(f"{stranger.path}/changes").texts("li/small") == ["a link"]


def test_the_link_of_the_start_gives_a_phone_no_name_of_its_own(stranger: Table) -> None:
    stranger.key = new_server_link(stranger.store)
    stranger.join("")
    stranger.new_game()
    assert stranger.page(f"{stranger.path}/changes").texts("li/small") == ["Unnamed phone"]


@pytest.mark.parametrize("label", ["x" * 41, "Kim\u202e", "\u200b", "Kim\tPhone"])
def test_a_bad_name_is_422_and_stays_typed(stranger: Table, label: str) -> None:
    before = stranger.everything()
    answer = stranger.join(label)
    assert answer.status_code == 422
    page = page_of(answer)
    assert page.error_of("label") != ""
    assert page.form(stranger.key).fields["label"] == label
    assert stranger.everything() == before
    assert stranger.send(page.form(stranger.key), label="Kim").status_code == 303


def test_joining_another_table_replaces_everything_in_the_cookie(table: Table) -> None:
    table.new_game()
    with table.client.session_transaction() as session:
        session["planted"] = "by somebody else"
    first = dict(table.session)
    other = Table(table.app)
    table.send(table.page(f"/join/{other.key}").form(other.key))
    on_postgresql = {"database"} & set(table.session)
    assert set(table.session) == {"_permanent", "phone", "day", "csrf_token"} | on_postgresql
    assert table.session["phone"] != first["phone"]
    assert table.session["csrf_token"] != first["csrf_token"]
    assert table.get(table.path).status_code == 404


@pytest.mark.parametrize("phone", ["0" * 26, "", 7, None, ["x"], {"id": 1}])
def test_a_cookie_of_no_phone_is_a_stranger_s(stranger: Table, phone: object) -> None:
    with stranger.client.session_transaction() as session:
        session["phone"] = phone
    assert "Use this computer" in stranger.page("/").text


def test_a_cookie_signed_by_somebody_else_is_a_stranger_s(table: Table) -> None:
    table.client.set_cookie("s", "eyJwaG9uZSI6IngifQ.AAAAAA.forged")
    assert "Use this computer" in table.page("/").text


def test_a_phone_that_was_removed_is_a_stranger(table: Table) -> None:
    table.new_game()
    with table.store.write() as db:
        db.execute(
            "UPDATE phones SET removed = '2026-01-03' WHERE id = ?", [table.session["phone"]]
        )
    assert table.get(table.path).status_code == 404


def test_the_cookie_lasts_half_a_year_and_scripts_cannot_read_it(stranger: Table) -> None:
    stranger.join()
    cookie = stranger.client.get_cookie("s")
    assert cookie is not None
    assert cookie.http_only
    assert cookie.same_site == "Lax"
    assert cookie.max_age == timedelta(days=180).total_seconds()


def test_the_key_itself_is_nowhere_in_the_database(table: Table) -> None:
    assert table.key not in str(table.everything())


def test_the_form_sent_twice_ends_where_the_phone_keeps_score(stranger: Table) -> None:
    form = stranger.page(f"/join/{stranger.key}").form(stranger.key)
    assert stranger.send(form).status_code == 303
    before = stranger.everything()
    again = stranger.send(form)
    assert (again.status_code, again.location) == (303, f"/join/{stranger.key}")
    assert stranger.get(again.location).location == "/"
    assert stranger.everything() == before


def test_no_page_changes_the_session_of_a_phone_that_has_joined(stranger: Table) -> None:
    # Of two pages that are asked for at once, the later cookie would refuse the other's form.
    stranger.join()
    joined = dict(stranger.session)
    for path in ("/", "/games/new", "/settings", "/phone.json"):
        assert "Set-Cookie" not in stranger.get(path).headers
    assert dict(stranger.session) == joined
    assert {"phone", "csrf_token"} <= joined.keys()


def test_a_form_without_the_token_from_a_stranger_says_what_to_do(stranger: Table) -> None:
    answer = stranger.post(f"/join/{stranger.key}", {})
    assert answer.status_code == 400
    assert "allow cookies" in page_of(answer).alerts


# What somebody may paste of a link, whose key stands for KEY.
PASTED = [
    "http://localhost/join/KEY",
    "localhost/join/KEY",
    "  https://localhost/join/KEY/ \n",
    "https://localhost/jo\nin/KEY",
    "Join us: https://localhost/scores/join/KEY?from=chat See you at eight!",
    "<https://localhost/join/KEY>",
    "https://localhost/join/\N{ZERO WIDTH SPACE}KEY\N{LEFT-TO-RIGHT MARK}",
    "KEY",
    " KEY ",
]


@pytest.mark.parametrize("text", PASTED)
def test_a_pasted_link_joins(stranger: Table, text: str) -> None:
    form = stranger.page("/").form("/join")
    answer = stranger.send(form, link=text.replace("KEY", stranger.key))
    assert (answer.status_code, answer.location) == (303, "/")
    assert "phone" in stranger.session


@pytest.mark.parametrize("text", ["", "hello", "https://example.org/join/", "a" * 26, "é" * 2000])
def test_what_is_no_link_is_told_beside_the_field(stranger: Table, text: str) -> None:
    before = stranger.everything()
    answer = stranger.send(stranger.page("/").form("/join"), link=text)
    assert answer.status_code == 422
    page = page_of(answer)
    assert "That’s no join link of this server" in page.alerts
    assert page.form("/join").fields["link"] == text
    assert stranger.everything() == before


def test_a_pasted_text_has_a_limit(stranger: Table) -> None:
    answer = stranger.send(stranger.page("/").form("/join"), link="a" * 2001)
    assert answer.status_code == 400
    assert "at most 2000 characters" in page_of(answer).alerts


@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("via", [{}, {"Via": "1.1 proxy"}])
def test_every_first_page_takes_a_link(stranger: Table, is_open: bool, via: dict[str, str]) -> None:
    stranger.app.config["OPEN"] = is_open
    assert "Paste the link" in stranger.get("/", headers=via).text
