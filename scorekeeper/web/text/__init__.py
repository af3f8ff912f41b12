"""Formatting of numbers, dates, sentences and rule values for display."""
