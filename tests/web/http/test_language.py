"""Pages are in the language of the browser, or in the one chosen on the phone."""

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.i18n import (
    LANGUAGES,
    list_separator,
    set_language,
    terminal_language,
    terminal_locale,
)
from tests.web.play import Table


def spoken(client: FlaskClient, path: str = "/rules", wish: str | None = None) -> str:
    headers = {} if wish is None else {"Accept-Language": wish}
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200
    language = answer.headers["Content-Language"]
    assert f'<html lang="{language}" dir="{"rtl" if language == "ar" else "ltr"}">' in answer.text
    return language


def choose(table: Table, **fields: str) -> TestResponse:
    return table.post("/language", {"csrf_token": table.token(), **fields})


@pytest.mark.parametrize(
    ("wish", "answer"),
    [
        (None, "en"),
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("pt-BR,es;q=0.7,en;q=0.3", "es"),
        ("fr-CA", "fr"),
        ("ar-EG,en;q=0.5", "ar"),
        ("hi-IN,en;q=0.5", "hi"),
        ("ja,ko", "en"),
        ("*", "en"),
        ("de;q=0", "en"),
        ("x" * 500, "en"),
        ("de;q=viel, \u00e4", "en"),
    ],
)
def test_a_phone_is_answered_in_the_language_it_asks_for(
    client: FlaskClient, wish: str | None, answer: str
) -> None:
    assert spoken(client, wish=wish) == answer


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_chosen_on_a_phone_stays(table: Table, language: str) -> None:
    answer = choose(table, language=language, back="/history")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/history")
    assert spoken(table.client, wish="it") == language
    assert spoken(table.client, "/", wish="de") == language


def test_who_reads_no_other_language_finds_the_own_by_its_name(table: Table) -> None:
    choose(table, language="ar")
    assert all(name in table.page("/language").text for name in LANGUAGES.values())


def test_an_unknown_language_is_refused(table: Table) -> None:
    assert choose(table, language="tlh").status_code == 400
    assert choose(table).status_code == 400


@pytest.mark.parametrize(
    "back",
    ["//evil.example", "/\\evil.example", "https://evil.example", "history", "", "/\n", "/" * 300],
)
def test_nobody_is_sent_elsewhere(table: Table, back: str) -> None:
    answer = choose(table, language="de", back=back)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")


def test_a_spoilt_cookie_chooses_nothing(client: FlaskClient) -> None:
    client.set_cookie("language", "../../etc")
    assert spoken(client) == "en"


def test_programs_choose_by_their_header_alone(client: FlaskClient) -> None:
    client.set_cookie("language", "de")
    english = client.get("/api/games").json
    assert client.get("/api/games", headers={"Accept-Language": "de"}).json != english


def test_one_answer_does_not_speak_for_the_next(client: FlaskClient) -> None:
    assert spoken(client, wish="fr") == "fr"
    assert spoken(client) == "en"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "fr_FR"}, "fr"),
        ({"LANGUAGE": "es:en", "LANG": "de_DE.UTF-8"}, "es"),
        ({"LANG": "ja_JP.UTF-8"}, "en"),
    ],
)
def test_the_terminal_is_answered_in_its_own_language(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], language: str
) -> None:
    in_terminal(monkeypatch, environment)
    assert terminal_language() == language


def in_terminal(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]) -> None:
    """Leave these of the variables that name a language."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize(
    ("lang", "separator"),
    [("es_ES.UTF-8", ";"), ("es_MX.UTF-8", ","), ("de_AT@euro", ";"), ("", ",")],
)
def test_the_terminal_tells_the_separator_that_excel_expects(
    monkeypatch: pytest.MonkeyPatch, lang: str, separator: str
) -> None:
    in_terminal(monkeypatch, {"LANG": lang})
    set_language(terminal_language())
    assert list_separator(terminal_locale()) == separator
    set_language("en")
