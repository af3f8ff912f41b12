"""The rows: what people feel, the first version's figures, the aims and what is measured.

All run on this machine over loopback. "Plain" is a Flask view under waitress with four threads, in
a process of its own (`bare.py`).
"""

from tests.bench import (
    browser,
    evening,
    files,
    growth,
    lighthouse,
    tables,
    watching,
    work,
)
from tests.bench.rows import Aim, Row, at_least, at_most

ROWS = {
    "shown": Row(
        "tap to shown, 4 × slower processor: on a line of 400 ms; on one that hangs",
        "474–509 ms; 4 s",
        [at_most(50, "ms"), at_most(150, "ms")] * 2,
        browser.shown,
        "Chromium as a phone, played by touch: from the lift of the finger to the frame after the "
        "seats have changed, median and worst of 24 taps. The second line stops once the page has "
        "its scripts, and delivers nothing more.",
    ),
    "button": Row(
        "tap to shown over a page of one button: bid, last bid, count, Score",
        "–",
        [at_most(2.0), at_most(3.0), at_most(2.0), at_most(3.0)],
        browser.over_a_button,
        "The same taps on a line of 400 ms, each beside one on a page of one button in the same "
        "browser; medians of nine bids and counts and of three last bids and rounds scored. "
        "Score is shown by being drawn pressed.",
    ),
    "restyled": Row(
        "elements restyled by a tap: bid, last bid, count, Score",
        "102; 262; –; 518",
        [at_most(30), Aim(""), at_most(30), Aim("")],
        browser.restyled,
        "The same taps in a trace, until saved and, of the last bid and Score, to the end of their "
        "moments; other work of the computer does not change it.",
    ),
    "task": Row(
        "longest task of a moment, 4 × slower processor: last bid, Score",
        "167 ms; 161 ms",
        [at_most(50, "ms"), at_most(50, "ms")],
        browser.longest_task,
        "Processor time in the traces of the same taps, from the click to the end of the moment; "
        "median of three.",
    ),
    "saved": Row(
        "tap to saved, slow 4G, in round trips",
        "1.42",
        [at_most(1.2)],
        browser.saved,
        "The same taps, until the answer of the server has come, over round trips of 150 ms.",
    ),
    "tap": Row(
        "the server's work for a tap as phones send it; over one durable row",
        "3.3 ms; –",
        [at_most(1.0, "ms"), at_most(2.0)],
        work.tap,
        "One phone sends the whole round with each bid and count, built-in server; median until "
        "the answer has come. Between two taps a plain Flask POST stores the same form as one row "
        "(SQLite, WAL, synchronous = FULL).",
    ),
    "score": Row(
        "a scored round, the same",
        "–",
        [at_most(1.5, "ms")],
        work.score,
        "The tap after the last count, which scores the round.",
    ),
    "follower": Row(
        "the work to tell one follower of a change",
        "a stream and a fetch of 1.0 ms",
        [at_most(0.15, "ms")],
        watching.follower,
        "Processor time of the unit's gunicorn for the same taps at 40 tables with three event "
        "streams each, less that without streams, by event.",
    ),
    "tables": Row(
        "tables carried under gunicorn / by a bare program under it; how many",
        "–; 200",
        [at_least(0.6), Aim("tables")],
        tables.carried,
        "The unit's gunicorn on this machine. Each table has four phones: one taps every three "
        "seconds, the others follow. Tables are added in steps until p99 of saved or of shown "
        "elsewhere is above 100 ms, or anything is refused or missed. The bare program "
        "(`bare_tables.py`) stores a tap as one durable row and tells it, under the same gunicorn "
        "and load. The load maker is a process of its own and may take 15 % of a processor.",
    ),
    "evening": Row(
        "an evening on PostgreSQL: p95 of saved in the last minute / in the first",
        "–",
        [at_most(evening.GROWTH)],
        evening.grown,
        "10,000 tables are in the database, and 1,000 of them play for five minutes as above, over "
        "the two processes of the unit, with PostgreSQL's checkpoints as `scorekeeper deploy "
        "standby` sets them. Sampled sheets must be equal to a recount, and `check` must find "
        "nothing.",
    ),
    "watchers": Row(
        "the last of 100 watchers, built-in server; of 1,000, gunicorn",
        "20 ms; 40 ms",
        [at_most(25, "ms"), at_most(60, "ms")],
        watching.watchers,
        "From the moment a tap is sent until the last stream of the watch link has told its "
        "version; the caps of streams are raised. None may be missed.",
    ),
    "begin": Row(
        "begin a game at 100,000 games / at 10",
        "about 10",
        [at_most(1.1)],
        growth.begin,
        "The form of a new game, posted to two servers in turns.",
    ),
    "games": Row(
        "record, show, list, history, statistics at 100,000 games / at 10",
        "held",
        [at_most(1.1)] * 5,
        growth.games,
        "The same requests to two servers in turns; a game is shown after it has changed.",
    ),
    "rounds": Row(
        "record and show a game of 200 rounds / of 10",
        "held",
        [at_most(2.0)] * 2,
        growth.rounds,
        "The newest round is corrected, and the page is drawn anew.",
    ),
    "paint": Row(
        "first paint of a game / of an empty page",
        "1.3–1.4",
        [at_most(1.25)],
        browser.first_paint,
        "First contentful paint over slow 4G (150 ms, 1.6 Mbit/s) with a 4 × slower processor, "
        "over that of a plain Flask view of 90 bytes; nothing is cached.",
    ),
    "second": Row(
        "second view / an empty page's second view",
        "1.63",
        [at_most(1.25)],
        browser.second_view,
        "The same page opened again on the same phone.",
    ),
    "bytes": Row(
        "bytes before paint; to the first tap that shows at once; offline shell beside",
        "9.2 kB; 28 kB; 126 kB",
        [at_most(14.6, "kB"), at_most(40, "kB"), Aim("kB")],
        browser.weight,
        "On the wire: the page and what holds up its paint; all that has come when the app takes "
        "the game over; and what comes in the eight seconds after that, by a service worker too.",
    ),
    "import": Row(
        "taps beside an import of 50,000 rounds, p99 / idle; of the largest file of a page, p99",
        "503; –",
        [at_most(3.0), at_most(1000, "ms")],
        files.import_,
        "`scorekeeper import` beside the built-in server, and then a file that is added on the "
        "page; no tap may be refused.",
    ),
    "csv": Row(
        "CSV of a million rounds / csv.writer; the memory that it takes",
        "held",
        [at_least(0.2), at_most(10, "MiB")],
        files.export,
        "All games of a table of 100,000 through the server, against rows written in memory.",
    ),
    "lighthouse": Row(
        "Lighthouse mobile, every page of a game",
        "100",
        [at_least(100)],
        lighthouse.pages,
        "The least score for performance, accessibility or best practices.",
    ),
}
