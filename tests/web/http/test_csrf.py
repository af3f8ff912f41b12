"""A form is accepted only with this phone's CSRF token, in the cache or not."""

import re

import pytest

from tests.web.play import Table, page_of


def test_a_token_that_is_no_longer_cached_is_still_accepted(game: Table) -> None:
    form = game.round_form()
    game.app.extensions["signed_tokens"][game.session["csrf_token"]] = "signed later"
    assert game.send(form, **{"bid-1": 3}).status_code == 303
    assert 3 in game.state.open.bids


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


def test_a_page_carries_one_token_as_long_as_the_phone_stays_joined(game: Table) -> None:
    pages = [game.get(path).text for path in (game.path, "/games/new", f"{game.path}/share")]
    carried = {
        token for page in pages for token in re.findall(r'csrf_token"? value="([^"]+)', page)
    }
    assert len(carried) == 1
