"""Import and export: games as CSV and as JSON files."""
