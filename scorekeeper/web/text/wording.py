"""Numbers, dates, names, stakes and sentences in the current language."""

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

from markupsafe import Markup, escape

from scorekeeper.clock import local, now
from scorekeeper.i18n import MINUS, isolate_sign, ngettext, translate
from scorekeeper.i18n import gettext as _
from scorekeeper.rules import sentence
from scorekeeper.rules.bidding import Bid, BlindBid, Nil
from scorekeeper.rules.game import GameState
from scorekeeper.rules.payments import payments
from scorekeeper.rules.rule_sentences import SUITS
from scorekeeper.rules.sentence import N_, Sentence
from scorekeeper.store.games import Game
from scorekeeper.web.text.sentences import SENTENCES, say

WIDE = 5  # characters, the minus among them


def minus(points: int, shown_as: str = "points") -> str:
    """Return a total; its minus stays in front in right-to-left languages."""
    return isolate_sign(sentence.minus(points, shown_as))


def signed(points: int, shown_as: str = "points") -> str:
    """Return points with a sign, which stays in front in right-to-left languages."""
    return isolate_sign(sentence.signed(points, shown_as))


def is_wide(points: int, shown_as: str) -> bool:
    """Return whether a total is longer than most, such as `12500` or `−1250`."""
    return len(sentence.minus(points, shown_as)) >= WIDE


def shown(points: int, shown_as: str) -> int | str:
    """Return points for a gap of a sentence, as `minus` does where they are shown in tenths."""
    return points if shown_as == "points" else minus(points, shown_as)


def counted(points: int, shown_as: str) -> int:
    """Return the number that decides the plural of points; a decimal takes that of many."""
    return points if shown_as == "points" else 100


def decimal(number: str) -> str:
    """Return a number with the decimal separator of the current language."""
    whole, point, fraction = number.partition(".")
    return say("decimal").format(whole=whole, fraction=fraction) if point else number


DAYS_OF_A_WEEK = 7
MINUTES_OF_A_DAY = 24 * 60
# One sentence for each month, so that a translation may write its name or its number.
DAYS = (
    N_("{day} Jan {year}"),
    N_("{day} Feb {year}"),
    N_("{day} Mar {year}"),
    N_("{day} Apr {year}"),
    N_("{day} May {year}"),
    N_("{day} Jun {year}"),
    N_("{day} Jul {year}"),
    N_("{day} Aug {year}"),
    N_("{day} Sept {year}"),
    N_("{day} Oct {year}"),
    N_("{day} Nov {year}"),
    N_("{day} Dec {year}"),
)

MONTHS = (
    N_("January {year}"),
    N_("February {year}"),
    N_("March {year}"),
    N_("April {year}"),
    N_("May {year}"),
    N_("June {year}"),
    N_("July {year}"),
    N_("August {year}"),
    N_("September {year}"),
    N_("October {year}"),
    N_("November {year}"),
    N_("December {year}"),
)

WEEKDAYS = (
    N_("Monday"),
    N_("Tuesday"),
    N_("Wednesday"),
    N_("Thursday"),
    N_("Friday"),
    N_("Saturday"),
    N_("Sunday"),
)


def local_date(moment: str) -> date:
    """Return the local date of a stored timestamp."""
    return local(datetime.fromisoformat(moment)).date()


def day(moment: str) -> str:
    """Return the local date of a stored timestamp, formatted."""
    on = local_date(moment)
    return translate(DAYS[on.month - 1].about(day=on.day, year=on.year))


def evening(on: date) -> str:
    """Return the day of an evening with its weekday."""
    weekday, told = translate(WEEKDAYS[on.weekday()]), DAYS[on.month - 1]
    return _("{weekday}, {day}").format(
        weekday=weekday, day=translate(told.about(day=on.day, year=on.year))
    )


def month(moment: str) -> str:
    """Return the local month of a stored timestamp, with its year."""
    on = local_date(moment)
    return translate(MONTHS[on.month - 1].about(year=on.year))


def clock(moment: str) -> str:
    """Return the local time of a stored timestamp, such as `21:05`."""
    return local(datetime.fromisoformat(moment)).strftime("%H:%M")


def when(moment: str) -> str:
    """Return a stored timestamp as people say it: today or yesterday with the time, or the day.

    A day of the last week is said by its name.
    """
    on = local_date(moment)
    days_ago = (local(now()).date() - on).days
    if days_ago == 0:
        return say("today").format(time=clock(moment))
    if days_ago == 1:
        return say("yesterday").format(time=clock(moment))
    return translate(WEEKDAYS[on.weekday()]) if 1 < days_ago < DAYS_OF_A_WEEK else day(moment)


def minutes_between(start: str, end: str) -> int:
    """Return the minutes between two stored timestamps; 0 where they are not of one evening.

    They are not if the clock was set in between, or if a game was paused for a day.
    """
    length = datetime.fromisoformat(end) - datetime.fromisoformat(start)
    minutes = int(length.total_seconds() / 60 + 0.5)  # as the phone rounds
    return minutes if 0 <= minutes < MINUTES_OF_A_DAY else 0


REASONS: dict[str, Sentence] = {
    "target": SENTENCES["ends_at_target"],
    "target_seat": SENTENCES["ends_at_target_seat"],
    "mercy": SENTENCES["ends_at_mercy"],
    "rounds": SENTENCES["ends_at_rounds"],
    "last_round": SENTENCES["ends_at_last_round"],
    "sets": SENTENCES["ends_at_sets"],
    "first_round": SENTENCES["ends_at_first_round"],
    "penalty": SENTENCES["ends_at_penalty"],
}


def bdi(name: str) -> Markup:
    """Return a name in a `<bdi>`, which isolates its writing direction, and is not translated."""
    return Markup('<bdi translate="no">{}</bdi>').format(name)


def isolate(text: str) -> Markup:
    """Return a text in a `<bdi>`, which is cut as a whole where it does not fit."""
    return Markup("<bdi>{}</bdi>").format(text)


def fill(template: str, **values: object) -> Markup:
    """Return a translated text with its placeholders filled, everything escaped."""
    return Markup(escape(template)).format(**values)


OPTION = re.compile(r"--[a-z-]+ [0-9.]+|--[a-z-]+")  # of a command, with the address that it takes


def with_options(sentence: str) -> Markup:
    """Return a sentence with the options of a command in it, each of which stays on one line."""
    parts = [
        Markup('<code class="option">{}</code>').format(one) for one in OPTION.findall(sentence)
    ]
    rest = OPTION.split(sentence)
    return Markup().join(
        [escape(rest[0]), *(part + text for part, text in zip(parts, rest[1:], strict=True))]
    )


def bold(text: str) -> Markup:
    return Markup("<b>{}</b>").format(text)


def series(parts: Iterable[Markup]) -> Markup:
    """Return parts of a sentence, joined by the comma of the current language."""
    return escape(say("series")).join(parts)


def listed(names: Sequence[str]) -> Markup:
    """Return names as a list in words: one, two and three."""
    shown = [bdi(name) for name in names]
    if len(shown) == 1:
        return shown[0]
    return fill(say("some_and_last"), some=series(shown[:-1]), last=shown[-1])


def named(game: Game, groups: Iterable[Sequence[int]]) -> Markup:
    """Return the names of several groups of seats of a game."""
    return series(listed([game.names[seat] for seat in seats]) for seats in groups)


def names_note(names: Iterable[str]) -> Markup:
    """Return which names a picture shows to those who get it, each said once."""
    told = list(dict.fromkeys(names))
    if not told:
        return fill(_("The picture shows no names."))
    sentence = ngettext(
        "The picture shows a name: {who}. Everyone who gets it can read it.",
        "The picture shows {n} names: {who}. Everyone who gets it can read them.",
        len(told),
    )
    return fill(sentence, n=len(told), who=listed(told))


def cards_each(n: int) -> str:
    """Return how many cards are dealt to each player."""
    return say("cards_each", n).format(n=n)


def bid_word(bid: Bid | None) -> str:
    if bid is None:
        return ""
    if isinstance(bid, Nil):
        return say("nil") if bid is Nil.NIL else say("blind nil")
    if isinstance(bid, BlindBid):
        return say("blind").format(n=bid.number)
    return str(bid)


def amount(stake: int) -> str:
    """Return a stake given in hundredths, without decimals if they are zero."""
    return str(stake // 100) if stake % 100 == 0 else f"{stake // 100}.{stake % 100:02d}"


def money(stake: int) -> str:
    """Return a stake given in hundredths, in the current language."""
    return decimal(amount(stake))


def balance(won: int) -> str:
    """Return what somebody wins by stakes, with its sign, or loses below zero."""
    sign = "+" if won > 0 else MINUS if won < 0 else ""
    return isolate_sign(f"{sign}{money(abs(won))}")


def payment_lines(names: Sequence[str], balances: Sequence[int]) -> list[Markup]:
    """Return who pays whom how much so that people, by their names, settle their balances."""
    return [
        fill(
            say("pays"),
            payer=bdi(names[one.payer]),
            payee=bdi(names[one.payee]),
            amount=money(one.amount),
        )
        for one in payments(balances)
    ]


def points_kind(shown: str) -> str:
    """Return the class of points that are shown with their sign: `loss` or `gain`."""
    return "loss" if MINUS in shown else "gain"


def title_line(game: Game) -> Markup:
    """Return the title of a game: who won, or the number of the round."""
    state = game.state
    if state.phase == "over":
        names = winner_names(game)
        return fill(say("wins", len(names)), names=listed(names))
    return fill(say("round"), n=state.number)


def trump_line(suit: str) -> Markup:
    """Return which suit is trump, or that none is."""
    return fill(say("no_trump")) if suit == "n" else fill(say("trump_now"), suit=SUITS[suit])


def round_line(game: Game) -> Markup:
    """Return the round that is played, of how many, and its cards where these change."""
    state, length = game.state, game.rules.length(game.state.players)
    shown = fill(say("round"), n=state.number)
    if length and state.number <= length:
        shown = fill(say("round_of"), n=state.number, rounds=length)
    if not game.rules.cards:
        return shown
    return Markup(" · ").join([shown, escape(cards_each(state.round_rules.tricks))])


def winner_names(game: Game, state: GameState | None = None) -> list[str]:
    """Return the names of all who have won a game, in its own state or another of its rounds."""
    won = (state or game.state).winners
    return [name for side in won for name in game.side_names(side)]


def winner_line(game: Game) -> Markup:
    """Return with which total and by how many points a game was won."""
    total = minus(game.state.standing.totals[game.state.winners[0]], game.rules.shown_as)
    if set(game.state.standing.playing) <= set(game.state.winners):
        return fill(_("{total} points for everyone"), total=total)
    ahead, second = _lead(game)
    sentence = ngettext(
        "{total} points, {n} ahead of {second}",
        "{total} points, {n} ahead of {second}",
        counted(ahead, game.rules.shown_as),
    )
    if ahead < 0:
        sentence = ngettext(
            "{total} points, {n} behind {second}",
            "{total} points, {n} behind {second}",
            counted(-ahead, game.rules.shown_as),
        )
    return fill(sentence, total=total, n=shown(abs(ahead), game.rules.shown_as), second=second)


def lead_line(game: Game) -> Markup:
    """Return by how many points a game was won."""
    if set(game.state.standing.playing) <= set(game.state.winners):
        return fill(say("everyone_won"))
    ahead, second = _lead(game)
    sentence = say("ahead", counted(ahead, game.rules.shown_as))
    if ahead < 0:
        sentence = say("behind_loser", counted(-ahead, game.rules.shown_as))
    return fill(sentence, n=shown(abs(ahead), game.rules.shown_as), second=second)


def _lead(game: Game) -> tuple[int, Markup]:
    """Return by how much the winners lead, and the names of the side that is next."""
    state, totals = game.state, game.state.standing.totals
    others = [side for side in state.standing.playing if side not in state.winners]
    second = max(others, key=lambda side: totals[side])
    return totals[state.winners[0]] - totals[second], listed(game.side_names(second))


def reason_line(game: Game) -> Markup:
    """Return why the game ended."""
    state, rules = game.state, game.rules
    assert state.outcome is not None
    reason = state.outcome.reason
    has_own = reason == "target" and rules.totals_by == "seat"
    sentence = REASONS["target_seat" if has_own else reason]
    return fill(
        _(sentence.text),
        target=shown(rules.target or 0, rules.shown_as),
        floor=minus(rules.mercy or 0, rules.shown_as),
        n=rules.length(state.players),
    )


def tie_line(game: Game) -> Markup | None:
    """Return the sentence about a tie at the top, or None where fewer than two of it play on."""
    state = game.state
    if state.outcome is None or state.winners:
        return None
    tied = [side for side in state.outcome.tied if side in state.standing.playing]
    if len(tied) < 2:
        return None
    names = [name for side in tied for name in game.side_names(side)]
    sentence = say("tie", len(names))
    total = state.standing.totals[tied[0]]
    return fill(sentence, names=listed(names), total=minus(total, game.rules.shown_as))


TEMPLATE_WORDS: dict[str, Any] = {
    "bdi": bdi,
    "bold": bold,
    "fill": fill,
    "listed": listed,
    "bid_word": bid_word,
    "translate": translate,
    "signed": signed,
    "minus": minus,
    "is_wide": is_wide,
    "clock": clock,
    "day": day,
    "when": when,
    "with_options": with_options,
}
