"""The desk, where a director runs a club night."""

from flask import Blueprint, render_template

from scorekeeper.store.club import ClubNight
from scorekeeper.web.club.nights import find_night_or_404

pages = Blueprint("club", __name__, url_prefix="/club")


@pages.get("/<night_id>")
def desk(night_id: str) -> str:
    """Show how the evening stands, and what comes next."""
    return _desk(find_night_or_404(night_id))


def _desk(club: ClubNight, refused: str = "") -> str:
    return render_template("club/desk.html", club=club, night=club.night, refused=refused)
