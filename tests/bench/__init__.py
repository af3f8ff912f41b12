"""How fast it is, as ratios to the best that the same machine does in the same run.

    python -m tests.bench [ROW ...] [--quick]

Nothing here is a test: no figure fails anything, since machines differ and have other things to do.
"""
