"""Scenes of club nights, added to the other scenes."""

from typing import Any

from playwright.sync_api import Page, expect

from scorekeeper.clock import now
from scorekeeper.club.events import ClockSet, Closed, Reported
from scorekeeper.club.match import Result
from scorekeeper.club.next_match import pair_next
from scorekeeper.club.standings import Scoring
from scorekeeper.store.club import ClubNight, record
from scorekeeper.store.journal import Who
from tests.browser.app_server import Table
from tests.browser.scenes import SCENES, scene
from tests.store.play import start_match
from tests.web.club.evening import LOST, WON, begin_night, play_rounds

__all__ = ["SCENES"]

NAMES = ("Ana", "Ben", "Cy", "Dee", "Eve", "Finn", "Gil", "Ida", "Jonas", "Kim", "Lou", "Mia")


def teams(count: int) -> list[str]:
    """Return so many teams of two, whose names are told apart by letters."""
    names = [f"{name} {letter}" for letter in "ABCDEFGHIJKLMN" for name in NAMES]
    return [" & ".join(names[at : at + 2]) for at in range(0, 2 * count, 2)]


def evening(table: Table, count: int, **plan: Any) -> ClubNight:
    """Return an evening that is paired."""
    who = Who(table.phone.id, now())
    with table.server.store.write(table.id) as db:
        plan = {"rules": "partnership", "rounds": 6, "name": "Friday at the Anchor", **plan}
        return begin_night(db, table.id, who, teams(count), **plan)


def running(table: Table, count: int, **plan: Any) -> ClubNight:
    """Return an evening that runs: one table has finished, one is slow, one has two results."""
    club, who = evening(table, count, **plan), Who(table.phone.id, now())
    with table.server.store.write(table.id) as db:
        club = start_match(db, club, 1, who)
        club = record(db, club, ClockSet(1, None, 754), who)
        for number, game in club.night.matches[0].games.items():
            rounds = 6 if number == 2 else 0 if number == 3 else 3 + number % 2
            play_rounds(db, table.id, game, *[WON, LOST, WON, LOST, WON, WON][:rounds])
        return record(db, club, Reported(1, 1, Result((250, -40)), by_hand=True), who)


def closed(table: Table, count: int, **plan: Any) -> ClubNight:
    """Return an evening after its first match."""
    club, who = running(table, count, **plan), Who(table.phone.id, now())
    with table.server.store.write(table.id) as db:
        for number in club.night.matches[0].numbers:
            club = record(db, club, Reported(1, number, Result((90 * number, 100)), True), who)
        return record(db, club, Closed(1), who)


@scene
def a_new_club_night(_table: Table, page: Page) -> None:
    page.goto("/club/new")
    page.get_by_text("Match points, ties and prizes").click()


@scene
def the_entries_of_a_club_night_with_mistakes(table: Table, page: Page) -> None:
    page.goto(f"/club/{evening(table, 4).id}/entries")
    page.locator("textarea").fill("Ana & Ben\nKim\nBen & Vera")
    page.get_by_role("button", name="Seat everyone").click()
    expect(page.get_by_role("alert")).to_be_visible()


@scene
def the_desk_before_a_match(table: Table, page: Page) -> None:
    page.goto(f"/club/{evening(table, 9).id}")


@scene
def the_desk_of_a_match(table: Table, page: Page) -> None:
    page.goto(f"/club/{running(table, 8, minutes=40).id}")


@scene
def the_desk_of_forty_tables(table: Table, page: Page) -> None:
    page.goto(f"/club/{running(table, 80, minutes=40).id}")


@scene
def the_desk_after_a_match(table: Table, page: Page) -> None:
    plays_off = Scoring(criteria=("wins", "points", "play_off"))
    page.goto(f"/club/{closed(table, 8, scoring=plays_off).id}")
    page.get_by_text("Play-off for place 5").click()


@scene
def the_desk_of_the_next_match(table: Table, page: Page) -> None:
    club = closed(table, 9)
    with table.server.store.write(table.id) as db:
        club = record(db, club, pair_next(club.night), Who(table.phone.id, now()))
        record(db, club, ClockSet(2, None, 270), Who(table.phone.id, now()))
    page.goto(f"/club/{club.id}")


@scene
def a_table_of_a_club_night(table: Table, page: Page) -> None:
    page.goto(f"/club/{running(table, 8).id}/matches/1/tables/1")


@scene
def who_plays_in_a_club_night(table: Table, page: Page) -> None:
    page.goto(f"/club/{running(table, 6).id}/entries")
    page.locator("summary").first.click()


@scene
def the_club_nights(table: Table, page: Page) -> None:
    running(table, 4)
    page.goto("/club")


@scene
def the_deletion_of_a_club_night(table: Table, page: Page) -> None:
    page.goto(f"/club/{evening(table, 4).id}/removal")


@scene
def home_with_a_club_night(table: Table, page: Page) -> None:
    running(table, 4)
    page.goto("/")
