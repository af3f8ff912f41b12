"""Statistics: one result row per round and seat, totals and streaks derived from them."""
