"""Explanations of a score: its parts as sentences, and hints at what is near.

A hint says only what is certain, however the cards fall. It holds for the penalties that are known:
one that is given later is a new fact.
"""

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from scorekeeper.rules.bidding import (
    Bids,
    BlindBid,
    Nil,
    are_made,
    contract,
    lowest_bid,
    nil_cost,
    nil_points,
    number_bid,
    refusal,
)
from scorekeeper.rules.game import GameState, RoundScore, totals_for_score
from scorekeeper.rules.penalties import PENALTY_EFFECTS, bonuses, hands_set, penalty_reasons
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.scoring import SideScore, is_made, of_side, score_seats, score_side
from scorekeeper.rules.sentence import N_, Sentence, minus, shown, signed

SCORE_REASONS: Mapping[str, Sentence] = {
    "blind_made": N_("blind bid {bid}, took {n}: {points}"),
    "blind_set": N_("blind bid {bid}, took {n}, set: {points}"),
    "partly_blind_made": N_("bid {bid}, {blind} of them blind, took {n}: {points}"),
    "partly_blind_set": N_("bid {bid}, {blind} of them blind, took {n}, set: {points}"),
    "itself": N_("took {n} as bid: {points}"),
    "itself_set": N_("took {n} as bid, set: {points}"),
    "made": N_("bid {bid}, took {n}: {points}"),
    "set": N_("bid {bid}, took {n}, set: {points}"),
    "nil_kept": N_("Nil made: {points}"),
    "nil_failed": N_("Nil, took {n}: {points}"),
    "blind_nil_kept": N_("blind Nil made: {points}"),
    "blind_nil_failed": N_("blind Nil, took {n}: {points}"),
    "both_nil_kept": N_("double Nil made: {points}"),
    "both_nil_failed": N_("double Nil, took {n}: {points}"),
    "overtricks": N_("{n} overtrick: {points}", "{n} overtricks: {points}"),
    "overtricks_capped": N_(
        "{n} overtrick: {points} (round maximum)",
        "{n} overtricks: {points} (round maximum)",
    ),
    "bonus_void": N_("bid not made, no bonus: {points}"),
    "bags": N_("bags {before} → {after} of {limit}"),
    "bags_penalty": N_("bags {before} → {after}, limit {limit} reached: {points}, back to {left}"),
    **PENALTY_EFFECTS,
}


def round_reasons(rules: RuleSet, round_: RoundScore, side: int) -> list[Sentence]:
    """Return the sentences that lead to a side's points in a scored round, penalties first."""
    sides = len(round_.scores)
    if side in round_.before.seats.empty:
        return []
    rules = rules.in_round(round_.number, len(round_.bids), round_.notes.cards)
    return [
        *penalty_reasons(round_.notes.penalties, round_.taken, side, rules.shown_as),
        *_void_bonus(rules, round_, side),
        *score_reasons(
            rules,
            round_.bids[side::sides],
            round_.tricks[side::sides],
            round_.scores[side],
            round_.before.bags[side],
            totals_for_score(rules, round_.before)[side::sides],
            round_.moved[side],
            hands_set(round_.notes.penalties, len(round_.bids))[side::sides],
        ),
    ]


def _void_bonus(rules: RuleSet, round_: RoundScore, side: int) -> list[Sentence]:
    """Return how many of a side's points by hand do not count, as a bid was not made."""
    typed = bonuses(round_.notes.penalties, len(round_.bids))[side :: len(round_.scores)]
    void = round_.scores[side].bonus_points - sum(map(sum, typed))
    points = signed(void, rules.shown_as)
    return [SCORE_REASONS["bonus_void"].about(points=points)] if void else []


def score_reasons(
    rules: RuleSet,
    bids: Bids,
    tricks: tuple[int, ...],
    score: SideScore,
    bags_before: int,
    totals: tuple[int, ...] = (),
    moved: int = 0,
    counts_as_set: tuple[bool, ...] = (),
) -> list[Sentence]:
    """Return the sentences that lead to a side's points in a round, in the order of the parts.

    `moved` are the books that penalties give to the side or take from it, `counts_as_set` as in
    `score_side`. Where every player has a total, the sentences of one seat follow those of the
    other.

    >>> from scorekeeper.rules.presets import CUTTHROAT_LITE
    >>> from scorekeeper.rules.scoring import score_side
    >>> score = score_side(CUTTHROAT_LITE, (4,), (6,), 5)
    >>> [str(line) for line in score_reasons(CUTTHROAT_LITE, (4,), (6,), score, 5)]
    ['bid 4, took 6: +40', '2 overtricks: +2', 'bags 5 → 7, limit 6 reached: −10, back to 0']
    """
    if rules.bid_by == "side" and None in bids:
        bids, tricks, counts_as_set = of_side(bids, tricks, counts_as_set)
    if rules.totals_by == "seat" and len(bids) > 1:
        return [
            line
            for at, own in enumerate(score_seats(rules, bids, tricks, totals, counts_as_set))
            for line in score_reasons(rules, bids[at : at + 1], tricks[at : at + 1], own, 0)
        ]
    return [
        *_contract(rules, bids, tricks, score, moved),
        *_nils(rules, bids, tricks, score),
        *_overtricks(rules, score),
        *_bag_reasons(rules, score, bags_before),
    ]


def _contract(
    rules: RuleSet, bids: Bids, tricks: tuple[int, ...], score: SideScore, moved: int
) -> list[Sentence]:
    points = signed(score.contract_points, rules.shown_as)
    if None in bids:
        line = SCORE_REASONS["itself" if score.made else "itself_set"]
        return [line.about(n=sum(tricks) + moved, points=points)]
    if score.made is None:
        return []
    nils_help = rules.failed_nil_tricks == "contract"
    taken = sum(
        n for bid, n in zip(bids, tricks, strict=True) if nils_help or number_bid(bid) is not None
    )
    blind = sum(bid.number for bid in bids if isinstance(bid, BlindBid))
    how = "" if not blind else "blind_" if blind == score.contract else "partly_blind_"
    line = SCORE_REASONS[how + ("made" if score.made else "set")]
    told = {"blind": blind} if blind else {}
    return [line.about(bid=score.contract, n=max(0, taken + moved), points=points, **told)]


def _nils(rules: RuleSet, bids: Bids, tricks: tuple[int, ...], score: SideScore) -> list[Sentence]:
    if rules.double_nil_points is not None and bids == (Nil.NIL, Nil.NIL):
        line = SCORE_REASONS["both_nil_failed" if any(tricks) else "both_nil_kept"]
        return [line.about(n=sum(tricks), points=signed(score.nil_points, rules.shown_as))]
    return [
        _nil(rules, bid, count)
        for bid, count in zip(bids, tricks, strict=True)
        if isinstance(bid, Nil)
    ]


def _nil(rules: RuleSet, nil: Nil, count: int) -> Sentence:
    kind = "nil" if nil is Nil.NIL else "blind_nil"
    points = -nil_cost(rules, nil) if count else nil_points(rules, nil) or 0
    line = SCORE_REASONS[f"{kind}_failed" if count else f"{kind}_kept"]
    return line.about(n=count, points=signed(points, rules.shown_as))


def _overtricks(rules: RuleSet, score: SideScore) -> list[Sentence]:
    if not score.overtricks:
        return []
    capped = score.overtrick_points < score.overtricks * rules.overtrick_points
    line = SCORE_REASONS["overtricks_capped" if capped else "overtricks"]
    return [line.about(n=score.overtricks, points=signed(score.overtrick_points, rules.shown_as))]


def _bag_reasons(rules: RuleSet, score: SideScore, before: int) -> list[Sentence]:
    if rules.bag_limit is None or not score.overtricks:
        return []
    line = SCORE_REASONS["bags_penalty" if score.bag_penalty else "bags"]
    return [
        line.about(
            before=before,
            after=before + score.overtricks,
            limit=rules.bag_limit,
            left=score.bags,
            points=signed(score.bag_penalty, rules.shown_as),
        )
    ]


class Hint(NamedTuple):
    """A hint for a side, and whether it is a danger, a chance or neither."""

    kind: Literal["danger", "chance", "plain"]
    sentence: Sentence


HINTS: Mapping[str, Hint] = {
    "tied": Hint("plain", N_("tied for the lead")),
    "bags_left": Hint("danger", N_("{n} bag to {points}", "{n} bags to {points}")),
    "bags_paid": Hint("danger", N_("bags: {points}")),
    "mercy": Hint("danger", N_("{n} from losing at {floor}")),
    "set_loses": Hint("danger", N_("one more set loses the game")),
    "set_may_lose": Hint("danger", N_("one more set may lose the game")),
    "reaches_or_nil": Hint("chance", N_("reaches {target} by making {n}, or with Nil")),
    "reaches": Hint("chance", N_("reaches {target} by making {n}")),
    "reaches_bar_bags": Hint("chance", N_("reaches {target} by making {n} without a bag penalty")),
    "reaches_nil": Hint("chance", N_("reaches {target} with Nil")),
    "short": Hint("plain", N_("{n} short of {target}")),
    "wins_if_made": Hint("chance", N_("wins by making the bid")),
    "wins_if_nil": Hint("chance", N_("wins if Nil is made")),
    "wins_if_both": Hint("chance", N_("wins if both bids are made")),
    "reaches_if_made": Hint("chance", N_("reaches {target} by making the bid")),
    "reaches_if_nil": Hint("chance", N_("reaches {target} if Nil is made")),
    "reaches_if_both": Hint("chance", N_("reaches {target} if both bids are made")),
    "reaches_if_bar_bags": Hint(
        "chance", N_("reaches {target} by making the bid without a bag penalty")
    ),
    "may_blind_nil": Hint("plain", N_("may bid blind Nil")),
}


def _hint(code: str, **values: int | str) -> Hint:
    kind, sentence = HINTS[code]
    return Hint(kind, sentence.about(**values))


def hints(state: GameState, side: int) -> list[Hint]:
    """Return the hints for a side before or during a round, the most pressing first."""
    if state.phase == "over" or side in state.seats.empty:
        return []
    state = state._replace(rules=state.round_rules)
    rules, total = state.rules, state.standing.totals[side]
    found = [
        *_bags_paid(state, side),
        *_tie(state, side),
        *_bag_hints(rules, state.standing.bags[side]),
        *_sets(state, side),
    ]
    if rules.totals_by == "seat":  # what follows compares the totals of sides
        return found
    return [
        *found,
        *_mercy(rules, total),
        *(_by_bids(state, side) if state.phase == "playing" else _by_next_bid(state, side)),
        *_blind_nil(state, side),
    ]


def _bags_paid(state: GameState, side: int) -> list[Hint]:
    """Return a hint of the bag penalty of the last round, until the next bid."""
    if not state.just_scored:
        return []
    penalty = state.rounds[-1].scores[side].bag_penalty
    return [_hint("bags_paid", points=signed(penalty, state.rules.shown_as))] if penalty else []


def _tie(state: GameState, side: int) -> list[Hint]:
    tied = set(state.outcome.tied if state.outcome else ()) & set(state.standing.playing)
    return [_hint("tied")] if side in tied and len(tied) > 1 else []


def _bag_hints(rules: RuleSet, bags: int) -> list[Hint]:
    if rules.bag_limit is None or not 1 <= rules.bag_limit - bags <= 2:
        return []
    points = signed(-(rules.bag_penalty or 0), rules.shown_as)
    return [_hint("bags_left", n=rules.bag_limit - bags, points=points)]


def _mercy(rules: RuleSet, total: int) -> list[Hint]:
    if rules.mercy is None or not 0 < total - rules.mercy <= rules.tricks * rules.set_points:
        return []
    return [
        _hint(
            "mercy",
            n=shown(total - rules.mercy, rules.shown_as),
            floor=minus(rules.mercy, rules.shown_as),
        )
    ]


def _sets(state: GameState, side: int) -> list[Hint]:
    """Return a hint where a set loses the game, unless another side has lost it anyway.

    It only may lose where all others can lose with the same round: the highest total wins then.
    """
    if _has_loser(state) or not _loses_if_set(state, side):
        return []
    others = [other for other in state.standing.playing if other != side]
    is_first = state.number == 1 and state.rules.first_round_minimum is not None
    if is_first or all(_loses_if_set(state, other) for other in others):
        return [_hint("set_may_lose")]
    return [_hint("set_loses")]


def _loses_if_set(state: GameState, side: int) -> bool:
    rules, standing = state.rules, state.standing
    if state.number < (rules.minimum_rounds or 1):
        return False
    counted = (
        (standing.sets[side], rules.sets_lose),
        (standing.sets_in_a_row[side], rules.sets_in_a_row_lose),
    )
    return any(limit is not None and sets + 1 >= limit for sets, limit in counted)


def _has_loser(state: GameState) -> bool:
    """Return whether a side has lost for a reason that comes before sets, and others play on."""
    standing, least = state.standing, state.rules.first_round_minimum or 0
    taken = standing.first_tricks
    return bool(standing.lost or (taken and any(taken[one] < least for one in standing.playing)))


def _by_next_bid(state: GameState, side: int) -> list[Hint]:
    """Return the smallest bid, or Nil, that reaches the target if the side makes what it bids."""
    rules, totals = state.rules, state.standing.totals
    if rules.target is None or rules.call_values or rules.worth or rules.trick_points == 0:
        return []
    missing = rules.target - totals[side]
    if missing <= 0 or state.open.notes.penalties:
        return []
    lowest = lowest_bid(rules, totals, state.seats.empty)
    by_tricks = missing - rules.made_bonus
    bid = max(-(-by_tricks // rules.trick_points), lowest, rules.board or 0)
    highest = min(rules.tricks, rules.highest_bid * (2 if rules.partners_bid else 1))
    values: dict[str, int | str] = {"target": shown(rules.target, rules.shown_as)}
    by_nil = all(_reaches(state, side, bids) == "surely" for bids in _with_nil(rules))
    if bid <= min(highest, rules.tricks * 3 // 5) and (how := _reaches(state, side, (bid,))):
        sure = "reaches_or_nil" if by_nil else "reaches"
        return [_hint(sure if how == "surely" else "reaches_bar_bags", n=bid, **values)]
    if by_nil:
        return [_hint("reaches_nil", **values)]
    return [_hint("short", n=shown(missing, rules.shown_as), **values)] if bid <= highest else []


def _with_nil(rules: RuleSet) -> Iterator[Bids]:
    """Yield the bids of a side that has bid Nil, and one it cannot make where there is no Nil."""
    if rules.nil_points is None:
        yield (rules.tricks + 1,)
    elif not rules.partners_bid:
        yield (Nil.NIL,)
    else:
        yield (Nil.NIL, Nil.NIL)
        for bid in range(rules.minimum_bid, rules.highest_bid + 1):
            yield (Nil.NIL, bid)


def _by_bids(state: GameState, side: int) -> list[Hint]:
    """Return a hint where a side reaches the target, or wins, if it makes its bids."""
    rules, standing = state.rules, state.standing
    bids: Bids = tuple(state.open.bids[seat] for seat in state.sides[side])
    if rules.target is None or state.open.notes.penalties:
        return []
    if not are_made(rules, state.open.bids, state.seats.empty):
        return []
    how = _reaches(state, side, bids)
    condition = _condition(bids)
    if how == "surely" and _wins(state, side, bids):
        return [_hint(f"wins_{condition}")]
    if how == "bar_bags":
        condition = "if_bar_bags" if condition == "if_made" else ""
    if not how or not condition or standing.totals[side] >= rules.target:
        return []
    return [_hint(f"reaches_{condition}", target=shown(rules.target, rules.shown_as))]


def _condition(bids: Bids) -> str:
    """Return the word for a side that makes its bids: a contract, a Nil, or two bids with a Nil."""
    if not any(isinstance(bid, Nil) for bid in bids):
        return "if_made"
    return "if_both" if len(bids) - bids.count(None) > 1 else "if_nil"


def _reaches(state: GameState, side: int, bids: Bids) -> Literal["surely", "bar_bags", ""]:
    """Return whether a side reaches the target with bids it makes, whatever else it takes."""
    missing = (state.rules.target or 0) - state.standing.totals[side]
    scores = [score for _, score in _if_made(state, side, bids)]
    reached = [score.points >= missing for score in scores]
    if all(reached):
        return "surely" if scores else ""
    unpaid = [done for done, score in zip(reached, scores, strict=True) if not score.bag_penalty]
    return "bar_bags" if unpaid and all(unpaid) else ""


def _if_made(state: GameState, side: int, bids: Bids) -> Iterator[tuple[int, SideScore]]:
    """Yield the tricks that a side may take with bids it makes, and what it scores then."""
    rules, standing = state.rules, state.standing
    totals = totals_for_score(rules, standing)[side :: len(state.sides)]
    numbers = [seat for seat, bid in enumerate(bids) if number_bid(bid) is not None]
    goal = contract(bids)
    for taken in range(goal, rules.tricks + 1) if numbers else (0,):
        if numbers and not is_made(rules, goal, taken):
            return
        tricks = tuple(taken if [seat] == numbers[:1] else 0 for seat in range(len(bids)))
        yield taken, score_side(rules, bids, tricks, standing.bags[side], totals)


def _wins(state: GameState, side: int, bids: Bids) -> bool:
    """Return whether a side that makes its bids wins, whatever the others take.

    It is not among those who have lost, and no other can have as many points.
    """
    rules, standing = state.rules, state.standing
    least = rules.first_round_minimum or 0
    is_set_too_often = rules.sets_lose is not None and standing.sets[side] >= rules.sets_lose
    if standing.lost or is_set_too_often:
        return False
    most = [_most(state, other) for other in standing.playing if other != side]
    return all(
        (standing.first_tricks[side] if standing.first_tricks else taken) >= least
        and all(standing.totals[side] + score.points > by_tricks[-1 - taken] for by_tricks in most)
        for taken, score in _if_made(state, side, bids)
    )


def _most(state: GameState, side: int) -> list[int]:
    """Return the highest total that a side can come to, by how many tricks are left to it."""
    rules, standing = state.rules, state.standing
    bids: Bids = tuple(state.open.bids[seat] for seat in state.sides[side])
    totals = totals_for_score(rules, standing)[side :: len(state.sides)]
    most: list[int] = []
    for left in range(rules.tricks + 1):
        shares = [(left,)] if len(bids) == 1 else [(own, left - own) for own in range(left + 1)]
        scores = [score_side(rules, bids, share, standing.bags[side], totals) for share in shares]
        best = standing.totals[side] + max(score.points for score in scores)
        most.append(max([best, *most[-1:]]))
    return most


def _blind_nil(state: GameState, side: int) -> list[Hint]:
    rules = state.rules
    if rules.blind_nil_deficit is None or state.phase != "bidding":
        return []
    bids, totals, empty = state.open.bids, state.standing.totals, state.seats.empty
    still_to_bid = [seat for seat in state.sides[side] if bids[seat] is None]
    may = [not refusal(rules, bids, seat, Nil.BLIND, totals, empty) for seat in still_to_bid]
    return [_hint("may_blind_nil")] if any(may) else []
