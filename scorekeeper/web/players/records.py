"""The records of a table and its best pairs."""

from flask import Blueprint, render_template

from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.records import best_pairs, records_of
from scorekeeper.store.statistics import ALONE, finished_games, people_of
from scorekeeper.web.http.requests import Answer, database, require_phone
from scorekeeper.web.players.choice import Choice, chosen
from scorekeeper.web.players.pairs import pair_row
from scorekeeper.web.players.record_rows import holders, record_row
from scorekeeper.web.text.books import book_name

pages = Blueprint("records", __name__, url_prefix="/players")
OF_POINTS = ("round", "game", "closest", "bags")
OF_GAMES = ("run", "running", "longest")


@pages.get("/records")
def show() -> Answer:
    """Show the best rounds, games and runs of the chosen games, and the best pairs in them."""
    choice, table_id = chosen(), require_phone().table_id
    book = _book(choice)
    found = records_of(database(), table_id, choice.wanted, book)
    people = people_of(database(), table_id, holders(found))
    shown = {name: record_row(name, feats, people, book) for name, feats in found.items()}
    together = []
    if choice.wanted.kind != ALONE:
        together = best_pairs(database(), table_id, choice.wanted)
    page = render_template(
        "players/records.html",
        choice=choice,
        sides=[],
        book=book_name(PRESETS[book]) if book else "",
        comeback=shown.get("comeback"),
        of_points=[shown[name] for name in OF_POINTS if name in shown],
        of_games=[shown[name] for name in OF_GAMES if name in shown],
        pairs=[pair_row(one) for one in together],
    )
    return (page, 422) if choice.form.errors else page


def _book(choice: Choice) -> str:
    """Return the chosen rule book, or the one that was played most; empty where there is none."""
    wanted = choice.wanted
    if wanted.rules in PRESETS:
        return wanted.rules
    (played,) = finished_games(database(), require_phone().table_id, [wanted.span])
    return max(
        (key for key in played if key in wanted.books), key=lambda key: played[key], default=""
    )
