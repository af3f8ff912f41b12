"""How many examples tests try: few in plain runs, more on demand.

Plain `pytest` tries the same few examples in every run, so that a failure is the fault of a change.
`pytest -m hypothesis --hypothesis-profile=search` tries some seven hundred times as many, others
each time.
"""

import pytest
from hypothesis import settings

PLAIN, SEARCH = 15, 10_000  # examples of a test that names no number
settings.register_profile(
    "plain", max_examples=PLAIN, derandomize=True, deadline=None, database=None
)
settings.register_profile("search", max_examples=SEARCH, deadline=None, print_blob=True)
settings.load_profile("plain")


def examples(count: int, **more: object) -> settings:
    """Return the settings of a test that tries `count` examples where others try a hundred."""
    return settings(max_examples=max(1, count * settings().max_examples // 100), **more)


def counts(name: str, plain: int, full: int) -> pytest.MarkDecorator:
    """Run a test with an argument that is small in plain runs, and once more with a large one."""
    return pytest.mark.parametrize(name, [plain, pytest.param(full, marks=pytest.mark.slow)])
