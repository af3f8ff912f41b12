"""Players found by a part of their name, renamed, merged, and given another shape and color."""

from flask import Blueprint, abort, redirect, render_template, request, url_for
from wtforms import Field, ValidationError
from wtforms.validators import NumberRange

from scorekeeper.free_text import LONGEST_TYPED, name_key
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.faces import COLORS, SHAPES, Face
from scorekeeper.store import players
from scorekeeper.store import statistics as queries
from scorekeeper.store.players import BothPlayed, Player
from scorekeeper.web.http.forms import Form, StrictIntegerField, TextField, valid_name
from scorekeeper.web.http.requests import Answer, database, require_phone, store
from scorekeeper.web.players.addresses import find, to_player

pages = Blueprint("player_names", __name__, url_prefix="/players")
MOST_FOUND = 50
MOST_OFFERED = 3


class NameForm(Form):
    """The new name of a player."""

    name = TextField()

    def validate_name(self, field: Field) -> None:
        """Refuse what cannot be a name."""
        if not field.data.strip():
            raise ValidationError(_("Enter a name."))
        valid_name(self, field)


class SearchForm(Form):
    """A part of the name of a player, sent by GET."""

    name = TextField(filters=[lambda text: (text or "")[:LONGEST_TYPED]])


class FaceForm(Form):
    """The new shape and color of a player."""

    shape = StrictIntegerField(validators=[NumberRange(1, SHAPES)])
    color = StrictIntegerField(validators=[NumberRange(1, COLORS)])


@pages.get("/find")
def search() -> str:
    """List the players whose name has a text in it, or is like it; without a text the newest."""
    table_id, name = require_phone().table_id, SearchForm(request.args).name.data
    found = players.players_called(database(), table_id, name, MOST_FOUND)
    nearest: list[str] = []
    if name.strip() and not found:
        nearest = players.names_like(database(), table_id, name, MOST_OFFERED)
    if not name.strip():
        found = players.newest_players(database(), table_id, MOST_FOUND)
    return render_template(
        "players/find.html",
        name=name,
        found=found,
        nearest=nearest,
        twins=players.twins(database(), table_id),
    )


@pages.get("/<player_id>/edit")
def edit(player_id: str) -> Answer:
    """Show the forms that change a player."""
    player = find(player_id)
    if str(player.id) != player_id:  # merged into another
        return redirect(url_for("player_names.edit", player_id=player.id), 303)
    return _edit_page(player, NameForm(None, name=player.name))


@pages.post("/<player_id>/name")
def rename(player_id: str) -> Answer:
    """Rename a player in every game, or offer to merge with the player who has that name."""
    player, form = find(player_id), NameForm(request.form)
    if not form.validate():
        return _edit_page(player, form), 422
    name = form.name.data
    with store().write(require_phone().table_id) as db:
        other = players.namesake(db, require_phone().table_id, player, name)
        if other is None and name != player.name:
            players.rename(db, require_phone().table_id, player, name)
    if other is None:
        return to_player(player)
    question = url_for("player_names.ask", player_id=player.id, other_id=other.id, name=name)
    return redirect(question, 303)


@pages.post("/<player_id>/face")
def choose_face(player_id: str) -> Answer:
    """Give a player the shape and the color that were chosen, even where others have them."""
    player, form = find(player_id), FaceForm(request.form)
    if not form.validate():
        abort(400)
    face = Face(form.shape.data or 0, form.color.data or 0)
    with store().write(require_phone().table_id) as db:
        players.give_face(db, require_phone().table_id, player, face)
    return to_player(player)


@pages.get("/<player_id>/merge/<other_id>")
def ask(player_id: str, other_id: str) -> Answer:
    """Ask for confirmation before two players are merged."""
    player, other = find(player_id), find(other_id)
    if player == other:
        return to_player(other)
    return _merge_page(player, other, NameForm(request.args))


@pages.post("/<player_id>/merge/<other_id>")
def merge(player_id: str, other_id: str) -> Answer:
    """Merge a player into another; 422 where both played in one game."""
    player, other = find(player_id), find(other_id)
    if player != other:
        try:
            with store().write(require_phone().table_id) as db:
                name = _name_for(other, NameForm(request.form))
                players.merge(db, require_phone().table_id, player, other, name)
        except BothPlayed:
            return _merge_page(player, other, NameForm(None)), 422
    return to_player(other)


def _merge_page(player: Player, other: Player, form: NameForm) -> str:
    table_id = require_phone().table_id
    return render_template(
        "players/merge.html",
        player=player,
        other=other,
        name=_name_for(other, form),
        together=players.game_of_both(database(), table_id, player, other),
        games=[queries.begun(database(), table_id, one.id) for one in (player, other)],
    )


def _name_for(player: Player, form: NameForm) -> str:
    """Return the spelling to keep: the one typed if it is the same name, else the old one."""
    same = form.validate() and name_key(form.name.data) == name_key(player.name)
    return str(form.name.data) if same else player.name


def _edit_page(player: Player, form: NameForm) -> str:
    return render_template(
        "players/edit.html",
        player=player,
        form=form,
        shapes=_shape_names(),
        taken=_colors_taken(player),
    )


def _shape_names() -> list[str]:
    """Return the names of all shapes, in the order of their numbers."""
    return [
        *(_("Circle"), _("Triangle"), _("Square"), _("Diamond"), _("Star")),
        *(_("Plus"), _("Hourglass"), _("Ring"), _("Arrow"), _("Angle")),
    ]


def _colors_taken(player: Player) -> dict[int, list[int]]:
    """Return the colors in which other players of the table have a shape, by shapes."""
    taken = players.faces_taken(database(), require_phone().table_id)
    taken[player.face] = taken.get(player.face, 1) - 1
    found: dict[int, list[int]] = {}
    for shape, color in sorted(face for face, count in taken.items() if count):
        found.setdefault(shape, []).append(color)
    return found
