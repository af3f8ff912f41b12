"""Scoring on the phone: the same examples and random games through both engines."""
