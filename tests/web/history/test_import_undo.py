"""An import of a page: its progress, what it says afterwards, and its undo."""

from datetime import timedelta

import pytest
from werkzeug.test import TestResponse

from scorekeeper.clock import now, stamp
from scorekeeper.store import import_log
from scorekeeper.store.background import Background, Ended
from scorekeeper.store.check import faults
from scorekeeper.store.database import Store
from scorekeeper.web import imports
from tests.web.history.test_import_export import confirm, upload
from tests.web.page import Page
from tests.web.play import Table, page_of

ROWS = ("Ana,3,3", "Ben,2,4", "Cy,nil,0", "Dana,4,3")
STARTS = ("2025-01-09T19:00:00Z", "2025-03-06T19:00:00Z", "2025-03-06T20:00:00Z")


def sheet(starts: tuple[str, ...] = STARTS, last: str = "") -> str:
    """Return games that are equal but for their starts."""
    games = [
        f"{started},g{n},1,{row}\n"
        for n, started in enumerate(starts)
        for row in (*ROWS[:3], last or ROWS[3])
    ]
    return "started,game,round,player,bid,tricks\n" + "".join(games)


def imported(table: Table, text: str = "") -> Page:
    """Import a sheet and return the page about it."""
    answer = confirm(table, upload(table, text or sheet()))
    assert answer.status_code == 303
    return table.page(answer.location)


def undone(table: Table, page: Page) -> TestResponse:
    return table.send(page.form("/import/undo"))


def listed(table: Table) -> list[str]:
    """Return the ids of the table's games that are not removed, in the order of their start."""
    rows = table.store.db.execute(
        "SELECT id FROM games WHERE table_id = ? AND removed IS NULL ORDER BY started", [table.id]
    )
    return [row[0] for row in rows.fetchall()]


@pytest.fixture
def stranger(table: Table) -> Table:
    """A phone of a table without games."""
    other = Table(table.app)
    other.join()
    return other


def test_the_preview_is_folded_by_month(stranger: Table) -> None:
    page = page_of(upload(stranger, sheet()))
    titles = page.texts("div[@id='found']/details/summary")
    assert titles == ["January 2025 · 1 game", "March 2025 · 2 games"]


def test_the_page_says_from_when_to_when_and_who_is_new(stranger: Table) -> None:
    stranger.new_game("partnership", players=("Ana", "Ben", "Eve", "Dana"))
    page = imported(stranger)
    assert "Imported 3 games." in page.text
    assert "From 9 Jan 2025 to 6 Mar 2025." in page.text
    assert page.texts("ul[@id='new-players']/li//span/bdi") == ["Cy"]
    assert page.texts("table[@class='values by-month']//th") == ["January 2025", "March 2025"]


def test_undo_removes_the_games_and_journals_it(stranger: Table) -> None:
    stranger.new_game("partnership")
    own = listed(stranger)
    page = imported(stranger)
    assert len(listed(stranger)) == 4
    answer = undone(stranger, page)
    assert answer.status_code == 303
    assert "Import undone." in stranger.page(answer.location).text
    assert listed(stranger) == own
    kinds = stranger.store.db.execute(
        "SELECT kind, count(*) FROM changes WHERE table_id = ? AND phone_id IS NOT NULL "
        "AND kind = 'deleted' GROUP BY kind", [stranger.id]
    ).fetchall()  # fmt: skip
    assert kinds == [("deleted", 3)]
    assert "Cy" not in stranger.get("/players").text
    assert undone(stranger, page).status_code == 303, "once more changes nothing"
    assert listed(stranger) == own
    assert list(faults(stranger.store)) == []


def test_undo_is_refused_where_a_game_was_changed(stranger: Table) -> None:
    page = imported(stranger)
    stranger.game_id = listed(stranger)[0]
    stranger.play_round((3, 2, 1, 3), (3, 2, 1, 4))
    answer = undone(stranger, page)
    assert answer.status_code == 409
    told = page_of(answer)
    assert "can’t be undone" in told.text
    assert [link.get("href") for link in told.all("div[@role='alert']//a")] == [stranger.path]
    assert len(listed(stranger)) == 3


def test_a_game_that_was_deleted_by_hand_does_not_stand_in_the_way(stranger: Table) -> None:
    page = imported(stranger)
    stranger.game_id = listed(stranger)[0]
    stranger.send(stranger.page(f"{stranger.path}/removal").form("/removal"))
    assert undone(stranger, page).status_code == 303
    assert listed(stranger) == []


def test_an_import_that_takes_longer_shows_its_progress(
    stranger: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is shown while it runs, and after it has stopped; going on adds nothing twice."""

    def stopped(_self: Background, _work: object, _wait: float) -> None:
        """Begin an import that adds no game."""

    monkeypatch.setattr(imports.Background, "run", stopped)
    answer = upload(stranger, sheet())
    shown = confirm(stranger, answer).location
    page = stranger.page(shown)
    assert "0 of 3 games imported" in page.text
    assert page.all("meta[@http-equiv='refresh']")
    assert confirm(stranger, answer).location == shown, "it runs"
    long_ago = stamp(now() - 2 * import_log.STOPPED)
    with stranger.store.write(stranger.id) as db:
        db.execute("UPDATE imports SET touched = ?", [long_ago])
    monkeypatch.undo()
    page = stranger.page(shown)
    assert "This has stopped." in page.text
    assert not page.all("meta[@http-equiv='refresh']")
    told = stranger.send(page.form("/import/all"))
    assert told.location == stranger.get(shown).location
    assert "Imported 3 games." in stranger.page(told.location).text
    assert len(listed(stranger)) == 3


def test_what_was_added_before_it_stopped_counts_as_imported(
    stranger: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Background.until_the_end

    def broken(self: Background, items: list[object]) -> object:
        yield from list(real(self, items))[:2]
        raise Ended

    monkeypatch.setattr(imports.Background, "until_the_end", broken)
    answer = upload(stranger, sheet())
    shown = confirm(stranger, answer).location
    assert "of 3 games imported" in stranger.page(shown).text
    assert len(listed(stranger)) < 3
    monkeypatch.undo()
    with stranger.store.write(stranger.id) as db:
        db.execute("UPDATE imports SET touched = '2025-01-01T00:00:00.000+00:00'")
    told = stranger.send(stranger.page(shown).form("/import/all"))
    page = stranger.page(told.location)
    assert "Imported 3 games." in page.text
    assert "already here" not in page.text
    assert len(listed(stranger)) == 3
    assert not stranger.store.db.execute("SELECT 1 FROM uploads").fetchone()


def test_uploads_are_kept_for_an_hour_and_a_table_keeps_a_few(stranger: Table) -> None:
    store: Store = stranger.store
    with store.write(stranger.id) as db:
        old = import_log.keep_upload(db, stranger.id, b"x", now() - 2 * import_log.KEPT)
        kept = [
            import_log.keep_upload(db, stranger.id, b"%d" % n, now() + timedelta(seconds=n))
            for n in range(4)
        ]
    found = [import_log.upload_of(store.db, stranger.id, one) for one in (old, *kept)]
    assert found == [None, None, b"1", b"2", b"3"]
