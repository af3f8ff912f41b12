"""`scorekeeper score`: what it refuses, in which words, and how it ends."""

import io
import os
import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import cycle
from pathlib import Path

import pytest

from scorekeeper.cli.main import main
from scorekeeper.files.csv_columns import SheetError
from scorekeeper.files.exports import in_pieces, scored_file, write_whole
from tests.program import CHECKOUT, clean_environment

HEAD = "round,player,bid,tricks\n"
ROUND = "1,North,5,5\n1,East,3,3\n1,South,2,2\n"  # 50, 30 and 20 points
FOUR = "1,North,4,4\n1,East,3,3\n1,South,3,3\n1,West,2,3\n"
GOLDEN = CHECKOUT / "tests" / "files" / "golden"


def run(*words: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the program as another process."""
    return subprocess.run(
        [sys.executable, "-m", "scorekeeper", "score", *words],
        cwd=CHECKOUT,
        env=clean_environment(),
        input=data,
        capture_output=True,
        check=False,
    )


def test_a_sheet_is_written_to_standard_output_to_the_byte() -> None:
    ended = run(str(GOLDEN / "lite-four.csv"))
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout == (GOLDEN / "lite-four.scored.csv").read_bytes()


def test_a_dash_is_the_standard_input() -> None:
    data = (GOLDEN / "cutthroat.csv").read_bytes()
    ended = run("-", "--rules", "cutthroat", data=data)
    assert ended.stdout == (GOLDEN / "cutthroat.scored.csv").read_bytes()


def test_house_rules_are_set_one_by_one() -> None:
    ended = run("-", "--set", "target=50", "--set", "bag_limit=off", data=(HEAD + ROUND).encode())
    assert b",cutthroat-lite,target=50;bag_limit=off;bag_penalty=off,1,3,1,North" in ended.stdout


FORGOTTEN = b"""round,player,bid,tricks
1,Ana,3,3
1,Ben,2,4
1,Cy,nil,0
1,Dana,4,3
2,Ana,3,3
2,Ben,2,4
2,Cy,3,3
"""


def test_a_forgotten_row_is_told_on_standard_error() -> None:
    ended = run("-", data=FORGOTTEN)
    assert ended.returncode == 0
    assert ended.stderr.decode() == (
        "line 6: Round 2 has no row for Dana. If Dana left, write left=yes in the notes of Dana’s "
        "row in round 1.\n"
    )
    assert run("-", data=ended.stdout).stderr == b""


def test_a_reader_who_has_seen_enough_ends_it_quietly(tmp_path: Path) -> None:
    long = tmp_path / "long.csv"
    with long.open("w") as out:
        out.write(HEAD)
        for number in range(1, 2001):
            out.write(f"{number},North,5,5\n{number},East,3,3\n{number},South,2,2\n")
    command = [sys.executable, "-m", "scorekeeper", "score", str(long), "--set", "target=1000000"]
    with subprocess.Popen(
        command, cwd=CHECKOUT, env=clean_environment(), stdout=subprocess.PIPE, stderr=-1
    ) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline().startswith(b"game,")
        process.stdout.close()
        assert process.stderr.read() == b""


# What is refused: the file, the line, and words of the sentence


def bids(south: str) -> str:
    """A round in which South, on line 4, writes this as the bid."""
    return HEAD + ROUND.replace("South,2", f"South,{south}")


def tricks(south: str) -> str:
    """A round in which South, on line 4, writes this as the tricks."""
    return HEAD + ROUND.replace("South,2,2", f"South,2,{south}")


def east(name: str) -> str:
    """A round in which this name stands on line 3."""
    return HEAD + ROUND.replace("East", name)


def beside(column: str, *cells: str, rounds: str = ROUND) -> str:
    """Rounds with one more column, whose cells come again from row to row."""
    rows = zip(cycle(cells), rounds.split(), strict=False)
    return f"{column},{HEAD}" + "".join(f"{cell},{row}\n" for cell, row in rows)


def renumbered(number: int) -> str:
    """The round once more, with another number."""
    return "".join(f"{number}{row[1:]}\n" for row in ROUND.split())


Case = tuple[str | bytes, int | None, str]
WITH_FOUR = "but the header has 4"
OF_THE_FILE: dict[str, Case] = {
    "nothing in it": ("", 1, "The file is empty"),
    "blank lines alone": ("\n \n\r\n,,\n", 1, "The file is empty"),
    "a header alone": (HEAD, None, "nothing below the header"),
    "Latin-1": (east("Jos\xe9").encode("latin-1"), 3, "isn’t UTF-8"),
    "UTF-16": ((HEAD + ROUND).encode("utf-16"), 1, "Save the spreadsheet as “CSV UTF-8”"),
    "a NUL": (east("Ea\0st"), 3, "isn’t a text file"),
    "a NUL far below": (HEAD + "\n" * 70_000 + "\0", 70_002, "isn’t a text file"),
    "no line ends": ("x" * 3_000_000, 1, "far too long"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 3, "This isn’t a text file"),
    "no bids": ("round,player,tricks\n", 1, "The header must name the columns round"),
    "no bids and tricks": ("player,round\n", 1, "The header must name the columns"),
    "a column twice": ("round,Bid,player,bid ,tricks\n", 1, "Column bid appears twice"),
    "a cell too few": (HEAD + "1,North,5\n" + ROUND[12:], 2, "“” isn’t a number of tricks"),
    "a cell too many": (HEAD + ROUND + "2,North,5,5,1\n", 5, f"This row has 5 cells, {WITH_FOUR}"),
    "a cell far right": (
        HEAD + ROUND + "2,North,5,5,,1\n",
        5,
        f"This row has 6 cells, {WITH_FOUR}",
    ),
    "one cell": (HEAD + ROUND + "2\n", 5, f"This row has 1 cell, {WITH_FOUR}"),
    "a quotation mark left open": (
        HEAD + '1,"North,5,5\n1,East,3,3\n',
        2,
        "missing or misplaced quotation mark",
    ),
    "text after a quotation mark": (east('"Ea"st'), 3, "missing or misplaced quotation mark"),
    "a cell without an end": (
        HEAD + '1,"' + "x\n" * 200_000,
        2,
        "missing or misplaced quotation mark",
    ),
}
OF_THE_CELLS: dict[str, Case] = {
    "no number of a round": (HEAD + "I,North,5,5\n", 2, "“I” isn’t a round"),
    "a round below zero": (HEAD + "-1,North,5,5\n", 2, "“-1” isn’t a round"),
    "round 0": (HEAD + renumbered(0), 2, "Expected round 1 here, not round 0"),
    "a name twice": (east(" nORTH"), 3, "nORTH appears twice in round 1"),
    "no name": (east(" "), 3, "Enter a name for every player"),
    "a long name": (east("E" * 41), 3, "at most 40 characters"),
    "a bell": (east("E\a"), 3, "invisible characters"),
    "0 as a bid": (bids("0"), 4, "“0” isn’t a bid. Use nil for a bid of no tricks"),
    "an empty bid": (bids(""), 4, "“” isn’t a bid. Use a number, nil or blind nil"),
    "a bid with a sign": (bids("+2"), 4, "“+2” isn’t a bid"),
    "a bid in foreign digits": (bids("๒"), 4, "“๒” isn’t a bid"),
    "a bid with a line": (bids("1_0"), 4, "“1_0” isn’t a bid"),
    "a bid with a fraction": (bids("2.5"), 4, "“2.5” isn’t a bid"),
    "a bid with only a fraction": (bids(".0"), 4, "“.0” isn’t a bid"),
    "a long bid": (bids("2" * 200), 4, "“" + "2" * 39 + "…” isn’t a bid"),
    "a longer bid": (
        bids("2" * 5000),
        4,
        "“bid” can have at most 200 characters. This one has 5000.",
    ),
    "what a terminal obeys": (bids("\x1b[2J"), 4, "“�[2J” isn’t a bid"),
    "a bid too high": (bids("11"), 4, "Round 1, South: Bid 1 to 10, or Nil"),
    "blind Nil": (bids("blind nil"), 4, "Round 1, South: Blind Nil isn’t allowed in this game"),
    "no tricks": (tricks(""), 4, "“” isn’t a number of tricks. Use 0 to 10"),
    "tricks below zero": (tricks("-2"), 4, "“-2” isn’t a number of tricks"),
    "more tricks than there are": (tricks("12"), 4, "Round 1, South: A round has only 10 tricks"),
    "too few tricks": (
        HEAD + ROUND + renumbered(2).replace("3,3", "3,2"),
        5,
        "Tricks total 9, but 10",
    ),
    "a seat twice": (beside("seat", "1", "1", "3"), 3, "Number seats 1 to 3"),
    "a seat too high": (beside("seat", "1", "4", "3"), 3, "“4” isn’t a seat"),
    "a seat left out": (beside("seat", "1", "2", ""), 4, "“” isn’t a seat"),
    "no such dealer": (beside("dealer", "4"), 2, "“4” isn’t a dealer"),
    "two dealers": (beside("dealer", "1", "", "2"), 4, "Round 1 has two dealers, 1 and 2"),
    "not a time": (beside("started", "noon"), 2, "“noon” isn’t a valid time"),
    "no such day": (beside("started", "2025-02-30"), 2, "“2025-02-30” isn’t a valid time"),
    "no such hour": (beside("started", "2025-11-21T25:30"), 2, "isn’t a valid time"),
    "a year of two digits that could be a day": (
        beside("started", "21-11-25"),
        2,
        "isn’t a valid time",
    ),
    "a day before the first": (beside("started", "1066-10-14"), 2, "isn’t a valid time"),
    "a day that could be two": (
        beside("started", "03/04/2026"),
        2,
        "“03/04/2026” could be 2026-03-04 or 2026-04-03. Write the one that’s right.",
    ),
    "a long name of a game": (beside("game", "g" * 1001), 2, "at most 1000 characters"),
    "unknown rules": (beside("rules", "whist"), 2, "“whist”. Choose one of: cutthroat-lite, "),
    "rules that change": (
        beside("rules", "", "cutthroat"),
        3,
        "“rules” differs from this game’s first row",
    ),
    "no house rule": (beside("house_rules", "bags"), 2, "“bags” isn’t a house rule"),
    "an unknown house rule": (beside("house_rules", "a=1"), 2, "Unknown house rule: a."),
}
OF_THE_GAME: dict[str, Case] = {
    "too few players": (HEAD + "1,North,5,10\n", 2, "for 2 to 7 players, but round 1"),
    "a player is missing": (HEAD + ROUND + "2,North,5,5\n", 5, "has no row for East, South"),
    "a stranger": (HEAD + ROUND + "2,West,5,5\n", 5, "West isn’t in this game. Players"),
    "a player twice for another": (
        HEAD + ROUND + renumbered(2).replace("South", "East"), 7, "East appears twice in round 2"
    ),
    "a player once more": (
        HEAD + ROUND + renumbered(2) + "2,North,5,5\n", 8, "North appears twice in round 2"
    ),
    "a stranger late": (HEAD + ROUND + renumbered(2) + "2,West,5,5\n", 8, "West isn’t in this"),
    "a round left out": (HEAD + ROUND + renumbered(3), 5, "Expected round 2 here, not round 3"),
    "a game without a name": (HEAD + ROUND + renumbered(2) + ROUND, 8, "give each game its own"),
    "a game begun in the middle": (
        beside("game", *"aaab", rounds=ROUND + renumbered(2)), 5, "Expected round 1 here, not"
    ),
    "a row below line ends in cells": (
        beside("game", '"a\n\r\nb"', rounds=ROUND + "2,North,0,5\n2,East,3,3\n2,South,2,2\n"),
        11,
        "“0” isn’t a bid",
    ),
}  # fmt: skip
BY_OPTIONS: list[tuple[str, str, int | None, str]] = [
    (HEAD + FOUR, "--rules cutthroat --set tricks=12", 2, "Tricks total 13, but 12 were played"),
    (HEAD + FOUR.replace("West,2", "West,3"), "--rules cutthroat", 5, "can’t total 13"),
    (
        HEAD + FOUR.replace("North,4", "North,blind nil"),
        "--rules partnership",
        2,
        "points behind",
    ),
    (HEAD + FOUR, "--rules partnership --set board=6", 5, "at least 6 together. This makes 5"),
    (bids("nil"), "--set nil_points=off", 4, "Nil isn’t allowed in this game"),
    (HEAD + ROUND, "--rules partnership", 2, "is for 4 players, but round 1 has 3"),
    (HEAD + FOUR, "--set tricks=14", 2, "14 cards each for 4 players is more than a full deck"),
    (bids("3"), "--set first_round_bids_itself=yes", 4, "There’s no bidding in this round"),
    (HEAD + ROUND, "--rules whist", None, "Unknown rules “whist”. Choose one of: cutthroat-"),
    (HEAD + ROUND, "--rules lite", None, "Unknown rules “lite”. Did you mean cutthroat-lite?"),
    (HEAD + ROUND, "--rules partnerships", None, "Did you mean partnership, partnership-"),
    (HEAD + ROUND, "--set goal=5", None, "Unknown house rule: goal. Did you mean target?"),
    (HEAD + ROUND, "--set bagpenalty=5", None, "Did you mean bag_penalty"),
    (HEAD + ROUND, "--rules \x1b[2J", None, "Unknown rules “�[2J”"),
    (HEAD + ROUND, "--set luck=7", None, "Unknown house rule: luck"),
    (HEAD + ROUND, "--set target=many", None, "target must be a whole number from 1 to"),
    (HEAD + ROUND, "--set bag_penalty=off", None, "A bag limit needs a penalty"),
]


@pytest.fixture
def refuse(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> Callable[[str | bytes, int | None, str, str], None]:
    """Score a file and see it refused in these words, with nothing written."""

    def refused(data: str | bytes, line: int | None, words: str, options: str = "") -> None:
        path = tmp_path / "sheet.csv"
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        assert main(["score", str(path), *options.split()]) == 2
        written, complaint = (text.decode() for text in capfdbinary.readouterr())
        assert (written, complaint.count("\n")) == ("", 1)
        assert words in complaint
        assert complaint.startswith(f"line {line}: ") == (line is not None)

    return refused


@pytest.mark.parametrize("case", OF_THE_FILE | OF_THE_CELLS | OF_THE_GAME)
def test_a_bad_file_is_refused_by_its_line(refuse: Callable[..., None], case: str) -> None:
    refuse(*(OF_THE_FILE | OF_THE_CELLS | OF_THE_GAME)[case])


@pytest.mark.parametrize(("data", "options", "line", "words"), BY_OPTIONS)
def test_a_sheet_is_refused_by_the_rules_that_were_asked_for(
    refuse: Callable[..., None], data: str, options: str, line: int | None, words: str
) -> None:
    refuse(data, line, words, options)


def test_a_round_after_the_end_is_told_who_won_and_how_to_play_on(
    refuse: Callable[..., None],
) -> None:
    sentence = (
        "line 5: The game ended after round 1: North had 50. If play continued, "
        "raise the winning score with --set target=...."
    )
    refuse(HEAD + ROUND + renumbered(2), 5, sentence, "--set target=50")


def test_a_round_after_mercy_is_told_so(refuse: Callable[..., None]) -> None:
    data = HEAD + FOUR.replace("West,2", "West,9") + FOUR.replace("1,", "2,")
    options = "--rules partnership-250 --set mercy=-100"
    words = "North, South won with 70. If play continued, turn it off with --set"
    refuse(data, 6, words, options)


def test_a_game_that_names_its_rules_says_how_to_play_on_by_them(
    refuse: Callable[..., None],
) -> None:
    rows = ["rules,house_rules," + HEAD.strip()]
    rows += [f"cutthroat-lite,target=50;bag_limit=3,{row}" for row in (ROUND * 2).split()]
    data = "\n".join(rows[:4]) + "\n" + "\n".join(rows[4:]).replace(",1,", ",2,")
    refuse(data, 5, "with “target=...;bag_limit=3” in a “house_rules” column.")


@pytest.mark.parametrize("path", ["no-such-file.csv", "."])
def test_a_file_that_cannot_be_read_is_named(
    path: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["score", path]) == 2
    written, complaint = capfdbinary.readouterr()
    assert written == b""
    assert "Can’t read ".encode() in complaint


def test_a_path_that_no_system_allows_is_named() -> None:
    with pytest.raises(SheetError, match="Can’t read "):
        list(scored_file(Path("sheet\0.csv"), None, {}))


@pytest.mark.parametrize("seed", range(60))
def test_whatever_the_bytes_a_sheet_is_scored_or_refused(seed: int, tmp_path: Path) -> None:
    luck = random.Random(seed)
    path, out = tmp_path / "sheet.csv", io.BytesIO()
    sheets = sorted(GOLDEN.glob("*.csv"))
    for _try in range(20):
        data = bytearray(luck.choice(sheets).read_bytes())
        for _change in range(luck.randint(1, 4)):
            at = luck.randrange(len(data) + 1)
            junk = luck.choice(
                [luck.randbytes(luck.randint(0, 3)), b'"', b",", b"\n", b"nil", b"9"]
            )
            data[at : at + luck.randint(0, 9)] = junk
        path.write_bytes(data)
        with suppress(SheetError):
            rules = luck.choice([None, "cutthroat", "partnership"])
            write_whole(in_pieces(scored_file(path, rules, {})), out)


def endless(rounds: int) -> str:
    """A game of so many rounds with random bids and tricks."""
    luck, rows = random.Random(1), [HEAD]
    for number in range(1, rounds + 1):
        tricks = [0, 0, 0, 0]
        for _trick in range(10):
            tricks[luck.randrange(4)] += 1
        for name, count in zip(("North", "East", "South", "West"), tricks, strict=True):
            rows.append(f"{number},{name},{luck.randint(1, 3)},{count}\n")
    return "".join(rows)


def peak(path: Path) -> int:
    """Return the peak memory in kilobytes of a process that scores a file."""
    command = [sys.executable, "-m", "scorekeeper", "score", str(path), "--set", "target=1000000"]
    process = subprocess.Popen(
        command, cwd=CHECKOUT, env=clean_environment(), stdout=subprocess.DEVNULL
    )
    _pid, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss


@pytest.mark.slow
def test_a_file_three_times_as_long_takes_no_more_memory(tmp_path: Path) -> None:
    short, long = tmp_path / "short.csv", tmp_path / "long.csv"
    short.write_text(endless(4000))  # the sheet waits in memory up to a megabyte
    long.write_text(endless(12_000))
    assert peak(long) < peak(short) + 2000
