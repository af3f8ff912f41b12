"""The result of a game for sharing, as text and as a picture, in the time zone of its table."""

from flask import Blueprint, Response, render_template

from scorekeeper.clock import day_in
from scorekeeper.store.games import Game
from scorekeeper.web.game.result_picture import picture
from scorekeeper.web.game.summary import headline, summary
from scorekeeper.web.http.current import find_game_or_404, require_phone, use_zone_of_table

pages = Blueprint("result", __name__, url_prefix="/games")


@pages.get("/<game_id>/result")
def show(game_id: str) -> str:
    """Show the result as a picture and as text, to share or to save."""
    game = _shared_game(game_id)
    day = day_in(require_phone().zone, game.started)
    return render_template(
        "game/result.html",
        game=game,
        headline=headline(game),
        picture=picture(game),
        summary=summary(game),
        file_name=f"{game.rules.key}-{day}-{game.id}",
    )


@pages.get("/<game_id>/picture.svg")
def picture_file(game_id: str) -> Response:
    page = render_template("game/picture.svg", picture=picture(_shared_game(game_id)))
    return Response(page, content_type="image/svg+xml; charset=utf-8")


def _shared_game(game_id: str) -> Game:
    """Return a game, whose days are in the time zone of its table, as all see the same."""
    game = find_game_or_404(game_id)
    use_zone_of_table(require_phone())
    return game
