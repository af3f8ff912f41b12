"""The values of a rule book, each with its range; `RuleSet` sees that they fit one another."""

from dataclasses import dataclass

from scorekeeper.rules.value_kinds import NUMBER, number, optional, steps, switch, word

PACK = 52  # cards; a pack with two jokers leaves out two low cards
MOST_ROUNDS = 200
MOST_MINUTES = 600
LARGEST = 1_000_000  # points; keeps every sum far inside a 64-bit database column


# Values that people play by and that score nothing: games stored without them have the rule book's.
UNSCORED = ("minutes", "rematch_dealer", "trump_lead", "must_trump")


@dataclass(frozen=True, kw_only=True)
class RuleValues:
    """Every value of a rule book; `None` is off.

    A value added later must default to the old behaviour, so that stored games keep their scores.
    """

    key: str
    name: str
    players: tuple[int, ...]
    partnerships: bool = False

    target: int | None = optional(1, LARGEST)
    rounds: int | None = optional(1, MOST_ROUNDS)
    tie_at_limit: str = word("another_round", "fewer_bags", default="another_round")
    minutes: int | None = optional(1, MOST_MINUTES)
    sets_lose: int | None = optional(1, MOST_ROUNDS)
    sets_in_a_row_lose: int | None = optional(2, MOST_ROUNDS)
    minimum_rounds: int | None = optional(2, MOST_ROUNDS)
    first_round_minimum: int | None = optional(1, PACK // 3)
    tricks: int = number(1, PACK // 3)
    trick_points: int = number(0, 1000)
    set_points: int = number(0, 1000)
    failed_bid: str = word("per_trick", "zero", "shortfall", default="per_trick")
    call_values: str | None = steps(f"{NUMBER}-{NUMBER}:{NUMBER}(@{NUMBER})?", "1-6:1,7-13:2")
    nil_points: int | None = optional(1, 1000)
    blind_nil_points: int | None = optional(1, 1000)
    blind_nil_deficit: int | None = optional(1, LARGEST)
    blind_nil_partners: str = word("one", "both", default="both")
    double_nil_points: int | None = optional(1, 1000)
    failed_nil_tricks: str = word("overtricks", "contract", "ignored", default="overtricks")
    overtrick_points: int = number(0, 1000)
    overtrick_cap: int | None = optional(0, 1000)
    bag_limit: int | None = optional(1, 1000)
    bag_penalty: int | None = optional(1, 1000)
    bag_remainder: str = word("dropped", "kept", default="dropped")
    bid_by: str = word("seat", "side", default="seat")
    tricks_by: str = word("seat", "side", default="seat")
    minimum_bid: int = number(1, PACK // 3)
    minimum_by_total: str | None = steps(f"{NUMBER}:{NUMBER}", "30:3,40:4")
    maximum_bid: int | None = optional(1, PACK // 3)
    bids_may_equal_tricks: bool = switch(True)
    bids_at_least: int | None = optional(1, PACK)
    bids_at_least_by_total: str | None = steps(f"{NUMBER}:{NUMBER}", "30:12,40:13")
    bids_at_least_counts: str = word("bids", "values", default="bids")
    board: int | None = optional(1, PACK // 3)
    ten_for: int | None = optional(1, 1000)
    ten_made: int | None = optional(0, 1000)
    ten_failed: int | None = optional(0, 1000)
    boston_made: int | None = optional(0, 1000)
    blind_bid_from: int | None = optional(1, PACK // 3)
    blind_trick_points: int | None = optional(0, 1000)
    blind_set_points: int | None = optional(0, 1000)
    blind_bid_deficit: int | None = optional(1, LARGEST)
    first_round_bids_itself: bool = switch(False)
    mercy: int | None = optional(-LARGEST, -1)
    totals_by: str = word("side", "seat", default="side")
    win_needs_partner: bool = switch(False)
    joins_at: str = word("zero", "lowest", default="zero")
    first_dealer: str = word("last", "random", default="random")
    rematch_dealer: str = word("as_first", "next", default="as_first")
    clockwise: bool = switch(True)
    trump: str = word("spades", "hearts", default="spades")
    trump_lead: str = word("broken", "opening", "anytime", default="broken")
    must_trump: bool = switch(False)
    shown_as: str = word("points", "tenths", default="points")
    negative_doubles: bool = switch(False)

    @property
    def highest_bid(self) -> int:
        """The highest number that a seat may bid."""
        return min(self.tricks, self.maximum_bid or self.tricks)

    @property
    def partners_bid(self) -> bool:
        """Whether both partners of a side make a bid."""
        return self.partnerships and self.bid_by == "seat"
