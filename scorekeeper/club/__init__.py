"""Club nights: an evening of many tables, paired match by match.

A *match* is one game of the evening, a *round* one deal of it, as in the rules. The events of an
evening are its facts; `night` folds them, and everything else is derived from what it folds.
"""
