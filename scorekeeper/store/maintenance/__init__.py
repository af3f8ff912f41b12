"""Checks that prove a database intact, restore from a backup, and health for monitoring."""
