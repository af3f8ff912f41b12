"""What other rules would change in a game, in words: values, the end, totals, rounds."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.i18n import by_number
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.game import GameState, fold
from scorekeeper.rules.rule_change import RoundDifference, compare_scores
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store.games import Game
from scorekeeper.web.text.change_lines import rule_steps
from scorekeeper.web.text.numbers import minus, signed
from scorekeeper.web.text.wording import fill, listed, series

Step = tuple[str, str]


class SideRow(NamedTuple):
    """A side with its total and bags before and after."""

    seats: tuple[int, ...]
    names: Markup
    total: Step
    bags: Step


class RuleChangePreview(NamedTuple):
    """Everything that the preview shows."""

    values: list[Markup]
    end: list[Markup]
    rows: list[SideRow]
    rounds: list[Markup]


def preview_rule_change(game: Game, rules: RuleSet) -> RuleChangePreview:
    """Return what changes where a game is scored by other rules."""
    before = game.state
    players = len(game.starters)
    after = fold(rules, players, game.first_dealer, game.rounds, starters=game.starters)
    difference = compare_scores(before, after)
    return RuleChangePreview(
        values=rule_steps(game.rules, rules),
        end=_end(game, before, after),
        rows=[
            SideRow(
                after.sides[side],
                listed(game.side_names(side)),
                (minus(one.total[0], rules.shown_as), minus(one.total[1], rules.shown_as)),
                (str(one.bags[0]), str(one.bags[1])),
            )
            for side, one in enumerate(difference.sides)
        ],
        rounds=[_round(game, one) for one in difference.rounds if one.number <= len(after.rounds)],
    )


def _end(game: Game, before: GameState, after: GameState) -> list[Markup]:
    """Return where the game ends by the new rules, unless it goes on either way."""
    was, now = _winners(game, before), _winners(game, after)
    lines = []
    text = ""
    if now and was and (now, len(after.rounds)) == (was, len(before.rounds)):
        text = by_number("{names} won in round {n}, as before.", len(now))
    elif now and now == was:
        text = by_number("With these rules {names} won in round {n}, not in round {m}.", len(now))
    elif now and was:
        text = by_number(
            "With these rules {names} won in round {n}, not {others} in round {m}.", len(now)
        )
    elif now:
        text = by_number(
            "With these rules {names} won in round {n} and the game is over.", len(now)
        )
    elif was:
        text = _("With these rules the game isn’t over. It continues with round {n}.")
    if text:
        numbers = {"n": after.number, "m": before.number}
        lines.append(fill(text, names=now and listed(now), others=was and listed(was), **numbers))
    if after.uncounted:
        text = _("Round {first} came after the end, so it doesn’t count.")
        if after.uncounted > 1:
            text = by_number(
                "Rounds {first} to {last} came after the end, so they don’t count.",
                after.uncounted,
            )
        lines.append(fill(text, first=after.number + 1, last=len(game.rounds)))
    return lines


def _winners(game: Game, state: GameState) -> Sequence[str]:
    if state.outcome is None or state.outcome.winner is None:
        return ()
    return game.side_names(state.outcome.winner)


def _round(game: Game, one: RoundDifference) -> Markup:
    if None in one.points[0]:
        points = series(
            Markup("{} {}").format(
                listed(game.side_names(side)), signed(new or 0, game.rules.shown_as)
            )
            for side, (_old, new) in enumerate(one.points)
        )
        return fill(_("Round {n} now counts: {points}"), n=one.number, points=points)
    steps = series(
        fill(
            _("{names} {old} → {new}"),
            names=listed(game.side_names(side)),
            old=signed(old or 0, game.rules.shown_as),
            new=signed(new or 0, game.rules.shown_as),
        )
        for side, (old, new) in enumerate(one.points)
        if old != new
    )
    return fill(_("Round {n}: {what}"), n=one.number, what=steps)
