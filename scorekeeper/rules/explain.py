"""Why a number is what it is: the parts of a score told in sentences."""

from scorekeeper.rules.bidding import Bid, Bids, Nil
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.scoring import SideScore
from scorekeeper.rules.sentence import N_, Sentence, signed


def explain(
    rules: RuleSet,
    bids: Bids,
    tricks: tuple[int, ...],
    score: SideScore,
    bags_before: int,
) -> list[Sentence]:
    """Return the sentences that lead to a side's points in a round, in the order of the parts.

    >>> from scorekeeper.rules.presets import CUTTHROAT_LITE
    >>> from scorekeeper.rules.scoring import score_side
    >>> score = score_side(CUTTHROAT_LITE, (4,), (6,), 5)
    >>> [str(line) for line in explain(CUTTHROAT_LITE, (4,), (6,), score, 5)]
    ['bid 4, took 6: +40', '2 overtricks: +2', 'bags 5 → 7, limit 6 reached: −10, back to 0']
    """
    return [
        *_contract(rules, bids, tricks, score),
        *_nils(rules, bids, tricks, score),
        *_overtricks(rules, score),
        *_bags(rules, score, bags_before),
    ]


def _contract(
    rules: RuleSet, bids: Bids, tricks: tuple[int, ...], score: SideScore
) -> list[Sentence]:
    points = signed(score.contract_points)
    if None in bids:
        return [N_("took {n}, which is the bid: {points}", n=sum(tricks), points=points)]
    if score.made is None:
        return []
    taken = sum(tricks) if rules.failed_nil_tricks == "contract" else _by_numbers(bids, tricks)
    if not score.made:
        return [
            N_(
                "bid {bid}, took {n}, set: {points}",
                bid=score.contract,
                n=taken,
                points=points,
            )
        ]
    return [N_("bid {bid}, took {n}: {points}", bid=score.contract, n=taken, points=points)]


def _by_numbers(bids: Bids, tricks: tuple[int, ...]) -> int:
    return sum(count for bid, count in zip(bids, tricks, strict=True) if type(bid) is int)


def _nils(rules: RuleSet, bids: Bids, tricks: tuple[int, ...], score: SideScore) -> list[Sentence]:
    if rules.double_nil_points is not None and bids == (Nil.NIL, Nil.NIL):
        points = signed(score.nil_points)
        if any(tricks):
            return [N_("both Nil, took {n}: {points}", n=sum(tricks), points=points)]
        return [N_("both Nil, kept: {points}", points=points)]
    return [
        _nil(rules, bid, count)
        for bid, count in zip(bids, tricks, strict=True)
        if isinstance(bid, Nil)
    ]


def _nil(rules: RuleSet, bid: Bid, count: int) -> Sentence:
    blind = bid is Nil.BLIND
    worth = (rules.blind_nil_points if blind else rules.nil_points) or 0
    points = signed(-worth if count else worth)
    if count and blind:
        return N_("blind Nil, took {n}: {points}", n=count, points=points)
    if count:
        return N_("Nil, took {n}: {points}", n=count, points=points)
    if blind:
        return N_("blind Nil kept: {points}", points=points)
    return N_("Nil kept: {points}", points=points)


def _overtricks(rules: RuleSet, score: SideScore) -> list[Sentence]:
    if not score.overtricks:
        return []
    values: dict[str, int | str] = {
        "n": score.overtricks,
        "points": signed(score.overtrick_points),
    }
    if score.overtrick_points < score.overtricks * rules.overtrick_points:
        return [
            N_(
                "{n} overtrick: {points}, the most a round pays",
                "{n} overtricks: {points}, the most a round pays",
                **values,
            )
        ]
    return [N_("{n} overtrick: {points}", "{n} overtricks: {points}", **values)]


def _bags(rules: RuleSet, score: SideScore, before: int) -> list[Sentence]:
    if rules.bag_limit is None or not score.overtricks:
        return []
    values: dict[str, int | str] = {
        "before": before,
        "after": before + score.overtricks,
        "limit": rules.bag_limit,
        "left": score.bags,
        "points": signed(score.bag_penalty),
    }
    if not score.bag_penalty:
        return [N_("bags {before} → {after} of {limit}", **values)]
    return [
        N_(
            "bags {before} → {after}, limit {limit} reached: {points}, back to {left}",
            **values,
        )
    ]
