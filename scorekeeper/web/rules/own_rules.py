"""Rules of the table's own: made from a rule book, named, kept, changed, sent as a link."""

from dataclasses import dataclass, field, replace

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from scorekeeper.i18n import gettext as _
from scorekeeper.player_names import NameRefused, normalize_name
from scorekeeper.rules.presets import DEFAULT, PRESETS
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store.rulesets import (
    MOST_KEPT,
    Kept,
    NameTaken,
    TooMany,
    change_rules,
    find_rules,
    keep_rules,
    remove_rules,
)
from scorekeeper.web.http.current import database, require_phone, store
from scorekeeper.web.http.form_fields import BLANKS, Malformed, version_of
from scorekeeper.web.rules.form import HouseRules
from scorekeeper.web.rules.pages import print_rules
from scorekeeper.web.rules.rule_link import rules_from_query

pages = Blueprint("own_rules", __name__, url_prefix="/rules")
Answer = str | Response | tuple[str, int]


@dataclass
class Sheet:
    """The page on which rules are made: their values, their name, and what is wrong with it."""

    form: HouseRules
    name: str = ""
    kept: Kept | None = None
    message: str = ""
    errors: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, sent: "MultiDict[str, str]", kept: Kept | None = None) -> "Sheet":
        """Return the page as it was filled in; what it leaves out is as in the rules kept."""
        usual = kept.rules if kept else DEFAULT
        preset = PRESETS.get(sent.get("rules", usual.key))
        if preset is None:
            abort(422, _("There is no such rule book: choose one of those on the page."))
        start = kept.rules if kept and kept.rules.key == preset.key else None
        name = sent.get("name", kept.rules.name if kept else "").strip(BLANKS)
        return cls(HouseRules.from_form(sent, preset, start), name, kept)

    def check(self) -> bool:
        """Find what is wrong with the name; returns whether all is right, the values too."""
        if not self.name:
            self.errors["name"] = _("Give these rules a name by which the table finds them.")
            return False
        try:
            normalize_name(self.name)
        except NameRefused as refused:
            self.errors["name"] = str(refused)
        form = self.form
        return not (self.errors or form.errors or form.left_out or form.kept_from)

    def show(self, status: int = 200) -> Answer:
        """Return the page, or only the part of it that a script asks for."""
        part = "HX-Request" in request.headers
        page = "rules/_edit.html" if part else "rules/edit.html"
        if status != 200 and not self.message:
            self.message = _("Not kept yet: see below.")
        return render_template(page, sheet=self, presets=PRESETS), status


@pages.get("/new")
def new() -> Answer:
    """Show a rule book to be changed, or what changed values would mean; nothing is kept."""
    require_phone()
    return Sheet.read(request.args).show()


@pages.post("/new")
def keep() -> Answer:
    """Keep rules under a name, or show what they mean."""
    phone, sheet = require_phone(), Sheet.read(request.form)
    if "show" in request.form:
        return sheet.show()
    if not sheet.check():
        return sheet.show(422)
    try:
        with store().write() as db:
            made = keep_rules(db, phone.table_id, _named(sheet))
    except NameTaken:
        return _taken(sheet)
    except TooMany:
        sentence = _("A table keeps at most {most} sets of rules: remove one first.")
        sheet.message = sentence.format(most=MOST_KEPT)
        return sheet.show(422)
    return redirect(url_for("rules.show", key=made), 303)


@pages.get("/<key>/change")
def ask(key: str) -> Answer:
    """Show rules of the table to be changed, or what changed values would mean."""
    return Sheet.read(request.args, find_own_rules(key)).show()


@pages.post("/<key>/change")
def change(key: str) -> Answer:
    """Put other values or another name in place, or show what they mean."""
    phone, sheet = require_phone(), Sheet.read(request.form, find_own_rules(key))
    if "show" in request.form:
        return sheet.show()
    if not sheet.check():
        return sheet.show(422)
    try:
        seen = version_of(request.form)
        with store().write() as db:
            kept = find_rules(db, phone.table_id, key) or abort(404)
            if kept.version != seen and kept.rules != _named(sheet):
                return _changed_meanwhile(sheet, kept)
            if kept.rules != _named(sheet):
                change_rules(db, phone.table_id, kept, _named(sheet))
    except Malformed as wrong:
        sheet.message = str(wrong)
        return sheet.show(400)
    except NameTaken:
        return _taken(sheet)
    return redirect(url_for("rules.show", key=key), 303)


@pages.post("/<key>/remove")
def remove(key: str) -> Response:
    """Remove rules from those of the table; games keep their own."""
    phone = require_phone()
    with store().write() as db:
        kept = find_rules(db, phone.table_id, key) or abort(404)
        remove_rules(db, phone.table_id, kept.id)
    return redirect(url_for("rules.index"), 303)


@pages.get("/link")
def link() -> str:
    """Print the rules that the address carries, for whoever opens it."""
    return print_rules(rules_from_query(), with_code=True)


def find_own_rules(key: str) -> Kept:
    """Return rules of this phone's table, or answer 404."""
    return find_rules(database(), require_phone().table_id, key) or abort(404)


def _named(sheet: Sheet) -> RuleSet:
    return replace(sheet.form.rules, name=normalize_name(sheet.name))


def _taken(sheet: Sheet) -> Answer:
    sheet.errors["name"] = _("The table has other rules of this name: choose another name.")
    return sheet.show(422)


def _changed_meanwhile(sheet: Sheet, kept: Kept) -> Answer:
    sheet.kept = kept
    sheet.message = _(
        "Another phone changed these rules meanwhile. Keep yours once more to put them in the "
        "place of its."
    )
    return sheet.show(409)
