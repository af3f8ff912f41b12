"""Scoring without a server: the app shell, snapshots, and the sync of what was entered."""
