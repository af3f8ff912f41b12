"""Random games under every rule book and any house rules: both engines agree on all of it.

`RANDOM_GAMES=20000 RANDOM_SEED=7 pytest -m slow tests/web/offline` plays others.
"""

import os
from collections.abc import Iterator
from typing import Any

from scorekeeper.rules.bidding import Bid, check_tricks, possible_bids, refusal
from scorekeeper.rules.entry import (
    Refused,
    call_last_round,
    count_tricks,
    deal_cards,
    fill_last_count,
    give_penalty,
    misdeal,
    no_counts,
    score_round,
    table_before,
)
from scorekeeper.rules.explain import SCORE_REASONS, round_reasons
from scorekeeper.rules.game import GameState, advance, bids_itself, fold
from scorekeeper.rules.hints import HINTS, hints
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet
from scorekeeper.rules.sentence import REFUSALS, refuse
from scorekeeper.rules.value_kinds import Switch, Word
from tests.properties import counts
from tests.rules.tables import with_bid
from tests.web.offline.conftest import Ask
from tests.web.offline.facts import differences, facts, plain
from tests.web.offline.luck import STARTERS, Case, Entry, Luck

GAMES = int(os.environ.get("RANDOM_GAMES", 2000))
FEW_GAMES = 400
SEED = int(os.environ.get("RANDOM_SEED", 30002))  # by which all of `EVERYTHING` is seen
AT_ONCE = 200  # games a question
SENT_WHOLE = {
    "tricks",
    "end_now",
    "remark",
    "game_remark",
    "start_first",
    "start_sides",
    "start_points",
    "start_bags",
    "trump",
    "trump_fixed",
}  # only a program sends rounds in a way that this can happen
OF_SEATS = {
    "seated",
    "two_seats",
    "substitute",
    "first_round",
    "table_size",
}  # refused before a game has them
NEAR_THE_END = {  # of games: test_same_hints.py has it
    "reaches_bar_bags",
    "reaches_beside_nil",
    "reaches_nil",
    "reaches_or_partner_nil",
    "reaches_partner_nil",
}
EVERYTHING = {*REFUSALS, *HINTS, *SCORE_REASONS} - SENT_WHOLE - OF_SEATS - NEAR_THE_END | {
    *(
        "bidding",
        "playing",
        "over",
        "target",
        "mercy",
        "rounds",
        "last_round",
        "sets",
        "first_round",
        "penalty",
    ),
    *("is tied", "is uncounted", "looks ahead"),
    *(
        f"{name}={word}"
        for name, kind in HOUSE_RULES.items()
        if isinstance(kind, Word)
        for word in kind.words
    ),
    *(
        f"{name}={on}"
        for name, kind in HOUSE_RULES.items()
        if isinstance(kind, Switch)
        for on in (True, False)
    ),
}


@counts("games", FEW_GAMES, GAMES)
def test_random_games_stand_the_same_on_the_phone(ask: Ask, games: int) -> None:
    seen: set[str] = set()
    for seeds in batches(SEED, games):
        cases = [Luck(seed).case() for seed in seeds]
        for seed, case, phone in zip(
            seeds, cases, ask("game", list(map(asked, cases))), strict=True
        ):
            server = plain(answered(case))
            differ = differences(phone, server)
            assert not differ, f"Luck({seed}).case()\n{differ}"
            seen.update(seen_in(server))
            seen.update(f"{name}={value}" for name, value in words_of(case.rules))
    assert seen >= EVERYTHING or games == FEW_GAMES


def batches(seed: int, games: int) -> Iterator[range]:
    """Every game has a seed of its own, by which it is found again."""
    start = seed * 1_000_000
    for at in range(start, start + games, AT_ONCE):
        yield range(at, min(at + AT_ONCE, start + games))


def words_of(rules: RuleSet) -> Iterator[tuple[str, object]]:
    """Yield the values of a rule book that are one of a few words, or yes or no."""
    for name, kind in HOUSE_RULES.items():
        if isinstance(kind, Word | Switch):
            yield name, getattr(rules, name)


def asked(case: Case) -> Any:
    """Return the question for the phone."""
    game = facts(case.rules, case.players, case.first_dealer, case.rounds)
    return {
        **game,
        "entries": plain(case.entries),
        "tally": case.tally,
        "starters": STARTERS[: case.players],
    }


def answered(case: Case) -> dict[str, Any]:
    """Return the server's answer to the same."""
    starters = STARTERS[: case.players]
    state = fold(case.rules, case.players, case.first_dealer, case.rounds, starters=starters)
    return {
        "state": state,
        "shown": state.as_seated.rounds,
        "bids": possible_bids(case.rules),
        "hints": [hints(state, side) for side in range(len(state.sides))],
        "explained": explained(state),
        "preview": preview(state, case),
        "entries": [entered(state, entry) for entry in case.entries],
    }


def explained(state: GameState) -> list[Any]:
    return [
        [round_reasons(state.rules, round_, side) for side in range(len(state.sides))]
        for round_ in state.rounds
    ]


def preview(state: GameState, case: Case) -> Any:
    counts = fill_last_count(case.tally, state.round_rules, case.players, state.seats.empty)
    tricks = tuple(count for count in counts if count is not None)
    if state.phase != "playing" or len(tricks) < len(counts):
        return None
    if check_tricks(state.round_rules, tricks):
        return None
    return advance(state.round_rules, state.standing, state.open._replace(tricks=tricks))[0]


def bid_placed(state: GameState, number: int, round_: Round, seat: int, bid: Bid) -> Round:
    """Return the round with one more bid, as a phone enters it; the server reads it whole."""
    wrong = refusal(table_before(state, number, round_), round_.bids, seat, bid)
    if bids_itself(state.rules, number):
        wrong = refuse(seat, "bids_itself")
    if wrong:
        raise Refused([wrong])
    return with_bid(round_, seat, bid)


def entered(state: GameState, entry: Entry) -> Any:
    step, number, round_, *rest = entry
    try:
        match step:
            case "placeBid":
                return bid_placed(state, number, round_, *rest)
            case "countTricks":
                seat, count, one_by_one = rest
                if one_by_one:  # each of the other seats begins with none
                    begun = round_.tally or no_counts(state.rules, state.players)
                    round_ = round_._replace(tally=tuple(n or 0 for n in begun))
                return count_tricks(state, number, round_, seat, count)
            case "scoreRound":
                return score_round(state, number, round_, *rest)
            case "givePenalty":
                return give_penalty(state, round_, *rest)
            case "dealCards":
                return deal_cards(state, number, round_, *rest)
            case "callLastRound":
                return call_last_round(round_)
        return misdeal(round_)
    except Refused as refused:
        return {"refused": refused.refusals}


def seen_in(answer: Any) -> Iterator[str]:
    """Return what a game has to show, so that none of it is missing from all of them."""
    state = answer["state"]
    yield state["phase"]
    yield from ["is uncounted"] * bool(state["uncounted"])
    yield from ["looks ahead"] * bool(answer["preview"])
    for round_ in state["rounds"]:
        if round_["outcome"]:
            yield round_["outcome"]["reason"]
            yield from ["is tied"] * bool(round_["outcome"]["tied"])
    yield from codes([answer["hints"], answer["explained"], answer["entries"]])


def codes(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for part in value:
            yield from codes(part)
    elif isinstance(value, dict):
        if "code" in value:
            yield value["code"]
        yield from codes(value.get("refused"))
