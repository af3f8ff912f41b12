"""What the correction of a scored round would change, shown before it is saved."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.i18n import by_number
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.game import GameState, Round, fold
from scorekeeper.store.games import Game
from scorekeeper.web.text.wording import fill, listed, minus, points_kind, signed, winner_names


class SideStep(NamedTuple):
    """A side and its total after a correction; `delta` is empty where that stays."""

    seats: tuple[int, ...]
    names: Markup
    total: str
    delta: str
    delta_kind: str


class Correction(NamedTuple):
    """The sides after a correction, and its effect in words: first an end that changes."""

    sides: list[SideStep]
    lines: list[Markup]


def preview_correction(game: Game, number: int, corrected: Round) -> Correction:
    """Return what changes where a scored round of a game is replaced."""
    before, after = game.state, _after(game, number, corrected)
    if corrected == game.round(number):
        return Correction(_sides(game, before, after), [])
    changed = _totals(game, before, after)
    lines = [*_end(game, before, after), *changed]
    if not changed:
        lines.append(fill(_("Nobody’s total changes.")))
    elif len(changed) < len(after.sides):
        lines.append(fill(_("Everyone else unchanged.")))
    return Correction(_sides(game, before, after), lines)


def _after(game: Game, number: int, corrected: Round) -> GameState:
    rounds = [*game.rounds[: number - 1], corrected, *game.rounds[number:]]
    players = len(game.starters)
    return fold(game.rules, players, game.first_dealer, rounds, game.state, game.starters)


def _sides(game: Game, before: GameState, after: GameState) -> list[SideStep]:
    kind = game.rules.shown_as
    steps = []
    for side, seats in enumerate(after.sides):
        was, now = before.standing.totals[side], after.standing.totals[side]
        delta = signed(now - was, kind) if now != was else ""
        names = listed(game.side_names(side))
        steps.append(SideStep(seats, names, minus(now, kind), delta, points_kind(delta)))
    return steps


def _totals(game: Game, before: GameState, after: GameState) -> list[Markup]:
    """Return each total that changes."""
    kind = game.rules.shown_as
    totals = zip(before.standing.totals, after.standing.totals, strict=True)
    return [
        fill(
            _("{names} {old} → {new}"),
            names=listed(game.side_names(side)),
            old=minus(was, kind),
            new=minus(now, kind),
        )
        for side, (was, now) in enumerate(totals)
        if was != now
    ]


def _end(game: Game, before: GameState, after: GameState) -> list[Markup]:
    """Return how the game ends instead, if it does not end as it did."""
    was, now = winner_names(game, before), winner_names(game, after)
    if (was, before.number) == (now, after.number) or not (was or now):
        return []
    if not now:
        return [fill(_("The game isn’t over then. It continues with round {n}."), n=after.number)]
    text = by_number("{names} would have won in round {n}.", len(now))
    return [fill(text, names=listed(now), n=after.number)]


def problem(errors: Mapping[str, Sequence[str]]) -> str:
    """Return what is wrong with a correction, in one text."""
    return " ".join(sentence for sentences in errors.values() for sentence in sentences)


def toast(game: Game, number: int, corrected: Round) -> Markup:
    """Return the message after a correction: the round, and each total that has changed."""
    sentence = fill(_("Round {n} corrected."), n=number)
    changed = _totals(game, game.state, _after(game, number, corrected))
    return Markup(" ").join([sentence, *changed[:2]])
