"""Changes of a game as sentences: lines of the journal, and what each of them changed."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext, translate
from scorekeeper.rules.penalties import Penalty, penalty_sentence
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet
from scorekeeper.rules.seating import Seats, Substitutes
from scorekeeper.store.changes import Change
from scorekeeper.store.games import Game, cells_that_differ, read_round
from scorekeeper.web.text.rule_books import value_name, value_shown
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.wording import bdi, bid_word, cards_each, fill, listed, minus, trump_line


def penalty_line(names: Sequence[str], penalty: Penalty, shown_as: str) -> Markup:
    """Return who pays a penalty, why, and how much."""
    what = translate(penalty_sentence(penalty, penalty.size, shown_as))
    return fill(say("penalty_of"), name=bdi(names[penalty.seat]), what=what)


def seat_lines(seats: Seats, before: Substitutes, after: Substitutes) -> list[Markup]:
    """Return who takes or leaves which seat where the substitutes of a round change.

    `seats` are those of the round before it.
    """
    old, new = seats.after(before), seats.after(after)
    return [
        _seat_line(old, new, seat) for seat in range(len(seats.names)) if _differ(old, new, seat)
    ]


def _differ(old: Seats, new: Seats, seat: int) -> bool:
    return (seat in old.empty) != (seat in new.empty) or old.names[seat] != new.names[seat]


def _seat_line(old: Seats, new: Seats, seat: int) -> Markup:
    name = bdi(new.names[seat])
    if seat in new.empty:
        return fill(say("leaves_table"), name=name)
    if seat in old.empty:
        return fill(say("joins_table"), name=name)
    return fill(say("takes_seat"), name=name, old=bdi(old.names[seat]))


def remark_lines(round_: Round, shown_as: str) -> list[Markup]:
    """Return other cards than those of the list, trump, start totals, notes on round and game."""
    notes = round_.notes
    texts = {say("remark_line"): notes.remark, say("game_remark_line"): notes.game_remark}
    return [
        *([fill(say("cards_dealt_line"), cards=cards_each(notes.cards))] if notes.cards else []),
        *([trump_line(notes.trump)] if notes.trump else []),
        *start_lines(round_, shown_as),
        *(fill(sentence, text=bdi(text)) for sentence, text in texts.items() if text),
    ]


def start_lines(round_: Round, shown_as: str) -> list[Markup]:
    """Return the totals and bags that a game begins with, in the order of the seats."""
    totals = " · ".join(minus(points, shown_as) for points in round_.notes.start)
    bags = " · ".join(map(str, round_.notes.start_bags))
    return [
        *([fill(say("start_totals_line"), totals=totals)] if totals else []),
        *([fill(say("start_bags_line"), bags=bags)] if bags else []),
    ]


def note_lines(game: Game, round_: Round) -> list[Markup]:
    """Return what is noted of the round that is played, as it is or as it was."""
    before, notes = game.seats_in(game.state.number - 1), round_.notes
    return [
        *([escape(say("is_last_round"))] if notes.last_round else []),
        *seat_lines(before, (), notes.substitutes),
        *(penalty_line(game.names, one, game.rules.shown_as) for one in notes.penalties),
        *remark_lines(round_, game.rules.shown_as),
    ]


def remarks_shown(game: Game) -> list[tuple[int, Markup]]:
    """Return the notes on the rounds of a game, with the number of each."""
    return [(n, bdi(one.notes.remark)) for n, one in enumerate(game.rounds, 1) if one.notes.remark]


def seat_changes(game: Game) -> list[tuple[int, Markup]]:
    """Return who took or left a seat in the rounds of a game, with the number of each."""
    return [
        (number, line)
        for number, round_ in enumerate(game.rounds, 1)
        for line in seat_lines(game.seats_in(number - 1), (), round_.notes.substitutes)
    ]


class RoundChanges(NamedTuple):
    """The changes of a round, oldest first; `number` is 0 for those of the game as a whole.

    `title` says what the table stood at after the round.
    """

    number: int
    title: Markup
    changes: list[Change]

    @property
    def corrections(self) -> list[Change]:
        return [change for change in self.changes if is_correction(change)]

    @property
    def entries(self) -> list[Change]:
        return [change for change in self.changes if not is_correction(change)]

    @property
    def phones(self) -> list[str]:
        return list(dict.fromkeys(change.phone for change in self.changes if change.phone))


def changes_by_round(game: Game, changes: Sequence[Change]) -> list[RoundChanges]:
    """Group changes, newest first, by their rounds: the latest round first, the game last."""
    rounds: dict[int, list[Change]] = {}
    for change in reversed(changes):
        rounds.setdefault(change.round or 0, []).append(change)
    return [
        RoundChanges(number, _round_title(game, number), rounds[number])
        for number in sorted(rounds, reverse=True)
    ]


def is_correction(change: Change) -> bool:
    """Return whether a change replaced what was entered; taking back a tap is none."""
    if change.kind in ("misdeal", "removed"):
        return True
    if change.kind in ("undo", "redo") or not change.before:
        return False
    before, after = change.before, change.after or Round((None,) * len(change.before.bids))
    counts = [round_.tricks or round_.tally or () for round_ in (before, after)]
    return _replaces(before.bids, after.bids) or _replaces(*counts)


def _replaces(before: Iterable[object], after: Iterable[object]) -> bool:
    return any(old is not None and old != new for old, new in zip(before, after, strict=False))


def _round_title(game: Game, number: int) -> Markup:
    """Return who led after a round, or who won with it."""
    state = game.state
    if not number:
        return escape(_("This game"))
    if number > len(state.rounds):
        return escape(_("In progress") if number == state.number else _("Undone"))
    round_, names = state.rounds[number - 1], game.names_in(number)
    totals = round_.after.totals
    best = max(totals[side] for side in round_.after.playing)
    ahead = [side for side in round_.after.playing if totals[side] == best]
    won = state.winners if number == len(state.rounds) else ()
    ahead = [*won] or ahead
    people = [names[seat] for side in ahead for seat in state.sides[side]]
    if won:
        sentence = say("won_with", len(people))
    elif len(ahead) > 1:
        sentence = say("tied_at", len(people))
    else:
        sentence = ngettext("{names} leads with {total}", "{names} lead with {total}", len(people))
    total = minus(totals[ahead[0]], game.rules.shown_as)
    return fill(sentence, names=listed(people), total=total)


def change_line(game: Game, change: Change) -> Markup:
    """Return a line of the journal as a sentence, under the heading of its round."""
    empty = Round((None,) * len(game.names))
    before, after = change.before or empty, change.after or empty
    texts = {
        "begin": _("game started"),
        "undo": _("undone"),
        "redo": _("redone"),
        "misdeal": _("misdeal, redealt"),
        "removed": _("round removed"),
        "end": _("game ended"),
        "scored": say("is_now_scored"),
        "deleted": _("game deleted"),
        "restored": _("game restored"),
        "rules": _("rules changed"),
    }
    is_named = change.kind in texts and not (change.kind == "scored" and is_correction(change))
    parts = [escape(texts[change.kind])] if is_named else []
    number = change.round or 0
    steps = rule_steps(*change.rules) if change.rules else None
    seats = change.seats or game.seats_in(number - 1)
    parts += steps or _differences(seats, game.rules.shown_as, before, after)
    return escape(_("; ")).join(parts)


def step_line(game: Game, number: int | None, old: str | None, new: str | None) -> Markup | None:
    """Return what undo takes back or redo repeats: a bid, a count, or else its round.

    `old` and `new` are the round in the form of the journal, as it was before that entry and after
    it. A change of the rules is not named.
    """
    if number is None:
        return None
    empty = Round((None,) * len(game.names))
    before, after = read_round(old) or empty, read_round(new) or empty
    (what, seat), *others = cells_that_differ(before, after) or {("notes", 0)}
    entered = {"bid": after.bids, "tally": after.tally}.get(what)
    if others or not entered or entered[seat] is None:
        return fill(say("round"), n=number)
    sentence = say("bid_of_name") if what == "bid" else say("took_of_name")
    shown = bid_word(entered[seat]) if what == "bid" else entered[seat]
    return fill(sentence, name=bdi(game.names_in(number)[seat]), new=shown)


def entry_text(round_: Round, seat: int) -> str:
    """Return what a seat bid and took."""
    counts = round_.tricks or round_.tally
    bid, count = bid_word(round_.bids[seat]), counts[seat] if counts else None
    if count is None:
        return say("bid").format(bid=bid) if bid else "–"
    if bid:
        return say("bid_took").format(bid=bid, n=count)
    return say("took").format(n=count)


def rule_steps(old: RuleSet, new: RuleSet) -> list[Markup]:
    """Return the differences between two rule sets, one sentence each."""
    step = _("{value} {old} → {new}")
    renamed = fill(step, value=_("Rules"), old=bdi(old.name), new=bdi(new.name))
    values = [
        fill(
            step,
            value=value_name(name),
            old=value_shown(getattr(old, name)),
            new=value_shown(getattr(new, name)),
        )
        for name in HOUSE_RULES
        if getattr(old, name) != getattr(new, name)
    ]
    return values if old.name == new.name else [renamed, *values]


def _differences(seats: Seats, shown_as: str, before: Round, after: Round) -> list[Markup]:
    """Return what a change of a round set, one sentence for each bid, count and note.

    `seats` are those of the round before it.
    """
    names, empty = seats.after(after.notes.substitutes)
    none = (None,) * len(names)
    bids = [[bid_word(bid) for bid in state.bids] for state in (before, after)]
    tricks = [
        [
            "" if count is None or (seat in empty and not count) else str(count)
            for seat, count in enumerate(state.tricks or state.tally or none)
        ]
        for state in (before, after)
    ]
    return [
        *_steps(say("bid_of_name"), _("{name} bid {new}, not {old}"), names, *bids),
        *_steps(say("took_of_name"), _("{name} took {new}, not {old}"), names, *tricks),
        *seat_lines(seats, before.notes.substitutes, after.notes.substitutes),
        *(penalty_line(names, one, shown_as) for one in _added(before, after)),
        *(
            fill(
                _("points removed: {penalty}")
                if one.kind == "bonus"
                else _("penalty removed: {penalty}"),
                penalty=penalty_line(names, one, shown_as),
            )
            for one in _added(after, before)
        ),
        *([escape(_("last round"))] if before.notes.last_round != after.notes.last_round else []),
        *_remark_steps(before, after),
        *(
            [fill(say("cards_dealt_line"), cards=cards_each(after.notes.cards))]
            if after.notes.cards not in (None, before.notes.cards)
            else []
        ),
        *_trump_step(before, after),
        *_start_steps(before, after, shown_as),
        *([escape(_("cards of the list"))] if before.notes.cards and not after.notes.cards else []),
    ]


def _trump_step(before: Round, after: Round) -> list[Markup]:
    """Return what became of the suit that was turned as trump."""
    if before.notes.trump == after.notes.trump:
        return []
    return [trump_line(after.notes.trump) if after.notes.trump else escape(_("trump removed"))]


def _start_steps(before: Round, after: Round, shown_as: str) -> list[Markup]:
    """Return what became of the totals that a game begins with."""
    if (before.notes.start, before.notes.start_bags) == (after.notes.start, after.notes.start_bags):
        return []
    return start_lines(after, shown_as) or [escape(_("no start totals"))]


def _remark_steps(before: Round, after: Round) -> list[Markup]:
    """Return what became of the notes on a round and on the game."""
    texts = [
        (before.notes.remark, after.notes.remark, _("note: {text}"), _("note removed")),
        (
            before.notes.game_remark,
            after.notes.game_remark,
            _("note on the game: {text}"),
            _("note on the game removed"),
        ),
    ]
    return [
        fill(written, text=bdi(new)) if new else escape(removed)
        for old, new, written, removed in texts
        if old != new
    ]


def _added(before: Round, after: Round) -> list[Penalty]:
    """Return the penalties that a round has after a change and did not have before."""
    return list((Counter(after.notes.penalties) - Counter(before.notes.penalties)).elements())


def _steps(
    first: str, changed: str, names: Sequence[str], before: list[str], after: list[str]
) -> list[Markup]:
    """Return a sentence for each seat: what was entered, or what it replaces, or what is gone."""
    return [
        fill(changed if old and new else first, name=bdi(name), old=old, new=new or old)
        for name, old, new in zip(names, before, after, strict=True)
        if old != new
    ]
