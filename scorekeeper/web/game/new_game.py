"""Starting a game: the form, its checks, and the next game of the same players."""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper import player_names
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.house_rules import fit, is_malformed
from scorekeeper.rules.presets import DEFAULT, PRESETS
from scorekeeper.rules.ruleset import HOUSE_RULES, PACK, RuleSet, house_rules
from scorekeeper.store.games import Game, known_names, recent_games
from scorekeeper.store.idempotency import Request, is_key
from scorekeeper.store.new_games import GameSetup
from scorekeeper.store.rulesets import kept_rules
from scorekeeper.store.tables import KEY_LENGTH, hash_of, random_word
from scorekeeper.web.game.rematch import WAYS, next_seats, rematch_key
from scorekeeper.web.game.start import start_game, started_by_page
from scorekeeper.web.http.current import database, find_game_or_404, require_phone, store
from scorekeeper.web.http.form_fields import MOST_SEATS, quoted
from scorekeeper.web.rules.form import errors_of, left_out, read_values, typed_values
from scorekeeper.web.text.wording import amount

pages = Blueprint("new_game", __name__, url_prefix="/games")
Answer = str | AnyResponse | tuple[str, int]


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
                text=quoted(self.rules_key)
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
                name = player_names.normalize_name(typed)
            except player_names.NameRefused as refused:
                self.errors[f"player-{n}"] = str(refused)
                continue
            same = player_names.name_key(name)
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


@pages.get("/new")
def new() -> str:
    """Ask for rule book, players, dealer and stake, as they were last time.

    The address can choose the rules instead, as pages of rules do.
    """
    phone = require_phone()
    last = recent_games(database(), phone.table_id, 1)
    form = NewGame(request_key=random_word(KEY_LENGTH), ours=_our_rules())
    if last:
        form.choose(last[0].rules)
        form.typed = list(last[0].names)
        form.stake = amount(last[0].stake) if last[0].stake else ""
    if request.args.get("rules") in PRESETS | form.ours:
        form.choose_sent(request.args)
    form.typed += [""] * (MOST_SEATS - len(form.typed))
    return _new_page(form)


@pages.post("/new")
def create() -> Answer:
    """Start a game, or show what is wrong beside each field, everything typed kept."""
    form = NewGame.from_form(request.form, _our_rules())
    if move := request.form.get("move"):
        seat, _colon, way = move.partition(":")
        if seat.isascii() and seat.isdigit() and way in ("up", "down"):
            form.move(int(seat[:2]) - 1, -1 if way == "up" else 1)
        return _new_page(form)
    if not form.check():
        return _new_page(form), 422
    dealer = form.first_dealer()

    def is_this(game: Game) -> bool:
        return game.version == 1 and (form.is_drawn or game.first_dealer == dealer)

    setup = GameSetup(form.rules, form.names, dealer, form.stake_value())
    return _start(setup, form.request(), is_this)


@pages.post("/<game_id>/again")
def play_again(game_id: str) -> AnyResponse:
    """Start the next game of these players, in one of the ways a table goes on."""
    last = find_game_or_404(game_id)
    way = request.form.get("way", "same")
    if way not in WAYS:
        abort(400)
    names, dealer = next_seats(last, way)

    def is_next(game: Game) -> bool:
        return game.started > last.started and game.board.phase != "over"

    return _start(GameSetup(last.rules, names, dealer, last.stake), rematch_key(last), is_next)


def _start(
    setup: GameSetup, request_: Request | None, is_same: Callable[[Game], bool]
) -> AnyResponse:
    """Start a game unless this page has started it before, and go to it."""
    phone = require_phone()
    with store().write() as db:
        started = started_by_page(db, phone.table_id, setup, request_, is_same)
        game_id = start_game(db, phone.table_id, setup, request_, started, phone_id=phone.id)
    return redirect(url_for("game.show", game_id=game_id), 303)


def _our_rules() -> dict[str, RuleSet]:
    return {kept.id: kept.rules for kept in kept_rules(database(), require_phone().table_id)}


def _new_page(form: NewGame) -> str:
    names = known_names(database(), require_phone().table_id)
    return render_template("game/new.html", form=form, presets=PRESETS, known=names)
