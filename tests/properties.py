"""How property tests run: the same examples every time, or a long search among new ones.

Plain `pytest` tries the same examples in every run, so that a failure is the fault of a change.
`pytest -m hypothesis --hypothesis-profile=search` tries a hundred times as many, others each time.
"""

from hypothesis import settings

SEARCH = 100  # times as many examples
settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.register_profile("search", derandomize=False, deadline=None, print_blob=True)
settings.load_profile("fixed")


def examples(count: int, **more: object) -> settings:
    """Return the settings of a test that tries so many examples, without a limit of time."""
    times = 1 if settings().derandomize else SEARCH
    return settings(max_examples=count * times, **more)  # type: ignore[arg-type]
