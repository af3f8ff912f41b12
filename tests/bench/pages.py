"""A tap and a round saved, and the game page that another phone sees after it."""

from collections.abc import Iterator
from statistics import median

from tests.bench.bench import Bench
from tests.bench.play import Caller
from tests.bench.rows import Row, quotients
from tests.bench.wire import Line, request, seconds_of

ROUNDS, SEATS = 20, 5
BARE = "a bare Flask view of the same bytes"
FORM = "a POST that only parses the same form"
NONE = None, None  # nothing that it must keep to


def round_saved(bench: Bench) -> Iterator[Row]:
    """One phone bids, scores a round and looks, game after game; a second phone looks too.

    In every other game both do it as their scripts do, asking only for the part that changes.
    """
    how_many, each = (16, 8) if bench.quick else (180, 20)
    table = bench.table(played=(how_many, ROUNDS - 1))
    took: list[dict[str, list[float]]] = []
    with bench.both(table.folder) as (ours, bare):
        caller, looker = (Caller(ours.address, table.cookie) for _ in range(2))
        yardstick = Line(bare.address)
        for n, game_id in enumerate(table.games["played"]):
            path, script = f"/games/{game_id}", n % 2 == 1
            part = {"HX_Request": "true"} if script else {}
            if n < 2:
                caller.learn_token(path)
                looker.learn_token(path)
                bare.show(looker.get(path, **part), "/part" if script else "/")
            if n % each == 0:
                took.append({})
            now = took[-1]
            form: dict[str, object]
            for seat in range(1, SEATS + 1):
                form = {"version": ROUNDS + seat - 1, "seat": seat, "bid": 2}
                tap = caller.sending(f"{path}/rounds/{ROUNDS}/bids", form)
                _time(now, "tap", caller.line, tap)
                form = {"csrf_token": caller.token, **form}
                _time(now, "bare tap", yardstick, request(bare.address, "/form", form))
                _time(now, "row", yardstick, request(bare.address, "/row", form))
            counts = (4, 3, 2, 1, 0)
            form = {"version": ROUNDS + SEATS}
            form |= {f"tricks-{seat}": count for seat, count in enumerate(counts, 1)}
            score = caller.sending(f"{path}/rounds/{ROUNDS}/tricks", form, **part)
            kind = "part" if script else "page"
            _time(now, f"score {kind}", caller.line, score)
            form = {"csrf_token": caller.token, **form}
            _time(now, "bare score", yardstick, request(bare.address, "/form", form))
            _time(now, f"view {kind}", looker.line, looker.asking(path, **part))
            same = request(bare.address, "/part" if script else "/", cookie=looker.cookie)
            _time(now, f"bare view {kind}", yardstick, same)
            if script:
                packed = request(bare.address, "/packing/part", cookie=looker.cookie)
                _time(now, "packing", yardstick, packed)

    def row(
        name: str, against: str, bounds: tuple[float | None, float | None], what: str, to: str
    ) -> Row:
        middles = [{kind: median(each) for kind, each in turn.items()} for turn in took]
        here, there = [turn[what] for turn in middles], [turn[to] for turn in middles]
        ratios = quotients(there, here) if against == FORM else quotients(here, there)
        seen = f"{median(here) * 1e6:.0f} and {median(there) * 1e6:.0f} µs"
        return Row(name, against, *bounds, ratios, seen=seen)

    yield row(
        "a round saved durably, one phone, requests a second",
        FORM,
        (0.5, None),
        "score page",
        "bare score",
    )
    yield row("a tap (one bid) saved durably, one phone", FORM, (0.5, None), "tap", "bare tap")
    yield row(
        "for comparison: that form as one row, and nothing else", FORM, NONE, "row", "bare tap"
    )
    yield row(
        "first view after a new round, on another phone",
        BARE,
        (None, 2),
        "view part",
        "bare view part",
    )
    yield row(
        "for comparison: those bytes packed again, and nothing else",
        BARE,
        NONE,
        "packing",
        "bare view part",
    )
    yield row(
        "the same view where no script runs: nothing of it was drawn before",
        BARE,
        NONE,
        "view page",
        "bare view page",
    )


def _time(into: dict[str, list[float]], what: str, line: Line, sent: bytes) -> None:
    def ask() -> None:
        answer = line.ask(sent)
        assert answer.status in (200, 303), (what, answer.status)

    into.setdefault(what, []).append(seconds_of(ask))
