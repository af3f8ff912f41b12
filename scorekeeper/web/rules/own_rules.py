"""House rules that a table stores under a name: made, changed, removed, shown from a link."""

from dataclasses import replace

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response
from wtforms import Field, ValidationError

from scorekeeper.i18n import gettext as _
from scorekeeper.player_names import LONGEST_TYPED
from scorekeeper.rules.presets import DEFAULT, PRESETS
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store.saved_rules import (
    MAX_SAVED_RULES,
    NameTaken,
    SavedRules,
    TooMany,
    change_saved_rules,
    find_saved_rules,
    remove_saved_rules,
    save_rules,
)
from scorekeeper.web.http.current import database, require_phone, store, use_words_of
from scorekeeper.web.http.form_fields import BLANKS, StrictIntegerField, TextField, valid_name
from scorekeeper.web.rules.form import HouseRulesForm
from scorekeeper.web.rules.pages import rules_page
from scorekeeper.web.rules.rule_link import rules_from_query

pages = Blueprint("own_rules", __name__, url_prefix="/rules")
Answer = str | Response | tuple[str, int]


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


@pages.get("/new")
def new() -> Answer:
    """Show a rule book to be changed, with examples of what the values typed so far change."""
    require_phone()
    return _edit_page(OwnRulesForm(request.args))


@pages.post("/new")
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


@pages.get("/<rules_id>/change")
def ask(rules_id: str) -> Answer:
    """Show stored rules to be changed, with examples of what the values typed so far change."""
    return _edit_page(ChangeForm(request.args, find_own_rules(rules_id)))


@pages.post("/<rules_id>/change")
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


@pages.post("/<rules_id>/remove")
def remove(rules_id: str) -> Response:
    """Remove stored rules; games that are played by them keep them."""
    phone = require_phone()
    with store().write(phone.table_id) as db:
        saved = find_saved_rules(db, phone.table_id, rules_id) or abort(404)
        remove_saved_rules(db, phone.table_id, saved.id)
    return redirect(url_for("rules.index"), 303)


@pages.get("/link")
def link() -> str:
    """Show the rules that the address carries, to anybody."""
    return rules_page(rules_from_query(), with_code=True)


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
    return render_template(template, form=form, presets=PRESETS), status


def _name_taken(form: OwnRulesForm) -> Answer:
    form.name.errors = [_("This table already has rules with that name. Choose another.")]
    return _edit_page(form, 422)


def _changed_meanwhile(form: OwnRulesForm, saved: SavedRules) -> Answer:
    form.saved = saved
    form.message = _(
        "Another phone has changed these rules. Save again to replace its version with yours."
    )
    return _edit_page(form, 409)
