"""Players: statistics, comparison, renaming and merging."""
