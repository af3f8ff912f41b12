"""Voice, vibration, a screen that stays on, and the keys: what a phone or laptop can do besides."""

from flask import Blueprint, render_template

pages = Blueprint("settings", __name__)


@pages.get("/senses")
def show() -> str:
    """Show what can be switched on and off on this phone, and the keys of the game page."""
    return render_template("table/settings.html")
