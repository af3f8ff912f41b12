"""Player statistics follow from the games, whatever was corrected or undone."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from sqlite_utils import Database

from scorekeeper.clock import stamp
from scorekeeper.rules.bidding import Bid, Bids, Nil
from scorekeeper.rules.game import fold
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet, with_house_rules
from scorekeeper.rules.seating import Substitute
from scorekeeper.store import history, journal, players, statistics
from scorekeeper.store.database import Store
from scorekeeper.store.entry import Entry, GameSetup, create_game
from scorekeeper.store.games import Game, load_game
from scorekeeper.store.journal import Who
from scorekeeper.store.player_games import Sums
from scorekeeper.store.players import BothPlayed, Player
from scorekeeper.store.statistics import ALL, EVERYTHING, Record, Selection, Span
from scorekeeper.store.tables import make_table
from tests.properties import examples
from tests.store.disagreements import disagreements
from tests.store.play import put_round

EVENING = datetime(2026, 1, 3, 20, 15, tzinfo=UTC)
QUICK = {  # small targets, so that games end
    key: with_house_rules(rules, {"target": "60", "mercy": "-90"}) for key, rules in PRESETS.items()
}
QUICK["partnership"] = with_house_rules(QUICK["partnership"], {"first_round_bids_itself": "yes"})
QUICK["partnership-250"] = with_house_rules(
    QUICK["partnership-250"], {"bid_by": "side", "tricks_by": "side"}
)


class Told(NamedTuple):
    """What is told of a player whose games are comparable."""

    begun: int
    games: int
    wins: Fraction
    places: int
    sums: Sums


class Recorder:
    """A table whose games are recorded without any page."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.games: list[str] = []
        with store.write() as db:
            self.table = make_table(db, EVENING)

    @property
    def db(self) -> Database:
        return self.store.db

    def begin(self, rules: RuleSet, names: list[str], day: int = 0) -> str:
        at = EVENING + timedelta(days=day or len(self.games))
        with self.store.write() as db:
            game_id = create_game(db, self.table, GameSetup(rules, names, 0), Who(None, at))
        self.games.append(game_id)
        return game_id

    def game(self, game_id: str) -> Game | None:
        return load_game(self.db, self.table, game_id)

    def score(self, game_id: str, bids: tuple[Bid | None, ...], tricks: tuple[int, ...]) -> None:
        game = self.game(game_id)
        assert game is not None
        self.put(game, len(game.rounds) + 1, bids, tricks)

    def put(
        self, game: Game, number: int, bids: tuple[Bid | None, ...], tricks: tuple[int, ...]
    ) -> None:
        with self.store.write() as db:
            round_ = Round(bids, tricks)
            put_round(db, game, Entry(number, round_, "scored"), journal.Who(None, EVENING))

    def player(self, name: str) -> Player:
        (found,) = players.players_called(self.db, self.table, name, 2)
        return found

    def totals(self, name: str, rules: str = ALL) -> "Told":
        wanted = Selection(rules)
        found = statistics.totals_of(self.db, self.table, self.player(name).id, wanted).alike
        return Told(found.begun, found.luck.games, found.luck.wins, found.places, found.sums)

    def record(self, name: str, rules: str = ALL) -> Record:
        wanted = Selection(rules)
        return statistics.record_of(self.db, self.table, self.player(name).id, wanted)

    def records(self) -> dict[tuple[str, str], Record]:
        """Return the stored records of everybody, over all games and by rule set."""
        return {
            (one.player.name, rules): self.record(one.player.name, rules)
            for one in self.standings()
            for rules in {ALL, *(group.rules for group in one.totals.groups)}
        }

    def standings(self, wanted: Selection = EVERYTHING) -> list[statistics.Standing]:
        page = statistics.players_of(self.db, self.table, wanted)
        assert page is not None
        return page[0]

    def recounted(self) -> dict[tuple[str, str], Record]:
        """Return the same, counted from bids and tricks alone."""
        counted: dict[tuple[str, str], Record] = {}
        runs: Counter[tuple[str, str]] = Counter()
        games = sorted(filter(None, map(self.game, self.games)), key=lambda g: (g.started, g.id))
        for game in games:
            board = fold(game.rules, len(game.names), game.first_dealer, game.rounds)
            for seat, name in enumerate(game.names):
                side = board.side_of(seat)
                behind = [max(r.after.totals) - r.after.totals[side] for r in board.rounds]
                for key in ((name, ALL), (name, game.rules.key)):
                    run, comeback = counted.get(key, Record(0, 0))
                    if board.outcome and board.outcome.winner == side:
                        runs[key] += 1
                        if key[1] != ALL:
                            comeback = max(comeback, *behind)
                    elif board.outcome:
                        runs[key] = 0
                    counted[key] = Record(max(run, runs[key]), comeback)
        return counted


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[Recorder]:
    store = Store(tmp_path)
    store.backups.end()
    yield Recorder(store)
    store.close()


def lite_game(recorder: Recorder, *, won_by: str = "South", day: int = 0) -> str:
    """Play a game that the named player wins after three rounds, North being second."""
    names = ["North", "East", "South", "West"]
    names[names.index(won_by)], names[2] = "South", won_by
    game_id = recorder.begin(PRESETS["cutthroat-lite"], names, day)
    for _round in range(3):
        recorder.score(game_id, (3, 2, Nil.NIL, 4), (3, 4, 0, 3))
    return game_id


def test_a_finished_game_counts_for_everybody(recorder: Recorder) -> None:
    lite_game(recorder)
    south, west = recorder.totals("South"), recorder.totals("West")
    assert (south.begun, south.games, south.wins, south.places) == (1, 1, 1, 1)
    assert (west.games, west.wins, west.places) == (1, 0, 4)
    assert (south.sums.nils, south.sums.nils_made, south.sums.bids) == (3, 3, 0)
    assert (west.sums.bids, west.sums.made, west.sums.points) == (3, 0, -120)


def test_a_replaced_player_has_the_rounds_played_and_the_substitute_the_place(
    recorder: Recorder,
) -> None:
    hand = (3, 2, Nil.NIL, 4), (3, 4, 0, 3)
    game_id = recorder.begin(PRESETS["cutthroat-lite"], ["North", "East", "South", "West"])
    recorder.score(game_id, *hand)
    game = recorder.game(game_id)
    assert game is not None
    with recorder.store.write() as db:
        round_ = Round(*hand).noted(substitutes=(Substitute(2, "Eve"), Substitute(3, "Fay")))
        put_round(db, game, Entry(2, round_, "scored"), journal.Who(None, EVENING))
    recorder.score(game_id, *hand)
    south, eve, fay = map(recorder.totals, ("South", "Eve", "Fay"))
    assert (south.begun, south.games, south.wins, south.sums.rounds) == (1, 0, 0, 1)
    assert (eve.begun, eve.games, eve.wins, eve.sums.rounds, eve.sums.nils) == (1, 1, 1, 2, 2)
    assert (fay.places, fay.sums.points) == (4, -80)
    eve_id = recorder.player("Eve").id
    others = {pair.other.name for pair in statistics.pairs_of(recorder.db, recorder.table, eve_id)}
    assert others == {"North", "East", "Fay"}
    assert disagreements(recorder.db) == []
    with recorder.store.write() as db:
        game = load_game(db, recorder.table, game_id)
        assert game is not None
        for _step in range(2):
            game = journal.undo_or_redo(db, game, "undo", game.version, journal.Who(None, EVENING))
    assert recorder.totals("South").begun == 1
    assert statistics.totals_of(recorder.db, recorder.table, eve_id) == statistics.NONE
    assert disagreements(recorder.db) == []


def test_who_leaves_has_the_rounds_played_and_no_place(recorder: Recorder) -> None:
    game_id = recorder.begin(PRESETS["cutthroat-lite"], ["North", "East", "South", "West"])
    recorder.score(game_id, (3, 2, 1, 4), (3, 2, 1, 4))
    game = recorder.game(game_id)
    assert game is not None
    bids, tricks = (3, None, 1, 4), (5, 0, 1, 4)
    round_ = Round(bids, tricks).noted(last_round=True, substitutes=(Substitute(1, None),))
    with recorder.store.write() as db:
        put_round(db, game, Entry(2, round_, "scored"), journal.Who(None, EVENING))
    east, west = map(recorder.totals, ("East", "West"))
    assert (east.begun, east.games, east.sums.rounds, east.sums.points) == (1, 0, 1, 20)
    assert (west.games, west.wins, west.sums.rounds) == (1, 1, 2)
    assert disagreements(recorder.db) == []


def test_bids_are_made_exactly_or_with_bags(recorder: Recorder) -> None:
    lite_game(recorder)
    north, east = recorder.totals("North").sums, recorder.totals("East").sums
    assert (north.made, north.exact, north.bags) == (3, 3, 0)
    assert (east.made, east.exact, east.bags, east.penalties) == (3, 0, 6, 1)
    assert (east.bid_tricks, east.taken) == (6, 12)


def test_rounds_of_an_unfinished_game_count_for_bids_only(recorder: Recorder) -> None:
    game_id = recorder.begin(PRESETS["cutthroat-lite"], ["North", "East", "South", "West"])
    recorder.score(game_id, (3, 2, Nil.NIL, 4), (3, 4, 0, 3))
    north = recorder.totals("North")
    assert (north.begun, north.games, north.wins, north.places) == (1, 0, 0, 0)
    assert (north.sums.rounds, north.sums.bids) == (1, 1)


def test_partners_share_result_and_contract_but_not_the_bid(recorder: Recorder) -> None:
    rules = with_house_rules(PRESETS["partnership-500"], {"target": "100"})
    game_id = recorder.begin(rules, ["North", "East", "South", "West"])
    recorder.score(game_id, (4, 2, 6, 1), (2, 2, 8, 1))
    north, south, east = (recorder.totals(name) for name in ("North", "South", "East"))
    assert (north.wins, south.wins, east.wins) == (1, 1, 0)
    assert (north.sums.made, north.sums.exact, north.sums.points) == (1, 1, 100)
    assert (north.sums.bid_tricks, north.sums.taken) == (4, 2)
    assert (south.sums.bid_tricks, south.sums.taken) == (6, 8)
    assert east.places == 2


def test_partners_with_totals_of_their_own_have_their_own_points(recorder: Recorder) -> None:
    game_id = recorder.begin(PRESETS["forty-one"], ["North", "East", "South", "West"])
    recorder.score(game_id, (7, 2, 3, 2), (7, 3, 2, 1))
    sums = [recorder.totals(name).sums for name in ("North", "East", "South", "West")]
    assert [one.points for one in sums] == [14, 2, -3, -2]
    assert [one.made for one in sums] == [1, 1, 0, 0]
    assert [one.exact for one in sums] == [1, 0, 0, 0]
    assert [one.bags for one in sums] == [0, 1, 0, 0]
    assert disagreements(recorder.db) == []


SHARED = ("bids", "bid_tricks", "taken", "made", "exact", "nils", "nils_made")


@pytest.mark.parametrize(
    ("by", "bids", "tricks", "expected"),
    [
        ("bid_by tricks_by", (7, 5, None, None), (7, 6, 0, 0), (1, 7, 7, 1, 1, 0, 0)),
        ("bid_by tricks_by", (7, 5, None, None), (6, 7, 0, 0), (1, 7, 6, 0, 0, 0, 0)),
        ("bid_by tricks_by", (Nil.NIL, 5, None, None), (0, 13, 0, 0), (0, 0, 0, 0, 0, 1, 1)),
        ("bid_by tricks_by", (Nil.NIL, 5, None, None), (2, 11, 0, 0), (0, 0, 0, 0, 0, 1, 0)),
        ("bid_by", (7, 5, None, None), (3, 2, 5, 3), (1, 7, 8, 1, 0, 0, 0)),
        ("bid_by", (Nil.NIL, 5, None, None), (0, 6, 1, 6), (0, 0, 0, 0, 0, 1, 0)),
        ("tricks_by", (4, 2, 4, 3), (8, 5, 0, 0), (1, 4, 8, 1, 1, 0, 0)),
    ],
)
def test_what_partners_share_counts_for_both(
    recorder: Recorder,
    by: str,
    bids: tuple[Bid | None, ...],
    tricks: tuple[int, ...],
    expected: tuple[int, ...],
) -> None:
    has_nil = "bid_by" in by
    values = dict.fromkeys(by.split(), "side") | ({} if has_nil else {"nil_points": "off"})
    rules = with_house_rules(PRESETS["partnership-500"], values)
    game_id = recorder.begin(rules, ["North", "East", "South", "West"])
    recorder.score(game_id, bids, tricks)
    for name in ("North", "South"):
        sums = recorder.totals(name).sums
        assert tuple(getattr(sums, one) for one in SHARED) == expected
    assert disagreements(recorder.db) == []


def test_points_and_contracts_of_several_rule_books_are_not_added(recorder: Recorder) -> None:
    names = ["North", "East", "South", "West"]
    for book in ("call-break", "forty-one", "partnership-500"):
        recorder.score(recorder.begin(PRESETS[book], names), (5, 2, 3, 2), (5, 2, 3, 3))
    of_all, call_break = recorder.totals("North"), recorder.totals("North", "call-break")
    assert (of_all.begun, of_all.sums) == (3, Sums())
    assert (call_break.sums.points, call_break.sums.rounds) == (50, 1)
    groups = statistics.totals_of(recorder.db, recorder.table, recorder.player("North").id).groups
    points = {group: counts.sums.points for group, counts in groups.items()}
    assert points == {("call-break", 4): 50, ("forty-one", 2): 5, ("partnership-500", 2): 80}


def test_a_round_that_bids_itself_holds_no_bid(recorder: Recorder) -> None:
    rules = with_house_rules(PRESETS["cutthroat-lite"], {"first_round_bids_itself": "yes"})
    game_id = recorder.begin(rules, ["North", "East", "South", "West"])
    recorder.score(game_id, (None,) * 4, (3, 4, 0, 3))
    assert recorder.totals("North").sums.bids == 0
    assert recorder.totals("North").sums.points == 30
    assert disagreements(recorder.db) == []


def test_the_best_comeback_is_the_largest_deficit_of_the_winner(recorder: Recorder) -> None:
    game_id = recorder.begin(PRESETS["cutthroat-lite"], ["North", "East", "South"])
    recorder.score(game_id, (5, 1, 5), (4, 1, 5))  # North is at −50, South at 50
    recorder.score(game_id, (8, 1, 1), (8, 1, 1))
    recorder.score(game_id, (9, 1, 1), (9, 1, 0))
    assert recorder.record("North", "cutthroat-lite").comeback == 0
    recorder.score(game_id, (8, 1, 1), (8, 1, 1))
    assert recorder.record("North", "cutthroat-lite") == (1, 100)
    assert recorder.record("North") == (1, 0)
    assert recorder.record("South", "cutthroat-lite") == (0, 0)


def test_runs_follow_a_correction_in_the_middle(recorder: Recorder) -> None:
    for day, winner in enumerate(["South", "South", "North", "South", "South", "South"], 1):
        lite_game(recorder, won_by=winner, day=day)
    assert recorder.record("South").run == 3
    middle = recorder.game(recorder.games[2])
    assert middle is not None
    with recorder.store.write() as db:
        history.remove_game(db, middle, None, EVENING)
    assert recorder.record("South").run == 5
    assert recorder.record("South", "cutthroat-lite").run == 5
    gone = load_game(recorder.db, recorder.table, recorder.games[2], removed=True)
    assert gone is not None
    with recorder.store.write() as db:
        history.bring_back(db, gone, None, EVENING)
    assert recorder.record("South").run == 3
    assert disagreements(recorder.db) == []


def test_head_to_head_tells_who_was_placed_better_and_partners(recorder: Recorder) -> None:
    lite_game(recorder)
    rules = with_house_rules(PRESETS["partnership-500"], {"target": "100"})
    game_id = recorder.begin(rules, ["North", "East", "South", "West"])
    recorder.score(game_id, (4, 2, 6, 1), (2, 2, 8, 1))
    pairs = {
        pair.other.name: pair[1:] for pair in statistics.pairs_of(recorder.db, recorder.table, 3)
    }
    assert pairs == {"North": (1, 1, 0, 1, 1), "East": (2, 2, 0, 0, 0), "West": (2, 2, 0, 0, 0)}


def test_a_merged_player_has_the_games_of_both(recorder: Recorder) -> None:
    lite_game(recorder, day=1)
    game_id = recorder.begin(PRESETS["cutthroat-lite"], ["North", "East", "Souht"], 2)
    recorder.score(game_id, (3, 2, 4), (3, 2, 5))
    with recorder.store.write() as db:
        players.merge(
            db, recorder.table, recorder.player("Souht"), recorder.player("South"), "South"
        )
    assert recorder.totals("South").begun == 2
    south = statistics.totals_of(recorder.db, recorder.table, recorder.player("South").id)
    assert {group: one.sums.bids for group, one in south.groups.items()} == {
        ("cutthroat-lite", 3): 1,
        ("cutthroat-lite", 4): 0,
    }
    merged = recorder.game(game_id)
    assert merged is not None
    assert merged.names == ("North", "East", "South")
    assert disagreements(recorder.db) == []


@pytest.mark.parametrize(
    ("winners", "other_rules", "longest", "longest_in_rules"),
    [
        (["South", "Souht", "South"], [], 3, 3),
        (["Souht", "South", "North", "Souht"], [], 2, 2),
        (["South", "North", "Souht", "North", "South"], [], 1, 1),
        (["North", "Souht", "South", "South", "North", "Souht"], [], 3, 3),
        (["South", "Souht", "South", "Souht"], [1, 2], 4, 2),
        (["South", "North", "Souht", "South"], [2], 2, 3),
        (["Souht", "South", "North", "Souht"], [3, 4], 2, 2),
    ],
)
def test_streaks_of_a_merged_player_run_through_the_games_of_both(
    recorder: Recorder,
    winners: list[str],
    other_rules: list[int],
    longest: int,
    longest_in_rules: int,
) -> None:
    for day, winner in enumerate(winners, 1):
        us = "South" if winner == "North" else winner
        rules = replace(PRESETS["cutthroat-lite"], target=16)
        if day in other_rules:
            rules = replace(PRESETS["cutthroat"], players=(3,), tricks=10, target=16)
        game_id = recorder.begin(rules, ["North", "East", us], day)
        bids: tuple[Bid, ...] = (1, 1, 8) if winner == us else (8, 1, 1)
        for _round in range(2):
            recorder.score(game_id, bids, tuple(int(bid) for bid in bids))
    assert recorder.records() == recorder.recounted()
    with recorder.store.write() as db:
        players.merge(
            db, recorder.table, recorder.player("Souht"), recorder.player("South"), "South"
        )
    assert recorder.record("South").run == longest
    assert recorder.record("South", "cutthroat-lite").run == longest_in_rules
    assert recorder.records() == recorder.recounted()
    assert disagreements(recorder.db) == []


def test_two_who_sat_in_one_game_are_two_people(recorder: Recorder) -> None:
    game = recorder.game(lite_game(recorder))
    assert game is not None
    north, south = recorder.player("North"), recorder.player("South")
    with recorder.store.write() as db:
        history.remove_game(db, game, None, EVENING)
    with pytest.raises(BothPlayed), recorder.store.write() as db:
        players.merge(db, recorder.table, north, south, "South")


def test_the_spelling_of_a_merged_player_is_free_again(recorder: Recorder) -> None:
    lite_game(recorder)
    recorder.begin(PRESETS["cutthroat-lite"], ["North", "East", "Souht"], 2)
    with recorder.store.write() as db:
        players.merge(
            db, recorder.table, recorder.player("Souht"), recorder.player("South"), "South"
        )
    recorder.begin(PRESETS["cutthroat-lite"], ["North", "East", "Souht"], 3)
    assert recorder.totals("Souht").begun == 1
    assert recorder.totals("South").begun == 2


def test_a_shared_win_counts_its_part(recorder: Recorder) -> None:
    names = ["North", "East", "South"]
    rules = with_house_rules(PRESETS["oh-hell"], {"rounds": "1"})
    recorder.score(recorder.begin(rules, names), (1, 1, 1), (0, 0, 7))
    recorder.score(recorder.begin(rules, names), (1, 0, 6), (1, 0, 6))
    lucks = {one.player.name: one.totals.luck for one in recorder.standings()}
    assert sum(luck.wins for luck in lucks.values()) == 2
    assert {luck.expected for luck in lucks.values()} == {Fraction(2, 3)}


def test_only_the_chosen_games_count(recorder: Recorder) -> None:
    for day in (1, 2, 3):
        lite_game(recorder, day=day)
    recorder.begin(PRESETS["partnership-500"], ["North", "East", "South", "West"], 4)
    ends = stamp(EVENING + timedelta(days=2, hours=1))
    begun = {
        Selection(): 4,
        Selection("alone"): 3,
        Selection("partners"): 1,
        Selection("cutthroat-lite", 4): 3,
        Selection("cutthroat-lite", 3): None,
        Selection("alone", None, Span(ends)): 1,
        Selection("alone", None, Span("", ends)): 2,
    }
    found = {
        wanted: next((one.totals.begun for one in recorder.standings(wanted)), None)
        for wanted in begun
    }
    assert found == begun


# Random evenings

NAMES = [  # for the largest tables
    "North", "East", "South", "West", "Centre", "Nobody", "Guest", "Neighbor",
]  # fmt: skip
KINDS = ["begin", "score", "score", "score", "score", "correct", "undo", "redo", "remove",
         "bring_back", "merge"]  # fmt: skip


@st.composite
def evenings(draw: st.DrawFn) -> list[tuple[str, int]]:
    return draw(
        st.lists(
            st.tuples(st.sampled_from(KINDS), st.integers(0, 2**32 - 1)), min_size=15, max_size=60
        )
    )


def some_round(rules: RuleSet, players: int, seed: int, number: int) -> Round:
    """Return a round that follows from a number."""
    tricks = [0] * players
    for trick in range(rules.tricks):
        tricks[(seed >> trick) % players] += 1
    if number == 1 and rules.first_round_bids_itself:
        return Round((None,) * players, tuple(tricks))
    choices: list[Bid] = [Nil.NIL, Nil.BLIND, 1, 2, 3, 4]
    bids: Bids = tuple(
        taken or Nil.NIL if (seed >> seat) % 3 else choices[(seed >> 3 * seat) % 6]
        for seat, taken in enumerate(tricks)
    )
    if rules.bid_by == "side":
        bids = (*bids[:2], None, None)
    return Round(bids, tuple(tricks))


def act(recorder: Recorder, kind: str, seed: int) -> None:
    """Let one thing happen at a table; what cannot happen now does not."""
    if kind == "begin" or not recorder.games:
        rules = list(QUICK.values())[seed % len(QUICK)]
        count = rules.table_sizes[seed // 7 % len(rules.table_sizes)]
        first = seed // 31 % len(NAMES)
        recorder.begin(rules, [NAMES[(first + n) % len(NAMES)] for n in range(count)], seed % 90)
        return
    if kind == "merge":
        if seed % 4 == 0:
            _merge(recorder, seed)
        return
    game_id = recorder.games[-1 - seed % min(3, len(recorder.games))]
    gone = load_game(recorder.db, recorder.table, game_id, removed=True)
    game = recorder.game(game_id)
    with recorder.store.write() as db:
        if kind == "bring_back" and gone:
            history.bring_back(db, gone, None, EVENING)
        elif game and kind == "remove":
            history.remove_game(db, game, None, EVENING)
        elif game and kind in ("undo", "redo"):
            journal.undo_or_redo(db, game, kind, game.version, journal.Who(None, EVENING))
        elif game and kind in ("score", "correct"):
            last = len(game.rounds)
            over = game.state.phase == "over"
            number = 1 + seed % last if last and (kind == "correct" or over) else last + 1
            round_ = some_round(game.rules, len(game.names), seed, number)
            put_round(db, game, Entry(number, round_, "scored"), journal.Who(None, EVENING))


def _merge(recorder: Recorder, seed: int) -> None:
    one, other = (
        players.players_called(recorder.db, recorder.table, NAMES[at % len(NAMES)], 2)[:1]
        for at in (seed, seed // 6)
    )
    if one and other and one != other:
        try:
            with recorder.store.write() as db:
                players.merge(db, recorder.table, one[0], other[0], other[0].name)
        except BothPlayed:
            pass


@examples(25, suppress_health_check=[HealthCheck.too_slow])
@given(evenings())
def test_statistics_follow_from_the_games_always(
    evening: list[tuple[str, int]],
) -> None:
    with TemporaryDirectory() as folder:
        store = Store(Path(folder))
        store.backups.end()
        store.db.execute("PRAGMA synchronous = OFF")
        recorder = Recorder(store)
        for done, (kind, seed) in enumerate(evening):
            act(recorder, kind, seed)
            if done % 5 == 0 or done == len(evening) - 1:
                assert disagreements(recorder.db) == []
                assert recorder.records() == recorder.recounted()
        store.close()
