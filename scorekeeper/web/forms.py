"""What people and programs send: read strictly, kept as typed, turned into values of the rules."""

import re
import secrets
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import NamedTuple

from werkzeug.datastructures import MultiDict

from scorekeeper import names
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.bidding import Bid, parse_bid
from scorekeeper.rules.fitting import fit, is_malformed
from scorekeeper.rules.presets import DEFAULT, PRESETS
from scorekeeper.rules.ruleset import HOUSE_RULES, PACK, RuleSet, house_rules
from scorekeeper.store.requests import Request, is_key
from scorekeeper.store.tables import hash_of
from scorekeeper.web.houserules import BLANKS, errors_of, left_out, read_values, typed_values

MOST_SEATS = 5


class Malformed(ValueError):
    """A form that no page of ours sends; the message says what is wrong with it."""


def whole_number(form: "MultiDict[str, str]", name: str, most_digits: int = 2) -> int:
    """Return a field that holds ASCII digits. Raises `Malformed` for all else."""
    text = form.get(name, "").strip(BLANKS)
    if not re.fullmatch(rf"[0-9]{{1,{most_digits}}}", text, re.ASCII):
        raise Malformed(
            _("“{name}” must be a whole number: {text} is none.").format(
                name=name, text=_quoted(text)
            )
        )
    return int(text)


def seat_of(form: "MultiDict[str, str]", players: int) -> int:
    """Return the seat a form speaks of, from 0. Raises `Malformed` for a seat nobody sits on."""
    seat = whole_number(form, "seat")
    if not 1 <= seat <= players:
        raise Malformed(
            _("There is no seat {n} at this table: seats are 1 to {players}.").format(
                n=seat, players=players
            )
        )
    return seat - 1


class Seen(NamedTuple):
    """The state of a game that a page showed: its version, and the start of its journal's hash."""

    version: int
    hash: str


def seen_of(text: str) -> Seen:
    """Return the state that a revision such as `40-9f86d081884c` names; the hash may be missing.

    Raises `Malformed` where the version is no number.
    """
    version, _dash, hash_ = text.partition("-")
    form = MultiDict([("version", version)])
    return Seen(whole_number(form, "version", most_digits=9), hash_)


def version_of(form: "MultiDict[str, str]") -> int:
    """Return the version of the game that the form was drawn from."""
    return whole_number(form, "version", most_digits=9)


def bid_of(text: str) -> Bid:
    """Return the bid in a field. Raises `Malformed` for all that is none."""
    try:
        return parse_bid(text.strip(BLANKS))
    except ValueError:
        raise Malformed(
            _("{text} is no bid: bid a number or Nil.").format(text=_quoted(text))
        ) from None


def _quoted(text: str) -> str:
    return f"“{text[:20]}…”" if len(text) > 20 else f"“{text}”"


@dataclass
class NewGame:
    """A new game as typed, and what is wrong with it; `rules` and `names` once it is right."""

    rules_key: str = DEFAULT.key
    typed: list[str] = field(default_factory=list)
    dealer: str = ""
    stake: str = ""
    house: dict[str, str] = field(default_factory=dict)
    # The rule book the fields were drawn for, and the house rules that were filled in for it.
    drawn_for: str = DEFAULT.key
    filled_in: dict[str, str] = field(default_factory=dict)
    made_for: RuleSet | None = None  # another rule book, whose house rules these are:
    left_behind: dict[str, str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    request_key: str = ""
    ours: dict[str, RuleSet] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    rules: RuleSet = DEFAULT
    names: list[str] = field(default_factory=list)

    @classmethod
    def from_form(
        cls, form: "MultiDict[str, str]", ours: dict[str, RuleSet] | None = None
    ) -> "NewGame":
        """Return the game a form describes, unchecked; `ours` are the table's own rules."""
        return cls(
            ours=ours or {},
            rules_key=form.get("rules", ""),
            typed=_typed_names(form),
            dealer=form.get("first_dealer", ""),
            stake=form.get("stake", "").strip(),
            request_key=form.get("request_key", ""),
            # Who deals first is chosen for each game, in a field of the same name.
            house=typed_values(form, [name for name in HOUSE_RULES if name != "first_dealer"]),
            drawn_for=form.get("drawn_for", ""),
            filled_in=read_values(form.get("filled_in", "")),
        )

    def choose(self, rules: RuleSet) -> None:
        """Begin with rules that were played: those of the table, or a book with house rules."""
        ours = [key for key, kept in self.ours.items() if kept == rules]
        self.rules_key = ours[0] if ours else rules.key
        self.house = {} if ours else house_rules(PRESETS[rules.key], rules)
        self._fill_in()

    def choose_sent(self, sent: "MultiDict[str, str]") -> None:
        """Begin with the rules in an address."""
        self.rules_key = sent["rules"]
        self.house = typed_values(sent, HOUSE_RULES)
        self.dealer = "draw" if self.house.pop("first_dealer", "") == "random" else ""
        self._fill_in()

    def text(self, name: str) -> str:
        """Return what stands in the field of a house rule."""
        text = self.house.get(name, "")
        return _("off") if text == "off" else text

    def move(self, seat: int, step: int) -> None:
        """Let two neighbours change seats."""
        other = seat + step
        if 0 <= seat < len(self.typed) and 0 <= other < len(self.typed):
            self.typed[seat], self.typed[other] = self.typed[other], self.typed[seat]

    def check(self) -> bool:
        """Find everything that is wrong, field by field; returns whether all is right."""
        self.errors = {}
        self._check_rules()
        self._check_names()
        self._check_dealer()
        self._check_stake()
        self._fill_in()
        return not self.errors and self.made_for is None

    @property
    def filled_in_text(self) -> str:
        """The house rules that were filled in, as one hidden field carries them."""
        return ";".join(f"{name}={text}" for name, text in self.filled_in.items())

    @property
    def kept(self) -> dict[str, str]:
        """The house rules that are played, without those refused."""
        return {name: text for name, text in self.house.items() if name not in self.errors}

    def _fill_in(self) -> None:
        """Draw the fields for the rule book chosen, with its house rules filled in."""
        self.drawn_for, self.filled_in = self.rules_key, dict(self.house)

    @property
    def is_drawn(self) -> bool:
        """Whether chance decides who deals first."""
        return self.dealer == "draw" or (not self.dealer and self.rules.first_dealer == "random")

    def first_dealer(self) -> int:
        """Return who deals first, from 0, drawing a seat where that was asked for."""
        if self.is_drawn:
            return secrets.randbelow(len(self.names))
        return self._seats_taken().index(int(self.dealer)) if self.dealer else len(self.names) - 1

    def stake_value(self) -> int | None:
        """Return the stake in hundredths, or None where nothing is played for."""
        return int(Decimal(self.stake.replace(",", ".")) * 100) or None if self.stake else None

    def request(self) -> Request | None:
        """Return by what this very form is known when it is sent again; None without a key."""
        asked = (self.rules, self.names, self.dealer, self.stake_value())
        key = self.request_key
        return Request(key, hash_of(repr(asked))) if is_key(key) else None

    def _check_rules(self) -> None:
        books = PRESETS | self.ours
        if self.rules_key not in books:
            self.errors["rules"] = _("There is no rule book {text}: choose one of these.").format(
                text=_quoted(self.rules_key)
            )
            return
        book = books[self.rules_key]
        if self.house and self.drawn_for in books and self.drawn_for != self.rules_key:
            self._switch(books[self.drawn_for], book)
        self.rules, refused = fit(book, self.house)
        if house_rules(book, self.rules):
            self.rules = replace(self.rules, name=PRESETS[book.key].name)
        self.errors |= errors_of(self.house, refused)

    def _switch(self, old: RuleSet, new: RuleSet) -> None:
        """Leave out house rules that belong to another book, and those that do not fit this one.

        Those filled in for the old book belong to it. What was typed since then stays. Either way
        the page says so before the game starts.
        """
        self.made_for = old
        self.left_behind = {n: t for n, t in self.house.items() if self.filled_in.get(n) == t}
        typed = {n: t for n, t in self.house.items() if n not in self.left_behind}
        _rules, refused = fit(new, typed)
        refused = {n: why for n, why in refused.items() if not is_malformed(n, typed[n])}
        self.left_out = left_out(refused, new)
        self.house = {name: text for name, text in typed.items() if name not in refused}

    def _check_names(self) -> None:
        self.names = []
        seen: dict[str, int] = {}
        for n, typed in enumerate(self.typed, 1):
            if not typed.strip():
                continue
            try:
                name = names.clean(typed)
            except names.NameRefused as refused:
                self.errors[f"player-{n}"] = str(refused)
                continue
            same = names.same_name(name)
            if same in seen:
                self.errors[f"player-{n}"] = _(
                    "This name sits on seat {n} already: add a letter to tell them apart."
                ).format(n=seen[same])
            seen.setdefault(same, n)
            self.names.append(name)
        if not any(key.startswith("player") for key in self.errors):
            self._check_how_many()

    def _check_how_many(self) -> None:
        sizes = self.rules.table_sizes
        if "rules" in self.errors or len(self.names) in sizes:
            return
        if len(sizes) == 1 and len(self.names) < sizes[0]:
            sentence = _("{rules} is for {n} players: name all of them.")
        else:
            sentence = _("{rules} is for {n} players.")
        shown = ", ".join(str(n) for n in sizes)
        self.errors["players"] = sentence.format(rules=self.rules.name, n=shown)

    def _check_dealer(self) -> None:
        if self.dealer in ("", "draw"):
            return
        seats = {str(seat) for seat in self._seats_taken()}
        if self.dealer not in seats:
            self.errors["first_dealer"] = _("Choose one of the players as the first dealer.")

    def _seats_taken(self) -> list[int]:
        """Return the numbers of the fields that hold a name; those between may stay empty."""
        return [n for n, typed in enumerate(self.typed, 1) if typed.strip()]

    def _check_stake(self) -> None:
        if not self.stake:
            return
        amount = re.fullmatch(r"[0-9]{1,5}([.,][0-9]{1,2})?", self.stake, re.ASCII)
        if not amount:
            self.errors["stake"] = _("A stake is an amount such as 5 or 2.50, or nothing at all.")


def _typed_names(form: "MultiDict[str, str]") -> list[str]:
    """Return the names as typed, and more than a table seats where somebody sends more."""
    typed = [form.get(f"player-{n}", "") for n in range(1, PACK + 1)]
    while len(typed) > MOST_SEATS and not typed[-1].strip():
        typed.pop()
    return typed
