"""Text as people read it: numbers, dates, sentences, rule values."""
