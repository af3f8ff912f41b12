"""The table of a phone: home page, join links, settings."""
