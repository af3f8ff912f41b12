"""Entering a round step by step: the facts after each step, or why it is refused."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from scorekeeper.rules.bidding import parse_bid
from scorekeeper.rules.entry import (
    Refused,
    call_last_round,
    check_start,
    check_stored_start,
    count_tricks,
    deal_cards,
    enter_round,
    enter_with_tally,
    fill_last_count,
    give_penalty,
    misdeal,
    remove_penalty,
    score_round,
    totals_before,
)
from scorekeeper.rules.game import GameState, fold
from scorekeeper.rules.penalties import Penalty, parse_penalty, penalty_text
from scorekeeper.rules.presets import CUTTHROAT_LITE, PARTNERSHIP, PRESETS
from scorekeeper.rules.round import Round, check_notes
from tests.rules.tables import Row, bids, examples, numbers, rounds, rules_of, said, with_bid

PLAYERS = 4


def tally_of(text: str) -> tuple[int | None, ...]:
    """Read `3//4/`, where an empty place was not counted."""
    return tuple(int(count) if count else None for count in text.split("/"))


def round_of(text: str) -> Round:
    """Read a round of a table, or `3/2/4/1 ~ 3//4/` for counts that are entered."""
    played, mark, noted = text.partition(" ! ")
    made, _, counts = played.partition(" ~ ")
    round_ = rounds(made + mark + noted)[0]
    return round_._replace(tally=tally_of(counts)) if counts else round_


def written(made: Round) -> str:
    """Return a round as the table of examples has it."""
    parts = ["/".join("" if bid is None else str(bid) for bid in made.bids)]
    if made.tricks is not None:
        parts.append(f": {'/'.join(map(str, made.tricks))}")
    if made.tally is not None:
        tally = "/".join("" if count is None else str(count) for count in made.tally)
        parts.append(f"~ {tally}")
    notes = [f"{one.seat + 1}:{penalty_text(one)}" for one in made.notes.penalties]
    notes += ["last"] if made.notes.last_round else []
    notes += [f"cards:{made.notes.cards}"] if made.notes.cards else []
    if notes:
        parts.append(f"! {' '.join(notes)}")
    return " ".join(parts)


def bid(state: GameState, number: int, round_: Round, arguments: str) -> Round:
    seat, _, text = arguments.partition(" ")
    sent = with_bid(round_, int(seat) - 1, parse_bid(text))
    return enter_round(state, number, round_, sent, newest=True)


def count(state: GameState, number: int, round_: Round, arguments: str) -> Round:
    seat, tricks = map(int, arguments.split())
    return count_tricks(state, number, round_, seat - 1, tricks)


def score(state: GameState, number: int, round_: Round, _arguments: str) -> Round:
    return score_round(state, number, round_)


def send(state: GameState, number: int, round_: Round, arguments: str) -> Round:
    return enter_round(state, number, round_, round_of(arguments), newest=True)


def send_older(state: GameState, number: int, round_: Round, arguments: str) -> Round:
    return enter_round(state, number, round_, round_of(arguments), newest=False)


def send_all(state: GameState, number: int, round_: Round, arguments: str) -> Round:
    return enter_with_tally(state, number, round_, round_of(arguments), newest=True)


def deal(state: GameState, number: int, round_: Round, arguments: str) -> Round:
    return deal_cards(state, number, round_, int(arguments))


def penalty_of(text: str) -> Penalty:
    """Read `2:books:3:others:renege`, a penalty of seat 2."""
    seat, _, what = text.partition(":")
    return parse_penalty(int(seat) - 1, what)


def give(state: GameState, _number: int, round_: Round, arguments: str) -> Round:
    return give_penalty(state, round_, penalty_of(arguments))


STEPS: dict[str, Callable[[GameState, int, Round, str], Round]] = {
    "bid": bid,
    "count": count,
    "score": score,
    "send": send,
    "send older": send_older,
    "send with counts": send_all,
    "deal cards": deal,
    "give a penalty": give,
    "take a penalty back": lambda _state, _number, round_, text: remove_penalty(
        round_, penalty_of(text)
    ),
    "call the last round": lambda _state, _number, round_, _arguments: call_last_round(round_),
    "misdeal": lambda _state, _number, round_, _arguments: misdeal(round_),
}


@examples("entry")
def test_a_step_makes_new_facts_or_is_refused(row: Row) -> None:
    state = fold(rules_of(row), PLAYERS, 0, rounds(row["scored"]))
    before = round_of(row["round"])
    try:
        made = STEPS[row["step"]](state, int(row["number"]), before, row["arguments"])
    except Refused as refused:
        result = " ".join(["refused", *(one.code for one in refused.refusals)])
        sentences = said(refused.refusals)
    else:
        result, sentences = written(made), ""
    assert (result, sentences) == (row["result"], row["said"])


@pytest.mark.parametrize(
    ("tally", "counts"),
    [
        (None, (None, None, None, None)),
        ((3, None, 4, None), (3, None, 4, None)),
        ((3, None, 4, 1), (3, 2, 4, 1)),
        ((3, 2, 4, 1), (3, 2, 4, 1)),
        ((5, 5, None, 5), (5, 5, -5, 5)),
    ],
)
def test_the_last_open_count_follows_from_the_others(
    tally: tuple[int | None, ...] | None, counts: tuple[int | None, ...]
) -> None:
    assert fill_last_count(tally, CUTTHROAT_LITE, 4) == counts


def test_where_a_trick_may_go_to_nobody_only_a_last_count_of_0_is_certain() -> None:
    rules = replace(CUTTHROAT_LITE, lost_tricks=1)
    assert fill_last_count((3, None, 4, 2), rules, 4) == (3, None, 4, 2)
    assert fill_last_count((3, None, 4, 3), rules, 4) == (3, 0, 4, 3)


def test_an_empty_seat_takes_no_trick_once_somebody_has_a_count() -> None:
    assert fill_last_count(None, CUTTHROAT_LITE, 4, (3,)) == (None,) * 4
    assert fill_last_count((3, None, None, None), CUTTHROAT_LITE, 4, (3,)) == (3, None, None, 0)
    assert fill_last_count((3, 4, None, None), CUTTHROAT_LITE, 4, (3,)) == (3, 4, 3, 0)


@pytest.mark.parametrize(
    "text",
    [
        "fun:3:others:renege",
        "books:3:them:renege",
        "books:3:others:fun",
        "books:x:others:renege",
        "books:٣:others:renege",
        "points:12345:nobody:other",
        "set:2:nobody:renege",
        "lost:0:nobody:renege",
        "books:3:others",
    ],
)
def test_other_text_is_no_penalty(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_penalty(0, text)


def test_a_penalty_of_four_digits_is_read() -> None:
    read = parse_penalty(2, "points:1000:nobody:other")
    assert read == Penalty(2, "points", 1000, "nobody", "other")
    assert penalty_text(read) == "points:1000:nobody:other"


def test_the_totals_before_a_round_are_those_it_was_bid_at() -> None:
    played = rounds("3/2/4/1 : 3/2/4/1 ; 3/2/4/1 : 3/2/4/1")
    state = fold(CUTTHROAT_LITE, 4, 0, played)
    assert [totals_before(state, number) for number in (1, 2, 3)] == [
        numbers("0/0/0/0"),
        numbers("30/20/40/10"),
        numbers("60/40/80/20"),
    ]


# Rounds that are not finished


@pytest.mark.parametrize("missing", ["3//4/1", "3///", "/2/4/1"])
def test_half_missing_bids_are_never_scored(missing: str) -> None:
    half = Round(bids(missing), (3, 2, 4, 1))
    state = fold(CUTTHROAT_LITE, 4, 0, [])
    with pytest.raises(Refused):
        score_round(state, 1, half)


def test_a_side_with_one_bid_of_two_cannot_be_folded() -> None:
    with pytest.raises(ValueError, match="each seat of a side needs a bid"):
        fold(PARTNERSHIP, 4, 0, [Round((3, 2, None, 4), (4, 3, 3, 3))])


def test_an_unfinished_round_in_the_middle_is_refused_once_it_has_a_bid() -> None:
    scored = Round((3, 2, 4, 1), (3, 2, 4, 1))
    for open_bids in ((3, None, None, None), (3, 2, 4, 1)):
        with pytest.raises(ValueError, match="only the last round"):
            fold(CUTTHROAT_LITE, 4, 0, [scored, Round(open_bids), scored])


def test_an_unfinished_round_in_the_middle_without_bids_is_passed_over() -> None:
    scored = Round((3, 2, 4, 1), (3, 2, 4, 1))
    state = fold(CUTTHROAT_LITE, 4, 0, [scored, Round((None,) * 4), scored])
    assert [done.number for done in state.rounds] == [1, 2]
    assert state.standing.totals == (60, 40, 80, 20)
    assert (state.number, state.phase, state.uncounted) == (3, "bidding", 0)


def test_an_unfinished_round_after_the_end_does_not_count() -> None:
    won = Round((10, 1, 1, 1), (10, 0, 0, 0))
    state = fold(CUTTHROAT_LITE, 4, 0, [won, won, Round((3, None, None, None)), won])
    assert (state.phase, len(state.rounds), state.uncounted) == ("over", 2, 2)
    assert state.open == Round((None,) * 4)


def test_bags_at_the_start_stay_where_the_rules_count_fewer_since() -> None:
    begun = Round((None,) * 4).noted(start=(120, -35), start_bags=(8, 0))
    rules = PRESETS["partnership-sandbags"]
    fewer = replace(rules, bag_limit=5)
    assert [len(check_start(one, 4, begun)) for one in (rules, fewer)] == [0, 1]
    assert check_stored_start(fewer, 4, begun) == []
    assert [one.code for one in check_notes(2, begun.notes)] == ["start_first"] * 2
    too_few = begun.noted(start=(120,))
    assert [one.code for one in check_stored_start(rules, 4, too_few)] == ["start_sides"]
