"""The history of a table: search, import, export."""
