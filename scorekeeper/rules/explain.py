"""Explanations of a score: its parts as sentences."""

from collections.abc import Mapping

from scorekeeper.rules.bidding import (
    Bids,
    BlindBid,
    Nil,
    nil_cost,
    nil_points,
    number_bid,
)
from scorekeeper.rules.game import RoundScore, totals_for_score
from scorekeeper.rules.penalties import (
    PENALTY_EFFECTS,
    Charge,
    charge_of,
    penalty_reasons,
)
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.scoring import Hand, SideScore, of_side, score_seats
from scorekeeper.rules.sentence import N_, Sentence, signed

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
    penalties = round_.notes.penalties
    charge = charge_of(penalties, range(len(round_.bids))[side::sides], round_.moved[side])
    if side in round_.before.seats.empty:
        return []
    rules = rules.in_round(round_.number, len(round_.bids), round_.notes.cards)
    return [
        *penalty_reasons(penalties, round_.taken, side, rules.shown_as),
        *_void_bonus(rules, round_.scores[side], charge),
        *score_reasons(
            rules,
            Hand(
                round_.bids[side::sides],
                round_.tricks[side::sides],
                round_.before.bags[side],
                totals_for_score(rules, round_.before)[side::sides],
                charge,
            ),
            round_.scores[side],
        ),
    ]


def _void_bonus(rules: RuleSet, score: SideScore, charge: Charge) -> list[Sentence]:
    """Return how many of a side's points by hand do not count, as a bid was not made."""
    void = score.bonus_points - sum(map(sum, charge.bonus))
    points = signed(void, rules.shown_as)
    return [SCORE_REASONS["bonus_void"].about(points=points)] if void else []


def score_reasons(rules: RuleSet, hand: Hand, score: SideScore) -> list[Sentence]:
    """Return the sentences that lead to a side's points in a round, in the order of the parts.

    Where every player has a total, the sentences of one seat follow those of the other.

    >>> from scorekeeper.rules.presets import CUTTHROAT_LITE
    >>> from scorekeeper.rules.scoring import score_side
    >>> hand = Hand((4,), (6,), 5)
    >>> score = score_side(CUTTHROAT_LITE, hand)
    >>> [str(line) for line in score_reasons(CUTTHROAT_LITE, hand, score)]
    ['bid 4, took 6: +40', '2 overtricks: +2', 'bags 5 → 7, limit 6 reached: −10, back to 0']
    """
    bids, tricks, bags_before, totals, charge = hand
    if rules.bid_by == "side" and None in bids:
        bids, tricks = of_side(bids, tricks)
    if rules.totals_by == "seat" and len(bids) > 1:
        return [
            line
            for at, own in enumerate(score_seats(rules, bids, tricks, totals, charge))
            for line in score_reasons(rules, Hand(bids[at : at + 1], tricks[at : at + 1]), own)
        ]
    return [
        *_contract(rules, bids, tricks, score, charge.moved),
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
    capped = score.overtrick_points != score.overtricks * rules.overtrick_points
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
