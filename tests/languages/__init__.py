"""The languages: what is to be translated, and whether each says all of it."""
