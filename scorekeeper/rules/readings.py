"""The rules told in sentences, from the very values that score: how unclear lines are read."""

from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.sentence import N_, Sentence, minus


def readings(rules: RuleSet) -> list[Sentence]:
    """Return the sentences of a rule book, in the order of an evening: deal, bids, score, end."""
    return [
        *_deal(rules),
        *_bids(rules),
        *_contract(rules),
        *_nil(rules),
        *_overtricks(rules),
        *_end(rules),
    ]


def first_dealer(rules: RuleSet) -> Sentence:
    """Return who deals first."""
    if rules.first_dealer == "last":
        return N_(
            "The last seat deals first, so seat 1 bids first, unless the table chooses otherwise."
        )
    return N_("The first dealer is drawn, unless the table chooses one.")


def _deal(rules: RuleSet) -> list[Sentence]:
    return [
        N_("Everybody is dealt {n} cards.", n=rules.tricks),
        first_dealer(rules),
        N_("The deal turns clockwise after each round; the dealer bids last."),
        N_(
            "Before the tricks are scored a deal can be called off as a misdeal: the bids go, and "
            "the same dealer deals again."
        ),
    ]


def _bids(rules: RuleSet) -> list[Sentence]:
    lines = [N_("Bid {low} to {high} tricks.", low=rules.minimum_bid, high=rules.tricks)]
    if rules.partnerships:
        lines.append(N_("Partners sit opposite each other; their bids add up to one contract."))
    if rules.board is not None:
        lines.append(
            N_("A contract is at least {n}: the partner who bids second sees to it.", n=rules.board)
        )
    if not rules.bids_may_equal_tricks:
        lines.append(
            N_(
                "All bids together may not come to {n}: the last bidder must call something else. "
                "Nil counts nothing here.",
                n=rules.tricks,
            )
        )
    if rules.first_round_bids_itself:
        lines.append(N_("Nobody bids in the first round: each side's tricks are its bid."))
    return lines


def _contract(rules: RuleSet) -> list[Sentence]:
    lines = [
        N_("A contract that is made pays {n} a trick bid.", n=rules.trick_points),
        N_("A contract that is set costs {n} a trick bid.", n=rules.set_points),
        N_("The tricks of a round add up to {n} exactly.", n=rules.tricks),
    ]
    if rules.ten_for is not None:
        lines.insert(1, N_("A contract of 10 or more pays {n} a trick bid.", n=rules.ten_for))
    return lines


def _nil(rules: RuleSet) -> list[Sentence]:
    if rules.nil_points is None and rules.blind_nil_points is None:
        return [N_("Nil is not played.")]
    lines = []
    if rules.nil_points is not None:
        lines.append(N_("Nil, no trick at all, pays {n} when kept.", n=rules.nil_points))
        lines.append(N_("With a single trick it costs {n}.", n=rules.nil_points))
    lines += _blind_nil(rules)
    if rules.double_nil_points is not None:
        lines.append(N_("Nil by both partners counts as one, for {n}.", n=rules.double_nil_points))
    where = {
        "overtricks": N_("The tricks of a failed Nil are overtricks."),
        "contract": N_(
            "The tricks of a failed Nil help the partner's bid; what is beyond it is overtricks."
        ),
        "ignored": N_("The tricks of a failed Nil count nowhere."),
    }
    lines.append(where[rules.failed_nil_tricks])
    if rules.partnerships and rules.failed_nil_tricks != "ignored":
        lines.append(
            N_("When both partners call Nil there is no contract: every trick is an overtrick.")
        )
    return lines


def _blind_nil(rules: RuleSet) -> list[Sentence]:
    if rules.blind_nil_points is None:
        return [N_("Blind Nil is not played.")]
    lines = [
        N_("Blind Nil, called before looking at the cards, is for {n}.", n=rules.blind_nil_points)
    ]
    if rules.blind_nil_deficit is not None:
        lines.append(
            N_(
                "It is open to a side at least {n} behind the leading other side before the round.",
                n=rules.blind_nil_deficit,
            )
        )
    if rules.partnerships and rules.blind_nil_partners == "one":
        lines.append(N_("Only one of the partners may call it."))
    return lines


def _overtricks(rules: RuleSet) -> list[Sentence]:
    lines = [N_("Each overtrick pays {n}.", n=rules.overtrick_points)]
    if rules.overtrick_cap is not None:
        lines.append(
            N_(
                "A round pays at most {n} for overtricks, but every one of them counts as a bag.",
                n=rules.overtrick_cap,
            )
        )
    if rules.bag_limit is None:
        return [*lines, N_("Bags cost nothing.")]
    lines.append(
        N_(
            "Every overtrick is a bag. {limit} bags cost {penalty}.",
            limit=rules.bag_limit,
            penalty=rules.bag_penalty or 0,
        )
    )
    if rules.bag_remainder == "dropped":
        lines.append(N_("However far past the limit, it costs once, and the count goes back to 0."))
    else:
        lines.append(N_("Each full {limit} costs once, and the rest stays.", limit=rules.bag_limit))
    return lines


def _end(rules: RuleSet) -> list[Sentence]:
    lines = [
        N_("The game ends when somebody reaches {n}.", n=rules.target),
        N_(
            "When several get there in the same round, the highest score wins. A tie for the "
            "highest plays another round, until one side alone is ahead."
        ),
    ]
    if rules.mercy is not None:
        lines.insert(
            1,
            N_("It also ends when somebody falls to {floor} or below.", floor=minus(rules.mercy)),
        )
    return lines
