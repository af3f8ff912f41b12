"""The form of a new game."""

import secrets
from typing import Any

from werkzeug.datastructures import MultiDict
from wtforms import Field

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import plain_digits
from scorekeeper.rules.house_rules import apply_house_rules, is_malformed
from scorekeeper.rules.presets import DEFAULT, PRESETS
from scorekeeper.rules.ruleset import HOUSE_RULES, PACK, RuleSet, house_rules
from scorekeeper.web.game.new_game_values import NewGame, is_same_but_minutes
from scorekeeper.web.http.form_fields import MAX_SEATS, TextField
from scorekeeper.web.rules.form import RuleValuesForm, left_out, read_values, typed_values
from scorekeeper.web.text.rule_books import BookCard, book_groups

# The field `first_dealer` is a seat of this game here, not the house rule of the same name.
OPTIONS = ("first_dealer", "stake")
DEFAULT_SEATS = 4
VALUES = [name for name in HOUSE_RULES if name != "first_dealer"]


class SeatNamesField(Field):
    """The names in the fields `player-1` to `player-5`, and in more where more are sent."""

    def process(self, formdata: Any, *args: Any, **kwargs: Any) -> None:
        """Read the names; seats above the fifth only up to the last name."""
        super().process(None, *args, **kwargs)
        if formdata is not None:
            names = [formdata.get(f"player-{n}", "") for n in range(1, PACK + 1)]
            while len(names) > MAX_SEATS and not names[-1].strip():
                names.pop()
            self.data = names


class NewGameForm(RuleValuesForm):
    """A new game as typed, with the house rules for which the table has filled in values.

    `game` is the new game once `validate` has returned True. `rendered_for` is the rule book of the
    page that was sent, `filled_in` the house rules that it was filled in with. When another rule
    book is chosen, `made_for` is the old one, `left_behind` are the house rules filled in for
    it, and `left_out` says which of those typed since are impossible under the new one.
    """

    rules = TextField()
    players = SeatNamesField(default=list)
    seats = TextField()
    stake = TextField(filters=[str.strip, plain_digits])
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
        self.house = typed_values(self.data, VALUES)
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
    def book_groups(self) -> list[tuple[str, list[BookCard]]]:
        """The rules to choose from, in groups with titles."""
        return book_groups(self.ours, self.rules.data)

    @property
    def seat_choice(self) -> dict[str, bool]:
        """Which number of players is chosen, as `is_3` to `is_5`."""
        chosen = self.seats.data or str(DEFAULT_SEATS)
        return {f"is_{n}": chosen == str(n) for n in range(3, MAX_SEATS + 1)}

    @property
    def empty_seat(self) -> int | None:
        """The first seat without a name among those that play, counted from 1."""
        names = self.players.data[: self.new_game().seat_count]
        return next((seat for seat, name in enumerate(names, 1) if not name.strip()), None)

    @property
    def options_open(self) -> bool:
        """Whether something below the options needs to be seen."""
        return self.has_moved or any(name in self.messages for name in (*VALUES, *OPTIONS))

    @property
    def kept(self) -> dict[str, str]:
        """The house rules that are played, without those refused and the minutes of this game."""
        hidden = {"minutes", *self.messages}
        return {name: text for name, text in self.house.items() if name not in hidden}

    def choose(self, rules: RuleSet) -> None:
        """Fill in the rules of an earlier game: stored ones, or a rule book with house rules."""
        own = [key for key, stored in self.ours.items() if is_same_but_minutes(stored, rules)]
        self.rules.data = own[0] if own else rules.key
        self._fill_in(house_rules((PRESETS | self.ours)[self.rules.data], rules))

    def choose_from_query(self, query: "MultiDict[str, str]") -> None:
        """Fill in the rules of a link."""
        self.rules.data = query["rules"]
        house = typed_values(query, HOUSE_RULES)
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
        names, one = self.players.data, int(seat[:2]) - 1
        other = one - 1 if way == "up" else one + 1
        if 0 <= one < len(names) and 0 <= other < len(names):
            names[one], names[other] = names[other], names[one]

    def _shuffle_seats(self) -> None:
        names = self.players.data
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
            typed=self.players.data,
            seats=self.seats.data,
            dealer=self.first_dealer.data,
            stake=self.stake.data,
            house=self.house,
            request_key=self.request_key.data,
            ours=self.ours,
        )

    def _switch(self, old: RuleSet, new: RuleSet) -> None:
        """Drop house rules that were filled in for the old book, and those that do not fit."""
        self.made_for = old
        filled_in = read_values(self.filled_in.data)
        self.left_behind = {n: text for n, text in self.house.items() if filled_in.get(n) == text}
        typed = {n: text for n, text in self.house.items() if n not in self.left_behind}
        _rules, refused = apply_house_rules(new, typed)
        refused = {n: why for n, why in refused.items() if not is_malformed(n, typed[n])}
        self.left_out = left_out(refused, new)
        self.house = {name: text for name, text in typed.items() if name not in refused}

    def _fill_in(self, house: dict[str, str]) -> None:
        """Show house rules, as filled in for the rule book chosen."""
        self.house, self.rendered_for.data = house, self.rules.data
        self.filled_in.data = ";".join(f"{name}={text}" for name, text in house.items())
        self._show_house()

    def _show_house(self) -> None:
        for name in VALUES:
            text = self.house.get(name, "")
            self[name].data = _("off") if text == "off" else text
