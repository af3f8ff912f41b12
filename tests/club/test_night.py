"""An evening told by its events: what follows from each, and what is refused with which code."""

from typing import Any

import pytest

from scorekeeper.club.events import (
    EVENTS,
    FORMATS,
    ClockSet,
    Closed,
    Ended,
    Entered,
    Event,
    Format,
    GameBegun,
    KnockOutFollows,
    LastRoundCalled,
    Left,
    LinkEnded,
    Paired,
    Penalised,
    Plan,
    PlayedOff,
    Reopened,
    Replaced,
    Reported,
    Returned,
    SetUp,
    Started,
    from_json,
    to_json,
)
from scorekeeper.club.match import Clock, Result, Seating
from scorekeeper.club.next_match import pair_next, planned, with_what_follows
from scorekeeper.club.night import Entry, Night, NightRefused, Told, fold, standings_of
from scorekeeper.club.standings import Penalty, Scoring

SEED = 51
CAST = (
    ("Ana", "Ben"), ("Cy", "Dana"), ("Eve", "Fay"), ("Gus", "Hal"), ("Ida", "Jo"), ("Kim", "Lou"),
)  # fmt: skip
PEOPLE = tuple([(name,) for team in CAST for name in team])
WIN, LOSS, TIE = Result((300, 100)), Result((100, 300)), Result((200, 200))


class Club:
    """An evening in which things happen one after the other."""

    def __init__(self, format_: Format = "swiss", entries: int = 4, **plan: Any) -> None:
        self.events: list[Event] = []
        self.do(SetUp(Plan(**{"format": format_, "seed": SEED, **plan})))
        single = format_ in ("change_partners", "progressive")
        self.do(*map(Entered, range(entries), PEOPLE if single else CAST))

    @property
    def night(self) -> Night:
        """The evening as it is now."""
        return fold(self.events)

    def do(self, *events: Event) -> "Club":
        """Let something happen, with what follows from it."""
        for event in events:
            self.events += with_what_follows(self.night if self.events else None, event)
        return self

    def start(self) -> "Club":
        """Pair the next match and start it."""
        paired = pair_next(self.night)
        return self.do(paired, Started(paired.match))

    def finish(self, *results: Result) -> "Club":
        """Report the results of all tables, the same at those that are not named, and close."""
        match = self.night.matches[-1]
        given = [*results, *[WIN] * len(match.numbers)]
        for number in match.numbers:
            self.do(Reported(match.number, number, given[number - 1]))
        return self.do(Closed(match.number))

    def refusal(self, event: Event) -> tuple[str, dict[str, object]]:
        """Return the code with which an event is refused, and what is told of it."""
        with pytest.raises(NightRefused) as refused:
            self.do(event)
        return refused.value.code, refused.value.about

    def order(self) -> list[int]:
        """Return the entries by their places."""
        return [row.record.entry for row in standings_of(self.night)]


def test_an_evening_from_the_entries_to_the_winner() -> None:
    club = Club(matches=2)
    assert planned(club.night) == 2
    club.start().finish()
    first = club.night.matches[0]
    assert [row.place for row in standings_of(club.night)] == [1, 1, 3, 3]
    club.start()
    winners = {table[0] for table in first.seating.tables}
    assert {frozenset(table) for table in club.night.matches[1].seating.tables} == {
        frozenset(winners), frozenset(table[1] for table in first.seating.tables),
    }  # fmt: skip
    club.finish().do(Ended())
    assert [row.place for row in standings_of(club.night)] == [1, 2, 2, 4]
    assert club.night.is_over


@pytest.mark.parametrize(
    ("format_", "entries", "matches"),
    [
        ("all_play_all", 6, 5), ("all_play_all", 5, 5), ("halves", 6, 3), ("halves", 5, 3),
        ("swiss", 6, 5), ("knock_out", 6, 3), ("knock_out", 4, 2), ("change_partners", 8, 7),
        ("change_partners", 5, 5), ("change_partners", 7, 5), ("progressive", 8, 5),
    ],
)  # fmt: skip
def test_how_many_matches_an_evening_has(format_: Format, entries: int, matches: int) -> None:
    assert planned(Club(format_, entries).night) == matches


def test_who_comes_late_leaves_or_returns_is_paired_anew_until_the_match_starts() -> None:
    club = Club()
    club.do(pair_next(club.night), Left(3), Entered(4, CAST[4]), Entered(5, CAST[5]), Returned(3))
    seated = [sorted(one.seating.entries) for one in club.events if isinstance(one, Paired)]
    assert seated == [
        [0, 1, 2, 3], [0, 1, 2], [0, 1, 2, 4], [0, 1, 2, 4, 5], [0, 1, 2, 3, 4, 5],
    ]  # fmt: skip
    club.do(Started(1), Left(5))
    assert 5 in club.night.matches[0].seating.entries
    assert 5 not in pair_next(club.finish().night).seating.entries


def test_who_is_replaced_keeps_results() -> None:
    club = Club().start().finish().do(Replaced(2, ("Eve", "Max")))
    assert club.night.entries[2].names == ("Eve", "Max")
    assert {row.record.entry for row in standings_of(club.night)} == {0, 1, 2, 3}


def test_teams_of_three_take_turns() -> None:
    team = Entry(("Ana", "Ben", "Cy"), 0)
    turns = [team.players(match) for match in (1, 2, 3, 4)]
    assert turns == [("Ben", "Cy"), ("Ana", "Cy"), ("Ana", "Ben"), ("Ben", "Cy")]
    assert Entry(CAST[0], 0).players(2) == CAST[0]


def test_a_match_names_the_game_of_each_table() -> None:
    club = Club().start().do(GameBegun(1, 2, "g4m3"))
    assert club.night.matches[0].games == {2: "g4m3"}
    assert club.refusal(GameBegun(1, 3, "g4m3"))[0] == "no_table"


def test_a_result_by_hand_is_confirmed_or_questioned_by_the_game() -> None:
    club = Club().start().do(Reported(1, 1, WIN, by_hand=True))
    assert club.night.matches[0].at(1).status == "hand"
    club.do(Reported(1, 2, WIN), Reported(1, 1, WIN))
    assert club.night.matches[0].at(1).status == "confirmed"
    club.do(Reported(1, 1, LOSS))
    reports = club.night.matches[0].at(1)
    assert (reports.status, reports.counted) == ("question", WIN)
    assert club.refusal(Closed(1)) == ("question", {"tables": [1]})
    club.do(Reported(1, 1, WIN, by_hand=True), Closed(1))  # the director has looked
    assert club.night.matches[0].at(1).status == "hand"


def test_a_result_by_hand_can_be_taken_back_for_the_game_s() -> None:
    club = (
        Club()
        .start()
        .do(
            Reported(1, 1, LOSS, by_hand=True),
            Reported(1, 1, WIN),
            Reported(1, 1, None, by_hand=True),
        )
    )
    reports = club.night.matches[0].at(1)
    assert (reports.status, reports.counted) == ("game", WIN)


def test_a_correction_pairs_anew_what_has_not_started() -> None:
    club = Club().start().finish()
    club.do(pair_next(club.night))
    before = club.night.matches[1].seating
    club.do(Reported(1, 1, LOSS, by_hand=True))
    assert isinstance(club.events[-1], Paired)
    assert club.night.matches[1].seating == pair_next(club.night).seating != before
    assert club.night.told == ()


def test_a_correction_tells_what_has_begun() -> None:
    club = Club().start().finish().start()
    before = club.night.matches[1].seating
    club.do(Reported(1, 1, LOSS, by_hand=True))
    assert club.night.told == (Told("standings", 1, 1, begun=2),)
    assert club.night.matches[1].seating == before
    club.do(Reported(1, 1, LOSS))  # changes nothing that counts
    assert len(club.night.told) == 1


def test_a_corrected_winner_of_a_knock_out_is_told_once_the_next_match_has_begun() -> None:
    club = Club("knock_out").start().finish().start()
    final = club.night.matches[1].seating
    club.do(Reported(1, 1, LOSS, by_hand=True))
    assert [told.code for told in club.night.told] == ["bracket"]
    club.finish()
    (winner,) = final.tables[0][0]
    assert club.order()[0] == winner
    with pytest.raises(NightRefused, match="knock_out_over"):
        pair_next(club.night)


def test_a_closed_match_is_reopened_until_the_next_starts() -> None:
    club = Club().start().finish()
    club.do(pair_next(club.night), Reopened(1))
    assert [match.state for match in club.night.matches] == ["running"]
    club.do(Closed(1)).start()
    assert club.refusal(Reopened(1)) == ("begun", {"match": 2})


def test_a_late_side_loses_the_match_without_a_result() -> None:
    club = Club().start()
    (first,), (late,) = club.night.matches[0].seating.tables[0]
    club.do(Reported(1, 2, WIN), Penalised(Penalty(late, 1, "match", reason="late")), Closed(1))
    assert club.order().index(first) < club.order().index(late)


def test_a_knock_out_of_the_best_follows() -> None:
    club = Club("all_play_all", 6, matches=3)
    for _match in range(3):
        club.start().finish()
    ahead = club.order()
    club.do(KnockOutFollows(4))
    assert planned(club.night) == 5
    club.start()
    assert {frozenset(table) for table in club.night.matches[3].seating.tables} == {
        frozenset({(ahead[0],), (ahead[3],)}), frozenset({(ahead[1],), (ahead[2],)}),
    }  # fmt: skip
    club.finish().start().finish()
    rows = standings_of(club.night)
    assert [row.place for row in rows] == [1, 2, 3, 3, 5, 5]
    assert [row.why and row.why.code for row in rows] == [
        None, "knock_out", "knock_out", None, "first_phase", None,
    ]  # fmt: skip


def test_winners_go_up_in_progressive() -> None:
    club = Club("progressive", 8).start().finish()
    top, last = club.night.matches[0].seating.tables
    up, down = pair_next(club.night).seating.tables
    assert {one for side in up for one in side} == {*top[0], *last[0]}
    assert {one for side in down for one in side} == {*top[1], *last[1]}


def test_singles_alone_sit_four_at_a_table() -> None:
    club = Club("change_partners", 8, alone=True).start()
    assert [len(table) for table in club.night.matches[0].seating.tables] == [4, 4]
    club.finish(*[Result((4, 3, 2, 1))] * 2).start()
    assert sorted(club.night.matches[1].seating.entries) == [*range(8)]


def test_what_is_drawn_differs_by_the_seed_alone() -> None:
    seeds = [pair_next(Club("knock_out", 6, seed=seed).night) for seed in (1, 1, 2)]
    assert seeds[0] == seeds[1] != seeds[2]


OTHER = SetUp(Plan(format="progressive", seed=SEED))
HERE = Seating((((0,), (1,)),), (2,))
REFUSED: list[tuple[str, list[Event], Event, str]] = [
    ("an entry twice", [], Entered(0, ("Max", "Nina")), "entry_twice"),
    ("two people with one name", [], Entered(4, ("Max", "ana")), "name_twice"),
    ("one name in a team twice", [], Entered(4, ("Max", "Max")), "name_twice"),
    ("a team of one", [], Entered(4, ("Max",)), "names"),
    ("an empty name", [], Entered(4, ("Max", " ")), "names"),
    ("a team of four", [], Entered(4, ("Max", "Nina", "Otto", "Pia")), "names"),
    ("nobody leaves who is not there", [], Left(9), "no_entry"),
    ("nobody leaves twice", [Left(1)], Left(1), "has_left"),
    ("nobody returns who is there", [], Returned(1), "is_here"),
    ("a format for singles, with teams", [], OTHER, "entries"),
    ("a table of one side", [], Paired(1, Seating((((0, 1, 2, 3),),))), "seating"),
    ("a match that is not the next", [], Paired(2, HERE), "not_next"),
    ("somebody without a seat", [], Paired(1, HERE), "seating"),
    ("a match that is not paired", [], Started(1), "not_paired"),
    ("a match that has not started", [], Reported(1, 1, WIN), "no_match"),
    ("the evening cannot be set up after its end", [Ended()], OTHER, "over"),
    ("nobody comes after the end", [Ended()], Entered(4, CAST[4]), "over"),
    ("too few for the best eight", [], KnockOutFollows(8), "best"),
    ("a play-off of nobody", [], PlayedOff((8, 9)), "no_entry"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "event", "code"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_what_is_refused_before_a_match(before: list[Event], event: Event, code: str) -> None:
    assert Club().do(*before).refusal(event)[0] == code


@pytest.mark.parametrize(
    ("event", "code", "about"),
    [
        (Closed(1), "open", {"tables": [1, 2]}),
        (Reported(1, 3, WIN), "no_table", {}),
        (Reported(1, 1, Result((1, 2, 3))), "sides", {"sides": 2}),
        (Reported(1, 1, Result((1, 2), (3,))), "sides", {"sides": 2}),
        (Started(1), "begun", {}),
        (Paired(2, HERE), "running", {"match": 1}),
        (Reopened(1), "not_closed", {}),
        (Ended(), "running", {}),
        (KnockOutFollows(2), "running", {}),
        (SetUp(Plan(format="halves", seed=1)), "format_begun", {}),
        (Penalised(Penalty(7, 1, "match")), "no_entry", {}),
    ],
)
def test_what_is_refused_in_a_match(event: Event, code: str, about: dict[str, object]) -> None:
    assert Club().start().refusal(event) == (code, about)


def test_nobody_goes_on_from_a_tie() -> None:
    club = Club("knock_out").start().do(Reported(1, 1, TIE), Reported(1, 2, WIN))
    assert club.refusal(Closed(1)) == ("tied", {"tables": [1]})
    assert club.refusal(Entered(4, CAST[4]))[0] == "knock_out_begun"


def test_a_closed_match_keeps_its_results() -> None:
    assert Club().start().finish().refusal(Reported(1, 1, None))[0] == "closed"


def test_after_the_end_a_game_confirms_but_changes_nothing() -> None:
    club = Club().start().do(Reported(1, 1, WIN, by_hand=True), Reported(1, 2, WIN), Closed(1))
    club.do(Ended(), Reported(1, 1, WIN))
    assert club.night.matches[0].at(1).status == "confirmed"
    assert club.refusal(Reported(1, 2, LOSS))[0] == "over"
    assert club.refusal(Reported(1, 1, LOSS, by_hand=True))[0] == "over"


def test_too_few_are_told_how_many_it_takes() -> None:
    for club, least in ((Club("swiss", 1), 2), (Club("progressive", 3), 4)):
        with pytest.raises(NightRefused) as refused:
            pair_next(club.night)
        assert (refused.value.code, refused.value.about) == ("few", {"least": least})


def test_an_evening_without_events_is_not_set_up() -> None:
    with pytest.raises(NightRefused, match="not_set_up"):
        fold([])
    with pytest.raises(NightRefused, match="not_set_up"):
        fold([Ended()])


def test_every_event_comes_back_from_what_is_stored() -> None:
    club = Club("all_play_all", scoring=Scoring(criteria=("head_to_head",))).start().finish()
    club.do(GameBegun(1, 1, "g4m3"), LinkEnded("slip", 1))
    club.do(Penalised(Penalty(1, 1, "points", 50)), Replaced(1, ("Max", "Nina")), Left(0))
    club.do(Returned(0), Reopened(1), ClockSet(1, "2026-11-27T20:00:00.000+00:00"))
    club.do(LastRoundCalled(1), Closed(1), PlayedOff((1, 0)), KnockOutFollows(2), Ended())
    assert {type(event) for event in club.events} == {*EVENTS.values()}
    assert [from_json(to_json(event)) for event in club.events] == club.events


def test_the_clock_of_a_match_runs_until_a_moment_or_stands() -> None:
    club = Club("all_play_all").start()
    assert club.night.matches[0].clock is None
    club.do(ClockSet(1, "2026-11-27T20:00:00.000+00:00"))
    assert club.night.matches[0].clock == Clock("2026-11-27T20:00:00.000+00:00")
    club.do(ClockSet(1, None, 90))
    assert club.night.matches[0].clock == Clock(None, 90)


@pytest.mark.parametrize("event", [ClockSet(1, None, 90), LastRoundCalled(1)], ids=str)
def test_only_a_match_that_is_played_has_a_clock_and_a_last_round(event: Event) -> None:
    club = Club("all_play_all").start().finish()
    with pytest.raises(NightRefused, match="not_running"):
        club.do(event)


def test_the_last_round_is_called_at_all_tables_at_once() -> None:
    club = Club("all_play_all").start().do(LastRoundCalled(1))
    assert club.night.matches[0].is_last_round


@pytest.mark.parametrize(
    "facts",
    [
        {},
        [],
        {"event": "Danced"},
        {"event": "Left"},
        {"event": "Left", "who": 1},
        {"event": "Left", "entry": "1"},
        {"event": "Left", "entry": True},
        {"event": "Entered", "entry": 1, "names": "Ana"},
        {"event": "SetUp", "plan": "swiss"},
        {"event": "SetUp", "plan": {"format": "chess", "seed": 1}},
        {"event": "SetUp", "plan": {"format": "swiss", "seed": 1, "scoring": {"criteria": [1]}}},
        {"event": "Reported", "match": 1, "table": 1, "result": [1, 2]},
        {"event": "Paired", "match": 1, "seating": {"tables": [[0, 1]]}},
    ],
)
def test_other_facts_are_no_event(facts: dict[str, object]) -> None:
    with pytest.raises((ValueError, TypeError, LookupError)):
        from_json(facts)


def test_every_format_is_played() -> None:
    assert [Club(format_).start().night.begun[0].number for format_ in FORMATS] == [1] * 6
