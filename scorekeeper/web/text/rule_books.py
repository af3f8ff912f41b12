"""Rule books and their values for display."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypedDict

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import isolate_sign, ngettext, translate
from scorekeeper.rules.deck import RANKS, cards_to_take_out, preparation
from scorekeeper.rules.examples import Example, worked_examples
from scorekeeper.rules.presets import PRESETS, tables
from scorekeeper.rules.rule_sentences import RULE_SENTENCES, SUITS
from scorekeeper.rules.rule_text import group_sentences, rule_topics
from scorekeeper.rules.ruleset import (
    HOUSE_RULES,
    RuleSet,
    RulesRefused,
    Value,
    house_rules,
    value_text,
)
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.sentence import N_, Sentence
from scorekeeper.rules.value_kinds import Number, Switch, Word
from scorekeeper.rules.values import DECLARED, GROUPS, PACK
from scorekeeper.web.text.books import book_name
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.wording import bid_word, cards_each, minus, signed


def value_shown(value: Value) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, int) and not isinstance(value, bool):
        return minus(value)
    text = value_text(value)
    if all(suit in SUITS for suit in text.split(",")):
        return " ".join(SUITS[suit] for suit in text.split(","))
    return value_words().get(text, text)


def value_words() -> dict[str, str]:
    """Return the label of each value that is not a number, by its text in files."""
    return {
        "off": say("off"),
        "yes": _("yes"),
        "no": _("no"),
        "last": _("last seat"),
        "random": _("random"),
        "as_first": _("as in a first game"),
        "next": _("next player"),
        "broken": _("once broken"),
        "opening": _("to the first trick, or once broken"),
        "anytime": _("any time"),
        "dropped": _("reset"),
        "kept": _("carried over"),
        "overtricks": _("overtricks"),
        "contract": _("count toward the contract"),
        "ignored": _("ignored"),
        "one": _("one"),
        "both": _("both"),
        "another_round": _("another round"),
        "fewer_bags": _("fewer overtricks win"),
        "exact_bids": _("more exact bids win"),
        "shared": _("all tied win"),
        "per_trick": _("per trick bid"),
        "zero": _("nothing"),
        "shortfall": _("per missing trick"),
        "difference": _("per trick too few or too many"),
        "at_least": _("the bid or more"),
        "exactly": _("exactly the bid"),
        "below_double": _("less than twice the bid"),
        "always": _("always"),
        "made": _("only if the bid is made"),
        "lowest": _("the lowest score"),
        "bids": _("the bids"),
        "values": _("what they’re worth"),
        "side": _("side"),
        "seat": _("player"),
        "spades": _("spades"),
        "hearts": _("hearts"),
        "reduced": _("dealt"),
        "drawn": _("drawn by two"),
        "turned": _("turned after the deal"),
        "in_order": _("another each round"),
        "points": _("points"),
        "tenths": _("one decimal"),
        "winner": _("winner"),
        "rank": _("place"),
    }


def values_shown(values: Mapping[str, str]) -> str:
    """Return house rules, given as text by name, in one line and in the order of the form."""
    in_order = (name for _title, names in value_groups() for name in names if name in values)
    return " · ".join(
        f"{value_name(name)}: {value_shown(HOUSE_RULES[name].read(values[name]))}"
        for name in in_order
    )


def value_name(name: str) -> str:
    """Return a rule value as people call it."""
    return translate(DECLARED[name].label)


def value_groups(preset: RuleSet | None = None) -> list[tuple[str, list[str]]]:
    """Return titles of groups with the names of their rule values.

    With a preset only the values that it can use are listed.
    """
    return [
        (
            translate(group),
            [name for name in _names_of(group) if not preset or can_use(preset, name)],
        )
        for group in GROUPS
    ]


class ValueGroup(NamedTuple):
    """A topic of the house rules: what it means in a sentence, and how many values are changed."""

    title: str
    names: list[str]
    sentence: str
    changes: int


def house_rule_topics(preset: RuleSet, rules: RuleSet) -> list[ValueGroup]:
    """Return the topics of the house rules of a rule book, as they are in some rules."""
    sentences, changed = group_sentences(rules), house_rules(preset, rules)
    return [
        ValueGroup(
            title,
            names,
            " ".join(translate(line) for line in _told(sentences[group.text])),
            sum(name in changed for name in names),
        )
        for group, (title, names) in zip(GROUPS, value_groups(preset), strict=True)
    ]


def value_when_on(preset: RuleSet, name: str) -> str:
    """Return what a number that may be off is when it is switched on; empty for any other value."""
    kind = HOUSE_RULES[name]
    if not isinstance(kind, Number) or not kind.off:
        return ""
    usual = getattr(preset, name)
    return str(kind.low if usual is None else usual)


def _names_of(group: Sentence) -> list[str]:
    names = [name for name, declared in DECLARED.items() if declared.group == group]
    for name in [name for name in names if DECLARED[name].after]:
        names.remove(name)
        names.insert(names.index(DECLARED[name].after) + 1, name)
    return names


def can_use(rules: RuleSet, name: str) -> bool:
    """Return whether a value means something where partners play, or where everybody is alone."""
    declared = DECLARED[name]
    bound_to = [limit.relation for limit in declared.limits if "partnerships" in limit.others]
    if rules.partnerships:
        return "excludes" not in bound_to
    return "needs" not in bound_to and not declared.is_for_partners


def is_plain_number(name: str) -> bool:
    """Return whether a rule value is typed in digits only, with the numeric keyboard of phones."""
    kind = HOUSE_RULES[name]
    return isinstance(kind, Number) and not kind.off and kind.low >= 0


def is_switch(name: str) -> bool:
    """Return whether a rule value is yes or no."""
    return isinstance(HOUSE_RULES[name], Switch)


def refusal_shown(refused: RulesRefused) -> str:
    """Return why a house rule is refused, with the label of the value."""
    sentence = refused.sentence
    if "name" in sentence.values and refused.field in HOUSE_RULES:
        values = {**sentence.values, "name": f"“{value_name(refused.field)}”"}
        sentence = sentence._replace(values=values)
    return translate(sentence)


def value_choices(name: str) -> list[tuple[str, str]]:
    """Return the choices of a rule value as (value, label), empty for a number."""
    kind = HOUSE_RULES[name]
    if isinstance(kind, Word):
        return [(word, value_shown(word)) for word in kind.words]
    if isinstance(kind, Switch):
        return [(value_text(choice), value_shown(choice)) for choice in (True, False)]
    return []


# The titles of groups with the keys of their rule books. A book that no group names is in the
# first, or if partners play it in the second; rules that a table stores are in the last.
BOOK_GROUPS: tuple[tuple[Sentence, tuple[str, ...]], ...] = (
    (N_("Spades"), ()),
    (N_("Partners"), ()),
    (N_("Tournament"), ("cookout", "convention", "timed")),
    (N_("Call Break & 41"), ("call-break", "call-bridge", "forty-one")),
    (N_("Oh Hell & Wizard"), ("oh-hell", "kachufool", "wizard", "skull-king")),
    (N_("Yours"), ()),
)


class BookCard(NamedTuple):
    """A rule book in a form: `sizes` are the numbers of players, separated by blanks.

    `pairs` are the players of a book for partners.
    """

    value: str
    name: str
    line: str
    sizes: str
    pairs: int
    dealer: str
    stake_by: str
    checked: bool


class ExampleText(TypedDict):
    """A worked example: `hand` and `together` are empty where there is no hand to score."""

    title: str
    hand: str
    lines: list[str]
    together: str


class ScoreRow(TypedDict):
    """A line of the score as a table; `kind` is the class of its points."""

    what: str
    note: str
    points: str
    kind: str


class Topic(TypedDict):
    """A card of the page of some rules: rows of a table, if any, and sentences."""

    key: str
    title: str
    rows: list[ScoreRow]
    sentences: list[str]


class RulesText(TypedDict):
    """Rules explained for a number of players: the deck, five cards, and worked examples."""

    deck: str
    topics: list[Topic]
    examples: list[ExampleText]


def rules_text(rules: RuleSet, players: int) -> RulesText:
    """Return the text of rules in the language and words used here."""
    own = tables(rules).get(players, rules)
    shown_as = rules.shown_as
    return {
        "deck": _deck(own, players),
        "topics": rules_by_topic(rules, players),
        "examples": [_example(example, shown_as) for example in worked_examples(own, players)],
    }


class SizeText(TypedDict):
    """What a number of players has otherwise than another: the deck, sentences by topic, examples.

    Without examples they are the same.
    """

    deck: str
    sentences: dict[str, list[str]]
    examples: list[ExampleText]


class PhoneText(TypedDict):
    """Rules explained on phones: the text of one table, and what is said of the others."""

    topics: list[Topic]
    examples: list[ExampleText]
    sizes: dict[str, SizeText]


def phone_text(rules: RuleSet) -> PhoneText:
    """Return the text of rules for every number of players, as phones have it."""
    usual = rules_text(rules, usual_size(rules))
    return {
        "topics": usual["topics"],
        "examples": usual["examples"],
        "sizes": {str(players): _size_text(rules, players, usual) for players in tables(rules)},
    }


def _size_text(rules: RuleSet, players: int, usual: RulesText) -> SizeText:
    own, sizes = tables(rules)[players], tables(rules)
    is_alike = own == sizes[usual_size(rules)] and not rules.cards  # most are, and take less time
    topics = usual["topics"] if is_alike else rules_by_topic(rules, players)
    told = zip(topics, usual["topics"], strict=True)
    examples = [_example(one, rules.shown_as) for one in worked_examples(own, players)]
    return {
        "deck": _deck(own, players),
        "sentences": {one["key"]: one["sentences"] for one, other in told if one != other},
        "examples": [] if examples == usual["examples"] else examples,
    }


def usual_size(rules: RuleSet) -> int:
    """Return the number of players for whom rules are told where nobody has chosen another."""
    return 4 if 4 in tables(rules) else min(tables(rules), default=min(rules.players))


TOPICS: Mapping[str, Sentence] = {
    "deal": N_("Deal"),
    "bid": N_("Bid"),
    "play": N_("Play"),
    "score": N_("Score"),
    "win": N_("Win"),
}
# What is played is told on the page, not what isn't.
UNTOLD = ("jokers_out", "nil_not_played", "blind_nil_not_played", "bags_free")


def rules_by_topic(rules: RuleSet, players: int) -> list[Topic]:
    """Return what the page of some rules says to so many players, as the cards on it."""
    topics = []
    for key, sentences in rule_topics(rules, players):
        rows = [(one, _score_row(one)) for one in _told(sentences)]
        topics.append(
            Topic(
                key=key,
                title=translate(TOPICS[key]),
                rows=[row for _one, row in rows if row],
                sentences=[translate(one) for one, row in rows if not row],
            )
        )
    return topics


def _told(sentences: Iterable[Sentence]) -> list[Sentence]:
    untold = {RULE_SENTENCES[code].text for code in UNTOLD}
    return [one for one in sentences if one.text not in untold]


# What is a row of the score, by its sentence.
ROWS: Mapping[str, str] = {
    RULE_SENTENCES[code].text: code
    for code in (
        *("made_pays", "made_adds", "set_costs", "nil_pays", "nil_costs", "blind_nil_pays"),
        *("overtrick_pays", "overtrick_costs", "overtricks_free", "bags_dropped", "bags_kept"),
    )
}


def _score_row(sentence: Sentence) -> ScoreRow | None:
    """Return a sentence about points as a row of a table, or None for any other."""
    if (code := ROWS.get(sentence.text)) is None:
        return None
    per_trick, values = _("per trick bid"), sentence.values
    n = str(values.get("n", ""))
    rows = {
        "made_pays": (_("Contract made"), per_trick, f"+{n}"),
        "made_adds": (_("Contract made"), _made_more(n), f"+{values.get('bonus', '')}"),
        "set_costs": (_("Contract set"), per_trick, f"−{n}"),
        "nil_pays": (say("nil_made"), _("a bid to take no tricks"), f"+{n}"),
        "nil_costs": (_("Nil failed"), "", f"−{n}"),
        "blind_nil_pays": (_("Blind Nil"), _("bid before looking at your cards"), f"±{n}"),
        "overtrick_pays": (_("Each overtrick"), "", f"+{n}"),
        "overtrick_costs": (_("Each overtrick"), "", f"−{n}"),
        "overtricks_free": (_("Each overtrick"), "", "0"),
        "bags_dropped": (_bags(n), _("then the count starts again at 0"), _penalty(values)),
        "bags_kept": (_bags(n), _("the rest carry over"), _penalty(values)),
    }
    what, note, points = rows[code]
    points = points.replace("+−", "−").replace("−−", "+")
    points = "0" if points.strip("+−±") == "0" else points
    kind = {"+": "gain", "−": "loss"}.get(points[0], "")
    return ScoreRow(what=what, note=note, points=isolate_sign(points), kind=kind)


def _made_more(n: str) -> str:
    return _("and {n} per trick bid").format(n=n)


def _bags(n: str) -> str:
    count = int(n) if n.isdecimal() else 0
    return say("bags_more", count).format(n=n)


def _penalty(values: Mapping[str, object]) -> str:
    return f"−{values.get('penalty', '')}"


def deck_suits(rules: RuleSet, players: int) -> list[tuple[str, list[tuple[str, bool]]]]:
    """Return the suits of a deck with `(rank, is out)` of each card; none of others than of 52."""
    if rules.cards or rules.pack != PACK or rules.deal == "drawn":
        return []
    out = cards_to_take_out(rules, players)
    return [(suit, [(rank, rank + suit in out) for rank in RANKS[::-1]]) for suit in "♠♥♣♦"]


def _deck(rules: RuleSet, players: int) -> str:
    lines = [translate(line) for line in preparation(rules, players)]
    return " ".join([_("{n} players:").format(n=players), *lines])


def _example(example: Example, shown_as: str) -> ExampleText:
    (lines, score), hand = example.explanation, example.hand
    return {
        "title": translate(example.title),
        "hand": hand_shown(hand) if hand and len(hand.bids) > 1 else "",
        "lines": [translate(line) for line in lines],
        "together": _("= {points}").format(points=signed(score.points, shown_as)) if score else "",
    }


def hand_shown(hand: Hand) -> str:
    """Return the bids and tricks of a hand, and the bags before it."""
    seats = [
        say("took").format(n=n) if bid is None else say("bid_took").format(bid=bid_word(bid), n=n)
        for bid, n in zip(hand.bids, hand.tricks, strict=True)
    ]
    if hand.bags:
        seats.append(ngettext("{n} bag before", "{n} bags before", hand.bags).format(n=hand.bags))
    return " · ".join(seats)


class BookGroup(NamedTuple):
    """Rule books to choose from below a title; `n` counts the groups from 1."""

    n: int
    title: str
    books: list[BookCard]

    @property
    def is_chosen(self) -> bool:
        return any(book.checked for book in self.books)


def book_groups(ours: Mapping[str, RuleSet], chosen: str) -> list[BookGroup]:
    """Return the rules to choose from in groups, without those that are empty.

    `ours` are the rules that the table stores, by id. The chosen rules come first in their group.
    """
    groups = [(title, [rules.key for rules in found]) for title, found in grouped_books()]
    groups += [(group_of(None), [*ours])] if ours else []
    cards = {**PRESETS, **ours}
    return [
        BookGroup(n, title, _cards(cards, found, chosen))
        for n, (title, found) in enumerate(groups, 1)
    ]


def grouped_books() -> list[tuple[str, list[RuleSet]]]:
    """Return the rule books by group, each with its title."""
    titles = [translate(title) for title, _keys in BOOK_GROUPS[:-1]]
    books = {title: [one for one in PRESETS.values() if group_of(one) == title] for title in titles}
    return [*books.items()]


def group_of(rules: RuleSet | None) -> str:
    """Return the title of the group of a rule book, or without one of what a table stores."""
    if rules is None:
        return translate(BOOK_GROUPS[-1][0])
    named = next((title for title, keys in BOOK_GROUPS if rules.key in keys), None)
    return translate(named or BOOK_GROUPS[rules.partnerships][0])


def book_line(rules: RuleSet) -> str:
    """Return what tells a rule book from the others in one line."""
    limit, penalty = rules.bag_limit, rules.bag_penalty
    parts = [_pairs(rules.players) if rules.partnerships else say("everyone_alone")]
    if not rules.partnerships:
        most = say("up_to_cards", rules.tricks).format(n=rules.tricks)
        parts.append(most if rules.cards else cards_each(rules.tricks))
    if rules.partnerships and rules.blind_nil_points is not None:
        parts.append(say("blind nil"))
    if rules.partnerships and limit is not None:
        sentence = say("bags_cost_points", limit)
        parts.append(sentence.format(n=limit, points=penalty))
    if rules.target is not None:
        parts.append(say("to_target").format(target=rules.target))
    if rules.rounds is not None:
        parts.append(say("rounds", rules.rounds).format(n=rules.rounds))
    return " · ".join(parts)


def _pairs(players: tuple[int, ...]) -> str:
    """Return how many pairs play."""
    if len(players) > 1 or players[0] not in (4, 6):
        return say("pairs")
    return say("two_pairs") if players[0] == 4 else say("three_pairs")


def _cards(books: Mapping[str, RuleSet], keys: Iterable[str], chosen: str) -> list[BookCard]:
    cards = [
        BookCard(
            key,
            book_name(books[key]),
            book_line(books[key]),
            " ".join(map(str, tables(books[key]))),
            books[key].players[0] if books[key].partnerships else 0,
            books[key].first_dealer,
            books[key].stake_by,
            key == chosen,
        )
        for key in keys
    ]
    return sorted(cards, key=lambda card: not card.checked)


TEMPLATE_WORDS: dict[str, Any] = {
    "value_shown": value_shown,
    "values_shown": values_shown,
    "value_name": value_name,
    "value_choices": value_choices,
    "value_groups": value_groups,
    "house_rule_topics": house_rule_topics,
    "value_when_on": value_when_on,
    "is_plain_number": is_plain_number,
    "is_switch": is_switch,
    "hand_shown": hand_shown,
}
