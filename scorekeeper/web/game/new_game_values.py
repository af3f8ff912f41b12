"""The values of a new game and their checks, for the page, offline phones and the API alike."""

import re
import secrets
from dataclasses import dataclass, field, replace
from decimal import Decimal

from scorekeeper.i18n import gettext as _
from scorekeeper.player_names import NameRefused, name_key, normalize_name
from scorekeeper.rules.house_rules import apply_house_rules
from scorekeeper.rules.presets import DEFAULT, PRESETS
from scorekeeper.rules.ruleset import RuleSet, house_rules
from scorekeeper.store.idempotency import StartRequest, is_key
from scorekeeper.store.new_games import GameSetup
from scorekeeper.store.tables import hash_of
from scorekeeper.web.http.form_fields import quoted
from scorekeeper.web.rules.form import errors_of


@dataclass
class NewGame:
    """A new game as typed or sent. `check` sets `rules` and `names`, and finds the `errors`.

    `rules_key` names a rule book, or one of the rules in `ours`, which the table stores. `house`
    are house rules as text. `typed` are the names by seat, of which some may be empty; `seats` is
    how many of them play, or empty for all. `dealer` is the number of a seat from 1, `draw`, or
    empty for the rule book's choice. The errors are messages under the HTML names of the fields.
    """

    rules_key: str = DEFAULT.key
    typed: list[str] = field(default_factory=list)
    seats: str = ""
    dealer: str = ""
    stake: str = ""
    house: dict[str, str] = field(default_factory=dict)
    request_key: str = ""
    ours: dict[str, RuleSet] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    rules: RuleSet = DEFAULT
    names: list[str] = field(default_factory=list)

    def check(self) -> bool:
        """Find everything that is wrong, field by field; returns whether nothing is."""
        self.errors = {}
        self.typed = self.typed[: self.seat_count]
        self._check_rules()
        self._check_names()
        self._check_dealer()
        self._check_stake()
        return not self.errors

    @property
    def seat_count(self) -> int:
        """How many seats play: as many as were chosen, unless the rule book is for one number."""
        book = (PRESETS | self.ours).get(self.rules_key)
        sizes = book.table_sizes if book and self.seats else ()
        if len(sizes) == 1:
            return sizes[0]
        return int(self.seats) if self.seats in map(str, sizes) else len(self.typed)

    @property
    def is_drawn(self) -> bool:
        """Whether the first dealer is drawn at random."""
        return self.dealer == "draw" or (not self.dealer and self.rules.first_dealer == "random")

    def setup(self) -> GameSetup:
        """Return the checked values. A first dealer who `is_drawn` is drawn anew by each call."""
        return GameSetup(self.rules, self.names, self._first_dealer(), self._stake_value())

    def request(self) -> StartRequest | None:
        """Return what identifies this game when it is sent again, or None without a key."""
        key, rules = self.request_key, self.rules
        # Of the rules what differs, so that a later version with more values finds the game too.
        changed = sorted(house_rules(PRESETS[rules.key], rules).items())
        content = (rules.key, rules.name, changed, self.names, self.dealer, self._stake_value())
        return StartRequest(key, hash_of(repr(content))) if is_key(key) else None

    def _first_dealer(self) -> int:
        if self.is_drawn:
            return secrets.randbelow(len(self.names))
        return self._seats_taken().index(int(self.dealer)) if self.dealer else len(self.names) - 1

    def _stake_value(self) -> int | None:
        return int(Decimal(self.stake.replace(",", ".")) * 100) or None if self.stake else None

    def _check_rules(self) -> None:
        book = (PRESETS | self.ours).get(self.rules_key)
        if book is None:
            sentence = _("Unknown rules {text}. Choose from the list.")
            self.errors["rules"] = sentence.format(text=quoted(self.rules_key))
            return
        self.rules, refused = apply_house_rules(book, self.house)
        if not is_same_but_minutes(book, self.rules):
            self.rules = replace(self.rules, name=PRESETS[book.key].name)
        self.errors |= errors_of(self.house, refused)

    def _check_names(self) -> None:
        self.names = []
        seen: dict[str, int] = {}
        for n, typed in enumerate(self.typed, 1):
            if not typed.strip():
                continue
            try:
                name = normalize_name(typed)
            except NameRefused as refused:
                self.errors[f"player-{n}"] = str(refused)
                continue
            key = name_key(name)
            if key in seen:
                sentence = _("Seat {n} already has this name. Add a letter to tell them apart.")
                self.errors[f"player-{n}"] = sentence.format(n=seen[key])
            seen.setdefault(key, n)
            self.names.append(name)
        if not any(key.startswith("player") for key in self.errors):
            self._check_how_many()

    def _check_how_many(self) -> None:
        sizes = self.rules.table_sizes
        if "rules" in self.errors or len(self.names) in sizes:
            return
        if len(sizes) == 1 and len(self.names) < sizes[0]:
            sentence = _("{rules} is for {n} players. Enter all the names.")
        else:
            sentence = _("{rules} is for {n} players.")
        shown = ", ".join(str(n) for n in sizes)
        self.errors["players"] = sentence.format(rules=self.rules.name, n=shown)

    def _check_dealer(self) -> None:
        seats = {str(seat) for seat in self._seats_taken()}
        if self.dealer not in ("", "draw", *seats):
            self.errors["first_dealer"] = _("Choose a player as first dealer.")

    def _seats_taken(self) -> list[int]:
        """Return the numbers, from 1, of the fields that hold a name."""
        return [n for n, typed in enumerate(self.typed, 1) if typed.strip()]

    def _check_stake(self) -> None:
        amount = re.fullmatch(r"[0-9]{1,5}([.,][0-9]{1,2})?", self.stake, re.ASCII)
        if self.stake and not amount:
            self.errors["stake"] = _("Enter a stake such as 5 or 2.50, or leave it empty.")


def is_same_but_minutes(one: RuleSet, other: RuleSet) -> bool:
    """Return whether rules differ in nothing but the minutes on the clock, chosen game by game."""
    return replace(one, minutes=other.minutes) == other
