"""The desk: matches start, end and are corrected, by one director or two at once."""

import time
from datetime import timedelta

import pytest

from scorekeeper.clock import now, stamp
from scorekeeper.club.events import ClockSet, Started
from scorekeeper.club.match import Result
from scorekeeper.club.night import standings_of
from scorekeeper.club.standings import Penalty
from scorekeeper.store.club import night_ids, record
from scorekeeper.store.club_games import begin_games
from scorekeeper.store.club_links import join_as_keeper
from scorekeeper.store.entry import Entry
from scorekeeper.store.games import load_game
from scorekeeper.store.journal import Who
from scorekeeper.store.phones import restore_phone
from scorekeeper.store.tables import find_phone
from tests.store.play import put_round
from tests.web.club.evening import LOST, WON, Director
from tests.web.play import page_of


def rows(director: Director) -> list[str]:
    return director.desk.texts("ol[@class='club-tables']/li")


def play_all(director: Director) -> None:
    for number in director.match.numbers:
        director.play(number, WON if number == 1 else LOST)


def test_a_match_starts_with_a_game_at_each_table(director: Director) -> None:
    assert director.act("start").location == director.path
    assert (director.match.state, sorted(director.match.games)) == ("running", [1, 2])
    assert "Match 1 of" in director.desk.texts("h1")[0]
    assert all("Round 1 of 1" in row for row in rows(director))


def test_the_desk_shows_every_table_as_its_game_is_now(running: Director) -> None:
    running.play(1, WON)
    one, two = rows(running)
    assert "Finished" in one
    assert "Finished" not in two
    assert "1 of 2 finished" in running.desk.text
    assert "1 still plays" in running.desk.text


def test_a_slow_table_is_rounds_behind_the_median(director: Director) -> None:
    director.send(director.page(f"{director.path}/plan").form("/plan"), rounds=6)
    director.enter("\n".join(f"A{n} & B{n}" for n in range(1, 7)))
    director.act("start")
    director.play(1, WON, WON)
    director.play(2, WON, WON)
    assert [" Slow" in row for row in rows(director)] == [False, False, True]
    assert "1 slow" in director.desk.text


def test_the_next_match_is_paired_when_this_one_closes(running: Director) -> None:
    assert "No result yet at table 1, 2" in running.refusal("close")
    play_all(running)
    assert running.act("close").status_code == 303
    night = running.club.night
    assert [match.state for match in night.matches] == ["closed", "paired"]
    assert night.matches[0].at(1).game == Result((70, -70), (0, 0)) or night.matches[0].at(1).game
    assert "Standings" in running.desk.text
    running.act("undo")
    assert [match.state for match in running.club.night.matches] == ["running"]
    running.act("redo")
    assert [match.state for match in running.club.night.matches] == ["closed", "paired"]


@pytest.mark.parametrize("name", ["start", "close", "reopen", "end"])
def test_a_second_tap_does_nothing_twice(director: Director, name: str) -> None:
    fields = {}
    if name != "start":
        director.act("start")
        play_all(director)
    if name in ("reopen", "end"):
        director.act("close")
        fields = {"match": 1}
    form = director.desk.form("acts")
    answers = [director.send(form, **{"act": name, **fields}).status_code for _tap in range(2)]
    assert answers == [303, 303]
    version = director.club.version
    assert director.send(form, **{"act": name, **fields}).status_code == 303
    assert director.club.version == version


def test_a_start_that_was_interrupted_goes_on_by_its_button(director: Director) -> None:
    with director.store.write(director.id) as db:
        who = Who(director.session["phone"], now())
        club = record(db, director.club, Started(1), who)
        next(begin_games(db, club, 1, who))
    assert "No game" in director.desk.text
    assert director.desk.texts("div[@class='dock']/button") == ["Start match 1"]
    games = director.match.games
    assert director.act("start").status_code == 303
    assert director.match.games[1] == games[1]
    assert sorted(director.match.games) == [1, 2]
    assert "Start match 1" not in director.desk.text


def test_of_two_directors_one_is_shown_what_the_other_did(running: Director) -> None:
    form = running.desk.form("acts")
    play_all(running)
    running.act("close")
    answer = running.send(form, act="last")
    assert answer.status_code == 409
    assert "Another phone has changed this evening" in page_of(answer).alerts
    assert page_of(answer).form("acts").fields["version"] == str(running.club.version)


def test_a_desk_that_refuses_follows_the_tables_too(running: Director) -> None:
    assert running.desk.all("main[@data-live]")
    refused = page_of(running.act("close"))
    assert refused.alerts
    assert refused.all("main[@data-live]")


def test_a_closed_match_is_reopened_until_the_next_one_starts(running: Director) -> None:
    play_all(running)
    running.act("close")
    assert running.act("reopen", match=1).status_code == 303
    assert [match.state for match in running.club.night.matches] == ["running"]
    running.act("close")
    running.act("start")
    assert "The next match has started" in running.refusal("reopen", match=1)


def test_a_result_by_hand_counts_until_it_is_taken_back(running: Director) -> None:
    answer = running.report(1, "12x", "100")
    assert answer.status_code == 422
    assert [one.get("value") for one in page_of(answer).all("input[@id]")][:2] == ["12x", "100"]
    assert running.report(1, "250", "−40").status_code == 303
    assert running.match.at(1).hand == Result((250, -40))
    assert "By hand" in rows(running)[0]
    running.play(1, WON)
    assert "Two results" in rows(running)[0]
    running.play(2, LOST)
    assert "Two results differ at table 1" in running.refusal("close")
    running.report(1, "0", "0", what="game")
    assert running.match.at(1).hand is None
    assert running.act("close").status_code == 303


def test_a_result_is_sent_as_it_is_shown_in_every_language(running: Director) -> None:
    running.client.set_cookie("language", "ar")
    running.play(1, WON, LOST)
    path = f"{running.path}/matches/1/tables/1"
    shown = [one.get("value") for one in running.page(path).all("input[@maxlength='9']")]
    assert running.report(1, *shown).status_code == 303
    assert running.match.at(1).status == "confirmed"


def test_a_result_that_was_kept_is_no_question_any_more(running: Director) -> None:
    running.report(1, "250", "-40")
    running.play(1, WON)
    running.report(1, "250", "-40")
    assert running.match.at(1).status == "hand"


def test_a_game_corrected_after_its_match_counts_and_is_told(running: Director) -> None:
    play_all(running)
    running.act("close")
    running.act("start")
    first = running.club.night.matches[0]
    with running.store.write(running.id) as db:
        game = load_game(db, running.id, first.games[1])
        assert game is not None
        worse = game.round(1)._replace(tricks=LOST[1])
        put_round(db, game, Entry(1, worse, "scored"), Who(None, now()))
    play_all(running)
    running.act("close")
    night = running.club.night
    assert night.matches[0].at(1).game != first.at(1).game
    assert night.told[-1].match == 1
    assert "Match 1 was corrected: the standings are new" in running.desk.text


def penalize(director: Director, entry: int, kind: str, points: str, reason: str) -> None:
    path = f"{director.path}/matches/1/tables/1"
    fields = {"what": "penalty", "entry": entry, "kind": kind, "points": points, "reason": reason}
    assert director.send(director.page(path).form(path), **fields).status_code == 303


def test_a_penalty_loses_the_match_or_points_for_a_reason(running: Director) -> None:
    play_all(running)
    (entry,), (other,) = running.match.seating.tables[0]
    penalize(running, entry, "match", "0", "")
    penalize(running, other, "points", "50", " came\nlate ")
    late = Penalty(other, 1, "points", 50, "came late")
    assert running.club.night.penalties == (Penalty(entry, 1, "match"), late)
    told = running.page(f"{running.path}/matches/1/tables/1").texts("p[@class='hint']")
    assert "loses the match" in told[-2]
    assert "came late" in told[-1]
    running.act("close")
    assert "−50 points came late" in running.page(f"{running.path}/results").text


@pytest.fixture
def tied(running: Director) -> Director:
    """A director whose teams are tied after the first match, winners and losers."""
    running.report(1, "100", "0")
    running.report(2, "100", "0")
    running.act("close")
    return running


def order_of(director: Director) -> list[int]:
    return [row.record.entry for row in standings_of(director.club.night)]


def test_two_who_are_tied_play_one_round_for_their_place(tied: Director) -> None:
    assert tied.desk.texts("summary") == ["Play-off for place 1", "Play-off for place 3"]
    one, two, *_others = order_of(tied)
    button = f"{two} {one}"
    form = next(form for form in tied.desk.forms() if {"order": button} in form.buttons)
    assert tied.send(form, order=button).status_code == 303
    assert order_of(tied)[:2] == [two, one]
    assert "won the play-off" in tied.desk.text
    assert tied.desk.texts("summary") == ["Play-off for place 3"]
    tied.act("undo")
    assert order_of(tied)[:2] == [one, two]


def test_three_who_are_tied_are_put_in_order(running: Director) -> None:
    for number in (1, 2):
        running.report(number, "100", "100")
    running.act("close")
    [form] = [form for form in running.desk.forms() if form.fields.get("act") == "play_off"]
    twice, once = ({f"order-{n}": one for n, one in enumerate(order)} for order in ("1123", "4213"))
    assert "Choose each team once" in page_of(running.send(form, **twice)).alerts
    assert running.send(form, **once).status_code == 303
    assert order_of(running) == [4, 2, 1, 3]


def test_a_lot_decides_who_are_still_tied_if_it_was_chosen(tied: Director) -> None:
    tied.send(tied.page(f"{tied.path}/plan").form("/plan"), lot="yes")
    assert tied.desk.text.count("drawn by lot") == 2
    assert tied.desk.texts("summary") == []


def test_the_clock_runs_stands_and_is_given_minutes(director: Director) -> None:
    form = director.page(f"{director.path}/plan").form("/plan")
    director.send(form, length="minutes", minutes="40")
    director.act("start")
    assert 2390 <= left(director) <= 2400
    director.act("pause")
    assert director.match.clock is not None
    assert director.match.clock.ends is None
    director.act("more")
    assert 2690 <= left(director) <= 2700
    director.act("run")
    assert director.match.clock.ends
    assert director.desk.one("*[@role='timer']").get("data-ends") == director.match.clock.ends


def test_before_a_match_the_clock_counts_to_its_start(director: Director) -> None:
    director.act("more")
    assert 290 <= left(director) <= 300
    assert director.match.clock is not None
    assert director.match.clock.ends
    assert "Starts in" in director.desk.text
    director.act("pair")  # which leaves the clock as it is
    assert 280 <= left(director) <= 300
    director.act("more")
    assert 590 <= left(director) <= 600
    director.act("start")
    assert director.match.clock is None


def left(director: Director) -> int:
    clock = director.match.clock
    assert clock is not None
    assert clock.left_at(now()) >= clock.left_at(now() + timedelta(seconds=5))
    return clock.left_at(now())


def test_undo_and_redo_are_offered_where_they_do_something(director: Director) -> None:
    def offered() -> list[str | None]:
        acts = [one.get("value") for one in director.desk.all("button")]
        return [act for act in acts if act in ("undo", "redo")]

    assert offered() == ["undo"]
    director.act("undo")
    assert "redo" in offered()
    director.act("redo")
    assert offered() == ["undo"]
    while "undo" in offered():
        director.act("undo")
    assert offered() == ["redo"]  # of the set-up nobody takes anything back


@pytest.mark.parametrize("length", ["rounds", "minutes", "target"])
def test_the_last_round_is_no_first_choice_where_rounds_are_counted(
    director: Director, length: str
) -> None:
    director.set_up(book="partnership", length=length, rounds="4", minutes="40")
    director.act("start")
    [button] = director.desk.all("button[@value='last']")
    assert ("strong" in str(button.get("class"))) == (length != "rounds")


@pytest.fixture
def crowd(director: Director) -> Director:
    """A director of thirteen tables: one has finished, one is slow, all others have played two."""
    director.set_up("\n".join(f"A{n} & B{n}" for n in range(26)), rounds="3", length="rounds")
    director.act("start")
    for number in director.match.numbers:
        director.play(number, *[WON, LOST, WON][: 3 if number == 1 else 0 if number == 2 else 2])
    return director


def chips(director: Director) -> list[str]:
    return director.desk.texts("nav[@class='club-chips scroll']/a")


def test_many_tables_are_looked_at_by_how_they_stand(crowd: Director) -> None:
    assert chips(crowd) == ["All 13", "1 slow", "12 playing", "1 done"]
    shown = {
        only: [
            int(one.text or 0)
            for one in crowd.page(f"{crowd.path}?only={only}").all("b[@class='club-number']")
        ]
        for only in ("slow", "over", "playing", "quiet", "x")
    }
    assert (shown["slow"], shown["over"]) == ([2], [1])
    assert shown["playing"] == [*range(2, 14)]
    assert shown["quiet"] == shown["x"] == [*range(1, 14)]  # of which there are none
    told = [one.get("data-told") for one in crowd.desk.all("li[@data-told]")]
    assert told == ["Table 1: Finished", "Table 2: Slow"]


def test_a_table_is_not_heard_once_nobody_shows_its_game(
    crowd: Director, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = now() + timedelta(minutes=4, seconds=1)
    monkeypatch.setattr("scorekeeper.web.club.desk.now", lambda: later)
    assert "12 not heard" in chips(crowd)
    assert "not heard for 4 min" in rows(crowd)[2]
    games = crowd.app.extensions["live"].followed_games
    for number in range(2, 13):
        games.enter((crowd.id, crowd.match.games[number]), "a phone")
    assert "1 not heard" in chips(crowd)
    assert "4 min ago" in rows(crowd)[2]


def test_few_tables_have_a_bar_for_each_round(director: Director) -> None:
    director.set_up(length="rounds", rounds="4")
    director.act("start")
    director.play(1, WON, LOST)
    bars = [one.get("class") for one in director.desk.all("span[@class='club-bars']/i")]
    assert bars == ["on", "on", None, None, None, None, None, None]


def test_the_last_round_is_called_at_all_tables_at_once(director: Director) -> None:
    director.send(director.page(f"{director.path}/plan").form("/plan"), rounds=6)
    director.act("start")
    director.play(1, WON)
    director.play(2, ((4, 3, 4, 2), None))  # type: ignore[arg-type]  # it is being played
    assert director.act("last").status_code == 303
    one, two = rows(director)
    assert "Finished" in one  # between two deals it ends
    assert "Finished" not in two
    assert director.match.is_last_round
    assert director.desk.all("button[@value='last']") == []
    state = director.play(2, LOST)
    assert state.phase == "over"


def test_the_last_round_is_called_by_itself_whatever_page_is_open(director: Director) -> None:
    director.set_up(book="partnership", length="minutes", minutes="40", calls_last_round="yes")
    director.act("start")
    with director.store.write(director.id) as db:
        record(db, director.club, ClockSet(1, stamp(now())), Who(None, now()))
    director.report(1, "100", "0")
    until = time.monotonic() + 20
    while not director.match.is_last_round and time.monotonic() < until:
        time.sleep(0.02)
    assert "Last round" in director.desk.text
    assert director.desk.all("button[@value='last']") == []


def test_an_evening_ends_after_its_last_match(running: Director) -> None:
    running.send(running.page(f"{running.path}/plan").form("/plan"), **{"how-many": 1})
    play_all(running)
    running.act("close")
    assert len(running.club.night.matches) == 1
    assert "Match 1 is over" in running.desk.text
    running.act("end")
    assert "This evening has ended" in running.desk.text
    assert "This evening has ended" in running.refusal("pair")
    running.act("undo")
    assert running.act("pair").status_code == 303


def test_a_knock_out_of_the_best_follows(running: Director) -> None:
    play_all(running)
    running.act("close")
    assert "Choose 2, 4, 8, 16 or 32" in running.refusal("knock_out", best=16)
    assert running.act("knock_out", best=4).status_code == 303
    night = running.club.night
    assert night.knock_out is not None
    assert night.knock_out.best == 4
    assert len(running.match.seating.tables) == 2


def test_who_kept_score_of_a_deleted_evening_does_not_return(running: Director) -> None:
    with running.store.write(running.id) as db:
        keeper = join_as_keeper(db, running.club, 1, "Table 1", now())
    running.send(running.page(f"{running.path}/removal").form("/removal"))
    with running.store.write(running.id) as db:
        assert not restore_phone(db, running.id, keeper.short, now())
        assert find_phone(db, keeper.id) is None


def test_an_evening_is_deleted_and_its_games_stay(running: Director) -> None:
    games = [*running.match.games.values()]
    running.send(running.page(f"{running.path}/removal").form("/removal"))
    assert night_ids(running.store.db, running.id) == []
    running.store.release()
    assert running.client.get(running.path).status_code == 404
    assert {running.get(f"/games/{game}").status_code for game in games} == {200}


@pytest.mark.parametrize(
    "fields",
    [
        {"act": "x"},
        {"act": "start", "match": "x"},
        {"act": "last"},
        {"act": "play_off", "order": "x"},
    ],
)
def test_what_no_page_sends_is_refused(director: Director, fields: dict[str, str]) -> None:
    sent = {"csrf_token": director.token(), "version": director.club.version, **fields}
    assert director.post(director.path, sent).status_code == 400
    assert director.post(director.path, sent | {"version": "x"}).status_code == 400
