"""The rows: what people feel, the first version's figures, the aims and what is measured.

All run on this machine over loopback. "Plain" is a Flask view under waitress with four threads, in
a process of its own (`bare.py`).
"""

from tests.bench import growth, tables, watching, work
from tests.bench.rows import Row, at_least, at_most

ROWS = {
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
        "tables that one machine carries under gunicorn",
        "200",
        [at_least(1200, "tables")],
        tables.carried,
        "The unit's gunicorn on this machine. Each table has four phones: one taps every three "
        "seconds, the others follow. Tables are added in steps until p99 of saved or of shown "
        "elsewhere is above 100 ms, or anything is refused or missed. The load maker is a process "
        "of its own and may take 15 % of a processor.",
    ),
    "overload": Row(
        "three times that load: taps at p99; until all is well after it",
        "collapse, p50 1 s and more",
        [at_most(500, "ms"), at_most(10, "s")],
        tables.overloaded,
        "Streams are refused first. After it the tables of the row above go on alone, and all is "
        "well from the second in which p99 is at most 100 ms for good.",
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
}
