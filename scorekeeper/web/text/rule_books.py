"""Rule books to choose from, each with one line that tells it from the others."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext, translate
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.sentence import N_, Sentence

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
