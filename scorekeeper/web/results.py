"""The result of a game to send to others: as text, and as a picture."""

from flask import Blueprint, Response, render_template

from scorekeeper.web.ending import headline, summary
from scorekeeper.web.games import find
from scorekeeper.web.picture import picture

pages = Blueprint("results", __name__, url_prefix="/games")


@pages.get("/<game_id>/result")
def show(game_id: str) -> str:
    """Show the result as a picture and as text, with what sends or keeps them."""
    game = find(game_id)
    return render_template(
        "games/result.html",
        game=game,
        headline=headline(game),
        picture=picture(game),
        summary=summary(game),
        file_name=f"{game.rules.key}-{game.started[:10]}-{game.id}",
    )


@pages.get("/<game_id>/picture.svg")
def drawn(game_id: str) -> Response:
    """Send the picture of the result."""
    page = render_template("games/picture.svg", picture=picture(find(game_id)))
    return Response(page, content_type="image/svg+xml; charset=utf-8")
