"""A game: starting it, its page, rounds, the result, live updates."""
