"""The form of a new game, its values and their checks, also for offline phones and the API."""

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from werkzeug.datastructures import MultiDict
from wtforms import Field

from scorekeeper.free_text import NameRefused, name_key, normalize_name
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import number_range, plain_digits, translate
from scorekeeper.rules.entry import check_start
from scorekeeper.rules.game import sides_of
from scorekeeper.rules.presets import (
    DEFAULT,
    PRESETS,
    apply_house_rules,
    as_chosen,
    at_table,
    is_malformed,
    tables,
)
from scorekeeper.rules.round import Round, check_notes
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, RulesRefused, house_rules
from scorekeeper.rules.values import PACK
from scorekeeper.store.entry import GameSetup, StartRequest, is_key
from scorekeeper.store.tables import hash_of
from scorekeeper.web.http.forms import MAX_SEATS, TextField, quoted, typed_start
from scorekeeper.web.rules import RuleValuesForm, entered_values, errors_of, left_out, read_values
from scorekeeper.web.text.books import book_name
from scorekeeper.web.text.rule_books import BookGroup, book_groups
from scorekeeper.web.text.sentences import say


@dataclass
class NewGame:
    """A new game as typed or sent. `check` sets `rules` and `names`, and finds the `errors`.

    `rules_key` names a rule book, or one of the rules in `ours`, which the table stores. `house`
    are house rules as text. `seat_names` are those by seat, of which some may be empty; `seats` is
    how many of them play, or empty for all. `dealer` is the number of a seat from 1, `draw`, or
    empty for the rule book's choice. `start` and `bags` are the totals and bags on paper by seat,
    those of partners at the first of them; empty ones are zero. The errors are messages under the
    HTML names of the fields.
    """

    rules_key: str = DEFAULT.key
    seat_names: list[str] = field(default_factory=list)
    seats: str = ""
    dealer: str = ""
    stake: str = ""
    start: Sequence[str] = ()
    bags: Sequence[str] = ()
    house: dict[str, str] = field(default_factory=dict)
    request_key: str = ""
    ours: dict[str, RuleSet] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    rules: RuleSet = DEFAULT
    names: list[str] = field(default_factory=list)
    _start: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())

    def check(self) -> bool:
        """Find everything that is wrong, field by field; returns whether nothing is."""
        self.errors = {}
        self.seat_names = self.seat_names[: self.seat_count]
        self._check_rules()
        self._check_names()
        self._check_dealer()
        self._check_stake()
        self._check_start()
        return not self.errors

    @property
    def seat_count(self) -> int:
        """How many seats play: as many as were chosen, unless the rule book is for one number."""
        book = (PRESETS | self.ours).get(self.rules_key)
        rules = apply_house_rules(book, self.house)[0] if book else None
        sizes = [*self._sizes(rules)] if rules and self.seats else []
        if len(sizes) == 1:
            return sizes[0]
        return int(self.seats) if self.seats in map(str, sizes) else len(self.seat_names)

    @property
    def is_drawn(self) -> bool:
        """Whether the first dealer is drawn at random."""
        return self.dealer == "draw" or (not self.dealer and self.rules.first_dealer == "random")

    def setup(self) -> GameSetup:
        """Return the checked values. A first dealer who `is_drawn` is drawn anew by each call."""
        stake, start = self._stake_value(), self._start
        return GameSetup(self.rules, self.names, self._first_dealer(), stake, *start)

    def request(self) -> StartRequest | None:
        """Return what identifies this game when it is sent again, or None without a key."""
        key, rules = self.request_key, self.rules
        # Of the rules what differs, so that a later version with more values finds the game too.
        changed = sorted(house_rules(PRESETS[rules.key], rules).items())
        start = self._start if any(self._start) else ()
        content = (
            *(rules.key, rules.name, changed, self.names, self.dealer, self._stake_value()),
            *start,
        )
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
        players = len(self._seats_taken())
        self.rules = self._sizes(self.rules).get(players, self.rules)
        if not is_same_but_minutes(tables(book).get(players, book), self.rules):
            self.rules = replace(self.rules, name=PRESETS[book.key].name)
        self.errors |= errors_of(self.house, refused)

    def _sizes(self, rules: RuleSet) -> Mapping[int, RuleSet]:
        return tables(rules, cards_set="tricks" in self.house)

    def _check_names(self) -> None:
        self.names = []
        seen: dict[str, int] = {}
        for n, text in enumerate(self.seat_names, 1):
            if not text.strip():
                continue
            try:
                name = normalize_name(text)
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
            self._check_all_named()

    def _is_other_number(self) -> bool:
        """Return whether so many seats were chosen as the rules are not for."""
        sizes = [*self._sizes(self.rules)]
        is_number = self.seats in map(str, range(1, MAX_SEATS + 1))
        return is_number and len(sizes) > 1 and int(self.seats) not in sizes

    def _check_how_many(self) -> None:
        if "rules" in self.errors:
            return
        cards_set, players = "tricks" in self.house, len(self.names)
        if self._is_other_number():
            players = int(self.seats)
        try:
            at_table(self.rules, players, cards_set=cards_set)
        except RulesRefused as refused:
            if refused.field == "tricks":
                self.errors["tricks"] = translate(refused.sentence)
                return
            sizes = (*tables(self.rules, cards_set=cards_set),)
            sentence = say("players_needed")
            if len(sizes) == 1 and players < sizes[0]:
                sentence = _("{rules} is for {n} players. Enter all the names.")
            self.errors["seats"] = sentence.format(
                rules=book_name(self.rules), n=number_range(sizes)
            )

    def _check_all_named(self) -> None:
        """Ask for the first name that is missing, where the number of players was chosen."""
        empty = [n for n, text in enumerate(self.seat_names, 1) if not text.strip()]
        if empty and self.seats == str(self.seat_count) and "seats" not in self.errors:
            self.errors["seats"] = _("Name seat {n} to start").format(n=empty[0])

    def _check_dealer(self) -> None:
        seats = {str(seat) for seat in self._seats_taken()}
        if self.dealer not in ("", "draw", *seats):
            self.errors["first_dealer"] = say("choose_dealer")

    def _seats_taken(self) -> list[int]:
        """Return the numbers, from 1, of the fields that hold a name."""
        return [n for n, text in enumerate(self.seat_names, 1) if text.strip()]

    def _check_stake(self) -> None:
        amount = re.fullmatch(r"[0-9]{1,5}([.,][0-9]{1,2})?", self.stake, re.ASCII)
        if self.stake and not amount:
            self.errors["stake"] = say("stake_amount")

    def _check_start(self) -> None:
        """Read the totals and bags of the sides, or of the players where each has a total."""
        self._start = (), ()
        players = len(self.names)
        if self.errors or not any([*self.start, *self.bags]):
            return
        sides = len(sides_of(self.rules, players))
        own = players if self.rules.totals_by == "seat" else sides
        seats = [n - 1 for n in self._seats_taken()]
        typed = ["".join(self.start[n : n + 1]) for n in seats[:own]]
        bags = ["".join(self.bags[n : n + 1]) for n in seats[:sides]]
        start = typed_start(typed, bags, self.rules.shown_as)
        if start is None:
            self.errors["start"] = say("start_numbers")
            return
        self._start = start
        first = Round(()).noted(start=self._start[0], start_bags=self._start[1])
        wrong = check_start(self.rules, players, first) or check_notes(1, first.notes)
        for refusal in wrong:
            self.errors["start"] = translate(refusal.sentence)


def is_same_but_minutes(one: RuleSet, other: RuleSet) -> bool:
    """Return whether rules differ in nothing but the minutes on the clock, chosen game by game."""
    return replace(one, minutes=other.minutes) == other


# The field `first_dealer` is a seat of this game here, not the house rule of the same name.
OPTIONS = ("first_dealer", "stake", "start")
DEFAULT_SEATS = 4
VALUES = [name for name in HOUSE_RULES if name != "first_dealer"]


class SeatNamesField(Field):
    """The names in the fields `player-1` to `player-10`, and in more where more are sent."""

    def process(self, formdata: Any, *args: Any, **kwargs: Any) -> None:
        """Read the names; seats above the tenth only up to the last name."""
        super().process(None, *args, **kwargs)
        if formdata is not None:
            names = [formdata.get(f"player-{n}", "") for n in range(1, PACK + 1)]
            while len(names) > MAX_SEATS and not names[-1].strip():
                names.pop()
            self.data = names


class SeatCellsField(Field):
    """What is typed in the fields of the seats, such as `start-1` to `start-10`."""

    def process(self, formdata: Any, *args: Any, **kwargs: Any) -> None:
        """Read the cells."""
        super().process(None, *args, **kwargs)
        if formdata is not None:
            seats = range(1, MAX_SEATS + 1)
            self.data = [formdata.get(f"{self.short_name}-{n}", "").strip() for n in seats]


class NewGameForm(RuleValuesForm):
    """A new game as typed, with the house rules for which the table has filled in values.

    `game` is the new game once `validate` has returned True. `rendered_for` is the rule book of the
    page that was sent, `filled_in` the house rules that it was filled in with. When another rule
    book is chosen, `made_for` is the old one, `left_behind` are the house rules filled in for
    it, and `left_out` says which of those typed since are impossible under the new one.
    """

    rules = TextField()
    names = SeatNamesField(default=list)
    seats = TextField()
    stake = TextField(filters=[str.strip, plain_digits])
    start = SeatCellsField(default=list)
    bags = SeatCellsField(default=list)
    request_key = TextField()
    filled_in = TextField()

    def __init__(
        self,
        formdata: "MultiDict[str, str] | None" = None,
        ours: dict[str, RuleSet] | None = None,
        **data: str,
    ) -> None:
        if formdata is None:
            data = {"rules": DEFAULT.key, "rendered_for": DEFAULT.key, **data}
        super().__init__(formdata, data=data)
        self.ours = ours or {}  # the rules that the table stores
        self.house = entered_values(self.data, VALUES)
        self.made_for: RuleSet | None = None
        self.left_behind: dict[str, str] = {}
        self.left_out: list[str] = []
        self.game = NewGame()
        self.has_moved = False  # seats were swapped by this request
        self._show_house()

    @property
    def messages(self) -> dict[str, str]:
        """The errors of the game, under the HTML names of the fields."""
        return self.game.errors

    @property
    def book_groups(self) -> list[BookGroup]:
        """The rules to choose from."""
        return book_groups(self.ours, self.rules.data)

    @property
    def seat_choice(self) -> dict[str, bool]:
        """Which number of players is chosen, as `is_2` to `is_10`."""
        chosen = self.seats.data or str(DEFAULT_SEATS)
        return {f"is_{n}": chosen == str(n) for n in range(2, MAX_SEATS + 1)}

    @property
    def on_paper(self) -> dict[str, str]:
        """The totals and bags that are typed, as `start_1` and `bags_1` and so on."""
        cells = {"start": self.start.data, "bags": self.bags.data}
        return {f"{name}_{n}": text for name, own in cells.items() for n, text in enumerate(own, 1)}

    @property
    def stakes_go_by(self) -> str:
        """By what a stake is paid under the rules chosen, as their value `stake_by`."""
        book = (PRESETS | self.ours).get(self.rules.data, DEFAULT)
        return self.house.get("stake_by", book.stake_by)

    @property
    def empty_seat(self) -> int | None:
        """The first seat without a name among those that play, counted from 1."""
        names = self.names.data[: self.new_game().seat_count]
        return next((seat for seat, name in enumerate(names, 1) if not name.strip()), None)

    @property
    def options_open(self) -> bool:
        """Whether something below the options needs to be seen."""
        return self.has_moved or any(name in self.messages for name in (*VALUES, *OPTIONS))

    @property
    def house_in_use(self) -> dict[str, str]:
        """The house rules that are played, without those refused and the minutes of this game."""
        hidden = {"minutes", *self.messages}
        return {name: text for name, text in self.house.items() if name not in hidden}

    def choose(self, rules: RuleSet, players: int) -> None:
        """Fill in the rules of an earlier game: stored ones, or a rule book with house rules.

        That so many players were dealt fewer cards, as the pack was not enough, is no house rule.
        """
        rules = as_chosen(rules, players)
        own = [key for key, stored in self.ours.items() if is_same_but_minutes(stored, rules)]
        self.rules.data = own[0] if own else rules.key
        self._fill_in(house_rules((PRESETS | self.ours)[self.rules.data], rules))

    def choose_from_query(self, query: "MultiDict[str, str]") -> None:
        """Fill in the rules of a link."""
        self.rules.data = query["rules"]
        house = entered_values(query, HOUSE_RULES)
        self.first_dealer.data = "draw" if house.pop("first_dealer", "") == "random" else ""
        self._fill_in(house)

    def swap_seats(self, move: str) -> None:
        """Swap two neighbours: `2:up` those of seats 1 and 2, `2:down` those of seats 2 and 3.

        `shuffle` shuffles the names of the seats that play; anything else changes nothing.
        """
        self.has_moved = move != "shuffle"
        if move == "shuffle":
            self._shuffle_seats()
        seat, _colon, way = move.partition(":")
        if not (seat.isascii() and seat.isdigit() and way in ("up", "down")):
            return
        names, one = self.names.data, int(seat[:2]) - 1
        other = one - 1 if way == "up" else one + 1
        if 0 <= one < len(names) and 0 <= other < len(names):
            names[one], names[other] = names[other], names[one]

    def _shuffle_seats(self) -> None:
        names = self.names.data
        seats = [n for n, name in enumerate(names[: self.new_game().seat_count]) if name.strip()]
        shuffled = list(seats)
        secrets.SystemRandom().shuffle(shuffled)
        before = list(names)
        for seat, other in zip(seats, shuffled, strict=True):
            names[seat] = before[other]

    def validate(self, extra_validators: Any = None) -> bool:
        """Check the game as the API does too; False also where another rule book was chosen."""
        super().validate(extra_validators)
        books = PRESETS | self.ours
        old, new = books.get(self.rendered_for.data), books.get(self.rules.data)
        if self.house and old and new and self.rendered_for.data != self.rules.data:
            self._switch(old, new)
        self.game = self.new_game()
        is_right = self.game.check()
        self._fill_in(self.house)
        return is_right and self.made_for is None

    def new_game(self) -> NewGame:
        """Return the values of the form, unchecked."""
        return NewGame(
            rules_key=self.rules.data,
            seat_names=self.names.data,
            seats=self.seats.data,
            dealer=self.first_dealer.data,
            stake=self.stake.data,
            start=self.start.data,
            bags=self.bags.data,
            house=self.house,
            request_key=self.request_key.data,
            ours=self.ours,
        )

    def _switch(self, old: RuleSet, new: RuleSet) -> None:
        """Drop house rules that were filled in for the old book, and those that do not fit."""
        self.made_for = old
        filled_in = read_values(self.filled_in.data)
        self.left_behind = {n: text for n, text in self.house.items() if filled_in.get(n) == text}
        entered = {n: text for n, text in self.house.items() if n not in self.left_behind}
        _rules, refused = apply_house_rules(new, entered)
        refused = {n: why for n, why in refused.items() if not is_malformed(n, entered[n])}
        self.left_out = left_out(refused, new)
        self.house = {name: text for name, text in entered.items() if name not in refused}

    def _fill_in(self, house: dict[str, str]) -> None:
        """Show house rules, as filled in for the rule book chosen."""
        self.house, self.rendered_for.data = house, self.rules.data
        self.filled_in.data = ";".join(f"{name}={text}" for name, text in house.items())
        self._show_house()

    def _show_house(self) -> None:
        for name in VALUES:
            text = self.house.get(name, "")
            self[name].data = say("off") if text == "off" else text
