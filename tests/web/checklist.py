"""What holds for every address that changes a game: a test class of an address inherits it."""

from typing import Any, ClassVar

import pytest

from tests.web.play import Table, page_of


class Checklist:
    """Tests of an address; `address` and `fields` describe one valid request."""

    __test__ = False
    fields: ClassVar[dict[str, Any]] = {}

    @classmethod
    def prepare(cls, table: Table) -> None:
        """Bring a game to the point where the request would change something."""

    @pytest.fixture
    def ready(self, game: Table) -> Table:
        """A game at that point, to be changed."""
        self.prepare(game)
        return game

    @pytest.fixture(scope="class")
    @classmethod
    def refusing(cls, still: Table) -> Table:
        """A game at that point, shared by the tests that must not change it."""
        table = still.second_phone()
        table.new_game(stake=1)
        cls.prepare(table)
        return table

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

    def test_it_refuses_a_missing_token_with_a_sentence(self, refusing: Table) -> None:
        before = refusing.everything()
        answer = refusing.post(
            self.address(refusing), self.request(refusing) | {"csrf_token": None}
        )
        assert answer.status_code == 400
        assert "reload it and try again" in page_of(answer).alerts
        assert refusing.everything() == before

    def test_it_refuses_the_token_of_another_phone(self, refusing: Table) -> None:
        token, before = refusing.second_phone().token(), refusing.everything()
        answer = refusing.post(
            self.address(refusing), self.request(refusing) | {"csrf_token": token}
        )
        assert answer.status_code == 400
        assert refusing.everything() == before

    def test_no_other_method_changes_anything(self, refusing: Table) -> None:
        address, fields = self.address(refusing), self.request(refusing)
        before = refusing.everything()
        for method in ("GET", "HEAD", "PUT", "DELETE", "PATCH"):
            refusing.client.open(address, method=method, data=fields)
            assert refusing.everything() == before, method

    def test_an_unknown_game_is_404(self, refusing: Table) -> None:
        address, fields = self.address(refusing), self.request(refusing)
        for unknown in ("0000000000", "x" * 400, "%00"):
            answer = refusing.post(address.replace(refusing.game_id, unknown), fields)
            assert answer.status_code == 404
            assert "We can’t find this page" in page_of(answer).alerts

    def test_the_game_of_another_table_is_404(self, refusing: Table) -> None:
        address, fields, before = self.address(refusing), self.request(refusing), refusing.game
        guest = Table(refusing.app)
        guest.join()
        answer = guest.post(address, fields | {"csrf_token": guest.token()})
        assert answer.status_code == 404
        assert refusing.game == before

    def test_for_a_phone_that_has_not_joined_it_is_404(self, refusing: Table) -> None:
        address, fields, before = self.address(refusing), self.request(refusing), refusing.game
        stranger = Table(refusing.app)
        answer = stranger.post(address, fields | {"csrf_token": stranger.token()})
        assert answer.status_code == 404
        assert refusing.game == before


class VersionChecklist(Checklist):
    """What holds besides where the request names the version of the game it was made on."""

    __test__ = False

    def test_it_refuses_a_malformed_version(self, refusing: Table) -> None:
        address, fields = self.address(refusing), self.request(refusing)
        before = refusing.everything()
        for version in (None, "", "x", "-1", "1.0", "٣", "1_0", "9" * 400):
            answer = refusing.post(address, fields | {"version": version})
            assert answer.status_code == 400, version
            assert "must be a whole number" in page_of(answer).alerts
        assert refusing.everything() == before
