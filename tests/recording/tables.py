"""Evenings of a table: its rules, players, history, files, links and languages."""

import io
import re
from typing import Any

from tests.recording.play import PLAYERS, Game
from tests.recording.recorder import Phone, Server
from tests.web.page import Page

LANGUAGES = ("en", "de", "es", "fr", "ar", "hi")
SHEET = """round,player,bid,tricks
1,Ana,3,3
1,Ben,2,4
1,Cy,nil,0
1,Dana,4,3
"""
BIDS, TRICKS = [3, 2, "nil", 4], [3, 4, 0, 3]


def books_in_every_language(server: Server) -> None:
    """Every page of rules, for visitors and phones, and the texts that phones keep."""
    phone = server.first_phone()
    books = [book["key"] for book in phone.get("/phone.json").get_json()["books"]]
    for language in LANGUAGES:
        visitor = Phone(server, f"visitor in {language}", **{"Accept-Language": language})
        for path in ("/", "/rules", "/language", "/settings", "/phone", "/phone/call", "/api"):
            visitor.get(path)
        for path in ("/manifest.webmanifest", "/history", "/nowhere", "/import"):
            visitor.get(path)
        visitor.get(f"/phone/pieces/{language}")
        visitor.get(f"/phone/pieces/{language}/call")
        for key in books:
            visitor.get(f"/rules/{key}")
    for key in books:
        phone.get(f"/rules/{key}")
        phone.get(f"/games/new?rules={key}")
    for path in ("/sw.js", "/robots.txt", "/api/openapi.json", "/phone/pieces/xx", "/phone/other"):
        phone.get(path)


def house_rules_and_their_effects(server: Server) -> None:
    """Each value of every rule book changed in some ways, and what the page says of it."""
    phone = server.first_phone()
    for book in phone.get("/phone.json").get_json()["books"]:
        page = Page(phone.get(f"/rules/new?rules={book['key']}").get_data(as_text=True))
        for name, values in _values_to_try(page).items():
            for value in values:
                phone.get(f"/rules/new?part=1&rules={book['key']}&{name}={value}")


def _values_to_try(page: Page) -> dict[str, list[str]]:
    """Return other values of each field of the form of house rules."""
    found: dict[str, list[str]] = {}
    for select in page.all("select"):
        options = select.findall(".//option")
        others = [one.get("value", "") for one in options if one.get("selected") is None]
        found[select.get("name", "")] = others
    for field in page.all("input[@maxlength='40']"):
        usual = field.get("value", "")
        numbers = ["1", "20"] if usual == "off" else ["off", str(_twice(usual))]
        found[field.get("name", "")] = numbers
    for switch in page.all("input[@role='switch']"):
        found[switch.get("name", "")] = ["no" if "checked" in switch.attrib else "yes"]
    for name, text in (
        ("ten_for", "20"), ("call_values", "1-5:1,6-13:3"), ("minimum_by_total", "30:2"),
        ("bids_at_least_by_total", "30:12"),
    ):  # fmt: skip
        found.setdefault(name, []).append(text)
    return {name: values for name, values in found.items() if name not in ("rules", "name")}


def _twice(number: str) -> int:
    return 2 * int(number) if re.fullmatch("-?[0-9]+", number) else 7


def saved_rules(server: Server) -> None:
    """House rules that a table saves, changes on two phones, plays by, shares and deletes."""
    phone, other = server.first_phone(), server.another_phone()
    fields = phone.form("house-rules", "/rules/new?rules=partnership").fields
    friday = {**fields, "name": "Friday night rules", "target": "300", "bag_limit": "5",
              "bag_penalty": "50", "minimum_bid": "2", "first_dealer": "last"}  # fmt: skip
    for wrong in (
        {"name": ""}, {"name": "x" * 90}, {"target": "x"}, {"bag_penalty": "off"}, {"tricks": "18"},
        {"board": "4", "minimum_bid": "zz"}, {"rules": "poker"}, {"show": "1"}, {"nil_points": "x"},
    ):  # fmt: skip
        phone.send("/rules/new", {**friday, **wrong})
    saved = phone.ask("POST", "/rules/new", friday).location
    phone.send("/rules/new", friday)
    phone.get(saved)
    old = other.form("house-rules", f"{saved}/change").fields
    form = phone.form("house-rules", f"{saved}/change").fields
    phone.send(f"{saved}/change", {**form, "target": "350"})
    other.send(f"{saved}/change", {**old, "target": "400"})
    other.send(f"{saved}/change", {**old, "version": "x"})
    other.send(f"{saved}/change", {**old, "target": "x"})
    other.get(f"{saved}/change?part=1&target=20")
    key = saved.rpartition("/")[2]
    for path in ("/rules", f"/games/new?rules={key}", "/phone.json"):
        phone.get(path)
    game = Game(phone, key)
    game.enter_round()
    game.look_at_all()
    for query in (
        "", "rules=poker", "jokers=2", "rules=cutthroat&target=x", "target=1&target=2",
        "rules=cutthroat-lite&overtrick_cap=off&name=Friday", f"rules=cutthroat&name={'x' * 1600}",
        "rules=partnership&target=300&bag_limit=5&bag_penalty=50&name=Friday+night+rules",
        "rules=call-break&rounds=3", "rules=forty-one&target=31", "rules=cutthroat&name=%00",
    ):  # fmt: skip
        Phone(server, "visitor").get(f"/rules/link?{query}")
        phone.get(f"/games/new?{query}")
    phone.post(f"{saved}/remove")
    phone.post(f"{saved}/remove")
    phone.get(saved)
    other.get("/games/new")


def new_games(server: Server) -> None:
    """The form of a new game: names, seats, options, and what is wrong with them."""
    phone = server.first_phone()
    form = phone.form("new-game", "/games/new").fields
    names = {f"player-{n}": name for n, name in enumerate(PLAYERS[:4], 1)}
    good = {**form, **names, "rules": "cutthroat-lite"}
    for changed in (
        {"rules": "?"}, {"player-2": ""}, {"player-2": "north"}, {"player-2": "x" * 41},
        {"player-2": "\u200b"}, {"player-2": "<b>&amp;"}, {"first_dealer": "9"}, {"stake": "?"},
        {"stake": "1e9"}, {"target": "x"}, {"bag_limit": "0"}, {"tricks": "14"}, {"minutes": "0"},
        {"rules": "partnership", "player-4": ""}, {"seats": "3"}, {"seats": "5"}, {"seats": "6"},
        {"move": "1:down"}, {"move": "2:up"}, {"move": "9:up"}, {"move": "shuffle"}, {"next": ""},
        {"next": "", "player-3": ""}, {"rendered_for": "cutthroat", "target": "90"},
        {"rules": "call-break", "rendered_for": "partnership", "bag_limit": "3"},
        {"player-5": "Centre", "player-6": "More"},
    ):  # fmt: skip
        phone.send("/games/new", {**good, **changed})
    for options in (
        {"first_dealer": "draw"}, {"first_dealer": "2", "stake": "2,50"}, {"minutes": "40"},
        {"target": "off", "rounds": "3"}, {"target": "٧٥"}, {"player-1": "  Zoë  "},
    ):  # fmt: skip
        phone.send("/games/new", {**form, **names, "rules": "cutthroat-lite", **options})
    phone.send("/games/new", {**good, "request_key": "a" * 26})
    phone.send("/games/new", {**good, "request_key": "a" * 26})
    for path in ("/", "/games/new", "/history", "/play-on"):
        phone.get(path)


def leaving_and_joining(server: Server) -> None:
    """Five play, one leaves, four go on, another joins; also at a rematch, and the clock rings."""
    phone, other = server.first_phone(), server.another_phone()
    game = Game(phone, "cutthroat-lite", 5, minutes=20, stake="1")
    other.path = game.path
    game.enter_round()
    phone.post(game.round("/seats"), seat=2, leaves="yes")
    phone.post(game.round("/seats"), seat=3, leaves="yes")
    phone.post(game.round("/seats"), seat=4, leaves="yes")
    other.get()
    game.facts()
    phone.post(f"{game.path}/undo")
    for _ in range(3):
        game.enter_round()
    phone.post(game.round("/seats"), seat=2, player="Robin")
    game.enter_round()
    phone.get()
    phone.post(game.round("/last"))
    game.enter_round()
    game.look_at_all()
    other.get()
    for way in ("same", "winner", "draw"):
        phone.post(f"{game.path}/again", way=way)


def watching(server: Server) -> None:
    """A live link, what watchers see of it, seats of phones, and the streams."""
    phone, other = server.first_phone(), server.another_phone()
    watcher = Phone(server, "watcher")
    game = Game(phone, "partnership")
    other.path = game.path
    phone.get(f"{game.path}/share")
    phone.post(f"{game.path}/watching", on="yes")
    link = re.search(r"/watch/\w+", phone.get(f"{game.path}/share").get_data(as_text=True))
    assert link is not None
    for play in (game.enter_bids, game.enter_round, game.enter_round):
        for query in ("", "?part=1", "?rounds=all"):
            shown = watcher.get(link[0] + query)
        watcher.get(link[0], headers={"If-None-Match": shown.headers.get("ETag", "")})
        play()
    watcher.read(f"{link[0]}/events")
    phone.read(f"{game.path}/events")
    server.program().read(f"/api{game.path}/events")
    other.post(f"{game.path}/seat", seat=2)
    other.get()
    phone.post(f"{game.path}/seat", seat=2)
    phone.post(f"{game.path}/seat", seat=2, instead_of="1")
    phone.post(f"{game.path}/seat", seat=9)
    other.get(f"{game.path}/phone.json")
    phone.get(f"{game.path}/share")
    phone.post(f"{game.path}/seat", seat="")
    for language in LANGUAGES:
        watcher.get(link[0], headers={"Accept-Language": language})
    phone.post(f"{game.path}/watching", on="")
    watcher.get(link[0])
    watcher.get(f"{link[0]}/events")


def played_by_program(
    server: Server, rules: str, names: list[str], rounds: int, **more: Any
) -> str:
    """Play some rounds, the same each time, and return the path of the game."""
    program = server.program()
    body = {"rules": rules, "players": names, **more}
    started = program.ask("POST", "/api/games", json=body)
    path = str(started.get_json()["url"])
    for number in range(1, rounds + 1):
        seat = (number + len(path)) % 4
        bids: list[Any] = [2, 3, 4, 1]
        bids[seat] = "nil" if rules.startswith("p") and number % 3 == 0 else 3
        tricks = [2, 4, 4, 3] if "lite" not in rules else [2, 3, 4, 1]
        tag = program.get(path).headers["ETag"]
        if bids[seat] == "nil" and number % 2:
            tricks = [0 if one == seat else count for one, count in enumerate(tricks)]
            tricks[(seat + 1) % 4] = tricks[(seat + 1) % 4] + 13 - sum(tricks)
        sent = {"bids": bids, "tricks": tricks}
        program.ask("PUT", f"{path}/rounds/{number}", json=sent, headers={"If-Match": tag})
    return path


def history_and_players(server: Server) -> None:
    """Some games of many players: searched, sorted, removed, restored, renamed and merged."""
    phone = server.first_phone()
    casts = (
        ["Ana", "Ben", "Cy", "Dana"], ["Ben", "Ana", "Eve", "Cy"], ["Eve", "Finn", "Ana", "Ben"],
        ["Dana", "Gül", "हरि", "Ana"], ["ana", "Anna", "Ben", "Finn"],
    )  # fmt: skip
    books = ("cutthroat", "partnership", "cutthroat-lite", "call-break", "partnership-250")
    paths = []
    for n in range(14):
        paths.append(
            played_by_program(server, books[n % 5], list(casts[n % 3 + n // 7]), 3 + n % 6)
        )
    for query in (
        "", "player=Ana", "player=an", "player=ana,ben", "player=zz", "player=a,b,c,d,e,f",
        "winner=Ben", "rules=call-break", "rules=zz", "from=2026-01-03", "from=2026-02-30",
        "to=2026-01-02", "from=2026-01-04&to=2026-01-03", "player=Ana&winner=Ana&rules=cutthroat",
        "after=zz", "player=Gül", "player=%D8%8C", f"player={'x' * 500}",
    ):  # fmt: skip
        phone.get(f"/history?{query}")
        phone.get(f"/history.csv?{query}")
        phone.get(f"/history.json?{query}")
    table = Page(phone.get("/players").get_data(as_text=True))
    for link in table.all("a[@href]"):
        if re.match(r"/players|\?", link.get("href", "")):
            phone.get(_from_players(link.get("href", "")))
    for rules in (*books, "all", "zz"):
        phone.get(f"/players?rules={rules}")
        for player in range(1, 10):
            phone.get(f"/players/{player}?rules={rules}")
    for path in (
        "/players/99",
        "/players/x",
        "/players?after=3",
        "/players?after=x",
        "/players?by=x",
    ):
        phone.get(path)
    _rename_and_merge(phone)
    removed = paths[3].rpartition("/")[2]
    for path in (f"/games/{removed}/removal", f"/games/{removed}/removal", "/games/zz/removal"):
        phone.post(path)
    for path in (
        "/history",
        "/history/removed",
        "/history/removed?after=zz",
        "/players",
        "/players/1",
    ):
        phone.get(path)
    phone.post(f"/history/removed/{removed}")
    phone.post(f"/history/removed/{removed}")
    phone.post("/history/removed/zz")
    for path in ("/", "/players", "/players/1", "/history"):
        phone.get(path)


def _from_players(link: str) -> str:
    return f"/players{link}" if link.startswith("?") else link


def _rename_and_merge(phone: Phone) -> None:
    for name in ("Anabel", "", "x" * 41, "Ben", "ben", "Anabel\u202e"):
        phone.post("/players/1/name", name=name)
    for one, other in ((1, 2), (5, 7), (5, 5), (1, 99)):
        phone.get(f"/players/{one}/merge/{other}")
        phone.post(f"/players/{one}/merge/{other}", name="Finn")
    for path in ("/players/1", "/players/5", "/players/7", "/players", "/history"):
        phone.get(path)


def files_out_and_in(server: Server) -> None:
    """Exports imported again: into the same table, after a change, and into another one."""
    phone = server.first_phone()
    game = Game(phone, "cutthroat-lite")
    game.enter_round()
    game.send_round()
    phone.post(game.round("/penalties"), seat=1, what="points:nobody", size=10, reason="other")
    played_by_program(server, "partnership", list(PLAYERS[:4]), 4, house_rules={"target": 200})
    files = [phone.get(f"/history.{kind}").get_data() for kind in ("csv", "json")]
    files += [phone.get(f"{game.path}.{kind}").get_data() for kind in ("csv", "json")]
    phone.get("/import")
    for data in files:
        _import(phone, data)
    game.enter_round()
    for data in (phone.get(f"{game.path}.json").get_data(), *files):
        _import(phone, data)
    text = SHEET
    sheets = (
        text, "", "zz", text.replace("4,3", "4,5"), text.replace("nil", "zz"), text * 2,
        text.replace("Ana", "=Ana"), text.replace("round", "hand"), "\ufeff" + text,
        text.replace(",", ";"), text.replace("Ben", "ana"), "{}", "[1]", '{"games": 1}',
        files[1].decode().replace('"version"', '"versio"'), files[1].decode()[:-20],
        text.replace("1,", "3,"), "\x00", "a" * 2000,
    )  # fmt: skip
    first, *_others = [_import(phone, sheet.encode()) for sheet in sheets]
    _import(phone, text.encode(), rules="call-break")
    _import(phone, text.encode(), rules="zz")
    _import(phone, text.replace("1,", "2,").encode(), **{"was-1": "Ana", "name-1": "Zoë"})
    for kept in ("zz", first):
        for path in ("all", "undo"):
            phone.post(f"/import/{path}", kept=kept)
        for path in ("done", "progress"):
            phone.get(f"/import/{path}?import={kept}")
    for path in ("/history", "/players", "/players/1", "/history.csv", "/history.json"):
        phone.get(path)


def _import(phone: Phone, data: bytes, **fields: str) -> str:
    """Upload a file, and import what its preview shows; return under what name it was kept."""
    sent = {"csrf_token": phone.token, "file": (io.BytesIO(data), "games.csv"), **fields}
    shown = phone.ask("POST", "/import", sent)
    if shown.status_code == 200:
        form = Page(shown.get_data(as_text=True)).form("/import/all")
        phone.send("/import/all", {**form.fields, **fields})
        return form.fields.get("kept", "")
    return ""


def in_every_language(server: Server) -> None:
    """The same pages in six languages, chosen on the phone."""
    phone = server.first_phone()
    games = [Game(phone, rules) for rules in ("cutthroat-lite", "partnership", "forty-one")]
    for game in (*games, Game(phone, "call-break")):
        phone.path = game.path
        game.enter_round()
        phone.post(game.round("/penalties"), seat=2, what="set:nobody", reason="renege")
        phone.post(game.round("/seats"), seat=1, name="Robin")
        game.enter_bids()
    for language in LANGUAGES:
        phone.post("/language", language=language, back="/settings")
        for path in (
            "/", "/games/new", "/history", "/players", "/players/1", "/table", "/settings/sound",
            "/import", "/rules/new?rules=partnership&target=300", "/history/removed", "/phone.json",
        ):  # fmt: skip
            phone.get(path)
        for game in games:
            phone.path = game.path
            game.look_at_all()
            phone.post(game.round(), bid_1=99)
    phone.post("/language", language="xx")
    phone.post("/language", language="en", back="https://elsewhere.invalid/")
