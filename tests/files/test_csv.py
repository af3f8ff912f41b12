"""Games as CSV rows and back: golden games worked out on paper, and what holds for every game."""

import csv
import io
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise, takewhile
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.files.csv_columns import (
    COLUMNS,
    Sheet,
    SheetError,
    escape_formula,
    unescape_formula,
)
from scorekeeper.files.csv_reader import read_games
from scorekeeper.files.exports import csv_of, in_pieces, scored_file, write_whole
from scorekeeper.i18n import set_language
from scorekeeper.rules.bidding import Bids, Nil, Table, check_bids, possible_bids
from scorekeeper.rules.entry import listed_or_other
from scorekeeper.rules.game import RoundScore, fold
from scorekeeper.rules.penalties import Penalty
from scorekeeper.rules.presets import CUTTHROAT_LITE, FORTY_ONE, PARTNERSHIP_500, PRESETS
from scorekeeper.rules.round import Notes, Round
from scorekeeper.rules.ruleset import RuleSet, house_rules, with_house_rules
from scorekeeper.rules.seating import Seats, Substitute
from tests.properties import examples

GOLDEN = Path(__file__).with_name("golden")
GOLDENS = sorted(GOLDEN.glob("*.scored.csv"))
CAST = ("North", "East", "South", "West", "Centre")
quick = examples(60)
lucky = given(st.randoms(use_true_random=False))
characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
texts = st.text(characters, max_size=20) | st.text("a=+＝＠;,\t\r\n'\"\u00a0", max_size=8)


def scored(text: str | bytes, rules: str | None = None, **changes: str) -> bytes:
    """Score a file that holds this text."""
    data = text.encode() if isinstance(text, str) else text
    out = io.BytesIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        write_whole(in_pieces(scored_file(Path("-"), rules, changes)), out)
    return out.getvalue()


def rows_in(data: bytes) -> list[dict[str, str]]:
    """Read rows with the standard library alone."""
    return list(csv.DictReader(io.StringIO(data.decode(), newline=""), strict=True))


def sheet(rounds: list[Round], rules: RuleSet = CUTTHROAT_LITE, **more: object) -> Sheet:
    """A game of the fixed cast, as many as the first round has seats."""
    facts = {
        "game": "g1",
        "started": "",
        "rules": rules,
        "base": PRESETS[rules.key],
        "names": CAST[: len(rounds[0].bids)],
        "first_dealer": len(rounds[0].bids) - 1,
        "rounds": rounds,
    }
    return Sheet(**{**facts, **more})


# The golden games


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("lite-four", None),
        ("lite-three", None),
        ("lite-five", None),
        ("lite-tie-at-125", "cutthroat-lite"),
        ("cutthroat", "cutthroat"),
        ("partnership", "partnership"),
        ("partnership-sandbags", "partnership-sandbags"),
        ("partnership-500", "partnership-500"),
        ("partnership-250", "partnership-250"),
        ("call-break", "call-break"),
        ("forty-one", "forty-one"),
        ("oh-hell", "oh-hell"),
        ("several-games", None),
    ],
)
@pytest.mark.usefixtures("in_berlin")  # where the dates are those of `started`
def test_a_golden_game_is_scored_to_the_byte(
    name: str, rules: str | None, pytestconfig: pytest.Config
) -> None:
    found, golden = scored((GOLDEN / f"{name}.csv").read_bytes(), rules), f"{name}.scored.csv"
    if pytestconfig.getoption("--rewrite-golden"):
        (GOLDEN / golden).write_bytes(found)
    expected = (GOLDEN / golden).read_bytes()
    assert found == expected, "for a new column: pytest tests/files --rewrite-golden"
    assert scored(expected) == expected


def test_where_every_player_has_a_total_a_row_holds_the_players_own_points() -> None:
    rows = rows_in(scored((GOLDEN / "forty-one.csv").read_bytes(), "forty-one"))
    third, last = rows[8:12], rows[-4:]
    assert [(row["points"], row["total"]) for row in third] == [
        ("14", "14"),
        ("2", "6"),
        ("-2", "3"),
        ("-2", "-2"),
    ]
    assert [row["penalty_points"] for row in third] == ["0", "0", "-5", "0"]
    assert [(row["total"], row["outcome"]) for row in last] == [
        ("42", "won"),
        ("6", "lost"),
        ("7", "won"),
        ("2", "lost"),
    ]


def test_the_least_sum_of_bids_follows_players_who_have_totals() -> None:
    rounds = [
        Round((5, 1, 8, 1), (5, 0, 8, 0)),
        Round((8, 1, 5, 1), (8, 0, 5, 0)),
        Round((5, 2, 2, 2), (5, 2, 2, 4)),
    ]
    data = b"".join(csv_of([sheet(rounds, FORTY_ONE)]))
    plain = b"\n".join(b",".join(line.split(b",")[:11]) for line in data.splitlines())
    assert [row["total"] for row in rows_in(scored(plain))[-4:]] == ["26", "0", "23", "0"]


# Reading


def test_columns_come_in_any_order_and_case_among_others() -> None:
    plain = "round,player,bid,tricks\n1,North,5,5\n1,East,3,3\n1,South,2,2\n"
    mixed = " TRICKS ,Who won?,Bid,Player,rOUND\n5,,5,North,1\n3,?,3,East,1\n2,,2,South,1\n"
    assert scored(mixed) == scored(plain)
    assert told(mixed) == ["line 1: Column Who won? isn’t read."]


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_a_column_of_an_export_under_another_name_is_told(path: Path) -> None:
    text = path.read_bytes().decode()
    for name in ("dealer", "house_rules", "notes"):
        changed, sentences = text.replace(f"{name},", "x,", 1), list[str]()
        with suppress(SheetError):  # where the game is none without that column
            next(read_games(io.BytesIO(changed.encode()), tell=sentences.append))
        assert sentences[0] == "line 1: Column x isn’t read."


@pytest.mark.parametrize("separator", [";", "\t"])
def test_spreadsheets_of_other_countries_separate_cells_in_another_way(separator: str) -> None:
    plain = "round,player,bid,tricks\n1,North,5,5\n1,East,3,3\n1,South,2,2\n"
    assert scored(plain.replace(",", separator)) == scored(plain)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("line", ["sep={}\r\n", "SEP={}\n", '"sep={}"\r\n'])
def test_a_spreadsheet_may_name_the_separator_first(line: str, separator: str) -> None:
    plain = "round,player,bid,tricks\n1,North,5,5\n1,East,3,3\n1,South,2,2\n"
    named = line.format(separator) + plain.replace(",", separator)
    assert scored(named) == scored(plain)
    assert scored("\ufeff" + named) == scored(plain)


def test_errors_below_a_named_separator_count_its_line() -> None:
    text = "sep=;\nround;player;bid;tricks\n1;North;5;5\n1;East;3;x\n1;South;2;2\n"
    with pytest.raises(SheetError, match="line 4: “x” isn’t a number of tricks"):
        scored(text)


@pytest.mark.parametrize("fraction", [".0", ",0", ".00", ",00"])
def test_whole_numbers_may_end_in_a_fraction_of_zero(fraction: str) -> None:
    facts = ["1{};1{};North;5{};5{}", "1{};2{};East;3{};3{}", "1{};3{};South;2;2{}"]
    rows = "round;seat;player;bid;tricks\n" + "\n".join(facts) + "\n2{};1;North;5;5\n"
    rows += "2;2;East;3;3\n2{};3;South;nil;2\n"
    assert scored(rows.replace("{}", fraction)) == scored(rows.replace("{}", ""))


# Zero of each script whose digits the pages read too.
@pytest.mark.parametrize("zero", ["\N{ARABIC-INDIC DIGIT ZERO}", "۰", "\N{DEVANAGARI DIGIT ZERO}"])
def test_numbers_may_have_the_digits_of_the_languages_offered(zero: str) -> None:
    rows = (
        "round,seat,dealer,player,bid,tricks\n1,1,2,North 7,5,5\n1,2,2,East,3,3\n1,3,2,South,2,2\n"
    )
    digits = str.maketrans({str(n): chr(ord(zero) + n) for n in range(10)})
    other = rows.translate(digits).replace(f"North {chr(ord(zero) + 7)}", "North 7")
    assert scored(other) == scored(rows)
    assert told(other) == []


def test_arabic_decimals_of_zero_are_whole_numbers() -> None:
    plain = "round,player,bid,tricks\n1,North,5,5\n1,East,3,3\n1,South,2,2\n"
    assert scored(plain.replace("5,5", "٥٫٠,٥٫٠")) == scored(plain)


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_empty_cells_at_the_end_of_rows_may_be_missing_or_too_many(path: Path) -> None:
    written = path.read_bytes()
    lines = written.decode().split("\r\n")
    cut = [line.rstrip(",") for line in lines]  # Google Docs, Outlook, OnlyOffice
    wide = [line + ",,, " if line else line for line in lines]  # Excel, columns used once
    for changed in (cut, wide):
        text = "\r\n".join(changed)
        assert text.encode() != written or not lines[1].endswith(",")
        assert scored(text) == written
        assert told(text) == []


def test_the_bid_of_a_round_that_bids_itself_may_be_missing_at_the_end() -> None:
    text = "round,player,tricks,bid\n1,North,5,\n1,East,5,\n1,South,0,\n"
    cut = text.replace(",\n", "\n")
    assert scored(cut, first_round_bids_itself="yes") == scored(text, first_round_bids_itself="yes")


# Headers as people write them: "hand,name,bid,books", and as each language calls the columns.
OTHER_HEADERS = [
    "hand,name,bid,books",
    "Deal No.,Player name,Contract,Tricks taken",
    "Rd,Name,Calls,Took",
    "Runde,Spieler,Gebot,Stiche",
    "RUNDE,Name,Ansage:,Stiche",
    "Ronda,Jugador,Apuesta,Bazas",
    "Mano,Nombre,Puja,Bazas ganadas",
    "Manche,Joueur,Annonce,Plis",
    "Donne,Nom,Enche\u0300re,Levées",
    "الجولة,اللاعب,الطلب,الأكلات",
    "جولة,الاسم,المزايدة,اللمات",
    "राउंड,खिलाड़ी,बोली,हाथ",
    "दौर,नाम,कॉल,सर",
]
FACTS = "1,North,5,5\n1,East,3,3\n1,South,2,2\n"
PLAIN = "round,player,bid,tricks\n" + FACTS


@pytest.mark.parametrize("header", OTHER_HEADERS)
def test_columns_may_have_the_words_of_players_and_that_is_told(header: str) -> None:
    text = f"{header}\n{FACTS}"
    assert scored(text) == scored(PLAIN)
    assert told(text) == [
        f"line 1: Column “{cell}” is read as {name}."
        for cell, name in zip(header.split(","), ("round", "player", "bid", "tricks"), strict=True)
        if cell != name
    ]


def test_game_start_seat_and_dealer_may_have_the_words_of_players() -> None:
    began = "2026-11-24T19:30:00+01:00"
    head, rows = "{},{},{},{},round,player,bid,tricks\n", ""
    for seat, facts in enumerate(FACTS.split(), 1):
        rows += f"Friday,{began},2,{seat},{facts}\n"
    plain = head.format("game", "started", "dealer", "seat") + rows
    other = head.format("Partie", "Datum", "Geber", "Sitzplatz") + rows
    assert scored(other) == scored(plain)
    assert len(told(other)) == 4


def test_a_columns_own_name_comes_before_other_words_for_it() -> None:
    text = PLAIN.replace("round,player", "round,name,player,date,started at").replace("1,", "1,x,")
    text = text.replace("th,", "th,?,?,").replace("st,", "st,?,?,")
    assert scored(text) == scored(PLAIN)
    assert told(text) == ["line 1: Columns name, started at aren’t read."]


def test_two_columns_that_could_be_one_are_refused() -> None:
    with pytest.raises(SheetError) as refused:
        scored(PLAIN.replace("round,", "hand,deal,").replace("1,", "1,1,"))
    assert str(refused.value) == (
        "line 1: Each of these columns could be round: hand, deal. Rename one to round."
    )


TITLES = [
    ("Spades evening,,,", ["Spades evening"]),
    ("Spades evening", ["Spades evening"]),
    ("Spades, Friday\n,,,\n\n,by Ana,,", ["Spades, Friday", "by Ana"]),
    ('"Spades,\nround two",,,', ["Spades", "round two"]),
]


@pytest.mark.parametrize(("title", "words"), TITLES)
def test_a_title_above_the_header_is_skipped_and_told(title: str, words: list[str]) -> None:
    text = f"{title}\n{PLAIN}"
    assert scored(text) == scored(PLAIN)
    assert [one.partition(": ")[2] for one in told(text)] == [
        f"This row is skipped: “{text}”." for text in words
    ]
    assert told(text)[0].startswith("line 1: ")
    other = f"{title}\n{PLAIN.replace(',', ';')}"
    assert scored("\ufeff" + other) == scored(PLAIN)
    with pytest.raises(SheetError, match=f"line {text.count(chr(10))}: “x” isn’t a number"):
        scored(text.replace("South,2,2", "South,2,x"))


def test_a_title_far_above_is_no_title() -> None:
    with pytest.raises(SheetError, match="line 1: The header must name the columns round"):
        scored("Spades\n" * 20 + PLAIN)


def test_a_header_may_have_line_ends_in_its_cells() -> None:
    text = PLAIN.replace("round", '"my\nnotes",round').replace("1,", "x,1,")
    assert scored(text) == scored(PLAIN)
    assert told(text) == ["line 1: Column my\ufffdnotes isn’t read."]


def test_the_header_below_a_title_is_at_fault_where_it_lacks_a_column() -> None:
    with pytest.raises(SheetError, match="line 2: The header must name the columns"):
        scored("Spades evening\nround,player,bid\n1,North,5\n")


def test_a_blank_may_follow_each_comma() -> None:
    text = PLAIN.replace("North", ' "North" ').replace("East", ' "East"')
    assert scored(text) == scored(PLAIN)
    text = PLAIN.replace(",", ", ").replace("North", '"North, A"')
    assert scored(text) == scored(PLAIN.replace("North", '"North, A"'))
    assert told(text) == []


TWO = PLAIN + FACTS.replace("1,", "2,")
# Rows that programs and people add below or between those of a game: `,Total,,10` last.
ADDED_ROWS = [
    (",Total,,10", "Total"),
    ("Total,,10,10", "Total"),
    ("Gesamt:,,,", "Gesamt:"),
    (",SUMME,10,10", "SUMME"),
    ("Suma,,,10", "Suma"),
    (",Totaux,,10", "Totaux"),
    (",المجموع,,10", "المجموع"),
    ("कुल योग,,,10", "कुल योग"),
    ("round,player,bid,tricks", "round"),
]


@pytest.mark.parametrize(("row", "text"), ADDED_ROWS)
@pytest.mark.parametrize("above", [3, 6])
def test_rows_of_totals_and_another_header_are_skipped_and_told(
    row: str, text: str, above: int
) -> None:
    lines = TWO.splitlines()
    lines.insert(above + 1, row)
    changed = "\n".join(lines)
    assert scored(changed) == scored(TWO)
    assert told(changed) == [f"line {above + 2}: This row is skipped: “{text}”."]


def test_a_player_may_be_called_total() -> None:
    text = TWO.replace("South", "Total")
    assert [row["player"] for row in rows_in(scored(text))] == ["North", "East", "Total"] * 2
    assert told(text) == []


def test_rows_after_a_skipped_one_keep_their_lines() -> None:
    with pytest.raises(SheetError, match="line 9: “x” isn’t a number of tricks"):
        scored("Evening\n" + PLAIN + ",Total,,10\n" + "2,North,5,5\n2,East,3,3\n2,South,2,x\n")


MERGED = """game,rules,house_rules,round,player,bid,tricks
Friday,cutthroat-lite,target=50,1,North,2,2
,,,,East,3,3
,,,,South,5,5
Sunday,cutthroat-lite,target=70,1,North,5,5
,,,,East,3,3
,,,,South,2,2
,,,2,North,5,5
,,,,East,3,3
,,,,South,2,2
"""


def filled(text: str) -> str:
    """Return a sheet whose empty cells hold what stands above them."""
    lines = [line.split(",") for line in text.splitlines()]
    for above, line in pairwise(lines):
        line[:] = [cell or over for cell, over in zip(line, above, strict=True)]
    return "\n".join(map(",".join, lines))


def from_here(line: int, name: str) -> str:
    return f"line {line}: From here on, an empty “{name}” is read as the one above it."


def test_cells_below_a_merged_one_are_filled_in_and_told() -> None:
    assert scored(MERGED) == scored(filled(MERGED))
    assert told(filled(MERGED)) == []
    assert told(MERGED) == [
        from_here(line, name)
        for line, name in [
            *((3, "game"), (3, "round"), (3, "rules"), (3, "house_rules")),
            *((6, "rules"), (6, "house_rules")),
        ]
    ]


def test_a_round_that_is_merged_in_one_block_is_told_there() -> None:
    text = TWO.replace("2,South", ",South").replace("2,East", " ,East")
    assert scored(text) == scored(TWO)
    assert told(text) == [from_here(6, "round")]


def test_a_game_without_a_name_below_another_is_a_game_of_its_own() -> None:
    rows = "".join(f"{game},{row}\n" for game in ("a", "") for row in FACTS.split())
    text = "game,round,player,bid,tricks\n" + rows
    assert [row["game"] for row in rows_in(scored(text))] == ["a"] * 3 + [""] * 3
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (PLAIN.replace("1,North", ",North"), "line 2: “” isn’t a round"),
        (TWO.replace("2,North", ",North"), "line 5: North appears twice in round 1"),
        (TWO.replace("2,", ","), "line 5: North appears twice in round 1"),
        (TWO.replace("2,East", ",,"), "This row has 5 cells"),
        (TWO.replace("2,East", ","), "line 6: Enter a name for every player"),
        (MERGED.replace(",,,2", "Friday,,,2"), "line 8: Expected round 1 here, not round 2"),
    ],
)
def test_merged_cells_that_could_mean_two_things_are_refused(text: str, words: str) -> None:
    with pytest.raises(SheetError, match=re.escape(words)):
        scored(text)


SORTED = (
    PLAIN.splitlines()[0]
    + """
1,North,5,5
2,North,4,2
3,North,5,5
1,East,3,3
2,East,3,6
3,East,3,3
1,South,2,2
2,South,nil,2
3,South,2,2
"""
)


def test_rows_sorted_by_player_are_read_by_round_and_told() -> None:
    head, *rows = SORTED.splitlines()
    by_round = "\n".join([head, *(rows[at] for at in (0, 3, 6, 1, 4, 7, 2, 5, 8))])
    note = "line {}: This game is sorted by player. It is read round by round."
    assert scored(SORTED) == scored(by_round)
    assert told(SORTED) == [note.format(2)]
    merged = re.sub("(?m)^([23]),[A-Z][a-z]+", r"\1,", SORTED)
    assert scored(merged) == scored(by_round)
    games = "\n".join([f"game,{head}", *(f"{game},{row}" for game in "ab" for row in rows)])
    assert len(rows_in(scored(games))) == 18
    assert told(games) == [note.format(2), note.format(11)]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("2,East,3,6", "2,East,3,x", "line 6: “x” isn’t a number of tricks"),
        ("2,East,3,6", "II,East,3,6", "line 6: “II” isn’t a round"),
        ("2,East,3,6\n", "", "line 3: Round 2 has no row for East"),
        ("3,East", "2,East", "line 7: East appears twice in round 2"),
        ("3,East,3,3", "3,East,3,4", "line 4: Round 3: Tricks total 11"),
    ],
)
def test_errors_in_rows_sorted_by_player_name_their_lines(old: str, new: str, words: str) -> None:
    with pytest.raises(SheetError, match=re.escape(words)):
        scored(SORTED.replace(old, new))


# Days as people and spreadsheets write them, and as they are read in Berlin.
DAYS = [
    ("2026-11-24", "2026-11-24T12:00:00+01:00"),
    ("2026-07-01", "2026-07-01T12:00:00+02:00"),
    ("2026-11-24T19:30", "2026-11-24T19:30:00+01:00"),
    ("2026-11-24 19:30:05", "2026-11-24T19:30:05+01:00"),
    ("2026-11-24T19:30:05.250", "2026-11-24T19:30:05+01:00"),
    ("2026/11/24", "2026-11-24T12:00:00+01:00"),
    ("24.11.2026", "2026-11-24T12:00:00+01:00"),
    ("5.6.2026 19:30", "2026-06-05T19:30:00+02:00"),
    ("24/11/2026", "2026-11-24T12:00:00+01:00"),
    ("11/24/2026 7:30 PM", "2026-11-24T19:30:00+01:00"),
    ("11/24/2026 12:05 a.m.", "2026-11-24T00:05:00+01:00"),
    ("24-11-2026", "2026-11-24T12:00:00+01:00"),
    ("5/5/2026", "2026-05-05T12:00:00+02:00"),
    ("٢٠٢٦-١١-٢٤", "2026-11-24T12:00:00+01:00"),
    # As LibreOffice writes days that were typed in, in German, English and French.
    ("24.11.26", "2026-11-24T12:00:00+01:00"),
    ("11/24/26 07:30 PM", "2026-11-24T19:30:00+01:00"),
    ("24/11/26 19:30:00", "2026-11-24T19:30:00+01:00"),
]


@pytest.fixture
def in_berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the computer be in Berlin."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        yield
    time.tzset()


def began(text: str) -> str:
    return "".join(f"{text if line[0] == '1' else 'started'},{line}\n" for line in PLAIN.split())


@pytest.mark.usefixtures("in_berlin")
@pytest.mark.parametrize(("text", "at"), DAYS)
def test_a_day_without_a_zone_is_one_of_this_computer_and_told(text: str, at: str) -> None:
    assert scored(began(text)) == scored(began(at))
    assert told(began(text)) == [f"line 2: “{text}” is read as {at}."]
    assert told(began(at)) == []


@pytest.mark.parametrize("text", ["03/04/2026", "3-4-2026 19:30", "03/04/2026 7:30 PM", "03/04/26"])
def test_a_day_that_could_be_two_is_refused_with_both(text: str) -> None:
    with pytest.raises(SheetError, match=r"line 2: .* could be 2026-03-04 or 2026-04-03"):
        scored(began(text))


# Days of another calendar, as in Arabic sheets, days that no month has, and years of unclear place.
@pytest.mark.parametrize(
    "text", ["١٤٤٨/٠٦/١٥", "15/06/1448", "31.02.26", "11.24.26", "24-11-26", "24.11.6", "026/11/24"]
)
def test_a_day_that_is_none_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(SheetError, match=f"line 2: “{text}” isn’t a valid time"):
        scored(began(text))


FOUR = {key: rules for key, rules in PRESETS.items() if 4 in rules.players}
PARTNERS = [key for key, rules in FOUR.items() if rules.partnerships]


@pytest.mark.parametrize("key", [key for key in PARTNERS if PRESETS[key].nil_points])
def test_partners_may_write_nil_as_0(key: str) -> None:
    text = "round,player,bid,tricks\n1,North,4,4\n1,East,3,4\n1,South,{},0\n1,West,5,5\n"
    assert scored(text.format("0"), key) == scored(text.format("nil"), key)


@pytest.mark.parametrize("key", [key for key in PARTNERS if not PRESETS[key].nil_points])
def test_0_is_no_bid_of_partners_without_nil(key: str) -> None:
    text = "round,player,bid,tricks\n1,North,4,4\n1,East,3,4\n1,South,0,0\n1,West,5,5\n"
    with pytest.raises(SheetError, match="“0” isn’t a bid, as this game has no Nil"):
        scored(text, key)


ALONE = [key for key in FOUR if key not in PARTNERS and PRESETS[key].minimum_bid]


@pytest.mark.parametrize("key", ALONE)
def test_0_is_no_bid_of_a_player_alone(key: str) -> None:
    tricks = PRESETS[key].tricks - 9
    text = f"round,player,bid,tricks\n1,North,4,{tricks}\n1,East,3,4\n1,South,0,0\n1,West,5,5\n"
    with pytest.raises(SheetError, match="“0” isn’t a bid"):
        scored(text, key)


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_any_line_end_will_do(line_end: str) -> None:
    plain = "round,player,bid,tricks\n1,North,5,5\n1,East,3,3\n1,South,2,2\n"
    assert scored(plain.replace("\n", line_end)) == scored(plain)


def test_a_second_byte_order_mark_and_blanks_around_names_of_games_mean_nothing() -> None:
    rows = "".join(f"{game},cutthroat-lite,{row}\n" for game in "ab" for row in FACTS.split())
    tidy = "game,rules,round,player,bid,tricks\n" + rows
    slips = tidy.replace("b,cut", " b\u00a0, cut", 1)
    for text in (slips, f"\ufeff\ufeff{tidy}", f"\ufeff\ufeff{slips}".replace(",", ";")):
        assert scored(text) == scored(tidy)
        assert told(text) == []


@pytest.mark.parametrize("cell", ["x", "1.5", "-2", "2026-01-02", "Round 2"])
def test_a_round_that_is_no_number_is_named_with_its_own_line(cell: str) -> None:
    with pytest.raises(SheetError, match=f"line 6: “{cell}” isn’t a round"):
        scored(TWO.replace("2,East", f"{cell},East"))


def test_games_sorted_by_player_together_are_refused_with_what_to_do() -> None:
    rows = [f"{game},{row}" for row in FACTS.split() for game in "ab"]
    with pytest.raises(SheetError, match=r"line 2: .* sort the sheet by game and round"):
        scored("game,round,player,bid,tricks\n" + "\n".join(rows))


def test_slips_of_the_pen_are_forgiven() -> None:
    tidy = "round,player,bid,tricks\n1,North,nil,0\n1,East,8,8\n1,South,2,2\n"
    slips = "\n\nround,player,bid,tricks\n1 , North,  NIL ,0\n01,East,08, 8\n,,,\n1,South,2,2 \n\n"
    assert scored(slips) == scored(tidy)


def test_a_player_may_be_written_in_another_way_later_on() -> None:
    head = "round,player,bid,tricks\n1,North,1,5\n1,East,1,3\n1,South,1,2\n"
    later = "2,{},1,5\n2,{},1,3\n2,{},1,2\n"
    other = scored(head + later.format(" NORTH", "ｅａｓｔ", "south"))
    assert other == scored(head + later.format("North", "East", "South"))


def test_the_rows_of_a_round_may_stand_in_any_order() -> None:
    head = "round,player,bid,tricks\n1,North,1,5\n1,East,1,3\n1,South,1,2\n"
    turned = scored(head + "2,South,2,2\n2,North,3,5\n2,East,1,3\n")
    assert turned == scored(head + "2,North,3,5\n2,East,1,3\n2,South,2,2\n")


def test_seats_and_dealer_are_taken_from_their_columns() -> None:
    text = (
        "round,seat,dealer,player,bid,tricks\n"
        "1,3,1,South,2,2\n1,1,,North,5,5\n1,2,,East,3,3\n2,,3,North,5,5\n2,,3,South,2,2\n2,,,East,3,3\n"
    )
    rows = rows_in(scored(text))
    assert [row["player"] for row in rows] == ["North", "East", "South"] * 2
    assert [row["dealer"] for row in rows] == ["1"] * 3 + ["2"] * 3


def test_options_put_the_rules_of_the_file_aside() -> None:
    facts = ["North,4,4", "East,3,3", "South,3,3", "West,1,3"]
    rows = [f"partnership-250,1,{fact}" for fact in facts]
    text = "\n".join(["rules,round,player,bid,tricks", *rows])
    assert rows_in(scored(text))[0]["points"] == "70"
    assert rows_in(scored(text, tricks="13"))[0]["rules"] == "cutthroat-lite"
    assert rows_in(scored(text, "partnership-500", target="60"))[0]["house_rules"] == "target=60"


def test_a_round_that_bids_itself_may_repeat_its_tricks_as_bids() -> None:
    head = "round,player,bid,tricks\n"
    bare = "1,North,,5\n1,East,,5\n1,South,,0\n2,North,5,5\n2,East,5,5\n2,South,nil,0\n"
    written = "1,North,5,5\n1,East,5,5\n1,South,0,0\n2,North,5,5\n2,East,5,5\n2,South,nil,0\n"
    assert scored(head + bare, first_round_bids_itself="yes") == scored(
        head + written, first_round_bids_itself="yes"
    )


def test_games_are_read_one_by_one_with_rounds_as_they_are_asked_for() -> None:
    source = io.BytesIO((GOLDEN / "several-games.csv").read_bytes())
    seen = [
        (game.game, game.rules.key, game.names[0], game.first_dealer, len(list(game.rounds)))
        for game in read_games(source)
    ]
    assert seen == [
        ("Friday, early", "cutthroat-lite", "North", 2, 1),
        ("Friday, late", "partnership-250", "North", 1, 4),
        ("=3", "cutthroat-lite", "North", 3, 1),
        ("Sunday", "partnership-500", "North", 3, 2),
    ]


def test_rounds_that_nobody_asked_for_are_checked_all_the_same() -> None:
    text = "game,round,player,bid,tricks\na,1,North,5,5\na,1,East,3,3\na,1,South,2,2\n"
    source = io.BytesIO((text + "a,2,North,5,5\na,2,East,3,3\na,2,South,2,3\n").encode())
    games = read_games(source)
    assert next(iter(next(games).rounds)) == Round((5, 3, 2), (5, 3, 2))
    with pytest.raises(SheetError, match="line 5: Round 2: Tricks total 11"):
        next(games)


def test_house_rules_of_a_file_change_the_rule_book_that_was_chosen_for_it() -> None:
    rows = "1,North,4,4,{0}\n1,East,3,3,{0}\n1,South,3,3,{0}\n1,West,3,3,{0}\n"
    text = "round,player,bid,tricks,house_rules\n" + rows.format("target=50")
    [game] = read_games(io.BytesIO(text.encode()), "partnership-500")
    assert game.rules == with_house_rules(PARTNERSHIP_500, {"target": "50"})


# Writing


def test_rounds_after_the_end_and_rounds_still_played_are_not_written() -> None:
    won = Round((10, 1, 1), (10, 0, 0))
    game = sheet([won] * 3, with_house_rules(CUTTHROAT_LITE, {"target": "200"}))
    assert len(rows_in(b"".join(csv_of([game])))) == 6
    game = sheet([won, Round((5, None, None))])
    assert len(rows_in(b"".join(csv_of([game])))) == 3


def test_a_game_without_a_scored_round_leaves_the_header_alone() -> None:
    game = sheet([Round((None, None, None))])
    assert b"".join(csv_of([game])) == (",".join(COLUMNS) + "\r\n").encode()


def test_many_games_come_in_pieces_as_they_are_asked_for() -> None:
    asked = []

    def games() -> Iterator[Sheet]:
        for number in range(300):
            asked.append(number)
            yield sheet([Round((5, 3, 2), (5, 3, 2))], game=f"g{number}")

    pieces = csv_of(games())
    assert next(pieces).startswith(b"game,started,")
    next(pieces)
    assert len(asked) < 150
    assert len(list(pieces)) > 1


def test_a_house_rule_stands_beside_its_rule_book() -> None:
    rules = with_house_rules(PARTNERSHIP_500, {"mercy": "-200", "bag_limit": "off"})
    game = sheet([Round((3, 3, 3, 3), (3, 3, 4, 3))], rules, started="2025-11-21T19:30:00+01:00")
    row = rows_in(b"".join(csv_of([game])))[2]
    assert row["house_rules"] == "bag_limit=off;bag_penalty=off;mercy=-200"
    assert row["started"] == "2025-11-21T19:30:00+01:00"


@pytest.mark.parametrize("text", ["=1+1", "+49", "-3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "'=1"])
def test_no_text_runs_as_a_formula(text: str) -> None:
    assert escape_formula(text).startswith("'")


@pytest.mark.parametrize("sign", "=+-@＝＋－＠")
@pytest.mark.parametrize("start", ["North;", "North,", "North\t", "North\r\n", ';"', ";''", "="])
def test_no_part_of_a_text_runs_as_a_formula(start: str, sign: str) -> None:
    parts = re.split('[;,\t\r\n]"*', escape_formula(f"{start}{sign}1+1").strip('"'))
    assert not [part for part in parts if part.startswith(tuple("=+-@＝＋－＠"))]


OLD_NAMES = ["'＝1", "Ana;'=1", "Ana;=1", "＝1", "Ana,''-", "'Ana;'@"]


@pytest.mark.parametrize("name", OLD_NAMES)
def test_a_file_of_an_earlier_version_keeps_its_names(name: str) -> None:
    text = f'player,round,bid,tricks\n"{name}",1,5,5\nEast,1,3,3\nSouth,1,2,2\n'
    [game] = read_games(io.BytesIO(text.encode()))
    assert game.names == (name, "East", "South")


def test_numbers_below_zero_stay_numbers() -> None:
    rows = rows_in(b"".join(csv_of([sheet([Round((5, 3, 4), (0, 3, 7))])])))
    assert (rows[0]["points"], rows[0]["total"]) == ("-50", "-50")


# What holds for every text and every game


@given(texts)
def test_a_harmless_text_comes_back_as_it_was(text: str) -> None:
    assert unescape_formula(escape_formula(text)) == text
    assert escape_formula(text)[:1] not in tuple("=+-@＝＋－＠\t\r\n") or not text


@given(texts, texts)
def test_a_cell_is_what_any_reader_of_csv_reads(first: str, second: str) -> None:
    line = io.StringIO(newline="")
    csv.writer(line).writerow([escape_formula(first), escape_formula(second), "end"])
    [row] = csv.reader(io.StringIO(line.getvalue(), newline=""), strict=True)
    assert [unescape_formula(cell) for cell in row] == [first, second, "end"]


NAMES = (
    "North",
    "=1+1",
    "-3",
    'East "E"',
    "a,b;c",
    "'=South",
    "＝1",
    "Ana;=1",
    'Ben,"＋',
    "Wëst\u200dß",
    "@Centre",
    "🂡 +",
)
BOOKS = {
    "cutthroat-lite": [{}, {"target": "60", "overtrick_cap": "off"}, {"nil_points": "off"}],
    "cutthroat": [{}, {"mercy": "-100", "bag_remainder": "kept"}],
    "partnership": [{"target": "250"}, {"board": "4", "ten_for": "20"}],
    "partnership-sandbags": [{"bag_limit": "3"}, {"double_nil_points": "200"}],
    "partnership-500": [{"first_round_bids_itself": "yes"}, {"failed_nil_tricks": "ignored"}],
    "partnership-250": [{}, {"mercy": "-200", "minimum_bid": "2"}],
    "oh-hell": [{}, {"cards": "3-1", "bids_may_equal_tricks": "yes"}],
}


def some_bids(luck: random.Random, rules: RuleSet, tricks: list[int], totals: list[int]) -> Bids:
    """Bids the rules allow, mostly near the tricks, so that games end."""
    known = possible_bids(rules)
    while True:
        bids = tuple(
            luck.choice([*known, *[max(1, count - 1), max(1, count)] * len(known)])
            for count in tricks
        )
        if not check_bids(Table(rules, totals), bids):
            return bids


def some_game(luck: random.Random, number: int) -> Sheet:
    """A game by any rule book that is over, or has gone on for a while."""
    base = PRESETS[luck.choice(sorted(BOOKS))]
    rules = with_house_rules(base, luck.choice(BOOKS[base.key]))
    names = tuple(luck.sample(NAMES, luck.choice(rules.table_sizes)))
    rounds: list[Round] = []
    state = fold(rules, len(names), 0, rounds)
    while state.phase != "over" and len(rounds) < 12:
        others = luck.randint(*rules.cards_range(len(names))) if rules.cards else rules.tricks
        others = listed_or_other(rules, len(rounds) + 1, len(names), others)
        cards = luck.choice((None, others))
        own, tricks = rules.in_round(len(rounds) + 1, len(names), cards), [0] * len(names)
        for _trick in range(own.tricks):
            tricks[luck.randrange(len(names))] += 1
        bids = some_bids(luck, own, tricks, list(state.standing.totals))
        if state.bids_itself:
            bids = (None,) * len(names)
        seats = sorted(luck.choices(range(len(names)), k=luck.choice([0, 0, 0, 1, 2])))
        penalties = tuple(some_penalty(luck, seat) for seat in seats)
        is_last = luck.random() < 0.05
        notes = Notes(
            penalties=penalties,
            last_round=is_last,
            remark=luck.choice(REMARKS),
            game_remark="" if rounds else luck.choice(REMARKS),
            cards=cards,
            trump=luck.choice([None, "s", "h", "d", "c", "n"]),
        )
        rounds.append(Round(bids, tuple(tricks), None, notes))
        if len(rounds) == 1 and luck.random() < 0.2:
            rounds = [begun_on_paper(luck, rules, rounds[0], len(state.sides))]
        state = fold(rules, len(names), 0, rounds)
    dealer = luck.randrange(len(names))
    return Sheet(f"g{number}", "", rules, base, names, dealer, rounds)


def begun_on_paper(luck: random.Random, rules: RuleSet, first: Round, sides: int) -> Round:
    """The first round of a game that begins with totals, and with bags where these count."""
    bags = tuple(luck.randrange(rules.bag_limit or 1) for _ in range(sides))
    totals = (luck.choice([-40, 7, 30]), *(luck.randint(-20, 20) for _ in range(sides - 1)))
    return first.noted(start=totals, start_bags=bags if any(bags) else ())


REMARKS = ("", "", "Ana’s birthday", '=1+1; "at" the lake', "बारिश में")


def some_penalty(luck: random.Random, seat: int) -> Penalty:
    """A fine, or points by hand, also with words that a sheet could take apart."""
    if luck.random() < 0.5:
        return Penalty(seat, "points", 30, "nobody", "renege")
    words = luck.choice(["", "Handicap", "Lost; a wager: 5 % =1", "शर्त हारी"])
    return Penalty(seat, "bonus", luck.choice([-20, 1, 7, 50]), "nobody", words)


def some_games(luck: random.Random) -> list[Sheet]:
    return [some_game(luck, number) for number in range(luck.randint(1, 4))]


def notes_of(done: RoundScore, seat: int) -> str:
    given = [one for one in done.notes.penalties if one.seat == seat]
    texts = [f"penalty={kind}:{size}:{to}:{quote(why)}" for _seat, kind, size, to, why in given]
    return ";".join(texts + ["last_round=yes"] * done.notes.last_round)


def remark_of(done: RoundScore, seat: int) -> str:
    texts = [
        *[done.notes.game_remark] * (done.number == 1),
        done.notes.remark,
        *[""] * len(done.bids),
    ]
    return escape_formula(texts[seat])


def by_hand(done: RoundScore, seat: int) -> int:
    return sum(one.size for one in done.notes.penalties if (one.seat, one.kind) == (seat, "bonus"))


def slowly(game: Sheet) -> Iterator[list[str]]:
    """The rows of a game by way of the state, cell by cell."""
    state = fold(game.rules, len(game.names), game.first_dealer, game.rounds)
    changes = ";".join(f"{k}={v}" for k, v in house_rules(game.base, game.rules).items())
    for done in state.rounds:
        for seat, name in enumerate(game.names):
            side = state.side_of(seat)
            score, bid = done.scores[side], done.bids[seat]
            outcome = ""
            if done.winners:
                outcome = "won" if side in done.winners else "lost"
            rules = game.rules.in_round(done.number, len(game.names), done.notes.cards)
            cells = (
                game.game, game.started, game.base.key, changes, done.number, done.dealer + 1,
                seat + 1, escape_formula(name), side + 1, done.tricks[seat] if bid is None else bid,
                done.tricks[seat], score.nil_points, score.contract_points,
                score.overtrick_points, score.bag_penalty, score.penalty_points, score.points,
                done.after.bags[side], done.after.totals[side], outcome, notes_of(done, seat),
                game.day, by_hand(done, seat) or "", remark_of(done, seat),
                rules.tricks if rules.cards else "",
                done.before.totals[side] if done.notes.start else "",
                done.before.bags[side] if done.notes.start_bags else "",
                done.notes.trump or "",
            )  # fmt: skip
            yield [str(cell) for cell in cells]


Cells = list[list[str]]  # of a file, the header first


def renamed(cells: Cells) -> Cells:
    words = {"round": "Runde", "player": "اللاعب", "bid": "Call", "tricks": "Plis", "seat": "सीट"}
    return [[words.get(name, name) for name in cells[0]], *cells[1:]]


def in_other_digits(cells: Cells) -> Cells:
    digits = str.maketrans("0123456789", "०१२३४५६७८९")
    ours = [at for at, name in enumerate(cells[0]) if name in ("round", "seat", "bid", "tricks")]
    return [
        [cell.translate(digits) if at in ours else cell for at, cell in enumerate(row)]
        for row in cells
    ]


def count_empty(row: list[str]) -> int:
    """Return how many cells at the end of a row are empty."""
    return len(list(takewhile(lambda cell: not cell, reversed(row))))


def by_player(cells: Cells) -> Cells:
    game, seat = (list(COLUMNS).index(name) for name in ("game", "seat"))
    return [cells[0], *sorted(cells[1:], key=lambda row: (row[game], row[seat]))]


def merged_cells(cells: Cells) -> Cells:
    """Leave cells empty that are those above, up to the round, as merged ones are saved."""
    last = list(COLUMNS).index("round")
    merged = [cells[0]]
    for above, row in pairwise(cells):
        same = max(at for at in range(last + 2) if above[:at] == row[:at])
        merged.append([""] * same + row[same:])
    return merged


SPOILT: dict[str, Callable[[Cells], Cells]] = {  # in the order in which they are done
    "by player": by_player,
    "merged": merged_cells,
    "total": lambda cells: [*cells, ["Total", *[""] * (len(cells[0]) - 1)]],
    "digits": in_other_digits,
    "renamed": renamed,
    "header again": lambda cells: [*cells, cells[0]],
    "wide": lambda cells: [[*row, "", " "] for row in cells],
    "cut": lambda cells: [row[: len(row) - count_empty(row)] for row in cells],
    "title": lambda cells: [["Spades evening", "", ""], *cells],
}
UNTOLD = {"cut", "wide", "digits", "by player"}  # the last changes nothing in a single round


SEATED = "rules,round,seat,player,bid,tricks\n"


def seated_rounds(*rounds: tuple[str, ...]) -> str:
    return SEATED + "".join(
        f"partnership,{number},{seat},{name},3,{tricks}\n"
        for number, names in enumerate(rounds, 1)
        for seat, (name, tricks) in enumerate(zip(names, (3, 4, 3, 3), strict=True), 1)
    )


def test_another_player_on_a_seat_takes_it_from_that_round_on() -> None:
    table, later = ("Ana", "Ben", "Cy", "Dana"), ("Ana", "Ben", "Cy", "Eve")
    rows = rows_in(scored(seated_rounds(table, later, later, table)))
    assert [row["player"] for row in rows] == [*table, *later, *later, *table]
    game = next(read_games(io.BytesIO(seated_rounds(table, later, later, table).encode())))
    assert game.names == table
    assert [round_.notes.substitutes for round_ in game.rounds] == [
        (),
        (Substitute(3, "Eve"),),
        (),
        (Substitute(3, "Dana"),),
    ]


SHEET_OF_FIVE = """rules,round,seat,player,bid,tricks
cutthroat-lite,1,1,Ana,2,2
cutthroat-lite,1,2,Ben,2,2
cutthroat-lite,1,3,Cy,2,2
cutthroat-lite,1,4,Dana,2,2
cutthroat-lite,1,5,Eve,2,2
cutthroat-lite,2,1,Ana,2,4
cutthroat-lite,2,3,Cy,2,2
cutthroat-lite,2,4,Dana,2,2
cutthroat-lite,2,5,Eve,2,2
cutthroat-lite,3,1,Ana,2,2
cutthroat-lite,3,2,Ben,2,2
cutthroat-lite,3,3,Cy,2,2
cutthroat-lite,3,4,Dana,2,2
cutthroat-lite,3,5,Eve,2,2
"""


def test_somebody_without_a_row_has_left_until_there_is_one() -> None:
    game = next(read_games(io.BytesIO(SHEET_OF_FIVE.encode())))
    assert [round_.notes.substitutes for round_ in game.rounds] == [
        (),
        (Substitute(1, None),),
        (Substitute(1, "Ben"),),
    ]
    rows = rows_in(scored(SHEET_OF_FIVE))
    assert [row["total"] for row in rows if row["player"] == "Ben"] == ["20", "40"]
    assert [row["dealer"] for row in rows[::5]] == ["5", "1", "2"]


def told(text: str | bytes) -> list[str]:
    """Return what is said about a file that is read."""
    sentences: list[str] = []
    data = text.encode() if isinstance(text, str) else text
    for game in read_games(io.BytesIO(data), tell=sentences.append):
        assert list(game.rounds)
    return sentences


def without(sheet: str, *rows: str) -> str:
    """Return a sheet whose rows that begin so were forgotten."""
    return "".join(line for line in sheet.splitlines(True) if not line.startswith(rows))


def with_note(sheet: str, row: str, note: str = "left=yes") -> str:
    """Return a sheet with notes, of which the row that begins so has one."""
    head, *lines = sheet.splitlines()
    noted = [f"{line},{note if line.startswith(row) else ''}" for line in lines]
    return "\n".join([f"{head},notes", *noted, ""])


LITE = "cutthroat-lite"
NO_ROW = (
    "Round {round} has no row for {name}. If {name} left, write left=yes in the notes of {name}’s "
    "row in round {last}."
)
TAKES = (
    "Round {round}: {name} takes {other}’s seat. If that’s right, write left=yes in the notes of "
    "{other}’s row in round {last}."
)


def test_a_forgotten_row_is_told() -> None:
    ben = "line 7: " + NO_ROW.format(round=2, name="Ben", last=1)
    assert told(SHEET_OF_FIVE) == [ben, "line 12: Round 3: Ben is back."]


def test_a_row_forgotten_in_the_last_round_is_told() -> None:
    last = without(SHEET_OF_FIVE, f"{LITE},3")
    assert told(last) == ["line 7: " + NO_ROW.format(round=2, name="Ben", last=1)]


def test_two_forgotten_rows_are_told_in_each_game() -> None:
    head, *lines = without(SHEET_OF_FIVE, f"{LITE},2,3", f"{LITE},3").splitlines()
    lines = [line.replace("2,1,Ana,2,4", "2,1,Ana,2,6") for line in lines]
    games = [f"{game},{line}" for game in "ab" for line in lines]
    assert told("\n".join([f"game,{head}", *games])) == [
        f"line {line}: " + NO_ROW.format(round=2, name=name, last=1)
        for line in (7, 15)
        for name in ("Ben", "Cy")
    ]


def test_nothing_is_told_of_somebody_who_left_by_the_notes() -> None:
    assert told(with_note(SHEET_OF_FIVE, f"{LITE},1,2,Ben")) == []
    fay = SHEET_OF_FIVE.replace("3,2,Ben", "3,2,Fay")
    assert told(with_note(fay, f"{LITE},1,2,Ben", " left=yes ; ")) == []


def test_somebody_new_on_a_seat_whose_row_was_forgotten_is_told() -> None:
    [_ben, fay] = told(SHEET_OF_FIVE.replace("3,2,Ben", "3,2,Fay"))
    assert fay == "line 12: Round 3: Fay takes Ben’s empty seat."


def test_a_misspelt_name_beside_a_seat_is_told() -> None:
    table, misspelt = ("Ana", "Ben", "Cy", "Ann"), ("Ana", "Ben", "Cy", "Anne")
    sheet = seated_rounds(table, misspelt, table)
    assert told(sheet) == [
        "line 9: " + TAKES.format(round=2, name="Anne", other="Ann", last=1),
        "line 13: " + TAKES.format(round=3, name="Ann", other="Anne", last=2),
    ]
    assert told(with_note(sheet, "partnership,1,4")) == [
        "line 13: " + TAKES.format(round=3, name="Ann", other="Anne", last=2)
    ]


def test_who_left_by_the_notes_cannot_have_a_row() -> None:
    with pytest.raises(SheetError) as refused:
        scored(with_note(SHEET_OF_FIVE, f"{LITE},1,1,Ana"))
    assert str(refused.value) == (
        "line 7: Ana has a row in round 2, but left=yes in the round before."
    )


def test_our_own_export_says_who_left() -> None:
    written = scored(SHEET_OF_FIVE)
    notes = [(row["round"], row["player"]) for row in rows_in(written) if row["notes"]]
    assert notes == [("1", "Ben")]
    assert told(written) == []
    assert scored(written) == written


@quick
@lucky
def test_a_game_with_substitutes_comes_back_and_nothing_is_told(luck: random.Random) -> None:
    rounds: list[Round] = []
    seats = Seats(CAST)
    for number in range(8):
        seat = luck.randrange(5)
        player = luck.choice([seats.names[seat], f"New {number}"])
        one = Substitute(seat, player if seat in seats.empty or luck.random() < 0.5 else None)
        is_new = bool(number) and (seat in seats.empty or player != seats.names[seat])
        now = seats.after((one,)) if is_new else seats
        if len(now.taken) < 3:
            is_new, now = False, seats
        seats = now
        shares = dict(zip(seats.taken, (4, 3, 3, 0, 0), strict=False))
        counts = tuple(shares.get(seat, 0) for seat in range(5))
        bids = tuple(2 if seat in shares else None for seat in range(5))
        rounds.append(Round(bids, counts).noted(substitutes=(one,) if is_new else ()))
    rules = with_house_rules(CUTTHROAT_LITE, {"target": "900"})
    written = b"".join(csv_of([sheet(rounds, rules), sheet(rounds, rules, game="g2")]))
    assert told(written) == []
    [game, *_same] = [list(game.rounds) for game in read_games(io.BytesIO(written))]
    assert game == rounds


def test_somebody_new_on_an_empty_seat_begins_from_zero() -> None:
    head, *lines = SHEET_OF_FIVE.splitlines()
    sheet = "\n".join([head, *lines[:9], *(line.replace("Ben", "Fay") for line in lines[9:])])
    assert [row["total"] for row in rows_in(scored(sheet)) if row["player"] == "Fay"] == ["20"]


def test_a_row_is_missing_where_tricks_are_missing_too() -> None:
    with pytest.raises(SheetError) as refused:
        scored(SHEET_OF_FIVE.replace("2,1,Ana,2,4", "2,1,Ana,2,2"))
    assert refused.value.message == "Round 2 has no row for Ben."


def test_players_who_change_seats_are_told_and_come_back() -> None:
    sheet = seated_rounds(("Ana", "Ben", "Cy", "Dana"), ("Ben", "Ana", "Cy", "Dana"))
    assert told(sheet) == [
        "line 6: Round 2: Ben moves to Ana’s seat.",
        "line 7: Round 2: Ana moves to Ben’s seat.",
    ]
    written = scored(sheet)
    assert told(written) == []
    assert scored(written) == written
    rows = rows_in(written)
    for row in rows[4:]:
        [before] = [one for one in rows[:4] if one["seat"] == row["seat"]]
        assert int(row["total"]) == int(before["total"]) + int(row["points"])


def test_values_that_nobody_can_reach_are_read_as_games_were_stored_with_them() -> None:
    rows = (
        f"cutthroat,tricks=9;ten_for=20,1,{name},{bid},3\n"
        for name, bid in (("Ana", 2), ("Ben", 3), ("Cy", 3))
    )
    sheet = "rules,house_rules,round,player,bid,tricks\n" + "".join(rows)
    assert scored(scored(sheet)) == scored(sheet)


def test_a_player_can_take_the_seat_of_one_who_moves() -> None:
    sheet = seated_rounds(("Ana", "Ben", "Cy", "Dana"), ("Ben", "Eve", "Cy", "Ana"))
    written = scored(sheet)
    assert scored(written) == written
    players = [row["player"] for row in rows_in(written)]
    assert players == ["Ana", "Ben", "Cy", "Dana", "Ben", "Eve", "Cy", "Ana"]


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (("Ana", "Ben", "Cy", "Ben"), "appears twice"),
        (("Ana", "Ben", "Eve", "eve"), "appears twice"),
    ],
)
def test_players_that_cannot_sit_so_are_refused(names: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(SheetError) as refused:
        scored(seated_rounds(("Ana", "Ben", "Cy", "Dana"), names))
    assert sentence in refused.value.message


HEAD_WITH_NOTES = "rules,round,player,bid,tricks,notes\n"


def with_notes(*notes: str) -> str:
    names = ("North", "East", "South", "West")
    rows = zip(names, (3, 4, 3, 3), notes, strict=True)
    return HEAD_WITH_NOTES + "".join(
        f"partnership,1,{name},3,{tricks},{note}\n" for name, tricks, note in rows
    )


def test_notes_are_read_from_the_row_of_the_player() -> None:
    rows = rows_in(
        scored(with_notes("", " penalty=books:3:others:renege ; ", "", "last_round=yes"))
    )
    assert [row["points"] for row in rows] == ["63", "-60"] * 2
    assert [row["notes"] for row in rows] == [
        "last_round=yes",
        "penalty=books:3:others:renege;last_round=yes",
        "last_round=yes",
        "last_round=yes",
    ]
    assert [row["outcome"] for row in rows] == ["won", "lost"] * 2


def with_bonus(cell: str, notes: str = "") -> str:
    lines = ["round,player,bid,tricks,notes,bonus_points", f"1,A,3,3,{notes},{cell}"]
    return "\n".join([*lines, "1,B,3,3,,", "1,C,4,4,,"]) + "\n"


@pytest.mark.parametrize(
    ("cell", "size"), [("20", 20), (" +20 ", 20), ("-20", -20), ("−२०", -20), ("20.0", 20)]
)
def test_points_by_hand_need_no_note(cell: str, size: int) -> None:
    game = next(read_games(io.BytesIO(with_bonus(cell).encode())))
    [round_] = game.rounds
    assert round_.notes.penalties == (Penalty(0, "bonus", size, "nobody", ""),)


@pytest.mark.parametrize("cell", ["", " ", "0"])
def test_a_row_without_points_by_hand_has_none(cell: str) -> None:
    game = next(read_games(io.BytesIO(with_bonus(cell).encode())))
    assert next(iter(game.rounds)).notes.penalties == ()


@pytest.mark.parametrize(
    ("cell", "notes", "sentence"),
    [
        ("2.5", "", "line 2: “2.5” isn’t a number of points. Use a whole number such as 20"),
        ("x", "", "line 2: “x” isn’t a number of points."),
        ("1000001", "", "line 2: Round 1, A: Choose 1 to 1000000 points."),
        (
            "20",
            "penalty=bonus:7:nobody:;penalty=bonus:8:nobody:",
            "line 2: “bonus_points” is 20 here, but the notes have 15. Change one.",
        ),
    ],
)
def test_points_by_hand_that_cannot_be_read_are_refused(
    cell: str, notes: str, sentence: str
) -> None:
    with pytest.raises(SheetError, match=re.escape(sentence)):
        scored(with_bonus(cell, notes))


def test_a_penalty_can_lose_a_game_in_which_every_player_has_a_total() -> None:
    lost = Penalty(0, "lost", 1, "nobody", "renege")
    rounds = [Round((4, 3, 3, 4), (4, 3, 3, 3)), Round((4, 3, 3, 4)).noted(penalties=(lost,))]
    rows = rows_in(b"".join(csv_of([sheet(rounds, FORTY_ONE)])))[4:]
    scores = [("0", "4"), ("0", "3"), ("0", "3"), ("0", "-4")]
    assert [(row["points"], row["total"]) for row in rows] == scores
    assert [row["outcome"] for row in rows] == ["lost", "won"] * 2


@pytest.mark.parametrize(
    ("note", "sentence"),
    [
        ("seen", "“seen” isn’t a note."),
        ("last_round=no", "“last_round=no” isn’t a note."),
        ("left=no", "“left=no” isn’t a note."),
        ("penalty=books", "“books” isn’t a penalty."),
        ("penalty=books:3:us:renege", "“books:3:us:renege” isn’t a penalty."),
        ("penalty=books:x:others:renege", "“books:x:others:renege” isn’t a penalty."),
        ("penalty=set:3:nobody:renege", "“set:3:nobody:renege” isn’t a penalty."),
        ("penalty=books:14:others:renege", "Choose 1 to 13 tricks."),
        ("penalty=points:30:others:renege", "Only tricks go to the other side"),
        ("penalty=bonus:0:nobody:", "Choose 1 to 1000000 points."),
        ("penalty=bonus:12345678:nobody:", "“bonus:12345678:nobody:” isn’t a penalty."),
        (f"penalty=bonus:1:nobody:{'x' * 61}", "A reason can have at most 60 characters."),
    ],
)
def test_notes_that_mean_nothing_are_refused_with_their_line(note: str, sentence: str) -> None:
    with pytest.raises(SheetError) as refused:
        scored(with_notes("", note, "", ""))
    assert refused.value.line == 3
    assert sentence in refused.value.message


@quick
@lucky
def test_rows_are_what_the_state_says(luck: random.Random) -> None:
    games = some_games(luck)
    out = io.StringIO(newline="")
    csv.writer(out).writerows([list(COLUMNS), *(row for game in games for row in slowly(game))])
    assert b"".join(csv_of(games)) == out.getvalue().encode()


@quick
@lucky
def test_a_file_scored_again_is_the_same_file(luck: random.Random) -> None:
    written = b"".join(csv_of(some_games(luck)))
    assert scored(written) == written


@quick
@lucky
def test_what_is_written_is_read_as_the_same_games(luck: random.Random) -> None:
    games = some_games(luck)
    read = read_games(io.BytesIO(b"".join(csv_of(games))))
    again = [(game, list(game.rounds)) for game in read]
    for game, (same, rounds) in zip(games, again, strict=True):
        assert (same.game, same.started, same.rules) == (game.game, game.started, game.rules)
        assert (same.names, same.first_dealer) == (game.names, game.first_dealer)
        assert rounds == game.rounds


@pytest.mark.parametrize("seed", range(60))
def test_an_export_that_was_edited_is_read_as_before(seed: int) -> None:
    luck = random.Random(seed)
    written = b"".join(csv_of(some_games(luck)))
    cells = list(csv.reader(io.StringIO(written.decode(), newline="")))
    kinds = luck.sample(sorted(SPOILT), luck.randint(1, 4))
    for kind, spoil in SPOILT.items():
        cells = spoil(cells) if kind in kinds else cells
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=luck.choice(",;\t")).writerows(cells)
    assert scored(out.getvalue()) == written
    assert told(out.getvalue()) or UNTOLD.issuperset(kinds)


@pytest.mark.parametrize("seed", range(60))
def test_a_cell_with_another_number_is_told_or_refused_with_its_line(seed: int) -> None:
    luck = random.Random(seed)
    written = b"".join(csv_of(some_games(luck)))
    cells = list(csv.reader(io.StringIO(written.decode(), newline="")))
    row = cells[luck.randrange(1, len(cells))]
    at = list(COLUMNS).index(luck.choice(["round", "seat", "bid", "tricks", "points", "total"]))
    row[at] = str(luck.choice([n for n in range(14) if str(n) != row[at]]))
    out = io.StringIO(newline="")
    csv.writer(out).writerows(cells)
    try:
        said = told(out.getvalue())
    except SheetError as refused:
        said = [str(refused)]
    assert re.match(r"line [0-9]+: ", "".join(said)), row


def test_points_by_other_rules_are_told_once_in_each_game() -> None:
    lines = (GOLDEN / "several-games.scored.csv").read_text("utf-8").splitlines()
    text = "\n".join(
        [
            lines[0],
            *(
                line.replace(",cutthroat-lite,,", ",cutthroat-lite,trick_points=20,")
                for line in lines[1:]
            ),
        ]
    )
    said = told(text)
    assert said
    assert len(said) <= len({line.partition(",")[0] for line in lines[1:]})
    assert all("by the bids, tricks and rules it’s" in one for one in said)


@pytest.mark.parametrize("cell", ["-40", "\N{MINUS SIGN}40.0"])
def test_points_below_zero_are_told_with_their_sign_in_front(cell: str) -> None:
    text = PLAIN.replace("tricks", "tricks,total").replace("5,5", f"5,5,{cell}")
    set_language("ar")
    try:
        [said] = told(text)
    finally:
        set_language("en")
    assert "\N{LEFT-TO-RIGHT ISOLATE}\N{MINUS SIGN}40" in said


@pytest.mark.parametrize("cell", ["5٠", "50.0"])
def test_points_in_other_digits_or_with_a_fraction_of_zero_are_no_other_points(cell: str) -> None:
    text = PLAIN.replace("tricks", "tricks,points").replace("5,5", f"5,5,{cell}")
    assert told(text) == []


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_sheet_is_read_right_or_refused_with_its_line(seed: int) -> None:
    luck = random.Random(seed)
    written = b"".join(csv_of(some_games(luck)))
    cells = list(csv.reader(io.StringIO(written.decode(), newline="")))
    row = cells[luck.randrange(1, len(cells))]
    at = luck.choice([list(COLUMNS).index(name) for name in ("round", "player", "bid", "tricks")])
    damage = luck.choice(["left out", "emptied", "twice"])
    row[at : at + 1] = {"left out": [], "emptied": [""], "twice": [row[at]] * 2}[damage]
    out = io.StringIO(newline="")
    csv.writer(out).writerows(cells)
    try:
        found = scored(out.getvalue())
    except SheetError as refused:
        found = str(refused).encode()
    assert found == written or re.match(rb"line [0-9]+: ", found)


@quick
@lucky
def test_facts_alone_score_the_same_in_any_order_of_rows(luck: random.Random) -> None:
    game = some_game(luck, 1)
    rows = rows_in(b"".join(csv_of([game])))
    facts = ["round,seat,dealer,player,bid,tricks,notes,cards,start,start_bags,trump"]
    for number in range(1, len(rows) // len(game.names) + 1):
        of_round = [row for row in rows if row["round"] == str(number)]
        luck.shuffle(of_round)
        for row in of_round:
            player = '"' + row["player"].replace('"', '""') + '"'
            shown = ("bid", "tricks", "notes", "cards", "start", "start_bags", "trump")
            others = [row[name] for name in shown]
            facts.append(",".join([str(number), row["seat"], row["dealer"], player, *others]))
    changes = house_rules(game.base, game.rules)
    again = rows_in(scored("\n".join(facts), game.base.key, **changes))
    assert [{**row, "game": "g1"} for row in again] == [{**row, "remark": ""} for row in rows]


@quick
@lucky
def test_the_parts_of_every_row_add_up(luck: random.Random) -> None:
    parts = ("nil_points", "contract_points", "overtrick_points", "bag_penalty", "penalty_points")
    game = some_game(luck, 1)
    rows = rows_in(b"".join(csv_of([game])))
    for row in rows:
        of_side = [r for r in rows if (r["round"], r["side"]) == (row["round"], row["side"])]
        own = [row] if game.rules.totals_by == "seat" else of_side
        by_hand = sum(int(r["bonus_points"] or 0) for r in own)
        assert sum(int(row[part]) for part in parts) + by_hand == int(row["points"])
    for seat in range(1, len(game.names) + 1):
        own = [row for row in rows if row["seat"] == str(seat)]
        for before, after in pairwise(own):
            assert int(before["total"]) + int(after["points"]) == int(after["total"])


def test_a_nil_that_the_rules_no_longer_know_is_written_and_counts_nothing() -> None:
    rules = with_house_rules(CUTTHROAT_LITE, {"nil_points": "off"})
    rows = rows_in(b"".join(csv_of([sheet([Round((Nil.NIL, 5, 5), (0, 5, 5))], rules)])))
    assert (rows[0]["bid"], rows[0]["nil_points"]) == ("nil", "0")


# Rules that were changed in the middle of a game

LATER_RULES = [
    ("nil_points=off;overtrick_cap=off", "nil", 0, 0, 0),
    ("minimum_bid=3", "2", 0, 20, 0),
    ("bids_may_equal_tricks=no", "2", 0, 20, 0),
]


def sheet_of_later_rules(house: str, bid: str, *parts: int) -> bytes:
    """Return a sheet whose South has made a bid that these rules do not allow any more."""
    took = 0 if bid == "nil" else 2
    head = "round,player,bid,tricks,rules,house_rules,nil_points,contract_points,overtrick_points"
    rows = [
        f"1,North,5,5,cutthroat-lite,{house},0,50,0,50",
        f"1,East,3,{5 - took},cutthroat-lite,{house},0,30,{2 - took},{32 - took}",
        f"1,South,{bid},{took},cutthroat-lite,{house},{','.join(map(str, parts))},{sum(parts)}",
    ]
    return "\n".join([head + ",total", *rows]).encode()


@pytest.mark.parametrize(("house", "bid", "nil", "contract", "over"), LATER_RULES)
def test_a_bid_made_before_the_rules_changed_is_taken_as_it_was_scored(
    house: str, bid: str, nil: int, contract: int, over: int
) -> None:
    source = io.BytesIO(sheet_of_later_rules(house, bid, nil, contract, over))
    (rounds,) = (list(game.rounds) for game in read_games(source))
    assert str(rounds[0].bids[2]) == bid


@pytest.mark.parametrize(("house", "bid", "nil", "contract", "over"), LATER_RULES)
def test_scores_that_such_a_bid_does_not_make_leave_it_refused(
    house: str, bid: str, nil: int, contract: int, over: int
) -> None:
    source = io.BytesIO(sheet_of_later_rules(house, bid, nil, contract + 10, over))
    with pytest.raises(SheetError):
        [list(game.rounds) for game in read_games(source)]


def test_a_side_that_bids_and_is_counted_once_leaves_its_other_row_empty() -> None:
    text = "round,player,bid,tricks\n1,North,7,8\n1,East,6,5\n1,South,,\n1,West,,\n"
    rows = rows_in(scored(text, "partnership", bid_by="side", tricks_by="side"))
    assert [(row["bid"], row["tricks"], row["points"]) for row in rows] == [
        ("7", "8", "71"),
        ("6", "5", "-60"),
        ("", "0", "71"),
        ("", "0", "-60"),
    ]
