"""The result of a game for sharing, as text and as a picture."""

from flask import Blueprint, Response, render_template

from scorekeeper.web.game.result_picture import picture
from scorekeeper.web.game.summary import headline, summary
from scorekeeper.web.http.current import find_game_or_404

pages = Blueprint("result", __name__, url_prefix="/games")


@pages.get("/<game_id>/result")
def show(game_id: str) -> str:
    """Show the result as a picture and as text, to share or to save."""
    game = find_game_or_404(game_id)
    return render_template(
        "game/result.html",
        game=game,
        headline=headline(game),
        picture=picture(game),
        summary=summary(game),
        file_name=f"{game.rules.key}-{game.started[:10]}-{game.id}",
    )


@pages.get("/<game_id>/picture.svg")
def picture_file(game_id: str) -> Response:
    page = render_template("game/picture.svg", picture=picture(find_game_or_404(game_id)))
    return Response(page, content_type="image/svg+xml; charset=utf-8")
