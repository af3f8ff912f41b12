"""Settings that a browser keeps for itself: voice, vibration, wake lock and keyboard."""

from flask import Blueprint, render_template

pages = Blueprint("settings", __name__)


@pages.get("/senses")
def show() -> str:
    """Show the switches, which a script reads and stores, and the keys of the game page."""
    return render_template("table/settings.html")
