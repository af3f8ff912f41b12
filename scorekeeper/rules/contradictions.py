"""Sets of rule values that contradict one another, each with the reason."""

from scorekeeper.rules.call_values import total_steps
from scorekeeper.rules.sentence import N_, Sentence
from scorekeeper.rules.values import PACK, RuleValues

Contradiction = tuple[str, bool, Sentence]


def contradictions(rules: RuleValues) -> list[Contradiction]:
    """Return each value that may contradict others, whether it does, and what to do about it."""
    return [
        *_cards(rules),
        *_bags(rules),
        *_nils(rules),
        *_partners_minimum(rules),
        *_contracts(rules),
        *_bids(rules),
        *_endings(rules),
        *_totals(rules),
        *_sides(rules),
    ]


def _cards(rules: RuleValues) -> list[Contradiction]:
    return [
        (
            "tricks",
            rules.tricks * min(rules.players) > PACK,
            N_(
                "{tricks} cards each for {players} players is more than a full deck. Deal fewer.",
                tricks=rules.tricks,
                players=min(rules.players),
            ),
        ),
        (
            "minimum_bid",
            rules.minimum_bid > rules.tricks,
            N_(
                "The minimum bid can’t be more than {n}, the tricks in a round.",
                "The minimum bid can’t be more than {n}, the tricks in a round.",
                n=rules.tricks,
            ),
        ),
    ]


def _bags(rules: RuleValues) -> list[Contradiction]:
    return [
        (
            "bag_penalty",
            rules.bag_limit is not None and rules.bag_penalty is None,
            N_("A bag limit needs a penalty. Set one, or turn the limit off."),
        ),
        (
            "bag_limit",
            rules.bag_limit is None and rules.bag_penalty is not None,
            N_("A bag penalty needs a bag limit. Set one, or turn the penalty off."),
        ),
    ]


def _nils(rules: RuleValues) -> list[Contradiction]:
    return [
        (
            "blind_nil_points",
            rules.nil_points is None and rules.blind_nil_points is not None,
            N_("Blind Nil needs Nil. Turn Nil on first."),
        ),
        (
            "blind_nil_deficit",
            rules.blind_nil_points is None and rules.blind_nil_deficit is not None,
            N_("Blind Nil is off, so a required deficit has no effect. Turn blind Nil on first."),
        ),
        (
            "double_nil_points",
            rules.double_nil_points is not None and not rules.partnerships,
            N_("Double Nil needs partnerships."),
        ),
        (
            "double_nil_points",
            rules.double_nil_points is not None and rules.nil_points is None,
            N_("Double Nil needs Nil. Turn Nil on first."),
        ),
    ]


def _partners_minimum(rules: RuleValues) -> list[Contradiction]:
    return [
        (
            "board",
            rules.board is not None and not rules.partnerships,
            N_(
                "The minimum partnership bid needs partnerships. For single players, use the "
                "minimum bid."
            ),
        ),
        (
            "board",
            (rules.board or 0) > rules.tricks,
            N_(
                "The minimum partnership bid can’t be more than {n}, the tricks in a round.",
                "The minimum partnership bid can’t be more than {n}, the tricks in a round.",
                n=rules.tricks,
            ),
        ),
    ]


def _contracts(rules: RuleValues) -> list[Contradiction]:
    return [
        (
            "ten_made",
            rules.ten_made is not None and rules.ten_for is not None,
            N_("A contract of 10 or more scores either a flat value or points per trick."),
        ),
        *(
            (
                name,
                rules.blind_bid_from is None and getattr(rules, name) is not None,
                N_("Blind bids are off, so this has no effect. Set the lowest blind bid first."),
            )
            for name in ("blind_trick_points", "blind_set_points", "blind_bid_deficit")
        ),
        (
            "blind_bid_from",
            (rules.blind_bid_from or 0) > rules.highest_bid,
            N_("The lowest blind bid can’t be more than the highest bid."),
        ),
        (
            "win_needs_partner",
            rules.win_needs_partner and rules.totals_by != "seat",
            N_("Winning depends on the partner’s total only where each player has a total."),
        ),
    ]


def _bids(rules: RuleValues) -> list[Contradiction]:
    least_values = [number for _total, number in total_steps(rules.minimum_by_total)]
    sums = [number for _total, number in total_steps(rules.bids_at_least_by_total)]
    return [
        (
            "maximum_bid",
            rules.maximum_bid is not None and rules.maximum_bid < rules.minimum_bid,
            N_("The maximum bid can’t be less than the minimum bid."),
        ),
        (
            "maximum_bid",
            (rules.board or 0) > rules.highest_bid,
            N_("With that maximum bid, partners can’t reach the minimum partnership bid."),
        ),
        (
            "maximum_bid",
            not rules.bids_may_equal_tricks
            and rules.nil_points is None
            and rules.highest_bid < rules.tricks
            and max(rules.minimum_bid, *least_values, 0) == rules.highest_bid,
            N_("The last bidder would have no bid left. Allow Nil or a higher bid."),
        ),
        (
            "minimum_by_total",
            max(least_values, default=0) > rules.highest_bid,
            N_("The minimum bid by score can’t be more than the highest bid."),
        ),
        (
            "bids_at_least",
            max(rules.bids_at_least or 0, *sums, 0)
            > min(rules.players) // (2 if rules.bid_by == "side" else 1) * rules.highest_bid,
            N_("All bids together can’t reach that. Choose a smaller total."),
        ),
        (
            "bids_at_least_by_total",
            rules.bids_at_least is None and rules.bids_at_least_by_total is not None,
            N_("A minimum total by score needs a minimum total of bids. Set that first."),
        ),
        (
            "bids_at_least_counts",
            rules.bids_at_least_counts == "values" and rules.call_values is None,
            N_("Adding up what bids are worth needs a table of values. Set that first."),
        ),
    ]


def _endings(rules: RuleValues) -> list[Contradiction]:
    by_sets = rules.sets_lose is not None or rules.sets_in_a_row_lose is not None
    return [
        (
            "target",
            rules.target is None and rules.rounds is None,
            N_("A game needs an end: set a winning score or a number of rounds."),
        ),
        (
            "minimum_rounds",
            rules.minimum_rounds is not None and not by_sets,
            N_("This only delays losing by sets. Set how many sets lose the game first."),
        ),
        (
            "first_round_minimum",
            (rules.first_round_minimum or 0) > rules.tricks,
            N_(
                "The first round can’t require more than {n}, the tricks in a round.",
                "The first round can’t require more than {n}, the tricks in a round.",
                n=rules.tricks,
            ),
        ),
    ]


def _totals(rules: RuleValues) -> list[Contradiction]:
    by_seat = rules.totals_by == "seat"
    return [
        (
            "joins_at",
            rules.joins_at == "lowest" and rules.partnerships,
            N_("With partners, nobody can join during a game."),
        ),
        (
            "totals_by",
            by_seat and not rules.partnerships,
            N_("Without partners every player has a total anyway."),
        ),
        (
            "totals_by",
            by_seat and rules.bag_limit is not None,
            N_("Partners share their bags. Turn the bag limit off, or keep one total per side."),
        ),
        (
            "totals_by",
            by_seat and rules.double_nil_points is not None,
            N_("Double Nil counts for both partners. Turn it off, or keep one total per side."),
        ),
    ]


def _sides(rules: RuleValues) -> list[Contradiction]:
    bid_together, counted_together = rules.bid_by == "side", rules.tricks_by == "side"
    has_nil = rules.nil_points is not None or rules.blind_nil_points is not None
    by_seat = rules.totals_by == "seat"
    return [
        (
            "bid_by",
            bid_together and not rules.partnerships,
            N_("One bid per side needs partnerships."),
        ),
        (
            "bid_by",
            bid_together and by_seat,
            N_("A total for each player needs a bid from each player."),
        ),
        (
            "bid_by",
            bid_together and rules.double_nil_points is not None,
            N_("Double Nil needs a bid from each partner. Turn it off first."),
        ),
        (
            "tricks_by",
            counted_together and not rules.partnerships,
            N_("Counting tricks per side needs partnerships."),
        ),
        (
            "tricks_by",
            counted_together and by_seat,
            N_("A total for each player needs the tricks of each player."),
        ),
        (
            "tricks_by",
            counted_together and has_nil and not bid_together,
            N_("A player’s Nil needs the tricks of each player. Turn Nil off, or bid per side."),
        ),
    ]
