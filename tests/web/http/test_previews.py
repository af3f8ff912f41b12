"""What a shared link shows in a chat, and what programs look for without being told."""

import re
import struct
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree

import pytest
from flask import render_template

from scorekeeper import create_app
from scorekeeper.config import ConfigError
from scorekeeper.web.game import watch
from scorekeeper.web.game.card import FONTS, SVG, card, draws_pictures
from tests.web.page import Page
from tests.web.play import Table, page_of

PUBLIC = "https://spades.example.org"
NAMES = re.compile("North|East|South|West")


def preview_of(page: Page) -> dict[str | None, str | None]:
    """Return the properties of the page that a chat reads, by name."""
    return {
        meta.get("property") or meta.get("name"): meta.get("content")
        for meta in page.all("meta")
        if meta.get("property") or meta.get("name") in ("description", "twitter:card")
    }


@pytest.fixture
def watched(game: Table) -> Table:
    game.send(game.page(f"{game.path}/share").form("/watching"), on="yes")
    return game


def link_of(table: Table, query: str = "") -> str:
    (link,) = table.page(f"{table.path}/share{query}").all("p[@class='link-shown']/a")
    return re.sub(r"^http://[^/]+", "", link.get("href") or "")


@pytest.mark.parametrize("path", ["/", "/rules", "/rules/call-break"])
def test_pages_for_everybody_say_what_they_are(stranger: Table, path: str) -> None:
    shown = preview_of(stranger.page(path))
    assert shown["description"] == shown["og:description"]
    assert shown["og:title"]
    assert "og:image" not in shown  # nobody else reaches this address


def test_a_link_to_rules_says_what_tells_them_from_others(stranger: Table) -> None:
    shown = preview_of(stranger.page("/rules/cutthroat-lite"))
    assert shown["og:title"] == "Cutthroat Spades LITE"
    assert (shown["og:description"] or "").startswith("Solo · 10 cards · to 125 · ")


def test_an_invitation_names_nobody(game: Table) -> None:
    shown = preview_of(Table(game.app).page(f"/join/{game.key}"))
    assert not NAMES.search(str(shown))


def test_a_public_server_has_a_picture(tmp_path: Path) -> None:
    app = create_app(DATA=tmp_path, BASE_URL=PUBLIC)
    with closing(app.extensions["store"]):
        shown = preview_of(page_of(app.test_client().get("/", base_url=PUBLIC)))
        picture = shown["og:image"] or ""
        answer = app.test_client().get(picture.removeprefix(PUBLIC), base_url=PUBLIC)
    assert picture.startswith(f"{PUBLIC}/static/screenshots/share.png")
    assert answer.status_code == 200


def test_a_live_link_names_nobody_until_the_table_lets_it(watched: Table) -> None:
    watched.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    link = link_of(watched)
    page = Table(watched.app).page(link)
    assert not NAMES.search(str(preview_of(page)))
    with_names = link_of(watched, "?preview=names")
    assert with_names == f"{link}?preview=names"
    shown = preview_of(Table(watched.app).page(with_names))
    assert shown["og:title"] == "After round 1"
    assert shown["og:description"] == "South 50 · North 30 · East 22 · West −40"


def test_a_live_link_has_a_title_of_its_own_and_a_picture(watched: Table) -> None:
    watched.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    page = Table(watched.app).page(link_of(watched))
    assert (
        preview_of(page)["og:title"] == page.one("head/title").text == "Live: Cutthroat Spades LITE"
    )
    assert "localhost" not in (preview_of(page).get("og:image") or "")  # only this computer has it
    host = {"Host": "192.168.1.7:8000"}
    shown = preview_of(page_of(watched.app.test_client().get(link_of(watched), headers=host)))
    assert (shown["og:image"] or "").startswith("http://192.168.1.7:8000/static/screenshots/share")


def test_the_title_of_a_live_link_keeps_the_name_of_own_rules(watched: Table) -> None:
    made = watched.send(
        watched.page("/rules/new").form("house-rules"), name="Kim’s rules", target=90
    )
    watched.new_game(made.location.rpartition("/")[2])
    watched.send(watched.page(f"{watched.path}/share").form("/watching"), on="yes")
    shown = preview_of(Table(watched.app).page(link_of(watched)))
    assert shown["og:title"] == "Live: Cutthroat Spades LITE"


def test_the_switch_turns_names_on_and_off(watched: Table) -> None:
    def switch(query: str) -> dict[str, str]:
        page = watched.page(f"{watched.path}/share{query}")
        (button,) = page.all("button[@role='switch']")
        return dict(button.items())

    assert switch("")["aria-checked"] == "false"
    on = switch(f"?{switch('')['name']}={switch('')['value']}")
    assert on["aria-checked"] == "true"
    assert "name" not in on


@pytest.fixture
def finished(watched: Table) -> Table:
    for _ in range(3):
        watched.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    return watched


def test_the_preview_of_a_finished_game_says_who_won(finished: Table) -> None:
    shown = preview_of(Table(finished.app).page(link_of(finished, "?preview=names")))
    assert shown["og:title"] == "South wins"
    scores = "South 150 · North 90 · East 56 · West −120"
    assert shown["og:description"] == f"{scores} · Cutthroat Spades LITE · 3 rounds"


def test_the_preview_of_a_finished_game_names_nobody_unasked(finished: Table) -> None:
    shown = preview_of(Table(finished.app).page(link_of(finished)))
    assert (shown["og:title"], shown["og:description"]) == (
        "Cutthroat Spades LITE",
        "Finished · 3 rounds",
    )


def picture_of(table: Table, link: str) -> str:
    shown = preview_of(Table(table.app).page(link))
    return (shown["og:image"] or "").removeprefix(str(table.app.config["BASE_URL"]))


@pytest.fixture
def public(finished: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setitem(finished.app.config, "BASE_URL", "http://localhost")
    return finished


@pytest.mark.skipif(not draws_pictures(), reason="needs resvg-py and a font")
def test_the_picture_of_a_finished_game_is_its_result(public: Table) -> None:
    link, chat = link_of(public), Table(public.app)
    assert "screenshots/share.png" in picture_of(public, link)
    picture = picture_of(public, f"{link}?preview=names")
    answer = chat.get(picture)
    assert (answer.status_code, answer.content_type) == (200, "image/png")
    assert struct.unpack(">II", answer.data[16:24]) == (1200, 630)
    tag = {"If-None-Match": answer.headers["ETag"]}
    assert chat.get(picture, headers=tag).status_code == 304
    public.undo()
    assert chat.get(picture, headers=tag).status_code == 404


def test_what_is_drawn_tells_the_result(finished: Table) -> None:
    with finished.app.test_request_context():
        shown = render_template("game/card.svg", card=card(finished.game), fonts=FONTS)
    texts = [text.text for text in ElementTree.fromstring(shown).iter(f"{{{SVG}}}text")]
    plain = [re.sub("[\u2068\u2069]", "", text or "") for text in texts]
    assert plain[:4] == ["150", "South wins", "Cutthroat Spades LITE", "3 rounds"]
    assert plain[4:7] == ["1", "South", "150"]
    assert plain[-3:] == ["4", "West", "−120"]


def test_a_server_that_cannot_draw_shows_the_picture_of_all_links(
    public: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "draws_pictures", lambda: False)
    link = link_of(public)
    assert "screenshots/share.png" in picture_of(public, f"{link}?preview=names")
    assert Table(public.app).get(f"{link}/result.png").status_code == 404


def test_a_page_with_names_has_another_tag(watched: Table) -> None:
    link, phone = link_of(watched), Table(watched.app)
    tag = phone.get(link).headers["ETag"]
    answer = phone.get(f"{link}?preview=names", headers={"If-None-Match": tag})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/favicon.ico", "image/vnd.microsoft.icon"), ("/apple-touch-icon.png", "image/png")],
)
def test_icons_are_where_programs_look(stranger: Table, path: str, kind: str) -> None:
    answer = stranger.get(path)
    assert (answer.status_code, answer.content_type) == (200, kind)


def test_the_host_names_whom_to_tell_about_a_vulnerability(tmp_path: Path) -> None:
    app = create_app(DATA=tmp_path, CONTACT="mailto:host@example.org")
    with closing(app.extensions["store"]):
        lines = app.test_client().get("/.well-known/security.txt").text.splitlines()
    assert lines[0] == "Contact: mailto:host@example.org"
    assert re.fullmatch(r"Expires: \d{4}-\d\d-\d\dT00:00:00Z", lines[1])


@pytest.mark.parametrize("contact", ["host@example.org", "https://a b", "mailto:a\nb"])
def test_another_contact_is_refused(tmp_path: Path, contact: str) -> None:
    with pytest.raises(ConfigError, match="SCOREKEEPER_CONTACT"):
        create_app(DATA=tmp_path, CONTACT=contact)


def test_the_manifest_has_what_stores_and_desktops_show(stranger: Table) -> None:
    manifest = stranger.get("/manifest.webmanifest").get_json(force=True)
    icons = [icon for one in manifest["shortcuts"] for icon in one["icons"]]
    for picture in [*icons, *manifest["screenshots"]]:
        assert stranger.get(picture["src"]).content_type == "image/png"
    assert {one["form_factor"] for one in manifest["screenshots"]} == {"narrow", "wide"}
    (handler,) = manifest["file_handlers"]
    assert handler["action"] == "/import"
