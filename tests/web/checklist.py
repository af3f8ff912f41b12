"""What holds for every address that changes a game: a test class of an address inherits it."""

from typing import Any, ClassVar

import pytest

from tests.web.play import Table, page_of


class Checklist:
    """The usual questions to an address; `address` and `fields` describe one good request."""

    __test__ = False
    fields: ClassVar[dict[str, Any]] = {}

    @pytest.fixture
    def ready(self, game: Table) -> Table:
        """The game at a point where the request would change something."""
        return game

    def address(self, table: Table) -> str:
        """Where the request goes."""
        raise NotImplementedError

    def request(self, table: Table) -> dict[str, Any]:
        """Return the good request's fields as a page drawn now would send them."""
        return table.fresh(**self.fields)

    def test_a_good_request_changes_the_game(self, ready: Table) -> None:
        before = ready.everything()
        assert ready.post(self.address(ready), self.request(ready)).status_code == 303
        assert ready.everything() != before

    def test_the_same_request_sent_again_changes_nothing_more(self, ready: Table) -> None:
        address, fields = self.address(ready), self.request(ready)
        ready.post(address, fields)
        after_one = ready.everything()
        ready.post(address, fields)
        assert ready.everything() == after_one

    def test_it_refuses_a_missing_token_with_a_sentence(self, ready: Table) -> None:
        before = ready.everything()
        answer = ready.post(self.address(ready), self.request(ready) | {"csrf_token": None})
        assert answer.status_code == 400
        assert "load the page again" in page_of(answer).alerts
        assert ready.everything() == before

    def test_it_refuses_the_token_of_another_phone(self, ready: Table) -> None:
        token, before = ready.second_phone().token(), ready.everything()
        answer = ready.post(self.address(ready), self.request(ready) | {"csrf_token": token})
        assert answer.status_code == 400
        assert ready.everything() == before

    @pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH"])
    def test_no_other_method_changes_anything(self, ready: Table, method: str) -> None:
        address, fields = self.address(ready), self.request(ready)
        before = ready.everything()
        ready.client.open(address, method=method, data=fields)
        assert ready.everything() == before

    @pytest.mark.parametrize("unknown", ["0000000000", "x" * 400, "%00", "None"])
    def test_an_unknown_game_is_404(self, ready: Table, unknown: str) -> None:
        address = self.address(ready).replace(ready.game_id, unknown)
        answer = ready.post(address, self.request(ready))
        assert answer.status_code == 404
        assert "no such page" in page_of(answer).alerts

    def test_the_game_of_another_table_is_404(self, ready: Table) -> None:
        address, fields, before = self.address(ready), self.request(ready), ready.game
        guest = Table(ready.app)
        guest.join()
        answer = guest.post(address, fields | {"csrf_token": guest.token()})
        assert answer.status_code == 404
        assert ready.game == before

    def test_for_a_phone_that_has_not_joined_it_is_404(self, ready: Table) -> None:
        address, fields, before = self.address(ready), self.request(ready), ready.game
        stranger = Table(ready.app)
        answer = stranger.post(address, fields | {"csrf_token": stranger.token()})
        assert answer.status_code == 404
        assert ready.game == before


class VersionChecklist(Checklist):
    """What holds besides where the request names the version of the game it was made on."""

    __test__ = False

    @pytest.mark.parametrize(
        "version",
        [None, "", "x", "-1", "1.0", "٣", "1_0", "9" * 400],
        ids=["missing", "empty", "letters", "below", "broken", "foreign", "underscore", "endless"],
    )
    def test_it_refuses_a_malformed_version(self, ready: Table, version: str | None) -> None:
        before = ready.everything()
        answer = ready.post(self.address(ready), self.request(ready) | {"version": version})
        assert answer.status_code == 400
        assert "must be a whole number" in page_of(answer).alerts
        assert ready.everything() == before
