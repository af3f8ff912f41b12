"""Pages of rule books and house rules, their form, those that a table stores, and links to them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from flask import Blueprint, abort, redirect, render_template, request, session, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest, UnprocessableEntity
from werkzeug.wrappers import Response
from wtforms import Field, ValidationError

from scorekeeper.free_text import LONGEST_TYPED, NameRefused, normalize_name
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import number_range, plain_digits
from scorekeeper.rules.bidding import sides_of
from scorekeeper.rules.effects import Effect, effects
from scorekeeper.rules.presets import (
    DEFAULT,
    PRESETS,
    WRITTEN_FOR,
    Refusals,
    apply_house_rules,
    as_chosen,
    is_malformed,
    tables,
)
from scorekeeper.rules.ruleset import (
    HOUSE_RULES,
    RuleSet,
    RulesRefused,
    house_rules,
    value_text,
    with_house_rules,
)
from scorekeeper.store.games import Game
from scorekeeper.store.tables import (
    MAX_SAVED_RULES,
    NameTaken,
    SavedRules,
    TooMany,
    change_saved_rules,
    find_saved_rules,
    list_saved_rules,
    owner_of,
    remove_saved_rules,
    save_rules,
)
from scorekeeper.web.http.forms import BLANKS, Form, StrictIntegerField, TextField, valid_name
from scorekeeper.web.http.fragments import cached_fragment
from scorekeeper.web.http.requests import (
    Answer,
    database,
    find_game_or_404,
    require_phone,
    store,
    this_phone,
    use_words_of,
)
from scorekeeper.web.http.static_files import send_shared
from scorekeeper.web.http.templates import shared_link
from scorekeeper.web.text.books import book_name
from scorekeeper.web.text.rule_books import (
    ExampleText,
    book_line,
    deck_suits,
    grouped_books,
    refusal_shown,
    rules_text,
    usual_size,
    value_name,
)
from scorekeeper.web.text.sentences import say

pages = Blueprint("rules", __name__)

SIZE = "seats"  # in an address: for how many players the rules are shown
LONGEST = 2000  # bytes: every house rule at its longest, and a long name in any script


def link_to(rules: RuleSet) -> str:
    """Return the path of a link that carries these rules."""
    return url_for("rules.link", **to_query(rules))


def to_query(rules: RuleSet) -> dict[str, Any]:
    """Return the query of a link: the rule book, the values that differ from it, and the name."""
    preset = PRESETS[rules.key]
    name = {} if rules.name == preset.name else {"name": rules.name}
    return {"rules": rules.key, **house_rules(preset, rules), **name}


def rules_from_query() -> RuleSet:
    """Return the rules in the query of this request.

    Raises `BadRequest` for an unknown or repeated name, and `UnprocessableEntity` for values that
    cannot be played.
    """
    sent = _parse_query(request.args.lists())
    sent.pop(SIZE, None)
    preset = PRESETS.get(sent.pop("rules", ""))
    if preset is None:
        raise UnprocessableEntity(_("This link is for rules that aren’t known here."))
    name = sent.pop("name", None)
    try:
        rules = with_house_rules(preset, sent)
        return rules if name is None else replace(rules, name=normalize_name(name))
    except RulesRefused as refused:
        why = refusal_shown(refused)
    except NameRefused as refused:
        why = str(refused)
    raise UnprocessableEntity(_("The rules in this link don’t work: {why}").format(why=why))


def _parse_query(sent: Iterable[tuple[str, Sequence[str]]]) -> dict[str, str]:
    if len(request.query_string) > LONGEST:
        raise BadRequest(_("This link is too long to be a rules link."))
    found = {}
    for name, values in sent:
        if name not in ("rules", "name", SIZE, *HOUSE_RULES):
            sentence = _(
                "This link contains “{text}”, which isn’t a known rule. Ask for the link again."
            )
            raise BadRequest(sentence.format(text=name[:20]))
        if len(values) > 1:
            sentence = _("This link contains “{text}” more than once. Ask for the link again.")
            raise BadRequest(sentence.format(text=name))
        found[name] = values[0]
    return found


class RuleValuesForm(Form):
    """Base class of forms with a text field for each house rule, see `rules/_fields.html`."""

    rendered_for = TextField()  # the key of the rule book that the fields were rendered for

    @property
    def blind_nil_kept(self) -> int | None:
        """What blind Nil is still worth where only Nil was changed; None elsewhere."""
        return None


for _name in HOUSE_RULES:
    setattr(RuleValuesForm, _name, TextField())


class HouseRulesForm(RuleValuesForm):
    """A rule book with house rules, whose fields show the values in use.

    `rules` can always be played, as it leaves out values that are refused. An empty field means the
    rule book's value; a missing field means that of `start`, or else the rule book's. Where the
    form was rendered for another rule book, its house rules are kept if they can be played by this
    one: `kept_from` is then the other rule book, and `left_out` says why some were dropped.
    """

    def __init__(
        self,
        formdata: "MultiDict[str, str] | None",
        preset: RuleSet,
        start: RuleSet | None = None,
        **data: str,
    ) -> None:
        values = house_rules(preset, start) if start else {}
        super().__init__(formdata, data=values, **data)
        self.preset = preset
        self.left_out: list[str] = []
        self.kept_from: RuleSet | None = None
        books = {**PRESETS, preset.key: preset}
        rendered_for = books.get(self.rendered_for.data, preset)
        entered = entered_values(self.data, HOUSE_RULES)
        changes = {n: text for n, text in entered.items() if _differs(rendered_for, n, text)}
        self.rules, refused = apply_house_rules(preset, changes)
        if start and not house_rules(start, self.rules):
            self.rules = start  # which may have a name of its own
        if rendered_for == preset:
            self._show_values(changes, errors_of(changes, refused))
        else:
            self.left_out = left_out(refused, preset)
            self.kept_from = rendered_for if self.values else None
            self._show_values({}, {})

    def validate(self, extra_validators: Any = None) -> bool:
        """Return whether the values can be played as typed, for the rule book chosen."""
        valid = bool(super().validate(extra_validators))
        return valid and not (self.left_out or self.kept_from)

    def _show_values(self, changes: Mapping[str, str], errors: Mapping[str, str]) -> None:
        """Fill the fields with the values in use, except those whose typed value is refused."""
        for name in HOUSE_RULES:
            field = self[name]
            if name in errors:
                field.errors = field.process_errors = [errors[name]]
            if name not in errors or name not in changes:
                value = getattr(self.rules, name)
                field.data = say("off") if value is None else value_text(value)

    @property
    def blind_nil_kept(self) -> int | None:
        """What blind Nil is still worth where only Nil was changed; None elsewhere."""
        is_unchanged = self.rules.blind_nil_points == self.preset.blind_nil_points
        is_alone = is_unchanged and self.rules.nil_points != self.preset.nil_points
        return self.rules.blind_nil_points if is_alone else None

    @property
    def values(self) -> dict[str, str]:
        """The values in which the rules differ from the rule book, as text."""
        return house_rules(self.preset, self.rules)

    @property
    def effects(self) -> dict[str, Effect | None]:
        """An example for each value that differs from the rule book; None if it has no effect."""
        return effects(self.preset, self.rules)


def entered_values(form: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Return the fields that are not empty, as text for `with_house_rules`.

    `off` is also taken in the language of the page, U+2212 as a minus sign, and the digits of
    Arabic and Hindi keyboards.
    """
    found = {}
    for name in names:
        text = form.get(name, "").strip(BLANKS)
        if text:
            is_off = text.casefold() in ("off", say("off").casefold())
            number = plain_digits(text).replace("\N{MINUS SIGN}", "-")
            found[name] = "off" if is_off else number
    return found


def read_values(text: str) -> dict[str, str]:
    """Parse house rules written as `name=value`, separated by `;`."""
    pairs = (part.partition("=") for part in text.split(";"))
    return {name: value for name, _equals, value in pairs}


def errors_of(changes: Mapping[str, str], refused: Refusals) -> dict[str, str]:
    """Return a message for each field; where any is malformed, for the malformed ones only."""
    malformed = [name for name in refused if is_malformed(name, changes[name])]
    return {refused[n].field: refusal_shown(refused[n]) for n in malformed or refused}


def left_out(refused: Refusals, preset: RuleSet) -> list[str]:
    """Return a message for each house rule of another rule book that this one cannot take."""
    sentence = _("“{value}” was dropped because it doesn’t work with {rules}: {why}")
    return [
        sentence.format(
            value=value_name(name) if name in HOUSE_RULES else name,
            rules=book_name(preset),
            why=refusal_shown(why),
        )
        for name, why in refused.items()
    ]


def _differs(rules: RuleSet, name: str, text: str) -> bool:
    value: object = HOUSE_RULES[name].read(text)
    return value != getattr(rules, name) or type(value) is not type(getattr(rules, name))


@pages.get("/rules")
def index() -> str | Response:
    """List the rule books, and the stored rules of this phone's table."""
    return _index() if "phone" in session else send_shared(_index)


def _index() -> str:
    phone = this_phone()
    ours = list_saved_rules(database(), phone.table_id) if phone else []
    return render_template(
        "rules/index.html",
        presets=PRESETS,
        default=DEFAULT,
        groups=grouped_books(),
        ours=ours,
        phone=phone,
    )


@pages.get("/rules/<key>")
def show(key: str) -> str | Response:
    """Show a rule book, or stored rules of this phone's table."""
    if key in PRESETS and "phone" not in session:
        return _shared_page(PRESETS[key])
    if key in PRESETS:
        return rules_page(PRESETS[key])
    saved = find_saved_rules(database(), require_phone().table_id, key) or abort(404)
    return rules_page(saved.rules, saved=saved, with_code=True)


def _shared_page(rules: RuleSet) -> str | Response:
    """Return the page of a rule book as all visitors see it."""

    def render() -> str:
        return rules_page(rules)

    players = chosen_size(rules)
    if players == usual_size(rules):
        return send_shared(render)
    return cached_fragment("rules", render, rules, players)


@pages.get("/games/<game_id>/rules")
def of_game(game_id: str) -> str:
    """Show the rules of one game, house rules included."""
    game = find_game_or_404(game_id)
    return rules_page(as_chosen(game.rules, len(game.names)), game=game)


def rules_page(
    rules: RuleSet,
    *,
    game: Game | None = None,
    saved: SavedRules | None = None,
    with_code: bool = False,
) -> str:
    """Return the page of some rules: sentences, worked examples, values and a link.

    They are those of as many players as the `game` has or the address chooses. Where they belong
    to a game or are `saved` by the table, the page says so; `with_code` adds the QR code of the
    link.
    """
    use_words_of(rules)
    preset, sizes = PRESETS[rules.key], tables(rules)
    players = chosen_size(rules, len(game.names) if game else 0)
    own, usual = sizes.get(players, rules), tables(preset).get(players, preset)
    values = [(name, getattr(own, name), getattr(usual, name)) for name in HOUSE_RULES]
    text = rules_text(rules, players)
    return render_template(
        "rules/show.html",
        rules=rules,
        preset=preset,
        values=values,
        changed=sum(value != usual for _name, value, usual in values),
        text=text,
        first_example=_telling(text["examples"]),
        facts=book_line(own),
        players=players,
        sizes=[_size_link(rules, n) for n in sizes],
        written=number_range(WRITTEN_FOR.get(rules.key, ())),
        suits=deck_suits(own, players),
        game=game,
        saved=saved,
        phone=this_phone(),
        query=to_query(rules),
        link=shared_link(link_to(rules)) if with_code else None,
    )


def _telling(examples: Sequence[ExampleText]) -> ExampleText | None:
    """Return the first example whose points have more than one part, else the first with points."""
    scored = [one for one in examples if one["together"]]
    return next((one for one in scored if len(one["lines"]) > 1), scored[0] if scored else None)


class SizeLink(NamedTuple):
    """The address of a page of rules for a number of players, and whether its text is for it."""

    players: int
    path: str
    is_written: bool


def _size_link(rules: RuleSet, players: int) -> SizeLink:
    view = request.endpoint or ""
    about = to_query(rules) if view == "rules.link" else dict(request.view_args or {})
    about[SIZE] = players
    path = url_for(view, _anchor="deal", **about)
    return SizeLink(players, path, players in WRITTEN_FOR.get(rules.key, ()))


def chosen_size(rules: RuleSet, usual: int = 0) -> int:
    """Return for how many players rules are shown: as the address says, if they are for so many."""
    asked = request.args.get(SIZE, "")
    sizes = {str(n): n for n in tables(rules)}
    return sizes.get(asked) or usual or usual_size(rules)


class OwnRulesForm(HouseRulesForm):
    """House rules with a name. `saved` are the stored rules to change, `message` is an alert."""

    name = TextField(filters=[lambda text: text.strip(BLANKS)])

    def __init__(self, formdata: "MultiDict[str, str]", saved: SavedRules | None = None) -> None:
        usual = saved.rules if saved else DEFAULT
        preset = PRESETS.get(formdata.get("rules", usual.key))
        if preset is None:
            abort(422, _("Unknown rules. Choose from the list."))
        start = saved.rules if saved and saved.rules.key == preset.key else None
        super().__init__(formdata, preset, start, name=saved.rules.name if saved else "")
        self.saved, self.message = saved, ""

    def validate_name(self, field: Field) -> None:
        """Refuse an empty name with a message of its own."""
        if not field.data:
            message = _("Enter a name for these rules.")
            raise ValidationError(message)
        valid_name(self, field)

    @property
    def named_rules(self) -> RuleSet:
        """The rules under their name, once the form is valid."""
        return replace(self.rules, name=self.name.data)


class ChangeForm(OwnRulesForm):
    """A change of stored rules; `version` is the one that the page showed."""

    version = StrictIntegerField(most_digits=9)


@pages.get("/rules/new")
def new() -> Answer:
    """Show a rule book to be changed, with examples of what the values typed so far change."""
    require_phone()
    return _edit_page(OwnRulesForm(request.args))


@pages.post("/rules/new")
def save() -> Answer:
    """Store rules under a name, or show examples of what they change."""
    phone, form = require_phone(), OwnRulesForm(request.form)
    if "show" in request.form:
        return _edit_page(form)
    if not form.validate():
        return _edit_page(form, 422)
    try:
        with store().write(phone.table_id) as db:
            made = save_rules(db, phone.table_id, form.named_rules)
    except NameTaken:
        return _name_taken(form)
    except TooMany:
        sentence = _("A table can save at most {most} sets of rules. Delete one first.")
        form.message = sentence.format(most=MAX_SAVED_RULES)
        return _edit_page(form, 422)
    return redirect(url_for("rules.show", key=made), 303)


@pages.get("/rules/<rules_id>/change")
def ask(rules_id: str) -> Answer:
    """Show stored rules to be changed, with examples of what the values typed so far change."""
    return _edit_page(ChangeForm(request.args, find_own_rules(rules_id)))


@pages.post("/rules/<rules_id>/change")
def change(rules_id: str) -> Answer:
    """Store other values or another name, or show examples of what they change.

    Where another phone changed the rules meanwhile, nothing is stored and the status is 409.
    """
    phone, form = require_phone(), ChangeForm(request.form, find_own_rules(rules_id))
    if "show" in request.form:
        return _edit_page(form)
    if not form.validate():
        form.message = form.messages.get("version", "")
        return _edit_page(form, 400 if form.version.errors else 422)
    rules = form.named_rules
    try:
        with store().write(phone.table_id) as db:
            saved = find_saved_rules(db, phone.table_id, rules_id) or abort(404)
            if saved.version != form.version.data and saved.rules != rules:
                return _changed_meanwhile(form, saved)
            if saved.rules != rules:
                change_saved_rules(db, phone.table_id, saved, rules)
    except NameTaken:
        return _name_taken(form)
    return redirect(url_for("rules.show", key=rules_id), 303)


@pages.post("/rules/<rules_id>/remove")
def remove(rules_id: str) -> Response:
    """Remove stored rules; games that are played by them keep them."""
    phone = require_phone()
    with store().write(phone.table_id) as db:
        saved = find_saved_rules(db, phone.table_id, rules_id) or abort(404)
        remove_saved_rules(db, phone.table_id, saved.id)
    return redirect(url_for("rules.index"), 303)


@pages.get("/rules/link")
def link() -> str:
    """Show the rules that the address carries, to anybody."""
    rules = rules_from_query()
    if "phone" in session:
        return rules_page(rules, with_code=True)
    shown = shared_link(link_to(rules))

    def render() -> str:
        return rules_page(rules, with_code=True)

    return cached_fragment("rules", render, rules, shown.url or shown.obstacle, chosen_size(rules))


SHEET_ROUNDS = 14  # fit a page of A4 with a line of 11 mm each


@pages.get("/rules/sheet/<int:seats>")
def empty_sheet(seats: int) -> str:
    """Show an empty score sheet of the rules that the address carries, to fill in by hand."""
    rules = rules_from_query()
    own = tables(rules).get(seats) or abort(404)
    use_words_of(own)
    text = rules_text(rules, seats)
    dealers = [(n - 2) % seats + 1 for n in range(1, SHEET_ROUNDS + 1)]
    return render_template(
        "rules/sheet.html",
        rules=own,
        seats=seats,
        sizes=list(tables(rules)),
        query=to_query(rules),
        score=next(topic for topic in text["topics"] if topic["key"] == "score"),
        sides=sides_of(own, seats),
        dealers=dealers[: own.length(seats)],
        deals_in_turn=own.first_dealer == "last" and own.clockwise,
        deck=text["deck"],
    )


def find_own_rules(rules_id: str) -> SavedRules:
    """Return stored rules of this phone's table, or answer 404."""
    return find_saved_rules(database(), require_phone().table_id, rules_id) or abort(404)


def _edit_page(form: OwnRulesForm, status: int = 200) -> Answer:
    """Return the page, or only its form where a script asks for it."""
    use_words_of(form.preset)
    form.name.data = form.name.data[:LONGEST_TYPED]
    template = "rules/_edit.html" if request.args.get("part") == "1" else "rules/edit.html"
    if status != 200 and not form.message:
        form.message = _("Not saved. Check the highlighted fields.")
    owner = owner_of(require_phone())
    return render_template(template, form=form, presets=PRESETS, owner=owner), status


def _name_taken(form: OwnRulesForm) -> Answer:
    form.name.errors = [_("This table already has rules with that name. Choose another.")]
    return _edit_page(form, 422)


def _changed_meanwhile(form: OwnRulesForm, saved: SavedRules) -> Answer:
    form.saved = saved
    form.message = _(
        "Another phone has changed these rules. Save again to replace its version with yours."
    )
    return _edit_page(form, 409)
