"""Rules of the table's own: made from a rule book, named, kept, changed, chosen, removed."""

import io
from dataclasses import replace
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import HOUSE_RULES, house_rules
from scorekeeper.store.tables import MAX_SAVED_RULES, SavedRules, list_saved_rules
from scorekeeper.web.text.rule_books import value_groups
from tests.properties import examples
from tests.web.page import Page, text_of
from tests.web.play import EAST, NORTH, PLAYERS, SOUTH, WEST, Table, page_of

FRIDAY = "Friday rules"
FOUR = {f"player-{seat}": name for seat, name in enumerate((NORTH, EAST, SOUTH, WEST), 1)}


def make(table: Table, name: str = FRIDAY, rules: str = "cutthroat-lite", **values: object) -> str:
    """Keep rules and return their address."""
    form = table.page(f"/rules/new?rules={rules}").form("house-rules")
    answer = table.send(form, name=name, **values)
    assert answer.status_code == 303, page_of(answer).text
    return str(answer.location)


def ours(table: Table) -> list[SavedRules]:
    return list_saved_rules(table.store.db, table.id)


def told(page: Page, name: str) -> str:
    """Return what is said beside a field."""
    return " ".join(page.texts(f"div[@id='{name}-help']"))


# Making


@pytest.mark.parametrize("key", PRESETS)
def test_a_rule_book_stands_in_the_fields_to_start_from(table: Table, key: str) -> None:
    page = table.page(f"/rules/new?rules={key}")
    fields = page.form("house-rules").fields
    names = [name for _, group in value_groups(PRESETS[key]) for name in group]
    assert set(names) <= set(fields)
    assert table.send(page.form("house-rules"), name=FRIDAY).status_code == 303
    assert house_rules(PRESETS[key], ours(table)[0].rules) == {}


@pytest.mark.parametrize(("rules", "is_on"), [("cutthroat-lite", True), ("cutthroat", False)])
def test_yes_or_no_is_a_switch_that_says_no_while_it_is_off(
    still: Table, rules: str, is_on: bool
) -> None:
    path = "input[@name='bids_may_equal_tricks']"
    switch, off = still.page(f"/rules/new?rules={rules}").all(path)
    assert (switch.get("role"), "checked" in switch.attrib) == ("switch", is_on)
    assert (off.get("type"), off.get("value")) == ("hidden", "no")


def test_every_value_stands_in_one_group() -> None:
    names = [name for _, group in value_groups() for name in group]
    missing = sorted(HOUSE_RULES.keys() - set(names))
    assert not missing, f"declare one of GROUPS for {missing} in rules/values.py"
    assert len(set(names)) == len(names)


def test_each_field_says_what_the_book_says(still: Table) -> None:
    labels = still.page("/rules/new?rules=cutthroat-lite").texts("label")
    assert "Bags per penalty usually 6" in labels
    assert "Losing score usually off" in labels


def test_what_is_changed_means_something_on_a_hand(still: Table) -> None:
    before = still.everything()
    page = still.page("/rules/new?rules=cutthroat-lite&overtrick_points=0&minimum_bid=3")
    assert told(page, "overtrick_points") == (
        "bid 3, took 5: 32 → 30 usually: 2 overtricks: +2 here: 2 overtricks: 0"
    )
    assert told(page, "minimum_bid") == (
        "usually: Bid how many tricks you’ll take, 1 to 10, or Nil: none. "
        "here: Bid how many tricks you’ll take, 3 to 10, or Nil: none."
    )
    assert told(page, "bag_limit") == ""
    assert still.everything() == before


def test_a_number_below_zero_can_be_typed_on_a_phone(still: Table) -> None:
    page = still.page("/rules/new?rules=cutthroat-lite&overtrick_points=-1")
    numeric = [field.get("name") for field in page.all("input[@inputmode='numeric']")]
    assert "tricks" in numeric
    assert "overtrick_points" not in numeric  # such keyboards have no minus
    assert "2 overtricks: −2" in told(page, "overtrick_points")


def test_a_rule_without_a_sentence_shows_its_value(still: Table) -> None:
    page = still.page("/rules/new?rules=partnership&trump_lead=opening&negative_doubles=yes")
    assert told(page, "trump_lead") == (
        "usually: once broken here: The first card of the round can be any card, even a trump."
    )
    assert told(page, "negative_doubles") == (
        "usually: no here: Whoever finishes below zero pays double the stake."
    )


def test_what_changes_nothing_is_said_to(still: Table) -> None:
    page = still.page("/rules/new?rules=cutthroat-lite&bag_limit=off&bag_remainder=kept")
    assert told(page, "bag_remainder") == (
        "With the other settings as they are, this has no effect."
    )


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("rules=partnership&nil_points=50", True),
        ("rules=partnership&nil_points=50&blind_nil_points=100", False),
        ("rules=partnership&nil_points=off", False),
        ("rules=partnership-500&nil_points=50", False),
    ],
)
def test_a_changed_nil_is_said_to_leave_blind_nil(still: Table, query: str, said: bool) -> None:
    page = still.page(f"/rules/new?{query}")
    assert ("Blind Nil stays at 200." in told(page, "nil_points")) is said


def test_the_button_shows_and_keeps_nothing(still: Table) -> None:
    before = still.everything()
    form = still.page("/rules/new").form("house-rules")
    answer = still.send(form, name=FRIDAY, nil_points=100, target="x", show=1)
    assert answer.status_code == 200
    page = page_of(answer)
    assert "50 → 100" in told(page, "nil_points")
    assert "“Winning score” must be a whole number" in told(page, "target")
    fields = page.form("house-rules").fields
    assert (fields["name"], fields["nil_points"], fields["target"]) == (FRIDAY, "100", "x")
    assert still.everything() == before


def test_a_script_gets_the_part_it_asks_for(still: Table) -> None:
    answer = still.get("/rules/new?part=1&tricks=13")
    assert "<html" not in answer.text
    assert "Deal all 52 cards" in told(page_of_part(answer.text), "tricks")


def page_of_part(html: str) -> Page:
    return Page(f"<body>{html}</body>")


REFUSED = {
    "no name": ({"name": ""}, "name", "Enter a name for these rules"),
    "a long name": ({"name": "E" * 41}, "name", "at most 40 characters"),
    "a name that turns text around": ({"name": "\u202eabc"}, "name", "invisible characters"),
    "a limit without a penalty": ({"bag_penalty": "off"}, "bag_penalty", "needs a penalty"),
    "a bid above the tricks": ({"minimum_bid": 11}, "minimum_bid", "can’t be more than 10"),
    "a floor above zero": ({"mercy": 5}, "mercy", "The losing score must be below zero"),
    "letters": ({"target": "lots"}, "target", "“Winning score” must be a whole number"),
    "400 digits": ({"target": "9" * 400}, "target", "“Winning score” must be a whole number"),
    "a word nobody knows": ({"bag_remainder": "half"}, "bag_remainder", "must be one of"),
}


@pytest.mark.parametrize(("typed", "name", "why"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_played_is_refused_beside_its_field(
    still: Table, typed: dict[str, object], name: str, why: str
) -> None:
    before = still.everything()
    form = still.page("/rules/new").form("house-rules")
    answer = still.send(form, **{"name": FRIDAY, "set_points": 20, **typed})
    assert answer.status_code == 422
    page = page_of(answer)
    assert why in page.error_of(name)
    assert page.alerts == "Not saved. Check the highlighted fields."
    fields = page.form("house-rules").fields
    if name != "bag_remainder":
        assert fields[name] == str(typed[name])
    assert fields["set_points"] == "20"
    assert still.everything() == before


def test_switching_the_limit_off_takes_the_books_penalty_along(table: Table) -> None:
    make(table, bag_limit="off")
    assert ours(table)[0].rules.bag_penalty is None


def test_a_minus_may_be_a_real_one(table: Table) -> None:
    make(table, mercy="−200")
    assert ours(table)[0].rules.mercy == -200


def test_another_rule_book_keeps_what_makes_sense_and_names_what_does_not(table: Table) -> None:
    form = table.page("/rules/new?rules=partnership").form("house-rules")
    sent = {"rules": "cutthroat", "name": FRIDAY, "board": 4, "target": 300}
    answer = table.send(form, **sent)
    assert answer.status_code == 422
    page = page_of(answer)
    assert "“Minimum partnership bid” was dropped" in page.text
    fields = page.form("house-rules").fields
    assert (fields["target"], fields["nil_points"], fields["bag_limit"]) == ("300", "50", "5")
    assert table.send(page.form("house-rules")).status_code == 303
    assert house_rules(PRESETS["cutthroat"], ours(table)[0].rules) == {"target": "300"}


def test_a_rule_book_nobody_knows_is_refused(still: Table) -> None:
    assert still.get("/rules/new?rules=poker").status_code == 422
    form = still.page("/rules/new").form("house-rules")
    assert still.send(form, rules="poker").status_code == 422


# Keeping


def test_kept_rules_stand_beside_the_rule_books(table: Table) -> None:
    path = make(table, overtrick_points=0)
    assert path in [link.get("href") for link in table.page("/rules").all("a[@href]")]
    page = table.page(path)
    assert page.texts("h1") == [FRIDAY]
    assert "Cutthroat Spades LITE with 1 house rule, marked below." in page.text
    assert "0 house rule; usually 1" in page.texts("td")
    assert (page.texts("dt")[4], page.texts("dd")[4]) == ("Each overtrick", "0")
    assert "2 overtricks: 0" in page.text


def test_sent_twice_rules_are_kept_once(table: Table) -> None:
    assert make(table, target=99) == make(table, target=99)
    assert len(ours(table)) == 1


@pytest.mark.parametrize("name", [FRIDAY, "FRIDAY RULES", "friday  rules"])
def test_two_sets_of_rules_have_two_names(table: Table, name: str) -> None:
    make(table, target=99)
    form = table.page("/rules/new").form("house-rules")
    answer = table.send(form, name=name, target=100)
    assert answer.status_code == 422
    assert "already has rules with that name" in page_of(answer).error_of("name")
    assert [one.rules.target for one in ours(table)] == [99]


def test_the_rules_of_a_table_have_an_end(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.store.tables.MAX_SAVED_RULES", 1)
    make(table)
    form = table.page("/rules/new").form("house-rules")
    answer = table.send(form, name="Sunday rules")
    assert answer.status_code == 422
    assert f"at most {MAX_SAVED_RULES} sets of rules" in page_of(answer).alerts


def test_another_table_does_not_see_them(table: Table) -> None:
    path = make(table)
    guest = Table(table.app)
    guest.join()
    assert guest.get(path).status_code == 404
    assert FRIDAY not in guest.page("/rules").text
    assert FRIDAY not in guest.page("/games/new").text
    assert Table(table.app).get(path).status_code == 404


# Changing and removing


def test_rules_can_be_changed_and_renamed(table: Table) -> None:
    path = make(table, target=99, bag_limit=3)
    form = table.page(f"{path}/change").form("house-rules")
    assert (form.fields["target"], form.fields["bag_limit"]) == ("99", "3")
    answer = table.send(form, name="Sunday rules", target=98)
    assert (answer.status_code, answer.location) == (303, path)
    (kept,) = ours(table)
    assert kept.rules.name == "Sunday rules"
    assert house_rules(PRESETS["cutthroat-lite"], kept.rules) == {"target": "98", "bag_limit": "3"}


def test_a_change_can_lead_to_another_rule_book(table: Table) -> None:
    path = make(table, target=99)
    form = table.page(f"{path}/change").form("house-rules")
    answer = table.send(form, rules="partnership")
    assert answer.status_code == 422
    page = page_of(answer)
    assert text_of(page.one("p[@id='house-kept']")) == (
        "Carried over from Cutthroat Spades LITE Winning score: 99"
    )
    assert ours(table)[0].rules.key == "cutthroat-lite"
    assert table.send(page.form("house-rules")).status_code == 303
    assert house_rules(PRESETS["partnership"], ours(table)[0].rules) == {"target": "99"}


def test_a_change_to_another_rule_book_without_house_rules_asks_nothing(table: Table) -> None:
    form = table.page("/rules/new").form("house-rules")
    assert table.send(form, rules="partnership", name=FRIDAY).status_code == 303
    assert ours(table)[0].rules == replace(PRESETS["partnership"], name=FRIDAY)


def test_sending_a_change_again_changes_nothing_more(table: Table) -> None:
    path = make(table)
    form = table.page(f"{path}/change").form("house-rules")
    for _ in range(2):
        assert table.send(form, target=98).status_code == 303
    assert ours(table)[0].version == 2


def test_two_phones_do_not_overwrite_each_other(table: Table) -> None:
    path = make(table, target=99)
    old = table.page(f"{path}/change").form("house-rules")
    table.send(old, target=98)
    answer = table.second_phone().send(old, target=97)
    assert answer.status_code in (400, 409)
    answer = table.send(old, target=97)
    assert answer.status_code == 409
    page = page_of(answer)
    assert "Another phone has changed these rules" in page.alerts
    assert ours(table)[0].rules.target == 98
    assert table.send(page.form("house-rules")).status_code == 303
    assert ours(table)[0].rules.target == 97


def test_a_change_to_a_name_that_is_taken_is_refused(table: Table) -> None:
    make(table)
    path = make(table, "Sunday rules")
    form = table.page(f"{path}/change").form("house-rules")
    assert table.send(form, name=FRIDAY).status_code == 422


@pytest.mark.parametrize("version", ["x", "", "9" * 40])
def test_a_malformed_version_is_refused(table: Table, version: str) -> None:
    form = table.page(f"{make(table)}/change").form("house-rules")
    answer = table.send(form, target=98, version=version)
    assert answer.status_code == 400
    assert "must be a whole number" in page_of(answer).alerts


def test_removed_rules_are_gone_and_their_games_stay(table: Table) -> None:
    path = make(table, target=99)
    play(table)
    answer = table.send(table.page(path).form("/remove"))
    assert (answer.status_code, answer.location) == (303, "/rules")
    assert ours(table) == []
    assert table.get(path).status_code == 404
    assert table.get(f"{path}/change").status_code == 404
    assert (table.game.rules.name, table.game.rules.target) == (FRIDAY, 99)


def test_the_rules_of_a_book_cannot_be_changed_or_removed(table: Table) -> None:
    for key in ("cutthroat", "nothing"):
        assert table.get(f"/rules/{key}/change").status_code == 404
        sent = {"csrf_token": table.token(), "version": 1}
        assert table.post(f"/rules/{key}/change", sent).status_code == 404
        assert table.post(f"/rules/{key}/remove", sent).status_code == 404


# Playing


def play(table: Table, **fields: object) -> None:
    """Start a game with the table's only rules."""
    (kept,) = ours(table)
    form = table.page(f"/games/new?rules={kept.id}").form("new-game")
    assert form.fields["rules"] == kept.id
    answer = table.send(form, **FOUR, **fields)
    assert answer.status_code == 303, page_of(answer).text
    table.game_id = answer.location.rpartition("/")[2]


def test_a_game_by_the_tables_rules_says_so(table: Table) -> None:
    make(table, target=99, overtrick_points=0)
    play(table)
    assert (table.game.rules.target, table.game.rules.overtrick_points) == (99, 0)
    page = table.page(f"{table.path}/rules")
    assert f"This game uses your own rules, “{FRIDAY}”." in page.text
    assert "Cutthroat Spades LITE with 2 house rules, marked below." in page.text


def test_the_sheet_names_the_book_and_its_house_rules(table: Table) -> None:
    make(table, target=99)
    play(table)
    table.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    row = table.get(f"{table.path}.csv").text.splitlines()[1]
    assert ",cutthroat-lite,target=99," in row
    assert FRIDAY not in row


def test_a_changed_set_leaves_its_games_alone(table: Table) -> None:
    path = make(table, target=99)
    play(table)
    table.send(table.page(f"{path}/change").form("house-rules"), target=50)
    assert table.game.rules.target == 99


def test_the_next_game_is_offered_the_same_rules(table: Table) -> None:
    make(table, target=99)
    play(table)
    form = table.page("/games/new").form("new-game")
    assert form.fields["rules"] == ours(table)[0].id
    assert form.fields["target"] == ""


def test_one_more_house_rule_makes_them_others(table: Table) -> None:
    make(table, target=99)
    play(table, set_points=20)
    rules = table.game.rules
    assert (rules.name, rules.target, rules.set_points) == ("Cutthroat Spades LITE", 99, 20)


def test_house_rules_of_a_book_are_not_played_on_top_of_ours(table: Table) -> None:
    table.new_game(target=200)
    make(table, overtrick_points=0)
    form = table.page("/games/new").form("new-game")
    assert form.fields["target"] == "200"
    answer = table.send(form, rules=ours(table)[0].id)
    assert answer.status_code == 422
    page = page_of(answer)
    assert (
        "Dropped, because they were set for Cutthroat Spades LITE Winning score: 200" in page.text
    )
    table.game_id = table.send(page.form("new-game")).location.rpartition("/")[2]
    assert (table.game.rules.name, table.game.rules.target) == (FRIDAY, 125)


def test_rules_of_another_table_cannot_be_played(table: Table) -> None:
    guest = Table(table.app)
    guest.join()
    theirs = make(guest).rpartition("/")[2]
    answer = table.new_game(theirs)
    assert answer.status_code == 422
    assert "Unknown rules" in page_of(answer).text


def test_a_game_taken_out_and_in_again_is_known(table: Table) -> None:
    make(table, target=99)
    play(table)
    table.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    for kind in ("csv", "json"):
        sheet = table.get(f"{table.path}.{kind}").text
        form = table.page("/import").form("choose")
        form.fields.pop("file", None)
        page = page_of(table.post("/import", {**form.fields, "file": (_file(sheet), f"s.{kind}")}))
        assert page.form("/import/all")
        answer = table.send(page.form("/import/all"))
        assert "new=1" not in str(answer.location), kind
        assert "other=1" not in str(answer.location), kind


def test_a_game_brings_the_name_of_its_rules_along(table: Table) -> None:
    make(table, target=99)
    play(table)
    table.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    sheet = table.get(f"{table.path}.json").text
    guest = Table(table.app)
    guest.join()
    form = guest.page("/import").form("choose")
    page = page_of(guest.post("/import", {**form.fields, "file": (_file(sheet), "s.json")}))
    guest.send(page.form("/import/all"))
    assert FRIDAY in guest.page("/").text


def _file(text: str) -> object:
    return io.BytesIO(text.encode())


# Names that try to break a page

HOSTILE = ["{0}{name} %s", "חוקים של שישי", '"><script>', "E" * 40]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_shown_as_it_is(table: Table, name: str) -> None:
    path = make(table, name, target=99)
    play(table)
    for where in (path, "/rules", f"{path}/change", f"{table.path}/rules", "/"):
        page = table.page(where)
        assert name in page.text or name in [f.get("value") for f in page.all("input")], where
    table.page("/games/new")
    assert table.get("/rules/link?" + urlencode({"rules": "cutthroat", "name": name})).text


def test_everybody_of_the_cast_can_play_by_them(table: Table) -> None:
    make(table, tricks=9)
    form = table.page(f"/games/new?rules={ours(table)[0].id}").form("new-game")
    five = {f"player-{n}": name for n, name in enumerate(PLAYERS, 1)}
    assert table.send(form, **five).status_code == 303


# Whatever is sent

FIELDS = ("rules", "rendered_for", "name", "version", "show", *HOUSE_RULES)
TYPED = st.sampled_from(
    ["off", "0", "1", "-1", "13", "yes", "no", "kept", "cutthroat", "partnership"]
)


@given(sent=st.dictionaries(st.sampled_from(FIELDS), TYPED | st.text(max_size=9), max_size=9))
@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_that_is_sent_breaks_a_page(still: Table, sent: dict[str, str]) -> None:
    if not ours(still):
        make(still, target=99)
    path, query = f"/rules/{ours(still)[0].id}/change", urlencode(sent, errors="replace")
    for where in ("/rules/new", path, "/rules/link", "/games/new"):
        assert still.get(f"{where}?{query}").status_code in (200, 400, 422)
    form = still.page(path).form("house-rules")
    for where in ("/rules/new", path):
        answer = still.post(where, {"csrf_token": form.fields["csrf_token"], **sent})
        assert answer.status_code in (200, 303, 400, 409, 422)
