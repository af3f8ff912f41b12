"""Of one visitor's requests a few are answered at a time, and those of others meanwhile."""

import threading

import pytest

from scorekeeper.store.connection import StoreBusy
from scorekeeper.web.http import crowds
from scorekeeper.web.http.crowds import AT_ONCE, Crowds


def test_others_come_in_while_one_visitor_waits() -> None:
    places, done = Crowds(), threading.Event()
    for _ in range(AT_ONCE):
        places.enter("a phone")
    waiting = threading.Thread(target=lambda: (places.enter("a phone"), done.set()))
    waiting.start()
    places.enter("another phone")
    assert not done.is_set()
    places.leave("a phone")
    waiting.join()
    assert done.is_set()


def test_who_waits_too_long_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowds, "PATIENCE", 0.01)
    places = Crowds()
    for _ in range(AT_ONCE):
        places.enter("a phone")
    with pytest.raises(StoreBusy, match="one visitor"):
        places.enter("a phone")
    places.leave("a phone")
    places.enter("a phone")
