"""The values of a rule book, each declared once: what it may be, its label, what it needs.

The form, the contradictions, the rules pages and the API document read the declarations.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from scorekeeper.rules.sentence import N_
from scorekeeper.rules.value_kinds import (
    CARDS,
    NUMBER,
    WORTH,
    Declaration,
    Number,
    Sizes,
    Steps,
    Switch,
    Word,
    at_most,
    excludes,
    needs,
    part_of,
    value,
)

PACK = 52  # cards; a pack with two jokers leaves out two low cards
LARGEST_PACK = 108
MOST_CARDS = 26  # of a player
MOST_PLAYERS = 10
MOST_ROUNDS = 200
MOST_MINUTES = 600
LARGEST = 1_000_000  # points; keeps every sum far inside a 64-bit database column

# The groups of the form, in its order.
CONTRACT = N_("Contract")
NIL = N_("Nil")
BAGS = N_("Overtricks and bags")
DEAL = N_("Deal and bidding")
END = N_("End of game")
GROUPS = (CONTRACT, NIL, BAGS, DEAL, END)

NOT_BLIND = N_("Blind bids are off, so this has no effect. Set the lowest blind bid first.")


@dataclass(frozen=True, kw_only=True)
class RuleValues:
    """Every value of a rule book; `None` is off.

    A value added later must default to the old behaviour, so that stored games keep their scores.
    """

    key: str
    name: str
    players: tuple[int, ...] = value(
        Sizes(2, MOST_PLAYERS, "3,4,5"),
        DEAL,
        N_("Numbers of players"),
        about="Numbers of players, of which the pack must be enough for one",
        is_scored=False,
    )
    partnerships: bool = False

    target: int | None = value(
        Number(1, LARGEST, off=True),
        END,
        N_("Winning score"),
        about="Winning score; null where only the rounds end the game",
    )
    rounds: int | None = value(
        Number(1, MOST_ROUNDS, off=True),
        END,
        N_("Rounds per game"),
        about="Rounds until the game ends",
    )
    tie_at_limit: str = value(
        Word(("another_round", "fewer_bags", "exact_bids", "shared")),
        END,
        N_("Tie after the last round"),
        default="another_round",
        about="What happens in a tie after the last round",
    )
    minutes: int | None = value(
        Number(1, MOST_MINUTES, off=True),
        END,
        N_("Minutes on the clock"),
        about="Minutes until the clock proposes the last round",
        is_scored=False,
    )
    sets_lose: int | None = value(
        Number(1, MOST_ROUNDS, off=True),
        END,
        N_("Sets that lose the game"),
        about="Sets in a game that lose it",
    )
    sets_in_a_row_lose: int | None = value(
        Number(2, MOST_ROUNDS, off=True), END, N_("Sets in a row that lose the game")
    )
    minimum_rounds: int | None = value(
        Number(2, MOST_ROUNDS, off=True),
        END,
        N_("Losing by sets starts after round"),
        needs(
            "sets_lose",
            N_("This only delays losing by sets. Set how many sets lose the game first."),
            or_="sets_in_a_row_lose",
        ),
        about="Round before whose end sets lose no game",
    )
    first_round_minimum: int | None = value(
        Number(1, MOST_CARDS, off=True),
        END,
        N_("Tricks needed in round 1"),
        at_most(
            "tricks",
            N_(
                "The first round can’t require more than {n}, the tricks in a round.",
                "The first round can’t require more than {n}, the tricks in a round.",
            ),
        ),
        about="Tricks without which a side loses in round 1",
    )
    tricks: int = value(Number(1, MOST_CARDS), DEAL, N_("Cards per player"))
    cards: str | None = value(
        Steps(CARDS, "10-1,2-10", most=60),
        DEAL,
        N_("Cards in each round"),
        about="Cards of each round, as 10-1,2-10; those that cannot be dealt are left out, and "
        "without a number of rounds the game ends with the list",
    )
    pack: int = value(
        Number(32, LARGEST_PACK),
        DEAL,
        N_("Cards in the deck"),
        default=PACK,
        about="Cards in the pack",
        is_scored=False,
    )
    deal: str = value(
        Word(("reduced", "drawn")),
        DEAL,
        N_("Deal"),
        excludes("cards", N_("Drawn hands always have the same number of cards.")),
        default="reduced",
        about="Whether surplus cards leave the pack, or two players draw their hands from it",
        is_scored=False,
    )
    made: str = value(
        Word(("at_least", "exactly", "below_double")),
        CONTRACT,
        N_("A contract is made by"),
        default="at_least",
        about="When a contract is made: so many tricks or more, exactly, or fewer than twice as "
        "many",
    )
    trick_points: int = value(Number(0, 1000), CONTRACT, N_("Points per trick bid"))
    set_points: int = value(Number(0, 1000), CONTRACT, N_("Lost per trick bid when set"))
    failed_bid: str = value(
        Word(("per_trick", "zero", "shortfall", "difference")),
        CONTRACT,
        N_("Lost when set"),
        default="per_trick",
        about="What a set contract costs: per trick bid, nothing, per missing trick, or per trick "
        "too few or too many",
    )
    made_bonus: int = value(
        Number(0, 1000),
        CONTRACT,
        N_("Points for a made contract"),
        default=0,
        about="What a made contract scores beside its tricks",
        after="trick_points",
    )
    failed_trick_points: int = value(
        Number(0, 1000),
        CONTRACT,
        N_("Points per trick taken when set"),
        default=0,
        about="What each trick taken scores in a set contract",
        after="failed_bid",
    )
    miss_points: int = value(
        Number(0, 1000),
        CONTRACT,
        N_("Flat loss when set"),
        default=0,
        about="What every set contract costs beside its tricks",
        after="failed_bid",
    )
    worth: str | None = value(
        Steps(WORTH, "0:5,10-13:40/40", most=120),
        CONTRACT,
        N_("Bids with a fixed score"),
        about="What certain contracts score made/set, as 0:5,10-13:40/40; 10c is 10 per card, = "
        "only where made exactly, b6 is 6 bid blind",
        after="call_values",
    )
    bonus_counts: str = value(
        Word(("always", "made")),
        CONTRACT,
        N_("Bonus points count"),
        default="always",
        about="Whether points by hand above zero count always, or only if the bid is made",
        after="boston_made",
    )
    call_values: str | None = value(
        Steps(f"{NUMBER}-{NUMBER}:{NUMBER}(@{NUMBER})?", "1-6:1,7-13:2"),
        CONTRACT,
        N_("Bids worth double or more"),
        about="How often a bid counts, as 1-6:1,7-13:2; with @30 from a total of 30 on",
    )
    nil_points: int | None = value(Number(1, 1000, off=True), NIL, NIL)
    blind_nil_points: int | None = value(
        Number(1, 1000, off=True),
        NIL,
        N_("Blind Nil"),
        part_of("nil_points", N_("Blind Nil needs Nil. Turn Nil on first.")),
    )
    blind_nil_deficit: int | None = value(
        Number(1, LARGEST, off=True),
        NIL,
        N_("Blind Nil only when behind by"),
        part_of(
            "blind_nil_points",
            N_("Blind Nil is off, so a required deficit has no effect. Turn blind Nil on first."),
        ),
        about="Blind Nil only when trailing by",
    )
    nil_failed: int | None = value(
        Number(0, 1000, off=True),
        NIL,
        N_("Different loss for a failed Nil"),
        part_of("nil_points", N_("A failed Nil costs nothing without Nil. Turn Nil on first.")),
        about="What a failed Nil costs; null where it is what it scores",
        after="nil_points",
    )
    blind_nil_failed: int | None = value(
        Number(0, 1000, off=True),
        NIL,
        N_("Different loss for a failed blind Nil"),
        part_of(
            "blind_nil_points",
            N_("Blind Nil is off, so a failed one costs nothing. Turn blind Nil on first."),
        ),
        about="What a failed blind Nil costs; null where it is what it scores",
        after="blind_nil_points",
    )
    blind_nil_partners: str = value(
        Word(("one", "both")),
        NIL,
        N_("Partners allowed to bid blind Nil"),
        default="both",
        about="Partners who may bid blind Nil",
        is_for_partners=True,
    )
    double_nil_points: int | None = value(
        Number(1, 1000, off=True),
        NIL,
        N_("Double Nil (both partners)"),
        needs("partnerships", N_("Double Nil needs partnerships.")),
        part_of("nil_points", N_("Double Nil needs Nil. Turn Nil on first.")),
        about="Double Nil",
    )
    failed_nil_tricks: str = value(
        Word(("overtricks", "contract", "ignored")),
        NIL,
        N_("Tricks from a failed Nil"),
        default="overtricks",
    )
    overtrick_points: int = value(Number(-1000, 1000), BAGS, N_("Points per overtrick"))
    overtrick_cap: int | None = value(
        Number(0, 1000, off=True), BAGS, N_("Max overtrick points per round")
    )
    bag_limit: int | None = value(
        Number(1, 1000, off=True),
        BAGS,
        N_("Bags per penalty"),
        needs("bag_penalty", N_("A bag limit needs a penalty. Set one, or turn the limit off.")),
        pair="bag_penalty",
    )
    bag_penalty: int | None = value(
        Number(1, 1000, off=True),
        BAGS,
        N_("Bag penalty"),
        part_of(
            "bag_limit", N_("A bag penalty needs a bag limit. Set one, or turn the penalty off.")
        ),
        pair="bag_limit",
    )
    bag_remainder: str = value(
        Word(("dropped", "kept")),
        BAGS,
        N_("After penalty"),
        default="dropped",
        about="Bags after a penalty",
    )
    bid_by: str = value(
        Word(("seat", "side")),
        DEAL,
        N_("One bid per"),
        needs("partnerships", N_("One bid per side needs partnerships.")),
        excludes("totals_by", N_("A total for each player needs a bid from each player.")),
        excludes(
            "double_nil_points", N_("Double Nil needs a bid from each partner. Turn it off first.")
        ),
        default="seat",
        about="Who bids: every seat, or a side once, at the first of its seats",
        pair="tricks_by",
    )
    tricks_by: str = value(
        Word(("seat", "side")),
        DEAL,
        N_("Tricks counted per"),
        needs("partnerships", N_("Counting tricks per side needs partnerships.")),
        excludes("totals_by", N_("A total for each player needs the tricks of each player.")),
        default="seat",
        about="Whose tricks are counted: a seat's, or a side's, at the first of its seats",
    )
    lost_tricks: int = value(
        Number(0, MOST_CARDS),
        DEAL,
        N_("Tricks that may go to nobody"),
        at_most(
            "tricks",
            N_(
                "No more than {n}, the tricks in a round, can go to nobody.",
                "No more than {n}, the tricks in a round, can go to nobody.",
            ),
        ),
        default=0,
        about="How many tricks of a round may be nobody's",
    )
    minimum_bid: int = value(
        Number(0, MOST_CARDS),
        DEAL,
        N_("Minimum bid"),
        at_most(
            "tricks",
            N_(
                "The minimum bid can’t be more than {n}, the tricks in a round.",
                "The minimum bid can’t be more than {n}, the tricks in a round.",
            ),
        ),
    )
    minimum_by_total: str | None = value(
        Steps(f"{NUMBER}:{NUMBER}", "30:3,40:4"),
        DEAL,
        N_("Minimum bid by score"),
        about="Minimum bid from a total on, as 30:3,40:4",
    )
    maximum_bid: int | None = value(
        Number(1, MOST_CARDS, off=True), DEAL, N_("Maximum bid"), about="Highest bid"
    )
    bids_may_equal_tricks: bool = value(
        Switch(), DEAL, N_("Bids can total the tricks"), default=True
    )
    hook_from: int = value(
        Number(1, MOST_CARDS),
        DEAL,
        N_("Cards from which the last bidder is bound"),
        needs(
            "bids_may_equal_tricks",
            N_("Bids can total the tricks here, so nobody is bound. Turn that off first."),
        ),
        default=1,
        about="Cards from which bids must not total the tricks",
    )
    bids_at_least: int | None = value(
        Number(1, PACK, off=True),
        DEAL,
        N_("Minimum total of all bids"),
        about="Sum of all bids below which the cards are dealt again",
    )
    bids_at_least_by_total: str | None = value(
        Steps(f"{NUMBER}:{NUMBER}", "30:12,40:13"),
        DEAL,
        N_("Minimum total by score"),
        part_of(
            "bids_at_least",
            N_("A minimum total by score needs a minimum total of bids. Set that first."),
        ),
        about="The same from a total on, as 30:12,40:13",
    )
    bids_at_least_counts: str = value(
        Word(("bids", "values")),
        DEAL,
        N_("Counted in that total"),
        needs(
            "call_values",
            N_("Adding up what bids are worth needs a table of values. Set that first."),
        ),
        default="bids",
        about="Whether bids or what they are worth are added up",
    )
    board: int | None = value(
        Number(1, MOST_CARDS, off=True),
        CONTRACT,
        N_("Minimum partnership bid"),
        needs(
            "partnerships",
            N_(
                "The minimum partnership bid needs partnerships. For single players, "
                "use the minimum bid."
            ),
        ),
        at_most(
            "tricks",
            N_(
                "The minimum partnership bid can’t be more than {n}, the tricks in a round.",
                "The minimum partnership bid can’t be more than {n}, the tricks in a round.",
            ),
        ),
        after="boston_made",
    )
    ten_for: int | None = value(
        Number(1, 1000, off=True), CONTRACT, N_("Points per trick, contract of 10 or more")
    )
    ten_made: int | None = value(
        Number(0, 1000, off=True),
        CONTRACT,
        N_("Contract of 10 or more made"),
        excludes(
            "ten_for",
            N_("A contract of 10 or more scores either a flat value or points per trick."),
        ),
        about="Contract of 10 or more made: points in all",
    )
    ten_failed: int | None = value(
        Number(0, 1000, off=True),
        CONTRACT,
        N_("Contract of 10 or more set"),
        about="Contract of 10 or more set: points lost in all",
    )
    boston_made: int | None = value(
        Number(0, 1000, off=True),
        CONTRACT,
        N_("All tricks bid and taken"),
        about="All tricks bid and taken: points in all",
    )
    blind_bid_from: int | None = value(
        Number(1, MOST_CARDS, off=True),
        CONTRACT,
        N_("Lowest blind bid of a number"),
        at_most("highest_bid", N_("The lowest blind bid can’t be more than the highest bid.")),
        about="Lowest number that can be bid blind",
    )
    blind_trick_points: int | None = value(
        Number(0, 1000, off=True),
        CONTRACT,
        N_("Points per trick bid blind"),
        part_of("blind_bid_from", NOT_BLIND),
        about="Points per trick bid blind in a made contract",
    )
    blind_set_points: int | None = value(
        Number(0, 1000, off=True),
        CONTRACT,
        N_("Lost per trick bid blind when set"),
        part_of("blind_bid_from", NOT_BLIND),
        about="Points lost per trick bid blind in a set contract",
    )
    blind_bid_deficit: int | None = value(
        Number(1, LARGEST, off=True),
        CONTRACT,
        N_("Blind bids only when behind by"),
        part_of("blind_bid_from", NOT_BLIND),
        about="Blind bids of a number only when trailing by",
    )
    first_round_bids_itself: bool = value(
        Switch(), DEAL, N_("No bidding in round 1"), default=False
    )
    mercy: int | None = value(
        Number(-LARGEST, -1, off=True), END, N_("Losing score"), after="minutes"
    )
    totals_by: str = value(
        Word(("side", "seat")),
        END,
        N_("Partners’ totals kept per"),
        needs("partnerships", N_("Without partners every player has a total anyway.")),
        excludes(
            "bag_limit",
            N_("Partners share their bags. Turn the bag limit off, or keep one total per side."),
        ),
        excludes(
            "double_nil_points",
            N_("Double Nil counts for both partners. Turn it off, or keep one total per side."),
        ),
        default="side",
        about="Whose totals are kept",
    )
    win_needs_partner: bool = value(
        Switch(),
        END,
        N_("Winner’s partner can’t be below zero"),
        needs(
            "totals_by",
            N_("Winning depends on the partner’s total only where each player has a total."),
        ),
        default=False,
        about="A winner’s partner must not be below zero",
        is_for_partners=True,
    )
    partner_least: int = value(
        Number(0, LARGEST),
        END,
        N_("Points the winner’s partner needs"),
        needs(
            "win_needs_partner",
            N_("The partner’s score doesn’t matter here. Turn on that it does first."),
        ),
        default=0,
        about="The total that a winner's partner must have",
        is_for_partners=True,
    )
    joins_at: str = value(
        Word(("zero", "lowest")),
        END,
        N_("A player who joins starts with"),
        excludes("partnerships", N_("With partners, nobody can join during a game.")),
        default="zero",
        about="The total with which a player who joins starts",
    )
    first_dealer: str = value(Word(("last", "random")), DEAL, N_("First dealer"), default="random")
    rematch_dealer: str = value(
        Word(("as_first", "next")),
        DEAL,
        N_("Dealer of a rematch"),
        default="as_first",
        about="Dealer of a rematch: chosen as in a first game, or the next in turn",
        is_scored=False,
    )
    clockwise: bool = value(
        Switch(), DEAL, N_("Clockwise"), default=True, about="Direction of deal, bids and play"
    )
    trump: str = value(
        Word(("spades", "hearts", "turned", "in_order")),
        DEAL,
        N_("Trump"),
        default="spades",
        about="Trump: a suit, that of a card turned after the deal, or another one each round",
    )
    trump_order: str | None = value(
        Steps("[sdchn]", "s,d,c,h", most=20),
        DEAL,
        N_("Trump round by round"),
        needs("trump", N_("Trump doesn’t change here. Let it change round by round first.")),
        about="Trump of each round, over and over, as s,d,c,h; n is no trump",
        after="trump",
        pair="trump",
        is_scored=False,
    )
    trump_lead: str = value(
        Word(("broken", "opening", "anytime")),
        DEAL,
        N_("Leading trumps"),
        default="broken",
        about="When trumps may be led",
        is_scored=False,
    )
    must_trump: bool = value(
        Switch(),
        DEAL,
        N_("Must trump if unable to follow"),
        default=False,
        about="Whoever cannot follow suit must beat the trick with a trump",
        is_scored=False,
    )
    shown_as: str = value(
        Word(("points", "tenths")),
        END,
        N_("Scores shown in"),
        default="points",
        about="How people see points; here they are whole numbers",
    )
    negative_doubles: bool = value(
        Switch(),
        END,
        N_("Below zero pays double"),
        default=False,
        about="Below zero the stake counts twice",
    )
    stake_by: str = value(
        Word(("winner", "points", "rank")),
        END,
        N_("Stakes go by"),
        default="winner",
        about="Whether the winner takes the pot, or stakes are paid by points or by place",
        is_scored=False,
    )


DECLARED: Mapping[str, Declaration] = {
    spec.name: spec.metadata["declared"] for spec in fields(RuleValues) if spec.metadata
}
# Values that people play by and that score nothing: games stored without them have the rule book's.
UNSCORED = tuple(name for name, declared in DECLARED.items() if not declared.is_scored)
# Values that are set together with another.
PAIRED = {name: declared.pair for name, declared in DECLARED.items() if declared.pair}
