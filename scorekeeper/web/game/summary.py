"""The result of a game in words: a summary for sharing, and what would have changed it."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.i18n import by_number, direction, ngettext, translate
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.awards import awards
from scorekeeper.rules.sentence import N_
from scorekeeper.rules.what_if import Alternative, TrickChange, alternatives
from scorekeeper.store.games import Game
from scorekeeper.web.game.open_round import name_by
from scorekeeper.web.game.screen import title_of
from scorekeeper.web.text.dates import day
from scorekeeper.web.text.numbers import minus
from scorekeeper.web.text.svg_text import END, ISOLATE
from scorekeeper.web.text.wording import bdi, fill, listed, named, winner_line

# What would have changed a game, by what changes and how it ends then. The number decides how many
# have won, and `n` is the round.
TURNS = {
    "trick_goes_on": N_(
        "If {name} had taken one of {other}’s tricks in round {n}, the game would have gone on."
    ),
    "trick_wins_earlier": N_(
        "If {name} had taken one of {other}’s tricks in round {n}, {names} would have won in "
        "round {last}, {total} to {second}.",
        "If {name} had taken one of {other}’s tricks in round {n}, {names} would have won in "
        "round {last}, {total} to {second}.",
    ),
    "trick_wins": N_(
        "If {name} had taken one of {other}’s tricks in round {n}, {names} would have won, "
        "{total} to {second}.",
        "If {name} had taken one of {other}’s tricks in round {n}, {names} would have won, "
        "{total} to {second}.",
    ),
    "bid_goes_on": N_(
        "If {name} had bid {bid} instead of {old} in round {n}, the game would have gone on."
    ),
    "bid_wins_earlier": N_(
        "If {name} had bid {bid} instead of {old} in round {n}, {names} would have won in round "
        "{last}, {total} to {second}.",
        "If {name} had bid {bid} instead of {old} in round {n}, {names} would have won in round "
        "{last}, {total} to {second}.",
    ),
    "bid_wins": N_(
        "If {name} had bid {bid} instead of {old} in round {n}, {names} would have won, {total} "
        "to {second}.",
        "If {name} had bid {bid} instead of {old} in round {n}, {names} would have won, {total} "
        "to {second}.",
    ),
}
RIGHT_TO_LEFT_MARK = "\N{RIGHT-TO-LEFT MARK}"
# Every phone requests the page of a finished game, and a game of ten rounds takes 11 ms, some 23.
# No row of the benchmark shows such a page. Key: the state, on which alone they depend.
_turns = lru_cache(maxsize=128)(alternatives)


class AwardShown(NamedTuple):
    """An award as it is written, with the names and seats of those who share it."""

    n: int
    seats: list[int]
    title: str
    names: Markup
    why: str


def awards_given(game: Game) -> list[AwardShown]:
    """Return the awards of a game."""
    return [
        AwardShown(
            award.seats[0][0] + 1,
            [seat for seats in award.seats for seat in seats],
            translate(award.title),
            named(game, award.seats),
            translate(award.why),
        )
        for award in awards(game.state)
    ]


def turn_lines(game: Game) -> list[Markup]:
    """Return the sentences about what would have changed a game, two at most."""
    return [_turn_line(game, turn) for turn in _turns(game.state)]


def places(game: Game) -> list[tuple[int, int]]:
    """Return each side with its place, best first."""
    return sorted(enumerate(game.state.places), key=lambda line: line[1])


def headline(game: Game) -> Markup:
    """Return who won, or after which round an unfinished game is."""
    if game.state.phase == "over":
        return title_of(game)
    return fill(_("After round {n}"), n=len(game.state.rounds))


def played_line(game: Game) -> str:
    """Return what was played, when, and for how many rounds."""
    rounds = len(game.state.rounds)
    rounds_played = ngettext("{n} round", "{n} rounds", rounds).format(n=rounds)
    parts = (game.rules.name, day(game.started), rounds_played)
    if direction() == "ltr":
        return " · ".join(parts)
    return _directed(" · ".join(f"{ISOLATE}{part}{END}" for part in parts))


def summary(game: Game) -> str:
    """Return the result as plain text: the winner, the totals round by round, the awards.

    In a right-to-left language each line begins with a mark that gives it this direction, as most
    apps take that of a line from its first letter.
    """
    state = game.state
    lines = [plain(headline(game))]
    if state.phase == "over":
        lines.append(plain(winner_line(game)))
    lines += [played_line(game), ""]
    for side, place in places(game):
        race = " · ".join(
            minus(played.after.totals[side], game.rules.shown_as) for played in state.rounds
        )
        name = plain(listed(game.side_names(side)))
        lines.append(
            f"{place}. {name} {minus(state.standing.totals[side], game.rules.shown_as)} ({race})"
        )
    given = awards_given(game) if state.phase == "over" else []
    if given:
        lines.append("")
    lines += [f"{award.title}: {plain(award.names)} ({award.why})" for award in given]
    notes = [plain(line) for line in turn_lines(game)]
    return "\n".join(map(_directed, [*lines, *([""] if notes else []), *notes]))


def plain(text: Markup) -> str:
    """Return a sentence without markup; names of the other direction stay isolated."""
    marked = str(text).replace("<bdi>", ISOLATE).replace("</bdi>", END)
    return re.sub(f"{ISOLATE}([^{END}]*){END}", _isolated, Markup(marked).striptags())


def _directed(line: str) -> str:
    is_turned = direction() == "rtl" and line and not line.startswith(RIGHT_TO_LEFT_MARK)
    return f"{RIGHT_TO_LEFT_MARK}{line}" if is_turned else line


def _turn_line(game: Game, turn: Alternative) -> Markup:
    change, rules, totals = turn.change, game.rules, sorted(turn.totals, reverse=True)
    if isinstance(change, TrickChange):
        name, other = (
            name_by(game, seat, rules.tricks_by) for seat in (change.to, change.instead_of)
        )
        gaps = {"name": bdi(name), "other": bdi(other)}
    else:
        gaps = {"name": bdi(name_by(game, change.seat, rules.bid_by))}
        gaps |= {"bid": Markup(change.bid), "old": Markup(change.instead_of)}
    winners = () if turn.winner is None else game.side_names(turn.winner)
    sentence = TURNS[_turn_code(game, turn)]
    return fill(
        by_number(sentence.text, len(winners)) if winners else _(sentence.text),
        n=turn.number,
        last=turn.last,
        names=listed(winners) if winners else "",
        total=minus(totals[0], game.rules.shown_as),
        second=minus(totals[1], game.rules.shown_as),
        **gaps,
    )


def _turn_code(game: Game, turn: Alternative) -> str:
    kind = "trick" if isinstance(turn.change, TrickChange) else "bid"
    if turn.winner is None:
        return f"{kind}_goes_on"
    return f"{kind}_wins_earlier" if turn.last < len(game.state.rounds) else f"{kind}_wins"


def _isolated(name: re.Match[str]) -> str:
    other = ("L",) if direction() == "rtl" else ("R", "AL")
    turns_around = any(unicodedata.bidirectional(c) in other for c in name[1])
    return name[0] if turns_around else name[1]
