"""Proof that what is derived still follows from what was recorded."""

from pathlib import Path
from typing import TextIO

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.store.connection import Store, StoreRefused
from scorekeeper.store.games import load_game
from scorekeeper.store.results import derive, disagreements


def check(folder: Path, out: TextIO, *, rebuild: bool = False) -> int:
    """Compare every result row with the facts; print the outcome and return the exit status.

    With `rebuild`, rows that do not agree are derived anew. The status is 1 where rows disagreed
    and stayed so, or the database cannot be used.
    """
    try:
        store = Store(folder)
    except StoreRefused as refused:
        print(refused, file=out)
        return 1
    with store.write() as db:
        wrong = disagreements(db)
        if rebuild:
            for table_id, game_id in wrong:
                game = load_game(db, table_id, game_id)
                assert game is not None
                derive(db, game)
        games = db.execute("SELECT count(*) FROM games").fetchone()[0]
    for _table_id, game_id in wrong:
        print(
            _("Game {id}: the results do not follow from the rounds.").format(id=game_id), file=out
        )
    print(
        ngettext(
            "{n} game checked, {wrong} wrong.", "{n} games checked, {wrong} wrong.", games
        ).format(n=games, wrong=len(wrong)),
        file=out,
    )
    if wrong and rebuild:
        print(_("Their results are derived anew."), file=out)
    return 1 if wrong and not rebuild else 0
