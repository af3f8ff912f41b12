"""Pages of players: ranked, one by one, found, renamed and merged."""
