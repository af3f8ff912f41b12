"""The board that a large screen shows of a game: standings, the round, the chart of totals."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import translate
from scorekeeper.rules.bidding import contract, highest_total, possible_bids, refusal
from scorekeeper.rules.deck import preparation
from scorekeeper.rules.entry import fill_last_count
from scorekeeper.rules.faces import Face
from scorekeeper.rules.hints import hints
from scorekeeper.store.games import Game
from scorekeeper.web.game.charts import (
    Frame,
    frame_of,
    lines_of_sides,
    mark_of,
    numbered_rounds,
    points_of,
    totals_by_round,
)
from scorekeeper.web.game.open_round import asked_bid, asked_name
from scorekeeper.web.game.result import AwardShown, awards_given
from scorekeeper.web.game.scoreboard import lead_change, score_rows
from scorekeeper.web.game.screen import Json, played_facts, pot_of
from scorekeeper.web.text.books import book_name
from scorekeeper.web.text.cards import leader_line
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.svg_text import apart, cut_names, width
from scorekeeper.web.text.wording import (
    bdi,
    bid_word,
    fill,
    minus,
    points_kind,
    round_line,
    shown,
    signed,
    winner_names,
)

LONG_NAME = 12  # characters; longer names are smaller, on two lines
MAX_AWARDS = 3


class BoardRow(NamedTuple):
    """A side in the standings, with what matters most to it now or what it has just scored."""

    side: int
    faces: tuple[Face, ...]
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
    def color(self) -> int:
        """The color of the side, which is that of its first seat."""
        return self.faces[0].color


class BoardSeat(NamedTuple):
    """A seat in bidding order: its bid, and its tricks once they are counted."""

    side: int
    face: Face
    name: str
    bid: str
    tricks: int | None
    is_active: bool
    deals: bool

    @property
    def is_long(self) -> bool:
        return len(self.name) > LONG_NAME


class Board(NamedTuple):
    """The scoreboard. `slots` are the colors of who bid each trick, or has taken it once tricks are
    counted; None for tricks left over.
    """

    title: Markup
    about: Markup
    lead: Markup | None
    rows: list[BoardRow]
    heading: Markup
    seats: list[BoardSeat]
    is_counting: bool
    slots: list[int | None]
    race: Markup
    preparation: list[Markup | str]
    awards: list[AwardShown]
    winner: BoardRow | None
    facts: Json  # of the game, from which scripts show the newest round again


def build_board(game: Game) -> Board:
    """Return what a large screen shows of a game, the side with the highest total first."""
    state = game.state
    counts = _counts(game)
    is_over = state.phase == "over"
    rows = _rows(game)
    return Board(
        title=round_line(game),
        about=_about(game),
        lead=lead_change(game) if state.just_scored else None,
        rows=rows,
        heading=Markup() if is_over else _heading(game),
        seats=[] if is_over else _seats(game),
        is_counting=any(count is not None for count in counts),
        slots=[] if is_over else _slots(game, counts),
        race=race(game) if state.rounds else Markup(),
        preparation=[] if state.rounds else _preparation(game),
        awards=awards_given(game)[:MAX_AWARDS] if is_over else [],
        winner=_winner(game, rows[0]) if is_over else None,
        facts=played_facts(game),
    )


def _winner(game: Game, first: BoardRow) -> BoardRow:
    """Return the first row with the shapes of all who have won."""
    is_long = len("".join(winner_names(game))) > LONG_NAME
    return first._replace(faces=game.faces_of(game.state.winning_seats), is_long=is_long)


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
                side=row.side,
                faces=row.faces,
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
            state.side_of(seat),
            game.shown_faces[seat],
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
        if type(bid) is int and refusal(state.table, state.open.bids, seat, bid)
    ]
    is_last = sum(state.open.bids[one] is None for one in state.asked) == 1
    if is_last and len(refused) == 1:
        return fill(_("{name} bids last: any number but {n}"), name=name, n=refused[0])
    return fill(_("{name} is bidding"), name=name)


def _counts(game: Game) -> Sequence[int | None]:
    """Return the tricks of each seat once some are counted; None for each before."""
    state = game.state
    if state.phase != "playing":
        return [None] * state.players
    return fill_last_count(state.open.tally, state.round_rules, state.players, state.seats.empty)


def _slots(game: Game, counts: Sequence[int | None]) -> list[int | None]:
    """Return the colors of the tricks that are counted, or of those that are bid before."""
    bids, is_counting = game.state.open.bids, any(count is not None for count in counts)
    colors = [
        game.shown_faces[seat].color
        for seat in game.state.order
        for _trick in range((counts[seat] or 0) if is_counting else contract(bids[seat : seat + 1]))
    ]
    return [*colors, *[None] * (game.state.round_rules.tricks - len(colors))]


def _preparation(game: Game) -> list[Markup | str]:
    """Return what is played to and how to prepare the deck, for a game without a scored round."""
    lines = preparation(game.rules, len(game.names))
    return [leader_line(game), *map(translate, lines)]


def _about(game: Game) -> Markup:
    """Return the pot, the rule book and the score that wins."""
    parts = [fill(_("pot {pot}"), pot=pot)] if (pot := pot_of(game)) else []
    parts.append(bdi(book_name(game.rules)))
    if game.rules.target is not None:
        parts.append(fill(_("first to {target}"), target=game.rules.target))
    if n := game.rules.length(len(game.names)):
        parts.append(fill(say("rounds", n), n=n))
    return Markup(" · ").join(parts)


WIDTH, HEIGHT = 1180, 236  # units of the chart, pixels on a screen of 1920 × 1080
LEFT, TOP, BOTTOM = 72, 18, 36
LABEL = 330  # units for a name and a total at most
SIZE, LINE, MARK = 26, 30, 20  # of labels: font size and distance; of shapes


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
        *lines_of_sides(game, points_of(frame, totals), mark_of(frame, "board-mark")),
    ]
    heights = apart([frame.y(total) for total in totals[-1]], LINE, TOP, HEIGHT - LINE / 2)
    text = Markup('<text class="seat-{}" x="{:.1f}" y="{:.1f}">{}</text>')
    for side, seats in enumerate(game.state.sides):
        x, y = right + 1.5 * MARK, heights[side] + SIZE / 3
        parts.append(text.format(game.shown_faces[seats[0]].color, x, y, labels[side]))
    return Markup(
        '<svg class="race" viewBox="0 0 {w} {h}" role="img" direction="ltr" '
        'aria-label="{label}">{parts}</svg>'
    ).format(
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
    text = Markup('<text class="axis" text-anchor="middle" x="{:.1f}" y="{}">{}</text>')
    return [text.format(x, HEIGHT - 6, n) for x, n in numbered_rounds(frame)]
