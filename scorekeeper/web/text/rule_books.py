"""Rule books: those to choose from, each with one line, and the text that explains the rules."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypedDict

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext, translate
from scorekeeper.rules.deck import preparation
from scorekeeper.rules.examples import Example, worked_examples
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.rule_text import rule_sentences
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.sentence import N_, Sentence
from scorekeeper.web.text.numbers import signed
from scorekeeper.web.text.wording import hand_shown

# Titles with the keys of the rule books below them, which are folded; all others come first.
FURTHER_GROUPS: tuple[tuple[Sentence, tuple[str, ...]], ...] = (
    (N_("Tournament"), ("cookout", "convention", "timed")),
    (N_("Around the world"), ("call-break", "call-bridge", "forty-one")),
)


class BookCard(NamedTuple):
    """A rule book in a form: `sizes` are the numbers of players, separated by blanks."""

    value: str
    name: str
    line: str
    sizes: str
    pairs: bool
    dealer: str
    checked: bool


class ExampleText(TypedDict):
    """A worked example: `hand` and `together` are empty where there is no hand to score."""

    title: str
    hand: str
    lines: list[str]
    together: str


class RulesText(TypedDict):
    """Rules explained: a line for each number of players, sentences, and worked examples."""

    decks: list[str]
    sentences: list[str]
    examples: list[ExampleText]


def rules_text(rules: RuleSet) -> RulesText:
    """Return the text of rules in the language and words used here, for pages and for phones."""
    return {
        "decks": [_deck(rules, players) for players in rules.table_sizes],
        "sentences": [translate(sentence) for sentence in rule_sentences(rules)],
        "examples": [_example(example, rules.shown_as) for example in worked_examples(rules)],
    }


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


def book_groups(ours: Mapping[str, RuleSet], chosen: str) -> list[tuple[str, list[BookCard]]]:
    """Return the rules to choose from in groups with titles; the first group has none.

    `ours` are the rules that the table stores, by id. The chosen rules come first in their group.
    """
    books = {**ours, **PRESETS}
    further = [(translate(title), keys) for title, keys in FURTHER_GROUPS]
    folded = {key for _title, keys in further for key in keys}
    groups = [("", [key for key in books if key not in folded]), *further]
    return [(title, _cards(books, keys, chosen)) for title, keys in groups]


def group_of(key: str) -> str:
    """Return the title of the group of a rule book; empty for those that come first."""
    return next((translate(title) for title, keys in FURTHER_GROUPS if key in keys), "")


def book_line(rules: RuleSet) -> str:
    """Return what tells a rule book from the others in one line."""
    limit, penalty = rules.bag_limit, rules.bag_penalty
    parts = [_("Two pairs") if rules.partnerships else _("Everyone alone")]
    if not rules.partnerships:
        parts.append(ngettext("{n} card", "{n} cards", rules.tricks).format(n=rules.tricks))
    if rules.partnerships and rules.blind_nil_points is not None:
        parts.append(_("blind Nil"))
    if rules.partnerships and limit is not None:
        sentence = ngettext("{n} bag costs {points}", "{n} bags cost {points}", limit)
        parts.append(sentence.format(n=limit, points=penalty))
    if rules.target is not None:
        parts.append(_("to {target}").format(target=rules.target))
    if rules.rounds is not None:
        parts.append(ngettext("{n} round", "{n} rounds", rules.rounds).format(n=rules.rounds))
    return " · ".join(parts)


def _cards(books: Mapping[str, RuleSet], keys: Iterable[str], chosen: str) -> list[BookCard]:
    cards = [
        BookCard(
            key,
            books[key].name,
            book_line(books[key]),
            " ".join(map(str, books[key].table_sizes)),
            books[key].partnerships,
            books[key].first_dealer,
            key == chosen,
        )
        for key in keys
    ]
    return sorted(cards, key=lambda card: not card.checked)
