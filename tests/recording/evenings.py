"""Evenings at the table: whole games of every rule book, and what happens to a game."""

from collections.abc import Callable, Iterator

from tests.recording.play import PLAYERS, Game
from tests.recording.recorder import Phone, Server
from tests.web.page import Page

Play = Callable[[Server], None]


def whole_games(books: dict[str, list[int]]) -> Iterator[tuple[str, Play]]:
    """Yield the evenings of every rule book at every size of table, by their names."""
    for key, sizes in books.items():
        for players in sizes:
            yield f"entered-{key}-{players}", lambda s, k=key, n=players: entered(s, k, n)  # type: ignore[misc]
            yield f"sent-{key}-{players}", lambda s, k=key, n=players: sent(s, k, n)  # type: ignore[misc]


def entered(server: Server, rules: str, players: int) -> None:
    """A whole game by forms, as without scripts, with everything that can go wrong."""
    phone = server.first_phone()
    other = server.another_phone()
    game = Game(phone, rules, players)
    other.path = game.path

    _take_bids_back(game)
    _call_a_misdeal(game)
    game.enter_round()
    _correct(game, other, 1)
    _give_penalties(game)
    game.enter_round()
    _enter_the_same_round_twice(game, other)
    game.enter_round()
    _change_the_rules(game, other)
    game.enter_round()
    _take_seats(game)
    while not game.enter_round():
        pass

    game.look_at_all()
    _undo_the_end(game)
    for path in ("/", "/history", "/players", "/players/1", "/play-on", "/phone.json"):
        phone.get(path)
    for way in ("same", "winner", "draw", "other"):
        phone.post(f"{game.path}/again", way=way)


def sent(server: Server, rules: str, players: int) -> None:
    """A whole game as the phone's script sends it, with taps of two phones that meet."""
    phone = server.first_phone()
    other = server.another_phone()
    game = Game(phone, rules, players, stake="2.50", first_dealer=2)

    game.send_round()
    _undo_lines(game)
    _send_from_two_phones(game, other)
    _send_notes(game)
    while not game.send_round():
        pass

    _send_after_the_end(game)
    game.look_at_all()
    phone.post(f"{game.path}/again", way="same")
    for path in ("/", "/history", "/players", f"/players?rules={rules}", "/players/1"):
        phone.get(path)
    for path in (f"/players/1?rules={rules}", "/phone.json"):
        phone.get(path)


def _take_bids_back(game: Game) -> None:
    phone, (first, second, *_) = game.phone, game.order()
    game.enter(**{f"bid_{first}": 3})
    game.enter(**{f"bid_{second}": 4})
    phone.post(f"{game.path}/undo")
    phone.post(f"{game.path}/undo")
    phone.post(f"{game.path}/undo")
    phone.post(f"{game.path}/redo")
    phone.post(f"{game.path}/undo", version="1-000000000000")
    phone.post(f"{game.path}/undo", version="x")
    phone.post(f"{game.path}/undo", version="")
    phone.post(f"{game.path}/undo")
    phone.post(game.round(number=7), bid_1=3)
    game.enter(bid_9=3)
    game.enter(tricks_1=1)


def _call_a_misdeal(game: Game) -> None:
    game.enter_bids()
    for count in (1, 2, "x", 99):
        game.enter(tricks_1=count)
    game.phone.post(game.round("/misdeal"))
    game.phone.post(f"{game.path}/undo")
    game.phone.post(game.round("/misdeal"))
    game.phone.post(game.round("/misdeal"))


def _correct(game: Game, other: Phone, number: int) -> None:
    """Correct a scored round: badly, well, and from a page that has become old."""
    path, phone = game.round(number=number), game.phone
    old = other.form(f"rounds/{number}", path)
    fields = phone.form(f"rounds/{number}", path).fields
    seats = range(1, game.players + 1)
    counts = {f"tricks-{n}": int(fields[f"tricks-{n}"]) for n in seats if f"tricks-{n}" in fields}
    most = max(counts, key=counts.__getitem__)
    least = min(counts, key=counts.__getitem__)
    for wrong in ({"bid-1": "99"}, {"bid-1": "x"}, {most: "0"}, {most: ""}, {"version": "x"}):
        phone.send(path, {**fields, **wrong})
    moved = {most: str(counts[most] - 1), least: str(counts[least] + 1)}
    phone.send(path, {**fields, **moved})
    phone.get(path)
    phone.get(f"{game.path}/changes")
    other.send(path, {**old.fields, least: str(counts[least] + 2), most: str(counts[most] - 2)})
    phone.post(f"{game.path}/undo")
    phone.post(f"{game.path}/redo")


def _give_penalties(game: Game) -> None:
    phone = game.phone
    for what, size, reason in (
        ("books:others", 3, "renege"),
        ("books:nobody", 1, "other"),
        ("points:nobody", 30, "table_talk"),
        ("points:nobody", "x", "table_talk"),
        ("points:nobody", 2000, "table_talk"),
        ("set:nobody", "", "out_of_turn"),
        ("cards:nobody", 1, "other"),
    ):
        phone.post(game.round("/penalties"), seat=2, what=what, size=size, reason=reason)
    phone.post(game.round("/penalties/remove"), penalty="1:points:30:nobody:table_talk")
    phone.post(game.round("/penalties/remove"), penalty="1:points")
    phone.post(game.round("/penalties", 1), seat=1, what="points:nobody", size=10, reason="other")
    phone.post(f"{game.path}/undo")
    phone.post(game.round("/last"))
    phone.post(f"{game.path}/undo")


def _enter_the_same_round_twice(game: Game, other: Phone) -> None:
    """Two phones enter a bid for one seat; the second sees both and chooses its own."""
    first, *_ = game.order()
    theirs = other.form("round", game.round())
    game.enter(**{f"bid_{first}": 4})
    both = other.send(theirs.action, {**theirs.fields, f"bid-{first}": "5"})
    if both.status_code == 409:
        choice = Page(both.get_data(as_text=True)).form(f"rounds/{game.number}")
        other.send(choice.action, choice.fields)
    game.enter(**{f"bid_{first}": 5})
    game.phone.post(f"{game.path}/undo")
    game.phone.post(f"{game.path}/undo")


def _change_the_rules(game: Game, other: Phone) -> None:
    phone, path = game.phone, f"{game.path}/rules/change"
    fields = phone.form("rules", path).fields
    for changed in (
        {}, {"target": "x"}, {"tricks": "9"}, {"bag_limit": "3", "bag_penalty": "20"},
        {"trick_points": "20"}, {"minutes": "40"}, {"target": "off", "rounds": "off"},
    ):  # fmt: skip
        phone.send(path, {**fields, **changed})
    wanted = {**fields, "trick_points": "12", "step": "confirm"}
    phone.send(path, {**wanted, "version": phone.revision})
    phone.send(path, {**wanted, "set_points": "5", "version": "1"})
    phone.send(path, {**wanted, "step": "edit"})
    other.get(f"{game.path}/rules")
    phone.get(f"{game.path}/changes")
    phone.get()
    phone.post(f"{game.path}/undo")


def _take_seats(game: Game) -> None:
    """Somebody takes a seat over, under good and bad names; leaving is refused at most tables."""
    phone = game.phone
    for name in ("Robin", "north", PLAYERS[2], "", "x" * 60, "\u202e"):
        phone.post(game.round("/seats"), seat=1, name=name)
    phone.post(game.round("/seats"), seat=2, leaves="yes")
    phone.post(f"{game.path}/undo")
    phone.post(game.round("/seats"), seat=1, name="Robin")
    phone.post(game.round("/seats"), seat=9, name="Robin")


def _undo_the_end(game: Game) -> None:
    phone = game.phone
    phone.get()
    phone.post(game.round(number=game.number + 1), bid_1=3)
    phone.post(f"{game.path}/undo")
    phone.post(f"{game.path}/redo")
    phone.post(f"{game.path}/removal")
    phone.get()
    phone.get("/players")
    phone.post(f"/history/removed/{game.path.rpartition('/')[2]}")


def _undo_lines(game: Game) -> None:
    """Undo and redo the last line of the journal, and one that is not the last."""
    phone, facts = game.phone, game.facts()
    for line in (facts["version"], facts["version"], 2, 999):
        phone.post(f"{game.path}/lines/{line}/undo")
    game.facts()
    phone.post(f"{game.path}/lines/{facts['version']}/redo")
    game.facts()
    phone.get(f"{game.path}/phone.json?seen=999-aaaaaaaaaaaa")
    phone.post(f"{game.path}/redo")
    game.is_over()


def _send_from_two_phones(game: Game, other: Phone) -> None:
    """Taps that meet: on other seats they are merged, on the same one it is a conflict."""
    first, second, *_ = game.order()
    before = game.phone.revision
    game.send("", None, game.bids_of({first: 4}))
    other.get(f"{game.path}/phone.json")
    game.post_taps(other, before, None, game.bids_of({second: 4}))
    late = game.bids_of({first: 5})
    for seen in (before, "5-000000000000", "x"):
        game.post_taps(other, seen, None, late)
    game.post_taps(other, other.revision, 9, game.bids_of())
    other.post(f"{game.path}0/rounds/1/sent", rounds="[]")
    other.post(game.round("/sent"), rounds="x")
    other.post(game.round("/sent"), bid_1=3)  # as scripts of an earlier version do
    game.facts()
    game.send("", None, {**game.bids_of(), "kind": "misdeal"})
    tag = game.phone.get(f"{game.path}/phone.json").headers["ETag"]
    game.phone.get(f"{game.path}/phone.json", headers={"If-None-Match": tag})


def _send_notes(game: Game) -> None:
    """Send penalties, the last round and substitutes as the phone's script does."""
    bids = game.send_bids()
    phone = game.phone
    fine = {"seat": 1, "kind": "points", "size": 30, "to": "nobody", "reason": "other"}
    books = {"seat": 1, "kind": "books", "size": 3, "to": "others", "reason": "renege"}
    lost_set = {"seat": 2, "kind": "set", "size": 1, "to": "nobody", "reason": "renege"}
    for penalties in ([fine], [books], "x", [{**lost_set, "seat": 9}]):
        game.send("", None, {**bids, "penalties": penalties})
    both = [{**fine, "size": 10}, lost_set]
    game.send("", None, {**bids, "penalties": both, "last_round": True})
    phone.get()
    game.send("", None, {**bids, "penalties": [], "last_round": False})
    robin = {"seat": 1, "player": "Robin"}
    game.send("", None, {**bids, "substitutes": [robin]})
    phone.get()
    left = {"seat": 2, "player": None}
    if game.send("", None, {**bids, "substitutes": [robin, left]}) == 200:
        game.facts()
        phone.get()
        phone.post(f"{game.path}/undo")
    game.send("", None, {**bids, "substitutes": [{"seat": 1, "player": "x" * 60}]})
    game.send_tricks(bids)
    game.is_over()


def _send_after_the_end(game: Game) -> None:
    game.phone.get()
    game.send("", game.number + 1, game.bids_of({1: 3}))
    game.send("", game.number + 9, game.bids_of())
    game.send("", 1, game.bids_of({1: 3}))
    game.phone.post(f"{game.path}/undo")
    game.phone.post(f"{game.path}/redo")
    game.facts()
