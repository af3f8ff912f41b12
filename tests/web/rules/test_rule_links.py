"""Rules as a link: whoever opens it reads them, and any table can keep and play them."""

from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from hypothesis import HealthCheck, given

from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import RuleSet, house_rules
from scorekeeper.store.tables import list_saved_rules
from scorekeeper.web.rules import LONGEST, to_query
from tests.conftest import LAN
from tests.properties import examples
from tests.rules.test_properties import rule_sets
from tests.web.play import EAST, NORTH, SOUTH, WEST, Table, page_of
from tests.web.visitors import VISITORS, Visitors

FRIDAY = {"rules": "cutthroat-lite", "overtrick_points": "0", "name": "Friday rules"}
FOUR = {f"player-{seat}": name for seat, name in enumerate((NORTH, EAST, SOUTH, WEST), 1)}


def link(**sent: str) -> str:
    return "/rules/link?" + urlencode(FRIDAY | sent)


def test_a_stranger_reads_the_rules_and_their_examples(stranger: Table) -> None:
    page = stranger.page(link())
    assert page.texts("h1") == ["Friday rules"]
    assert (page.texts("dt")[4], page.texts("dd")[4]) == ("Each overtrick", "0")
    assert "2 overtricks: 0" in page.text
    assert "0 house rule; usually 1" in page.texts("td")
    assert page.forms() == []


def test_everybody_reads_the_same_and_nothing_of_a_table(stranger: Table) -> None:
    visitors = Visitors(stranger.app)
    answers = {who: visitors.phones[who].get(link()) for who in VISITORS}
    assert {answer.status_code for answer in answers.values()} == {200}
    strangers = {answers[who].text for who in ("nobody", "ended", "watch", "bearer")}
    assert len(strangers) == 1
    without = [who for who in VISITORS if who not in ("phone", "guest")]
    assert [who for who in without if page_of(answers[who]).forms()] == []


def test_a_link_leads_to_the_very_same_rules(table: Table) -> None:
    table.new_game("partnership", target=300, board=4, bag_limit=5, bag_penalty=50)
    sent = [a.get("href", "") for a in table.page(f"{table.path}/rules").all("a[@href]")]
    (path,) = [href for href in sent if href.startswith("/rules/link?")]
    shown = table.page(path).texts("td")
    assert shown == table.page(f"{table.path}/rules").texts("td")


def test_the_page_of_a_rule_book_leads_to_its_link(stranger: Table) -> None:
    page = stranger.page("/rules/cutthroat")
    assert "/rules/link?rules=cutthroat" in [a.get("href") for a in page.all("a[@href]")]


def test_the_link_stands_on_its_page_to_be_sent_on(stranger: Table) -> None:
    page = stranger.page(link())
    (shown,) = page.texts("p[@class='link-text']")
    assert shown.startswith(f"http://{LAN}/rules/link?")
    assert dict(parse_qsl(urlsplit(shown).query)) == FRIDAY
    assert page.all("div[@role='img']")


def test_a_keeper_of_another_table_keeps_them_with_one_tap(table: Table) -> None:
    answer = table.send(table.page(link()).form("keep"))
    assert answer.status_code == 303
    (saved,) = list_saved_rules(table.store.db, table.id)
    assert answer.location == f"/rules/{saved.id}"
    assert saved.rules.name == "Friday rules"
    assert house_rules(PRESETS["cutthroat-lite"], saved.rules) == {"overtrick_points": "0"}


def test_a_name_the_table_has_for_others_asks_for_another(table: Table) -> None:
    table.send(table.page(link()).form("keep"))
    answer = table.send(table.page(link(target="99")).form("keep"))
    assert answer.status_code == 422
    page = page_of(answer)
    assert "already has rules with that name" in page.error_of("name")
    fields = page.form("house-rules").fields
    assert (fields["target"], fields["overtrick_points"]) == ("99", "0")


def test_they_can_be_played_at_once(table: Table) -> None:
    page = table.page(link(first_dealer="random"))
    (path,) = [a.get("href", "") for a in page.all("a[@href]") if "/games/new" in a.get("href", "")]
    answer = table.send(table.page(path).form("new-game"), **FOUR)
    assert answer.status_code == 303
    table.game_id = answer.location.rpartition("/")[2]
    assert table.game.rules.overtrick_points == 0


def test_they_can_be_changed_before_they_are_kept(table: Table) -> None:
    path = "/rules/new?" + urlencode({"rules": "cutthroat-lite", "target": "99"})
    unnamed = table.page("/rules/link?rules=cutthroat-lite&target=99")
    assert path in [a.get("href") for a in unnamed.all("a[@href]")]
    assert table.page(path).form("house-rules").fields["target"] == "99"


# What no link of ours holds

MALFORMED = {
    "a value nobody knows": "rules=cutthroat&jokers=2",
    "a value said twice": "rules=cutthroat&target=99&target=98",
    "a rule book twice": "rules=cutthroat&rules=cutthroat",
    "no end": "rules=cutthroat&name=" + "E" * LONGEST,
    "many values": "&".join(f"x{n}=1" for n in range(250)),
}
NOT_PLAYED = {
    "nothing": "",
    "unknown rules": "target=99",
    "a rule book nobody knows": "rules=poker",
    "letters": "rules=cutthroat&target=lots",
    "nothing said": "rules=cutthroat&target=",
    "foreign digits": "rules=cutthroat&target=%D9%A2",
    "a contradiction": "rules=cutthroat&bag_penalty=off",
    "a board without partners": "rules=cutthroat&board=4",
    "no name": "rules=cutthroat&name=",
    "a hidden name": "rules=cutthroat&name=%E2%80%AEabc",
    "a long name": "rules=cutthroat&name=" + "E" * 41,
}


@pytest.mark.parametrize("query", MALFORMED.values(), ids=MALFORMED.keys())
def test_a_malformed_link_is_refused_with_a_sentence(still: Table, query: str) -> None:
    answer = still.get(f"/rules/link?{query}")
    assert answer.status_code == 400
    assert "link" in page_of(answer).alerts


@pytest.mark.parametrize("query", NOT_PLAYED.values(), ids=NOT_PLAYED.keys())
def test_rules_that_cannot_be_played_are_refused_with_the_reason(still: Table, query: str) -> None:
    answer = still.get(f"/rules/link?{query}")
    assert answer.status_code == 422
    assert "link" in page_of(answer).alerts


def test_a_refusal_names_the_value_as_pages_do(still: Table) -> None:
    answer = still.get("/rules/link?rules=cutthroat&target=x")
    alerts = page_of(answer).alerts
    assert "“Winning score” must be a whole number from 1 to 1000000, or off." in alerts


@given(rules=rule_sets())
@examples(20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_rules_fit_into_a_link(still: Table, rules: RuleSet) -> None:
    query = urlencode(to_query(rules) | {"name": "א" * 40})
    assert len(query) <= LONGEST
    page = still.page(f"/rules/link?{query}")
    expected = {name: str(text) for name, text in to_query(rules).items()}
    assert page.form("keep").fields.items() >= expected.items()
