"""Links as chats and people change them, and how they lead on."""

from urllib.parse import unquote_to_bytes, urlsplit

import pytest
from werkzeug.test import TestResponse

from tests.web.http.test_fragment_cache import watch_link
from tests.web.play import Table

CHANGED = {
    "a slash": "{path}/",
    "two slashes": "{path}//",
    "a full stop": "{path}.",
    "a comma": "{path},",
    "a bracket of Markdown": "{path})",
    "an angle bracket": "{path}%3E",
    "a quotation mark": "{path}%22",
    "a curly quotation mark": "{path}%E2%80%9D",
    "a slash and a full stop": "{path}/.",
    "an ellipsis": "{path}%E2%80%A6",
    "stars around bold text": "{path}**",
    "an invisible blank": "{path}%E2%80%8B",
    "a line break": "{path}%0D%0A",
    "a blank": "{path}%20",
    "a mark of a direction": "%E2%80%8E{path}%E2%80%8F",
    "capitals": "{upper}",
    "a doubled slash inside": "{doubled}",
    "no scheme, on a page of ours": "/localhost{path}",
    "the whole link, on a page of ours": "/http://localhost{path}",
    "a broken line": "{broken}",
}


def changed(path: str, how: str) -> str:
    """Return a path as somebody or something has changed it."""
    half = len(path) - 5
    return CHANGED[how].format(
        path=path,
        upper=path.upper(),
        doubled=path.replace("/", "//"),
        broken=f"{path[:half]}%20{path[half:]}",
    )


@pytest.fixture
def paths(game: Table) -> dict[str, str]:
    """The links that people send one another."""
    game.send(game.page(f"{game.path}/share").form("/watching"), on="yes")
    watch = watch_link(game)
    return {
        "join": f"/join/{game.key}",
        "watch": watch,
        "overlay": f"{watch}/overlay",
        "compact": f"{watch}/compact",
        "share": f"{game.path}/share",
        "game": game.path,
        "rules": "/rules/link",
    }


def ask(phone: Table, link: str) -> TestResponse:
    """Ask for a link byte by byte: the client of Werkzeug would mend some of them itself."""
    path, _mark, query = link.partition("?")
    raw = unquote_to_bytes(path).decode("latin-1")
    return phone.get("/", query_string=query, environ_overrides={"PATH_INFO": raw})


@pytest.mark.parametrize("how", CHANGED)
def test_a_link_that_was_changed_on_the_way_leads_to_its_page(
    game: Table, paths: dict[str, str], how: str
) -> None:
    stranger = Table(game.app)
    for kind, path in paths.items():
        phone = stranger if kind == "join" else game
        query = "?rules=cutthroat-lite" if kind == "rules" else ""
        answer = ask(phone, changed(path, how) + query)
        assert (answer.status_code, answer.headers["Location"]) == (302, path + query), kind
        assert ask(phone, path + query).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/watch/0123.", "/join/{}/", "/nothing/", "/games/.", "//elsewhere.invalid/",
        "/\\elsewhere.invalid", "/%2F%2Felsewhere.invalid", "/static/JS/x.js",
        "//elsewhere.invalid/rules/", "/http://elsewhere.invalid/rules", "/" + "." * 4000,
    ],
)  # fmt: skip
def test_what_leads_nowhere_stays_here(stranger: Table, path: str) -> None:
    answer = ask(stranger, path.format("0" * 26))
    assert answer.status_code in (302, 308, 404)
    location = urlsplit(answer.headers.get("Location", "/"))
    assert location.hostname in (None, "localhost")
    assert "elsewhere" not in location.path


def test_a_doubled_slash_in_front_does_no_harm(game: Table, paths: dict[str, str]) -> None:
    assert ask(game, f"/{paths['watch']}").status_code == 200


def test_a_key_that_is_wrong_is_wrong_with_a_full_stop_too(stranger: Table) -> None:
    wrong = f"/watch/{'0' * 26}"
    assert ask(stranger, f"{wrong}.").headers["Location"] == wrong
    assert ask(stranger, wrong).status_code == 404


def test_a_form_is_taken_only_where_it_belongs(game: Table) -> None:
    assert game.post(f"/join/{game.key}.", game.fresh()).status_code == 404
