"""The rules of the game: which bids are legal, what a round scores, who has won.

Only the standard library is used here; there is no clock, no randomness, no input and no output.
Start with `ruleset` (the values of a rule book), then `bidding`, `scoring` and `game`.
"""
