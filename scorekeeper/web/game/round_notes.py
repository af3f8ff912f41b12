"""What stands beside the bids and tricks of a round, as sentences: penalties, notes, a misdeal."""

from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.free_text import one_line
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.penalties import (
    Penalty,
    parse_penalty,
    penalty_text,
)
from scorekeeper.rules.round import Round
from scorekeeper.store.changes import Step
from scorekeeper.store.games import Game, read_round
from scorekeeper.web.http.forms import (
    Malformed,
    quoted,
)
from scorekeeper.web.text.change_lines import note_lines, penalty_line
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.wording import bdi, fill


class GivenPenalty(NamedTuple):
    """A penalty that was given: as `penalty_from` reads it, and as a sentence."""

    value: str
    line: Markup
    is_bonus: bool


def penalty_from(text: str, players: int) -> Penalty:
    """Return a penalty from text such as `0:books:3:others:renege`. Raises `Malformed`."""
    seat, _colon, penalty = text.partition(":")
    try:
        if seat not in map(str, range(players)):
            raise ValueError(seat)
        found = parse_penalty(int(seat), penalty)
        return found._replace(reason=one_line(found.reason))
    except ValueError:
        raise Malformed(_("{text} isn’t a penalty.").format(text=quoted(text))) from None


def given_penalties(game: Game, number: int) -> list[GivenPenalty]:
    """Return the penalties of a round, in the order of seats."""
    names, shown_as = game.names_in(number), game.rules.shown_as
    return [
        GivenPenalty(
            f"{one.seat}:{penalty_text(one)}",
            penalty_line(names, one, shown_as),
            is_bonus=one.kind == "bonus",
        )
        for one in game.round(number).notes.penalties
    ]


def misdeal_line(game: Game, undo: Step | None) -> Markup | None:
    """Return, until the next bid, that the cards are dealt again and undo brings the bids back."""
    if undo is None or undo.round != game.state.number:
        return None
    nothing = Round((None,) * len(game.names))
    now, before = (read_round(one) or nothing for one in (undo.before, undo.after))
    is_misdeal = now.bids == nothing.bids != before.bids and now.notes == before.notes
    if not is_misdeal:
        return None
    sentence = say("misdealt")
    return fill(sentence, name=bdi(game.names[game.state.dealer]))


def notes_shown(game: Game) -> list[Markup]:
    """Return the notes of the round that is played, as sentences; after the end what lost it."""
    round_ = game.state.open
    if game.state.phase == "over":
        lost = [one for one in round_.notes.penalties if one.kind == "lost"]
        return [penalty_line(game.names, one, game.rules.shown_as) for one in lost]
    if game.state.asks_trump:  # by buttons, of which one shows what is noted
        round_ = round_.noted(trump=None)
    return note_lines(game, round_)
