"""Live updates, the page for watchers, the board for a large screen, and claimed seats."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    redirect,
    render_template,
    request,
    url_for,
)
from markupsafe import Markup, escape
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import language, ngettext, translate
from scorekeeper.live import Caps, Listener, Live, TooManyStreams
from scorekeeper.rules.bidding import contract, highest_total, possible_bids, refusal
from scorekeeper.rules.entry import fill_last_count
from scorekeeper.rules.explain import hints
from scorekeeper.rules.seating import preparation
from scorekeeper.store.games import Game
from scorekeeper.store.tables import hash_of
from scorekeeper.store.watch_links import (
    SeatClaim,
    claim_seat,
    end_watch_link,
    make_watch_link,
    own_seat,
    release_seat,
    seat_claims,
    watch_key,
    watched_game,
)
from scorekeeper.web.game.charts import (
    MAX_MARKED,
    Frame,
    classes_of,
    frame_of,
    lines_of_sides,
    points_of,
    totals_by_round,
)
from scorekeeper.web.game.open_round import asked_bid, asked_name
from scorekeeper.web.game.result import AwardShown, awards_given
from scorekeeper.web.game.scoreboard import clock_of, score_rows
from scorekeeper.web.game.screen import build_screen
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.forms import Malformed, seat_of
from scorekeeper.web.http.metrics import count_refused
from scorekeeper.web.http.requests import (
    database,
    error_page,
    find_game_or_404,
    find_in,
    mark_restored,
    require_phone,
    store,
)
from scorekeeper.web.http.templates import cached_fragment, shared_link
from scorekeeper.web.text.cards import apart, cut_names, leader_line, width
from scorekeeper.web.text.wording import (
    bdi,
    bid_word,
    fill,
    minus,
    money,
    points_kind,
    shown,
    signed,
)

WIDTH, HEIGHT = 1180, 236  # units of the chart, pixels on a screen of 1920 × 1080
LEFT, TOP, BOTTOM = 72, 18, 36
LABEL = 330  # units for a name and a total at most
SIZE, LINE, MARK = 26, 30, 20  # of labels: font size and distance; of shapes
LONG_NAME = 12  # characters; longer names are smaller, on two lines
MAX_AWARDS = 3


class BoardRow(NamedTuple):
    """A side in the standings, with what matters most to it now or what it has just scored."""

    seats: tuple[int, ...]
    names: Markup
    is_long: bool
    total: str
    leads: bool
    share: int
    pips: list[bool]
    bag_count: str
    bags_label: str
    note: str
    note_kind: str
    place: int

    @property
    def first_seat(self) -> int:
        """The number of the seat that gives the side its colour."""
        return self.seats[0] + 1


class BoardSeat(NamedTuple):
    """A seat in bidding order: its bid, and its tricks once they are counted."""

    seat: int
    name: str
    bid: str
    tricks: int | None
    is_active: bool
    deals: bool

    @property
    def is_long(self) -> bool:
        return len(self.name) > LONG_NAME


class Board(NamedTuple):
    """The scoreboard. `slots` are the seats that bid each trick, None for tricks left over."""

    about: Markup
    rows: list[BoardRow]
    heading: Markup
    seats: list[BoardSeat]
    is_counting: bool
    slots: list[int | None]
    race: Markup
    preparation: list[Markup | str]
    awards: list[AwardShown]
    winner: BoardRow | None


def build_board(game: Game) -> Board:
    """Return what a large screen shows of a game, the side with the highest total first."""
    state = game.state
    counts = fill_last_count(state.open.tally, state.round_rules, state.players, state.seats.empty)
    is_over = state.phase == "over"
    rows = _rows(game)
    return Board(
        about=_about(game),
        rows=rows,
        heading=Markup() if is_over else _heading(game),
        seats=[] if is_over else _seats(game),
        is_counting=state.phase == "playing" and any(count is not None for count in counts),
        slots=[] if is_over else _slots(game),
        race=race(game) if state.rounds else Markup(),
        preparation=[] if state.rounds else _preparation(game),
        awards=awards_given(game)[:MAX_AWARDS] if is_over else [],
        winner=rows[0] if is_over else None,
    )


def _rows(game: Game) -> list[BoardRow]:
    state = game.state
    best = highest_total(state.standing.totals, state.seats.empty)
    rows = []
    for row in score_rows(game):
        total = state.standing.totals[row.side]
        names = game.side_names(row.side)
        found = hints(state, row.side)
        kind, note = "plain", ""
        if game.rules.target is not None:
            note = _("needs {n}").format(n=shown(game.rules.target - total, game.rules.shown_as))
        if state.phase == "bidding" and state.just_scored:
            note = signed(state.rounds[-1].scores[row.side].points, game.rules.shown_as)
            kind = points_kind(note)
        if found and found[0].kind != "plain":
            kind, note = found[0].kind, translate(found[0].sentence)
        rows.append(
            BoardRow(
                seats=row.seats,
                names=row.names,
                is_long=len("".join(names)) > LONG_NAME,
                total=row.total,
                leads=bool(state.rounds) and total == best,
                share=row.share,
                pips=row.pips,
                bag_count=row.bag_count,
                bags_label=_("{bags} of {limit} bags").format(bags=row.bags, limit=row.limit),
                note=note,
                note_kind=kind,
                place=state.places[row.side],
            )
        )
    return sorted(rows, key=lambda row: row.place)


def _seats(game: Game) -> list[BoardSeat]:
    state = game.state
    counts = fill_last_count(state.open.tally, state.round_rules, state.players, state.seats.empty)
    active = _bidder(game)
    return [
        BoardSeat(
            seat,
            asked_name(game, seat),
            bid_word(asked_bid(state, seat)),
            counts[seat],
            seat == active,
            seat == state.asked_for(state.dealer),
        )
        for seat in state.asked
    ]


def _bidder(game: Game) -> int | None:
    """Return the seat that bids now, if the round is in its bidding."""
    state = game.state
    if state.phase != "bidding":
        return None
    return next((seat for seat in state.asked if state.open.bids[seat] is None), None)


def _heading(game: Game) -> Markup:
    """Return who bids now, with the one number that the last bidder must not bid."""
    state, seat = game.state, _bidder(game)
    if seat is None:
        return escape(_("Bids and tricks"))
    name = bdi(asked_name(game, seat))
    refused = [
        bid
        for bid in possible_bids(state.round_rules)
        if type(bid) is int
        and refusal(
            state.round_rules, state.open.bids, seat, bid, state.standing.kept, state.seats.empty
        )
    ]
    is_last = sum(state.open.bids[one] is None for one in state.asked) == 1
    if is_last and len(refused) == 1:
        return fill(_("{name} bids last: any number but {n}"), name=name, n=refused[0])
    return fill(_("{name} is bidding"), name=name)


def _slots(game: Game) -> list[int | None]:
    bids = game.state.open.bids
    seats = [seat for seat in game.state.order for _trick in range(contract(bids[seat : seat + 1]))]
    return [*seats, *[None] * (game.state.round_rules.tricks - len(seats))]


def _preparation(game: Game) -> list[Markup | str]:
    """Return what is played to and how to prepare the deck, for a game without a scored round."""
    lines = preparation(game.rules, len(game.names))
    return [leader_line(game), *map(translate, lines)]


def _about(game: Game) -> Markup:
    """Return the pot, the rule book and the score that wins."""
    pot = money(game.stake * len(game.names)) if game.stake else ""
    parts = [fill(_("pot {pot}"), pot=pot)] if pot else []
    parts.append(bdi(game.rules.name))
    if game.rules.target is not None:
        parts.append(fill(_("first to {target}"), target=game.rules.target))
    if n := game.rules.length(len(game.names)):
        parts.append(fill(ngettext("{n} round", "{n} rounds", n), n=n))
    return Markup(" · ").join(parts)


def race(game: Game) -> Markup:
    """Return the totals by round as inline SVG, wider than the chart of `charts.race`."""
    totals = totals_by_round(game)
    labels = _labels(game, totals[-1])
    right = WIDTH - 2 * MARK - max(width(label, SIZE) for label in labels)
    frame = frame_of(game, LEFT, right, TOP, HEIGHT - BOTTOM)
    parts = [
        _level(frame, 0, "zero"),
        *([] if game.rules.target is None else [_level(frame, game.rules.target, "target")]),
        *_round_numbers(frame),
        *lines_of_sides(game, points_of(frame, totals)),
    ]
    heights = apart([frame.y(total) for total in totals[-1]], LINE, TOP, HEIGHT - LINE / 2)
    text = Markup('<text class="seat-{}" x="{:.1f}" y="{:.1f}">{}</text>')
    for side, seats in enumerate(game.state.sides):
        x, y = right + 1.5 * MARK, heights[side] + SIZE / 3
        parts.append(text.format(seats[0] + 1, x, y, labels[side]))
    return Markup(
        '<svg class="{classes}" viewBox="0 0 {w} {h}" role="img" direction="ltr" '
        'aria-label="{label}">{parts}</svg>'
    ).format(
        classes=classes_of(frame),
        w=WIDTH,
        h=HEIGHT,
        label=_("Scores by round"),
        parts=Markup("").join(parts),
    )


def _labels(game: Game, totals: Sequence[int]) -> list[str]:
    """Return each side's names, cut to fit, and its total."""
    labels = []
    for side, total in enumerate(totals):
        shown = f" {minus(total, game.rules.shown_as)}"
        names = cut_names(game.side_names(side), LABEL - width(shown, SIZE), SIZE)
        labels.append(names + shown)
    return labels


def _level(frame: Frame, figure: int, kind: str) -> Markup:
    return Markup(
        '<line class="{}" x1="{}" x2="{}" y1="{y:.1f}" y2="{y:.1f}"/>'
        '<text class="axis" text-anchor="end" x="{}" y="{:.1f}">{}</text>'
    ).format(
        kind,
        frame.left,
        frame.right,
        frame.left - 12,
        frame.y(figure) + SIZE / 3,
        figure,
        y=frame.y(figure),
    )


def _round_numbers(frame: Frame) -> list[Markup]:
    step = -(-frame.rounds // MAX_MARKED)
    text = Markup('<text class="axis" text-anchor="middle" x="{:.1f}" y="{}">{}</text>')
    return [text.format(frame.x(n), HEIGHT - 6, n) for n in range(step, frame.rounds + 1, step)]


pages = Blueprint("live", __name__)
ASK_AGAIN = 5  # seconds until a client that got no stream may try again
Answer = str | AnyResponse | tuple[str, int]


@pages.get("/games/<game_id>/events")
def events(game_id: str) -> Response:
    """Stream the changes of a game to a phone of its table."""
    phone = require_phone()
    game = find_game_or_404(game_id)
    return stream(game, phone.id, watches=False)


@pages.get("/watch/<key>/events")
def watch_events(key: str) -> Response:
    """Stream the game's versions to a watcher."""
    game = _watched(key)
    if game is None:
        rate_limits.wrong_key()
        abort(404)
    return stream(game, hash_of(key))


@pages.get("/watch/<key>")
def watch(key: str) -> Answer:
    """Show a game to watchers, who cannot change it; with `part=1` only what changes in it."""
    game = _watched(key)
    if game is None:
        rate_limits.wrong_key()
        sentence = _("This live link has been turned off. Ask the table for a new one.")
        return error_page(404, sentence, _("Link not valid"))
    every_round = request.args.get("rounds") == "all"
    is_part = request.args.get("part") == "1"
    clock = clock_of(game, now())
    left = clock.left if clock and not is_part else None  # scripts count the minutes by themselves
    link = shared_link(url_for("live.watch", key=key))
    host = urlsplit(link.url).netloc  # of the code on big screens
    tag = f"{game.tag}-{every_round}-{language()}-{left}-{host}"
    if tag in request.if_none_match:
        return Response(status=304)

    def render() -> str:
        return render_template(
            template,
            screen=build_screen(database(), game),
            board=None if every_round else build_board(game),
            code=link.code,
            obstacle=link.obstacle,
            watching=True,
            key=key,
            every_round=every_round,
        )

    template = "game/_watch_game.html"
    page: str = cached_fragment(
        render, game, template, link.url or link.obstacle, every_round, left
    )
    if not is_part:
        page = render_template("game/watch.html", part=page, clock=clock)
    response = Response(page)
    response.set_etag(tag)
    mark_restored(response, database(), game)
    return response


@pages.get("/games/<game_id>/share")
def share(game_id: str) -> str:
    """Show the watch link as text and QR code, and the seats that phones have claimed."""
    game = find_game_or_404(game_id)
    own = own_seat(database(), game, require_phone().id)
    key = watch_key(database(), game, _secret())
    link = shared_link(url_for("live.watch", key=key)) if key else None
    return render_template(
        "game/share.html",
        game=game,
        link=link,
        claims=seat_claims(database(), game),
        own_seat=own and own.seat,
    )


@pages.post("/games/<game_id>/watching")
def watching(game_id: str) -> AnyResponse:
    """Switch the watch link on or off."""
    game = find_game_or_404(game_id)
    with store().write(game.table_id) as db:
        if request.form.get("on") == "yes":
            make_watch_link(db, game, _secret(), now())
        else:
            end_watch_link(db, game, now())
    return redirect(url_for("live.share", game_id=game.id), 303)


@pages.post("/games/<game_id>/seat")
def seat(game_id: str) -> Answer:
    """Claim a seat for this phone, or release it when no seat is named.

    Where another phone plays for the seat, this asks first whether to take it over; the answer
    names that claim by its number.
    """
    phone, game = require_phone(), find_game_or_404(game_id)
    try:
        chosen = seat_of(request.form, len(game.names)) if request.form.get("seat") else None
    except Malformed as wrong:
        return error_page(400, str(wrong))
    with store().write(game.table_id) as db:
        claim = None if chosen is None else seat_claims(db, game).get(chosen)
        if claim and not _may_take(claim, phone.id):
            return render_template("game/take_over.html", game=game, seat=chosen, claim=claim), 409
        if chosen is None:
            release_seat(db, game, phone.id)
        elif claim is None or claim.phone_id != phone.id:
            claim_seat(db, game, chosen, phone.id)
    let_phones_fetch(game)
    return redirect(url_for("game.show", game_id=game.id), 303)


def _may_take(claim: SeatClaim, phone_id: str) -> bool:
    return phone_id == claim.phone_id or request.form.get("instead_of") == str(claim.number)


def let_phones_fetch(game: Game) -> None:
    """End the streams of a game, so that its phones fetch whose seat is whose, and conflicts."""
    _live().followed_games.end((game.table_id, game.id))


def _live() -> Live:
    live = current_app.extensions["live"]
    assert isinstance(live, Live)
    return live


def stream(game: Game, who: str, *, watches: bool = True) -> Response:
    """Answer with a stream of a game's events, or 503 where there are too many: clients poll then.

    The stream ends when a phone or link, named by its id or by the hash of its key, is removed.
    Clients that are no phone of the table watch: they are told only versions.
    """
    # A browser that connects again repeats the address; the header has what it has seen since.
    last = request.headers.get("Last-Event-ID") or request.args.get("seen", "")
    version, _dash, hash_ = last.partition("-")
    seen = int(version) if version.isascii() and version.isdigit() and len(version) < 10 else 0
    # Streams are counted by URL: each watch link has its own, all phones of a table share one.
    gone = request.environ.get("waitress.client_disconnected")
    address = rate_limits.visitor()
    listener = Listener(who, gone, link=request.path, address=address, watches=watches)
    try:
        body = _live().stream((game.table_id, game.id), seen, listener, hash_)
    except TooManyStreams:
        count_refused("streams")
        return Response(status=503, headers={"Retry-After": str(ASK_AGAIN)})
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(body, content_type="text/event-stream", headers=headers)


def caps(config: Mapping[str, Any]) -> Caps:
    """Return the limits of streams in the settings."""
    return Caps(config["STREAMS"], config["STREAMS_PER_LINK"], config["STREAMS_PER_ADDRESS"])


def _watched(key: str) -> Game | None:
    found = watched_game(database(), key)
    return find_in(database(), *found) if found else None


def _secret() -> str:
    return str(current_app.config["SECRET_KEY"])
