"""Cards of a game for lists of games."""

from typing import NamedTuple

from markupsafe import Markup, escape

from scorekeeper.rules.faces import Face
from scorekeeper.store.games import Game
from scorekeeper.web.text.books import book_name
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.wording import (
    bdi,
    fill,
    listed,
    minus,
    round_line,
    shown,
    when,
    winner_line,
    winner_names,
)


class SideTotal(NamedTuple):
    """A side with its total; `share` is how far it is to the target, in percent."""

    faces: tuple[Face, ...]
    names: Markup
    total: str
    share: int
    leads: bool

    @property
    def color(self) -> int:
        """The number of the color of the side, that of its first player."""
        return self.faces[0].color


class StandingsCard(NamedTuple):
    """A game that goes on: the sides in the order of their seats, and what is at stake."""

    game_id: str
    book: str
    length: Markup
    sides: list[SideTotal]
    sentence: Markup
    number: int


class ResultCard(NamedTuple):
    """A game in a list: who won, or which round is played; the other sides, and the chart.

    `winner_faces` is empty while the game goes on.
    """

    game_id: str
    winner_faces: tuple[Face, ...]
    title: Markup
    others: list[SideTotal]
    about: Markup
    chart: Markup

    @property
    def goes_on(self) -> bool:
        return not self.winner_faces

    @property
    def color(self) -> int:
        """The number of the color of the winner; 0 while there is none."""
        return self.winner_faces[0].color if self.winner_faces else 0


def standings_card(game: Game) -> StandingsCard:
    """Return the card of a game that goes on."""
    state = game.state
    return StandingsCard(
        game.id,
        book_name(game.rules),
        _length(game),
        side_totals(game),
        leader_line(game),
        state.number,
    )


def final_card(game: Game) -> StandingsCard:
    """Return the card of a game that is over, as that of one that goes on: who won, and how."""
    won = fill(say("wins", len(winner_names(game))), names=listed(winner_names(game)))
    sentence = Markup(" · ").join([won, winner_line(game)])
    return standings_card(game)._replace(sentence=sentence, length=escape(when(game.changed)))


def _length(game: Game) -> Markup:
    """Return how many rounds are played, and of how many or until when; or the round's cards."""
    played, rules = len(game.state.rounds), game.rules
    if rules.cards:
        return round_line(game)
    if rules.target is None:
        n = rules.length(game.state.players) or 0
        sentence = say("rounds_of", n)
        return fill(sentence, played=played, n=n)
    sentence = say("rounds_to", played)
    return fill(sentence, n=played, target=rules.target)


def result_card(game: Game, *, with_rules: bool = False, with_day: bool = True) -> ResultCard:
    """Return the card of a game that is over, with the winner first, or of one that goes on."""
    state, sides = game.state, side_totals(game)
    order = sorted(range(len(sides)), key=lambda side: state.places[side])
    seats = state.winning_seats
    title = fill(say("goes_on"), round=round_line(game))
    if seats:
        names, total = listed(winner_names(game)), sides[state.winners[0]].total
        title = fill(say("won_with", len(seats)), names=names, total=total)
    others = [sides[side] for side in order if side not in state.winners]
    faces = game.faces_of(seats)
    about = _about(game, with_rules=with_rules, with_day=with_day)
    return ResultCard(game.id, faces, title, others, about, sparkline(game))


def side_totals(game: Game) -> list[SideTotal]:
    """Return the sides of a game with their totals; those with the highest total lead."""
    state, totals = game.state, game.state.standing.totals
    best = max(totals[side] for side in state.standing.playing)
    full = game.rules.target or max(1, best)
    return [
        SideTotal(
            game.faces_of(seats),
            listed(game.side_names(side)),
            minus(totals[side], game.rules.shown_as),
            max(0, min(100, 100 * totals[side] // full)),
            bool(state.rounds) and totals[side] == best,
        )
        for side, seats in enumerate(state.sides)
    ]


def leader_line(game: Game) -> Markup:
    """Return who leads a game that goes on, by how much, and how far from the target."""
    totals, target = game.state.standing.totals, game.rules.target
    playing = game.state.standing.playing
    best = max(totals[side] for side in playing)
    leaders = [side for side in playing if totals[side] == best]
    names = [name for side in leaders for name in game.side_names(side)]
    if not game.state.rounds:
        if target is None:
            return fill(
                say("most_after"),
                rounds=game.rules.length(game.state.players),
            )
        return fill(say("first_to"), target=target)
    if len(leaders) > 1:
        sentence = say("tied_at", len(names))
        return fill(sentence, names=listed(names), total=minus(best, game.rules.shown_as))
    sentence = say("leads", len(names))
    gap = best - max(totals[side] for side in playing if totals[side] != best)
    is_near = target is not None and best < target and not game.state.standing.seat_totals
    if target is None or not is_near:
        sentence = say("leads_by", len(names))
        return fill(sentence, names=listed(names), gap=shown(gap, game.rules.shown_as))
    return fill(
        sentence,
        names=listed(names),
        gap=shown(gap, game.rules.shown_as),
        missing=shown(target - best, game.rules.shown_as),
        target=shown(target, game.rules.shown_as),
    )


WIDTH, HEIGHT = 60, 44  # units of a chart
MARGIN, MARK = 6, 11  # units around its lines, and of the shape at the end of one
MAX_POINTS = 30  # of a line, as more would be closer than a phone can show


def sparkline(game: Game) -> Markup:
    """Return the totals by round as small inline SVG, the winner's line on top; empty at first."""
    state = game.state
    if not state.rounds:
        return Markup()
    rows = [(0,) * len(state.sides), *(played.after.totals for played in state.as_seated.rounds)]
    low, high = min(map(min, rows)), max(map(max, rows))
    first = rows[-1].index(max(rows[-1]))
    last = len(rows) - 1
    shown = [*range(0, last, -(-last // MAX_POINTS)), last]
    width, height = WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN

    def points(side: int) -> str:
        return " ".join(
            f"{MARGIN + width * n / last:.1f},"
            f"{MARGIN + height * (high - rows[n][side]) / max(1, high - low):.1f}"
            for n in shown
        )

    face = game.shown_faces[state.sides[first][0]]
    end = MARGIN + height * (high - rows[-1][first]) / max(1, high - low)
    line, mark = Markup('<polyline points="{}"/>'), MARK / 2
    return Markup(
        '<svg class="spark" viewBox="0 0 {w} {h}" aria-hidden="true">{others}'
        '<polyline class="tint-{color}" points="{points}"/>'
        '<use href="#seat-{shape}" class="seat-{color}" '
        'x="{x:.1f}" y="{y:.1f}" width="{m}" height="{m}"/></svg>'
    ).format(
        w=WIDTH,
        h=HEIGHT,
        others=Markup("").join(
            line.format(points(side)) for side in range(len(state.sides)) if side != first
        ),
        **face._asdict(),
        points=points(first),
        x=MARGIN + width - mark,
        y=end - mark,
        m=MARK,
    )


def _about(game: Game, *, with_rules: bool, with_day: bool) -> Markup:
    """Return how long a game is, and when it started and its rules where they are asked for."""
    n = len(game.state.rounds)
    parts = [when(game.started)] * with_day + [fill(say("rounds", n), n=n)]
    return Markup(" · ").join([*parts, bdi(book_name(game.rules))] if with_rules else parts)
