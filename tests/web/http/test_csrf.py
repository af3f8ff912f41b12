"""A form is accepted only with this phone's CSRF token."""

import pytest

from tests.web.play import Table, page_of


@pytest.mark.parametrize(
    "token",
    [None, "", "x", "Ünsinn ♠", "\x00", "3" * 5000],
    ids=["none", "empty", "short", "not ASCII", "nothing to see", "long"],
)
def test_any_other_token_is_refused_and_says_what_to_do(game: Table, token: str | None) -> None:
    form = game.round_form()
    answer = game.send(form, **{"bid-1": 3, "csrf_token": token})
    assert answer.status_code == 400
    assert page_of(answer).alerts
    assert set(game.state.open.bids) == {None}


def test_another_phone_s_token_is_refused(game: Table) -> None:
    other = game.second_phone()
    theirs = other.round_form()
    assert game.send(theirs, **{"bid-1": 3}).status_code == 400
    assert set(game.state.open.bids) == {None}
    assert other.send(theirs, **{"bid-1": 3}).status_code == 303
